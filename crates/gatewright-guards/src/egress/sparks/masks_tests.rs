//! Every bit of the vector passes against a look at each byte, at every length and level.

use super::*;

/// A text with zeros around it.
struct Padded<'a>(&'a [u8]);

impl Padded<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    fn four(&self, at: usize) -> [u8; WINDOW] {
        [0, 1, 2, 3].map(|place| self.byte(at + place))
    }

    /// True when so many bytes that end at `at` all belong.
    fn ends(&self, at: usize, count: usize, belongs: impl Fn(u8) -> bool) -> bool {
        at + 1 >= count && (at + 1 - count..=at).all(|at| belongs(self.byte(at)))
    }

    /// True when a digit is among so many bytes that end at `at`.
    fn has_digit(&self, at: usize, count: usize) -> bool {
        ((at + 1).saturating_sub(count)..=at).any(|at| self.byte(at).is_ascii_digit())
    }

    fn is_end(&self, at: usize) -> bool {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric();
        let is_joined = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        self.ends(at, 8, is_letter) && self.has_digit(at, 8)
            || self.ends(at, 16, is_letter)
            || self.ends(at, 16, is_joined) && self.has_digit(at, 16)
    }

    fn is_sign(&self, at: usize) -> bool {
        let next = self.byte(at + 1);
        match self.byte(at) {
            b'\\' | b'~' | 0x1b => true,
            b'/' => next >= b'0' || next == b'.' || at > 0 && self.byte(at - 1) == b':',
            b'%' => next >= b'0',
            b'&' => next == b'#',
            _ => false,
        }
    }

    fn is_window(&self, at: usize, windows: &[[u8; WINDOW]]) -> bool {
        let is_at = |window: &[u8; WINDOW]| {
            (0..WINDOW).all(|place| (self.byte(at + place) ^ window[place]) & 31 == 0)
        };
        windows.iter().any(is_at)
    }

    fn is_pair(&self, at: usize, table: &PairTable) -> bool {
        let groups = table.places().iter().enumerate().map(|(place, [low, high])| {
            let byte = usize::from(self.byte(at + place));
            low[byte & 15] & high[byte >> 4]
        });
        groups.fold(0xff, |all, groups| all & groups) != 0
    }
}

/// One bit for each byte of the step at `at`.
fn bits(at: usize, is_set: impl Fn(usize) -> bool) -> u64 {
    (0..STEP).fold(0, |bits, offset| bits | u64::from(is_set(at + offset)) << offset)
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

/// Calls `check` with each level and with texts of every length.
fn each_text(check: impl Fn(Level, &[u8])) {
    let all: Vec<u8> = (0..=255).collect();
    let words = b"a PwD1=sk_:*: /~%&\\\x1b[ and disk_pwd\xc3\xa9 0-9_x &#1; %41 :// ./.a abcdefgh\
        ijklmnopqrstuvwxyz01-23_Q4567890"
        .repeat(3);
    for (level, text) in levels().into_iter().flat_map(|level| [(level, &all), (level, &words)]) {
        (0..=text.len()).for_each(|length| check(level, &text[..length]));
    }
}

#[test]
fn each_byte_has_the_bits_of_its_class_at_every_length() {
    let windows = [*b"pwd1", *b"sk_:", *b":*: "];
    let mut table = WindowTable::default();
    for (group, window) in windows.iter().enumerate() {
        for (place, byte) in window.iter().enumerate() {
            table.allow(place, *byte, group * 5);
        }
    }
    let mut words = WordSet::<64>::default();
    windows.iter().take(2).for_each(|window| words.add(window));
    each_text(|level, text| {
        let padded = Padded(text);
        let mut pass = Signs::new(&table, &words);
        let mut last = 0;
        let _ = steps_of(level, text, &mut pass, |pass, steps, first| {
            for (masks, at) in steps.iter().zip((first..).step_by(STEP)) {
                let expected = Masks {
                    ends: bits(at, |at| padded.is_end(at)),
                    sign: bits(at, |at| padded.is_sign(at)),
                    window: bits(at, |at| padded.is_window(at, &windows)),
                };
                assert_eq!(*masks, expected, "{level:?}, {at} of {}", text.len());
                last = at + STEP;
            }
            let is_kept =
                |at: &usize| padded.is_window(*at, &windows) && words.bit(padded.four(*at)) == 1;
            let kept = (first..first + steps.len() * STEP).filter(is_kept);
            assert!(kept.eq(pass.places.kept().iter().map(|place| first + usize::from(*place))));
            ControlFlow::Continue(())
        });
        assert!(last >= text.len());
        assert_eq!(pass.high == 0, text.is_ascii());
        let rare = scan(text, (&table, &words), |_, _| {});
        let has_zero = text.contains(&0);
        assert_eq!(rare, Rare { is_ascii: text.is_ascii(), has_zero });
    });
}

#[test]
fn each_pair_and_word_is_seen_at_every_length() {
    let mut pairs = PairTable::default();
    [*b"/~", *b" /", *b"pw", *b"sk"].into_iter().for_each(|pair| pairs.add(pair));
    let mut words = WordSet::<64>::default();
    [*b"pwd1", *b" and", *b"://\x20"].into_iter().for_each(|word| words.add(&word));
    each_text(|level, text| {
        let padded = Padded(text);
        let is_word = |at: usize| words.bit(padded.four(at)) == 1;
        let mut pass = Search { words: &words, pairs: &pairs };
        let _ = steps_of(level, text, &mut pass, |_, steps, first| {
            for (starts, at) in steps.iter().zip((first..).step_by(STEP)) {
                let pair = bits(at, |at| padded.is_pair(at, &pairs));
                let expected = Starts { word: bits(at, is_word), pair };
                assert_eq!(*starts, expected, "{level:?}, {at} of {}", text.len());
            }
            ControlFlow::Continue(())
        });
    });
}
