//! Time and identifiers, as a parameter.
#![expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]

use std::time::SystemTime;

/// Tells the time and makes identifiers.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> SystemTime;

    /// Now, in nanoseconds since 1970, as file systems count.
    fn nanoseconds(&self) -> i64 {
        let since = self.now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    }

    /// Now, as RFC 3339 in UTC with milliseconds.
    fn timestamp(&self) -> String {
        let now = jiff::Timestamp::try_from(self.now()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        format!("{now:.3}")
    }

    /// A fresh identifier that sorts by time.
    fn fresh_id(&self) -> String {
        uuid::Uuid::now_v7().to_string()
    }
}

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}
