//! What an archive holds, from its directory, and single entries of it.
//!
//! Only the parts that are asked for are read. An archive in a form that is not
//! known here is as if it were not there.

use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::record::{Reader, Writer};
use super::session::{Place, Session};

/// How large a directory may be, and a single entry.
const LARGEST_DIRECTORY: u64 = 16 << 20;
const LARGEST_ENTRY: u32 = 4 << 20;
/// How far from the end the end record lies at most.
const END: u64 = 22 + 0xffff;

/// Where an entry of an archive stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    offset: u32,
    packed: u32,
    size: u32,
    is_deflated: bool,
}

impl Entry {
    pub(crate) fn write(self, to: &mut Writer) {
        for number in [self.offset, self.packed, self.size, u32::from(self.is_deflated)] {
            to.number(u64::from(number));
        }
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        let mut number = || u32::try_from(from.number()?).ok();
        let (offset, packed, size) = (number()?, number()?, number()?);
        Some(Self { offset, packed, size, is_deflated: number()? != 0 })
    }

    /// The plain bytes.
    pub(crate) fn bytes(self, session: &Session<'_>, archive: &Place) -> Option<Vec<u8>> {
        if self.packed > LARGEST_ENTRY || self.size > LARGEST_ENTRY {
            return None;
        }
        let head = session.read_part(archive, u64::from(self.offset), 30)?;
        if !head.starts_with(b"PK\x03\x04") {
            return None;
        }
        let start = u64::from(self.offset) + 30 + number(&head, 26, 2)? + number(&head, 28, 2)?;
        let packed = session.read_part(archive, start, u64::from(self.packed))?;
        let size = usize::try_from(self.size).ok()?;
        let plain = match self.is_deflated {
            true => decompress_to_vec_with_limit(&packed, size).ok()?,
            false => packed,
        };
        (plain.len() == size).then_some(plain)
    }
}

/// The entries of an archive that are meant, with their names; `None` when it cannot be read.
pub(crate) fn entries(
    session: &Session<'_>,
    archive: &Place,
    is_meant: impl Fn(&str) -> bool,
) -> Option<Vec<(String, Entry)>> {
    let length = session.measure(archive)?.0;
    let from = length.saturating_sub(END);
    let tail = session.read_part(archive, from, length - from)?;
    let end = memchr::memmem::rfind(&tail, b"PK\x05\x06")?;
    let (size, start) = (number(&tail, end + 12, 4)?, number(&tail, end + 16, 4)?);
    let directory =
        session.read_part(archive, start, Some(size).filter(|it| *it <= LARGEST_DIRECTORY)?)?;
    let mut found = Vec::new();
    let mut at = 0;
    while directory.get(at..at + 4) == Some(b"PK\x01\x02") {
        let field = |offset: usize, width: usize| number(&directory, at + offset, width);
        let wide = |offset: usize| field(offset, 4).and_then(|it| u32::try_from(it).ok());
        let length = |offset: usize| field(offset, 2).and_then(|it| usize::try_from(it).ok());
        let (method, of_name) = (field(10, 2)?, length(28)?);
        let name = std::str::from_utf8(directory.get(at + 46..at + 46 + of_name)?).unwrap_or("");
        if matches!(method, 0 | 8) && is_meant(name) {
            let (packed, size, offset) = (wide(20)?, wide(24)?, wide(42)?);
            found.push((name.to_owned(), Entry { offset, packed, size, is_deflated: method == 8 }));
        }
        at += 46 + of_name + length(30)? + length(32)?;
    }
    Some(found)
}

/// A number of some bytes, the lowest first.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + width)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}
