//! Prefixes that one provider alone gives: what begins so and does not match is no secret.
//!
//! A rule claims a place when its keyword stands there as its pattern writes it
//! and is distinctive enough that nobody else's secret begins with it by chance.
//! Words that many providers use (`sk_`, `live_`, `token-`) claim only what misses
//! the length of a known format by a little, and has no length that keys often have.

use std::ops::{Range, RangeInclusive};

use super::matching::is_anchored;
use super::rule::Rule;

/// Words that say what a value is and not whose.
const SHARED: [&str; 52] = [
    "sk",
    "pk",
    "rk",
    "ak",
    "ck",
    "cs",
    "ek",
    "mk",
    "tk",
    "dk",
    "key",
    "keys",
    "api",
    "apikey",
    "live",
    "test",
    "dev",
    "token",
    "secret",
    "access",
    "private",
    "public",
    "prod",
    "production",
    "sand",
    "sandbox",
    "standard",
    "account",
    "master",
    "console",
    "sdk",
    "sess",
    "session",
    "service",
    "server",
    "client",
    "base64",
    "user",
    "pat",
    "app",
    "oauth",
    "perm",
    "auth",
    "v1",
    "v2",
    "v3",
    "v4",
    "whsec",
    "sig",
    "local",
    "license",
    "project",
];

/// The shortest prefix that claims, counted without separators.
const SHORTEST_APART: usize = 2;
/// The same for a prefix that no separator ends.
const SHORTEST_JOINED: usize = 4;

/// How much longer than its rule allows a value is still a near miss of it. What is
/// longer may be a newer format of that provider, which no rule knows yet.
const NEAR: usize = 3;

/// Lengths behind a shared prefix that keys of anybody may have.
const USUAL: [usize; 18] =
    [16, 20, 22, 24, 27, 30, 32, 36, 40, 43, 44, 48, 50, 56, 60, 64, 96, 128];

/// A place at which only its provider's rules may call a value a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Where the value starts.
    pub start: usize,
    lengths: RangeInclusive<usize>,
    /// Set when others use the prefix too: how long it is.
    shared: Option<usize>,
}

impl Claim {
    /// True when a value of `length` bytes that starts here is a secret of the
    /// claiming provider or of nobody.
    pub fn covers(&self, length: usize) -> bool {
        let is_usual = |prefix: usize| USUAL.contains(&length.saturating_sub(prefix));
        self.lengths.contains(&length) && !self.shared.is_some_and(is_usual)
    }
}

/// What `rule` claims at `hit`, where one of its keywords stands.
pub fn claims(rule: &Rule, text: &[u8], hit: &Range<usize>) -> Option<Claim> {
    if !is_anchored(rule) {
        return None;
    }
    let before = hit.start.checked_sub(1).map(|index| text[index]);
    let is_inside = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let head = &text[hit.clone()];
    if is_inside || !rule.prefixes().iter().any(|prefix| agrees(prefix, head)) {
        return None;
    }
    let longest = rule.max_len.saturating_add(NEAR);
    let is_shared = !rule.exact && !is_distinctive(head);
    let lengths = match (rule.exact, is_shared) {
        (true, _) => 0..=usize::MAX,
        (_, false) => rule.min_len() / 2..=longest,
        (_, true) => rule.min_len().saturating_sub(NEAR)..=longest,
    };
    Some(Claim { start: hit.start, lengths, shared: is_shared.then_some(hit.len()) })
}

/// True when a match can begin with these very bytes.
fn agrees(prefix: &[u8], head: &[u8]) -> bool {
    let length = prefix.len().min(head.len());
    prefix[..length] == head[..length]
}

/// True when a keyword names somebody.
fn is_distinctive(keyword: &[u8]) -> bool {
    let is_apart = keyword.last().is_some_and(|byte| !byte.is_ascii_alphanumeric());
    let core = keyword.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let shortest = if is_apart { SHORTEST_APART } else { SHORTEST_JOINED };
    let folded = keyword.to_ascii_lowercase();
    let mut words =
        folded.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let is_shared = |word: &[u8]| SHARED.iter().any(|shared| shared.as_bytes() == word);
    core >= shortest
        && distinct_letters(&folded) >= shortest.min(3) as u32
        && memchr::memmem::find(&folded, b"eyj").is_none()
        && words.any(|word| word.len() > 1 && !is_shared(word))
}

fn distinct_letters(folded: &[u8]) -> u32 {
    let letters = folded.iter().filter(|byte| byte.is_ascii_alphanumeric());
    letters.fold(0u128, |seen, byte| seen | 1 << (byte & 0x7f)).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_that_name_somebody_are_distinctive() {
        for keyword in ["ghp_", "AKIA", "sk-ant-api", "sk_car_", "dop_v1_", "xkeysib-", "dapi"] {
            assert!(is_distinctive(keyword.as_bytes()), "{keyword}");
        }
    }

    #[test]
    fn prefixes_that_many_use_are_not() {
        for keyword in ["sk-", "sk_live_", "pk_test_", "token-", "key_", "AAAA", "eyJhIjoi", "oy2"]
        {
            assert!(!is_distinctive(keyword.as_bytes()), "{keyword}");
        }
    }
}
