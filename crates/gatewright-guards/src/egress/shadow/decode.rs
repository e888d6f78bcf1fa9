//! Runs of base64 or hexadecimal digits that decode to text.

use std::ops::Range;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::View;
use crate::egress::detect::text::{base64_end, far_run_end, is_base64_byte};

const CONFIG: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, CONFIG);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, CONFIG);

/// Shorter runs hide nothing that would be found.
pub const SHORTEST_RUN: usize = 20;

/// A run and what it decodes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// Where the run lies, padding included.
    pub range: Range<usize>,
    /// The text inside.
    pub bytes: Vec<u8>,
}

/// Every run in `text` that decodes to text.
pub fn decoded_runs(text: &[u8]) -> Vec<Decoded> {
    let mut runs = Vec::new();
    let mut at = 0;
    // A run that is long enough and begins here or later covers the place that is looked at
    // or begins behind it.
    while let Some(byte) = text.get(at + SHORTEST_RUN - 1) {
        let middle = at + SHORTEST_RUN - 1;
        if !is_base64_byte(*byte) {
            at = middle + 1;
            continue;
        }
        let before = text[at..middle].iter().rposition(|byte| !is_base64_byte(*byte));
        let start = before.map_or(at, |offset| at + offset + 1);
        let end = base64_end(text, middle);
        runs.extend(decoded_run(text, start..end));
        at = end;
    }
    runs
}

/// Every run of a view that decodes to text and that its source does not have as it is.
///
/// Such a run has in it, or beside it, a place where the view is not as its source.
pub fn new_decoded_runs(view: &View) -> Vec<Decoded> {
    let text = view.bytes();
    let mut runs = Vec::new();
    let mut done = 0;
    for border in view.borders() {
        // Padding belongs to the run before it.
        let padding = text[..border].iter().rev().take(2).take_while(|byte| **byte == b'=').count();
        for place in [border - padding, border] {
            if place < done {
                continue;
            }
            let before = text[done..place].iter().rposition(|byte| !is_base64_byte(*byte));
            let start = before.map_or(done, |offset| done + offset + 1);
            let end = base64_end(text, place);
            runs.extend(decoded_run(text, start..end));
            // The byte that ends a run belongs to no other one.
            done = (end + 1).min(text.len());
        }
    }
    runs
}

/// The run at `range`, if it is long enough and decodes to text.
fn decoded_run(text: &[u8], range: Range<usize>) -> Option<Decoded> {
    if range.len() < SHORTEST_RUN {
        return None;
    }
    let run = &text[range.clone()];
    let most = if run.iter().all(is_base32_digit) { 6 } else { 2 };
    let padded = far_run_end(text, range.end, |byte| byte == b'=').min(range.end + most);
    let bytes = decoded(run)?;
    Some(Decoded { range: range.start..padded, bytes })
}

/// True when the start of a run promises text.
pub fn promises_text(run: &[u8]) -> bool {
    // What begins otherwise stands for no first byte that is ASCII in any of the encodings.
    if !matches!(run.first(), Some(b'A'..=b'Z' | b'a'..=b'f' | b'0' | b'2'..=b'7')) {
        return false;
    }
    let head = &run[..run.len().min(HEAD)];
    let digits = digits_of(run);
    promises_hex(&digits[..digits.len().min(HEAD)])
        || promises_base64(head)
        || promises_wide(head)
        || promises_base32(head)
}

/// True when a head is the base64 of characters of two bytes, as PowerShell takes it.
fn promises_wide(head: &[u8]) -> bool {
    // The second character begins with the last of three bytes, and its own second byte follows.
    head.len() == HEAD && head[4] == b'A' && head[12] == b'A' && narrowed(head).is_some()
}

/// The text of characters of two bytes in base64, without the bytes that are zero.
fn narrowed(run: &[u8]) -> Option<Vec<u8>> {
    let wide = decode_base64(run)?;
    let is_narrow =
        |pair: &[u8]| is_printable(pair[0]) && pair.get(1).is_none_or(|byte| *byte == 0);
    let is_wide = wide.len() >= HEAD / 2 && wide.chunks(2).all(is_narrow);
    is_wide.then(|| wide.into_iter().step_by(2).collect())
}

fn promises_base32(head: &[u8]) -> bool {
    head.len() == HEAD
        && decode_base32(head).is_some_and(|bytes| bytes.iter().all(|byte| is_printable(*byte)))
}

fn is_base32_digit(byte: &u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'2'..=b'7')
}

fn decode_base32(run: &[u8]) -> Option<Vec<u8>> {
    if !run.iter().all(is_base32_digit) {
        return None;
    }
    let (mut bits, mut count) = (0u32, 0);
    let mut bytes = Vec::with_capacity(run.len() * 5 / 8);
    for byte in run {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            _ => byte - b'2' + 26,
        };
        bits = bits << 5 | u32::from(digit);
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

/// What stands behind the sign of a hexadecimal number, `0x`.
fn digits_of(run: &[u8]) -> &[u8] {
    run.strip_prefix(b"0x").or_else(|| run.strip_prefix(b"0X")).unwrap_or(run)
}

/// How much of a run is decoded before the rest. So few bytes are text if all are.
const HEAD: usize = 16;

/// What a digit of either alphabet of base64 stands for.
static DIGITS: [u8; 256] = digits();
const NO_DIGIT: u8 = 64;

const fn digits() -> [u8; 256] {
    let mut table = [NO_DIGIT; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            letter @ b'A'..=b'Z' => letter - b'A',
            letter @ b'a'..=b'z' => letter - b'a' + 26,
            digit @ b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => NO_DIGIT,
        };
        byte += 1;
    }
    table
}

fn promises_hex(head: &[u8]) -> bool {
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let is_text = |pair: &[u8]| match (digit(pair[0]), digit(pair[1])) {
        (Some(high), Some(low)) => is_printable(high << 4 | low),
        _ => false,
    };
    !head.is_empty() && head.len().is_multiple_of(2) && head.chunks_exact(2).all(is_text)
}

fn promises_base64(head: &[u8]) -> bool {
    let head = &head[..head.len() - usize::from(head.len() % 4 == 1)];
    let is_text = |four: &[u8]| {
        let mut bits = 0;
        for byte in four {
            let digit = DIGITS[usize::from(*byte)];
            if digit == NO_DIGIT {
                return false;
            }
            bits = bits << 6 | u32::from(digit);
        }
        let bytes = (bits << (32 - 6 * four.len())).to_be_bytes();
        bytes[..four.len() * 3 / 4].iter().all(|byte| is_printable(*byte))
    };
    let has = |signs: [u8; 2]| head.iter().any(|byte| signs.contains(byte));
    !head.is_empty() && head.chunks(4).all(is_text) && !(has([b'+', b'/']) && has([b'-', b'_']))
}

/// The text that a run decodes to, if it does.
pub fn decoded(run: &[u8]) -> Option<Vec<u8>> {
    if !promises_text(run) {
        return None;
    }
    decode_hex(run)
        .filter(|bytes| is_text(bytes))
        .or_else(|| decode_base64(run).filter(|bytes| is_text(bytes)))
        .or_else(|| narrowed(run))
        .or_else(|| decode_base32(run).filter(|bytes| is_text(bytes)))
}

fn decode_hex(run: &[u8]) -> Option<Vec<u8>> {
    let run = digits_of(run);
    if !run.len().is_multiple_of(2) || !run.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or_default() as u8;
    Some(run.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect())
}

fn decode_base64(run: &[u8]) -> Option<Vec<u8>> {
    let whole = &run[..run.len() - usize::from(run.len() % 4 == 1)];
    STANDARD.decode(whole).or_else(|_| URL_SAFE.decode(whole)).ok()
}

fn is_printable(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7e | b'\n' | b'\r' | b'\t')
}

fn is_text(bytes: &[u8]) -> bool {
    let printable = bytes.iter().filter(|byte| is_printable(**byte)).count();
    !bytes.is_empty() && printable * 100 >= bytes.len() * 95
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every run, looked for byte by byte and decoded whole.
    fn decoded_runs_slowly(text: &[u8]) -> Vec<Decoded> {
        let mut runs = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let end = far_run_end(text, at, is_base64_byte);
            let run = &text[at..end];
            let most = if run.iter().all(is_base32_digit) { 6 } else { 2 };
            let padded = far_run_end(text, end, |byte| byte == b'=').min(end + most);
            if run.len() >= SHORTEST_RUN && promises_slowly(run) {
                let bytes = decode_hex(run).filter(|bytes| is_text(bytes));
                let bytes = bytes.or_else(|| decode_base64(run).filter(|bytes| is_text(bytes)));
                let bytes = bytes.or_else(|| narrowed(run));
                let bytes = bytes.or_else(|| decode_base32(run).filter(|bytes| is_text(bytes)));
                runs.extend(bytes.map(|bytes| Decoded { range: at..padded, bytes }));
            }
            at = end + 1;
        }
        runs
    }

    fn promises_slowly(run: &[u8]) -> bool {
        let head = &run[..run.len().min(HEAD)];
        let digits = digits_of(run);
        decode_hex(&digits[..digits.len().min(HEAD)]).is_some_and(|bytes| is_text(&bytes))
            || decode_base64(head).is_some_and(|bytes| is_text(&bytes))
            || head.len() == HEAD && narrowed(head).is_some()
            || head.len() == HEAD && decode_base32(head).is_some_and(|bytes| is_text(&bytes))
    }

    proptest::proptest! {
        #[test]
        fn runs_are_found_as_if_every_byte_was_looked_at(
            text in "([a-zA-Z0-9+/_-]{0,50}[ =.]{0,3}|(61|62|7a|0a|00){6,20}|(YWJj|Zm9v|IAoJ|_-AA|/+AA){3,12}[ =]{0,3}){0,8}"
        ) {
            let text = text.as_bytes();
            proptest::prop_assert_eq!(decoded_runs(text), decoded_runs_slowly(text));
        }

        #[test]
        fn a_head_promises_what_decoding_it_shows(head in "[a-zA-Z0-9+/_-]{0,16}|[0-9a-f]{0,18}|(YWJj|Zm9v|_-AA|/+AA|I-Ag){0,5}[a-z]{0,3}") {
            proptest::prop_assert_eq!(promises_text(head.as_bytes()), promises_slowly(head.as_bytes()));
        }
    }
}
