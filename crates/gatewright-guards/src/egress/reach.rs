//! How far what begins on a line reaches over the lines below it: tokens, strings, encoded text.
//!
//! Only the text decides, and never how much of it has come: where a line is not
//! complete, the answer lies behind the end of the text.

use super::anchors::Hit;
use super::detect::MEMBER_REACH;
use super::detect::private_key::holds_placeholder;
use super::detect::text::{is_base64_byte, run_end};
use super::shadow::{
    ends_with_statement, ends_with_string, is_dump, is_part_of_token, may_become_dump,
    may_become_part, starts_with_appended, starts_with_string, without_border, wrapped_end,
};
use super::sparks::shows_value;
use super::units::{Cutter, Ending, Extent, Line, UNIT_LIMIT};

impl Cutter<'_> {
    /// True when the token at `hit` runs to the end of its line, give or take quotes.
    pub fn runs_on(&self, hit: &Hit, line_end: usize) -> bool {
        // A token that runs on for longer is none that a rule knows.
        const LONGEST: usize = 1024;
        if line_end - hit.start > LONGEST {
            return false;
        }
        let line = without_border(self.text[hit.start..line_end].trim_ascii_end());
        let token = run_end(line, 0, |byte| {
            is_base64_byte(byte) || matches!(byte, b'.' | b'=' | b'%' | b':')
        });
        line.len() - token <= 8
            && line[token..].iter().all(|byte| {
                matches!(
                    byte,
                    b'"' | b'\''
                        | b'`'
                        | b'+'
                        | b' '
                        | b'\\'
                        | b'.'
                        | b'&'
                        | b'('
                        | b')'
                        | b';'
                        | b'^'
                        | b'_'
                )
            })
    }

    /// How far the last string of a line reaches that may be a value, else the end of the line.
    pub(super) fn string_end(&self, line: &mut Line) -> usize {
        *line.string_end.get_or_insert_with(|| match self.last_string_shows_value(line.end) {
            true => self.joined_end(line.end, ends_with_string, starts_with_string),
            false => line.end,
        })
    }

    /// True when the last string of the line that ends at `line_end` may be a value.
    fn last_string_shows_value(&self, line_end: usize) -> bool {
        let line = &self.text[line_end.saturating_sub(MEMBER_REACH)..line_end];
        let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
        let Some(close) = line.iter().rposition(is_quote) else { return false };
        // A string that begins too far away to be seen is shorter once a part of it is hidden.
        let Some(open) = line[..close].iter().rposition(is_quote) else {
            let newline = memchr::memrchr(b'\n', &line[..close]).map_or(0, |newline| newline + 1);
            return !holds_placeholder(&line[newline..close]);
        };
        // Before something in it was hidden, another quote may have stood there.
        let start = line_end - line.len();
        !holds_placeholder(&line[open..close])
            && shows_value(self.text, &(start + open..start + close))
    }

    /// How far a token may reach that runs to the end of its line at `line_end`.
    pub(super) fn token_end(&self, line_end: usize) -> usize {
        let joined = self.joined_end(line_end, ends_with_string, starts_with_string);
        let assembled = self.joined_end(line_end, ends_with_statement, starts_with_appended);
        let wrapped = self.wrapped_end(line_end).max(self.dump_end(line_end));
        joined.max(assembled).max(wrapped).max(line_end + 1)
    }

    /// How far a dump of bytes reaches, of which a line ends at `end`.
    pub(super) fn dump_end(&self, mut end: usize) -> usize {
        const LINES: usize = 14;
        const LONGEST: usize = 160;
        let floor = end.saturating_sub(LONGEST);
        let near = &self.text[floor..end - 1];
        let start = memchr::memrchr(b'\n', near).map_or(floor, |newline| floor + newline + 1);
        if !is_dump(&self.text[start..end]) {
            return end;
        }
        for _ in 0..LINES {
            let near = &self.text[end..(end + LONGEST).min(self.text.len())];
            let newline = memchr::memchr(b'\n', near);
            match newline {
                Some(newline) if is_dump(&near[..newline]) => end += newline + 1,
                // The line is not complete, or the last of all.
                None if near.len() < LONGEST && may_become_dump(near) => return end + 1,
                _ => return end,
            }
        }
        end
    }

    /// How far lines reach that are nothing but parts of a token, from the line that ends at `end`.
    pub(super) fn wrapped_end(&self, mut end: usize) -> usize {
        const LINES: usize = 8;
        const LONGEST: usize = 512;
        for _ in 0..LINES {
            let near = &self.text[end..(end + LONGEST).min(self.text.len())];
            let newline = memchr::memchr(b'\n', near);
            let line = &near[..newline.unwrap_or(near.len())];
            match newline {
                Some(newline) if is_part_of_token(line) => end += newline + 1,
                // The line is not complete, or the last of all.
                None if near.len() < LONGEST && may_become_part(line) => return end + 1,
                _ => return end,
            }
        }
        end
    }

    /// How far a text reaches that is encoded and wrapped over lines, of which `hit` is one.
    pub(super) fn encoded_end(&self, hit: &Hit, line_end: usize) -> Extent {
        const MARGIN: usize = 96;
        let floor = hit.start.saturating_sub(MARGIN);
        let newline = memchr::memrchr(b'\n', &self.text[floor..hit.start]);
        let start = match newline {
            Some(newline) => floor + newline + 1,
            None if floor == 0 => 0,
            None => return Extent::To(line_end),
        };
        match wrapped_end(self.text, start, self.ending == Ending::Final) {
            Some(end) => Extent::To(end.max(line_end)),
            None => Extent::NeedsMore,
        }
    }

    /// How far a string reaches that is put together over lines, from the line that ends at `end`.
    ///
    /// `ends` and `starts` say whether a line and the next one belong together.
    fn joined_end(
        &self,
        mut end: usize,
        ends: fn(&[u8]) -> bool,
        starts: fn(&[u8]) -> bool,
    ) -> usize {
        const LINES: usize = 16;
        const NEAR: usize = 64;
        for _ in 0..LINES {
            let floor = end.saturating_sub(NEAR);
            if !ends(&self.text[floor..end]) {
                return end;
            }
            let limit = (end + NEAR).min(self.text.len());
            let newline = memchr::memchr(b'\n', &self.text[end..limit]);
            let next = &self.text[end..newline.map_or(limit, |newline| end + newline)];
            let is_cut = newline.is_none() && limit < end + NEAR && self.ending == Ending::Open;
            if !is_cut && !starts(next) {
                return end;
            }
            match memchr::memchr(b'\n', &self.text[end..(end + UNIT_LIMIT).min(self.text.len())]) {
                Some(newline) => end += newline + 1,
                None => return end + 1,
            }
        }
        end
    }
}
