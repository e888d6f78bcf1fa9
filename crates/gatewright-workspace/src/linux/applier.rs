//! The one thread that writes, walled in by Landlock where the kernel has it.
//!
//! Landlock restricts the thread that asks for it, for good. So all writing
//! happens on one thread per workspace, which can write beneath the root and
//! the state directory and nowhere else, whatever the rest of the code does.

use std::sync::mpsc;
use std::thread;

use landlock::{
    ABI, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus,
};
use rustix::fd::OwnedFd;

use crate::LandlockStatus;

type Job = Box<dyn FnOnce() + Send>;

/// A handle of the applying thread; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Applier {
    jobs: mpsc::Sender<Job>,
    status: LandlockStatus,
}

/// The applying thread has ended.
#[derive(Debug)]
pub(super) struct Gone;

impl Applier {
    /// Starts the thread, which restricts itself before it takes any job.
    pub(super) fn start(writable: Vec<OwnedFd>) -> std::io::Result<Applier> {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let (report, status) = mpsc::channel();
        thread::Builder::new().name("gatewright-apply".to_owned()).spawn(move || {
            let _ = report.send(restrict(&writable));
            drop(writable);
            for job in inbox {
                job();
            }
        })?;
        let status = status.recv().map_err(std::io::Error::other)?;
        Ok(Applier { jobs, status })
    }

    /// Whether the thread is walled in.
    pub(super) fn status(&self) -> &LandlockStatus {
        &self.status
    }

    /// Runs `work` on the thread and waits for its answer.
    pub(super) fn run<R: Send + 'static>(
        &self,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, Gone> {
        self.begin(move || (work(), || ()))?.wait()
    }

    /// Begins `work` on the thread, whose answer can be waited for.
    ///
    /// What it leaves to do is done after the answer; the next job waits for both.
    pub(super) fn begin<R: Send + 'static, Rest: FnOnce()>(
        &self,
        work: impl FnOnce() -> (R, Rest) + Send + 'static,
    ) -> Result<Answer<R>, Gone> {
        let (reply, answer) = mpsc::sync_channel(1);
        let job = Box::new(move || {
            let (result, rest) = work();
            let _ = reply.send(result);
            rest();
        });
        self.jobs.send(job).map_err(|_| Gone)?;
        Ok(Answer(answer))
    }
}

/// The answer of a job, which may still be under way.
#[derive(Debug)]
pub(super) struct Answer<R>(mpsc::Receiver<R>);

impl<R> Answer<R> {
    /// Waits for it.
    pub(super) fn wait(self) -> Result<R, Gone> {
        self.0.recv().map_err(|_| Gone)
    }
}

fn restrict(writable: &[OwnedFd]) -> LandlockStatus {
    match enforce(writable) {
        Ok(RulesetStatus::FullyEnforced) => LandlockStatus::Enforced,
        Ok(RulesetStatus::PartiallyEnforced) => LandlockStatus::Partial,
        Ok(RulesetStatus::NotEnforced) => {
            LandlockStatus::Unavailable("this kernel has no Landlock".to_owned())
        }
        Err(error) => LandlockStatus::Unavailable(error.to_string()),
    }
}

fn enforce(writable: &[OwnedFd]) -> Result<RulesetStatus, landlock::RulesetError> {
    // Without the right to move between directories (second version), every
    // such move would be refused, the journal's own included.
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::Refer)?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_write(ABI::V5))?
        .create()?;
    for directory in writable {
        ruleset = ruleset.add_rule(PathBeneath::new(directory, needed()))?;
    }
    Ok(ruleset.restrict_self()?.ruleset)
}

/// What writing files takes; links, devices, pipes and sockets are not in it.
fn needed() -> BitFlags<AccessFs> {
    AccessFs::WriteFile
        | AccessFs::Truncate
        | AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::RemoveFile
        | AccessFs::RemoveDir
        | AccessFs::Refer
}

#[cfg(test)]
#[path = "applier_tests.rs"]
mod tests;
