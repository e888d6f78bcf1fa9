//! The tables of a compiled .NET assembly: where each row and each name stands.
//!
//! The form is ECMA-335, partition II, sections 22 to 25. Only what is asked for
//! is read, every offset is checked, and bytes that are no assembly give nothing.

/// One column of a table.
enum Column {
    /// A number of so many bytes.
    Number(usize),
    Text,
    Guid,
    Blob,
    /// The number of a row of one table.
    Row(usize),
    /// The number of a row of one of several tables, which its lowest bits tell.
    Coded(&'static [usize]),
}

use Column::{Blob, Coded, Guid, Number, Row, Text};

pub(super) const TYPE_REF: usize = 0x01;
pub(super) const TYPE_DEF: usize = 0x02;
pub(super) const FIELD: usize = 0x04;
pub(super) const METHOD: usize = 0x06;
pub(super) const INTERFACE: usize = 0x09;
pub(super) const MEMBER_REF: usize = 0x0a;
pub(super) const ATTRIBUTE: usize = 0x0c;
pub(super) const EVENT_MAP: usize = 0x12;
pub(super) const EVENT: usize = 0x14;
pub(super) const PROPERTY_MAP: usize = 0x15;
pub(super) const PROPERTY: usize = 0x17;
pub(super) const TYPE_SPEC: usize = 0x1b;
pub(super) const EXPORTED: usize = 0x27;
pub(super) const NESTED: usize = 0x29;

/// No table has this number.
const NONE: usize = 63;
const SCOPE: &[usize] = &[0x00, 0x1a, 0x23, TYPE_REF];
/// What a base can be.
pub(super) const TYPES: &[usize] = &[TYPE_DEF, TYPE_REF, TYPE_SPEC];
/// Whose a member can be.
pub(super) const OWNERS: &[usize] = &[TYPE_DEF, TYPE_REF, 0x1a, METHOD, TYPE_SPEC];
/// What can have an attribute.
pub(super) const ATTRIBUTED: &[usize] = &[
    METHOD, FIELD, TYPE_REF, TYPE_DEF, 0x08, INTERFACE, MEMBER_REF, 0x00, 0x0e, PROPERTY, EVENT,
    0x11, 0x1a, TYPE_SPEC, 0x20, 0x23, 0x26, EXPORTED, 0x28, 0x2a, 0x2c, 0x2b,
];
/// What makes an attribute.
pub(super) const MAKERS: &[usize] = &[NONE, NONE, METHOD, MEMBER_REF, NONE];
const PLACE: &[usize] = &[0x26, 0x23, EXPORTED];

/// The columns of every table up to the last that is asked for.
const COLUMNS: [&[Column]; 0x2a] = [
    &[Number(2), Text, Guid, Guid, Guid],
    &[Coded(SCOPE), Text, Text],
    &[Number(4), Text, Text, Coded(TYPES), Row(FIELD), Row(METHOD)],
    &[Row(FIELD)],
    &[Number(2), Text, Blob],
    &[Row(METHOD)],
    &[Number(4), Number(2), Number(2), Text, Blob, Row(0x08)],
    &[Row(0x08)],
    &[Number(2), Number(2), Text],
    &[Row(TYPE_DEF), Coded(TYPES)],
    &[Coded(OWNERS), Text, Blob],
    &[Number(2), Coded(&[FIELD, 0x08, PROPERTY]), Blob],
    &[Coded(ATTRIBUTED), Coded(MAKERS), Blob],
    &[Coded(&[FIELD, 0x08]), Blob],
    &[Number(2), Coded(&[TYPE_DEF, METHOD, 0x20]), Blob],
    &[Number(2), Number(4), Row(TYPE_DEF)],
    &[Number(4), Row(FIELD)],
    &[Blob],
    &[Row(TYPE_DEF), Row(EVENT)],
    &[Row(EVENT)],
    &[Number(2), Text, Coded(TYPES)],
    &[Row(TYPE_DEF), Row(PROPERTY)],
    &[Row(PROPERTY)],
    &[Number(2), Text, Blob],
    &[Number(2), Row(METHOD), Coded(&[EVENT, PROPERTY])],
    &[Row(TYPE_DEF), Coded(&[METHOD, MEMBER_REF]), Coded(&[METHOD, MEMBER_REF])],
    &[Text],
    &[Blob],
    &[Number(2), Coded(&[FIELD, METHOD]), Text, Row(0x1a)],
    &[Number(4), Row(FIELD)],
    &[Number(4), Number(4)],
    &[Number(4)],
    &[Number(4), Number(8), Number(4), Blob, Text, Text],
    &[Number(4)],
    &[Number(4), Number(4), Number(4)],
    &[Number(8), Number(4), Blob, Text, Text, Blob],
    &[Number(4), Row(0x23)],
    &[Number(4), Number(4), Number(4), Row(0x23)],
    &[Number(4), Text, Blob],
    &[Number(4), Number(4), Text, Text, Coded(PLACE)],
    &[Number(4), Number(4), Text, Coded(PLACE)],
    &[Row(TYPE_DEF), Row(TYPE_DEF)],
];

/// The longest name that the form allows, and its end.
const LONGEST_NAME: usize = 1024;

/// The tables of one assembly.
pub(super) struct Tables<'a> {
    texts: &'a [u8],
    blobs: &'a [u8],
    rows: [usize; 64],
    /// The bytes of each table, and the widths of its columns.
    tables: Vec<(&'a [u8], Vec<usize>)>,
}

impl<'a> Tables<'a> {
    /// The tables of these bytes; `None` when they are no assembly that can be read.
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
        let metadata = metadata(bytes)?;
        let (mut texts, mut blobs, mut heap) = (&[][..], &[][..], None);
        for (name, stream) in streams(metadata)? {
            match name {
                b"#Strings" => texts = stream,
                b"#Blob" => blobs = stream,
                b"#~" | b"#-" => heap = Some(stream),
                _ => {}
            }
        }
        let heap = heap?;
        let (sizes, present) = (number(heap, 6, 1)?, wide(heap, 8)?);
        let mut rows = [0; 64];
        let mut at = 24;
        for (table, count) in rows.iter_mut().enumerate() {
            if present >> table & 1 == 1 {
                *count = number(heap, at, 4)?;
                at += 4;
            }
        }
        let mut rest = heap.get(at..)?;
        let mut tables = Vec::new();
        for (table, columns) in COLUMNS.iter().enumerate() {
            let widths: Vec<usize> = columns.iter().map(|it| width(it, sizes, &rows)).collect();
            let length = widths.iter().sum::<usize>().checked_mul(rows[table])?;
            let (own, others) = rest.split_at_checked(length)?;
            rest = others;
            tables.push((own, widths));
        }
        Some(Self { texts, blobs, rows, tables })
    }

    /// How many rows a table has; they are counted from one.
    pub(super) fn count(&self, table: usize) -> usize {
        self.rows.get(table).copied().unwrap_or(0)
    }

    /// One cell.
    pub(super) fn cell(&self, table: usize, row: usize, column: usize) -> Option<usize> {
        let (bytes, widths) = self.tables.get(table)?;
        let before: usize = widths.get(..column)?.iter().sum();
        let start = row.checked_sub(1)?.checked_mul(widths.iter().sum())?;
        number(bytes, start.checked_add(before)?, *widths.get(column)?)
    }

    /// The text that a cell names.
    pub(super) fn text(&self, table: usize, row: usize, column: usize) -> Option<&'a str> {
        let rest = self.texts.get(self.cell(table, row, column)?..)?;
        let end = memchr::memchr(0, &rest[..rest.len().min(LONGEST_NAME)])?;
        std::str::from_utf8(&rest[..end]).ok()
    }

    /// The table and the row that a cell names.
    pub(super) fn coded(
        &self,
        table: usize,
        row: usize,
        (column, of): (usize, &[usize]),
    ) -> Option<(usize, usize)> {
        decoded(self.cell(table, row, column)?, of)
    }

    /// The bytes that a cell names.
    pub(super) fn blob(&self, table: usize, row: usize, column: usize) -> Option<&'a [u8]> {
        let rest = self.blobs.get(self.cell(table, row, column)?..)?;
        let (length, rest) = packed(rest)?;
        rest.get(..length)
    }

    /// Whether no row of a table claims what belongs to an earlier one, so that the rows that
    /// belong to all of them are no more than there are.
    pub(super) fn is_ordered(&self, table: usize, column: usize) -> bool {
        let cells = (1..=self.count(table)).map(|row| self.cell(table, row, column));
        cells.is_sorted()
    }

    /// The rows of `of` that belong to a row of a table, up to where those of the next begin.
    pub(super) fn owned(
        &self,
        table: usize,
        (row, column): (usize, usize),
        of: usize,
    ) -> std::ops::Range<usize> {
        let end = self.count(of) + 1;
        let from = self.cell(table, row, column).unwrap_or(end).clamp(1, end);
        let next = if row < self.count(table) { self.cell(table, row + 1, column) } else { None };
        from..next.unwrap_or(end).clamp(from, end)
    }
}

/// The table and the row behind a coded number.
pub(super) fn decoded(number: usize, of: &[usize]) -> Option<(usize, usize)> {
    let bits = tag_bits(of);
    Some((*of.get(number & ((1 << bits) - 1))?, number >> bits))
}

/// A number of one, two or four bytes, and what follows it.
pub(super) fn packed(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let first = usize::from(*bytes.first()?);
    let (length, mask) = match first {
        0..0x80 => (1, 0x7f),
        0x80..0xc0 => (2, 0x3f),
        _ => (4, 0x1f),
    };
    let (own, rest) = bytes.split_at_checked(length)?;
    let above = own[1..].iter().fold(first & mask, |number, byte| number << 8 | usize::from(*byte));
    Some((above, rest))
}

fn tag_bits(of: &[usize]) -> u32 {
    usize::BITS - of.len().saturating_sub(1).leading_zeros()
}

fn width(column: &Column, sizes: usize, rows: &[usize; 64]) -> usize {
    let of_heap = |bit: usize| if sizes >> bit & 1 == 1 { 4 } else { 2 };
    match column {
        Number(width) => *width,
        Text => of_heap(0),
        Guid => of_heap(1),
        Blob => of_heap(2),
        Row(table) => {
            if rows[*table] < 1 << 16 {
                2
            } else {
                4
            }
        }
        Coded(of) => {
            let most = of.iter().map(|table| rows[*table]).max().unwrap_or(0);
            if most < 1 << (16 - tag_bits(of)) { 2 } else { 4 }
        }
    }
}

/// The part of a program file that describes its types.
fn metadata(bytes: &[u8]) -> Option<&[u8]> {
    let head = number(bytes, 0x3c, 4)?;
    if bytes.get(head..head.checked_add(4)?)? != b"PE\0\0" {
        return None;
    }
    let (sections, optional) = (number(bytes, head + 6, 2)?, head + 24);
    let directories = match number(bytes, optional, 2)? {
        0x10b => optional + 96,
        0x20b => optional + 112,
        _ => return None,
    };
    let first = optional + number(bytes, head + 20, 2)?;
    let place = |address: usize| {
        (0..sections).find_map(|section| {
            let field = |at: usize| number(bytes, first + 40 * section + at, 4);
            let (size, start, data) = (field(8)?.max(field(16)?), field(12)?, field(20)?);
            let within = address.checked_sub(start).filter(|within| *within < size)?;
            data.checked_add(within)
        })
    };
    let of_runtime = place(number(bytes, directories + 14 * 8, 4)?)?;
    let start = place(number(bytes, of_runtime + 8, 4)?)?;
    let length = number(bytes, of_runtime + 12, 4)?;
    bytes.get(start..start.checked_add(length)?).filter(|it| it.starts_with(b"BSJB"))
}

/// The streams of the description, by their names.
fn streams(metadata: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let version = number(metadata, 12, 4)?;
    let mut at = version.checked_add(20)?;
    let mut found = Vec::new();
    for _ in 0..number(metadata, at - 2, 2)?.min(16) {
        let (start, size) = (number(metadata, at, 4)?, number(metadata, at + 4, 4)?);
        let rest = metadata.get(at + 8..)?;
        let length = memchr::memchr(0, rest)?;
        found.push((&rest[..length], metadata.get(start..start.checked_add(size)?)?));
        at += 8 + (length / 4 + 1) * 4;
    }
    Some(found)
}

/// A number of some bytes, the lowest first.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let own = bytes.get(at..at.checked_add(width)?)?;
    Some(own.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

fn wide(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}
