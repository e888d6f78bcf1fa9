//! What was taken of the files of a workspace, by path and stamp, in memory and as bytes.
//!
//! The bytes are a cache between two processes. They begin with the name of
//! their form and a number for the program that wrote them, and end with a sum
//! of all before; on any doubt they are thrown away, and what they held is taken
//! of the files again.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use super::pieces::{At, Pieces};
use super::record::{Keep, Reader, Writer};

/// The form of the bytes.
const FORM: &[u8; 24] = b"gatewright references 5\n";
/// A number for the program: what another one took of files is none of this one.
const READER: &str = env!("GATEWRIGHT_READER");
/// How many files are kept at most.
const MOST_FILES: usize = 200_000;
/// How many bytes are read or written at most.
pub(super) const MOST_BYTES: usize = 1 << 30;
/// How many packed facts are kept at most, and how many bytes they may take on disk.
const MOST_FACTS: usize = 50_000;
const MOST_FACT_BYTES: usize = 64 << 20;
/// Facts were parsed and not only read: so many other things one of them is worth.
const WORTH: usize = 4;
/// How many things must have been taken before they are written down, and for how many bytes
/// that are written again with them there must be one more.
const WORTH_WRITING: usize = 64;
const BYTES_FOR_ONE: usize = 1 << 16;

/// The files.
#[derive(Default)]
pub(super) struct Kept {
    files: HashMap<Box<str>, OfFile>,
    /// Facts that follow from bytes alone, by a number for those.
    facts: HashMap<u128, Fact>,
    /// The bytes of facts and of parts, those that were read first.
    pieces: Pieces,
    /// How many things were taken of files since they were read or written.
    added: usize,
    /// How many bytes were read or written last.
    written: usize,
}

/// What was taken of one file.
struct OfFile {
    stamp: u128,
    /// A number for the bytes; zero where nobody asked for it.
    content: u128,
    parts: Vec<(u8, Part)>,
}

/// Packed facts.
struct Fact {
    at: At,
    /// Whether they were asked for since they were read.
    is_used: bool,
    life: Life,
}

/// Who may have packed facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    /// This process.
    Process,
    /// Later ones too.
    Lasting,
}

enum Part {
    /// Where its bytes stand.
    Written(At),
    /// The value, and how it is written.
    Live(Arc<dyn Any + Send + Sync>, Write),
}

type Write = fn(&(dyn Any + Send + Sync), &mut Writer);

fn write<T: Keep>(value: &(dyn Any + Send + Sync), to: &mut Writer) {
    if let Some(value) = value.downcast_ref::<T>() {
        value.write(to);
    }
}

impl Kept {
    /// What was taken of a file while it had this stamp.
    pub(super) fn get<T: Keep>(&mut self, path: &str, stamp: u128) -> Option<Arc<T>> {
        let file = self.files.get_mut(path).filter(|file| file.stamp == stamp)?;
        let (_, part) = file.parts.iter_mut().find(|(tag, _)| *tag == T::TAG)?;
        match part {
            Part::Live(value, _) => Arc::clone(value).downcast::<T>().ok(),
            Part::Written(at) => {
                let mut from = Reader::new(self.pieces.get(*at)?);
                let value = Arc::new(T::read(&mut from).filter(|_| from.is_at_end())?);
                *part = Part::Live(Arc::clone(&value) as _, write::<T>);
                Some(value)
            }
        }
    }

    /// Whether anything was taken of a file while it had this stamp.
    pub(super) fn has(&self, path: &str, stamp: u128) -> bool {
        self.files.get(path).is_some_and(|file| file.stamp == stamp)
    }

    /// How many files and facts there are.
    pub(super) fn count(&self) -> usize {
        self.files.len() + self.facts.len()
    }

    /// Keeps what was taken of a file; what was taken while it had another stamp goes.
    pub(super) fn put<T: Keep>(&mut self, path: &str, stamp: u128, value: &Arc<T>) {
        let file = self.file(path, stamp);
        file.parts.retain(|(tag, _)| *tag != T::TAG);
        // Most files have one thing and no more.
        file.parts.reserve_exact(1);
        file.parts.push((T::TAG, Part::Live(Arc::clone(value) as _, write::<T>)));
        self.added += 1;
    }

    fn file(&mut self, path: &str, stamp: u128) -> &mut OfFile {
        if self.files.len() >= MOST_FILES {
            self.files.clear();
        }
        let none = || OfFile { stamp, content: 0, parts: Vec::new() };
        let file = self.files.entry(path.into()).or_insert_with(none);
        if file.stamp != stamp {
            *file = none();
        }
        file
    }

    /// The number for the bytes of a file while it had this stamp.
    pub(super) fn content(&self, path: &str, stamp: u128) -> Option<u128> {
        let file = self.files.get(path).filter(|file| file.stamp == stamp)?;
        (file.content != 0).then_some(file.content)
    }

    /// Keeps the number for the bytes of a file.
    pub(super) fn put_content(&mut self, path: &str, stamp: u128, content: u128) {
        self.file(path, stamp).content = content;
        self.added += 1;
    }

    /// Packed facts, by their number.
    pub(super) fn fact(&mut self, number: u128) -> Option<&[u8]> {
        let fact = self.facts.get_mut(&number)?;
        fact.is_used = true;
        self.pieces.get(fact.at)
    }

    /// Whether packed facts are not there, and there is room for them without letting go of any.
    pub(super) fn lacks_fact(&self, number: u128) -> bool {
        self.facts.len() < MOST_FACTS && !self.facts.contains_key(&number)
    }

    /// Keeps packed facts.
    pub(super) fn put_fact(&mut self, number: u128, bytes: &[u8], life: Life) {
        if self.facts.len() >= MOST_FACTS {
            self.facts.clear();
            self.pieces.forget_what_came();
        }
        if self.facts.is_empty() {
            // A table that grows among other things leaves its old places behind.
            self.facts.reserve(self.files.len().min(MOST_FACTS));
        }
        let Some(at) = self.pieces.put(bytes) else { return };
        self.facts.insert(number, Fact { at, is_used: true, life });
        self.added += if life == Life::Lasting { WORTH } else { 0 };
    }

    /// Whether so much was taken of files since they were read or written that writing all of it
    /// costs less than taking that again.
    pub(super) fn is_worth_writing(&self) -> bool {
        self.added >= WORTH_WRITING + self.written / BYTES_FOR_ONE
    }

    /// The bytes that it takes, without what others share of it.
    pub(super) fn held_bytes(&self) -> usize {
        let entry = size_of::<(Box<str>, OfFile)>() + 1;
        let part = size_of::<(u8, Part)>();
        let files = self.files.iter();
        let sizes = files.map(|(path, file)| entry + path.len() + file.parts.capacity() * part);
        sizes.sum::<usize>() + self.facts.len() * FACT + self.pieces.held_bytes()
    }

    /// Lets go of the files that are not there any more.
    pub(super) fn retain(&mut self, is_there: impl Fn(&str) -> bool) {
        self.files.retain(|path, _| is_there(path));
    }

    /// All of it as bytes; what is added is counted anew.
    pub(super) fn write(&mut self) -> Option<Vec<u8>> {
        self.added = 0;
        let mut to = Writer::default();
        to.bytes(FORM);
        to.text(READER);
        to.count(self.files.len());
        for (path, file) in &self.files {
            to.text(path);
            to.bytes(&file.stamp.to_le_bytes());
            to.bytes(&file.content.to_le_bytes());
            to.list(file.parts.iter(), |to, (tag, part)| {
                to.number(u64::from(*tag));
                match part {
                    Part::Written(at) => {
                        let bytes = self.pieces.get(*at).unwrap_or_default();
                        to.count(bytes.len());
                        to.bytes(bytes);
                    }
                    Part::Live(value, write) => {
                        let mut own = Writer::default();
                        write(value.as_ref(), &mut own);
                        let own = own.into_bytes();
                        to.count(own.len());
                        to.bytes(&own);
                    }
                }
            });
        }
        self.write_facts(&mut to);
        let mut bytes = to.into_bytes();
        bytes.extend(sum(&bytes).to_le_bytes());
        self.written = bytes.len();
        (bytes.len() <= MOST_BYTES).then_some(bytes)
    }

    /// The facts that may last; past the bound only those that were asked for.
    fn write_facts(&self, to: &mut Writer) {
        let lasting = || self.facts.iter().filter(|(_, fact)| fact.life == Life::Lasting);
        let size = |fact: &Fact| fact.at.length();
        let all: usize = lasting().map(|(_, fact)| size(fact)).sum();
        let mut left = MOST_FACT_BYTES;
        let mut is_kept = |fact: &Fact| {
            let is_in = (all <= MOST_FACT_BYTES || fact.is_used) && size(fact) <= left;
            left -= if is_in { size(fact) } else { 0 };
            is_in
        };
        let kept: Vec<_> = lasting().filter(|(_, fact)| is_kept(fact)).collect();
        to.list(kept.into_iter(), |to, (number, fact)| {
            let bytes = self.pieces.get(fact.at).unwrap_or_default();
            to.bytes(&number.to_le_bytes());
            to.count(bytes.len());
            to.bytes(bytes);
        });
    }

    /// What bytes hold; `None` when they are not whole or of another form.
    pub(super) fn read(bytes: Vec<u8>) -> Option<Self> {
        let (body, end) = bytes.split_last_chunk::<8>()?;
        let mut from = Reader::new(body.strip_prefix(FORM)?);
        let is_own = from.text() == Some(READER) && bytes.len() <= MOST_BYTES;
        if !is_own || sum(body) != u64::from_le_bytes(*end) {
            return None;
        }
        let count = from.count().filter(|count| *count <= MOST_FILES)?;
        let mut files = HashMap::with_capacity(count);
        for _ in 0..count {
            let path: Box<str> = from.name()?;
            let (stamp, content) = (read_number(&mut from)?, read_number(&mut from)?);
            let parts = from.list(|from| {
                let tag = u8::try_from(from.number()?).ok()?;
                Some((tag, Part::Written(read_at(from, body.len())?)))
            })?;
            files.insert(path, OfFile { stamp, content, parts });
        }
        let facts: HashMap<u128, Fact> = from.map(|from| {
            let number = read_number(from)?;
            let at = read_at(from, body.len())?;
            Some((number, Fact { at, is_used: false, life: Life::Lasting }))
        })?;
        let is_whole = from.is_at_end() && facts.len() <= MOST_FACTS;
        let written = bytes.len();
        let pieces = Pieces::starting_with(bytes);
        is_whole.then_some(Self { files, facts, pieces, added: 0, written })
    }
}

fn read_number(from: &mut Reader<'_>) -> Option<u128> {
    Some(u128::from_le_bytes(from.bytes(16)?.try_into().ok()?))
}

/// Where bytes with a length before them stand in all that is read, of which there are `all`.
fn read_at(from: &mut Reader<'_>, all: usize) -> Option<At> {
    let length = from.count()?;
    let at = At::in_first(all - from.left(), length)?;
    from.bytes(length)?;
    Some(at)
}

/// What the entry of a fact takes in a table that is seven eighths full at most.
const FACT: usize = (size_of::<(u128, Fact)>() + 1) * 8 / 7;

/// A sum that tells whether bytes are those that were written; it is no seal.
fn sum(bytes: &[u8]) -> u64 {
    let mix =
        |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum =
        words.iter().fold(bytes.len() as u64, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::super::words::WordSet;
    use super::*;

    fn one() -> Kept {
        let mut kept = Kept::default();
        kept.put("a.py", 7, &Arc::new(WordSet::of(b"def open(desk): pass")));
        kept.put("b/c.py", u128::MAX, &Arc::new(WordSet::of(b"")));
        kept
    }

    #[test]
    fn what_was_taken_of_files_reads_back_by_path_and_stamp() {
        let mut kept = one();
        assert_eq!(kept.added, 2);
        let bytes = kept.write().unwrap();
        assert_eq!(kept.added, 0);
        let mut again = Kept::read(bytes).unwrap();
        assert!(again.get::<WordSet>("a.py", 7).unwrap().may_hold("desk"));
        assert!(!again.get::<WordSet>("a.py", 7).unwrap().may_hold("chair"));
        assert!(again.get::<WordSet>("a.py", 8).is_none());
        assert!(again.get::<WordSet>("c.py", 7).is_none());
        let mut third = Kept::read(again.write().unwrap()).unwrap();
        assert!(third.get::<WordSet>("b/c.py", u128::MAX).is_some());
        assert!(third.get::<WordSet>("a.py", 7).unwrap().may_hold("open"));
    }

    #[test]
    fn bytes_that_were_cut_or_changed_are_thrown_away() {
        let bytes = one().write().unwrap();
        for end in 0..bytes.len() {
            assert!(Kept::read(bytes[..end].to_vec()).is_none(), "cut at {end}");
        }
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 0x10;
            assert!(Kept::read(other).is_none(), "changed at {at}");
        }
    }

    #[test]
    fn a_wrong_length_with_a_right_sum_is_thrown_away_too() {
        for count in [1u8, 2, 0x7f] {
            let mut bytes = head(READER);
            bytes.extend([count, 0xff, 0xff, 0x7f, b'a']);
            bytes.extend(sum(&bytes).to_le_bytes());
            assert!(Kept::read(bytes).is_none());
        }
    }

    fn head(reader: &str) -> Vec<u8> {
        let mut to = Writer::default();
        to.bytes(FORM);
        to.text(reader);
        to.into_bytes()
    }

    #[test]
    fn what_another_program_took_is_thrown_away() {
        for (reader, is_own) in [(READER, true), ("1", false), ("", false)] {
            let mut bytes = head(reader);
            bytes.extend([0, 0]);
            bytes.extend(sum(&bytes).to_le_bytes());
            assert_eq!(Kept::read(bytes).is_some(), is_own, "{reader}");
        }
    }

    #[test]
    fn the_more_is_written_again_the_more_must_have_come() {
        let mut kept = Kept::default();
        let put = |kept: &mut Kept, from: u128, count: u128, size: usize| {
            (from..from + count)
                .for_each(|number| kept.put_fact(number, &vec![1; size], Life::Lasting));
        };
        put(&mut kept, 0, 15, 1);
        assert!(!kept.is_worth_writing());
        put(&mut kept, 15, 1, 64 * BYTES_FOR_ONE);
        assert!(kept.is_worth_writing());
        let mut again = Kept::read(kept.write().unwrap()).unwrap();
        for kept in [&mut kept, &mut again] {
            put(kept, 100, 31, 1);
            assert!(!kept.is_worth_writing(), "what was written counts");
            put(kept, 200, 2, 1);
            assert!(kept.is_worth_writing());
        }
    }

    #[test]
    fn facts_read_back_by_their_number_unless_they_are_of_this_process_alone() {
        let mut kept = one();
        kept.put_fact(5, b"five", Life::Lasting);
        kept.put_fact(6, b"six", Life::Process);
        let mut again = Kept::read(kept.write().unwrap()).unwrap();
        assert_eq!(again.fact(5), Some(&b"five"[..]));
        assert_eq!(again.fact(6), None);
        assert!(again.get::<WordSet>("a.py", 7).unwrap().may_hold("desk"));
        let mut third = Kept::read(again.write().unwrap()).unwrap();
        assert_eq!(third.fact(5), Some(&b"five"[..]));
    }

    #[test]
    fn past_the_bound_only_facts_that_were_asked_for_are_written() {
        let mut kept = Kept::default();
        let half = MOST_FACT_BYTES / 2;
        kept.put_fact(1, &vec![1; half], Life::Lasting);
        kept.put_fact(2, &vec![2; half], Life::Lasting);
        let mut again = Kept::read(kept.write().unwrap()).unwrap();
        assert_eq!(again.fact(2).map(<[u8]>::len), Some(half));
        again.put_fact(3, &[3; 100], Life::Lasting);
        let mut third = Kept::read(again.write().unwrap()).unwrap();
        assert_eq!(third.fact(1), None);
        assert!(third.fact(2).is_some() && third.fact(3).is_some());
    }

    #[test]
    fn a_file_with_another_stamp_loses_what_was_taken_before() {
        let mut kept = one();
        kept.put("a.py", 8, &Arc::new(WordSet::of(b"new")));
        assert!(kept.get::<WordSet>("a.py", 7).is_none());
        assert!(kept.get::<WordSet>("a.py", 8).unwrap().may_hold("new"));
        kept.put_content("a.py", 8, 99);
        let mut again = Kept::read(kept.write().unwrap()).unwrap();
        assert_eq!(again.content("a.py", 8), Some(99));
        assert!(again.get::<WordSet>("a.py", 8).is_some(), "the words are still there");
        assert_eq!((again.content("a.py", 7), again.content("b/c.py", u128::MAX)), (None, None));
        again.put_content("a.py", 9, 98);
        assert!(again.get::<WordSet>("a.py", 8).is_none());
        kept.retain(|path| path != "a.py");
        assert!(kept.get::<WordSet>("a.py", 8).is_none());
    }
}
