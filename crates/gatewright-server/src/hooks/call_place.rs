//! Where the relative paths of one call start: where the agent stands, or at a folder that the
//! call itself names.
//!
//! Tools of other servers name it under many words, and some of these words name
//! something far away: the repository of a forge, the project of a tracker. A
//! folder counts that lies in the workspace: an absolute path below the root
//! always, a relative one where it is there and nothing else points far away.

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
    /// Whether the call names it, so that its files are not somewhere else.
    pub is_named: bool,
}

impl CallPlace {
    /// The place of a call by an agent that stands in `place`.
    pub fn of(engine: &Engine, event: &Event, place: Place) -> Self {
        if is_command(event) {
            let directory = fields(&event.input, |key| OF_COMMANDS.contains(&key)).next();
            let place = directory.map_or(place.clone(), |(_, text)| place.entering(text));
            return Self { place, is_named: false };
        }
        if !is_foreign(event) {
            return Self { place, is_named: false };
        }
        let named = of_files(engine, &event.input, &place);
        let is_named = named.is_some();
        Self { place: named.unwrap_or(place), is_named }
    }
}

/// The folder of the workspace that the input of a foreign tool names for its paths.
fn of_files(engine: &Engine, input: &Value, place: &Place) -> Option<Place> {
    let named: Vec<(&str, &str)> = fields(input, is_of_files).collect();
    let absolute = named.iter().filter(|(_, text)| text.starts_with('/'));
    let below = absolute.map(|(_, text)| place.entering(text)).find(|named| !named.is_outside());
    let is_own = |key: &str| named.iter().any(|(own, _)| *own == key);
    let mut far = ELSEWHERE.iter().filter(|key| input.get(**key).is_some() && !is_own(key));
    let is_far = below.is_none() && far.next().is_some();
    let start = below.clone().unwrap_or_else(|| place.clone());
    let relative = named.iter().filter(|(_, text)| !text.starts_with('/') && !is_far);
    let found = relative
        .map(|(_, text)| start.entering(text))
        .find(|named| is_folder(engine, named) && !is_nearer(engine, input, &start, named));
    found.or(below)
}

fn is_of_files(key: &str) -> bool {
    let is_word = |word: &str| OF_FILES.contains(&word);
    is_word(key) || TAILS.iter().any(|tail| key.strip_suffix(tail).is_some_and(is_word))
}

/// The fields of an input with text in them, by names spelt in lower case without marks.
fn fields(input: &Value, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = (&str, &str)> {
    let plain = |key: &str| -> String {
        let letters = key.chars().filter(|letter| letter.is_alphanumeric());
        letters.map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let all = input.as_object().into_iter().flatten();
    all.filter(move |(key, _)| is_wanted(&plain(key)))
        .filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
        .filter(|(_, text)| !text.is_empty())
}

fn is_folder(engine: &Engine, place: &Place) -> bool {
    let folder = place.folder();
    folder.is_none_or(|folder| kind_of(engine, &folder) == Some(TargetKind::Directory))
}

/// Whether the file of the input is there without the folder and not in it: then the folder
/// only repeats a part of the path.
fn is_nearer(engine: &Engine, input: &Value, without: &Place, within: &Place) -> bool {
    let path = PATH.iter().find_map(|key| input.get(*key)?.as_str());
    let is_there = |place: &Place, path| kind_of(engine, &place.requested(path)).is_some();
    path.is_some_and(|path| is_there(without, path) && !is_there(within, path))
}

fn kind_of(engine: &Engine, path: &RequestedPath) -> Option<TargetKind> {
    match engine.workspace().facts(path).resolution {
        Resolution::Inside(target) if target.kind != TargetKind::Absent => Some(target.kind),
        _ => None,
    }
}
