//! Text and how a file spells it: what an agent says is UTF-8, a file may be UTF-16.

use std::borrow::Cow;

use gatewright_model::{Encoding, decode_text};

use crate::EngineError;

/// The text of a file's bytes, and how it is spelt.
pub fn text_of<'a>(path: &str, bytes: &'a [u8]) -> Result<(Cow<'a, str>, Encoding), EngineError> {
    decode_text(bytes).map_err(|source| EngineError::NotText { path: path.to_owned(), source })
}

/// Changes the text of a file and spells it as it was.
pub fn change_text(
    path: &str,
    bytes: &[u8],
    change: impl FnOnce(&str) -> Result<String, EngineError>,
) -> Result<Vec<u8>, EngineError> {
    let (text, encoding) = text_of(path, bytes)?;
    Ok(encoding.encode(change(&text)?.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upper(text: &str) -> Result<String, EngineError> {
        Ok(text.to_uppercase())
    }

    #[test]
    fn a_changed_text_keeps_its_spelling() {
        for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be] {
            let after = change_text("a", &encoding.encode(b"one\r\n"), upper).unwrap();
            assert_eq!(after, encoding.encode(b"ONE\r\n"), "{encoding:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_not_changed() {
        let unmarked = b"a\0b\0\n\0";
        let wide = b"\xff\xfe\0\0a\0\0\0\n\0\0\0";
        for bytes in [&b"\xff"[..], b"\xff\xfea", b"\xff\xfe\x00\xd8", unmarked, wide] {
            assert_eq!(change_text("a", bytes, upper).unwrap_err().code(), "not-text");
        }
    }
}
