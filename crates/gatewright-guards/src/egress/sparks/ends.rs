//! Where runs end that may be a value, found by shifts of bits.
//!
//! A run of eight is found by three shifts. Many steps are shifted together, in registers, so
//! text without such a run costs next to nothing.

use super::masks::TOGETHER;

/// One bit for each byte of some steps, behind those of the step before them.
#[derive(Debug)]
struct Bits([u64; TOGETHER + 1]);

impl Bits {
    const NONE: Bits = Bits([0; TOGETHER + 1]);

    /// The bits of so many steps.
    #[inline(always)]
    fn steps(&self, count: usize) -> &[u64] {
        &self.0[1..=count]
    }

    /// The bits of each step, and of the step before it.
    #[inline(always)]
    fn pairs(&self, count: usize) -> impl Iterator<Item = (u64, u64)> {
        self.steps(count).iter().copied().zip(self.0.iter().copied())
    }

    /// Keeps the last of so many steps for what comes next.
    #[inline(always)]
    fn go_on(&mut self, count: usize) {
        self.0[0] = self.0[count];
    }
}

/// The bits of some steps, over one, two, four and eight bytes.
#[derive(Debug)]
struct Doubled([Bits; 4]);

impl Doubled {
    const NONE: Doubled = Doubled([Bits::NONE; 4]);

    /// Fills in the bits over two, four and eight bytes.
    #[inline(always)]
    fn double(&mut self, count: usize, both: impl Fn(u64, u64) -> u64) {
        for (index, places) in [1, 2, 4].into_iter().enumerate() {
            let [known, doubled] = &mut self.0[index..index + 2] else { return };
            let pairs = known.pairs(count);
            for (bits, (now, before)) in doubled.0[1..=count].iter_mut().zip(pairs) {
                *bits = both(now, moved(now, before, places));
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
    /// Letters and digits.
    letters: Doubled,
    digits: Doubled,
    /// Letters, digits, underscores and dashes.
    joined: Doubled,
}

impl Default for Ends {
    fn default() -> Ends {
        Ends { letters: Doubled::NONE, digits: Doubled::NONE, joined: Doubled::NONE }
    }
}

impl Ends {
    /// Notes what the bytes of the step at `index` are: letters and digits, digits, and both
    /// with what joins them.
    #[inline(always)]
    pub fn note(&mut self, index: usize, [letters, digits, joined]: [u64; 3]) {
        self.letters.0[0].0[index + 1] = letters;
        self.digits.0[0].0[index + 1] = digits;
        self.joined.0[0].0[index + 1] = joined;
    }

    /// For each of so many steps the ends of eight letters or digits with a digit among them,
    /// of sixteen without, and of sixteen with a digit that underscores and dashes may join.
    #[inline(always)]
    pub fn take(&mut self, count: usize, ends: &mut [u64; TOGETHER]) {
        self.letters.double(count, |now, moved| now & moved);
        self.digits.double(count, |now, moved| now | moved);
        self.joined.double(count, |now, moved| now & moved);
        let letters = self.letters.eights().pairs(count);
        let digits = self.digits.eights().pairs(count);
        let joined = self.joined.eights().pairs(count);
        let all = ends.iter_mut().zip(letters).zip(digits).zip(joined);
        for (((ends, (eights, before)), (near, near_before)), (joined, joined_before)) in all {
            let sixteens = eights & moved(eights, before, 8);
            let far_digit = near | moved(near, near_before, 8);
            let joined = joined & moved(joined, joined_before, 8) & far_digit;
            *ends = (eights & near) | sixteens | joined;
        }
        for kind in [&mut self.letters, &mut self.digits, &mut self.joined] {
            kind.go_on(count);
        }
    }
}

/// Each bit of `now` so many places later, those of the step before included.
#[inline(always)]
pub fn moved(now: u64, before: u64, places: u32) -> u64 {
    (now << places) | (before >> (64 - places))
}
