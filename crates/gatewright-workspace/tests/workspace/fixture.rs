//! A temporary workspace with its state and an outside, and short ways to change it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gatewright_guards::{
    Approved, Facts, Policy, StructureScope, approve, approve_reviewed, bindings_of, judge,
};
use gatewright_model::{
    Autonomy, ChangeSet, FileChange, FileMode, FileState, HumanDecision, Intent, Mode, PathFacts,
    RequestedPath, Resolution, ResolutionFailure, Target,
};
use gatewright_workspace::{
    Applied, ApplyError, Commit, Durability, SnapshotId, TransactionId, WorkspaceOptions,
    WriteError,
};

use crate::Workspace;

/// A scratch directory with `root`, `state` and `outside` in it.
pub struct Scratch {
    pub base: tempfile::TempDir,
    pub root: PathBuf,
    pub state: PathBuf,
    pub outside: PathBuf,
}

impl Scratch {
    pub fn new() -> Self {
        Self::within(&std::env::temp_dir())
    }

    /// In memory where there is such a place: many processes that sync are slow on a disk.
    pub fn in_memory() -> Self {
        let shared = Path::new("/dev/shm");
        if shared.is_dir() { Self::within(shared) } else { Self::new() }
    }

    pub fn within(parent: &Path) -> Self {
        let base = tempfile::Builder::new().prefix("gw-ws-").tempdir_in(parent).unwrap();
        let path = base.path().canonicalize().unwrap();
        let scratch = Self {
            root: path.join("root"),
            state: path.join("state"),
            outside: path.join("outside"),
            base,
        };
        fs::create_dir(&scratch.root).unwrap();
        fs::create_dir(&scratch.outside).unwrap();
        scratch
    }

    pub fn options(&self) -> WorkspaceOptions {
        WorkspaceOptions {
            durability: Durability::None,
            lock_timeout: Duration::from_secs(60),
            ..WorkspaceOptions::new(&self.root, &self.state)
        }
    }

    pub fn open(&self) -> Workspace {
        Workspace::open(self.options()).unwrap()
    }

    pub fn put(&self, path: &str, content: &str) -> PathBuf {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// Every name of the tree with its kind, mode and bytes (or link target).
    pub fn tree(&self) -> BTreeMap<String, Entry> {
        tree(&self.root)
    }

    /// How many files of any kind lie outside, and how many bytes they have.
    pub fn outside_tree(&self) -> BTreeMap<String, Entry> {
        tree(&self.outside)
    }

    /// Names in the workspace that only an unfinished apply would leave.
    pub fn leftovers(&self) -> Vec<String> {
        self.tree().into_keys().filter(|name| name.contains(".gatewright-")).collect()
    }

    pub fn journal(&self) -> Vec<String> {
        let entries = fs::read_dir(self.state.join("journal")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

/// One name of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    Directory,
    File { mode: u32, content: Vec<u8> },
    Link(PathBuf),
    Other,
}

/// Reads a whole tree, following nothing.
pub fn tree(root: &Path) -> BTreeMap<String, Entry> {
    let mut entries = BTreeMap::new();
    let mut pending = vec![root.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let kind = metadata.file_type();
            let entry = if kind.is_dir() {
                pending.push(path);
                Entry::Directory
            } else if kind.is_file() {
                let content = fs::read(&path).unwrap_or_default();
                Entry::File { mode: metadata.mode() & 0o7777, content }
            } else if kind.is_symlink() {
                Entry::Link(fs::read_link(&path).unwrap())
            } else {
                Entry::Other
            };
            entries.insert(name, entry);
        }
    }
    entries
}

/// Reads a count from `GATEWRIGHT_CASES`, with a small default.
pub fn cases(default: u64) -> u64 {
    std::env::var("GATEWRIGHT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A seed from `GATEWRIGHT_SEED`, or a fresh one; printed either way.
pub fn seed() -> u64 {
    let given = std::env::var("GATEWRIGHT_SEED").ok().and_then(|text| text.parse().ok());
    let seed = given.unwrap_or_else(|| {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).unwrap();
        u64::from_le_bytes(bytes)
    });
    println!("GATEWRIGHT_SEED={seed}");
    seed
}

/// A small generator for interleavings; not for secrets.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

pub fn requested(path: &str) -> RequestedPath {
    RequestedPath::new(path)
}

pub fn state(content: &str) -> FileState {
    FileState::new(content.as_bytes(), FileMode::REGULAR)
}

/// A change of `path` to `after`, made against what stands there now.
pub fn change(workspace: &Workspace, path: &str, after: Option<FileState>) -> FileChange {
    let before = workspace.read(&requested(path), 1 << 24).unwrap_or_default();
    change_from(path, before, after)
}

pub fn change_from(path: &str, before: Option<FileState>, after: Option<FileState>) -> FileChange {
    let intent = match (&before, &after) {
        (None, _) => Intent::Create,
        (_, None) => Intent::Delete,
        _ => Intent::Patch,
    };
    FileChange { requested: requested(path), before, after, renamed_from: None, intent }
}

/// A change of the bytes alone.
pub fn rewrite(workspace: &Workspace, path: &str, content: &str) -> FileChange {
    let before = workspace.read(&requested(path), 1 << 24).unwrap_or_default();
    let mode = before.as_ref().map_or(FileMode::REGULAR, |before| before.mode);
    change_from(path, before, Some(FileState::new(content.as_bytes(), mode)))
}

/// Built once: the whole catalogue takes long to load in a debug build.
pub fn policy() -> &'static Policy {
    static POLICY: std::sync::OnceLock<Policy> = std::sync::OnceLock::new();
    POLICY.get_or_init(Policy::builtin)
}

/// Approves the real way: judged on fresh facts, a person confirming what asks.
pub fn approved(workspace: &Workspace, changes: Vec<FileChange>) -> Option<Approved> {
    let paths = changes.iter().map(|change| workspace.facts(&change.requested)).collect();
    approved_on(changes, paths)
}

pub fn approved_on(changes: Vec<FileChange>, paths: Vec<PathFacts>) -> Option<Approved> {
    let facts = Facts { paths, structure: StructureScope::Reviewed, references: Vec::new() };
    let judged = judge(ChangeSet::new(changes), facts, policy());
    let autonomy = Autonomy { mode: Mode::Autonomous, suggest_only: false };
    if let Ok(approved) = approve(judged.clone(), autonomy) {
        return Some(approved);
    }
    let decision = HumanDecision {
        reviewer: "tester".to_owned(),
        approval_id: "once".to_owned(),
        bindings: bindings_of(&judged),
        confirms: true,
    };
    approve_reviewed(judged, decision, autonomy).ok()
}

/// A fresh transaction id.
pub fn transaction() -> TransactionId {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    TransactionId::new(format!("t{}", NEXT.fetch_add(1, Ordering::Relaxed)))
}

/// Applies changes that must be approved.
pub fn apply(
    workspace: &Workspace,
    changes: Vec<FileChange>,
) -> Result<Applied, ApplyError<String>> {
    let approved = approved(workspace, changes).expect("the guards approve it");
    workspace.apply(approved, transaction(), |_| Ok(()))
}

/// The write error of a failed apply.
pub fn write_error(outcome: Result<Applied, ApplyError<String>>) -> WriteError {
    match outcome {
        Err(ApplyError::Write(error)) => error,
        other => panic!("expected a write error, got {other:?}"),
    }
}

/// A commit that always succeeds.
struct Stands;

impl Commit for Stands {
    type Error = String;

    fn draft(&mut self, _: &Applied) {}

    fn commit(self, _: &Applied) -> Result<(), String> {
        Ok(())
    }
}

/// Undoes a snapshot that must have no conflicts.
pub fn undo(workspace: &Workspace, snapshot: &SnapshotId) -> Applied {
    let plan = workspace.undo_plan(snapshot).unwrap();
    assert_eq!(plan.conflicts, Vec::new());
    let approved = approved(workspace, plan.change_set.changes).expect("an undo is approved");
    workspace.apply_with(approved, Some(snapshot), transaction(), Stands).unwrap()
}

pub fn target(workspace: &Workspace, path: &str) -> Target {
    match workspace.facts(&requested(path)).resolution {
        Resolution::Inside(target) => target,
        Resolution::Failed(failure) => panic!("{path}: {failure:?}"),
    }
}

pub fn failure(workspace: &Workspace, path: &str) -> ResolutionFailure {
    match workspace.facts(&requested(path)).resolution {
        Resolution::Failed(failure) => failure,
        Resolution::Inside(target) => panic!("{path} leads to {target:?}"),
    }
}

pub fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Whether this process may do what only root may.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs a program; true when it succeeded.
pub fn run(program: &str, arguments: &[&str]) -> bool {
    let status = std::process::Command::new(program)
        .args(arguments)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// A mounted file system that is taken down again.
pub struct Mount(pub PathBuf);

impl Mount {
    /// Mounts, or says loudly why the test is skipped.
    pub fn try_new(arguments: &[&str], at: &Path) -> Option<Mount> {
        if !is_root() {
            println!("SKIPPED: mounting needs root");
            return None;
        }
        let mut all = arguments.to_vec();
        let at_text = at.to_str().unwrap();
        all.push(at_text);
        if !run("mount", &all) {
            println!("SKIPPED: mount {all:?} failed");
            return None;
        }
        Some(Mount(at.to_owned()))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        run("umount", &["-l", self.0.to_str().unwrap()]);
    }
}
