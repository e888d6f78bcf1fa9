//! Lines and columns as the guards count them, and as the protocol does.

use lsp_types::{Position, Range};

/// How the protocol counts within a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16.
    Utf16,
}

impl Encoding {
    /// The length of a text in this encoding.
    fn length(self, text: &str) -> u32 {
        let count = match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.encode_utf16().count(),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// Where `name` stands, that the guards place at a line and a column of
    /// characters, both from one. Without it there, the word that is.
    pub fn range_of(self, text: &str, line: u32, column: u32, name: &str) -> (Range, bool) {
        let index = line.saturating_sub(1);
        let content = text.lines().nth(index as usize).unwrap_or_default();
        let skipped = column.saturating_sub(1) as usize;
        let start = content.char_indices().nth(skipped).map_or(content.len(), |(at, _)| at);
        let rest = &content[start..];
        let is_there = !name.is_empty() && rest.starts_with(name);
        let length = if is_there { name.len() } else { word_length(rest) };
        let at = |offset: usize| Position::new(index, self.length(&content[..offset]));
        (Range::new(at(start), at(start + length)), is_there)
    }
}

fn word_length(rest: &str) -> usize {
    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
}

/// Whole lines, from one index up to another.
pub fn lines(from: usize, to: usize) -> Range {
    let at = |line: usize| Position::new(u32::try_from(line).unwrap_or(u32::MAX), 0);
    Range::new(at(from), at(to))
}

/// Whether two ranges touch.
pub fn touch(left: &Range, right: &Range) -> bool {
    left.start <= right.end && right.start <= left.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_as_the_editor_counts_them() {
        let text = "x\nü𝄞 = wrong()\n";
        let (range, is_there) = Encoding::Utf16.range_of(text, 2, 6, "wrong");
        assert!(is_there);
        assert_eq!(range, Range::new(Position::new(1, 6), Position::new(1, 11)));
        let (range, _) = Encoding::Utf8.range_of(text, 2, 6, "wrong");
        assert_eq!(range, Range::new(Position::new(1, 9), Position::new(1, 14)));
    }

    #[test]
    fn a_name_that_is_not_there_marks_the_word_that_is() {
        let (range, is_there) = Encoding::Utf8.range_of("import os\n", 1, 8, "other");
        assert!(!is_there);
        assert_eq!(range, Range::new(Position::new(0, 7), Position::new(0, 9)));
        let (range, _) = Encoding::Utf8.range_of("", 9, 9, "x");
        assert_eq!(range.start, range.end);
    }
}
