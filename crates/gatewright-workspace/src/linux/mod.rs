//! The workspace on Linux.
//!
//! The steps of a transaction are those of every system and stand in `../both`,
//! built here over the kernel's own calls. What only Linux has is here: paths that
//! the kernel resolves (`root`), an exchange of two files in one step (`exchange`),
//! files without names until the journal knows of them (`stage`), directories that
//! are synced beside the commit, with what puts their names in place again after a
//! power failure (`settling`, `redo`), a thread walled in by Landlock (`applier`) and
//! a watch (`watch`).
#![allow(clippy::duplicate_mod, reason = "what is in both is built over the files of each system")]

mod applier;
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
mod kernel;
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
mod settling;
mod stage;
mod standing;
mod state_io;
#[path = "../both/swap.rs"]
mod swap;
mod take_back;
#[path = "../both/undo.rs"]
mod undo;
mod watch;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use gatewright_guards::Approved;

use self::applier::{Applier, Gone};
use self::kernel as files;
use self::own::OwnPaths;
use self::plan::Extras;
use self::root::Root;
use self::state_io::StateDir;
pub use self::watch::Watch;
use crate::commit::did_not_stand;
use crate::{
    Applied, ApplyError, Commit, LandlockStatus, OpenError, SnapshotLimits, TransactionId,
    WorkspaceOptions, WriteError,
};

/// A directory that is read and written only beneath one descriptor.
///
/// It can be shared between threads; writes wait for one another.
#[derive(Debug)]
pub struct Workspace {
    core: Arc<Core>,
    applier: Applier,
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
    /// Which start of the machine this is; `None` where the kernel does not say.
    boot: Option<String>,
}

impl Workspace {
    /// Opens a workspace and makes what is missing of its state directory.
    ///
    /// Call [`Workspace::recover`] before the first write.
    pub fn open(options: WorkspaceOptions) -> Result<Workspace, OpenError> {
        let root = Root::open(&options.root)?;
        let failed = |source| OpenError::State { path: options.state_dir.clone(), source };
        if own::lies_within(&options.state_dir, &root) {
            return Err(OpenError::StateInsideWorkspace { path: options.state_dir });
        }
        let state = StateDir::open(&options.state_dir, options.durability)?;
        let writable = [root.handle(), &state.top].map(|directory| directory.try_clone());
        let writable = writable.into_iter().collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let applier = Applier::start(writable).map_err(failed)?;
        let core = Core {
            own: OwnPaths::new(&options.own_paths, &root.proc_fd),
            root,
            state,
            limits: options.snapshot_limits,
            lock_timeout: options.lock_timeout,
            boot: state_io::boot(),
        };
        let umask = state_io::umask();
        Ok(Workspace { core: Arc::new(core), applier, one_writer: Mutex::new(()), umask })
    }

    /// Whether the applying thread is walled in by Landlock.
    pub fn landlock_status(&self) -> &LandlockStatus {
        self.applier.status()
    }

    /// A watch of no folder yet; `None` where one could not be relied on.
    pub fn watch(&self) -> Option<Watch> {
        Watch::new(&self.core.root)
    }

    /// Has a folder watched from now on, without what lies below it; `""` is the root. Says
    /// whether it is: past a bound the watch is of no use.
    pub fn watch_folder(&self, watch: &mut Watch, folder: &str) -> bool {
        watch.add(&self.core.root, folder)
    }

    fn write<C: Commit>(
        &self,
        approved: Approved,
        transaction: TransactionId,
        extras: Extras,
        mut commit: C,
    ) -> Result<Applied, ApplyError<C::Error>> {
        let _turn = self.one_writer.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = |Gone| WriteError::ApplierGone;
        let core = Arc::clone(&self.core);
        let (plan, planned) = mpsc::sync_channel(1);
        let prepare = move || apply::prepare(&core, &approved, transaction, extras, &plan);
        let prepared = self.applier.begin(prepare).map_err(gone)?;
        let drafted = catch_unwind(AssertUnwindSafe(|| {
            // Nothing comes where the plan failed; the answer says why.
            planned.recv().iter().for_each(|applied| commit.draft(applied));
        }));
        let pending = prepared.wait().map_err(gone)??;
        let outcome = drafted
            .and_then(|()| catch_unwind(AssertUnwindSafe(|| commit.commit(&pending.applied))));
        let core = Arc::clone(&self.core);
        if let Ok(Ok(())) = outcome {
            let finished = self.applier.begin(move || pending.finish(core)).map_err(gone)?;
            return Ok(finished.wait().map_err(gone)?);
        }
        let rolled_back = self.applier.run(move || pending.roll_back(&core)).map_err(gone)?;
        Err(did_not_stand(outcome, rolled_back))
    }

    /// Runs work that touches files on the thread that is walled in.
    fn on_files<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Core) -> R + Send + 'static,
    ) -> Result<R, Gone> {
        let core = Arc::clone(&self.core);
        self.applier.run(move || work(&core))
    }
}
