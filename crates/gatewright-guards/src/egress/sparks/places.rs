//! The places of set bits, written one behind the other without asking how many there are.
//!
//! Where bits are few and stand anywhere, each question whether there is one more is answered
//! wrongly by the processor's guess; so a few places are always written and then counted.

use super::masks::{STEP, TOGETHER};

/// How many places are written at once.
const FEW: usize = 4;

/// The places of bits in some steps, counted from the first step.
#[derive(Debug)]
pub struct Places {
    places: [u16; TOGETHER * STEP],
    count: usize,
}

impl Default for Places {
    fn default() -> Places {
        Places { places: [0; TOGETHER * STEP], count: 0 }
    }
}

impl Places {
    /// Forgets all places.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds the places of the set bits, the lowest of which is at `at`.
    #[inline(always)]
    pub fn add(&mut self, mut bits: u64, at: usize) {
        let count = self.count + bits.count_ones() as usize;
        let mut next = self.count;
        while let Some(few) = self.places.get_mut(next..next + FEW) {
            for place in few {
                *place = at as u16 + bits.trailing_zeros() as u16;
                bits &= bits.wrapping_sub(1);
            }
            next += FEW;
            if next >= count {
                break;
            }
        }
        // Where there is no room for a few more, what is left is written alone.
        for place in self.places.iter_mut().take(count).skip(next) {
            *place = at as u16 + bits.trailing_zeros() as u16;
            bits &= bits.wrapping_sub(1);
        }
        self.count = count;
    }

    /// Keeps the places for which `bit` says one, and not those for which it says zero.
    #[inline(always)]
    pub fn keep(&mut self, bit: impl Fn(usize) -> u32) {
        let mut kept = 0;
        for index in 0..self.count.min(self.places.len()) {
            let place = self.places[index];
            self.places[kept] = place;
            kept += bit(usize::from(place)) as usize;
        }
        self.count = kept;
    }

    /// The places, in order.
    #[inline]
    pub fn kept(&self) -> &[u16] {
        &self.places[..self.count]
    }
}

/// The places of the set bits, the lowest of which is at `at`.
pub fn bits_of(mut bits: u64, at: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (bits != 0).then(|| at + bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(place)
    })
}

#[cfg(test)]
mod tests {
    use proptest::strategy::Strategy as _;

    use super::*;

    proptest::proptest! {
        #[test]
        fn every_set_bit_has_its_place(
            words in proptest::collection::vec(
                proptest::prop_oneof![
                    proptest::num::u64::ANY,
                    proptest::strategy::Just(0),
                    proptest::strategy::Just(u64::MAX),
                    (0..STEP).prop_map(|place| 1 << place),
                ],
                0..=TOGETHER,
            ),
        ) {
            let mut places = Places::default();
            let mut expected = Vec::new();
            for (index, word) in words.iter().enumerate() {
                places.add(*word, index * STEP);
                let bits = (0..STEP).filter(|bit| word >> bit & 1 == 1);
                expected.extend(bits.map(|bit| (index * STEP + bit) as u16));
            }
            proptest::prop_assert_eq!(places.kept(), &expected);
            places.keep(|place| (place % 3 == 0).into());
            expected.retain(|place| place % 3 == 0);
            proptest::prop_assert_eq!(places.kept(), &expected);
        }
    }
}
