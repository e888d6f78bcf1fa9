//! Finishes or takes back what a crash left, by asking the ledger.

use gatewright_model::RepoPath;

use super::directories::Directories;
use super::files::Fault;
use super::ring::{self, Ring};
use super::state_io::{self, LockGuard};
use super::{Core, journal, redo, rollback};
use crate::record::Record;
use crate::{RecoverError, RecoveryConflict, RecoveryReport, TransactionId};

/// The journal under the lock.
#[derive(Debug)]
pub(super) struct Leftovers {
    /// Whole records, in no particular order: one writer at a time makes one at most.
    pub(super) records: Vec<Record>,
    /// Names of records that were never complete.
    abandoned: Vec<String>,
    _lock: LockGuard,
}

/// Takes the lock and reads the journal.
pub(super) fn leftovers(core: &Core) -> Result<Leftovers, RecoverError> {
    let lock = core.state.lock(core.lock_timeout)?;
    let failed = |fault: Fault| RecoverError::Disk {
        transaction: "the journal".to_owned(),
        reason: fault.to_string(),
    };
    ring::remove_temporaries(&core.state).map_err(failed)?;
    let mut records = Vec::new();
    let mut abandoned = Vec::new();
    for name in state_io::names(&core.state.journal).map_err(failed)? {
        let bytes = state_io::read(&core.state.journal, &name).map_err(failed)?;
        match bytes.as_deref().and_then(Record::decode) {
            Some(record) => records.push(record),
            None => abandoned.push(name),
        }
    }
    Ok(Leftovers { records, abandoned, _lock: lock })
}

/// Deals with every record, `committed` saying of each whether it stands.
pub(super) fn settle(
    core: &Core,
    leftovers: Leftovers,
    committed: &[bool],
) -> Result<RecoveryReport, RecoverError> {
    let mut report = RecoveryReport::default();
    let newest = newest(core, &leftovers)?;
    for (record, committed) in leftovers.records.iter().zip(committed) {
        if *committed {
            let redone = redo::make_durable(core, record, newest);
            report.conflicts.extend(redone.map_err(|at| failure_at(record, at))?);
            finish(core, record)?;
            report.finished.push(record.transaction.clone());
        } else {
            report.conflicts.extend(take_back(core, record)?);
            report.rolled_back.push(record.transaction.clone());
        }
    }
    for name in &leftovers.abandoned {
        // Kept apart, not deleted: a record that rotted looks the same.
        let kept = format!("{name}.incomplete");
        state_io::move_to(&core.state.journal, name, &core.state.conflicts, &kept)
            .map_err(|fault| failure(&TransactionId::new(name.as_str()), &fault.to_string()))?;
    }
    report.abandoned = leftovers.abandoned;
    Ok(report)
}

/// The number of the last change of all, in the journal or finished.
fn newest(core: &Core, leftovers: &Leftovers) -> Result<u64, RecoverError> {
    let finished = ring::newest(&core.state)
        .map_err(|fault| failure(&TransactionId::new("the snapshots"), &fault.to_string()))?;
    let waiting = leftovers.records.iter().map(|record| record.snapshot.sequence()).max();
    Ok(finished.max(waiting).unwrap_or_default())
}

fn finish(core: &Core, record: &Record) -> Result<(), RecoverError> {
    let failures = journal::finish(core, record, &mut Directories::default());
    if !failures.is_empty() {
        return Err(failure(&record.transaction, &failures.join("; ")));
    }
    Ring::load(&core.state)
        .and_then(|ring| ring.admit(&core.state, &record.snapshot, 0, core.limits))
        .map(drop)
        .map_err(|fault| failure(&record.transaction, &fault.to_string()))
}

fn take_back(core: &Core, record: &Record) -> Result<Vec<RecoveryConflict>, RecoverError> {
    let mut directories = Directories::default();
    let conflicts = rollback::roll_back(core, record, &mut directories, &record.makes)
        .map_err(|at| failure_at(record, at))?;
    journal::drop_record(core, record, &conflicts)
        .map_err(|fault| failure(&record.transaction, &fault.to_string()))?;
    Ok(conflicts)
}

fn failure_at(record: &Record, (path, fault): (RepoPath, Fault)) -> RecoverError {
    failure(&record.transaction, &format!("{path}: {fault}"))
}

fn failure(transaction: &TransactionId, reason: &str) -> RecoverError {
    RecoverError::Disk { transaction: transaction.to_string(), reason: reason.to_owned() }
}
