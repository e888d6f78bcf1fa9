//! Where runs end that may be a value, found by shifts of bits.
//!
//! A run of eight is found by three shifts, so text without one costs next to nothing.

use super::masks::Kinds;

/// What the step before showed, for runs that go on from it.
#[derive(Debug, Default)]
pub struct Ends {
    letters: Doubled,
    digits: Doubled,
    joined: Doubled,
    /// The last eight bytes are letters or digits.
    eights: u64,
    /// A digit is among the last eight bytes.
    near_digit: u64,
    joined_eights: u64,
}

/// The bits of a step, over one, two and four bytes.
#[derive(Debug, Default)]
struct Doubled([u64; 3]);

impl Ends {
    /// The ends of eight letters or digits with a digit among them, of sixteen without,
    /// and of sixteen with a digit that underscores and dashes may join.
    #[inline(always)]
    pub fn of(&mut self, kinds: &Kinds) -> u64 {
        let eights = self.letters.every(kinds.alphanumeric);
        let near_digit = self.digits.any(kinds.digit);
        let joined_eights = self.joined.every(kinds.joined);
        let far_digit = near_digit | moved(near_digit, self.near_digit, 8);
        let sixteens = eights & moved(eights, self.eights, 8);
        let joined = joined_eights & moved(joined_eights, self.joined_eights, 8) & far_digit;
        (self.eights, self.near_digit, self.joined_eights) = (eights, near_digit, joined_eights);
        (eights & near_digit) | sixteens | joined
    }
}

impl Doubled {
    /// The ends of eight set bits.
    #[inline(always)]
    fn every(&mut self, one: u64) -> u64 {
        let two = one & moved(one, self.0[0], 1);
        let four = two & moved(two, self.0[1], 2);
        let eight = four & moved(four, self.0[2], 4);
        self.0 = [one, two, four];
        eight
    }

    /// The ends of eight bits of which one is set.
    #[inline(always)]
    fn any(&mut self, one: u64) -> u64 {
        let two = one | moved(one, self.0[0], 1);
        let four = two | moved(two, self.0[1], 2);
        let eight = four | moved(four, self.0[2], 4);
        self.0 = [one, two, four];
        eight
    }
}

/// Each bit of `now` so many places later, those of the step before included.
#[inline(always)]
pub fn moved(now: u64, before: u64, places: u32) -> u64 {
    (now << places) | (before >> (64 - places))
}
