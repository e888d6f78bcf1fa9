//! The header of one file in a unified diff: git's extended form or plain.

use super::error::{PatchError, PatchProblem};
use super::name::{bare_name, git_line_names, has_epoch_timestamp, header_name, strip_pair};
use super::scan::Cursor;

/// What the header says, with prefixes removed and names found consistent.
#[derive(Default)]
pub(super) struct FileHeader {
    /// The name of the base; `None` for a new file.
    pub old: Option<String>,
    /// The name of the result; `None` for a deleted file.
    pub new: Option<String>,
    pub is_copy: bool,
    pub new_mode: Option<u32>,
}

/// Reads from `diff --git` to the first hunk, or to the end of the header.
pub(super) fn git_header(cursor: &mut Cursor<'_>) -> Result<FileHeader, PatchError> {
    let line = cursor.number();
    let names = cursor.take_after("diff --git ").unwrap_or_default();
    let names = git_line_names(names).map_err(|problem| problem.at(line))?;
    let mut extended = Extended::default();
    loop {
        let here = cursor.number();
        if !extended.read_line(cursor).map_err(|problem| problem.at(here))? {
            break;
        }
    }
    refuse_binary(*cursor)?;
    let sides = if cursor.is_at("--- ") { Some(sides(cursor)?) } else { None };
    extended.header(names, sides).map_err(|problem| problem.at(line))
}

/// Refuses a binary change, which has no lines to read.
pub(super) fn refuse_binary(cursor: Cursor<'_>) -> Result<(), PatchError> {
    let line = cursor.peek().unwrap_or_default();
    let is_binary = line == b"GIT binary patch"
        || (line.starts_with(b"Binary files ") && line.ends_with(b" differ"));
    if is_binary { Err(PatchProblem::Binary.at(cursor.number())) } else { Ok(()) }
}

/// Reads the `---` and `+++` lines of a diff that is not git's.
pub(super) fn plain_header(cursor: &mut Cursor<'_>) -> Result<FileHeader, PatchError> {
    let Sides { old, new } = sides(cursor)?.without_prefixes(None);
    let name = match (&old, &new) {
        // `file.orig` beside `file`: the shorter one is meant.
        (Some(old), Some(new)) if new.starts_with(old.as_str()) => Some(old.clone()),
        (Some(_), Some(new)) => Some(new.clone()),
        _ => None,
    };
    Ok(FileHeader { old: name.clone().or(old), new: name.or(new), ..FileHeader::default() })
}

/// The names of the `---` and `+++` lines, unstripped.
struct Sides {
    old: Option<String>,
    new: Option<String>,
}

fn sides(cursor: &mut Cursor<'_>) -> Result<Sides, PatchError> {
    let line = cursor.number();
    let old_text = cursor.take_after("--- ").unwrap_or_default();
    let mut old = header_name(old_text).map_err(|problem| problem.at(line))?;
    let missing = |missing| PatchProblem::IncompleteHeader { missing }.at(line + 1);
    let new_text = cursor.take_after("+++ ").ok_or_else(|| missing("a \"+++ path\" line"))?;
    let new = header_name(new_text).map_err(|problem| problem.at(line + 1))?;
    if !cursor.is_at("@@ ") {
        return Err(PatchProblem::IncompleteHeader { missing: "a hunk after it" }.at(line + 2));
    }
    if old.is_none() && new.is_none() {
        return Err(PatchProblem::EmptyPath.at(line));
    }
    if new.is_some() && has_epoch_timestamp(old_text) {
        old = None;
    }
    Ok(Sides { old, new })
}

/// The lines between `diff --git` and `---`.
#[derive(Default)]
struct Extended {
    is_new: bool,
    is_deleted: bool,
    new_mode: Option<u32>,
    from: Option<String>,
    to: Option<String>,
    is_copy: bool,
}

impl Extended {
    /// Takes the current line if it belongs to the header.
    fn read_line(&mut self, cursor: &mut Cursor<'_>) -> Result<bool, PatchProblem> {
        if let Some(mode) = cursor.take_after("old mode ") {
            file_mode(mode)?;
        } else if let Some(mode) = cursor.take_after("new mode ") {
            self.new_mode = Some(file_mode(mode)?);
        } else if let Some(mode) = cursor.take_after("new file mode ") {
            (self.is_new, self.new_mode) = (true, Some(file_mode(mode)?));
        } else if let Some(mode) = cursor.take_after("deleted file mode ") {
            file_mode(mode)?;
            self.is_deleted = true;
        } else if let Some(index) = cursor.take_after("index ") {
            let mode = index.iter().rposition(|byte| *byte == b' ').map(|at| &index[at + 1..]);
            mode.map(file_mode).transpose()?;
        } else {
            return self.read_rename(cursor);
        }
        Ok(true)
    }

    fn read_rename(&mut self, cursor: &mut Cursor<'_>) -> Result<bool, PatchProblem> {
        let from = ["rename from ", "rename old ", "copy from "];
        let to = ["rename to ", "rename new ", "copy to "];
        let is_copy = cursor.is_at("copy ");
        if let Some(name) = from.iter().find_map(|prefix| cursor.take_after(prefix)) {
            self.from = Some(bare_name(name)?);
        } else if let Some(name) = to.iter().find_map(|prefix| cursor.take_after(prefix)) {
            self.to = Some(bare_name(name)?);
        } else {
            let similarity = ["similarity index ", "dissimilarity index "];
            return Ok(similarity.iter().any(|prefix| cursor.take_after(prefix).is_some()));
        }
        self.is_copy |= is_copy;
        Ok(true)
    }

    fn header(
        self,
        names: Option<(String, String)>,
        sides: Option<Sides>,
    ) -> Result<FileHeader, PatchProblem> {
        let missing = |missing| PatchProblem::IncompleteHeader { missing };
        let (old, new) = match (&self.from, &self.to) {
            (Some(from), Some(to)) => {
                if let Some(sides) = &sides {
                    agree_with_rename(sides, from, to)?;
                }
                (Some(from.clone()), Some(to.clone()))
            }
            (None, None) => self.plain_names(names, sides)?,
            _ => return Err(missing("both the \"from\" and the \"to\" line")),
        };
        let is_copy = self.is_copy;
        let header = FileHeader { old, new, is_copy, new_mode: self.new_mode };
        if header.old.is_some() && self.is_new {
            return Err(missing("\"--- /dev/null\" for a new file"));
        }
        if header.new.is_some() && self.is_deleted {
            return Err(missing("\"+++ /dev/null\" for a deleted file"));
        }
        Ok(header)
    }

    /// The names of a change that is neither a rename nor a copy.
    fn plain_names(
        &self,
        names: Option<(String, String)>,
        sides: Option<Sides>,
    ) -> Result<(Option<String>, Option<String>), PatchProblem> {
        let line_name = names.as_ref().map(|(old, new)| strip_pair(old, new));
        if let Some((old, new)) = line_name {
            same_name(old, new)?;
        }
        let Some(sides) = sides else {
            let missing = "\"--- \" and \"+++ \" lines, or a mode or rename line";
            let missing = PatchProblem::IncompleteHeader { missing };
            let changes = self.is_new || self.is_deleted || self.new_mode.is_some();
            let (name, _) = line_name.filter(|_| changes).ok_or(missing)?;
            let side = |absent: bool| (!absent).then(|| name.to_owned());
            return Ok((side(self.is_new), side(self.is_deleted)));
        };
        let Sides { old, new } = sides.without_prefixes(names.as_ref());
        for name in [&old, &new].into_iter().flatten() {
            let other = line_name.map(|(name, _)| name).or(old.as_deref()).unwrap_or(name);
            same_name(other, name)?;
        }
        Ok((old, new))
    }
}

impl Sides {
    /// Removes git's prefixes; `names` of the `diff --git` line, where known,
    /// tell whether there are any.
    fn without_prefixes(self, names: Option<&(String, String)>) -> Sides {
        let is_pair = |old: &str, new: &str| strip_pair(old, new).0.len() < old.len();
        let is_prefixed = match (names, &self.old, &self.new) {
            (Some((old, new)), ..) => is_pair(old, new),
            (None, Some(old), Some(new)) => is_pair(old, new),
            (None, Some(old), None) => old.starts_with("a/"),
            (None, None, new) => new.as_ref().is_some_and(|new| new.starts_with("b/")),
        };
        let clean = |name: String| match is_prefixed {
            true => name.get(2..).unwrap_or_default().to_owned(),
            false => name,
        };
        Sides { old: self.old.map(clean), new: self.new.map(clean) }
    }
}

fn agree_with_rename(sides: &Sides, from: &str, to: &str) -> Result<(), PatchProblem> {
    let (Some(old), Some(new)) = (&sides.old, &sides.new) else {
        return Err(PatchProblem::NamesDiffer { first: from.to_owned(), second: to.to_owned() });
    };
    if (old.as_str(), new.as_str()) == (from, to) {
        return Ok(());
    }
    let (old, new) = strip_pair(old, new);
    same_name(from, old)?;
    same_name(to, new)
}

fn same_name(first: &str, second: &str) -> Result<(), PatchProblem> {
    if first == second {
        return Ok(());
    }
    Err(PatchProblem::NamesDiffer { first: first.to_owned(), second: second.to_owned() })
}

/// The mode of a regular file; every other kind is refused.
fn file_mode(text: &[u8]) -> Result<u32, PatchProblem> {
    let digits = text.trim_ascii();
    let is_octal =
        (1..=7).contains(&digits.len()) && digits.iter().all(|b| (b'0'..=b'7').contains(b));
    let text = std::str::from_utf8(digits).ok().filter(|_| is_octal);
    let mode = text.and_then(|text| u32::from_str_radix(text, 8).ok());
    let mode = mode.ok_or(PatchProblem::BadMode)?;
    match mode & 0o170_000 {
        0o120_000 => Err(PatchProblem::Link),
        0o160_000 => Err(PatchProblem::Gitlink),
        0o100_000 if mode & 0o7_000 == 0 => Ok(mode),
        _ => Err(PatchProblem::SpecialMode { mode }),
    }
}
