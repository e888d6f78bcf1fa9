//! Private keys that are one value and no block: of the web, of XML, of age.

use std::ops::Range;

use super::text::{is_base64_byte, run_end, starts_at};
use crate::egress::catalogue::dummy_reason;
use crate::egress::engine::Found;
use crate::egress::kind::Kind;

/// Looks at an age identity whose first words end at `end`.
pub fn look_at_age(text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
    let stop = run_end(text, end, |byte| byte.is_ascii_alphanumeric());
    let material = &text[end..stop];
    let is_post_quantum = text[start..end].len() > b"age-secret-key-1".len();
    let is_whole = material.len() == 58 || (is_post_quantum && material.len() > 58);
    // The encoding has one case for all letters.
    let has = |class: fn(&u8) -> bool| material.iter().any(class);
    let is_mixed_case = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    if is_whole && !is_mixed_case && dummy_reason(material).is_none() {
        found.push(Found::new(start..stop, Kind::PrivateKey, "age-identity"));
    }
}

/// Looks at a private member of a JSON Web Key: `"d": "…"` and its like.
pub fn look_at_jwk_member(text: &[u8], end: usize, found: &mut Vec<Found>) {
    let Some(Range { start, end: stop }) = quoted_digits(text, end) else { return };
    if stop - start >= 40 {
        found.push(Found::new(start..stop, Kind::PrivateKey, "json-web-key"));
    }
}

/// The digits between quotes behind the name of a member, which ends at `end`.
///
/// Markup writes a quote as an entity.
fn quoted_digits(text: &[u8], end: usize) -> Option<Range<usize>> {
    const ENTITY: &[u8] = b"&quot;";
    let at = run_end(text, end, |byte| matches!(byte, b' ' | b':' | b'\\'));
    let is_entity = starts_at(text, at, ENTITY);
    if at == end || !is_entity && !matches!(text.get(at), Some(b'"' | b'\'')) {
        return None;
    }
    let start = at + if is_entity { ENTITY.len() } else { 1 };
    let stop = run_end(text, start, |byte| is_base64_byte(byte) || byte == b'=');
    let is_closed = match is_entity {
        true => starts_at(text, stop, ENTITY),
        false => matches!(text.get(stop), Some(b'"' | b'\'' | b'\\')),
    };
    is_closed.then_some(start..stop)
}

/// Looks at a private member of a JSON Web Key in code, whose colon ends at `end`: `d: '…'`.
///
/// Many things are called so; only what is as long as the numbers of keys are counts.
pub fn look_at_jwk_field(text: &[u8], end: usize, found: &mut Vec<Found>) {
    const LENGTHS: [usize; 5] = [43, 64, 76, 86, 88];
    const LONG: usize = 170;
    let at = run_end(text, end, |byte| byte == b' ');
    let quote = text.get(at).filter(|byte| matches!(byte, b'"' | b'\''));
    let start = at + usize::from(quote.is_some());
    let stop = run_end(text, start, |byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let is_closed = match quote {
        Some(_) => text.get(stop) == quote,
        // A file without quotes has nothing else on the line.
        None => at > end && matches!(text.get(stop), None | Some(b'\n' | b'\r')),
    };
    let value = text.get(start..stop).unwrap_or_default();
    let is_number = LENGTHS.contains(&value.len()) || value.len() >= LONG;
    if is_closed && is_number && is_mixed(value) {
        found.push(Found::new(start..stop, Kind::PrivateKey, "json-web-key"));
    }
}

/// Looks at the secret of a symmetric JSON Web Key, whose `"k"` ends at `end`.
///
/// Where what says so stands on another line, it must be as long as such secrets are.
pub fn look_at_jwk_secret(text: &[u8], end: usize, found: &mut Vec<Found>) {
    const LENGTHS: [usize; 3] = [43, 64, 86];
    let Some(range) = quoted_digits(text, end) else { return };
    let value = &text[range.clone()];
    let around = &text[end.saturating_sub(400)..(end + 600).min(text.len())];
    let is_told =
        [b"oct".as_slice(), b"kty"].iter().all(|word| memchr::memmem::find(around, word).is_some());
    if is_told && value.len() >= 16 || LENGTHS.contains(&value.len()) && is_mixed(value) {
        found.push(Found::new(range, Kind::PrivateKey, "json-web-key"));
    }
}

/// True for a value with letters of both cases and a digit.
fn is_mixed(value: &[u8]) -> bool {
    [u8::is_ascii_uppercase, u8::is_ascii_lowercase, u8::is_ascii_digit]
        .iter()
        .all(|class| value.iter().any(class))
}

/// Looks at a private element of an XML key, `<D>…</D>` and its like, from behind the tag.
pub fn look_at_xml_element(text: &[u8], end: usize, found: &mut Vec<Found>) {
    let start = run_end(text, end, |byte| byte.is_ascii_whitespace());
    let stop = run_end(text, start, |byte| is_base64_byte(byte) || byte == b'=');
    if stop - start >= 40
        && text.get(run_end(text, stop, |byte| byte.is_ascii_whitespace())) == Some(&b'<')
    {
        found.push(Found::new(start..stop, Kind::PrivateKey, "xml-private-key"));
    }
}
