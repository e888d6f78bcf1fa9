//! Values that are words and a secret all the same, and random ones that are none.

use super::text::Words;
use crate::egress::catalogue::is_wordy;
use std::sync::LazyLock;

/// Words of programs and their pages, which names have and passphrases have not.
const SPOKEN: [&str; 48] = [
    "pass", "secret", "token", "auth", "login", "user", "form", "input", "field", "reset",
    "change", "current", "confirm", "invalid", "error", "require", "text", "label", "button",
    "value", "name", "default", "config", "file", "path", "type", "your", "page", "link", "email",
    "account", "admin", "must", "should", "client", "server", "service", "api", "key", "http",
    "test", "data", "class", "icon", "hash", "crypt", "message", "policy",
];

/// `copper-lantern-meadow-orbit`: four words or more in small letters, none of them about programs.
pub fn is_passphrase(bytes: &[u8]) -> bool {
    const WORDS: usize = 4;
    const LONGEST: usize = 12;
    static PARTS: LazyLock<Words> = LazyLock::new(|| Words::new(&SPOKEN));
    let is_word = |word: &[u8]| {
        (3..=LONGEST).contains(&word.len()) && word.iter().all(u8::is_ascii_lowercase)
    };
    let is_joined = |sign: u8| {
        let words = bytes.split(|byte| *byte == sign);
        words.clone().count() >= WORDS && words.clone().all(is_word)
    };
    is_joined(b'-') && is_wordy(bytes) && !PARTS.stand_in(bytes)
}

/// `Linux-node-<digest>`: under which a build keeps what it made, by the digest of what it came from.
pub fn is_cache_key(bytes: &[u8]) -> bool {
    let Some(dash) = memchr::memrchr(b'-', bytes) else { return false };
    let (words, digest) = (&bytes[..dash], &bytes[dash + 1..]);
    let is_digest =
        matches!(digest.len(), 32 | 40 | 64 | 128) && digest.iter().all(u8::is_ascii_hexdigit);
    let is_word = |word: &[u8]| word.len() >= 2 && word.iter().all(u8::is_ascii_alphanumeric);
    let mut parts = words.split(|byte| matches!(byte, b'-' | b'_' | b'.'));
    is_digest && parts.clone().count() >= 2 && parts.all(|part| is_word(part) && is_wordy(part))
}

/// `two-factor-flow-v2`: words joined by dashes, and which version of that is meant.
pub fn is_versioned(bytes: &[u8]) -> bool {
    let Some(dash) = memchr::memrchr(b'-', bytes) else { return false };
    let (words, version) = (&bytes[..dash], &bytes[dash + 1..]);
    let is_version = matches!(version, [b'v', b'0'..=b'9'] | [b'v', b'0'..=b'9', b'0'..=b'9']);
    let is_word = |word: &[u8]| word.len() >= 2 && word.iter().all(u8::is_ascii_lowercase);
    let mut parts = words.split(|byte| *byte == b'-');
    is_version && parts.clone().count() >= 2 && parts.all(is_word) && is_wordy(words)
}

/// Upper and lower case as no identifier has them: `BkJhMfvQEZ`.
pub fn is_scrambled(bytes: &[u8]) -> bool {
    let ups = bytes.windows(2).filter(|pair| {
        pair[0].is_ascii_uppercase() && pair[1].is_ascii_uppercase()
            || pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()
    });
    bytes.len() >= 8 && ups.count() >= 3 && bytes.iter().any(u8::is_ascii_lowercase)
}

/// Both cases and more consonants in a row than words have: `MprTGm_MLuDi`.
pub fn is_jumble(bytes: &[u8]) -> bool {
    const MOST: usize = 5;
    let is_consonant =
        |byte: &u8| byte.is_ascii_alphabetic() && !b"aeiouy".contains(&(byte | 0x20));
    let mut runs = bytes.split(|byte| !is_consonant(byte));
    bytes.iter().any(u8::is_ascii_uppercase)
        && bytes.iter().any(u8::is_ascii_lowercase)
        && runs.any(|run| run.len() > MOST)
}
