//! What characters beyond ASCII are taken for, found out once for each of them.
//!
//! To fold one character takes hundreds of steps, and text in another script has nothing else.

use std::sync::OnceLock;

use super::plain::{ascii_of, is_invisible};

/// What a character reads as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Itself.
    Itself,
    /// Nothing at all.
    Nothing,
    /// A character of ASCII that it looks like.
    Ascii(u8),
}

/// How many characters are found out together.
const PAGE: usize = 64;
/// How many pages are kept: those of the scripts in use and of signs. The others have few that fold.
const PAGES: usize = 0x2_0000 / PAGE;

static KNOWN: [OnceLock<[Reading; PAGE]>; PAGES] = [const { OnceLock::new() }; PAGES];

/// What `code` reads as.
#[inline]
pub fn reading(code: char) -> Reading {
    let index = code as usize;
    match KNOWN.get(index / PAGE) {
        Some(page) => page.get_or_init(|| page_of(index / PAGE))[index % PAGE],
        None => read(code),
    }
}

#[cold]
fn page_of(page: usize) -> [Reading; PAGE] {
    std::array::from_fn(|index| {
        let code = char::from_u32((page * PAGE + index) as u32);
        code.map_or(Reading::Itself, read)
    })
}

fn read(code: char) -> Reading {
    match ascii_of(code) {
        _ if is_invisible(code) => Reading::Nothing,
        Some(byte) => Reading::Ascii(byte),
        None => Reading::Itself,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_reads_as_it_does_without_a_page() {
        for code in (0..=0x2_0800).filter_map(char::from_u32) {
            assert_eq!(reading(code), read(code), "{code:?}");
        }
    }

    #[test]
    fn what_looks_alike_is_read_so() {
        assert_eq!(reading('\u{430}'), Reading::Ascii(b'a'));
        assert_eq!(reading('\u{ff41}'), Reading::Ascii(b'a'));
        assert_eq!(reading('\u{200b}'), Reading::Nothing);
        assert_eq!(reading('\u{4e2d}'), Reading::Itself);
    }
}
