//! The lines of a file with everything hidden that must not go out, line for line.
//!
//! A secret may span lines (a key in PEM form). Each line that it touches gets
//! a placeholder of its own, so that line numbers stay true and hunks can be
//! shown beside the true bytes that they were made from.

use gatewright_engine::guards::egress::Redactor;
use gatewright_model::readable;

/// The lines of one version of a file, as they may be shown; of UTF-16 those of its text.
#[derive(Debug, Default)]
pub struct MaskedLines {
    lines: Vec<String>,
    /// How many values are hidden.
    pub hidden: usize,
}

impl MaskedLines {
    /// Hides what must not go out of `content`.
    pub fn new(redactor: &Redactor, content: &[u8]) -> Self {
        let (content, _) = readable(content);
        let found = redactor.find(&content);
        let mut lines = Vec::new();
        let mut start = 0;
        for line in content.split_inclusive(|byte| *byte == b'\n') {
            let end = start + line.len();
            let text_end = end - usize::from(line.ends_with(b"\n"));
            let mut out = Vec::with_capacity(line.len());
            let mut from = start;
            for hidden in found.iter().filter(|hit| hit.start < text_end && start < hit.end) {
                out.extend_from_slice(&content[from..hidden.start.clamp(from, text_end)]);
                out.extend_from_slice(hidden.kind.placeholder().as_bytes());
                from = hidden.end.clamp(from, text_end);
            }
            out.extend_from_slice(&content[from..text_end]);
            lines.push(String::from_utf8_lossy(&out).into_owned());
            start = end;
        }
        Self { lines, hidden: found.len() }
    }

    /// The line with this index.
    pub fn get(&self, index: usize) -> &str {
        self.lines.get(index).map_or("", String::as_str)
    }

    /// Everything that is shown, as one text.
    pub fn joined(&self) -> String {
        self.lines.join("\n")
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gatewright_engine::guards::egress::{Catalogue, RedactionContext};

    #[test]
    fn a_key_over_several_lines_keeps_the_line_numbers_true() {
        let redactor = Redactor::new(Catalogue::built_in(), RedactionContext::default());
        let body = "MIIEpAIBAAKCAQEA7bq8Zk3yT1v9Xw2mQ5rL8nJ4pH6sD0fG1aK3cV7bN9mZ2xC5";
        let text = format!(
            "first\n-----BEGIN RSA PRIVATE KEY-----\n{body}\n{body}\n-----END RSA PRIVATE KEY-----\nlast\n"
        );
        let masked = MaskedLines::new(&redactor, text.as_bytes());
        assert_eq!(masked.len(), 6);
        assert_eq!((masked.get(0), masked.get(5)), ("first", "last"));
        assert!(masked.get(2).contains("[REDACTED:"), "{}", masked.get(2));
        assert!((0..6).all(|index| !masked.get(index).contains(body)));
    }

    #[test]
    fn the_lines_of_utf_16_are_those_of_its_text() {
        let redactor = Redactor::new(Catalogue::built_in(), RedactionContext::default());
        let units = "one\r\ntwo\n".encode_utf16().flat_map(u16::to_be_bytes);
        let bytes: Vec<u8> = [0xfe, 0xff].into_iter().chain(units).collect();
        let masked = MaskedLines::new(&redactor, &bytes);
        assert_eq!((masked.len(), masked.get(1)), (2, "two"));
        assert_eq!(masked.get(0), "\u{feff}one\r");
    }
}
