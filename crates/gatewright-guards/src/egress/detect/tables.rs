//! Tables whose head names a column of secrets: lines of commas, tabs or bars.
//!
//! A head is a line of names and nothing else, and the lines below have as many cells. What
//! stands in a cell is judged by the name of its column.

use std::ops::Range;

use super::text::{line_around, line_end};

/// How many lines of a table are looked at.
const MOST_ROWS: usize = 256;
/// The longest line of a table.
const LONGEST: usize = 1024;
/// The longest name of a column.
const NAME: usize = 40;

/// A column of a table.
struct Column {
    delimiter: u8,
    /// How many delimiters stand before its cell.
    before: usize,
    /// How many delimiters stand in each line.
    count: usize,
}

/// A line below the head.
enum Row {
    /// What parts the head from the rest.
    Rule,
    /// Where the cell lies.
    Cell(Range<usize>),
}

/// True when the name at `name` is the head of a column and a line of its table follows.
pub fn is_head(text: &[u8], name: &Range<usize>) -> bool {
    let Some(column) = column_of(text, name) else { return false };
    let below = line_around(text, name.start).end + 1;
    below < text.len() && row(text, below, &column).is_some()
}

/// The cells of the column whose head is the name at `name`.
pub fn cells_below(text: &[u8], name: &Range<usize>) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    walk(text, name, |row| {
        if let Row::Cell(cell) = row {
            cells.push(cell);
        }
    });
    cells
}

/// Where the table ends as far as it is there, if the name at `name` may be the head of a column.
pub fn table_end(text: &[u8], name: &Range<usize>) -> Option<usize> {
    walk(text, name, |_| {})
}

fn walk(text: &[u8], name: &Range<usize>, mut look: impl FnMut(Row)) -> Option<usize> {
    let column = column_of(text, name)?;
    let mut at = line_end(text, name.end);
    for _ in 0..MOST_ROWS {
        let Some(row) = row(text, at, &column).filter(|_| at < text.len()) else { break };
        look(row);
        at = line_end(text, at);
    }
    Some(at)
}

/// The column whose head is the name at `name`, if its line is nothing but names.
fn column_of(text: &[u8], name: &Range<usize>) -> Option<Column> {
    let line = line_around(text, name.start);
    if line.len() > LONGEST || line.end == text.len() {
        return None;
    }
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'"' | b'`');
    let next = text[name.end..line.end].iter().find(|byte| !is_blank(byte));
    let last = text[line.start..name.start].iter().rev().find(|byte| !is_blank(byte));
    let is_delimiter = |byte: &&u8| matches!(byte, b',' | b'\t' | b'|' | b';');
    let beside = if matches!(next, None | Some(b'\r')) { last } else { next };
    let delimiter = *beside.filter(is_delimiter)?;
    let head = &text[line.clone()];
    let mut cells = head.split(|byte| *byte == delimiter);
    let is_named = |cell: &[u8]| {
        let cell = bare(cell);
        let is_inner =
            |byte: &u8| byte.is_ascii_alphanumeric() || b"_-. +>".contains(byte) || *byte >= 0x80;
        cell.len() <= NAME && cell.iter().all(is_inner)
    };
    let before = count_of(&head[..name.start - line.start], delimiter);
    let own = cells.clone().nth(before).map(bare)?;
    let count = count_of(head, delimiter);
    let above = &text[..line.start];
    let above = &above[memchr::memrchr(b'\n', above.trim_ascii_end()).map_or(0, |at| at + 1)..];
    if !above.is_empty() && above.len() <= LONGEST && count_of(above, delimiter) == count {
        // A line of the table itself names nothing.
        return None;
    }
    // A list of arguments over lines has one on each.
    let names = cells.clone().filter(|cell| !bare(cell).is_empty()).count();
    let is_head = own == &text[name.clone()] && names > 1 && cells.all(is_named);
    is_head.then_some(Column { delimiter, before, count })
}

fn count_of(line: &[u8], delimiter: u8) -> usize {
    memchr::memchr_iter(delimiter, line).count()
}

/// What the line at `at` is in the table of `column`, if it belongs to it.
fn row(text: &[u8], at: usize, column: &Column) -> Option<Row> {
    let end = line_end(text, at);
    let line = &text[at..end];
    if line.len() > LONGEST {
        return None;
    }
    let trimmed = line.trim_ascii();
    if trimmed.contains(&b'-') && trimmed.iter().all(|byte| b"-+|:= ".contains(byte)) {
        return Some(Row::Rule);
    }
    let mut start = 0;
    let mut cell = None;
    let mut count = 0;
    for place in memchr::memchr_iter(column.delimiter, line).chain([line.len()]) {
        if count == column.before {
            cell = Some(start..place);
        }
        count += 1;
        start = place + 1;
    }
    let cell = cell.filter(|_| count == column.count + 1)?;
    let inner = bare_range(&line[cell.clone()]);
    let start = at + cell.start;
    Some(Row::Cell(start + inner.start..start + inner.end))
}

/// A cell without blanks and quotes around it.
fn bare(cell: &[u8]) -> &[u8] {
    &cell[bare_range(cell)]
}

fn bare_range(cell: &[u8]) -> Range<usize> {
    let start = cell.len() - cell.trim_ascii_start().len();
    let end = start + cell.trim_ascii().len();
    match cell[start..end] {
        [b'"', .., b'"'] | [b'\'', .., b'\''] | [b'`', .., b'`'] => start + 1..end - 1,
        _ => start..end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
        let start = text.find(name).unwrap();
        let cells = cells_below(text.as_bytes(), &(start..start + name.len()));
        cells.into_iter().map(|cell| &text[cell]).collect()
    }

    #[test]
    fn cells_stand_below_the_name_of_their_column() {
        for text in [
            "user,token,mail\nann,ab,x\nbob,\"cd\",y\n",
            "user\ttoken\nann\tab\nbob\tcd\n\nbye\n",
            "| user | token |\n|---|---|\n| ann | `ab` |\n| bob | cd |\ntext\n",
            " id | token \n----+-------\n  1 | ab \n  2 | cd \n(2 rows)\n",
            "     1→user,token\n     2→ann,ab\n     3→bob,cd\n",
        ] {
            assert_eq!(cells(text, "token"), ["ab", "cd"], "{text}");
        }
    }

    #[test]
    fn what_is_no_table_has_no_cells() {
        for text in [
            "call(user, token)\nother(a, b)\n",
            "user, token\n",
            "user, token\nno comma here\n",
            "the token, which is long, stays\n",
            "    token,\n    name=Value1,\n    other=2,\n",
        ] {
            assert_eq!(cells(text, "token"), [""; 0], "{text}");
        }
    }
}
