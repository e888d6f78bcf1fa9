//! Quick looks: a hasher for keys of our own making, and how literals start.

use std::hash::{BuildHasherDefault, Hasher};

/// A hasher for small keys of our own making, where speed is all that matters.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quick(u64);

/// Maps with [`Quick`].
pub type QuickState = BuildHasherDefault<Quick>;

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u32(u32::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// How a literal starts: most that are compared differ in their first eight bytes.
#[derive(Debug, Default, Clone, Copy)]
pub struct Start {
    /// The first eight bytes, folded, and zero behind the end.
    head: u64,
    /// All bits of the bytes that the literal has.
    mask: u64,
}

impl Start {
    /// The start of a literal.
    pub fn of(literal: &[u8]) -> Start {
        let length = literal.len().min(8);
        let mask = if length == 8 { u64::MAX } else { (1 << (length * 8)) - 1 };
        Start { head: folded_head(literal) & mask, mask }
    }

    /// How both literals start.
    pub fn shared(&self, other: &Start) -> Start {
        let mask = self.mask & other.mask & !(self.head ^ other.head);
        Start { head: self.head & mask, mask }
    }

    /// False when a text with this [`folded_head`] does not start so.
    #[inline]
    pub fn may_be(&self, head: u64) -> bool {
        head & self.mask == self.head
    }
}

/// The first eight bytes of `text`, folded; of less the missing ones are zero.
#[inline]
pub fn folded_head(text: &[u8]) -> u64 {
    const FOLD: u64 = u64::from_le_bytes([0x20; 8]);
    match text.first_chunk::<8>() {
        Some(eight) => u64::from_le_bytes(*eight) | FOLD,
        None => {
            let mut eight = [0; 8];
            eight[..text.len()].copy_from_slice(text);
            u64::from_le_bytes(eight) | FOLD
        }
    }
}
