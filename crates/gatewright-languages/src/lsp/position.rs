//! Places in a text as the protocol counts them: lines, and columns in UTF-8 or UTF-16 units.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The unit of a column. Which one holds is agreed with each server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum PositionEncoding {
    /// Bytes.
    Utf8,
    /// What a server uses that says nothing.
    #[default]
    Utf16,
}

/// A place, both numbers zero-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in the agreed unit.
    pub character: usize,
}

/// From one place to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Range {
    /// The first place.
    pub start: Position,
    /// One past the last.
    pub end: Position,
}

impl Position {
    /// Reads a place.
    pub fn of(value: &Value) -> Option<Self> {
        let number = |key: &str| usize::try_from(value.get(key)?.as_u64()?).ok();
        Some(Self { line: number("line")?, character: number("character")? })
    }

    /// The place as it is sent.
    pub fn to_json(self) -> Value {
        json!({ "line": self.line, "character": self.character })
    }
}

impl Range {
    /// Reads a range.
    pub fn of(value: &Value) -> Option<Self> {
        let (start, end) = (Position::of(value.get("start")?)?, Position::of(value.get("end")?)?);
        (start <= end).then_some(Self { start, end })
    }

    /// The range as it is sent.
    pub fn to_json(self) -> Value {
        json!({ "start": self.start.to_json(), "end": self.end.to_json() })
    }
}

/// Where the lines of a text start, and the way between offsets and places.
#[derive(Debug)]
pub struct Places<'a> {
    text: &'a str,
    starts: Vec<usize>,
    encoding: PositionEncoding,
}

impl<'a> Places<'a> {
    /// The places of `text` in that unit.
    pub fn new(text: &'a str, encoding: PositionEncoding) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|offset| offset + 1));
        Self { text, starts, encoding }
    }

    /// The place of a byte offset, which must lie between characters.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = self.text.get(self.starts[line]..offset).unwrap_or_default();
        let character = match self.encoding {
            PositionEncoding::Utf8 => before.len(),
            PositionEncoding::Utf16 => before.encode_utf16().count(),
        };
        Position { line, character }
    }

    /// The byte offset of a place; `None` in the middle of a character.
    ///
    /// As the protocol has it, a column past the end of a line is the end of
    /// the line, and a line past the last is the end of the text.
    pub fn offset(&self, position: Position) -> Option<usize> {
        let Some(start) = self.starts.get(position.line).copied() else {
            return Some(self.text.len());
        };
        let line = self.line_text(position.line);
        let within = match self.encoding {
            PositionEncoding::Utf8 => position.character.min(line.len()),
            PositionEncoding::Utf16 => utf16_offset(line, position.character)?,
        };
        line.is_char_boundary(within).then_some(start + within)
    }

    /// The byte range of a range.
    pub fn span(&self, range: Range) -> Option<std::ops::Range<usize>> {
        let (start, end) = (self.offset(range.start)?, self.offset(range.end)?);
        (start <= end).then_some(start..end)
    }

    /// The text of a line without its end.
    pub fn line_text(&self, line: usize) -> &'a str {
        let Some(start) = self.starts.get(line).copied() else { return "" };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches('\n').trim_end_matches('\r')
    }
}

fn utf16_offset(line: &str, units: usize) -> Option<usize> {
    let mut count = 0;
    for (offset, character) in line.char_indices() {
        if count >= units {
            return (count == units).then_some(offset);
        }
        count += character.len_utf16();
    }
    (count <= units).then_some(line.len())
}

/// Whether a carriage return stands alone: the protocol calls it a line end, most servers do not.
pub fn has_lone_return(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1) != Some(&b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "aé𝄞z\r\nsecond\n";

    #[test]
    fn the_way_there_and_back_is_the_identity() {
        for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16] {
            let places = Places::new(TEXT, encoding);
            let boundaries = (0..=TEXT.len()).filter(|at| TEXT.is_char_boundary(*at));
            // Between the two halves of a line end there is no place.
            for offset in boundaries.filter(|at| *at == 0 || TEXT.as_bytes()[at - 1] != b'\r') {
                assert_eq!(places.offset(places.position(offset)), Some(offset), "{encoding:?}");
            }
        }
    }

    #[test]
    fn columns_are_counted_in_the_agreed_unit() {
        let z = TEXT.find('z').expect("it is there");
        let in_utf8 = Places::new(TEXT, PositionEncoding::Utf8).position(z);
        let in_utf16 = Places::new(TEXT, PositionEncoding::Utf16).position(z);
        assert_eq!((in_utf8.character, in_utf16.character), (7, 4));
    }

    #[test]
    fn half_a_character_is_no_place() {
        let half = Position { line: 0, character: 3 };
        assert_eq!(Places::new(TEXT, PositionEncoding::Utf16).offset(half), None);
        assert_eq!(Places::new(TEXT, PositionEncoding::Utf8).offset(half), Some(3));
        let half = Position { line: 0, character: 2 };
        assert_eq!(Places::new(TEXT, PositionEncoding::Utf8).offset(half), None);
    }

    #[test]
    fn a_column_past_the_end_stops_before_the_line_end() {
        for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16] {
            let places = Places::new(TEXT, encoding);
            assert_eq!(places.offset(Position { line: 0, character: 99 }), Some(8));
            assert_eq!(places.offset(Position { line: 9, character: 0 }), Some(TEXT.len()));
        }
    }
}
