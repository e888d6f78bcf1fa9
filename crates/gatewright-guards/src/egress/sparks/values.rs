//! Whether a run of letters, digits, underscores and dashes may be a value, by what it is made of.

use std::ops::Range;

use super::kinds::{Short, low_bits};
use crate::egress::catalogue::is_wordy;

/// The shortest run with a digit that may be a value.
pub const SHORT: usize = 8;
/// From here on a run is a value unless it plainly is words.
pub const LONG: usize = 16;

/// True when a part of the run at `range` is no word, or the whole mixes all that tokens mix.
pub fn may_be_value(text: &[u8], range: &Range<usize>) -> bool {
    let run = &text[range.clone()];
    let signs = Signs::among(run);
    if signs & Signs::SEPARATOR == 0 {
        return may_be_part(&text[..range.start], run, || Digits::among(run));
    }
    if run.len() >= LONG && signs == Signs::ALL {
        return true;
    }
    let mut start = range.start;
    for part in run.split(|byte| matches!(byte, b'_' | b'-')) {
        if may_be_part(&text[..start], part, || Digits::among(part)) {
            return true;
        }
        start += part.len() + 1;
    }
    false
}

/// As [`may_be_value`], for a run of which it is known what its bytes are.
pub fn may_be_short_value(text: &[u8], range: &Range<usize>, short: Short) -> bool {
    let run = &text[range.clone()];
    let is_mixed = run.len() >= LONG && short.digits != 0 && short.separators != 0;
    if is_mixed && Signs::among(run) == Signs::ALL {
        return true;
    }
    let mut start = 0;
    let mut separators = short.separators;
    loop {
        let end = run.len().min(separators.trailing_zeros() as usize);
        let digits = || Digits::of_bits(short.digits >> start & low_bits(end - start));
        if may_be_part(&text[..range.start + start], &run[start..end], digits) {
            return true;
        }
        if separators == 0 {
            return false;
        }
        separators &= separators - 1;
        start = end + 1;
    }
}

/// What a run is made of, one bit each.
struct Signs;

impl Signs {
    const SEPARATOR: u8 = 8;
    /// Both cases and digits, between separators that tokens happen to have.
    const ALL: u8 = 15;

    /// What a run is made of. What comes after all signs were seen adds none.
    fn among(run: &[u8]) -> u8 {
        const TOGETHER: usize = 32;
        let mut signs = 0;
        for part in run.chunks(TOGETHER) {
            signs = part.iter().fold(signs, |signs, byte| signs | SIGNS[usize::from(*byte)]);
            if signs == Signs::ALL {
                break;
            }
        }
        signs
    }
}

static SIGNS: [u8; 256] = signs();

const fn signs() -> [u8; 256] {
    let mut table = [Signs::SEPARATOR; 256];
    let mut byte = 0;
    while byte < 256 {
        match byte as u8 {
            b'0'..=b'9' => table[byte] = 1,
            b'A'..=b'Z' => table[byte] = 2,
            b'a'..=b'z' => table[byte] = 4,
            _ => {}
        }
        byte += 1;
    }
    table
}

/// What the digits of a part of a run are like.
struct Digits {
    /// How many there are.
    count: usize,
    /// How many there are at the start.
    leading: usize,
    /// How often one follows what is none.
    groups: usize,
}

impl Digits {
    /// The digits of `part`.
    fn among(part: &[u8]) -> Digits {
        let starts =
            part.windows(2).filter(|two| !two[0].is_ascii_digit() && two[1].is_ascii_digit());
        Digits {
            count: part.iter().filter(|byte| byte.is_ascii_digit()).count(),
            leading: part.iter().take_while(|byte| byte.is_ascii_digit()).count(),
            groups: starts.count(),
        }
    }

    /// The digits of a part whose first byte has the lowest bit.
    #[inline]
    fn of_bits(digits: u64) -> Digits {
        Digits {
            count: digits.count_ones() as usize,
            leading: digits.trailing_ones() as usize,
            groups: (digits & !(digits << 1) & !1).count_ones() as usize,
        }
    }
}

/// True when a part of a run, behind `before`, is long enough and no word.
#[inline]
fn may_be_part(before: &[u8], part: &[u8], digits: impl FnOnce() -> Digits) -> bool {
    if part.len() < SHORT {
        return false;
    }
    let digits = digits();
    if digits.count == 0 {
        return part.len() >= LONG && !is_wordy(part);
    }
    if is_number(part, &digits) {
        return part.len() > 24;
    }
    part.len() >= LONG || !is_named_word(part, &digits) || is_assigned(before)
}

/// `123456789`, `1000000u64`, `0x9e3779b9`.
fn is_number(part: &[u8], digits: &Digits) -> bool {
    let suffix = part.len() - digits.count;
    (suffix <= 3 && digits.leading == digits.count)
        || (part.len() <= 18 && matches!(part, [b'0', b'x' | b'X', ..]))
}

/// `Float32Array`, `version12`: a word with one number in it.
fn is_named_word(part: &[u8], digits: &Digits) -> bool {
    digits.groups <= 1 && digits.count * 3 <= part.len() && digits.leading == 0
}

/// True when `before` ends as what stands before a value does.
fn is_assigned(before: &[u8]) -> bool {
    match before.last() {
        Some(b'=' | b'"' | b'\'' | b'`' | b':' | b'\n') | None => true,
        Some(b' ') => matches!(before.get(before.len().saturating_sub(2)), Some(b'=' | b':')),
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_short_run_is_judged_as_a_long_one(
            before in "[ =:\"a]{0,2}",
            run in "([a-zA-Z]{0,9}[0-9]{0,3}[_-]?){1,6}|0x[0-9a-f]{0,20}|[a-z_]{0,24}|[0-9]{0,26}u?",
        ) {
            let text = [before.as_bytes(), run.as_bytes()].concat();
            let range = before.len()..text.len().min(before.len() + 64);
            let bits = |belongs: fn(u8) -> bool| {
                let places = text[range.clone()].iter().enumerate();
                places.fold(0, |bits, (place, byte)| bits | u64::from(belongs(*byte)) << place)
            };
            let short = Short {
                digits: bits(|byte| byte.is_ascii_digit()),
                separators: bits(|byte| matches!(byte, b'_' | b'-')),
            };
            proptest::prop_assert_eq!(
                may_be_short_value(&text, &range, short),
                may_be_value(&text, &range)
            );
        }
    }
}
