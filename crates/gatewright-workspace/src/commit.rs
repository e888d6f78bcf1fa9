//! The step that makes a change stand, and what can be done for it ahead.

use std::panic::resume_unwind;

use crate::{Applied, ApplyError, WriteError};

/// Decides whether a change stands.
pub trait Commit {
    /// Why it does not.
    type Error;

    /// Does what can be done before the files are in place, while they are being written.
    ///
    /// Nothing may remain of it if [`Commit::commit`] never comes.
    fn draft(&mut self, applied: &Applied);

    /// Makes the change stand; every file is in place.
    fn commit(self, applied: &Applied) -> Result<(), Self::Error>;
}

/// A commit with nothing to do ahead.
pub(crate) struct AtOnce<F>(pub(crate) F);

impl<E, F: FnOnce(&Applied) -> Result<(), E>> Commit for AtOnce<F> {
    type Error = E;

    fn draft(&mut self, _: &Applied) {}

    fn commit(self, applied: &Applied) -> Result<(), E> {
        (self.0)(applied)
    }
}

/// Why a change was taken back after its files were in place. A panic of the caller's goes on.
pub(crate) fn did_not_stand<E>(
    committed: std::thread::Result<Result<(), E>>,
    rolled_back: Result<(), String>,
) -> ApplyError<E> {
    match (committed, rolled_back) {
        (Err(panic), _) => resume_unwind(panic),
        (Ok(Err(source)), Err(detail)) => ApplyError::CommitNotRolledBack { source, detail },
        (Ok(Err(source)), Ok(())) => ApplyError::Commit(source),
        (Ok(Ok(())), _) => WriteError::ApplierGone.into(),
    }
}
