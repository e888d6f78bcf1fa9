//! A skipping search for literals of four bytes and more, whatever their case.
//!
//! Every second position is looked at: three bytes, folded and hashed, index a
//! bitmap of 8 KiB. Each literal is registered by the two neighbouring blocks of
//! it that are rarest in text, one of which falls on such a position.

use std::collections::HashMap;

use super::super::anchors::QuickState;

/// The shortest literal that the search can find.
pub const SHORTEST: usize = 4;
const FOLD: u32 = 0x0020_2020;
const BITMAP_BITS: u32 = 16;

type Bitmap = Box<[u64; 1 << (BITMAP_BITS - 6)]>;

/// The literals, ready to be searched for.
#[derive(Debug)]
pub struct Literals {
    bitmap: Bitmap,
    /// Blocks with the byte behind them, or for the last block of a literal the byte before.
    forward: Bitmap,
    backward: Bitmap,
    /// The literals by a block of theirs, with its place in them.
    blocks: HashMap<u32, Vec<(usize, usize)>, QuickState>,
    literals: Vec<Box<[u8]>>,
}

impl Literals {
    /// A search for these literals, which have four bytes or more.
    pub fn new(literals: impl IntoIterator<Item = Box<[u8]>>) -> Literals {
        let mut search = Literals {
            bitmap: Box::new([0; 1 << (BITMAP_BITS - 6)]),
            forward: Box::new([0; 1 << (BITMAP_BITS - 6)]),
            backward: Box::new([0; 1 << (BITMAP_BITS - 6)]),
            blocks: HashMap::default(),
            literals: Vec::new(),
        };
        for literal in literals {
            if literal.len() >= SHORTEST {
                search.register(literal);
            }
        }
        search
    }

    fn register(&mut self, literal: Box<[u8]>) {
        let cost = |at: &usize| {
            let pair = &literal[*at..at + 4];
            commonness(&pair[..3]).saturating_add(commonness(&pair[1..]))
        };
        let best = (0..=literal.len() - 4).min_by_key(cost).unwrap_or_default();
        let index = self.literals.len();
        for at in [best, best + 1] {
            let block =
                u32::from_le_bytes([literal[at], literal[at + 1], literal[at + 2], 0]) | FOLD;
            set(&mut self.bitmap, block);
            match literal.get(at..at + 4) {
                Some(four) => set(&mut self.forward, folded(four)),
                None => set(&mut self.backward, folded(&literal[at - 1..at + 3])),
            }
            self.blocks.entry(block).or_default().push((index, at));
        }
        self.literals.push(literal);
    }

    /// Calls `found` with the place of each literal in `text`.
    pub fn scan(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        let mut at = 0;
        while let Some(bytes) = text.get(at..at + 8) {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            let word = u64::from_le_bytes(word);
            for offset in [0, 2, 4] {
                let block = ((word >> (offset * 8)) as u32 & 0x00ff_ffff) | FOLD;
                if self.is_marked(block) && self.may_confirm(text, at + offset) {
                    self.confirm(text, at + offset, block, &mut found);
                }
            }
            at += 6;
        }
        while let Some(&[first, second, third]) = text.get(at..at + 3) {
            let block = u32::from_le_bytes([first, second, third, 0]) | FOLD;
            if self.is_marked(block) && self.may_confirm(text, at) {
                self.confirm(text, at, block, &mut found);
            }
            at += 2;
        }
    }

    #[inline]
    fn is_marked(&self, block: u32) -> bool {
        is_set(&self.bitmap, block)
    }

    /// False when the byte beside the block at `at` shows that no literal is there.
    #[inline]
    fn may_confirm(&self, text: &[u8], at: usize) -> bool {
        let holds =
            |bitmap, four: Option<&[u8]>| four.is_some_and(|four| is_set(bitmap, folded(four)));
        holds(&self.forward, text.get(at..at + 4))
            || holds(&self.backward, at.checked_sub(1).and_then(|from| text.get(from..from + 4)))
    }

    #[inline(never)]
    fn confirm(&self, text: &[u8], at: usize, block: u32, found: &mut dyn FnMut(usize, usize)) {
        let Some(entries) = self.blocks.get(&block) else { return };
        for (index, place) in entries {
            let literal = &self.literals[*index];
            let Some(start) = at.checked_sub(*place) else { continue };
            let end = start + literal.len();
            if text.get(start..end).is_some_and(|found| found.eq_ignore_ascii_case(literal)) {
                found(start, end);
            }
        }
    }
}

fn set(bitmap: &mut Bitmap, block: u32) {
    let slot = slot(block);
    bitmap[slot >> 6] |= 1 << (slot & 63);
}

#[inline]
fn is_set(bitmap: &Bitmap, block: u32) -> bool {
    let slot = slot(block);
    bitmap[slot >> 6] >> (slot & 63) & 1 == 1
}

/// Four bytes as one number, whatever their case.
#[inline]
fn folded(four: &[u8]) -> u32 {
    four.iter().fold(0, |number, byte| number << 8 | u32::from(byte | 0x20))
}

#[inline]
fn slot(block: u32) -> usize {
    (block.wrapping_mul(0x9E37_79B1) >> (32 - BITMAP_BITS)) as usize
}

/// How common a block is in text and source, roughly.
fn commonness(block: &[u8]) -> u32 {
    block.iter().map(|byte| share(byte.to_ascii_lowercase())).product()
}

/// How often a byte occurs, in parts of about a thousand.
fn share(byte: u8) -> u32 {
    const COMMON: &[u8] = b"etaoinsrldcumhpfgbyvwkxqjz";
    match byte {
        b' ' => 150,
        b'_' | b'"' | b'(' | b'.' => 20,
        b'a'..=b'z' => {
            let rank = COMMON.iter().position(|letter| *letter == byte).unwrap_or_default();
            90u32.saturating_sub(rank as u32 * 4).max(3)
        }
        _ => 8,
    }
}
