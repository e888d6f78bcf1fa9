//! Where the relative paths of one call start: where the agent stands, or at a folder that the
//! call itself names.
//!
//! Tools of other servers name it under many words, and some of these words name
//! something far away: the repository of a forge, the project of a tracker. A
//! folder counts that lies in the workspace: an absolute path below the root
//! always, a relative one where it is there and nothing else points far away.
//! A tool may not know the word at all and start where the agent stands, so the
//! call has to pass in that reading too.

use gatewright_engine::Engine;
use gatewright_model::{RequestedPath, Resolution, TargetKind};
use serde_json::Value;

use super::event::Event;
use super::paths::Place;
use super::tool_kind::{ELSEWHERE, PATH, is_command, is_foreign};

/// Words for the folder that a command runs in.
const OF_COMMANDS: &[&str] = &["workdir", "workingdirectory", "workingdir", "cwd", "dirpath"];

/// Words for the folder that paths are relative to.
const OF_FILES: &[&str] = &[
    "cwd",
    "workdir",
    "working",
    "root",
    "repo",
    "repository",
    "git",
    "worktree",
    "directory",
    "dir",
    "folder",
    "workspace",
    "project",
    "base",
];

/// What may stand behind such a word.
const TAILS: &[&str] = &["path", "root", "dir", "directory", "folder"];

/// Where the paths of a call start.
pub struct CallPlace {
    /// The place.
    pub place: Place,
    /// Where the agent stands, if the call names another folder: then its files are not
    /// somewhere else.
    unnamed: Option<Place>,
}

impl CallPlace {
    /// The place of a call by an agent that stands in `place`.
    pub fn of(engine: &Engine, event: &Event, place: Place) -> Self {
        if is_command(event) {
            let directory = fields(&event.input, |key| OF_COMMANDS.contains(&key)).next();
            let place = directory.map_or(place.clone(), |(_, text)| place.entering(text));
            return Self { place, unnamed: None };
        }
        match named_folder(engine, &event.input, &place).filter(|_| is_foreign(event)) {
            Some(named) => Self { place: named, unnamed: Some(place) },
            None => Self { place, unnamed: None },
        }
    }

    /// Whether the call names the place.
    pub fn is_named(&self) -> bool {
        self.unnamed.is_some()
    }

    /// The same call by a tool that does not know the field with the folder.
    pub fn read_otherwise(&self) -> Option<Self> {
        let place = self.unnamed.clone()?;
        Some(Self { place: place.clone(), unnamed: Some(place) })
    }
}

/// The folder of the workspace that the input of a foreign tool names for its paths.
pub fn named_folder(engine: &Engine, input: &Value, place: &Place) -> Option<Place> {
    let named: Vec<(&str, &str)> = fields(input, is_of_files).collect();
    let absolute = named.iter().filter(|(_, text)| text.starts_with('/'));
    let below = absolute.map(|(_, text)| place.entering(text)).find(|named| !named.is_outside());
    let is_own = |key: &str| named.iter().any(|(own, _)| *own == key);
    let mut far = ELSEWHERE.iter().filter(|key| input.get(**key).is_some() && !is_own(key));
    let is_far = below.is_none() && far.next().is_some();
    let start = below.clone().unwrap_or_else(|| place.clone());
    let relative = named.iter().filter(|(_, text)| !text.starts_with('/') && !is_far);
    let found = relative
        .filter(|(_, text)| !repeats(engine, input, &start, text))
        .map(|(_, text)| start.entering(text))
        .find(|named| is_folder(engine, named));
    found.or(below)
}

fn is_of_files(key: &str) -> bool {
    let is_word = |word: &str| OF_FILES.contains(&word);
    is_word(key) || TAILS.iter().any(|tail| key.strip_suffix(tail).is_some_and(is_word))
}

/// Whether a field may name the folder that paths are relative to.
pub fn may_name_folder(key: &str) -> bool {
    is_of_files(&plain(key))
}

/// A name in lower case, without marks.
fn plain(key: &str) -> String {
    let letters = key.chars().filter(|letter| letter.is_alphanumeric());
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The fields of an input with text in them, by their plain names.
fn fields(input: &Value, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = (&str, &str)> {
    let all = input.as_object().into_iter().flatten();
    all.filter(move |(key, _)| is_wanted(&plain(key)))
        .filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
        .filter(|(_, text)| !text.is_empty())
}

fn is_folder(engine: &Engine, place: &Place) -> bool {
    let folder = place.folder();
    folder.is_none_or(|folder| kind_of(engine, &folder) == Some(TargetKind::Directory))
}

/// Whether the file of the input lies in the folder by its own path: then the folder only
/// repeats a part of it.
fn repeats(engine: &Engine, input: &Value, start: &Place, folder: &str) -> bool {
    let folder = folder.trim_start_matches("./").trim_end_matches('/');
    let path = PATH.iter().find_map(|key| input.get(*key)?.as_str());
    let below = path.filter(|path| {
        let rest = path.trim_start_matches("./").strip_prefix(folder);
        rest.is_some_and(|rest| rest.starts_with('/'))
    });
    let is_there = |place: &Place, path| kind_of(engine, &place.requested(path)).is_some();
    below.is_some_and(|path| is_there(start, path) && !is_there(&start.entering(folder), path))
}

fn kind_of(engine: &Engine, path: &RequestedPath) -> Option<TargetKind> {
    match engine.workspace().facts(path).resolution {
        Resolution::Inside(target) if target.kind != TargetKind::Absent => Some(target.kind),
        _ => None,
    }
}
