//! A rename through a server that is not trusted: asked until it agrees with itself, then judged.
//!
//! The order matters. The server is brought to the texts that the answer will
//! be judged on; its own ready sign is awaited; the question is repeated until
//! two answers in a row give the same texts; then every text is compared with
//! its base, the definition must be among the changed places, and the new name
//! must be free. What a whole-word scan finds besides is listed.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::clash::{self, Clash};
use super::client::{AskError, Client, Link};
use super::edits::{EditError, WorkspaceEdit, apply};
use super::position::Places;
use super::project::Project;
use super::sync::{Told, sync};
use super::uri;
use super::verify::{NotARename, Place, places_of, renamed_places};
use crate::syntax::{LanguageId, Parsed, TokenClass};

/// The most files that are opened for one question.
const SHOWN_LIMIT: usize = 400;
/// How many answers are asked for before the server counts as unsettled.
const ROUNDS: usize = 12;
/// How long to wait once more where uses of the name are left over.
const SECOND_THOUGHT: Duration = Duration::from_millis(900);

/// What is to be renamed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RenameTask {
    /// The file of the definition.
    pub path: String,
    /// Where its name stands, as a byte offset into the text without a byte-order mark.
    pub offset: usize,
    /// The name so far.
    pub old: String,
    /// The name to be.
    pub new: String,
}

/// How long things may take.
#[derive(Debug, Clone, Copy)]
pub struct RenameLimits {
    /// Until the server knows the project.
    pub ready: Duration,
    /// Until one answer.
    pub answer: Duration,
}

/// A rename that was found to be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamePlan {
    /// The files that change.
    pub files: Vec<RenamedFile>,
    /// Files that get another path.
    pub moves: Vec<(String, String)>,
    /// Places that have the old name still.
    pub leftovers: Vec<Leftover>,
    /// How many answers were asked for.
    pub answers: usize,
    /// What the server complained of meanwhile.
    pub complaint: Option<String>,
}

/// One file of a rename.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedFile {
    /// Its path so far.
    pub path: String,
    /// Its text to be.
    pub after: String,
    /// Where the name changes.
    pub places: Vec<Place>,
}

/// A place that has the old name still.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// The file.
    pub path: String,
    /// The line number.
    pub line: usize,
    /// What the name is part of there.
    pub class: TokenClass,
}

/// Why there is no rename.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenameError {
    /// The server gave no answer.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The server answered with no change.
    #[error("the server finds nothing to rename at the definition of {name:?}{}", said(.complaint))]
    Nothing {
        /// The old name.
        name: String,
        /// What the server complains of.
        complaint: Option<String>,
    },
    /// No two answers in a row were the same.
    #[error("the server gave {0} answers and no two in a row agreed")]
    Unsettled(usize),
    /// A file that is not part of the project.
    #[error("the server would also change {0:?}, which is outside of the workspace or ignored")]
    Outside(String),
    /// An answer for a text that is no longer there.
    #[error("the server's answer is for an older text of {0:?}")]
    Older(String),
    /// Edits that cannot be applied.
    #[error("{path:?}: {source}")]
    Edit {
        /// The file.
        path: String,
        /// Why.
        source: EditError,
    },
    /// A text that is no rename of its base.
    #[error("{path:?}: {source}")]
    NotARename {
        /// The file.
        path: String,
        /// Why.
        source: NotARename,
    },
    /// The definition keeps its name.
    #[error("the server's answer leaves the definition of {0:?} as it is")]
    DefinitionKept(String),
    /// The new name is taken.
    #[error("{name:?} is already used in {} ({path:?}, line {})", .clash.scope, .clash.line)]
    Taken {
        /// The new name.
        name: String,
        /// The file.
        path: String,
        /// Where.
        clash: Clash,
    },
}

fn said(complaint: &Option<String>) -> String {
    complaint.as_ref().map(|text| format!("; it complains: {text}")).unwrap_or_default()
}

/// The texts that an answer comes to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Proposal {
    /// The files that would change, with their texts to be.
    pub texts: BTreeMap<String, String>,
    /// Files that would get another path.
    pub moves: Vec<(String, String)>,
}

/// What a server came to, before it is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposed {
    /// What it would do.
    pub proposal: Proposal,
    /// How many answers were asked for.
    pub answers: usize,
    /// What it complained of meanwhile.
    pub complaint: Option<String>,
}

/// Renames, or says why not. Nothing is written.
pub fn rename<L: Link>(
    client: &mut Client<L>,
    told: &mut Told,
    project: &Project,
    task: &RenameTask,
    limits: RenameLimits,
) -> Result<RenamePlan, RenameError> {
    judge(project, task, propose(client, told, project, task, limits)?)
}

/// Has a server say the same twice. What it says is not judged here.
pub fn propose<L: Link>(
    client: &mut Client<L>,
    told: &mut Told,
    project: &Project,
    task: &RenameTask,
    limits: RenameLimits,
) -> Result<Proposed, RenameError> {
    let naming = project.naming(&task.old).map(|(path, _)| path).filter(|path| *path != task.path);
    let shown: Vec<&str> =
        std::iter::once(task.path.as_str()).chain(naming.take(SHOWN_LIMIT)).collect();
    sync(client, told, project, &shown)?;
    client.await_ready(limits.ready)?;
    let (proposal, answers) = agreed(client, project, task, limits)?;
    Ok(Proposed { proposal, answers, complaint: client.session().signs().complaint() })
}

/// Asks until two answers in a row come to the same texts.
fn agreed<L: Link>(
    client: &mut Client<L>,
    project: &Project,
    task: &RenameTask,
    limits: RenameLimits,
) -> Result<(Proposal, usize), RenameError> {
    let mut last: Option<Result<Proposal, RenameError>> = None;
    let mut had_second_thought = false;
    for round in 1..=ROUNDS {
        let proposal = ask_once(client, project, task, limits.answer);
        if let Err(RenameError::Ask(error)) = &proposal
            && !matches!(error, AskError::Refused(_))
        {
            return Err(error.clone().into());
        }
        // An answer for an older text is none, however often it comes.
        let is_older = matches!(&proposal, Err(RenameError::Older(_)));
        let agrees = !is_older && last.as_ref() == Some(&proposal);
        let is_whole = matches!(&proposal, Ok(proposal) if !leaves_code(project, task, proposal));
        if agrees && (is_whole || had_second_thought) {
            return proposal.map(|proposal| (proposal, round));
        }
        let pause = if agrees { SECOND_THOUGHT } else { client.session().spec().apart };
        had_second_thought |= agrees;
        last = Some(proposal);
        client.rest(pause)?;
        // Work that began meanwhile may change the answer.
        client.await_ready(limits.ready)?;
    }
    match last {
        Some(Err(error)) => Err(error),
        _ => Err(RenameError::Unsettled(ROUNDS)),
    }
}

fn ask_once<L: Link>(
    client: &mut Client<L>,
    project: &Project,
    task: &RenameTask,
    limit: Duration,
) -> Result<Proposal, RenameError> {
    let encoding = client.session().encoding();
    let text = project.files.get(&task.path).map(|file| file.text.as_ref()).unwrap_or_default();
    let position = Places::new(text, encoding).position(task.offset);
    let params = json!({
        "textDocument": { "uri": uri::of_file(client.session().root(), &task.path) },
        "position": position.to_json(),
        "newName": task.new,
    });
    let answer = client.ask("textDocument/rename", &params, limit)?;
    let edit = WorkspaceEdit::of(&answer)
        .map_err(|source| RenameError::Edit { path: task.path.clone(), source })?;
    proposal_of(client, project, &edit)
}

fn proposal_of<L: Link>(
    client: &Client<L>,
    project: &Project,
    edit: &WorkspaceEdit,
) -> Result<Proposal, RenameError> {
    let session = client.session();
    let path_of = |uri: &String| {
        uri::to_file(session.root(), uri).ok_or_else(|| RenameError::Outside(uri.clone()))
    };
    let mut proposal = Proposal::default();
    for (address, edits) in &edit.files {
        let path = path_of(address)?;
        let file = project.files.get(&path).ok_or_else(|| RenameError::Outside(path.clone()))?;
        let shown = session.documents().get(&path).map(|document| document.version);
        if shown.is_some() && edits.version.is_some() && edits.version != shown {
            return Err(RenameError::Older(path));
        }
        let after = apply(&file.text, &edits.edits, session.encoding())
            .map_err(|source| RenameError::Edit { path: path.clone(), source })?;
        if after != *file.text {
            proposal.texts.insert(path, after);
        }
    }
    for (from, to) in &edit.renames {
        proposal.moves.push((path_of(from)?, path_of(to)?));
    }
    Ok(proposal)
}

/// Whether code of the project has the old name still.
fn leaves_code(project: &Project, task: &RenameTask, proposal: &Proposal) -> bool {
    leftovers(project, task, |path| proposal.texts.get(path).map(String::as_str))
        .iter()
        .any(|leftover| leftover.class == TokenClass::Code)
}

/// Finds a proposal to be a rename, or says why it is none. Pure.
pub fn judge(
    project: &Project,
    task: &RenameTask,
    proposed: Proposed,
) -> Result<RenamePlan, RenameError> {
    let Proposed { proposal, answers, complaint } = proposed;
    if proposal.texts.is_empty() {
        return Err(RenameError::Nothing { name: task.old.clone(), complaint });
    }
    let mut files = Vec::new();
    for (path, after) in proposal.texts {
        let Some(base) = project.files.get(&path) else { return Err(RenameError::Outside(path)) };
        let names = (core(&task.old), core(&task.new));
        let places = renamed_places(base.language, &base.text, &after, names)
            .map_err(|source| RenameError::NotARename { path: path.clone(), source })?;
        check_free(base.language, &base.text, &path, task, &places)?;
        files.push(RenamedFile { path, after, places });
    }
    let definition = files.iter().find(|file| file.path == task.path);
    let offset = task.offset + (task.old.len() - core(&task.old).len());
    let is_renamed =
        definition.is_some_and(|file| file.places.iter().any(|place| place.offset == offset));
    if !is_renamed {
        return Err(RenameError::DefinitionKept(task.old.clone()));
    }
    let after =
        |path: &str| files.iter().find(|file| file.path == path).map(|file| file.after.as_str());
    let leftovers = leftovers(project, task, after);
    Ok(RenamePlan { files, moves: proposal.moves, leftovers, answers, complaint })
}

/// A private name of a script without its sign.
fn core(name: &str) -> &str {
    name.strip_prefix('#').unwrap_or(name)
}

fn check_free(
    language: LanguageId,
    text: &str,
    path: &str,
    task: &RenameTask,
    places: &[Place],
) -> Result<(), RenameError> {
    let Ok(parsed) = Parsed::new(language, text.as_bytes()) else { return Ok(()) };
    let code: Vec<usize> = places
        .iter()
        .filter(|place| place.class == TokenClass::Code)
        .map(|place| place.offset)
        .collect();
    match clash::captured(&parsed, text, core(&task.new), &code) {
        None => Ok(()),
        Some(clash) => {
            Err(RenameError::Taken { name: task.new.clone(), path: path.to_owned(), clash })
        }
    }
}

fn leftovers<'a>(
    project: &Project,
    task: &RenameTask,
    after: impl Fn(&str) -> Option<&'a str>,
) -> Vec<Leftover> {
    let word = core(&task.old);
    let mut found = Vec::new();
    for (path, file) in project.naming(word) {
        let text = after(path).unwrap_or(&file.text);
        let Ok(parsed) = Parsed::new(file.language, text.as_bytes()) else { continue };
        for place in places_of(&parsed, text, word) {
            let line = parsed.lines().line(place.offset);
            found.push(Leftover { path: path.to_owned(), line, class: place.class });
        }
    }
    found
}
