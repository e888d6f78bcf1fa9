//! Single bytes at which a path, an address or a disguise may begin.

use crate::egress::detect::{may_be_outside, may_have_user};
use crate::egress::redactor::RedactionContext;

/// What a byte turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Something that a detector starts from.
    Start,
    /// Something that hides bytes.
    Disguise,
}

/// Calls `found` for each place where a path, an address or a disguise may begin.
pub fn scan(text: &[u8], context: &RedactionContext, mut found: impl FnMut(usize, Sign)) {
    for at in memchr::memchr3_iter(b'/', b'~', b'\\', text) {
        let before = at.checked_sub(1).map(|index| text[index]);
        let after = text.get(at + 1).copied();
        match text[at] {
            b'/' if is_slash_start(text, at, before, after, context) => found(at, Sign::Start),
            b'~' if after.is_some_and(|byte| byte == b'/' || byte.is_ascii_alphanumeric()) => {
                found(at, Sign::Start);
            }
            b'\\' => {
                if before == Some(b':') || after == Some(b'\\') {
                    found(at, Sign::Start);
                }
                let is_code = match after {
                    Some(b'x') => true,
                    Some(b'u') => matches!(text.get(at + 2..at + 4), Some(b"00" | [b'{', _])),
                    Some(b'0'..=b'1') => text
                        .get(at + 2..at + 4)
                        .is_some_and(|rest| rest.iter().all(|digit| matches!(digit, b'0'..=b'7'))),
                    _ => false,
                };
                if is_code {
                    found(at, Sign::Disguise);
                }
            }
            _ => {}
        }
    }
    for at in memchr::memchr3_iter(0x1b, b'%', b'&', text) {
        let is_disguise = match text[at] {
            b'%' => {
                text.get(at + 1..at + 3).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit))
            }
            b'&' => text.get(at + 1) == Some(&b'#'),
            _ => true,
        };
        if is_disguise {
            found(at, Sign::Disguise);
        }
    }
}

/// True when the slash at `at` begins a path outside or the address behind a scheme.
fn is_slash_start(
    text: &[u8],
    at: usize,
    before: Option<u8>,
    after: Option<u8>,
    context: &RedactionContext,
) -> bool {
    match (before, after) {
        (Some(b':'), Some(b'/')) => {
            may_have_user(text, at + 2) || text[..at].ends_with(b"file:") || is_drive(text, at)
        }
        (_, Some(byte)) if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') => {
            may_be_outside(text, at, context)
                || is_drive(text, at)
                || (byte | 0x20) == b'u' && before == Some(b':')
        }
        _ => false,
    }
}

/// `C:/`.
fn is_drive(text: &[u8], at: usize) -> bool {
    matches!(text[..at], [.., letter, b':'] if letter.is_ascii_alphabetic())
        && !text[..at.saturating_sub(2)].last().is_some_and(u8::is_ascii_alphanumeric)
}
