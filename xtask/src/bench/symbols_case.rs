//! What `bench symbols` asks of a project: one file, one symbol of it, one line of that symbol.
//!
//! For Django all of it is given by hand, so that peers are asked the same from
//! one version to the next. For the others the largest file that is not
//! enormous is taken, and of it the first symbol that can be edited. No text of a symbol is put
//! there twice, so that nothing is gained by remembering one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::failure::Failure;
use crate::{process, tree};

/// The largest file that is taken: beyond it, files are mostly generated.
const MOST_BYTES: u64 = 200 * 1024;

/// One file with a symbol to replace and a line to edit.
#[derive(Debug, Clone)]
pub struct Case {
    /// The language, for the table.
    pub language: &'static str,
    /// The file, relative to the project.
    pub file: String,
    /// The name path of the symbol.
    pub symbol: String,
    /// The container in the file, or the symbol itself.
    pub container: String,
    /// A name that is looked up in the whole project.
    pub name: String,
    /// A text and another one to put in its place, there and back.
    pub line: (String, String),
    /// The text of the symbol.
    pub own: String,
    /// A part of it, and what other texts put behind that.
    varied: (String, fn(usize) -> String),
}

impl Case {
    /// Another text of the symbol for each round.
    pub fn body(&self, round: usize) -> String {
        let (varied, vary) = &self.varied;
        self.own.replacen(varied, &format!("{varied}{}", vary(round)), 1)
    }
}

/// The case of Django.
pub fn django() -> Case {
    let own = "    @property\n    def ordered(self):\n        \"\"\"\n        Return True if the \
             QuerySet is ordered -- i.e. has an order_by()\n        clause or a default ordering \
             on the model (or is empty).\n        \"\"\"\n        if isinstance(self, \
             EmptyQuerySet):\n            return True\n        if self.query.extra_order_by or \
             self.query.order_by:\n            return True\n        elif (\n            \
             self.query.default_ordering\n            and self.query.get_meta().ordering\n            \
             and\n            # A default ordering doesn't affect GROUP BY queries.\n            \
             not self.query.group_by\n        ):\n            return True\n        else:\n            \
             return False";
    Case {
        language: "Python",
        file: "django/db/models/query.py".to_owned(),
        symbol: "QuerySet/ordered".to_owned(),
        container: "QuerySet".to_owned(),
        name: "get_or_create".to_owned(),
        line: ("def in_bulk(".to_owned(), "def in_bulk_(".to_owned()),
        own: own.to_owned(),
        varied: ("return False".to_owned(), |round| format!(" and {round} < 0")),
    }
}

/// A case of a project whose files end in one of `endings`.
pub fn choose(
    language: &'static str,
    root: &Path,
    state: &Path,
    endings: &[&str],
) -> Result<Case, Failure> {
    let mut files = Vec::new();
    collect(root, endings, &mut files)?;
    files.sort_by_key(|(size, path)| (std::cmp::Reverse(*size), path.clone()));
    for (_, path) in files.iter().take(50) {
        let Ok(text) = fs::read_to_string(path) else { continue };
        let file = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
        // Types in a file of JavaScript, say: an edit there may be refused.
        if asked("diagnostics", &file, (root, state))?["total"] != 0 {
            continue;
        }
        let listed = asked("symbols", &file, (root, state))?;
        let symbols = listed["symbols"].as_array().cloned().unwrap_or_default();
        let is_alone = |symbol: &&Value| {
            symbols.iter().filter(|other| other["path"] == symbol["path"]).count() == 1
        };
        let mut alone = symbols.iter().filter(is_alone);
        let chosen = alone.find_map(|symbol| case_of(language, &file, &text, symbol));
        if let Some(case) = chosen {
            return Ok(case);
        }
    }
    Err(Failure::unexpected(format!("no file of {language} has a symbol that will do")))
}

/// What a command of ours says of a file, without any language server.
fn asked(command: &str, file: &str, (root, state): (&Path, &Path)) -> Result<Value, Failure> {
    let said = process::capture(
        Command::new(tree::target().join("release/gatewright"))
            .args([command, "--json", "--root"])
            .arg(root)
            .arg(file)
            .env_clear()
            .env("HOME", state)
            .env("XDG_STATE_HOME", state),
    )?;
    serde_json::from_str(&said)
        .map_err(|error| Failure::unexpected(format!("{command} is no JSON: {error}")))
}

fn collect(
    folder: &Path,
    endings: &[&str],
    files: &mut Vec<(u64, PathBuf)>,
) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).map_err(Failure::io("list", folder))?.flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            collect(&path, endings, files)?;
        } else if kind.is_file() && endings.iter().any(|ending| name.ends_with(ending)) {
            let size = entry.metadata().map(|metadata| metadata.len()).unwrap_or_default();
            if size <= MOST_BYTES && !name.contains(".min.") && !name.ends_with(".d.ts") {
                files.push((size, path));
            }
        }
    }
    Ok(())
}

/// A function with a line in its midst that the file has only once.
fn case_of(language: &'static str, file: &str, text: &str, symbol: &Value) -> Option<Case> {
    if !matches!(symbol["kind"].as_str()?, "function" | "method") {
        return None;
    }
    let path = symbol["path"].as_str()?;
    let name = path.rsplit('/').next()?;
    let line = |key: &str| usize::try_from(symbol[key].as_u64()?).ok();
    let (first, last) = (line("first_line")?, line("last_line")?);
    let lines: Vec<&str> = text.lines().collect();
    let body = lines.get(first.checked_sub(1)?..last)?;
    // A symbol with lines of its own above, or with others on its first line, would be
    // another one to each program.
    let opening = symbol["head"].as_str()?.split_whitespace().next()?;
    let is_plain = body.first()?.contains(name) && body.first()?.trim_start().starts_with(opening);
    if !(6..=40).contains(&body.len()) || !is_plain || path.contains(' ') {
        return None;
    }
    let plain = |line: &&&str| {
        let line = line.trim();
        line.len() >= 12
            && !line.contains(['"', '\'', '`', '\\', '/', '#', '*'])
            && text.matches(line).count() == 1
    };
    let old = body[1..body.len() - 1].iter().find(plain)?.trim();
    let new = format!("{old} ");
    Some(Case {
        language,
        file: file.to_owned(),
        symbol: path.to_owned(),
        container: path.split('/').next()?.to_owned(),
        name: name.to_owned(),
        own: body.join("\n"),
        varied: (old.to_owned(), |round| " ".repeat(round + 1)),
        line: (old.to_owned(), new),
    })
}
