//! Where runs end that may be a value, found by shifts of bits.
//!
//! A run of eight is found by three shifts. Many steps are shifted together, in registers, so
//! text without such a run costs next to nothing.

use fearless_simd::prelude::*;
use fearless_simd::u64x8;

use super::kinds::Kinds;
use super::masks::TOGETHER;

/// How many steps are shifted together.
const LANES: usize = 8;
const _: () = assert!(TOGETHER.is_multiple_of(LANES));

/// One bit for each byte of some steps, behind those of the step before them.
#[derive(Debug)]
struct Bits([u64; TOGETHER + 1]);

impl Bits {
    const NONE: Bits = Bits([0; TOGETHER + 1]);

    /// The bits of the steps from `first` on, and those so many places before them.
    #[inline(always)]
    fn moved<S: Simd>(&self, simd: S, first: usize, places: u32) -> [u64x8<S>; 2] {
        let now = u64x8::from_slice(simd, &self.0[first + 1..=first + LANES]);
        let before = u64x8::from_slice(simd, &self.0[first..first + LANES]);
        [now, (now << places) | (before >> (64 - places))]
    }

    /// Keeps the last of so many steps for what comes next.
    #[inline(always)]
    fn go_on(&mut self, count: usize) {
        self.0[0] = self.0[count];
    }

    /// The bits of the step before some steps and of so many steps.
    #[inline(always)]
    fn with_before(&self, count: usize) -> &[u64] {
        &self.0[..=count]
    }
}

/// The bits of some steps, over one, two, four and eight bytes.
#[derive(Debug)]
struct Doubled([Bits; 4]);

impl Doubled {
    const NONE: Doubled = Doubled([Bits::NONE; 4]);

    /// Fills in the bits over two, four and eight bytes of so many steps.
    #[inline(always)]
    fn double<S: Simd>(
        &mut self,
        simd: S,
        count: usize,
        both: impl Fn(u64x8<S>, u64x8<S>) -> u64x8<S>,
    ) {
        for (index, places) in [1, 2, 4].into_iter().enumerate() {
            for first in (0..count).step_by(LANES) {
                let [now, moved] = self.0[index].moved(simd, first, places);
                both(now, moved).store_slice(&mut self.0[index + 1].0[first + 1..=first + LANES]);
            }
        }
    }

    /// The bits over eight bytes.
    #[inline(always)]
    fn eights(&self) -> &Bits {
        &self.0[3]
    }

    #[inline(always)]
    fn go_on(&mut self, count: usize) {
        self.0.iter_mut().for_each(|bits| bits.go_on(count));
    }
}

/// What the bytes of some steps are, and what the step before them showed.
#[derive(Debug)]
pub struct Ends {
    /// How many steps were noted last.
    count: usize,
    /// Letters and digits.
    letters: Doubled,
    digits: Doubled,
    /// Letters, digits, underscores and dashes.
    joined: Doubled,
}

impl Default for Ends {
    fn default() -> Ends {
        Ends { count: 0, letters: Doubled::NONE, digits: Doubled::NONE, joined: Doubled::NONE }
    }
}

impl Ends {
    /// Goes on to the next so many steps, whose bytes are to be noted.
    #[inline(always)]
    pub fn begin(&mut self, count: usize) {
        for kind in [&mut self.letters, &mut self.digits, &mut self.joined] {
            kind.go_on(self.count);
        }
        self.count = count;
    }

    /// What the bytes of the last steps are, the first of which begins at `start`.
    #[inline(always)]
    pub fn kinds(&self, start: usize) -> Kinds<'_> {
        Kinds {
            start,
            letters: self.letters.0[0].with_before(self.count),
            digits: self.digits.0[0].with_before(self.count),
            joined: self.joined.0[0].with_before(self.count),
        }
    }

    /// Notes what the bytes of the step at `index` are: letters and digits, digits, and both
    /// with what joins them.
    #[inline(always)]
    pub fn note(&mut self, index: usize, [letters, digits, joined]: [u64; 3]) {
        self.letters.0[0].0[index + 1] = letters;
        self.digits.0[0].0[index + 1] = digits;
        self.joined.0[0].0[index + 1] = joined;
    }

    /// For each of the steps the ends of eight letters or digits with a digit among them,
    /// of sixteen without, and of sixteen with a digit that underscores and dashes may join.
    #[inline(always)]
    pub fn take<S: Simd>(&mut self, simd: S, ends: &mut [u64; TOGETHER]) {
        let count = self.count;
        self.letters.double(simd, count, |now, moved| now & moved);
        self.digits.double(simd, count, |now, moved| now | moved);
        self.joined.double(simd, count, |now, moved| now & moved);
        for first in (0..count).step_by(LANES) {
            let [letters, letters_before] = self.letters.eights().moved(simd, first, 8);
            let [near_digit, digits_before] = self.digits.eights().moved(simd, first, 8);
            let [joined, joined_before] = self.joined.eights().moved(simd, first, 8);
            let far_digit = near_digit | digits_before;
            let sixteens = (letters & letters_before) | (joined & joined_before & far_digit);
            ((letters & near_digit) | sixteens).store_slice(&mut ends[first..first + LANES]);
        }
    }
}

/// Each bit of `now` so many places later, those of the step before included.
#[inline(always)]
pub fn moved(now: u64, before: u64, places: u32) -> u64 {
    (now << places) | (before >> (64 - places))
}
