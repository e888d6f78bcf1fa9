//! Single bytes at which a path, an address or a disguise may begin.

use crate::egress::detect::text::run_end;
use crate::egress::detect::{
    is_in_brackets, may_be_escaped, may_be_outside, may_have_user, share_before,
};
use crate::egress::redactor::RedactionContext;

/// What a byte turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Something that a detector starts from.
    Start,
    /// The name of a machine, behind which a detector starts.
    Share,
    /// Something that hides bytes.
    Disguise,
}

/// False when the bytes beside the sign at `at` alone show that it begins nothing.
///
/// Most signs of source are such: comments, references, divisions, formats.
#[inline]
pub fn may_begin(text: &[u8], at: usize) -> bool {
    let next = text.get(at + 1).copied().unwrap_or_default();
    match text[at] {
        b'/' => match at.checked_sub(1).map(|index| text[index]) {
            Some(b':') => true,
            Some(b'<') => begins_name(next) && is_in_brackets(text, at),
            // Behind two slashes stands a comment, and a machine once in a while.
            Some(b'/') => {
                let first = at.checked_sub(2).map(|index| text[index]);
                begins_name(next) && first.is_none_or(|byte| byte != b':' && may_precede_path(byte))
            }
            // A path in bold letters.
            Some(b'*') if text[..at].ends_with(b"**") => {
                let first = at.checked_sub(3).map(|index| text[index]);
                begins_name(next) && first.is_none_or(|byte| byte.is_ascii_whitespace())
            }
            before => begins_name(next) && before.is_none_or(may_precede_path),
        },
        b'&' => next == b'#',
        b'%' => next.is_ascii_hexdigit(),
        b'\\' => {
            let before = at.checked_sub(1).map_or(0, |index| text[index]);
            matches!(next, b'x' | b'u' | b'U' | b'0' | b'1' | b'/' | b'\\')
                || before == b':'
                || matches!(next, b'_' | b'-') && before.is_ascii_alphanumeric()
        }
        _ => true,
    }
}

#[inline]
fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')
}

/// False when a slash behind `byte` goes on with a path and begins none.
///
/// Behind some letters one may begin: an escaped line break, a terminal sequence, an option.
#[inline]
fn may_precede_path(byte: u8) -> bool {
    match byte {
        b'n' | b't' | b'r' | b'm' | b'I' | b'L' | b'F' | b'B' | b'o' | b'C' => true,
        b'/' | b'.' | b'_' | b'<' | b'%' | b'*' | b'}' | b')' | b'$' | b'?' | b']' => false,
        // The last byte of the arrow behind the number of a line.
        0x92 => true,
        _ => byte < 0x80 && !byte.is_ascii_alphanumeric(),
    }
}

/// What the sign at `at` may begin, if anything.
///
/// A backslash may begin both a path and a disguise; then the disguise counts,
/// which is looked at more widely.
pub fn sign_at(text: &[u8], at: usize, context: &RedactionContext) -> Option<Sign> {
    let before = at.checked_sub(1).map(|index| text[index]);
    let after = text.get(at + 1).copied();
    let start = |is_start: bool| is_start.then_some(Sign::Start);
    let disguise = |is_disguise: bool| is_disguise.then_some(Sign::Disguise);
    match text[at] {
        b'/' if before == Some(b'/') => is_share_start(text, at - 1).then_some(Sign::Share),
        b'/' => start(is_slash_start(text, at, before, after, context)),
        b'~' => start(
            after.is_some_and(|byte| {
                matches!(byte, b'/' | b'\\' | 0x80..) || byte.is_ascii_alphanumeric()
            }) || before.is_some_and(|byte| byte.is_ascii_alphanumeric()),
        ),
        b'\\' => disguise(is_code(text, at, after) || is_escaped_path(text, at, context))
            .or_else(|| start(before == Some(b':') || after == Some(b'\\'))),
        b'%' => disguise(
            text.get(at + 1..at + 3).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit)),
        ),
        b'&' => disguise(after == Some(b'#')),
        _ => disguise(true),
    }
}

/// True when the backslash at `at` begins the code of a character.
fn is_code(text: &[u8], at: usize, after: Option<u8>) -> bool {
    match after {
        Some(b'x') => true,
        // A sign inside of a word, as pages in Markdown have it.
        Some(b'_' | b'-') => {
            let is_inner = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
            is_inner(text[..at].last()) && is_inner(text.get(at + 2))
        }
        Some(b'U') => matches!(text.get(at + 2..at + 6), Some(b"0000")),
        Some(b'u') => matches!(text.get(at + 2..at + 4), Some(b"00" | [b'{', _])),
        Some(b'0'..=b'1') => text
            .get(at + 2..at + 4)
            .is_some_and(|rest| rest.iter().all(|digit| matches!(digit, b'0'..=b'7'))),
        _ => false,
    }
}

/// True when the backslash at `at` escapes the slash of a path outside.
fn is_escaped_path(text: &[u8], at: usize, context: &RedactionContext) -> bool {
    let is_slash = text.get(at + 1) == Some(&b'/');
    is_slash && may_be_escaped(text, at + 1, context)
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
            may_have_user(text, at + 2)
                || text[..at].ends_with(b"file:")
                || is_drive(text, at)
                || is_share_start(text, at)
        }
        (_, Some(byte)) if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') => {
            may_be_outside(text, at, context)
                || is_drive(text, at)
                || (byte | 0x20) == b'u' && before == Some(b':')
        }
        _ => false,
    }
}

/// True when the two slashes at `at` begin the name of a machine and the home of a person.
fn is_share_start(text: &[u8], at: usize) -> bool {
    const LONGEST: usize = 64;
    let near = &text[at + 2..(at + 2 + LONGEST).min(text.len())];
    let host = run_end(near, 0, |byte| byte.is_ascii_alphanumeric() || b".-_@:".contains(&byte));
    near.get(host) == Some(&b'/') && share_before(text, at + 2 + host).is_some()
}

/// `C:/`.
fn is_drive(text: &[u8], at: usize) -> bool {
    matches!(text[..at], [.., letter, b':'] if letter.is_ascii_alphabetic())
        && !text[..at.saturating_sub(2)].last().is_some_and(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ruled_out_by_its_neighbours_begins_nothing() {
        let context = RedactionContext {
            workspace_root: Some("/work".to_owned()),
            user_names: vec!["jane".to_owned()],
            ..Default::default()
        };
        const FIRST: [&[u8]; 8] = [b"", b" ", b"\n", b"\\", b"\x1b[31", b" -", b" -isyste", b"C"];
        let signs = b"/\\~%&\x1b";
        for before in 0..=255u8 {
            for next in 0..=255u8 {
                for (sign, first) in signs.iter().flat_map(|sign| FIRST.map(|first| (sign, first)))
                {
                    let at = first.len() + 1;
                    let text = [first, &[before, *sign, next, b'4', b'/', b'a']].concat();
                    assert!(
                        may_begin(&text, at) || sign_at(&text, at, &context).is_none(),
                        "{text:?}"
                    );
                }
            }
        }
    }
}
