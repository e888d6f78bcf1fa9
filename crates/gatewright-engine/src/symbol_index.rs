//! What is known of the symbols of each file, so that a question about a project parses nothing
//! twice.
//!
//! A file is known by its size and stamp as a walk finds them. One that does not
//! hold the letters of a name is not even parsed: a filter of its runs of four
//! letters says so without reading it again. The index lives in memory, as long
//! as the engine.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use gatewright_languages::syntax::LanguageId;
use gatewright_model::Digest;
use gatewright_workspace::Stamp;

use crate::symbols::SymbolRow;
use crate::unguarded::WalkedFile;

/// How long a file must have been left alone before its stamp tells two versions apart.
const SETTLED_NANOSECONDS: i64 = 100_000_000;
/// The most rows that are kept; what comes beyond is parsed each time.
const MOST_ROWS: usize = 2_000_000;

/// How many outlines of single files are kept.
const OUTLINES: usize = 64;

/// The symbols of files, by path; and the outlines that were asked for last, by content.
#[derive(Debug, Default)]
pub(crate) struct SymbolIndex {
    files: Mutex<Files>,
    outlines: Mutex<VecDeque<Outline>>,
}

#[derive(Debug)]
struct Outline {
    language: LanguageId,
    content: Digest,
    rows: Arc<[SymbolRow]>,
}

#[derive(Debug, Default)]
struct Files {
    known: HashMap<String, Known>,
    rows: usize,
}

#[derive(Debug)]
struct Known {
    size: u64,
    stamp: Stamp,
    facts: Facts,
}

#[derive(Debug)]
enum Facts {
    /// It was parsed.
    Rows(Arc<[SymbolRow]>),
    /// It was only looked through.
    Letters(Letters),
}

/// What the index says of a file.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Its symbols.
    Rows(Arc<[SymbolRow]>),
    /// It does not hold the name at all.
    Nothing,
    /// It has to be read.
    Unknown,
}

impl SymbolIndex {
    /// What is known of a file as the walk found it, for a name in lower case.
    pub fn look(&self, file: &WalkedFile, name: &str) -> Answer {
        let files = self.files.lock().unwrap_or_else(|poison| poison.into_inner());
        let known = files.known.get(&file.path);
        match known.filter(|known| known.size == file.size && known.stamp == file.stamp) {
            Some(Known { facts: Facts::Rows(rows), .. }) => Answer::Rows(Arc::clone(rows)),
            Some(Known { facts: Facts::Letters(letters), .. }) if !letters.may_hold(name) => {
                Answer::Nothing
            }
            _ => Answer::Unknown,
        }
    }

    /// Keeps the symbols of a file that was read at `now`.
    pub fn keep_rows(&self, file: &WalkedFile, now: i64, rows: &Arc<[SymbolRow]>) {
        self.keep(file, now, rows.len(), Facts::Rows(Arc::clone(rows)));
    }

    /// Keeps what a file that was read at `now` cannot hold.
    pub fn keep_letters(&self, file: &WalkedFile, now: i64, lower_case: &[u8]) {
        if self.has_letters(file) {
            return;
        }
        self.keep(file, now, 0, Facts::Letters(Letters::of(lower_case)));
    }

    /// Whether the filter of this very file is there.
    fn has_letters(&self, file: &WalkedFile) -> bool {
        let files = self.files.lock().unwrap_or_else(|poison| poison.into_inner());
        files.known.get(&file.path).is_some_and(|known| {
            let is_same = known.size == file.size && known.stamp == file.stamp;
            is_same && matches!(known.facts, Facts::Letters(_))
        })
    }

    /// The outline of a text, made once: it depends on nothing but the language and the bytes.
    pub fn outline<E>(
        &self,
        language: LanguageId,
        content: Digest,
        make: impl FnOnce() -> Result<Vec<SymbolRow>, E>,
    ) -> Result<Arc<[SymbolRow]>, E> {
        let lock = || self.outlines.lock().unwrap_or_else(|poison| poison.into_inner());
        let is_it = |known: &Outline| known.language == language && known.content == content;
        if let Some(known) = lock().iter().find(|known| is_it(known)) {
            return Ok(Arc::clone(&known.rows));
        }
        let rows: Arc<[SymbolRow]> = make()?.into();
        let mut outlines = lock();
        outlines.truncate(OUTLINES - 1);
        outlines.push_front(Outline { language, content, rows: Arc::clone(&rows) });
        Ok(rows)
    }

    fn keep(&self, file: &WalkedFile, now: i64, rows: usize, facts: Facts) {
        let mut files = self.files.lock().unwrap_or_else(|poison| poison.into_inner());
        let is_settled = now.saturating_sub(file.stamp.changed) > SETTLED_NANOSECONDS;
        if let Some(Known { facts: Facts::Rows(old), .. }) = files.known.remove(&file.path) {
            files.rows = files.rows.saturating_sub(old.len());
        }
        if is_settled && files.rows + rows <= MOST_ROWS {
            files.rows += rows;
            let known = Known { size: file.size, stamp: file.stamp, facts };
            files.known.insert(file.path.clone(), known);
        }
    }
}

/// How many letters the filter takes together. Any three of a name stand somewhere in a long file.
///
/// Only letters of one word are: what stands around the signs between words is most of what a
/// text holds, and next to nothing of it is ever asked.
const RUN: usize = 4;

/// A filter is made no smaller than so many words, and so that one bit of so many is set at most.
const FEWEST_WORDS: usize = 4;
const SPARSE: usize = 6;

/// Which runs of letters a text may hold: a filter that errs on the side of holding.
#[derive(Debug)]
struct Letters {
    /// A power of two of them.
    bits: Box<[u64]>,
}

impl Letters {
    fn of(text: &[u8]) -> Self {
        let words = (text.len() / 32).next_power_of_two().clamp(16, 1024);
        let mut letters = Self { bits: vec![0; words].into() };
        for run in runs(text) {
            let (word, bit) = letters.place(run);
            letters.bits[word] |= bit;
        }
        while letters.fold() {}
        letters
    }

    /// Lays one half of the filter on the other, unless it would be too full to tell much: code
    /// says the same again and again, so that its length says little of what it holds.
    fn fold(&mut self) -> bool {
        let (first, second) = self.bits.split_at(self.bits.len() / 2);
        let folded: Box<[u64]> = first.iter().zip(second).map(|(one, other)| one | other).collect();
        let set: usize = folded.iter().map(|word| word.count_ones() as usize).sum();
        let is_sparse = folded.len() >= FEWEST_WORDS && set * SPARSE <= folded.len() * 64;
        if is_sparse {
            self.bits = folded;
        }
        is_sparse
    }

    fn may_hold(&self, name: &str) -> bool {
        runs(name.as_bytes()).all(|run| {
            let (word, bit) = self.place(run);
            self.bits[word] & bit != 0
        })
    }

    fn place(&self, run: &[u8]) -> (usize, u64) {
        let number = run.iter().fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
        let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let index = usize::try_from(mixed).unwrap_or(0);
        (index / 64 % self.bits.len(), 1 << (index % 64))
    }
}

/// The letters of every word of a text, so many at a time.
fn runs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_sign = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric() && *byte != b'_';
    text.split(is_sign).flat_map(|word| word.windows(RUN))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(size: u64, changed: i64) -> WalkedFile {
        let stamp = Stamp { changed, ..Stamp::default() };
        WalkedFile { path: "a.py".to_owned(), size, stamp }
    }

    const LATER: i64 = 10 * SETTLED_NANOSECONDS;

    #[test]
    fn a_file_is_known_until_its_stamp_or_size_changes() {
        let index = SymbolIndex::default();
        assert!(matches!(index.look(&file(1, 0), "a"), Answer::Unknown));
        index.keep_rows(&file(1, 0), LATER, &Arc::from([]));
        assert!(matches!(index.look(&file(1, 0), "a"), Answer::Rows(_)));
        assert!(matches!(index.look(&file(2, 0), "a"), Answer::Unknown));
        assert!(matches!(index.look(&file(1, 1), "a"), Answer::Unknown));
    }

    #[test]
    fn an_outline_is_made_once_for_a_content_and_a_language() {
        let index = SymbolIndex::default();
        let made = |language, content: &[u8]| {
            let mut is_made = false;
            let rows = index.outline(language, Digest::of(content), || {
                is_made = true;
                Ok::<_, ()>(Vec::new())
            });
            assert!(rows.is_ok());
            is_made
        };
        assert!(made(LanguageId::C, b"a"));
        assert!(!made(LanguageId::C, b"a"));
        assert!(made(LanguageId::Cpp, b"a"));
        for number in 0..=OUTLINES {
            made(LanguageId::C, number.to_string().as_bytes());
        }
        assert!(made(LanguageId::C, b"a"), "the oldest are let go");
        let failed = index.outline(LanguageId::C, Digest::of(b"x"), || Err(()));
        assert!(failed.is_err());
        assert!(made(LanguageId::C, b"x"), "a failure is not kept");
    }

    #[test]
    fn a_file_that_changed_just_now_is_read_again() {
        let index = SymbolIndex::default();
        index.keep_rows(&file(1, LATER), LATER, &Arc::from([]));
        assert!(matches!(index.look(&file(1, LATER), "a"), Answer::Unknown));
    }

    #[test]
    fn a_name_whose_triples_all_stand_somewhere_is_still_told_apart() {
        let index = SymbolIndex::default();
        index.keep_letters(&file(1, 0), LATER, b"widening midget forget");
        assert!(matches!(index.look(&file(1, 0), "widget"), Answer::Nothing));
        assert!(matches!(index.look(&file(1, 0), "midget"), Answer::Unknown));
    }

    #[test]
    fn a_filter_is_as_large_as_what_the_text_holds_and_still_holds_all_of_it() {
        let same = "def total(): return widget\n".repeat(2_000);
        assert_eq!(Letters::of(same.as_bytes()).bits.len(), FEWEST_WORDS);
        let names: Vec<String> =
            (0..400).map(|number| format!("name{:05x}", number * 977)).collect();
        let letters = Letters::of(names.join("\n").as_bytes());
        assert!(names.iter().all(|name| letters.may_hold(name)));
        let others = (400..800).map(|number| format!("name{:05x}", number * 977));
        let held = others.filter(|name| letters.may_hold(name)).count();
        assert!(held < 200, "{held} of 400 others");
    }

    #[test]
    fn only_the_words_of_a_name_and_of_a_text_are_compared() {
        let index = SymbolIndex::default();
        index.keep_letters(&file(1, 0), LATER, "def größe_of(total): pass".as_bytes());
        let may_hold = |name: &str| matches!(index.look(&file(1, 0), name), Answer::Unknown);
        assert!(may_hold("größe_of") && may_hold("of(total)") && may_hold("def größe"));
        assert!(!may_hold("größen") && !may_hold("of(sums)"));
        assert!(may_hold("a(b"), "too short to tell");
    }

    #[test]
    fn a_name_that_is_not_there_needs_no_second_look() {
        let index = SymbolIndex::default();
        index.keep_letters(&file(1, 0), LATER, b"def total(): pass");
        assert!(matches!(index.look(&file(1, 0), "widget"), Answer::Nothing));
        assert!(matches!(index.look(&file(1, 0), "total"), Answer::Unknown));
        assert!(matches!(index.look(&file(1, 0), "xyz"), Answer::Unknown), "too short to tell");
    }
}
