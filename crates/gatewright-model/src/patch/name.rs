//! File names in the headers of unified diffs: quoting, prefixes, timestamps.

use super::error::PatchProblem;

/// The prefixes that git puts before the old and the new name.
const PREFIXES: [(&str, &str); 10] = [
    ("a/", "b/"),
    ("b/", "a/"),
    ("i/", "w/"),
    ("w/", "i/"),
    ("c/", "i/"),
    ("i/", "c/"),
    ("c/", "w/"),
    ("w/", "c/"),
    ("o/", "w/"),
    ("w/", "o/"),
];

/// The name on a `---` or `+++` line; `None` for `/dev/null`.
pub(super) fn header_name(text: &[u8]) -> Result<Option<String>, PatchProblem> {
    let name = if text.starts_with(b"\"") {
        unquote(text)?.0
    } else {
        let end = text.iter().position(|byte| *byte == b'\t');
        let name = end.map_or_else(|| without_timestamp(text), |end| &text[..end]);
        name.to_vec()
    };
    if name == b"/dev/null" { Ok(None) } else { path(name).map(Some) }
}

/// The name on a `rename from` line and its like.
pub(super) fn bare_name(text: &[u8]) -> Result<String, PatchProblem> {
    path(if text.starts_with(b"\"") { unquote(text)?.0 } else { text.to_vec() })
}

/// Whether the `---` line carries the timestamp by which old tools mark a file
/// that does not exist.
pub(super) fn has_epoch_timestamp(text: &[u8]) -> bool {
    let stamp = text.iter().position(|byte| *byte == b'\t').map(|tab| &text[tab + 1..]);
    stamp.is_some_and(|stamp| stamp.starts_with(b"1970-01-01 00:00:00"))
}

/// The two names of a `diff --git` line, unstripped, where the line alone tells
/// them apart: when one is quoted, or when both name the same file.
pub(super) fn git_line_names(rest: &[u8]) -> Result<Option<(String, String)>, PatchProblem> {
    if rest.starts_with(b"\"") {
        let (first, used) = unquote(rest)?;
        let second = rest[used..].strip_prefix(b" ").ok_or(PatchProblem::BadQuoting)?;
        return Ok(Some((path(first)?, bare_name(second)?)));
    }
    if rest.ends_with(b"\"") {
        let start = rest.windows(2).position(|pair| pair == b" \"");
        let start = start.ok_or(PatchProblem::BadQuoting)?;
        let second = bare_name(&rest[start + 1..])?;
        return Ok(Some((path(rest[..start].to_vec())?, second)));
    }
    // Prefixes are equally long, so equal names meet in the middle.
    let middle = rest.len() / 2;
    if rest.len() < 3 || rest[middle] != b' ' {
        return Ok(None);
    }
    let names = (path(rest[..middle].to_vec())?, path(rest[middle + 1..].to_vec())?);
    let (old, new) = strip_pair(&names.0, &names.1);
    Ok((old == new).then_some(names))
}

/// Both names without git's prefixes, where they have a pair of them.
pub(super) fn strip_pair<'a>(old: &'a str, new: &'a str) -> (&'a str, &'a str) {
    let strip = |(first, second): &(&str, &str)| {
        Some((old.strip_prefix(first)?, new.strip_prefix(second)?))
    };
    // A pair is taken where it makes the names equal; `a/x` and `b/y` lose it too.
    let mut pairs = PREFIXES.iter().filter_map(strip);
    pairs.clone().find(|(old, new)| old == new).or_else(|| pairs.next()).unwrap_or((old, new))
}

fn path(name: Vec<u8>) -> Result<String, PatchProblem> {
    if name.is_empty() {
        return Err(PatchProblem::EmptyPath);
    }
    String::from_utf8(name).map_err(|_| PatchProblem::InvalidUtf8Path)
}

/// Cuts ` 2026-01-31 12:00:00 ...` off, which some tools put after a space.
fn without_timestamp(text: &[u8]) -> &[u8] {
    let is_date = |date: &[u8]| {
        date.iter().enumerate().all(|(index, byte)| match index {
            0 => *byte == b' ',
            5 | 8 => *byte == b'-',
            11 => *byte == b' ',
            _ => byte.is_ascii_digit(),
        })
    };
    let end = text.windows(12).position(is_date).unwrap_or(text.len());
    text[..end].trim_ascii_end()
}

/// The bytes of a C-style quoted text at the start, and how long it is there.
fn unquote(text: &[u8]) -> Result<(Vec<u8>, usize), PatchProblem> {
    let mut name = Vec::new();
    let mut position = 1;
    loop {
        match text.get(position).ok_or(PatchProblem::BadQuoting)? {
            b'"' => return Ok((name, position + 1)),
            b'\\' => {
                let (byte, used) = escape(&text[position + 1..])?;
                name.push(byte);
                position += 1 + used;
            }
            byte => {
                name.push(*byte);
                position += 1;
            }
        }
    }
}

/// The byte that an escape stands for, and its length after the backslash.
fn escape(text: &[u8]) -> Result<(u8, usize), PatchProblem> {
    let byte = match text.first().ok_or(PatchProblem::BadQuoting)? {
        b'a' => 0x07,
        b'b' => 0x08,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 0x0b,
        b'f' => 0x0c,
        b'r' => b'\r',
        b'"' => b'"',
        b'\\' => b'\\',
        b'0'..=b'3' => {
            let digits = text.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
            let value = digits.and_then(|digits| u8::from_str_radix(digits, 8).ok());
            return Ok((value.ok_or(PatchProblem::BadQuoting)?, 3));
        }
        _ => return Err(PatchProblem::BadQuoting),
    };
    Ok((byte, 1))
}
