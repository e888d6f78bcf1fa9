//! Deflated bytes, as archives hold them, made plain again.
//!
//! The size that they must come to is told beforehand; bytes that are broken, or
//! that come to more, give nothing.

/// The longest code of a symbol.
const LONGEST: usize = 15;

/// What a length symbol stands for: the first length, and how many bits are added.
const LENGTHS: [(u16, u8); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];

/// In which order the lengths of the codes of lengths stand.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The plain bytes, exactly `size` of them.
pub(crate) fn inflate(packed: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut bits = Bits { bytes: packed, at: 0 };
    let mut plain = Vec::with_capacity(size);
    loop {
        let is_last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => stored(&mut bits, &mut plain, size)?,
            1 => {
                let lengths: Vec<u8> = (0..288)
                    .map(|symbol| match symbol {
                        0..144 => 8,
                        144..256 => 9,
                        256..280 => 7,
                        _ => 8,
                    })
                    .collect();
                coded(&mut bits, &Codes::new(&lengths), &Codes::new(&[5; 30]), &mut plain, size)?;
            }
            2 => {
                let (literals, distances) = own_codes(&mut bits)?;
                coded(&mut bits, &literals, &distances, &mut plain, size)?;
            }
            _ => return None,
        }
        if is_last {
            return (plain.len() == size).then_some(plain);
        }
    }
}

/// Bytes read bit by bit, the lowest first.
struct Bits<'a> {
    bytes: &'a [u8],
    /// The number of the next bit.
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u8) -> Option<u16> {
        let mut value = 0;
        for place in 0..count {
            let byte = *self.bytes.get(self.at / 8)?;
            value |= u16::from(byte >> (self.at % 8) & 1) << place;
            self.at += 1;
        }
        Some(value)
    }

    /// The whole bytes that follow.
    fn bytes(&mut self, count: usize) -> Option<&[u8]> {
        let start = self.at.div_ceil(8);
        self.at = (start + count) * 8;
        self.bytes.get(start..start + count)
    }
}

/// Codes of symbols by their lengths, as the format orders them.
struct Codes {
    counts: [u16; LONGEST + 1],
    symbols: Vec<u16>,
}

impl Codes {
    fn new(lengths: &[u8]) -> Self {
        let mut counts = [0; LONGEST + 1];
        let of = |length: usize| {
            let symbols = (0..).zip(lengths).filter(move |(_, own)| usize::from(**own) == length);
            symbols.map(|(symbol, _)| symbol)
        };
        let mut symbols = Vec::with_capacity(lengths.len());
        for (length, count) in counts.iter_mut().enumerate().skip(1) {
            let before = symbols.len();
            symbols.extend(of(length));
            *count = u16::try_from(symbols.len() - before).unwrap_or(u16::MAX);
        }
        Self { counts, symbols }
    }

    fn next(&self, bits: &mut Bits<'_>) -> Option<u16> {
        let (mut code, mut first, mut index) = (0u32, 0u32, 0u32);
        for count in &self.counts[1..] {
            code |= u32::from(bits.take(1)?);
            let count = u32::from(*count);
            if code < first + count {
                return self.symbols.get((index + code - first) as usize).copied();
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

fn stored(bits: &mut Bits<'_>, plain: &mut Vec<u8>, size: usize) -> Option<()> {
    let head = bits.bytes(4)?;
    let length = usize::from(u16::from_le_bytes([head[0], head[1]]));
    plain.extend_from_slice(bits.bytes(length)?);
    (plain.len() <= size).then_some(())
}

/// The codes that a block brings itself.
fn own_codes(bits: &mut Bits<'_>) -> Option<(Codes, Codes)> {
    let literals = usize::from(bits.take(5)?) + 257;
    let distances = usize::from(bits.take(5)?) + 1;
    let mut lengths = [0; 19];
    for place in ORDER.iter().take(usize::from(bits.take(4)?) + 4) {
        lengths[*place] = bits.take(3)? as u8;
    }
    let codes = Codes::new(&lengths);
    let mut all: Vec<u8> = Vec::with_capacity(literals + distances);
    while all.len() < literals + distances {
        let (value, times) = match codes.next(bits)? {
            symbol @ 0..16 => (symbol as u8, 1),
            16 => (*all.last()?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            _ => (0, 11 + bits.take(7)?),
        };
        all.extend(std::iter::repeat_n(value, usize::from(times)));
    }
    let (of_literals, rest) = all.split_at_checked(literals)?;
    Some((Codes::new(of_literals), Codes::new(rest.get(..distances)?)))
}

fn coded(
    bits: &mut Bits<'_>,
    literals: &Codes,
    distances: &Codes,
    plain: &mut Vec<u8>,
    size: usize,
) -> Option<()> {
    loop {
        match literals.next(bits)? {
            symbol @ 0..256 => plain.push(symbol as u8),
            256 => return Some(()),
            symbol => {
                let (first, more) = *LENGTHS.get(usize::from(symbol - 257))?;
                let length = first + bits.take(more)?;
                let symbol = distances.next(bits)?;
                let more = (symbol / 2).saturating_sub(1) as u8;
                let first = if symbol < 4 { symbol } else { (2 + symbol % 2) << more };
                let distance = usize::from(first + bits.take(more)?) + 1;
                let start = plain.len().checked_sub(distance)?;
                for at in start..start + usize::from(length) {
                    plain.push(*plain.get(at)?);
                }
            }
        }
        if plain.len() > size {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_block_comes_out_plain() {
        let stored = [1, 3, 0, 0xfc, 0xff, b'a', b'b', b'c'];
        assert_eq!(inflate(&stored, 3).unwrap(), b"abc");
        // "aaaaaaaaaa" with the codes of the format: one letter, then a copy of nine.
        let fixed = [0x4b, 0x84, 0x03, 0x00];
        assert_eq!(inflate(&fixed, 10).unwrap(), b"aaaaaaaaaa");
    }

    #[test]
    fn broken_bytes_and_wrong_sizes_give_nothing() {
        let stored = [1, 3, 0, 0xfc, 0xff, b'a', b'b', b'c'];
        assert_eq!(inflate(&stored, 2), None);
        assert_eq!(inflate(&stored, 4), None);
        for end in 0..stored.len() {
            assert_eq!(inflate(&stored[..end], 3), None);
        }
        let mut number: u32 = 1;
        for _ in 0..2_000 {
            let noise: Vec<u8> = (0..40)
                .map(|_| {
                    number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (number >> 24) as u8
                })
                .collect();
            assert!(inflate(&noise, 1_000).is_none_or(|plain| plain.len() == 1_000));
        }
    }
}
