//! How much time has gone by, for waits that end before a host loses patience.
#![expect(clippy::disallowed_methods, reason = "a wait is measured by the real clock")]

use std::time::{Duration, Instant};

/// Measures how long something takes.
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// From now on.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Until now.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
