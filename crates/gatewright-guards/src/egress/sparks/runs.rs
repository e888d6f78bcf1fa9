//! Runs of letters and digits that may be a value: long enough, and not a word.
//!
//! Bytes become bits, 48 at a time, and a run of eight is found by three shifts,
//! so text without one costs little more than a load and a compare for each byte.

use std::ops::Range;

use crate::egress::catalogue::is_wordy;
use crate::egress::detect::key_lines::LINE;
use crate::egress::detect::text::{far_run_end, is_base64_byte};

use super::super::shadow::{SHORTEST_RUN, promises_text};

/// New bytes for each step; the other bits of a word are the bytes before them.
const STEP: usize = 48;
const OVERLAP: usize = 64 - STEP;
/// The shortest run with a digit that may be a value.
const SHORT: usize = 8;
/// From here on a run is a value unless it plainly is words.
const LONG: usize = 16;

/// What the runs of a text say.
pub trait RunSink {
    /// A run that may be a value.
    fn value(&mut self, run: Range<usize>);
    /// The start of a run that decodes to text.
    fn encoded(&mut self, start: usize);
    /// The start of a run that is as long as a line of key material.
    fn line(&mut self, start: usize);
}

/// Calls `sink` for each run that may be a value or hide one.
pub fn scan(text: &[u8], sink: &mut impl RunSink) {
    let mut scanner = Scanner { text, value_end: 0, encoded_end: 0, sink };
    let mut word = Bits::default();
    let mut at = 0;
    let mut steps = text.chunks_exact(STEP);
    for step in &mut steps {
        if let Ok(step) = <&[u8; STEP]>::try_from(step) {
            word.shift_in(step);
        }
        scanner.look(word.candidates(), at);
        at += STEP;
    }
    let mut rest = [0; STEP];
    rest[..steps.remainder().len()].copy_from_slice(steps.remainder());
    word.shift_in(&rest);
    scanner.look(word.candidates(), at);
}

/// One bit for each of the last bytes: the oldest lowest.
#[derive(Default)]
struct Bits {
    alphanumeric: u64,
    digit: u64,
    /// Letters, digits, underscores and dashes.
    joined: u64,
}

impl Bits {
    fn shift_in(&mut self, bytes: &[u8; STEP]) {
        let mut alphanumeric = [0u8; STEP];
        let mut digit = [0u8; STEP];
        let mut joined = [0u8; STEP];
        for (index, byte) in bytes.iter().enumerate() {
            let is_letter = u8::from((byte | 0x20).wrapping_sub(b'a') < 26);
            let is_digit = u8::from(byte.wrapping_sub(b'0') < 10);
            alphanumeric[index] = is_letter | is_digit;
            digit[index] = is_digit;
            joined[index] =
                is_letter | is_digit | u8::from(*byte == b'_') | u8::from(*byte == b'-');
        }
        self.alphanumeric = (self.alphanumeric >> STEP) | (packed(&alphanumeric) << OVERLAP);
        self.digit = (self.digit >> STEP) | (packed(&digit) << OVERLAP);
        self.joined = (self.joined >> STEP) | (packed(&joined) << OVERLAP);
    }

    /// The starts of eight letters or digits with a digit among them, of sixteen without,
    /// and of sixteen with a digit that underscores and dashes may join.
    fn candidates(&self) -> u64 {
        let runs = self.alphanumeric & (self.alphanumeric >> 1);
        let runs = runs & (runs >> 2);
        let runs = runs & (runs >> 4);
        let digits = self.digit | (self.digit >> 1);
        let digits = digits | (digits >> 2);
        let digits = digits | (digits >> 4);
        let joined = self.joined & (self.joined >> 1);
        let joined = joined & (joined >> 2);
        let joined = joined & (joined >> 4);
        let joined = joined & (joined >> 8) & (digits | (digits >> 8));
        (runs & (digits | (runs >> 8))) | joined
    }
}

/// The lowest bit of each byte, in order.
fn packed(flags: &[u8; STEP]) -> u64 {
    let mut bits = 0;
    for (index, eight) in flags.chunks_exact(8).enumerate() {
        let mut word = [0; 8];
        word.copy_from_slice(eight);
        let gathered = u64::from_le_bytes(word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= gathered << (index * 8);
    }
    bits
}

struct Scanner<'a, S> {
    text: &'a [u8],
    /// Up to here every run was seen.
    value_end: usize,
    encoded_end: usize,
    sink: &'a mut S,
}

impl<S: RunSink> Scanner<'_, S> {
    /// Looks at the runs that `candidates` names; its new bits begin at `at`.
    #[inline]
    fn look(&mut self, mut candidates: u64, at: usize) {
        while candidates != 0 {
            let start = at + candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            // Bits before the text are zero, so no candidate lies there.
            let Some(start) = start.checked_sub(OVERLAP) else { continue };
            if start >= self.value_end {
                self.look_at(start);
            }
        }
    }

    #[inline(never)]
    fn look_at(&mut self, inside: usize) {
        let text = self.text;
        let start = back(text, self.value_end, inside, is_joined);
        let end = far_run_end(text, inside, is_joined);
        self.value_end = end;
        if may_be_value(text, &(start..end)) {
            self.sink.value(start..end);
        }
        if start >= self.encoded_end {
            let start = back(text, self.encoded_end, start, is_base64_byte);
            self.encoded_end = far_run_end(text, end, is_base64_byte);
            let run = &text[start..self.encoded_end];
            if run.len() >= SHORTEST_RUN && promises_text(run) {
                self.sink.encoded(start);
            }
            if LINE.contains(&run.len()) {
                self.sink.line(start);
            }
        }
    }
}

/// True when a run that touches `range` is one for which [`scan`] calls its sink.
pub fn shows_value(text: &[u8], range: &Range<usize>) -> bool {
    const REACH: usize = 512;
    let mut at = range.start;
    while at < range.end {
        if !is_joined(text[at]) {
            at += 1;
            continue;
        }
        let start = back(text, at.saturating_sub(REACH), at, is_joined);
        let end = far_run_end(&text[..text.len().min(at + REACH)], at, is_joined);
        if is_candidate(&text[start..end]) && may_be_value(text, &(start..end)) {
            return true;
        }
        at = end;
    }
    false
}

/// What [`Bits::candidates`] finds, for one run.
fn is_candidate(run: &[u8]) -> bool {
    let has_digit = |part: &[u8]| part.iter().any(u8::is_ascii_digit);
    run.len() >= LONG && has_digit(run)
        || run
            .split(|byte| matches!(byte, b'_' | b'-'))
            .any(|part| part.len() >= LONG || part.len() >= SHORT && has_digit(part))
}

fn back(text: &[u8], floor: usize, at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    text[floor..at]
        .iter()
        .rposition(|byte| !belongs(*byte))
        .map_or(floor, |offset| floor + offset + 1)
}

fn is_joined(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// True when a part of the run at `range` is no word, or the whole mixes all that tokens mix.
fn may_be_value(text: &[u8], range: &Range<usize>) -> bool {
    let run = &text[range.clone()];
    if run.len() >= LONG && is_mixed(run) {
        return true;
    }
    let mut start = range.start;
    for part in run.split(|byte| matches!(byte, b'_' | b'-')) {
        if part.len() >= SHORT && may_be_part(&text[..start], part) {
            return true;
        }
        start += part.len() + 1;
    }
    false
}

/// Both cases and digits, between separators that tokens happen to have.
fn is_mixed(run: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| run.iter().any(class);
    has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(|byte| matches!(byte, b'_' | b'-'))
}

fn may_be_part(before: &[u8], run: &[u8]) -> bool {
    let digits = run.iter().filter(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return run.len() >= LONG && !is_wordy(run);
    }
    if is_number(run, digits) {
        return run.len() > 24;
    }
    run.len() >= LONG || !is_named_word(run, digits) || is_assigned(before)
}

/// `123456789`, `1000000u64`, `0x9e3779b9`.
fn is_number(run: &[u8], digits: usize) -> bool {
    let suffix = run.len() - digits;
    (suffix <= 3 && run[..digits].iter().all(u8::is_ascii_digit))
        || (run.len() <= 18 && matches!(run, [b'0', b'x' | b'X', ..]))
}

/// `Float32Array`, `version12`: a word with one number in it.
fn is_named_word(run: &[u8], digits: usize) -> bool {
    let groups =
        run.windows(2).filter(|pair| !pair[0].is_ascii_digit() && pair[1].is_ascii_digit()).count();
    groups <= 1 && digits * 3 <= run.len() && !run[0].is_ascii_digit()
}

/// True when `before` ends as what stands before a value does.
fn is_assigned(before: &[u8]) -> bool {
    match before.last() {
        Some(b'=' | b'"' | b'\'' | b'`' | b':' | b'\n') | None => true,
        Some(b' ') => matches!(before.get(before.len().saturating_sub(2)), Some(b'=' | b':')),
        Some(_) => false,
    }
}
