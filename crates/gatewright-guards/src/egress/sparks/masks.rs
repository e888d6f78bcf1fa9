//! Bytes become bits: which of 64 neighbouring bytes are digits, letters, signs.
//!
//! One load and a few compares for sixteen bytes at a time.

use wide::u8x16;

/// How many bytes one step looks at.
pub const STEP: usize = 64;

/// One bit for each byte of a step, the first byte lowest.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Masks {
    /// Letters and digits.
    pub alphanumeric: u64,
    /// Digits.
    pub digit: u64,
    /// Letters, digits, underscores and dashes.
    pub joined: u64,
    /// Bytes at which a path, an address or a disguise may begin.
    pub sign: u64,
    /// Bytes beyond ASCII.
    pub high: u64,
}

/// Calls `look` with the masks of each step of `text` and where the step starts.
///
/// Behind the end of the text all bits are zero.
#[inline]
pub fn scan(text: &[u8], mut look: impl FnMut(&Masks, usize)) {
    let mut at = 0;
    let mut steps = text.chunks_exact(STEP);
    for step in &mut steps {
        if let Ok(step) = <&[u8; STEP]>::try_from(step) {
            look(&masks(step), at);
        }
        at += STEP;
    }
    let mut rest = [0; STEP];
    rest[..steps.remainder().len()].copy_from_slice(steps.remainder());
    look(&masks(&rest), at);
}

#[inline]
fn masks(step: &[u8; STEP]) -> Masks {
    let mut masks = Masks::default();
    for (index, sixteen) in step.as_chunks::<16>().0.iter().enumerate() {
        let text = u8x16::new(*sixteen);
        let digit = within(text, b'0', b'9');
        let alphanumeric = digit | within(text | u8x16::splat(0x20), b'a', b'z');
        let joined = alphanumeric | is(text, b'_') | is(text, b'-');
        let slashes = is(text, b'/') | is(text, b'\\') | is(text, b'~');
        let sign = slashes | within(text, b'%', b'&') | is(text, 0x1b);
        let bits = |flags: u8x16| u64::from(flags.to_bitmask()) << (index * 16);
        masks.alphanumeric |= bits(alphanumeric);
        masks.digit |= bits(digit);
        masks.joined |= bits(joined);
        masks.sign |= bits(sign);
        masks.high |= bits(text);
    }
    masks
}

#[inline]
fn is(text: u8x16, byte: u8) -> u8x16 {
    text.simd_eq(u8x16::splat(byte))
}

#[inline]
fn within(text: u8x16, first: u8, last: u8) -> u8x16 {
    let offset = text - u8x16::splat(first);
    offset.min(u8x16::splat(last - first)).simd_eq(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(step: &[u8; STEP], belongs: impl Fn(u8) -> bool) -> u64 {
        step.iter().rev().fold(0, |bits, byte| bits << 1 | u64::from(belongs(*byte)))
    }

    #[test]
    fn each_byte_has_the_bits_of_its_class() {
        for first in 0..=255u8 {
            let step: [u8; STEP] = std::array::from_fn(|index| first.wrapping_add(index as u8));
            let is_joined = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            let expected = Masks {
                alphanumeric: bits(&step, |byte| byte.is_ascii_alphanumeric()),
                digit: bits(&step, |byte| byte.is_ascii_digit()),
                joined: bits(&step, is_joined),
                sign: bits(&step, |byte| matches!(byte, b'/' | b'\\' | b'~' | b'%' | b'&' | 0x1b)),
                high: bits(&step, |byte| byte >= 0x80),
            };
            assert_eq!(masks(&step), expected, "from byte {first}");
        }
    }
}
