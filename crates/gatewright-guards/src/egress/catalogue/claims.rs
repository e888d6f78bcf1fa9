//! Prefixes that one provider alone gives: what begins so and does not match is no secret.
//!
//! A rule claims a place when its keyword stands there as its pattern writes it
//! and is distinctive enough that nobody else's secret begins with it by chance.
//! Words that many providers use (`sk_`, `live_`, `token-`) claim only what misses
//! the length of a known format by a little, and has no length that keys of its
//! alphabet often have, unless the provider is named before it too.

use std::ops::{Range, RangeInclusive};

use super::matching::begins;
use super::rule::{Rule, Tier};
use crate::egress::detect::text::{is_base64_byte, run_start};

/// Words that say what a value is and not whose.
const SHARED: [&str; 55] = [
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
    "development",
    "staging",
    "admin",
];

/// The shortest prefix that claims, counted without separators.
const SHORTEST_APART: usize = 2;
/// The same for a prefix that no separator ends.
const SHORTEST_JOINED: usize = 3;
/// The same for one with a sign that joins no words, the sign included.
const SHORTEST_ODD: usize = 4;
/// The same for a literal in the middle of a format.
const SHORTEST_INSIDE: usize = 5;

/// How much longer than its rule allows a value is still a near miss of it. What is
/// longer may be a newer format of that provider, which no rule knows yet.
const NEAR: usize = 3;

/// How far before a value its provider may be named.
const NAME_REACH: usize = 96;

/// Lengths behind a shared prefix that keys of anybody may have, in hexadecimal digits.
const USUAL_HEX: [usize; 10] = [16, 20, 24, 32, 40, 48, 56, 64, 96, 128];
/// The same for digits and letters of one case.
const USUAL_FOLDED: [usize; 11] = [24, 26, 32, 36, 40, 48, 50, 56, 60, 64, 128];
/// The same for digits and letters of both.
const USUAL_MIXED: [usize; 18] =
    [16, 20, 21, 22, 24, 27, 30, 32, 36, 40, 43, 44, 48, 50, 56, 60, 64, 86];
/// The same where dashes or underscores are among them.
const USUAL_JOINED: [usize; 10] = [21, 22, 24, 32, 36, 40, 43, 48, 64, 86];

/// A place at which only its provider's rules may call a value a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Where the value starts.
    pub start: usize,
    lengths: RangeInclusive<usize>,
    /// Set when others use the prefix too.
    shared: Option<Shared>,
}

/// What a value may be that begins as those of many providers do.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shared {
    /// How long the beginning is, one word of it, two, and so on.
    words: [usize; 4],
}

impl Shared {
    fn of(value: &[u8], head: usize) -> Shared {
        const REACH: usize = 20;
        let near = value.iter().take(REACH).enumerate();
        let ends = near.filter(|(_, byte)| matches!(byte, b'_' | b'-' | b'.'));
        let mut words = [head; 4];
        for (word, (at, _)) in words[1..].iter_mut().zip(ends) {
            *word = at + 1;
        }
        Shared { words }
    }

    fn may_be_anybodys(&self, value: &[u8]) -> bool {
        self.words.iter().any(|word| is_usual(value.get(*word..).unwrap_or_default()))
    }
}

/// True when keys of the alphabet of `body` often are as long as it is.
fn is_usual(body: &[u8]) -> bool {
    let is_hex = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let has_upper = body.iter().any(u8::is_ascii_uppercase);
    let has_lower = body.iter().any(u8::is_ascii_lowercase);
    let usual = if !body.iter().all(u8::is_ascii_alphanumeric) {
        USUAL_JOINED.as_slice()
    } else if body.iter().all(is_hex) {
        USUAL_HEX.as_slice()
    } else if has_upper && has_lower {
        USUAL_MIXED.as_slice()
    } else {
        USUAL_FOLDED.as_slice()
    };
    usual.contains(&body.len())
}

impl Claim {
    /// True when `value`, which starts here, is a secret of the claiming provider or of nobody.
    pub fn covers(&self, value: &[u8]) -> bool {
        let is_anybodys = |shared: &Shared| shared.may_be_anybodys(value);
        self.lengths.contains(&value.len()) && !self.shared.as_ref().is_some_and(is_anybodys)
    }
}

/// False when a rule never claims anything.
pub fn may_claim(rule: &Rule) -> bool {
    rule.tier == Tier::Proof
}

/// What `rule` claims at `hit`, where one of its keywords stands.
pub fn claims(rule: &Rule, text: &[u8], hit: &Range<usize>) -> Option<Claim> {
    if !begins(rule) {
        return claims_around(rule, text, hit);
    }
    let before = hit.start.checked_sub(1).map(|index| text[index]);
    let is_inside = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_inside {
        return claims_word(rule, text, hit);
    }
    let head = head(rule, text, hit)?;
    let (least, longest) = (rule.min_len(), rule.max_len.saturating_add(NEAR));
    let value = &text[hit.start..];
    let claim = |lengths, shared| Some(Claim { start: hit.start, lengths, shared });
    if rule.exact {
        claim(0..=usize::MAX, None)
    } else if is_distinctive(head) || is_named(rule, text, hit.start) {
        claim(least / 3..=longest, None)
    } else {
        let from = (least * 2 / 3).min(least.saturating_sub(NEAR));
        claim(from..=longest, Some(Shared::of(value, head.len())))
    }
}

/// A word that goes on with the whole beginning of a format: `myghp_…` is none of its values.
fn claims_word(rule: &Rule, text: &[u8], hit: &Range<usize>) -> Option<Claim> {
    const LONGEST: usize = 16;
    let start = run_start(text, hit.start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_word = text[start..hit.start].iter().all(u8::is_ascii_lowercase);
    let is_apart = text[..hit.end].last().is_some_and(|byte| matches!(byte, b'_' | b'-'));
    let is_own = rule.exact || is_distinctive(&text[hit.clone()]);
    let is_whole = is_own && is_apart && is_word && hit.start - start <= LONGEST;
    is_whole.then_some(Claim { start, lengths: 0..=usize::MAX, shared: None })
}

/// The token around a literal that one provider alone writes into its own.
fn claims_around(rule: &Rule, text: &[u8], hit: &Range<usize>) -> Option<Claim> {
    let head = &text[hit.clone()];
    let core = head.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let is_token = |byte: u8| is_base64_byte(byte) || matches!(byte, b'.' | b':' | b'~' | b'|');
    let is_whole = head.iter().all(|byte| is_token(*byte) && *byte != b'/');
    let is_apart = head.last().is_some_and(|byte| !byte.is_ascii_alphanumeric());
    let is_prefix = is_apart && core >= SHORTEST_JOINED;
    let is_long = is_prefix || core >= SHORTEST_INSIDE;
    if rule.tier != Tier::Proof || !is_long || !is_whole || !is_distinctive(head) {
        return None;
    }
    let floor = hit.start.saturating_sub(rule.max_len);
    let start = floor + run_start(&text[floor..], hit.start - floor, is_token);
    let lengths = rule.min_len() / 2..=rule.max_len.saturating_add(NEAR);
    Some(Claim { start, lengths, shared: None })
}

/// The longest beginning of a match that stands at `hit`, without digits that happen to follow.
fn head<'a>(rule: &Rule, text: &'a [u8], hit: &Range<usize>) -> Option<&'a [u8]> {
    let here = &text[hit.start..];
    let longest = rule.prefixes().iter().filter(|prefix| here.starts_with(prefix));
    let keyword = hit.len();
    if let Some(length) = longest.map(Vec::len).max() {
        let digits = here[..length].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        return Some(&here[..(length - digits).max(keyword.min(length))]);
    }
    let agrees = |prefix: &Vec<u8>| prefix.len() >= keyword && prefix[..keyword] == here[..keyword];
    rule.prefixes().iter().any(agrees).then(|| &here[..keyword])
}

/// True when the text says before `at` whose value follows.
fn is_named(rule: &Rule, text: &[u8], at: usize) -> bool {
    let floor = at.saturating_sub(NAME_REACH);
    let before = &text[floor..at];
    let word = rule.provider.split(|letter: char| !letter.is_ascii_alphanumeric()).next();
    word.filter(|word| word.len() >= 3).is_some_and(|word| {
        before.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    })
}

/// True when a keyword names somebody.
fn is_distinctive(keyword: &[u8]) -> bool {
    let folded = keyword.to_ascii_lowercase();
    // What base64 makes of the beginning of a JSON object is nobody's.
    let folded = &folded[..memchr::memmem::find(&folded, b"eyj").unwrap_or(folded.len())];
    // A sign that joins no words is nobody else's.
    let is_odd = |byte: &u8| matches!(byte, b'$' | b'/' | b'!' | b'~' | b'|' | b'*' | b'^');
    if folded.len() >= SHORTEST_ODD && folded.iter().any(is_odd) {
        return true;
    }
    let is_apart = folded.last().is_some_and(|byte| !byte.is_ascii_alphanumeric());
    let core = folded.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let shortest = if is_apart { SHORTEST_APART } else { SHORTEST_JOINED };
    let mut words =
        folded.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let is_shared = |word: &[u8]| SHARED.iter().any(|shared| shared.as_bytes() == word);
    let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    core >= shortest
        && distinct_letters(folded) >= shortest.min(3) as u32
        && words.any(|word| word.len() > 1 && !is_shared(word) && !is_number(word))
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
        for keyword in
            ["ghp_", "AKIA", "sk-ant-api", "sk_car_", "dop_v1_", "xkeysib-", "dapi", "1//0"]
        {
            assert!(is_distinctive(keyword.as_bytes()), "{keyword}");
        }
    }

    #[test]
    fn prefixes_that_many_use_are_not() {
        for keyword in
            ["sk-", "sk_live_", "pk_test_", "token-", "key_", "AAAA", "eyJhIjoi", "v1.0-"]
        {
            assert!(!is_distinctive(keyword.as_bytes()), "{keyword}");
        }
    }
}
