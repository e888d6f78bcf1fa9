//! The workspace on other systems than Linux.
//!
//! The steps of a transaction are those of every system and stand in `../both`,
//! built here over handles of `cap-std`, which does not leave the directory that
//! it was given. There is no second wall, no exchange of two files in one step and
//! no view of mount points, so some promises are weaker than on Linux; the threat
//! model says which.
//!
//! On Linux this is built for its tests only.
#![allow(clippy::duplicate_mod, reason = "what is in both is built over the files of each system")]

mod ambient;
mod apply;
mod attributes;
#[path = "../both/directories.rs"]
mod directories;
mod exchange;
#[path = "../both/facts.rs"]
mod facts;
mod hard_links;
#[path = "../both/journal.rs"]
mod journal;
#[path = "../both/keep.rs"]
mod keep;
mod names;
#[path = "../both/operations.rs"]
mod operations;
mod own;
#[path = "../both/plan.rs"]
mod plan;
mod read;
#[path = "../both/recover.rs"]
mod recover;
mod redo;
#[path = "../both/ring.rs"]
mod ring;
#[path = "../both/rollback.rs"]
mod rollback;
mod root;
mod saved;
mod spelling;
mod stage;
mod standing;
mod state_io;
#[path = "../both/swap.rs"]
mod swap;
mod take_back;
#[path = "../both/undo.rs"]
mod undo;

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gatewright_guards::Approved;

use self::names as files;
use self::own::OwnPaths;
use self::plan::Extras;
use self::root::Root;
use self::state_io::StateDir;
use crate::commit::did_not_stand;
use crate::{
    Applied, ApplyError, Commit, LandlockStatus, OpenError, SnapshotLimits, TransactionId,
    WorkspaceOptions,
};

/// The thread that writes is the caller's and cannot be gone.
type Gone = Infallible;

/// No watch at all.
#[derive(Debug)]
pub enum Watch {}

impl Watch {
    /// Nothing is told.
    pub fn is_watching(&self, _: &str) -> bool {
        match *self {}
    }

    /// Nothing can be asked of it.
    pub fn take(&mut self) -> crate::Happened {
        crate::Happened::Anything
    }
}

/// A directory that is read and written only beneath one handle.
///
/// It can be shared between threads; writes wait for one another.
#[derive(Debug)]
pub struct Workspace {
    core: Core,
    landlock: LandlockStatus,
    one_writer: Mutex<()>,
    umask: u32,
}

/// What the operations share.
#[derive(Debug)]
struct Core {
    root: Root,
    own: OwnPaths,
    state: StateDir,
    limits: SnapshotLimits,
    lock_timeout: Duration,
}

impl Workspace {
    /// Opens a workspace and makes what is missing of its state directory.
    ///
    /// Call [`Workspace::recover`] before the first write.
    pub fn open(options: WorkspaceOptions) -> Result<Workspace, OpenError> {
        let root = Root::open(&options.root)?;
        if own::lies_within(&options.state_dir, &root) {
            return Err(OpenError::StateInsideWorkspace { path: options.state_dir });
        }
        let state = StateDir::open(&options.state_dir, options.durability)?;
        let umask = state_io::umask(&state);
        let core = Core {
            own: OwnPaths::new(&options.own_paths),
            root,
            state,
            limits: options.snapshot_limits,
            lock_timeout: options.lock_timeout,
        };
        let landlock = LandlockStatus::Unavailable("only Linux has it".to_owned());
        Ok(Workspace { core, landlock, one_writer: Mutex::new(()), umask })
    }

    /// Always unavailable: there is no second wall.
    pub fn landlock_status(&self) -> &LandlockStatus {
        &self.landlock
    }

    /// There is none here: callers look for themselves.
    pub fn watch(&self) -> Option<Watch> {
        None
    }

    /// There is nothing to add a folder to.
    pub fn watch_folder(&self, _: &mut Watch, _: &str) -> bool {
        false
    }

    fn write<C: Commit>(
        &self,
        approved: Approved,
        transaction: TransactionId,
        extras: Extras,
        mut commit: C,
    ) -> Result<Applied, ApplyError<C::Error>> {
        let _turn = self.one_writer.lock().unwrap_or_else(PoisonError::into_inner);
        let pending = apply::prepare(&self.core, &approved, transaction, extras)?;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            commit.draft(&pending.applied);
            commit.commit(&pending.applied)
        }));
        if let Ok(Ok(())) = outcome {
            return Ok(pending.finish(&self.core));
        }
        let rolled_back = pending.roll_back(&self.core);
        Err(did_not_stand(outcome, rolled_back))
    }

    /// Runs work that touches files; there is no other thread to run it on.
    fn on_files<R>(&self, work: impl FnOnce(&Core) -> R) -> Result<R, Gone> {
        Ok(work(&self.core))
    }
}
