//! Dumps of bytes: an address, the bytes in hexadecimal digits, and the same bytes as text.
//!
//! `xxd` and `hexdump -C` write sixteen bytes on a line, so a token goes on over several
//! lines, twice. Each column is put together for itself. `od -t x1` leaves out the text.

use std::ops::Range;

use super::View;
use crate::egress::detect::text::{line_end, run_end, skip_blanks};

/// How many bytes a line has at most.
const MOST: usize = 32;
/// The shortest address and the longest.
const ADDRESS: Range<usize> = 4..17;

/// A line of a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// Where the digits of each byte lie.
    bytes: Vec<Range<usize>>,
    /// Where the text lies.
    text: Range<usize>,
}

/// The columns of the dumps in a text, each put together. Empty when there is no dump.
pub fn dumped(source: &View) -> Vec<View> {
    let text = source.bytes();
    if line_end(text, 0) == text.len() {
        return Vec::new();
    }
    let rows: Vec<Row> = starts(text).filter_map(|start| row(text, start)).collect();
    if rows.len() < 2 {
        return Vec::new();
    }
    let [mut digits, mut letters] = [View::like(source), View::like(source)];
    for row in rows {
        digits.seams.push(digits.bytes.len());
        for place in row.bytes {
            let byte = byte_of(&text[place.clone()]).unwrap_or_default();
            digits.put(byte, source, place);
        }
        letters.seams.push(letters.bytes.len());
        letters.keep(source, row.text);
    }
    vec![digits, letters]
}

/// True when the line that `line` is, with its end or without, is one of a dump.
pub fn is_dump(line: &[u8]) -> bool {
    row(line, 0).is_some()
}

/// True when the start of a line may become one of a dump.
pub fn may_become_dump(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let end = run_end(line, 0, |byte| byte.is_ascii_hexdigit());
    end < ADDRESS.end && matches!(line.get(end), None | Some(b':' | b' '))
}

fn starts(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = next;
        next = line_end(text, start);
        (start < text.len()).then_some(start)
    })
}

/// The line of a dump that begins at `start`.
fn row(text: &[u8], start: usize) -> Option<Row> {
    let stop = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |newline| start + newline);
    let line = &text[..stop];
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let first = skip_blanks(line, start);
    if !line.get(first).is_some_and(u8::is_ascii_hexdigit) {
        return None;
    }
    let address = run_end(line, first, |byte| byte.is_ascii_hexdigit());
    let is_address = ADDRESS.contains(&(address - first));
    if let Some(bytes) = bytes_alone(line, first..address) {
        return Some(Row { bytes, text: line.len()..line.len() });
    }
    let mut at = address + usize::from(line.get(address) == Some(&b':'));
    if !is_address || line.get(at) != Some(&b' ') {
        return None;
    }
    let mut bytes: Vec<Range<usize>> = Vec::new();
    let mut behind = at;
    loop {
        at = skip_blanks(line, behind);
        let end = run_end(line, at, |byte| byte.is_ascii_hexdigit());
        // Two blanks before a word of the right length may be the text itself.
        let is_group = matches!(end - at, 2 | 4 | 8) && line.get(end) == Some(&b' ');
        let is_text = at - behind > 1 && bytes.len() == line.len() - at;
        if !is_group || is_text || bytes.len() + (end - at) / 2 > MOST {
            break;
        }
        bytes.extend((at..end).step_by(2).map(|place| place..place + 2));
        behind = end;
    }
    let bars = usize::from(line.get(at) == Some(&b'|') && line.ends_with(b"|"));
    let letters = at + bars..line.len().saturating_sub(bars).max(at + bars);
    let is_apart = at >= behind + 2;
    (is_apart && !bytes.is_empty() && letters.len() == bytes.len())
        .then_some(Row { bytes, text: letters })
}

/// The bytes of a line that holds nothing else behind its address, which every line of
/// sixteen bytes ends with a zero.
fn bytes_alone(line: &[u8], address: Range<usize>) -> Option<Vec<Range<usize>>> {
    const LENGTHS: Range<usize> = 6..9;
    let is_address = LENGTHS.contains(&address.len()) && line[address.clone()].ends_with(b"0");
    let rest = line[address.end..].trim_ascii_end();
    let is_byte = |group: &[u8]| matches!(group, [b' ', first, last] if first.is_ascii_hexdigit() && last.is_ascii_hexdigit());
    let is_list = is_address && rest.len().is_multiple_of(3) && rest.len() <= 3 * MOST;
    (is_list && !rest.is_empty() && rest.chunks(3).all(is_byte)).then(|| {
        let starts = (address.end + 1..address.end + rest.len()).step_by(3);
        starts.map(|start| start..start + 2).collect()
    })
}

fn byte_of(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const XXD: &str = "00000000: 6162 6364 6566  abcdef\n00000006: 6768 69    ghi\n";
    const HEXDUMP: &str = "00000000  61 62 63 64  65 66  |abcdef|\n00000006  67 68 69  |ghi|\n";

    #[test]
    fn both_columns_are_put_together() {
        for dump in [XXD, HEXDUMP] {
            let views = dumped(&View::of(dump.as_bytes()));
            let shown: Vec<_> = views.iter().map(View::bytes).collect();
            assert_eq!(shown, [b"abcdefghi", b"abcdefghi"], "{dump}");
            assert!(dump.lines().all(|line| is_dump(line.as_bytes())), "{dump}");
        }
    }

    #[test]
    fn bytes_are_put_together_without_their_text() {
        let dump = "0000000 61 62 63\n0000020 64 65\n0000022\n";
        let shown = dumped(&View::of(dump.as_bytes())).remove(0);
        assert_eq!(shown.bytes(), b"abcde");
    }

    #[test]
    fn other_lines_are_no_dump() {
        for line in [
            "00000000: 6162 6364  abc",
            "10:24 ab cd  ef",
            "deadbeef: some words",
            "0000001 61 62",
            "",
        ] {
            assert!(!is_dump(line.as_bytes()), "{line}");
        }
    }
}
