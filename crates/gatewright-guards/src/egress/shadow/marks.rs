//! Signs of a disguise: the characters under which a literal may be there and not be seen.

use std::ops::Range;

use super::alike::{Reading, reading};
use crate::egress::detect::text::far_place_of;

/// Calls `found` with each invisible character and each look-alike beside ASCII.
pub fn strange_marks(text: &[u8], mut found: impl FnMut(usize)) {
    let is_beyond_ascii = |byte: u8| byte >= 0x80;
    let mut at = far_place_of(text, 0, is_beyond_ascii);
    while at < text.len() {
        let start = at;
        match character_at(text, start) {
            Some((code, length)) => {
                at += length;
                if is_strange(text, start..at, code) {
                    found(start);
                }
            }
            None => at += 1,
        }
        // Most often the next character is of the same script.
        if text.get(at).is_some_and(u8::is_ascii) {
            at = far_place_of(text, at, is_beyond_ascii);
        }
    }
}

/// The character beyond ASCII at `at`, and how many bytes it has; `None` where there is none.
#[inline]
pub(super) fn character_at(text: &[u8], at: usize) -> Option<(char, usize)> {
    let later = |byte: u8| (byte & 0xC0 == 0x80).then_some(u32::from(byte & 0x3F));
    let (code, least, length) = match text[at..] {
        [lead @ 0xC2..=0xDF, second, ..] => (u32::from(lead & 0x1F) << 6 | later(second)?, 0x80, 2),
        [lead @ 0xE0..=0xEF, second, third, ..] => {
            let code = u32::from(lead & 0x0F) << 12 | later(second)? << 6 | later(third)?;
            (code, 0x800, 3)
        }
        [lead @ 0xF0..=0xF4, second, third, fourth, ..] => {
            let code = u32::from(lead & 0x07) << 18 | later(second)? << 12;
            (code | later(third)? << 6 | later(fourth)?, 0x1_0000, 4)
        }
        _ => return None,
    };
    let code = char::from_u32(code).filter(|_| code >= least)?;
    Some((code, length))
}

fn is_strange(text: &[u8], range: Range<usize>, code: char) -> bool {
    let is_styled = ('\u{FF01}'..='\u{FF5E}').contains(&code) || code >= '\u{1D400}';
    match reading(code) {
        Reading::Nothing => true,
        // It begins a sequence of a terminal.
        _ if code == '\u{9B}' => true,
        _ if is_styled => true,
        Reading::Itself => false,
        Reading::Ascii(_) => is_beside_word(text, &range),
    }
}

/// True when a letter, a digit or what joins them stands before or behind `range`.
fn is_beside_word(text: &[u8], range: &Range<usize>) -> bool {
    let beside = |index: Option<usize>| {
        index
            .and_then(|index| text.get(index))
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    beside(range.start.checked_sub(1)) || beside(Some(range.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn characters_are_those_of_the_standard_library(
            bytes in proptest::collection::vec(proptest::num::u8::ANY, 1..5),
            text in "\\PC{1,2}",
        ) {
            for bytes in [bytes.as_slice(), text.as_bytes()] {
                let length = match bytes[0] {
                    0xC2..=0xDF => 2,
                    0xE0..=0xEF => 3,
                    0xF0..=0xF4 => 4,
                    _ => continue,
                };
                let expected = bytes
                    .get(..length)
                    .and_then(|bytes| str::from_utf8(bytes).ok())
                    .and_then(|text| text.chars().next())
                    .map(|code| (code, length));
                proptest::prop_assert_eq!(character_at(bytes, 0), expected);
            }
        }
    }
}
