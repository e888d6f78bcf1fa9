//! The end of a text that may be the start of something secret, for when time is up.

use std::ops::Range;

use super::anchors::{Hit, Target};
use super::detect::Detector;
use super::detect::text::{is_base64_byte, run_start};
use super::engine::Engine;
use super::kind::Kind;
use super::units::{Cutter, Ending};

/// The end of a text that may be the start of something secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail {
    /// Where it starts.
    pub start: usize,
    /// What it may become.
    pub kind: Kind,
}

impl Engine {
    /// The end of `text` that may be the start of something secret.
    ///
    /// It starts at the first literal from which an unbroken token or a block of
    /// key material runs to the end; what stands before it stays.
    pub fn suspicious_tail(&self, text: &[u8]) -> Option<Tail> {
        let (anchors, catalogue) = (self.anchors(), self.catalogue());
        let cutter = Cutter { text, anchors, catalogue, ending: Ending::Open };
        let mut tail: Option<Tail> = None;
        anchors.scan(text, |hit| {
            if tail.is_some() || !cutter.is_open(&hit) {
                return;
            }
            tail = anchors.targets(&hit).iter().find_map(|target| match target {
                Target::Rule(index) => {
                    let kind = catalogue.rule(*index)?.kind;
                    Some(Tail { start: token_start(text, hit.start), kind })
                }
                Target::Detector(detector) => detected(*detector, text, &hit),
            });
        });
        tail
    }
}

fn detected(detector: Detector, text: &[u8], hit: &Hit) -> Option<Tail> {
    let (start, kind) = match detector {
        Detector::Url => (password_start(text, hit.end)?, Kind::ConnectionString),
        Detector::Jwt => (token_start(text, hit.start), Kind::ApiKey),
        Detector::Pem => (marker_start(text, hit.start..hit.end), Kind::PrivateKey),
        _ => (token_start(text, hit.start), Kind::PrivateKey),
    };
    Some(Tail { start, kind })
}

fn token_start(text: &[u8], at: usize) -> usize {
    run_start(text, at, |byte| is_base64_byte(byte) || matches!(byte, b'.' | b'~'))
}

/// Where the marker starts whose label stands at `label`.
fn marker_start(text: &[u8], label: Range<usize>) -> usize {
    let floor = label.start.saturating_sub(48);
    let dashes = memchr::memmem::rfind(&text[floor..label.start], b"--BEGIN");
    dashes.map_or(label.start, |at| run_start(text, floor + at, |byte| byte == b'-'))
}

/// Where a password may start in the address behind `end`.
fn password_start(text: &[u8], end: usize) -> Option<usize> {
    let colon = memchr::memchr2(b':', b'/', &text[end..]).map(|offset| end + offset)?;
    let rest = &text[colon + 1..];
    // A port has digits alone.
    (text[colon] == b':' && !rest.iter().all(u8::is_ascii_digit)).then_some(colon + 1)
}
