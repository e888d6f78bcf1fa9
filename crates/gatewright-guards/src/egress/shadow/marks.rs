//! Signs of a disguise: the characters under which a literal may be there and not be seen.

use std::ops::Range;

use super::plain::{ascii_of, is_invisible};

/// Calls `found` with each invisible character and each look-alike beside ASCII.
pub fn strange_marks(text: &[u8], mut found: impl FnMut(usize)) {
    let mut at = 0;
    while let Some(start) = next_beyond_ascii(text, at) {
        let length = match text[start] {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        };
        let decoded = text.get(start..start + length).and_then(|bytes| str::from_utf8(bytes).ok());
        match decoded.and_then(|text| text.chars().next()) {
            Some(code) => {
                at = start + length;
                if is_strange(text, start..at, code) {
                    found(start);
                }
            }
            None => at = start + 1,
        }
    }
}

/// Where the first byte from `at` on lies that is not ASCII.
fn next_beyond_ascii(text: &[u8], at: usize) -> Option<usize> {
    const STEP: usize = 64;
    let mut from = at;
    while from < text.len() {
        let step = &text[from..(from + STEP).min(text.len())];
        if !step.is_ascii() {
            return step.iter().position(|byte| *byte >= 0x80).map(|offset| from + offset);
        }
        from += step.len();
    }
    None
}

fn is_strange(text: &[u8], range: Range<usize>, code: char) -> bool {
    let beside = |index: Option<usize>| {
        index
            .and_then(|index| text.get(index))
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    let is_styled = ('\u{FF01}'..='\u{FF5E}').contains(&code) || code >= '\u{1D400}';
    let is_beside = beside(range.start.checked_sub(1)) || beside(Some(range.end));
    is_invisible(code) || is_styled || (is_beside && ascii_of(code).is_some())
}
