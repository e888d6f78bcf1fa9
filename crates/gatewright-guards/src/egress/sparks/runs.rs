//! Runs of letters and digits that may be a value: long enough, and not a word.
//!
//! Their ends are found by [`ends`](super::ends); what stands there is looked at here.

use std::ops::Range;

use crate::egress::catalogue::is_wordy;
use crate::egress::detect::key_lines::LINE;
use crate::egress::detect::text::{
    base64_end, far_run_end, is_base64_byte, is_joined_byte, joined_end,
};

use super::super::shadow::{SHORTEST_RUN, promises_text};
use super::kinds::Kinds;
use super::values::{LONG, SHORT, may_be_short_value, may_be_value};

/// How long a run of base64 is that may be a key although it has few digits.
const KEY: Range<usize> = 32..129;
const _: () = assert!(SHORTEST_RUN <= KEY.start && SHORTEST_RUN <= LINE.start);

/// What the runs of a text say.
pub trait RunSink {
    /// A run that may be a value.
    fn value(&mut self, run: Range<usize>);
    /// The start of a run that decodes to text.
    fn encoded(&mut self, start: usize);
    /// The start of a run that is as long as a line of key material.
    fn line(&mut self, start: usize);
}

/// Looks through a text step by step and tells a sink of each run that may be a value.
pub struct Runs<'a, S> {
    text: &'a [u8],
    /// Up to here every run was seen.
    value_end: usize,
    encoded_end: usize,
    sink: &'a mut S,
}

impl<'a, S: RunSink> Runs<'a, S> {
    /// The runs of `text`, of which `sink` is told.
    pub fn new(text: &'a [u8], sink: &'a mut S) -> Runs<'a, S> {
        Runs { text, value_end: 0, encoded_end: 0, sink }
    }

    /// Looks at the runs of which `ends` names ends; its bits begin at `at`.
    #[inline]
    pub fn look(&mut self, mut ends: u64, at: usize, kinds: &Kinds<'_>) {
        while ends != 0 {
            let inside = at + ends.trailing_zeros() as usize;
            if inside >= self.value_end {
                self.look_at(inside, kinds);
            }
            // The run that holds this end has no more to tell.
            ends &= u32::try_from(self.value_end - at)
                .ok()
                .and_then(|places| u64::MAX.checked_shl(places))
                .unwrap_or_default();
        }
    }

    /// What is told of the runs.
    pub fn sink(&mut self) -> &mut S {
        self.sink
    }

    #[inline(never)]
    fn look_at(&mut self, inside: usize, kinds: &Kinds<'_>) {
        let text = self.text;
        let seen = kinds.run_around(inside);
        let short = seen.as_ref().and_then(|run| kinds.of_short(run));
        let run = seen.unwrap_or_else(|| {
            back(text, self.value_end, inside, is_joined_byte)..joined_end(text, inside)
        });
        let (start, end) = (run.start, run.end);
        self.value_end = end;
        let is_value = match short {
            Some(short) => may_be_short_value(text, &run, short),
            None => may_be_value(text, &run),
        };
        if is_value {
            self.sink.value(run);
        }
        if start >= self.encoded_end {
            self.look_at_encoded(start..end);
        }
    }

    /// Looks at the run of base64 that holds `run`.
    #[inline]
    fn look_at_encoded(&mut self, run: Range<usize>) {
        let text = self.text;
        let is_before = run.start > self.encoded_end && is_base64_byte(text[run.start - 1]);
        let is_alone = !is_before && !text.get(run.end).is_some_and(|byte| is_base64_byte(*byte));
        let start = if is_alone {
            self.encoded_end = run.end;
            run.start
        } else {
            let start = back(text, self.encoded_end, run.start, is_base64_byte);
            self.encoded_end = base64_end(text, run.end);
            start
        };
        let encoded = &text[start..self.encoded_end];
        // Nothing is told of shorter ones.
        if encoded.len() < SHORTEST_RUN {
            return;
        }
        if promises_text(encoded) {
            self.sink.encoded(start);
        }
        // Such a value has a sign that only base64 has.
        if !is_alone && is_base64_value(encoded) {
            self.sink.value(start..self.encoded_end);
        }
        if LINE.contains(&encoded.len()) {
            self.sink.line(start);
        }
    }
}

/// True when a run that touches `range` is one of which [`Runs`] tells its sink.
pub fn shows_value(text: &[u8], range: &Range<usize>) -> bool {
    const REACH: usize = 512;
    let mut at = range.start;
    while at < range.end {
        if !is_joined_byte(text[at]) {
            at += 1;
            continue;
        }
        let start = back(text, at.saturating_sub(REACH), at, is_joined_byte);
        let end = far_run_end(&text[..text.len().min(at + REACH)], at, is_joined_byte);
        if is_candidate(&text[start..end])
            && (may_be_value(text, &(start..end)) || is_base64_value(encoded_around(text, start)))
        {
            return true;
        }
        at = end;
    }
    false
}

/// The run of base64 around `at`, or so much of it that it is seen to be too long.
fn encoded_around(text: &[u8], at: usize) -> &[u8] {
    let far = KEY.end + 1;
    let start = back(text, at.saturating_sub(far), at, is_base64_byte);
    let end = far_run_end(&text[..text.len().min(at + far)], at, is_base64_byte);
    &text[start..end]
}

/// True when a run is as long as keys in base64 are, mixes all that they mix and is no path.
fn is_base64_value(run: &[u8]) -> bool {
    KEY.contains(&run.len())
        && run.iter().any(|byte| matches!(byte, b'+' | b'/'))
        && run.iter().any(u8::is_ascii_digit)
        && run.iter().any(u8::is_ascii_uppercase)
        && run.iter().any(u8::is_ascii_lowercase)
        && !is_wordy(run)
}

/// What [`Ends`](super::ends::Ends) finds, for one run.
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
