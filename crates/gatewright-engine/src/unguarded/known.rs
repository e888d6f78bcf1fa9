//! The last known state of the tree: a log of entries, and the bytes that they had.
//!
//! Two files in the state directory, shared by every process of the workspace
//! under one lock. The log is replayed; a process that has read it before reads
//! only what was added. The bytes are bounded: what does not fit is known by
//! its digest alone, and cannot be put back.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gatewright_model::{Digest, FileMode, FileState};
use gatewright_workspace::Stamp;
use serde::{Deserialize, Serialize};

use crate::io::{PrivateFile, replace_private};
use crate::{EngineError, Layout};

/// The most bytes that are kept, over all files.
const MAX_KEPT: u64 = 64 * 1024 * 1024;
/// A larger file is not kept; the write guard takes none that is larger.
const MAX_FILE: u64 = 1024 * 1024;
/// How many outdated lines the log may hold beside the entries.
const MAX_SPARE: usize = 4096;
/// The length of the first line, which tells one log from another.
const HEAD: usize = 33;

/// What is known of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFile {
    /// How it looked.
    pub look: Look,
    /// The digest of its bytes; `None` for a file that is too large to be read.
    pub digest: Option<Digest>,
    /// How many bytes were read.
    size: u64,
    /// Where its bytes are in the pack, if they are.
    place: Option<u64>,
}

/// How a file looked when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// What the file system said.
    pub stamp: Stamp,
    /// Whether it had changed so shortly before that it may change again without a trace.
    pub is_fresh: bool,
}

/// One line of the log.
#[derive(Serialize, Deserialize)]
struct Line {
    p: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    f: Option<Fields>,
}

/// Inode, modified, changed, mode, size, digest, place, freshness.
type Fields = (u64, i64, i64, u32, u64, Option<Digest>, Option<u64>, bool);

/// The files of the store.
#[derive(Debug, Clone)]
struct Places {
    lock: PathBuf,
    log: PathBuf,
    pack: PathBuf,
}

/// The last known state, as far as this process has read it.
#[derive(Debug)]
pub struct Known {
    places: Places,
    entries: BTreeMap<String, KnownFile>,
    /// The first line of the log that was read, and how far it was read.
    log: Option<(Vec<u8>, u64)>,
    lines: usize,
    kept: u64,
}

impl Known {
    /// Nothing is read yet.
    pub fn new(layout: &Layout) -> Self {
        let at = |name: &str| layout.state.join(name);
        let places =
            Places { lock: at("known.lock"), log: at("known.log"), pack: at("known.pack") };
        Self { places, entries: BTreeMap::new(), log: None, lines: 0, kept: 0 }
    }

    /// Takes the lock and reads what others added.
    pub fn lock(&mut self) -> Result<Held<'_>, EngineError> {
        let lock = PrivateFile::open(&self.places.lock)?;
        lock.lock()?;
        let has_begun = self.refresh()?;
        Ok(Held { known: self, _lock: lock, has_begun, added: Vec::new() })
    }

    /// Reads what is new; whether there is a last known state at all.
    fn refresh(&mut self) -> Result<bool, EngineError> {
        let log = PrivateFile::open(&self.places.log)?;
        let length = log.length()?;
        if length < HEAD as u64 {
            self.forget();
            return Ok(false);
        }
        let head = log.read_at(0, HEAD)?;
        let from = match self.log.take() {
            Some((same, read)) if same == head && read <= length => read,
            _ => {
                self.forget();
                HEAD as u64
            }
        };
        if from < length {
            let added = usize::try_from(length - from).unwrap_or_default();
            // What a crash cut short is no line; its file is found anew.
            for line in log.read_at(from, added)?.split(|byte| *byte == b'\n') {
                self.replay(line);
            }
        }
        self.log = Some((head, length));
        Ok(true)
    }

    fn forget(&mut self) {
        (self.log, self.lines, self.kept) = (None, 0, 0);
        self.entries.clear();
    }

    fn replay(&mut self, line: &[u8]) {
        let Ok(Line { p, f }) = serde_json::from_slice(line) else { return };
        let file = f.map(|(inode, modified, changed, mode, size, digest, place, is_fresh)| {
            let stamp = Stamp { inode, modified, changed, mode };
            KnownFile { look: Look { stamp, is_fresh }, size, digest, place }
        });
        self.put(p, file);
    }

    fn put(&mut self, path: String, file: Option<KnownFile>) {
        self.lines += 1;
        let kept = |file: &KnownFile| if file.place.is_some() { file.size } else { 0 };
        self.kept += file.as_ref().map_or(0, kept);
        let old = match file {
            Some(file) => self.entries.insert(path, file),
            None => self.entries.remove(&path),
        };
        self.kept = self.kept.saturating_sub(old.as_ref().map_or(0, kept));
    }
}

/// The last known state under its lock. Nothing is stored before [`Held::store`].
pub struct Held<'a> {
    known: &'a mut Known,
    _lock: PrivateFile,
    /// Whether there was a last known state before.
    pub has_begun: bool,
    added: Vec<u8>,
}

impl Held<'_> {
    /// What is known of a path.
    pub fn get(&self, path: &str) -> Option<&KnownFile> {
        self.known.entries.get(path)
    }

    /// Every known path.
    pub fn paths(&self) -> impl Iterator<Item = &String> {
        self.known.entries.keys()
    }

    /// The bytes that a file had, where they are kept and whole.
    pub fn bytes_of(&self, file: &KnownFile) -> Option<FileState> {
        let size = usize::try_from(file.size).ok()?;
        let pack = PrivateFile::open(&self.known.places.pack).ok()?;
        let bytes = pack.read_at(file.place?, size).ok()?;
        let is_whole = Some(Digest::of(&bytes)) == file.digest;
        is_whole.then(|| FileState::new(bytes, FileMode::from_bits(file.look.stamp.mode)))
    }

    /// Notes the state of a file, with its bytes where they could be read.
    pub fn note(
        &mut self,
        path: &str,
        look: Look,
        content: Option<&[u8]>,
    ) -> Result<(), EngineError> {
        let digest = content.map(Digest::of);
        let same = self.get(path).filter(|old| old.digest.is_some() && old.digest == digest);
        let place = match (same.and_then(|old| old.place), content) {
            (Some(place), _) => Some(place),
            (None, Some(content)) => self.keep(content)?,
            (None, None) => None,
        };
        let size = content.map_or(0, |content| content.len() as u64);
        self.push(path, Some(KnownFile { look, size, digest, place }));
        Ok(())
    }

    /// Notes that a file looks different and is the same.
    pub fn relook(&mut self, path: &str, look: Look) {
        if let Some(file) = self.get(path).cloned() {
            self.push(path, Some(KnownFile { look, ..file }));
        }
    }

    /// Notes that a file is gone.
    pub fn note_gone(&mut self, path: &str) {
        self.push(path, None);
    }

    /// Forgets what was noted.
    pub fn give_up(self) {
        self.known.forget();
    }

    /// Stores what was noted.
    pub fn store(mut self) -> Result<(), EngineError> {
        if self.known.lines > self.known.entries.len() + MAX_SPARE {
            return self.rewrite();
        }
        if self.added.is_empty() && self.has_begun {
            return Ok(());
        }
        let log = PrivateFile::open(&self.known.places.log)?;
        if !self.has_begun {
            log.append(&fresh_head()?)?;
        }
        // An empty line first: a crash may have left half of one.
        self.added.insert(0, b'\n');
        log.append(&std::mem::take(&mut self.added))?;
        self.known.log = Some((log.read_at(0, HEAD)?, log.length()?));
        Ok(())
    }

    fn push(&mut self, path: &str, file: Option<KnownFile>) {
        line_of(&mut self.added, path, file.as_ref());
        self.known.put(path.to_owned(), file);
    }

    fn keep(&self, content: &[u8]) -> Result<Option<u64>, EngineError> {
        let size = content.len() as u64;
        if size > MAX_FILE || self.known.kept + size > MAX_KEPT {
            return Ok(None);
        }
        PrivateFile::open(&self.known.places.pack)?.append(content).map(Some)
    }

    /// Writes log and pack anew, without what is outdated.
    fn rewrite(self) -> Result<(), EngineError> {
        let (mut log, mut pack) = (fresh_head()?, Vec::new());
        let mut entries = std::mem::take(&mut self.known.entries);
        for (path, file) in &mut entries {
            let bytes = self.bytes_of(file);
            file.place = bytes.map(|state| {
                let place = pack.len() as u64;
                pack.extend_from_slice(&state.content);
                place
            });
            line_of(&mut log, path, Some(file));
        }
        replace_private(&self.known.places.pack, &pack)?;
        replace_private(&self.known.places.log, &log)?;
        self.known.forget();
        self.known.refresh().map(|_| ())
    }
}

/// A first line that no other log has.
fn fresh_head() -> Result<Vec<u8>, EngineError> {
    let mut random = [0; 16];
    getrandom::fill(&mut random)
        .map_err(|error| EngineError::Bug { message: error.to_string() })?;
    let text = format!("{:032x}\n", u128::from_le_bytes(random));
    Ok(text.into_bytes())
}

fn line_of(log: &mut Vec<u8>, path: &str, file: Option<&KnownFile>) {
    let f = file.map(|file| {
        let Look { stamp: Stamp { inode, modified, changed, mode }, is_fresh } = file.look;
        (inode, modified, changed, mode, file.size, file.digest, file.place, is_fresh)
    });
    // Paths and numbers always have a JSON form.
    log.extend(serde_json::to_vec(&Line { p: path.to_owned(), f }).unwrap_or_default());
    log.push(b'\n');
}
