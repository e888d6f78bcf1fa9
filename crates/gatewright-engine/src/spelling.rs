//! Text and how a file spells it: what an agent says is UTF-8, a file may be UTF-16.

use std::borrow::Cow;

use gatewright_languages::syntax::{Encoding, decode};

use crate::EngineError;

/// The text of a file's bytes, and how it is spelt.
pub fn text_of<'a>(path: &str, bytes: &'a [u8]) -> Result<(Cow<'a, str>, Encoding), EngineError> {
    let no_text = || EngineError::NotText { path: path.to_owned() };
    let (text, encoding) = decode(bytes).map_err(|_| no_text())?;
    let text = match text {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    };
    Ok((text.ok_or_else(no_text)?, encoding))
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
        for bytes in [&b"\xff"[..], b"\xff\xfea", b"\xff\xfe\x00\xd8"] {
            assert_eq!(change_text("a", bytes, upper).unwrap_err().code(), "not-text");
        }
    }
}
