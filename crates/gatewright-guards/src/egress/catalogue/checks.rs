//! What a match must satisfy besides its pattern: checksums, alphabets, randomness.

use std::str::FromStr;
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::wordy::is_wordy;
use crate::egress::detect::text::Words;

/// One check of a rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// The last characters are the base62 CRC32 of what precedes, without the prefix.
    ///
    /// A right checksum is proof without more; with a wrong one the provider never
    /// gave the value to anybody.
    Crc32Base62 {
        /// How many characters the checksum has.
        length: usize,
    },
    /// The digits satisfy the Luhn formula.
    Luhn,
    /// At least this many bits of Shannon entropy for each character.
    Entropy(f64),
    /// At least this many digits.
    Digits(usize),
    /// At least this many upper-case letters.
    Upper(usize),
    /// At least this many lower-case letters.
    Lower(usize),
    /// Not a word or several joined: it has digits, or case changes as words have not.
    NotWord,
    /// Decodes from base64 to a JSON object.
    Base64Json,
    /// Hexadecimal digits only.
    Hex,
}

/// A check that no rule can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown check {0:?}")]
pub struct CheckError(String);

impl FromStr for Check {
    type Err = CheckError;

    fn from_str(text: &str) -> Result<Check, CheckError> {
        let unknown = || CheckError(text.to_owned());
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let number = || argument.and_then(|value| value.parse().ok()).ok_or_else(unknown);
        Ok(match name {
            "crc32-base62" => Check::Crc32Base62 { length: number()? },
            "entropy" => {
                Check::Entropy(argument.and_then(|value| value.parse().ok()).ok_or_else(unknown)?)
            }
            "digits" => Check::Digits(number()?),
            "upper" => Check::Upper(number()?),
            "lower" => Check::Lower(number()?),
            "luhn" if argument.is_none() => Check::Luhn,
            "not-word" if argument.is_none() => Check::NotWord,
            "base64-json" if argument.is_none() => Check::Base64Json,
            "hex" if argument.is_none() => Check::Hex,
            _ => return Err(unknown()),
        })
    }
}

impl Check {
    /// True when `secret` satisfies the check.
    pub fn passes(&self, secret: &[u8]) -> bool {
        let count = |class: fn(&u8) -> bool| secret.iter().filter(|byte| class(byte)).count();
        match self {
            Check::Crc32Base62 { length } => has_base62_crc32(secret, *length),
            Check::Luhn => luhn(secret),
            Check::Entropy(least) => entropy(secret) >= *least,
            Check::Digits(least) => {
                count(u8::is_ascii_digit) >= *least || *least <= 2 && is_scrambled(secret)
            }
            Check::Upper(least) => count(u8::is_ascii_uppercase) >= *least,
            Check::Lower(least) => count(u8::is_ascii_lowercase) >= *least,
            Check::NotWord => !is_wordy(secret),
            Check::Base64Json => decodes_to_json(secret),
            Check::Hex => secret.iter().all(u8::is_ascii_hexdigit),
        }
    }

    /// True when the check tells a likely value from an unlikely one, and no more.
    pub fn is_guess(&self) -> bool {
        matches!(
            self,
            Check::Entropy(_)
                | Check::Digits(_)
                | Check::Upper(_)
                | Check::Lower(_)
                | Check::NotWord
        )
    }

    /// True when the check alone proves the value, whatever the others say.
    pub fn is_certain(&self, secret: &[u8]) -> bool {
        match self {
            Check::Crc32Base62 { length } => has_base62_crc32(secret, *length),
            _ => false,
        }
    }
}

/// True when letters of both cases follow each other as in no word or name.
///
/// One in fifty random keys of 24 letters and digits has no digit at all. Separators in
/// the body are some of its letters, where the alphabet has them.
fn is_scrambled(secret: &[u8]) -> bool {
    const SHORTEST: usize = 16;
    let is_separator = |byte: &u8| matches!(byte, b'_' | b'-' | b'.');
    let head = secret.iter().position(is_separator).map_or(0, |separator| separator + 1);
    let body: Vec<u8> = secret[head..].iter().copied().filter(|byte| !is_separator(byte)).collect();
    let is_change = |pair: &&[u8]| {
        pair.iter().all(u8::is_ascii_alphabetic)
            && pair[0].is_ascii_uppercase() != pair[1].is_ascii_uppercase()
    };
    let changes = body.windows(2).filter(is_change).count();
    body.len() >= SHORTEST && changes * 3 >= body.len() && !is_wordy(&body)
}

/// The Shannon entropy of `bytes` in bits for each byte.
pub fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0u16; 256];
    let mut sum = 0.0;
    for byte in &bytes[..bytes.len().min(usize::from(u16::MAX))] {
        let count = &mut counts[usize::from(*byte)];
        sum += step(*count);
        *count += 1;
    }
    let total = bytes.len() as f64;
    if bytes.is_empty() { 0.0 } else { total.log2() - sum / total }
}

/// By how much `count * log2(count)` grows with one more.
fn step(count: u16) -> f64 {
    static STEPS: LazyLock<[f64; 64]> = LazyLock::new(|| std::array::from_fn(grown));
    STEPS.get(usize::from(count)).copied().unwrap_or_else(|| grown(usize::from(count)))
}

fn grown(count: usize) -> f64 {
    let times_log = |count: f64| if count > 0.0 { count * count.log2() } else { 0.0 };
    times_log(count as f64 + 1.0) - times_log(count as f64)
}

/// Why a value is plainly a dummy, if it is.
///
/// Only what nobody would take for a real key counts: one character over and
/// over, a run along the alphabet, or words that say so.
pub fn dummy_reason(secret: &[u8]) -> Option<&'static str> {
    const SAYINGS: [&str; 16] = [
        "deadbeef",
        "jbswy3dpehpk3pxp",
        "example",
        "placeholder",
        "your_",
        "your-",
        "yourapi",
        "yourtoken",
        "yoursecret",
        "redacted",
        "changeme",
        "dummy",
        "xxxxx",
        "<your",
        "insert-",
        "replace_me",
    ];
    static WORDS: LazyLock<Words> = LazyLock::new(|| Words::new(&SAYINGS));
    if WORDS.stand_in(secret) {
        return Some("it says that it is no secret");
    }
    if longest_repeat(secret) >= 10 || (secret.len() >= 8 && distinct(secret) <= 2) {
        return Some("it repeats one character");
    }
    let steps = secret.windows(2).filter(|pair| is_step(pair[0], pair[1])).count();
    if secret.len() >= 12 && steps * 10 >= secret.len() * 6 || has_run(secret) {
        return Some("it runs along the alphabet");
    }
    None
}

/// True when a whole part of a value runs along the alphabet.
fn has_run(secret: &[u8]) -> bool {
    const SHORTEST: usize = 15;
    let is_run = |part: &[u8]| {
        part.len() >= SHORTEST && part.windows(2).all(|pair| is_step(pair[0], pair[1]))
    };
    secret.split(|byte| matches!(byte, b'_' | b'-' | b'.')).any(is_run)
}

fn is_step(first: u8, second: u8) -> bool {
    first.checked_add(1) == Some(second) || second == first || (first, second) == (b'9', b'0')
}

fn longest_repeat(bytes: &[u8]) -> usize {
    let mut longest = 0;
    let mut current = 0;
    let mut last = None;
    for byte in bytes {
        current = if last == Some(*byte) { current + 1 } else { 1 };
        last = Some(*byte);
        longest = longest.max(current);
    }
    longest
}

fn distinct(bytes: &[u8]) -> usize {
    let mut seen = [false; 256];
    for byte in bytes {
        seen[usize::from(*byte)] = true;
    }
    seen.iter().filter(|present| **present).count()
}

fn luhn(secret: &[u8]) -> bool {
    let digits: Vec<u32> = secret
        .iter()
        .filter(|byte| byte.is_ascii_digit())
        .map(|byte| u32::from(byte - b'0'))
        .collect();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(index, digit)| match index % 2 {
            0 => *digit,
            _ if *digit > 4 => digit * 2 - 9,
            _ => digit * 2,
        })
        .sum();
    digits.len() > 1 && sum.is_multiple_of(10)
}

fn decodes_to_json(secret: &[u8]) -> bool {
    let trimmed: Vec<u8> = secret.iter().copied().filter(|byte| *byte != b'=').collect();
    let decoded =
        URL_SAFE_NO_PAD.decode(&trimmed).or_else(|_| STANDARD_NO_PAD.decode(&trimmed)).ok();
    decoded.is_some_and(|bytes| {
        serde_json::from_slice::<serde_json::Value>(&bytes).is_ok_and(|value| value.is_object())
    })
}

/// True when the last `length` characters are the CRC32 of the body.
///
/// The body is what follows the last underscore of the prefix, which is how
/// GitHub and npm compute it.
fn has_base62_crc32(secret: &[u8], length: usize) -> bool {
    let body_start = memchr::memrchr(b'_', secret).map_or(0, |underscore| underscore + 1);
    let Some(split) = secret.len().checked_sub(length).filter(|split| *split > body_start) else {
        return false;
    };
    let (body, checksum) = (&secret[body_start..split], &secret[split..]);
    base62(crc32(body), length) == checksum
}

fn base62(mut value: u32, length: usize) -> Vec<u8> {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut text = vec![b'0'; length];
    for digit in text.iter_mut().rev() {
        *digit = DIGITS[(value % 62) as usize];
        value /= 62;
    }
    text
}

/// The CRC32 of zip and PNG, bit by bit: secrets are short.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}
