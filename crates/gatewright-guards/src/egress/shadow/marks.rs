//! Signs of a disguise: the places where a literal may be there and not be seen.

use super::decode::{SHORTEST_RUN, promises_text};
use super::plain::{ascii_of, is_invisible};
use crate::egress::detect::text::{far_run_end, is_base64_byte, run_start};

/// Calls `found` with each place that may hide something from the prefilter.
pub fn marks(text: &[u8], mut found: impl FnMut(usize)) {
    encoded_runs(text, &mut found);
    for at in memchr::memchr2_iter(0x1b, b'%', text) {
        let encoded =
            text.get(at + 1..at + 3).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit));
        if text[at] == 0x1b || encoded {
            found(at);
        }
    }
    for sign in [b"\\u00".as_slice(), b"\\x", b"&#"] {
        for at in memchr::memmem::find_iter(text, sign) {
            found(at);
        }
    }
    if !text.is_ascii() {
        strange_characters(text, &mut found);
    }
}

/// Runs long enough to hide a token, found by looking at every twentieth byte.
fn encoded_runs(text: &[u8], found: &mut impl FnMut(usize)) {
    let mut at = SHORTEST_RUN - 1;
    while at < text.len() {
        if !is_base64_byte(text[at]) {
            at += SHORTEST_RUN;
            continue;
        }
        let floor = at + 1 - SHORTEST_RUN;
        let start = floor + run_start(&text[floor..=at], SHORTEST_RUN, is_base64_byte);
        if start > floor {
            at = start + SHORTEST_RUN - 1;
            continue;
        }
        let start = run_start(text, floor, is_base64_byte).max(floor.saturating_sub(SHORTEST_RUN));
        if promises_text(&text[start..=at]) {
            found(start);
        }
        at = far_run_end(text, at, is_base64_byte) + SHORTEST_RUN;
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
