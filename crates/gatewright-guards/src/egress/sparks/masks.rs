//! Bytes become bits: which of 64 neighbouring bytes are digits, letters, signs, and where
//! a literal may be.
//!
//! A few loads and compares for as many bytes as a register of this processor holds, which
//! is found out when the program runs. Nothing here decides: what the bits name is looked at
//! byte by byte elsewhere.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, mask8x64, u8x16, u8x64};

/// How many bytes one step looks at.
pub const STEP: usize = 64;
/// How many steps are taken before their bits are looked at.
const TOGETHER: usize = 32;
/// How many bytes behind a step belong to a window that begins in it.
const BEHIND: usize = WINDOW - 1;

/// How many bytes of a literal are searched for.
pub const WINDOW: usize = 3;

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
    /// Bytes at which a window may begin.
    pub window: u64,
}

/// Which bytes may stand at each place of a window, by their low five bits.
///
/// Letters of both cases have the same low five bits. A set bit stands for a group of
/// windows; a window may be where one group has all of its bytes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct WindowTable {
    halves: [Groups; 2],
}

/// Eight groups: for each place of a window and for each class of bytes one bit for each.
type Groups = [[[u8; 16]; 2]; WINDOW];

impl WindowTable {
    /// How many groups there are.
    pub const GROUPS: usize = 16;

    /// Lets `byte` stand at `place` of the windows of `group`.
    pub fn allow(&mut self, place: usize, byte: u8, group: usize) {
        let class = usize::from(byte & 31);
        self.halves[group / 8][place][class / 16][class % 16] |= 1 << (group % 8);
    }
}

/// Calls `look` with the masks of each step of `text` and where the step starts.
///
/// Behind the end of the text all bits are zero, but for those of windows.
pub fn scan(text: &[u8], windows: &WindowTable, look: impl FnMut(&Masks, usize)) {
    scan_with(Level::new(), text, windows, look);
}

fn scan_with(
    level: Level,
    text: &[u8],
    windows: &WindowTable,
    mut look: impl FnMut(&Masks, usize),
) {
    let mut steps = [Masks::default(); TOGETHER];
    let mut at = 0;
    while text.len() - at >= STEP + BEHIND {
        let count = ((text.len() - at - BEHIND) / STEP).min(TOGETHER);
        let part = &text[at..at + count * STEP + BEHIND];
        dispatch!(level, simd => fill(simd, part, windows, &mut steps[..count]));
        for masks in &steps[..count] {
            look(masks, at);
            at += STEP;
        }
    }
    let mut rest = [0; 2 * STEP + BEHIND];
    rest[..text.len() - at].copy_from_slice(&text[at..]);
    dispatch!(level, simd => fill(simd, &rest, windows, &mut steps[..2]));
    for masks in &steps[..2] {
        look(masks, at);
        at += STEP;
    }
}

/// Fills `steps` with the masks of `text`, which goes on for a little behind them.
#[inline(always)]
fn fill<S: Simd>(simd: S, text: &[u8], windows: &WindowTable, steps: &mut [Masks]) {
    let halves = windows.halves.map(|groups| {
        groups.map(|rows| rows.map(|row| u8x64::block_splat(u8x16::simd_from(simd, row))))
    });
    for (index, masks) in steps.iter_mut().enumerate() {
        let step = &text[index * STEP..(index + 1) * STEP + BEHIND];
        let bytes = |from: usize| u8x64::from_slice(simd, &step[from..from + STEP]);
        *masks = classes(simd, bytes(0));
        let mut together = [u8x64::splat(simd, 0xff); 2];
        for (place, (first, second)) in halves[0].iter().zip(&halves[1]).enumerate() {
            let class = Class::of(simd, bytes(place));
            together[0] &= class.groups(*first);
            together[1] &= class.groups(*second);
        }
        let none = (together[0] | together[1]).simd_eq(u8x64::splat(simd, 0));
        masks.window = !none.to_bitmask();
    }
}

#[inline(always)]
fn classes<S: Simd>(simd: S, text: u8x64<S>) -> Masks {
    let is = |byte: u8| text.simd_eq(u8x64::splat(simd, byte));
    let digit = within(simd, text, b'0', b'9');
    let alphanumeric = digit | within(simd, text | u8x64::splat(simd, 0x20), b'a', b'z');
    let joined = alphanumeric | is(b'_') | is(b'-');
    let slashes = is(b'/') | is(b'\\') | is(b'~');
    let sign = slashes | within(simd, text, b'%', b'&') | is(0x1b);
    Masks {
        alphanumeric: alphanumeric.to_bitmask(),
        digit: digit.to_bitmask(),
        joined: joined.to_bitmask(),
        sign: sign.to_bitmask(),
        high: text.simd_ge(u8x64::splat(simd, 0x80)).to_bitmask(),
        window: 0,
    }
}

#[inline(always)]
fn within<S: Simd>(simd: S, text: u8x64<S>, first: u8, last: u8) -> mask8x64<S> {
    (text - u8x64::splat(simd, first)).simd_le(u8x64::splat(simd, last - first))
}

/// The low five bits of bytes, as the tables are asked.
#[derive(Clone, Copy)]
struct Class<S: Simd> {
    index: u8x64<S>,
    is_high: mask8x64<S>,
}

impl<S: Simd> Class<S> {
    #[inline(always)]
    fn of(simd: S, text: u8x64<S>) -> Class<S> {
        let high = u8x64::splat(simd, 16);
        Class { index: text & u8x64::splat(simd, 15), is_high: (text & high).simd_eq(high) }
    }

    /// The groups that allow each byte.
    #[inline(always)]
    fn groups(self, [low, high]: [u8x64<S>; 2]) -> u8x64<S> {
        let high = high.swizzle_dyn_within_blocks(self.index);
        self.is_high.select(high, low.swizzle_dyn_within_blocks(self.index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(step: &[u8], belongs: impl Fn(u8) -> bool) -> u64 {
        step.iter().rev().fold(0, |bits, byte| bits << 1 | u64::from(belongs(*byte)))
    }

    fn expected(text: &[u8], windows: &[[u8; WINDOW]], at: usize) -> Masks {
        let step: Vec<u8> = (at..at + STEP).map(|at| text.get(at).copied().unwrap_or(0)).collect();
        let is_joined = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let byte = |at: usize| text.get(at).copied().unwrap_or(0);
        let is_window = |at: usize| {
            windows
                .iter()
                .any(|window| (0..WINDOW).all(|place| (byte(at + place) ^ window[place]) & 31 == 0))
        };
        let window =
            (0..STEP).fold(0, |bits, offset| bits | u64::from(is_window(at + offset)) << offset);
        Masks {
            alphanumeric: bits(&step, |byte| byte.is_ascii_alphanumeric()),
            digit: bits(&step, |byte| byte.is_ascii_digit()),
            joined: bits(&step, is_joined),
            sign: bits(&step, |byte| matches!(byte, b'/' | b'\\' | b'~' | b'%' | b'&' | 0x1b)),
            high: bits(&step, |byte| byte >= 0x80),
            window,
        }
    }

    /// Every kind of register that this processor has.
    fn levels() -> Vec<Level> {
        let best = Level::new();
        #[cfg(target_arch = "x86_64")]
        let others = [
            best.as_sse2().map(|simd| simd.level()),
            best.as_sse4_2().map(|simd| simd.level()),
            best.as_avx2().map(|simd| simd.level()),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let others = [None];
        others.into_iter().flatten().chain([best]).collect()
    }

    #[test]
    fn each_byte_has_the_bits_of_its_class_at_every_length() {
        let windows = [*b"pwd", *b"sk_", *b":*:"];
        let mut table = WindowTable::default();
        for (group, window) in windows.iter().enumerate() {
            for (place, byte) in window.iter().enumerate() {
                table.allow(place, *byte, group * 5);
            }
        }
        let all: Vec<u8> = (0..=255).collect();
        let words = b"a PwD=sk_:*: /~%&\\\x1b[ and disk_pwd\xc3\xa9 0-9_x".repeat(6);
        for (level, text) in levels().into_iter().flat_map(|level| [(level, &all), (level, &words)])
        {
            for length in 0..=text.len() {
                let text = &text[..length];
                scan_with(level, text, &table, |masks, at| {
                    assert_eq!(*masks, expected(text, &windows, at), "{level:?}, {at} of {length}");
                });
            }
        }
    }
}
