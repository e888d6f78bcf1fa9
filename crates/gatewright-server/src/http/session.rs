//! Who may speak: one-time codes, and the sessions that they are exchanged for.
//!
//! Everything is random from the operating system, lives in memory only and
//! ends with the process. Values are compared in constant time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;
use tokio::time::Instant;

/// 256 bits.
type Value = [u8; 32];

/// How long a code waits for its first use.
const CODE_LIFETIME: Duration = Duration::from_secs(60 * 60);
/// More than these are never open at once; the oldest goes.
const MOST_CODES: usize = 16;
const MOST_SESSIONS: usize = 32;
/// Requests per second, and as many at once.
const RATE: f64 = 100.0;
/// Exchanges per second for everybody together.
const EXCHANGE_RATE: f64 = 10.0;

/// The open codes and sessions.
pub struct Sessions {
    inner: Mutex<Inner>,
}

struct Inner {
    codes: Vec<(Value, Instant)>,
    sessions: Vec<(Value, Bucket)>,
    exchanges: Bucket,
}

/// What a token is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Known, and within its rate.
    Welcome,
    /// Known, and too fast.
    TooFast,
    /// Not known.
    Unknown,
}

impl Default for Sessions {
    fn default() -> Self {
        Self::new()
    }
}

impl Sessions {
    /// None yet.
    pub fn new() -> Self {
        let exchanges = Bucket::new(EXCHANGE_RATE);
        Self { inner: Mutex::new(Inner { codes: Vec::new(), sessions: Vec::new(), exchanges }) }
    }

    /// A new one-time code.
    pub fn fresh_code(&self) -> Result<String, getrandom::Error> {
        let code = random()?;
        let mut inner = self.lock();
        if inner.codes.len() >= MOST_CODES {
            inner.codes.remove(0);
        }
        inner.codes.push((code, Instant::now()));
        Ok(BASE64_URL_SAFE_NO_PAD.encode(code))
    }

    /// Takes a code and gives a token for it; `None` for a code that is not open.
    pub fn exchange(&self, code: &str) -> Result<Option<String>, getrandom::Error> {
        let Some(code) = decode(code) else { return Ok(None) };
        let token = random()?;
        let mut inner = self.lock();
        inner.codes.retain(|(_, made)| made.elapsed() < CODE_LIFETIME);
        let Some(index) = position(inner.codes.iter().map(|(value, _)| value), &code) else {
            return Ok(None);
        };
        inner.codes.remove(index);
        if inner.sessions.len() >= MOST_SESSIONS {
            inner.sessions.remove(0);
        }
        inner.sessions.push((token, Bucket::new(RATE)));
        Ok(Some(BASE64_URL_SAFE_NO_PAD.encode(token)))
    }

    /// Whether one more exchange may be tried now.
    pub fn may_exchange(&self) -> bool {
        self.lock().exchanges.take()
    }

    /// What a token is worth now; a known one is counted.
    pub fn standing(&self, token: &str) -> Standing {
        let Some(token) = decode(token) else { return Standing::Unknown };
        let mut inner = self.lock();
        match position(inner.sessions.iter().map(|(value, _)| value), &token) {
            Some(index) if inner.sessions[index].1.take() => Standing::Welcome,
            Some(_) => Standing::TooFast,
            None => Standing::Unknown,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn random() -> Result<Value, getrandom::Error> {
    let mut value = [0; 32];
    getrandom::fill(&mut value)?;
    Ok(value)
}

fn decode(text: &str) -> Option<Value> {
    BASE64_URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()
}

/// Looks at every value, whichever matches.
fn position<'a>(values: impl Iterator<Item = &'a Value>, wanted: &Value) -> Option<usize> {
    let mut found = None;
    for (index, value) in values.enumerate() {
        if bool::from(value.ct_eq(wanted)) {
            found = Some(index);
        }
    }
    found
}

/// A token bucket that holds one second's worth.
struct Bucket {
    rate: f64,
    left: f64,
    filled: Instant,
}

impl Bucket {
    fn new(rate: f64) -> Self {
        Self { rate, left: rate, filled: Instant::now() }
    }

    fn take(&mut self) -> bool {
        let now = Instant::now();
        let gained = now.duration_since(self.filled).as_secs_f64() * self.rate;
        self.left = (self.left + gained).min(self.rate);
        self.filled = now;
        let has_one = self.left >= 1.0;
        if has_one {
            self.left -= 1.0;
        }
        has_one
    }
}
