//! How a process asks the servers that another process of the same workspace keeps.
//!
//! The one that keeps them answers at a desk. A request lists the files as the
//! asker sees them, by digest: what the desk finds with that digest on disk is
//! not sent, and what it does not find it wants. So the server is always asked
//! about the asker's own texts, and the reply names them once more.

use std::collections::BTreeMap;
use std::time::Duration;

use gatewright_model::{Digest, RepoPath};
use serde::{Deserialize, Serialize};

use super::project::{Project, ProjectFile};
use super::question::{Answer, Question};
use super::running::State;
use crate::syntax::LanguageId;

/// The two sides speak with each other only where this is equal.
pub const VERSION: &str = concat!("1/", env!("CARGO_PKG_VERSION"));

/// What an asker sends.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// [`VERSION`] of the asker.
    pub version: String,
    /// The server that the asker itself would start, and how.
    pub server: ServerIdentity,
    /// The language that it is asked for.
    pub language: LanguageId,
    /// The question.
    pub question: Question,
    /// The files that it is about.
    pub files: BTreeMap<String, ListedFile>,
}

/// Which server, and how it is started: two that differ here may answer differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerIdentity {
    /// Its name in the catalogue.
    pub name: String,
    /// Its program with its arguments.
    pub command: Vec<String>,
    /// Whether it may use the network.
    pub may_download: bool,
}

/// A file as the asker sees it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ListedFile {
    /// Its language.
    pub language: LanguageId,
    /// The digest of its text.
    pub digest: Digest,
    /// Its text, where the desk may not find it by itself.
    pub text: Option<String>,
}

/// What the desk says in the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// The answer, and the digest of all that it is about.
    Answered {
        /// The digest that [`basis`] gives.
        basis: Digest,
        /// The answer.
        answer: Answer,
    },
    /// The texts of these files are not here; ask again with them.
    Wants(Vec<String>),
    /// The server does not know the project yet.
    Cold,
    /// The server was asked and gave no answer.
    Failed(String),
    /// The desk does not answer such a request; the asker is left to its own servers.
    Elsewhere(String),
}

/// What a server is doing while an asker waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doing {
    /// It was started.
    Starting,
    /// It reads the project.
    Loading(Option<String>),
}

/// The way to the desk of this workspace.
pub trait Desk: Send + Sync {
    /// Whether somebody is there. Cheap.
    fn is_open(&self) -> bool;
    /// How the servers there are doing, by name and in words. Empty where nobody answers.
    fn states(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
    /// Asks, and hears meanwhile what the server does. `None` where nobody answers, whatever the
    /// reason: the asker goes on alone.
    fn ask(
        &self,
        request: &Request,
        limit: Duration,
        hear: &mut dyn FnMut(Option<Doing>),
    ) -> Option<Reply>;
}

impl Doing {
    /// What there is to tell of a state.
    pub fn of(state: &State) -> Option<Self> {
        match state {
            State::Starting => Some(Self::Starting),
            State::Loading(part) => Some(Self::Loading(part.clone())),
            State::Ready | State::Failed(_) | State::Stopped(_) => None,
        }
    }

    /// The state that it tells of.
    pub fn state(self) -> State {
        match self {
            Self::Starting => State::Starting,
            Self::Loading(part) => State::Loading(part),
        }
    }
}

/// The files of a project as they are listed, with their texts where `with_text` says so.
pub fn listed(project: &Project, with_text: impl Fn(&str) -> bool) -> BTreeMap<String, ListedFile> {
    let file = |(path, file): (&String, &ProjectFile)| {
        let text = with_text(path).then(|| file.text.to_string());
        let digest = Digest::of(file.text.as_bytes());
        (path.clone(), ListedFile { language: file.language, digest, text })
    };
    project.files.iter().map(file).collect()
}

/// The digest of all files of a list.
pub fn basis(files: &BTreeMap<String, ListedFile>) -> Digest {
    let mut bytes = Vec::new();
    for (path, file) in files {
        bytes.extend_from_slice(&(path.len() as u64).to_be_bytes());
        bytes.extend_from_slice(path.as_bytes());
        bytes.extend_from_slice(format!("{:?}\0", file.language).as_bytes());
        bytes.extend_from_slice(file.digest.as_bytes());
    }
    Digest::of(&bytes)
}

/// Why a list cannot be made a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoProject {
    /// These texts are missing.
    Missing(Vec<String>),
    /// The list is wrong.
    Wrong,
}

/// The project that a list means: the texts that came along, and those that `disk` has.
pub fn project_of(
    files: BTreeMap<String, ListedFile>,
    disk: impl FnOnce() -> Project,
) -> Result<Project, NoProject> {
    let needs_disk = files.values().any(|file| file.text.is_none());
    let disk = if needs_disk { disk() } else { Project::default() };
    let (mut project, mut missing) = (Project::default(), Vec::new());
    for (path, listed) in files {
        // The path becomes an address that a server opens.
        if !RepoPath::parse(&path).is_ok_and(|parsed| parsed.as_str() == path) {
            return Err(NoProject::Wrong);
        }
        let is_it = |text: &str| Digest::of(text.as_bytes()) == listed.digest;
        let text = match listed.text {
            Some(text) if is_it(&text) => text.into(),
            Some(_) => return Err(NoProject::Wrong),
            None => match disk.files.get(&path).filter(|file| is_it(&file.text)) {
                Some(file) => std::sync::Arc::clone(&file.text),
                None => {
                    missing.push(path);
                    continue;
                }
            },
        };
        project.files.insert(path, ProjectFile { language: listed.language, text });
    }
    if missing.is_empty() { Ok(project) } else { Err(NoProject::Missing(missing)) }
}
