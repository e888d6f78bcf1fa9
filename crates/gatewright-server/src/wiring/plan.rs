//! Which files change, and how: worked out in full before anything is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gatewright_model::{FileMode, FileSide, diff_hunks, unified_file};

use super::agent::{AgentName, Machine};
use super::record::Records;
use super::targets::{Content, Launch, Parts, Scope, Target, Wish, targets};
use super::{WiringError, io, json_file, toml_file};

/// Whether entries go in or out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// In.
    Install,
    /// Out.
    Uninstall,
}

/// What is to be planned.
#[derive(Debug)]
pub struct Plan<'a> {
    /// This machine.
    pub machine: &'a Machine,
    /// The folder that is guarded.
    pub root: &'a Path,
    /// The user's state directory of Gatewright.
    pub state: &'a Path,
    /// The running binary.
    pub binary: &'a Path,
    /// Whose files.
    pub scope: Scope,
    /// Which parts.
    pub parts: Parts,
    /// In or out.
    pub direction: Direction,
}

/// One file that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// The agents that it is for.
    pub agents: Vec<AgentName>,
    /// Its text now.
    pub before: Option<String>,
    /// Its text then; `None` when it goes.
    pub after: Option<String>,
    is_executable: bool,
    is_clean: bool,
    stop: PathBuf,
}

impl FileChange {
    /// The change as a unified diff.
    pub fn diff(&self) -> String {
        let path = self.path.display().to_string();
        let name = path.trim_start_matches('/');
        let mode = if self.is_executable { FileMode::EXECUTABLE } else { FileMode::REGULAR };
        let side = FileSide { path: name, mode };
        let bytes = |text: &Option<String>| text.clone().unwrap_or_default().into_bytes();
        let hunks = diff_hunks(&bytes(&self.before), &bytes(&self.after));
        let before = self.before.as_ref().map(|_| side);
        let after = self.after.as_ref().map(|_| side);
        String::from_utf8_lossy(&unified_file(before, after, &hunks)).into_owned()
    }
}

/// The files that wiring these agents would change. Nothing is written.
pub fn plan(agents: &[AgentName], plan: &Plan<'_>) -> Result<Vec<FileChange>, WiringError> {
    let records = Records::load(plan.state)?;
    let launch = Launch::new(plan.binary, plan.root, plan.scope, plan.machine);
    let wish = Wish { machine: plan.machine, root: plan.root, scope: plan.scope, launch: &launch };
    let mut changes: BTreeMap<PathBuf, FileChange> = BTreeMap::new();
    for agent in agents {
        for target in targets(*agent, plan.parts, &wish) {
            let change = match changes.remove(&target.path) {
                Some(change) => change,
                None => unchanged(&target)?,
            };
            let change = step(change, &target, *agent, plan.direction)?;
            changes.insert(target.path, change);
        }
    }
    let mut changes: Vec<FileChange> = changes.into_values().collect();
    if plan.direction == Direction::Uninstall {
        let all = |agent: &AgentName| targets(*agent, Parts { hooks: true, mcp: true }, &wish);
        let ours: Vec<Target> = AgentName::ALL.iter().flat_map(all).collect();
        changes.iter_mut().for_each(|change| restore(change, &ours, &records));
    }
    changes.retain(|change| change.before != change.after);
    Ok(changes)
}

/// Writes the changes and remembers how to take them back.
pub fn apply(changes: &[FileChange], plan: &Plan<'_>) -> Result<(), WiringError> {
    let mut records = Records::load(plan.state)?;
    for change in changes {
        match (&change.after, plan.direction) {
            (Some(after), Direction::Install) => {
                records.installed(&change.path, change.before.as_deref(), after, change.is_clean);
                // The record comes first: a wired file without one could not be restored.
                records.save(plan.state)?;
                io::write(&change.path, after.as_bytes(), change.is_executable)?;
            }
            (Some(after), Direction::Uninstall) => {
                io::write(&change.path, after.as_bytes(), change.is_executable)?;
                // Part of ours may stay; what the file was before is then still of use.
                records.installed(&change.path, change.before.as_deref(), after, false);
            }
            (None, _) => {
                io::remove(&change.path, &change.stop)?;
                records.forget(&change.path);
            }
        }
    }
    records.save(plan.state)
}

fn unchanged(target: &Target) -> Result<FileChange, WiringError> {
    let before = match io::read(&target.path)? {
        Some(bytes) => Some(String::from_utf8(bytes).map_err(|_| WiringError::Unreadable {
            path: target.path.display().to_string(),
            reason: "it is not UTF-8".to_owned(),
        })?),
        None => None,
    };
    Ok(FileChange {
        path: target.path.clone(),
        agents: Vec::new(),
        after: before.clone(),
        before,
        is_executable: false,
        is_clean: true,
        stop: target.stop.clone(),
    })
}

/// The file after one more target.
fn step(
    mut change: FileChange,
    target: &Target,
    agent: AgentName,
    direction: Direction,
) -> Result<FileChange, WiringError> {
    let unreadable = |reason: String| WiringError::Unreadable {
        path: target.path.display().to_string(),
        reason,
    };
    if let Some(before) = &change.before {
        let without = removed(before, &target.content).map_err(unreadable)?;
        change.is_clean &= without.as_deref() == Some(before);
    }
    change.after = match direction {
        Direction::Install => installed(change.after.as_deref(), target)?,
        Direction::Uninstall => match &change.after {
            Some(text) => removed(text, &target.content).map_err(unreadable)?,
            None => None,
        },
    };
    change.is_executable |= matches!(target.content, Content::Whole { is_executable: true, .. });
    if !change.agents.contains(&agent) {
        change.agents.push(agent);
    }
    Ok(change)
}

fn installed(now: Option<&str>, target: &Target) -> Result<Option<String>, WiringError> {
    let path = || target.path.display().to_string();
    let text = now.unwrap_or_default();
    let after = match &target.content {
        Content::Json(entries) => json_file::install(text, entries),
        Content::Toml { program, arguments } => toml_file::install(text, program, arguments),
        Content::Whole { text: ours, marker, .. } => {
            if now.is_some_and(|text| !text.contains(marker)) {
                return Err(WiringError::Taken { path: path() });
            }
            Ok(ours.clone())
        }
    };
    let after = after.map_err(|reason| WiringError::Unreadable { path: path(), reason })?;
    Ok(Some(after))
}

fn removed(text: &str, content: &Content) -> Result<Option<String>, String> {
    match content {
        Content::Json(entries) => json_file::remove(text, entries),
        Content::Toml { .. } => toml_file::remove(text),
        Content::Whole { marker, .. } => Ok((!text.contains(marker)).then(|| text.to_owned())),
    }
}

/// Where the file is as we left it and nothing of ours stays, it becomes what it was, byte by byte.
fn restore(change: &mut FileChange, ours: &[Target], records: &Records) {
    let Some(now) = &change.before else { return };
    let here = || ours.iter().filter(|target| target.path == change.path);
    let stays = change.after.as_ref().is_some_and(|after| {
        here().any(|target| removed(after, &target.content).ok().flatten().as_ref() != Some(after))
    });
    if stays || change.before == change.after {
        return;
    }
    if let Some(original) = records.before(&change.path, now) {
        change.after = original;
    }
}
