//! Text as bytes: UTF-8 with or without a byte-order mark, and UTF-16 with one.

use std::borrow::Cow;

/// How a file's bytes spell its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// UTF-8, or bytes that are taken for it.
    Utf8,
    /// UTF-8 behind a byte-order mark.
    Utf8Bom,
    /// UTF-16, little end first, behind a byte-order mark.
    Utf16Le,
    /// UTF-16, big end first, behind a byte-order mark.
    Utf16Be,
}

/// The byte-order mark as a character.
const MARK: &str = "\u{feff}";

/// Why bytes are no text that can be edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// The number of bytes is odd.
    #[error("the file starts with a UTF-16 mark but has an odd number of bytes")]
    OddLength,
    /// A surrogate stands alone.
    #[error("the file starts with a UTF-16 mark but holds a lone surrogate")]
    LoneSurrogate,
    /// A third of the characters or more is zero.
    #[error(
        "the file looks like UTF-16 without a mark, UTF-32 or no text at all (many bytes are \
         zero); convert it to UTF-8 first"
    )]
    Zeros,
    /// The bytes are neither UTF-8 nor UTF-16 with a mark.
    #[error(
        "the file is neither UTF-8 nor UTF-16 with a mark (see byte {offset}); convert it to \
         UTF-8 first"
    )]
    Other {
        /// The first byte that is no UTF-8, from 0.
        offset: usize,
    },
}

/// The text as UTF-8 bytes, without a UTF-16 mark, and how it was spelt.
///
/// UTF-8 is handed back as it is, mark and invalid bytes included, so that
/// offsets into the result are offsets into the file.
pub fn decode(bytes: &[u8]) -> Result<(Cow<'_, [u8]>, Encoding), EncodingError> {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes, Encoding::Utf16Le),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes, Encoding::Utf16Be),
        [0xEF, 0xBB, 0xBF, ..] => Ok((Cow::Borrowed(bytes), Encoding::Utf8Bom)),
        _ => Ok((Cow::Borrowed(bytes), Encoding::Utf8)),
    }
}

/// The text and how it is spelt, where it is all text; see [`decode`].
pub fn decode_text(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), EncodingError> {
    let (text, encoding) = decode(bytes)?;
    if has_many_zeros(&text) {
        return Err(EncodingError::Zeros);
    }
    let other = |error: std::str::Utf8Error| EncodingError::Other { offset: error.valid_up_to() };
    let text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(std::str::from_utf8(text).map_err(other)?),
        Cow::Owned(text) => {
            Cow::Owned(String::from_utf8(text).map_err(|error| other(error.utf8_error()))?)
        }
    };
    Ok((text, encoding))
}

/// Whether so many characters are zero that another encoding spells them.
fn has_many_zeros(text: &[u8]) -> bool {
    memchr::memchr(0, text).is_some() && memchr::memchr_iter(0, text).count() * 3 >= text.len()
}

/// The text as people read it, its mark included, and how it is spelt; bytes that are no text come
/// back as they are.
///
/// The lines of the result are those of the file, so hunks are made of it.
pub fn readable(bytes: &[u8]) -> (Cow<'_, [u8]>, Encoding) {
    match decode(bytes) {
        Ok((Cow::Owned(text), encoding)) => {
            let marked = [MARK.as_bytes(), &text].concat();
            (Cow::Owned(marked), encoding)
        }
        _ => (Cow::Borrowed(bytes), Encoding::Utf8),
    }
}

fn utf16(
    bytes: &[u8],
    unit: fn([u8; 2]) -> u16,
    encoding: Encoding,
) -> Result<(Cow<'static, [u8]>, Encoding), EncodingError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(EncodingError::OddLength);
    }
    let text: Result<String, _> =
        char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect();
    let text = text.map_err(|_| EncodingError::LoneSurrogate)?;
    Ok((Cow::Owned(text.into_bytes()), encoding))
}

impl Encoding {
    /// The bytes that spell `text` in this encoding, its mark included.
    ///
    /// The UTF-8 mark is part of the text (see [`decode`]), so none is added.
    pub fn encode(self, text: &[u8]) -> Vec<u8> {
        match self {
            Encoding::Utf8 | Encoding::Utf8Bom => text.to_vec(),
            Encoding::Utf16Le => encode_utf16(text, [0xFF, 0xFE], u16::to_le_bytes),
            Encoding::Utf16Be => encode_utf16(text, [0xFE, 0xFF], u16::to_be_bytes),
        }
    }

    /// The bytes of a text that [`readable`] gave or that was made of such lines. A text without
    /// its mark gets it back; no text at all has none.
    pub(crate) fn spell(self, text: Vec<u8>) -> Vec<u8> {
        match self {
            Encoding::Utf8 | Encoding::Utf8Bom => text,
            Encoding::Utf16Le | Encoding::Utf16Be if text.is_empty() => text,
            Encoding::Utf16Le | Encoding::Utf16Be => {
                self.encode(text.strip_prefix(MARK.as_bytes()).unwrap_or(&text))
            }
        }
    }
}

fn encode_utf16(text: &[u8], mark: [u8; 2], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
}
