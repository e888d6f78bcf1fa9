//! All that is ever asked of a server, and what comes back, as values that can travel.
//!
//! An answer says what the server said and no more: whoever asked judges it on
//! the texts that it holds, wherever the server runs.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::client::{AskError, Client, Link, Shown};
use super::position::{Places, Position, PositionEncoding};
use super::project::Project;
use super::questions::{Diagnostic, Use, diagnostics, diagnostics_of, references};
use super::rename::{Proposed, RenameLimits, RenameTask, propose};
use super::sync::Told;
use super::witness::{Listing, list};

/// What is asked, about the files of a project.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Question {
    /// Where the symbol whose name stands at an offset is used.
    Uses {
        /// The file.
        path: String,
        /// The byte offset of the name.
        offset: usize,
        /// The name.
        name: String,
    },
    /// What a rename comes to.
    Rename(RenameTask),
    /// What is wrong with a file.
    Problems {
        /// The file.
        path: String,
    },
    /// The symbols of a file, if the server is warm. Only that file is shown to it.
    Symbols {
        /// The file.
        path: String,
    },
    /// What is wrong with each of these files, if the server is warm; they are shown as buffers.
    Buffers,
}

/// What the server said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The uses inside of the project, and how many lie outside.
    Uses(Vec<Use>, usize),
    /// What a rename comes to, not judged yet.
    Rename(Proposed),
    /// What is wrong, file by file.
    Problems(Vec<Vec<Diagnostic>>),
    /// The symbols.
    Symbols(Listing),
}

/// How long things may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Until the server knows the project.
    pub ready: Duration,
    /// Until one answer.
    pub answer: Duration,
    /// All of it: starting, loading, several answers.
    pub altogether: Duration,
}

impl Question {
    /// Whether it is asked of a warm server alone, and of the files at hand alone.
    pub fn is_in_passing(&self) -> bool {
        matches!(self, Question::Symbols { .. } | Question::Buffers)
    }

    /// How long it may take.
    pub fn limits(&self) -> Limits {
        let (ready, answer, altogether) = match self {
            Question::Rename(_) => (120_000, 60_000, 240_000),
            Question::Uses { .. } | Question::Problems { .. } => (60_000, 20_000, 100_000),
            Question::Symbols { .. } | Question::Buffers => (0, 1500, 3000),
        };
        let limit = Duration::from_millis;
        Limits { ready: limit(ready), answer: limit(answer), altogether: limit(altogether) }
    }
}

/// Puts a question to a server.
pub fn put<L: Link>(
    client: &mut Client<L>,
    told: &mut Told,
    project: &Project,
    question: &Question,
) -> Result<Answer, String> {
    let limits = question.limits();
    let words = |error: AskError| error.to_string();
    match question {
        Question::Uses { path, offset, name } => {
            let place = (path.as_str(), *offset, name.as_str());
            let found = references(client, told, project, place, (limits.ready, limits.answer));
            found.map(|(uses, outside)| Answer::Uses(uses, outside)).map_err(words)
        }
        Question::Rename(task) => {
            let limits = RenameLimits { ready: limits.ready, answer: limits.answer };
            let proposed = propose(client, told, project, task, limits);
            proposed.map(Answer::Rename).map_err(|error| error.to_string())
        }
        Question::Problems { path } => {
            client.await_ready(limits.ready).map_err(words)?;
            let found = diagnostics(client, told, project, path, limits.answer);
            found.map(|found| Answer::Problems(vec![found])).map_err(words)
        }
        Question::Symbols { path } => {
            let shown = project.shown(path).ok_or("the file is not there")?;
            list(client, &shown, limits.answer).map(Answer::Symbols)
        }
        Question::Buffers => buffers(client, project, limits.answer).map_err(words),
    }
}

fn buffers<L: Link>(
    client: &mut Client<L>,
    project: &Project,
    limit: Duration,
) -> Result<Answer, AskError> {
    let deadline = client.now() + limit;
    let shown: Vec<Shown> = project.files.keys().filter_map(|path| project.shown(path)).collect();
    client.show(&shown)?;
    let ask = |one: &Shown| {
        let left = deadline.saturating_sub(client.now());
        diagnostics_of(client, &one.path, &one.text, left)
    };
    Ok(Answer::Problems(shown.iter().map(ask).collect::<Result<_, _>>()?))
}

impl Answer {
    /// Whether this can be an answer to that question about these files: of its kind, with every
    /// place in a text that is there. Symbols and renames are compared with the texts later.
    pub fn fits(&self, question: &Question, project: &Project) -> bool {
        match (self, question) {
            (Answer::Uses(uses, _), Question::Uses { .. }) => {
                uses.iter().all(|found| is_place(project, &found.path, (found.line, found.column)))
            }
            (Answer::Problems(found), Question::Problems { path }) => {
                found.len() == 1 && are_places(project, path, &found[0])
            }
            (Answer::Problems(found), Question::Buffers) => {
                let paths = project.files.keys();
                found.len() == project.files.len()
                    && paths.zip(found).all(|(path, found)| are_places(project, path, found))
            }
            (Answer::Rename(proposed), Question::Rename(_)) => {
                let paths = proposed.proposal.texts.keys();
                let moved = proposed.proposal.moves.iter().map(|(from, _)| from);
                paths.chain(moved).all(|path| project.files.contains_key(path))
            }
            (Answer::Symbols(_), Question::Symbols { .. }) => true,
            _ => false,
        }
    }
}

fn are_places(project: &Project, path: &str, found: &[Diagnostic]) -> bool {
    found.iter().all(|one| is_place(project, path, (one.line, one.column)))
}

/// Whether a text has that line, and that column in it.
fn is_place(project: &Project, path: &str, (line, column): (usize, usize)) -> bool {
    let Some(file) = project.files.get(path) else { return false };
    let (Some(line), Some(character)) = (line.checked_sub(1), column.checked_sub(1)) else {
        return false;
    };
    let places = Places::new(&file.text, PositionEncoding::Utf8);
    let offset = places.offset(Position { line, character });
    offset.is_some_and(|offset| places.position(offset) == Position { line, character })
}
