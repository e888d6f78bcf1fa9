//! Runs of base64 or hexadecimal digits that decode to text.

use std::ops::Range;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::egress::detect::text::{far_run_end, is_base64_byte};

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
    while at < text.len() {
        if !is_base64_byte(text[at]) {
            at += 1;
            continue;
        }
        let end = far_run_end(text, at, is_base64_byte);
        if end - at >= SHORTEST_RUN {
            let padded = far_run_end(text, end, |byte| byte == b'=').min(end + 2);
            runs.extend(decoded(&text[at..end]).map(|bytes| Decoded { range: at..padded, bytes }));
        }
        at = end;
    }
    runs
}

/// True when the start of a run promises text.
pub fn promises_text(run: &[u8]) -> bool {
    let head = &run[..run.len().min(16)];
    decode_hex(head).is_some_and(|bytes| is_text(&bytes))
        || decode_base64(head).is_some_and(|bytes| is_text(&bytes))
}

/// The text that a run decodes to, if it does.
pub fn decoded(run: &[u8]) -> Option<Vec<u8>> {
    if !promises_text(run) {
        return None;
    }
    decode_hex(run)
        .filter(|bytes| is_text(bytes))
        .or_else(|| decode_base64(run).filter(|bytes| is_text(bytes)))
}

fn decode_hex(run: &[u8]) -> Option<Vec<u8>> {
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

fn is_text(bytes: &[u8]) -> bool {
    let printable =
        bytes.iter().filter(|byte| matches!(byte, 0x20..=0x7e | b'\n' | b'\r' | b'\t')).count();
    !bytes.is_empty() && printable * 100 >= bytes.len() * 95
}
