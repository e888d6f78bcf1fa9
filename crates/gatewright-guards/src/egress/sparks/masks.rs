//! Bytes become bits: which of 64 neighbouring bytes end a run, are a sign, or begin what may
//! be a literal.
//!
//! A few loads and compares for as many bytes as a register of this processor holds, which
//! is found out when the program runs. Nothing here decides: what the bits name is looked at
//! byte by byte elsewhere.

use std::ops::ControlFlow;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, mask8x64, u8x16, u8x64};

use super::ends::{Ends, moved};
use super::kinds::Kinds;
use super::places::Places;
use super::tables::{PAIR, PARTS, PairTable, Row, WINDOW, WindowTable, WordSet};

/// How many bytes one step looks at.
pub const STEP: usize = 64;
/// How many steps are taken before their bits are looked at.
pub const TOGETHER: usize = 16;
/// How many bytes behind a step belong to a window that begins in it.
pub const BEHIND: usize = WINDOW - 1;

/// What a step has to show: one bit for each of its bytes, the first byte lowest.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Masks {
    /// Ends of runs that may be a value.
    pub ends: u64,
    /// Bytes at which a path, an address or a disguise may begin.
    pub sign: u64,
    /// Bytes at which a window may begin.
    pub window: u64,
}

/// What some steps have to show.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The masks of each step.
    pub masks: &'a [Masks],
    /// What their bytes are, and those of the step before.
    pub kinds: Kinds<'a>,
    /// The places of windows that are in the set, counted from the first step.
    pub windows: &'a [u16],
}

/// Calls `look` with what some steps of `text` show and where the first of them starts.
///
/// Behind the end of the text bytes are zero.
pub fn scan<const WORDS: usize>(
    text: &[u8],
    tables: (&WindowTable, &WordSet<WORDS>),
    mut look: impl FnMut(Shown<'_>, usize),
) -> Rare {
    let mut pass = Signs::new(tables.0, tables.1);
    let mut has_zero = false;
    let _ = steps_of(Level::new(), text, &mut pass, |pass, masks, at| {
        look(Shown { masks, kinds: pass.ends.kinds(at), windows: pass.places.kept() }, at);
        // Behind the end of the text zeros say nothing.
        has_zero |=
            pass.zero != 0 && (at + masks.len() * STEP <= text.len() || text[at..].contains(&0));
        ControlFlow::Continue(())
    });
    Rare { is_ascii: pass.high == 0, has_zero }
}

/// What a text has of bytes that few texts have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rare {
    /// True when every byte is ASCII.
    pub is_ascii: bool,
    /// True when a byte is zero.
    pub has_zero: bool,
}

/// Where literals may begin: one bit for each byte of a step.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Starts {
    /// Bytes at which one of a set of words may begin.
    pub word: u64,
    /// Bytes at which a pair may begin.
    pub pair: u64,
}

/// Calls `look` with the places of each step of `text` where literals may begin, if there are
/// any, and with where the step starts, until it breaks.
///
/// Behind the end of the text bytes are zero.
pub fn search<const WORDS: usize>(
    text: &[u8],
    tables: (&WordSet<WORDS>, &PairTable),
    mut look: impl FnMut(&Starts, usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut pass = Search { words: tables.0, pairs: tables.1 };
    steps_of(Level::new(), text, &mut pass, |_, steps, at| {
        for (starts, at) in steps.iter().zip((at..).step_by(STEP)) {
            if starts.word | starts.pair != 0 {
                look(starts, at)?;
            }
        }
        ControlFlow::Continue(())
    })
}

/// What is done with the bytes of a step.
pub trait Pass {
    /// What comes of it.
    type Step: Default + Copy;

    /// Fills `steps` with what comes of `text`, which goes on for a little behind them.
    fn fill<S: Simd>(&mut self, simd: S, text: &[u8], steps: &mut [Self::Step]);
}

/// Calls `look` with what comes of some steps of `text` and where the first of them starts, until
/// it breaks.
///
/// Behind the end of the text bytes are zero.
pub fn steps_of<P: Pass>(
    level: Level,
    text: &[u8],
    pass: &mut P,
    mut look: impl FnMut(&P, &[P::Step], usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut steps = [P::Step::default(); TOGETHER];
    let mut at = 0;
    while text.len() - at >= STEP + BEHIND {
        let count = ((text.len() - at - BEHIND) / STEP).min(TOGETHER);
        let part = &text[at..at + count * STEP + BEHIND];
        dispatch!(level, simd => pass.fill(simd, part, &mut steps[..count]));
        look(pass, &steps[..count], at)?;
        at += count * STEP;
    }
    let mut rest = [0; 2 * STEP + BEHIND];
    let left = text.len() - at;
    rest[..left].copy_from_slice(&text[at..]);
    let count = left.div_ceil(STEP);
    let part = &rest[..count * STEP + BEHIND];
    dispatch!(level, simd => pass.fill(simd, part, &mut steps[..count]));
    look(pass, &steps[..count], at)
}

/// The pass for [`scan`].
struct Signs<'a, const WORDS: usize> {
    windows: &'a WindowTable,
    words: &'a WordSet<WORDS>,
    places: Places,
    ends: Ends,
    /// The colons of the step before that a slash follows.
    colon: u64,
    /// Bytes beyond ASCII, of all steps.
    high: u64,
    /// Bytes that are zero, of the last steps.
    zero: u64,
}

impl<'a, const WORDS: usize> Signs<'a, WORDS> {
    fn new(windows: &'a WindowTable, words: &'a WordSet<WORDS>) -> Signs<'a, WORDS> {
        let places = Places::default();
        Signs { windows, words, places, ends: Ends::default(), colon: 0, high: 0, zero: 0 }
    }
}

impl<const WORDS: usize> Pass for Signs<'_, WORDS> {
    type Step = Masks;

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, text: &[u8], steps: &mut [Masks]) {
        let windows = Windows::of(simd, self.windows);
        self.places.clear();
        self.ends.begin(steps.len().min(TOGETHER));
        let mut together = u8x64::splat(simd, 0);
        let mut least = u8x64::splat(simd, 0xff);
        for (index, masks) in steps.iter_mut().enumerate() {
            let step = &text[index * STEP..(index + 1) * STEP + BEHIND];
            let bytes = u8x64::from_slice(simd, &step[..STEP]);
            self.ends.note(index, kinds_of(simd, bytes));
            masks.sign = self.signs(simd, bytes, u8x64::from_slice(simd, &step[1..=STEP]));
            masks.window = windows.starts(simd, step);
            self.places.add(masks.window, index * STEP);
            together |= bytes;
            least = least.min(bytes);
        }
        self.places.keep(|place| match text.get(place..).and_then(<[u8]>::first_chunk) {
            Some(four) => self.words.bit(*four),
            None => 0,
        });
        let mut ends = [0; TOGETHER];
        self.ends.take(simd, &mut ends);
        steps.iter_mut().zip(ends).for_each(|(masks, ends)| masks.ends = ends);
        self.zero = least.simd_eq(u8x64::splat(simd, 0)).to_bitmask();
        self.high |= together.simd_ge(u8x64::splat(simd, 0x80)).to_bitmask();
    }
}

impl<const WORDS: usize> Signs<'_, WORDS> {
    /// The signs of a step that their neighbours do not rule out.
    #[inline(always)]
    fn signs<S: Simd>(&mut self, simd: S, text: u8x64<S>, next: u8x64<S>) -> u64 {
        let is = |byte: u8| text.simd_eq(u8x64::splat(simd, byte));
        let follows = |byte: u8| next.simd_eq(u8x64::splat(simd, byte));
        let name_follows = next.simd_ge(u8x64::splat(simd, b'0'));
        let named = (is(b'/') | is(b'%')) & name_follows;
        let sign = named | (is(b'/') & follows(b'.')) | (is(b'&') & follows(b'#'));
        let colon = (is(b':') & follows(b'/')).to_bitmask();
        let behind_colon = moved(colon, self.colon, 1);
        self.colon = colon;
        behind_colon | (sign | is(b'\\') | is(b'~') | is(0x1b)).to_bitmask()
    }
}

/// Letters and digits, digits, and both with underscores and dashes.
#[inline(always)]
fn kinds_of<S: Simd>(simd: S, text: u8x64<S>) -> [u64; 3] {
    let is = |byte: u8| text.simd_eq(u8x64::splat(simd, byte));
    let digit = within(simd, text, b'0', b'9');
    let alphanumeric = digit | within(simd, text | u8x64::splat(simd, 0x20), b'a', b'z');
    let joined = alphanumeric | is(b'_') | is(b'-');
    [alphanumeric.to_bitmask(), digit.to_bitmask(), joined.to_bitmask()]
}

/// Where bytes lie between two, both included.
#[inline(always)]
pub fn within<S: Simd>(simd: S, text: u8x64<S>, first: u8, last: u8) -> mask8x64<S> {
    (text - u8x64::splat(simd, first)).simd_le(u8x64::splat(simd, last - first))
}

/// The pass for [`search`].
struct Search<'a, const WORDS: usize> {
    words: &'a WordSet<WORDS>,
    pairs: &'a PairTable,
}

impl<const WORDS: usize> Pass for Search<'_, WORDS> {
    type Step = Starts;

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, text: &[u8], steps: &mut [Starts]) {
        let pairs = Pairs::of(simd, self.pairs);
        for (index, starts) in steps.iter_mut().enumerate() {
            let step = &text[index * STEP..(index + 1) * STEP + BEHIND];
            starts.pair = pairs.starts(simd, step);
            starts.word = words_of(simd, self.words, step);
        }
    }
}

/// Where in a step a word of the set may begin.
///
/// Each place is asked alone and nothing else depends on it, so that many are asked together.
#[inline(always)]
fn words_of<S: Simd, const WORDS: usize>(simd: S, words: &WordSet<WORDS>, step: &[u8]) -> u64 {
    let Some(step) = step.first_chunk::<{ STEP + BEHIND }>() else { return 0 };
    const PART: usize = 16;
    let mut flags = [0; STEP];
    for (flags, from) in flags.chunks_exact_mut(PART).zip((0..).step_by(PART)) {
        // Behind the end of a text, where no word begins.
        if step[from..from + PART] == [0; PART] {
            continue;
        }
        for (flag, at) in flags.iter_mut().zip(from..) {
            *flag = words.bit([step[at], step[at + 1], step[at + 2], step[at + 3]]) as u8;
        }
    }
    (!u8x64::from_slice(simd, &flags).simd_eq(u8x64::splat(simd, 0))).to_bitmask()
}

/// A [`WindowTable`] in registers.
struct Windows<S: Simd>([[[u8x64<S>; 2]; WINDOW]; PARTS]);

/// True where one look-up may choose from a whole register, and so from all classes of bytes.
#[inline(always)]
fn is_wide<S: Simd>() -> bool {
    <S::u8s as SimdBase<S>>::LEN == STEP
}

impl<S: Simd> Windows<S> {
    #[inline(always)]
    fn of(simd: S, table: &WindowTable) -> Windows<S> {
        let mut parts = [[[u8x64::splat(simd, 0); 2]; WINDOW]; PARTS];
        for (part, groups) in parts.iter_mut().zip(table.parts()) {
            for (place, rows) in part.iter_mut().zip(groups) {
                *place = match is_wide::<S>() {
                    true => [both_rows(simd, rows); 2],
                    false => rows.map(|row| in_every_block(simd, &row)),
                };
            }
        }
        Windows(parts)
    }

    /// Where in a step a window may begin.
    #[inline(always)]
    fn starts(&self, simd: S, step: &[u8]) -> u64 {
        let mut together = [u8x64::splat(simd, 0xff); PARTS];
        for place in 0..WINDOW {
            let class = Class::of(simd, u8x64::from_slice(simd, &step[place..place + STEP]));
            for (together, part) in together.iter_mut().zip(&self.0) {
                *together &= class.groups(part[place]);
            }
        }
        let any = together.into_iter().fold(u8x64::splat(simd, 0), |any, part| any | part);
        !any.simd_eq(u8x64::splat(simd, 0)).to_bitmask()
    }
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
        let most = if is_wide::<S>() { 31 } else { 15 };
        Class { index: text & u8x64::splat(simd, most), is_high: (text & high).simd_eq(high) }
    }

    /// The groups that allow each byte.
    #[inline(always)]
    fn groups(self, [low, high]: [u8x64<S>; 2]) -> u8x64<S> {
        if is_wide::<S>() {
            return low.swizzle_dyn(self.index);
        }
        let high = high.swizzle_dyn_within_blocks(self.index);
        self.is_high.select(high, low.swizzle_dyn_within_blocks(self.index))
    }
}

/// What thirty-two indices stand for, in a register that looks one up in all of it.
#[inline(always)]
fn both_rows<S: Simd>(simd: S, rows: &[Row; 2]) -> u8x64<S> {
    let mut both = [0; STEP];
    both[..32].copy_from_slice(rows.as_flattened());
    u8x64::from_slice(simd, &both)
}

/// What sixteen indices stand for, in every part of a register that looks one up.
#[inline(always)]
fn in_every_block<S: Simd>(simd: S, row: &Row) -> u8x64<S> {
    u8x64::block_splat(u8x16::from_slice(simd, row))
}

/// A [`PairTable`] in registers.
struct Pairs<S: Simd>([[u8x64<S>; 2]; PAIR]);

impl<S: Simd> Pairs<S> {
    #[inline(always)]
    fn of(simd: S, table: &PairTable) -> Pairs<S> {
        let mut places = [[u8x64::splat(simd, 0); 2]; PAIR];
        for (place, rows) in places.iter_mut().zip(table.places()) {
            *place = rows.map(|row| in_every_block(simd, &row));
        }
        Pairs(places)
    }

    /// Where in a step a pair may begin.
    #[inline(always)]
    fn starts(&self, simd: S, step: &[u8]) -> u64 {
        let mut together = u8x64::splat(simd, 0xff);
        for (place, [low, high]) in self.0.iter().enumerate() {
            let bytes = u8x64::from_slice(simd, &step[place..place + STEP]);
            together &= low.swizzle_dyn_within_blocks(bytes & u8x64::splat(simd, 15))
                & high.swizzle_dyn_within_blocks(bytes >> 4);
        }
        !together.simd_eq(u8x64::splat(simd, 0)).to_bitmask()
    }
}

#[cfg(test)]
#[path = "masks_tests.rs"]
mod tests;
