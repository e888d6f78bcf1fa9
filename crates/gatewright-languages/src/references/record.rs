//! How what was taken of a file is written as bytes, and read back.
//!
//! The bytes are a cache: what does not read back whole is as if it were not
//! there, so reading answers `None` and never more than that.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// What can be taken of a file and kept.
pub(crate) trait Keep: Sized + Send + Sync + 'static {
    /// What keeps it apart from other things that are taken of the same file.
    const TAG: u8;

    /// Writes it.
    fn write(&self, to: &mut Writer);

    /// Reads it back; `None` where the bytes are none of it.
    fn read(from: &mut Reader<'_>) -> Option<Self>;
}

/// Bytes that grow.
#[derive(Debug, Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Seven bits at a time, the lowest first.
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(crate) fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    pub(crate) fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.number(u64::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub(crate) fn list<T>(
        &mut self,
        values: impl ExactSizeIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.count(values.len());
        values.for_each(|value| write(self, value));
    }

    pub(crate) fn texts<'a, T: AsRef<str> + 'a>(
        &mut self,
        texts: impl ExactSizeIterator<Item = &'a T>,
    ) {
        self.list(texts, |to, text| to.text(text.as_ref()));
    }
}

/// Bytes that are read from their start.
#[derive(Debug)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(crate) fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(crate) fn flag(&mut self) -> Option<bool> {
        self.number().map(|number| number != 0)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = self.count()?;
        std::str::from_utf8(self.bytes(length)?).ok()
    }

    pub(crate) fn name<T: From<&'a str>>(&mut self) -> Option<T> {
        self.text().map(T::from)
    }

    pub(crate) fn option<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.flag()? { read(self).map(Some) } else { Some(None) }
    }

    /// Every value takes a byte at least, so that a wrong count asks for no memory.
    pub(crate) fn list<T, C: FromIterator<T>>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<C> {
        let count = self.count().filter(|count| *count <= self.0.len())?;
        (0..count).map(|_| read(self)).collect()
    }

    pub(crate) fn names<T: From<&'a str>>(&mut self) -> Option<Vec<T>> {
        self.list(Self::name)
    }

    pub(crate) fn set<T: From<&'a str> + Eq + Hash>(&mut self) -> Option<HashSet<T>> {
        self.list(Self::name)
    }

    pub(crate) fn map<K: Eq + Hash, V>(
        &mut self,
        read: impl FnMut(&mut Self) -> Option<(K, V)>,
    ) -> Option<HashMap<K, V>> {
        self.list(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_reads_back() {
        let mut to = Writer::default();
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        to.list(numbers.iter(), |to, number| to.number(*number));
        to.texts(["", "a", "äöü"].iter());
        to.option(Some("x"), Writer::text);
        to.option(None, Writer::text);
        let bytes = to.into_bytes();
        let mut from = Reader::new(&bytes);
        assert_eq!(from.list::<u64, Vec<u64>>(Reader::number).unwrap(), numbers);
        assert_eq!(from.names::<String>().unwrap(), ["", "a", "äöü"]);
        assert_eq!(from.option(Reader::text), Some(Some("x")));
        assert_eq!(from.option(Reader::text), Some(None));
        assert!(from.is_at_end());
    }

    #[test]
    fn bytes_that_end_too_early_or_count_too_far_read_as_nothing() {
        assert_eq!(Reader::new(&[0x80]).number(), None);
        assert_eq!(Reader::new(&[0xff; 11]).number(), None);
        assert_eq!(Reader::new(&[5, b'a']).text(), None);
        assert_eq!(Reader::new(&[1, 0xff]).text(), None);
        assert_eq!(Reader::new(&[0xff, 0xff, 0x7f, 0]).names::<String>(), None);
    }
}
