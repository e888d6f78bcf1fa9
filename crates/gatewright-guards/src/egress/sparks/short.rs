//! Literals too short to have a window, found together in one pass. Only a user's rules have some.

use aho_corasick::packed::{Config, MatchKind, Searcher};

/// The search for literals of two bytes.
#[derive(Debug, Default)]
pub struct ShortLiterals {
    /// A vector search for every spelling; `None` when there are too many.
    searcher: Option<Searcher>,
    spellings: Vec<Box<[u8]>>,
}

impl ShortLiterals {
    /// A search for these literals, in lower case.
    pub fn new(literals: impl IntoIterator<Item = Box<[u8]>>) -> ShortLiterals {
        let spellings: Vec<Box<[u8]>> =
            literals.into_iter().flat_map(|literal| spellings(&literal)).collect();
        let searcher = Config::new()
            .match_kind(MatchKind::LeftmostLongest)
            .builder()
            .extend(&spellings)
            .build();
        ShortLiterals { searcher, spellings }
    }

    /// Calls `found` with the place of each literal in `text`.
    ///
    /// Of two that overlap the second may be left out: the first shows the place.
    pub fn scan(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        match &self.searcher {
            Some(searcher) => {
                for one in searcher.find_iter(text) {
                    found(one.start(), one.end());
                }
            }
            None => {
                for spelling in &self.spellings {
                    for start in memchr::memmem::find_iter(text, spelling) {
                        found(start, start + spelling.len());
                    }
                }
            }
        }
    }
}

/// Every way to write a literal in upper and lower case.
fn spellings(literal: &[u8]) -> Vec<Box<[u8]>> {
    let mut all = vec![Vec::new()];
    for byte in literal {
        let cases = [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()];
        let count = if cases[0] == cases[1] { 1 } else { 2 };
        all = all
            .into_iter()
            .flat_map(|head: Vec<u8>| {
                cases[..count].iter().map(move |case| [head.as_slice(), &[*case]].concat())
            })
            .collect();
    }
    all.into_iter().map(Vec::into_boxed_slice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_found() {
        let search = ShortLiterals::new(["pwd", "3q~"].map(|one| one.as_bytes().into()));
        let mut places = Vec::new();
        search.scan(b"a PwD 3Q~ pw d", |start, end| places.push((start, end)));
        assert_eq!(places, [(2, 5), (6, 9)]);
    }
}
