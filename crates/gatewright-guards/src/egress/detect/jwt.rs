//! JSON Web Tokens: parts of base64url whose first decodes to a header.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::text::far_run_end;
use crate::egress::catalogue::dummy_reason;
use crate::egress::engine::Found;
use crate::egress::kind::Kind;

/// The signature of the token that explains the format everywhere.
const DOCUMENTED_SIGNATURE: &[u8] = b"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c";

/// Looks at a token that starts at `start`.
pub fn look(text: &[u8], start: usize, found: &mut Vec<Found>) {
    if start > 0 && (text[start - 1].is_ascii_alphanumeric() || text[start - 1] == b'_') {
        return;
    }
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let mut ends = Vec::new();
    let mut at = start;
    while ends.len() < 5 {
        let end = far_run_end(text, at, is_part);
        ends.push(end);
        if text.get(end) != Some(&b'.') {
            break;
        }
        at = end + 1;
    }
    // Dots behind the second part say that the rest was left out.
    let is_cut = ends.len() > 2 && text[ends[1]..].starts_with(b"..");
    if ends.len() < 2 || is_cut || !is_header(&text[start..ends[0]]) {
        return;
    }
    let end = match ends.len() {
        // Whole claims that nobody signed open nothing; cut ones may be the rest of a token.
        2 if ends[1] - ends[0] > 12 && !is_whole(&text[ends[0] + 1..ends[1]]) => ends[1],
        3 => ends[2],
        5 => ends[4],
        _ => return,
    };
    let is_dummy = dummy_reason(&text[ends[0]..end]).is_some();
    if !is_dummy && !is_documented(&text[start..end]) {
        let end = end - usize::from(text[end - 1] == b'.');
        found.push(Found::new(start..end, Kind::ApiKey, "json-web-token"));
    }
}

/// True for the token that explains the format everywhere, also where the word below was put to it.
pub fn is_documented(token: &[u8]) -> bool {
    memchr::memmem::rfind(token, DOCUMENTED_SIGNATURE).is_some()
}

fn is_whole(claims: &[u8]) -> bool {
    let decoded = URL_SAFE_NO_PAD.decode(claims).unwrap_or_default();
    decoded.starts_with(b"{") && decoded.ends_with(b"}")
}

fn is_header(part: &[u8]) -> bool {
    // A cut or padded part still decodes up to the last whole group.
    let whole = &part[..part.len() - usize::from(part.len() % 4 == 1)];
    let Ok(decoded) = URL_SAFE_NO_PAD.decode(whole) else { return false };
    decoded.starts_with(b"{")
        && [b"\"alg\"".as_slice(), b"\"typ\"", b"\"enc\"", b"\"kid\""]
            .iter()
            .any(|key| memchr::memmem::find(&decoded, key).is_some())
}
