//! Hunks as unified text: lossy for people, exact for `git apply`.

use std::fmt::Write as _;

use crate::hunk::start_of_index;
use crate::{FileMode, Hunk, HunkLine};

const NO_NEWLINE: &str = "\\ No newline at end of file\n";

/// One side of a file change, for the header of a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileSide<'a> {
    /// The path, without a prefix.
    pub path: &'a str,
    /// The permission bits; git keeps only whether it is executable.
    pub mode: FileMode,
}

/// The hunk as text for people; bytes that are not UTF-8 are replaced.
pub fn unified_hunk(hunk: &Hunk) -> String {
    let mut out = Vec::new();
    push_hunk(&mut out, hunk, i64::from(hunk.after_start) - i64::from(hunk.before_start));
    String::from_utf8_lossy(&out).into_owned()
}

/// The diff of one file in git's form, such that `git apply` takes it.
///
/// `before` is `None` for a new file, `after` for one that goes; different
/// paths make a rename. `hunks` may be any subset, in order, parts of split
/// hunks included: the line numbers of the result are computed for these hunks,
/// and parts that share context are joined again. Of a file in UTF-16, which is
/// bytes to git, it is the diff of the text.
pub fn unified_file(
    before: Option<FileSide<'_>>,
    after: Option<FileSide<'_>>,
    hunks: &[Hunk],
) -> Vec<u8> {
    let mut out = header(before, after, hunks.is_empty()).into_bytes();
    let mut shift = 0;
    for hunk in join_overlapping(hunks) {
        let (removed, added) = (hunk.removed() as i64, hunk.added() as i64);
        let after_index = (hunk.before_index() as i64 + shift).max(0) as usize;
        let start = start_of_index(after_index, hunk.after_count as usize);
        push_hunk(&mut out, &hunk, i64::from(start) - i64::from(hunk.before_start));
        shift += added - removed;
    }
    out
}

fn header(before: Option<FileSide<'_>>, after: Option<FileSide<'_>>, bare: bool) -> String {
    let (Some(old), Some(new)) = (before.or(after), after.or(before)) else {
        return String::new();
    };
    let (old_name, new_name) = (format!("a/{}", old.path), format!("b/{}", new.path));
    let mut text = format!("diff --git {} {}\n", quote_path(&old_name), quote_path(&new_name));
    match (before, after) {
        (None, _) => text += &format!("new file mode {}\n", git_mode(new.mode)),
        (_, None) => text += &format!("deleted file mode {}\n", git_mode(old.mode)),
        _ => text += &changed_header(old, new, bare),
    }
    if bare {
        return text;
    }
    let name = |side: Option<FileSide<'_>>, name: &str| match side {
        None => "/dev/null".to_owned(),
        // A tab ends a name with a space in it, for readers that cut there.
        Some(_) if name.contains(' ') => format!("{}\t", quote_path(name)),
        Some(_) => quote_path(name),
    };
    text + &format!("--- {}\n+++ {}\n", name(before, &old_name), name(after, &new_name))
}

fn changed_header(old: FileSide<'_>, new: FileSide<'_>, bare: bool) -> String {
    let mut text = String::new();
    if git_mode(old.mode) != git_mode(new.mode) {
        text += &format!("old mode {}\nnew mode {}\n", git_mode(old.mode), git_mode(new.mode));
    }
    if old.path != new.path {
        if bare {
            text += "similarity index 100%\n";
        }
        text += &format!("rename from {}\n", quote_path(old.path));
        text += &format!("rename to {}\n", quote_path(new.path));
    }
    text
}

fn git_mode(mode: FileMode) -> &'static str {
    if mode.is_executable() { "100755" } else { "100644" }
}

/// Joins neighbours whose context overlaps, which `git apply` does not take.
fn join_overlapping(hunks: &[Hunk]) -> Vec<Hunk> {
    let mut joined: Vec<Hunk> = Vec::with_capacity(hunks.len());
    for hunk in hunks {
        let shared = joined.last().map_or(0, |last| {
            let end = last.before_index() + last.before_count as usize;
            end.saturating_sub(hunk.before_index())
        });
        match joined.last_mut() {
            Some(last) if shared > 0 => {
                let rest = hunk.lines.get(shared..).unwrap_or_default();
                last.lines.extend_from_slice(rest);
                last.before_count += hunk.before_count.saturating_sub(shared as u32);
                last.after_count += hunk.after_count.saturating_sub(shared as u32);
            }
            _ => joined.push(hunk.clone()),
        }
    }
    joined
}

fn push_hunk(out: &mut Vec<u8>, hunk: &Hunk, shift: i64) {
    let range = |start: i64, count: u32| match count {
        1 => start.to_string(),
        _ => format!("{start},{count}"),
    };
    let before = range(i64::from(hunk.before_start), hunk.before_count);
    let after = range(i64::from(hunk.before_start) + shift, hunk.after_count);
    out.extend_from_slice(format!("@@ -{before} +{after} @@\n").as_bytes());
    hunk.lines.iter().for_each(|line| push_line(out, line));
}

fn push_line(out: &mut Vec<u8>, line: &HunkLine) {
    out.push(line.kind.marker() as u8);
    out.extend_from_slice(&line.text);
    if !line.text.ends_with(b"\n") {
        out.push(b'\n');
        out.extend_from_slice(NO_NEWLINE.as_bytes());
    }
}

/// The path as git writes it: in quotes with C escapes where it must be.
fn quote_path(path: &str) -> String {
    let plain = |byte: u8| (0x20..0x7f).contains(&byte) && byte != b'"' && byte != b'\\';
    if path.bytes().all(plain) {
        return path.to_owned();
    }
    let mut quoted = String::from("\"");
    for byte in path.bytes() {
        match byte {
            b'"' => quoted += "\\\"",
            b'\\' => quoted += "\\\\",
            b'\x07' => quoted += "\\a",
            b'\x08' => quoted += "\\b",
            b'\t' => quoted += "\\t",
            b'\n' => quoted += "\\n",
            b'\x0b' => quoted += "\\v",
            b'\x0c' => quoted += "\\f",
            b'\r' => quoted += "\\r",
            _ if plain(byte) => quoted.push(char::from(byte)),
            _ => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted + "\""
}
