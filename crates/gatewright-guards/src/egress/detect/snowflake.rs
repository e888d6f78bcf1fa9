//! Tokens of bots that begin with the number of an account, in base64.
//!
//! No literal stands in such a token, so it is known by its form alone: the number, a time
//! and a signature, with dots between them.

use std::ops::RangeInclusive;

use super::text::{run_end, run_start};
use crate::egress::engine::Found;
use crate::egress::kind::Kind;
use crate::egress::shadow::decoded;

/// How long the number of an account is in base64, and how many digits it has.
const NUMBER: RangeInclusive<usize> = 23..=28;
const DIGITS: RangeInclusive<usize> = 17..=20;
const TIME: usize = 6;
const SIGNATURE: RangeInclusive<usize> = 27..=38;
/// The token that the documentation of the provider shows.
const DOCUMENTED: &[u8] = b"MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs";

/// Adds each token in `text`.
pub fn look(text: &[u8], found: &mut Vec<Found>) {
    for dot in times(text) {
        if let Some(range) = token_around(text, dot) {
            found.push(Found::new(range, Kind::ApiKey, "discord-bot-token"));
        }
    }
}

/// The dots behind which another one stands as far as the time is long.
///
/// Dots are many and two that far apart are few, so many bytes are asked together.
fn times(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    const TOGETHER: usize = 64;
    let is_time = |(first, second): (&u8, &u8)| (*first == b'.') & (*second == b'.');
    let behind = text.get(TIME + 1..).unwrap_or_default();
    let steps = text.chunks(TOGETHER).zip(behind.chunks(TOGETHER)).enumerate();
    let steps = steps.filter(move |(_, (here, behind))| {
        here.iter().zip(*behind).fold(false, |any, pair| any | is_time(pair))
    });
    steps.flat_map(move |(index, (here, behind))| {
        let places = here.iter().zip(behind).enumerate();
        places.filter(move |(_, pair)| is_time(*pair)).map(move |(at, _)| index * TOGETHER + at)
    })
}

/// The token whose number ends at `dot`.
fn token_around(text: &[u8], dot: usize) -> Option<std::ops::Range<usize>> {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let floor = dot.saturating_sub(NUMBER.end() + 1);
    let start = floor + run_start(&text[floor..dot], dot - floor, is_inner);
    let time = dot + 1;
    let signature = time + TIME + 1;
    if !NUMBER.contains(&(dot - start)) || run_end(text, time, is_inner) != signature - 1 {
        return None;
    }
    let near = &text[..text.len().min(signature + SIGNATURE.end() + 1)];
    let end = run_end(near, signature, is_inner);
    let varies =
        |class: fn(&u8) -> bool| text[signature..end].iter().filter(|one| class(one)).count() > 2;
    let is_number =
        |bytes: Vec<u8>| DIGITS.contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_digit);
    (SIGNATURE.contains(&(end - signature))
        && varies(u8::is_ascii_uppercase)
        && varies(u8::is_ascii_lowercase)
        && &text[start..end] != DOCUMENTED
        && decoded(&text[start..dot]).is_some_and(is_number))
    .then_some(start..end)
}
