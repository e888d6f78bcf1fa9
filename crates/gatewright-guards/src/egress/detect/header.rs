//! Credentials in HTTP headers, cookies and signed URLs.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::text::{is_base64_byte, run_end, skip_blanks, starts_at};
use super::value::{is_placeholder, looks_random};
use crate::egress::engine::Found;
use crate::egress::kind::Kind;

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Looks behind `Basic `, which ends at `end`.
pub fn look_at_basic(text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
    if start > 0 && text[start - 1].is_ascii_alphanumeric() {
        return;
    }
    let literal = start;
    let start = skip_blanks(text, end);
    let stop = run_end(text, start, |byte| is_base64_byte(byte) || byte == b'=');
    let value = &text[start..stop];
    let is_secret = is_login(value) || is_opaque(value) && is_header(&text[..literal]);
    if value.len() >= 8 && is_secret {
        found.push(Found::new(start..stop, Kind::Password, "basic-authorization"));
    }
}

/// True when `before` ends with the name of the header that holds credentials.
fn is_header(before: &[u8]) -> bool {
    const HEADER: &[u8] = b"authorization";
    let is_sign = |byte: &u8| matches!(byte, b' ' | b':' | b'=' | b'"' | b'\'' | b'`' | b'\\');
    let name = before.iter().rposition(|byte| !is_sign(byte)).map_or(0, |last| last + 1);
    let start = name.saturating_sub(HEADER.len());
    before[start..name].eq_ignore_ascii_case(HEADER)
}

/// True when base64 decodes to no text, and so to something that only a program reads.
fn is_opaque(encoded: &[u8]) -> bool {
    const SHORTEST: usize = 16;
    let is_text = |bytes: &Vec<u8>| bytes.iter().all(|byte| (0x20..0x7f).contains(byte));
    encoded.len() >= SHORTEST
        && looks_random(encoded)
        && !is_placeholder(encoded)
        && !LENIENT.decode(encoded).is_ok_and(|bytes| is_text(&bytes))
}

/// Logins that the standard and its pages show.
const DOCUMENTED: [&[u8]; 2] = [b"Aladdin:open sesame", b"aladdin:opensesame"];

/// True when base64 decodes to `user:password`.
pub fn is_login(encoded: &[u8]) -> bool {
    let Ok(decoded) = LENIENT.decode(encoded) else { return false };
    let printable = decoded.iter().all(|byte| (0x20..0x7f).contains(byte));
    let colon = memchr::memchr(b':', &decoded);
    let is_known = DOCUMENTED.contains(&decoded.as_slice());
    printable && !is_known && colon.is_some_and(|at| at > 0 && !is_placeholder(&decoded[at + 1..]))
}

/// Looks behind `Bearer `, which ends at `end`.
pub fn look_at_bearer(text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
    if start > 0 && text[start - 1].is_ascii_alphanumeric() {
        return;
    }
    let start = skip_blanks(text, end);
    let stop = run_end(text, start, |byte| {
        is_base64_byte(byte) || matches!(byte, b'=' | b'.' | b'~' | b':' | b'|')
    });
    let token = &text[start..stop];
    if token.len() >= 12 && !is_placeholder(token) && looks_random(token) {
        found.push(Found::new(start..stop, Kind::ApiKey, "bearer-authorization"));
    }
}

/// Looks at the pairs of a cookie header, from behind its colon.
pub fn look_at_cookies(text: &[u8], end: usize, found: &mut Vec<Found>) {
    let near = &text[..next_header(text, end)];
    let line_end = run_end(near, end, |byte| !matches!(byte, b'\n' | b'\r' | b'"' | b'\''));
    let mut from = end;
    for pair in text[end..line_end].split(|byte| *byte == b';') {
        if let Some(equals) = memchr::memchr(b'=', pair) {
            let value = &pair[equals + 1..];
            let is_token = value.iter().all(|byte| {
                is_base64_byte(*byte) || matches!(byte, b'=' | b'.' | b'%' | b'~' | b'|' | b':')
            });
            let is_session = is_token && names_a_session(&pair[..equals]);
            if is_session && value.len() >= 16 && looks_random(value) {
                let start = from + equals + 1;
                found.push(Found::new(start..start + value.len(), Kind::ApiKey, "session-cookie"));
            }
        }
        from += pair.len() + 1;
    }
}

/// Where the next `cookie:` stands behind `end`, or as far as the pairs of one may reach.
fn next_header(text: &[u8], end: usize) -> usize {
    const NAME: &[u8] = b"cookie";
    const REACH: usize = 2048;
    let limit = (end + REACH).min(text.len());
    let mut colons = memchr::memchr_iter(b':', &text[end..limit]).map(|at| end + at);
    let named = |colon: &usize| {
        text[..*colon].len() - end >= NAME.len() && starts_at(text, *colon - NAME.len(), NAME)
    };
    colons.find(named).map_or(limit, |colon| colon - NAME.len())
}

fn names_a_session(name: &[u8]) -> bool {
    let folded = name.to_ascii_lowercase();
    ["sess", "sid", "token", "auth", "jwt", "login", "remember"]
        .iter()
        .any(|part| memchr::memmem::find(&folded, part.as_bytes()).is_some())
}

/// Looks at the signature of a signed URL, from behind its `=`.
pub fn look_at_signature(text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
    let in_query = start > 0
        && (matches!(text[start - 1], b'?' | b'&' | b'-' | b';')
            || text[start - 1].is_ascii_alphabetic());
    let stop = run_end(text, end, |byte| {
        is_base64_byte(byte) || matches!(byte, b'%' | b'=' | b'.' | b'~')
    });
    // Padding ends a signature; an assignment goes on.
    let stop = memchr::memchr_iter(b'=', &text[end..stop])
        .map(|at| end + at)
        .find(|at| text[at + 1..stop].iter().any(|byte| *byte != b'='))
        .unwrap_or(stop);
    let value = &text[end..stop];
    if in_query && value.len() >= 20 && !is_placeholder(value) && looks_random(value) {
        found.push(Found::new(end..stop, Kind::ApiKey, "url-signature"));
    }
}
