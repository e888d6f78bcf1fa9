//! Text of two bytes for each character, as UTF-16 is: each second byte is zero.

use std::ops::Range;

use super::View;

/// How many characters in a row show that a text is wide.
const ENOUGH: usize = 8;

/// The text without the bytes that are zero. `None` when it is not wide.
pub fn narrowed(source: &View) -> Option<View> {
    let text = source.bytes();
    if !is_wide(text) {
        return None;
    }
    let zeros: Vec<Range<usize>> = memchr::memchr_iter(0, text).map(|at| at..at + 1).collect();
    source.without(&zeros)
}

/// True when a part of `text` is wide.
pub fn is_wide(text: &[u8]) -> bool {
    memchr::memchr_iter(0, text).any(|at| is_wide_at(text, at))
}

/// Calls `found` with a place of each line that is wide.
pub fn wide_marks(text: &[u8], mut found: impl FnMut(usize)) {
    let mut done = 0;
    for at in memchr::memchr_iter(0, text) {
        if at >= done && is_wide_at(text, at) {
            found(at);
            done = at + memchr::memchr(b'\n', &text[at..]).unwrap_or(text.len() - at);
        }
    }
}

/// True when characters follow that have the byte at `at`, which is zero, before them.
fn is_wide_at(text: &[u8], at: usize) -> bool {
    let Some(near) = text.get(at..at + 2 * ENOUGH) else { return false };
    near.chunks_exact(2).all(|pair| pair[0] == 0 && matches!(pair[1], b' '..=b'~'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn wide_text_is_read_without_its_zeros() {
        let text = wide("a token = x\n");
        assert_eq!(narrowed(&View::of(&text)).unwrap().bytes(), b"a token = x\n");
        assert!(narrowed(&View::of(b"a token = x\n")).is_none());
        assert!(narrowed(&View::of(b"PATH=/bin\0TOKEN=abc\0HOME=/x\0")).is_none());
    }

    #[test]
    fn each_wide_line_is_marked_once() {
        let mut places = Vec::new();
        wide_marks(&wide("one two three\nfour five six\n"), |at| places.push(at));
        assert_eq!(places, [1, 27]);
    }
}
