//! Signs of a disguise: the characters under which a literal may be there and not be seen.

use super::plain::{ascii_of, is_invisible};

/// Calls `found` with each invisible character and each look-alike beside ASCII.
pub fn strange_marks(text: &[u8], mut found: impl FnMut(usize)) {
    if !text.is_ascii() {
        strange_characters(text, &mut found);
    }
}

/// Invisible characters and look-alikes beside ASCII.
fn strange_characters(text: &[u8], found: &mut impl FnMut(usize)) {
    let mut base = 0;
    for chunk in text.utf8_chunks() {
        let valid = chunk.valid();
        let mut at = 0;
        while let Some(offset) = valid.as_bytes()[at..].iter().position(|byte| *byte >= 0x80) {
            at += offset;
            let Some(code) = valid[at..].chars().next() else { break };
            let next = at + code.len_utf8();
            let beside = |index: Option<usize>| {
                index
                    .and_then(|index| valid.as_bytes().get(index))
                    .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            };
            let is_styled = ('\u{FF01}'..='\u{FF5E}').contains(&code) || code >= '\u{1D400}';
            let is_beside = beside(at.checked_sub(1)) || beside(Some(next));
            if is_invisible(code) || is_styled || (is_beside && ascii_of(code).is_some()) {
                found(base + at);
            }
            at = next;
        }
        base += valid.len() + chunk.invalid().len();
    }
}
