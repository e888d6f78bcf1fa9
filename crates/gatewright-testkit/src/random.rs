//! Random tests that print their seed, take it back, and run longer on demand.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// The seed of this test: `GATEWRIGHT_SEED` when set, else a fresh one.
///
/// It is printed, so a failing test shows what to set to see the failure again.
pub fn seed() -> u64 {
    let seed = number("GATEWRIGHT_SEED").unwrap_or_else(|| RandomState::new().hash_one(0_u8));
    println!("repeat with GATEWRIGHT_SEED={seed}");
    seed
}

/// How many cases to run: `GATEWRIGHT_CASES` when set, else `default`.
pub fn cases(default: u64) -> u64 {
    number("GATEWRIGHT_CASES").unwrap_or(default)
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let parsed = text.trim().replace('_', "").parse();
    Some(parsed.unwrap_or_else(|_| panic!("{variable}={text:?} is not a whole number")))
}

/// A small repeatable generator (SplitMix64). Not for secrets.
///
/// ```
/// use gatewright_testkit::Random;
/// let (mut one, mut other) = (Random::new(7), Random::new(7));
/// assert_eq!(one.next_u64(), other.next_u64());
/// assert!(one.below(10) < 10);
/// ```
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator that gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number below `limit`, which must not be zero. The bias is below 2^-32 for small limits.
    pub fn below(&mut self, limit: usize) -> usize {
        assert!(limit > 0, "bug: no number is below zero");
        (self.next_u64() % limit as u64) as usize
    }

    /// True once in `one_in` times.
    pub fn one_in(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    /// One of `items`, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// `length` random bytes.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next_u64() as u8).collect()
    }
}
