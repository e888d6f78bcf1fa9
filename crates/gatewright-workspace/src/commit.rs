//! The step that makes a change stand, and what can be done for it ahead.

use crate::Applied;

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
