//! The receipt of a change as the step that commits it: sealed while the files are written.

use gatewright_ledger::{Draft, LedgerError};
use gatewright_model::Receipt;
use gatewright_workspace::{Applied, Commit};

/// Drafts a receipt, and appends it once the files are in place.
pub(crate) struct ReceiptStep<'a, D, A> {
    draft: Option<D>,
    drafted: Option<Result<Draft, LedgerError>>,
    append: A,
    receipt: &'a mut Option<Receipt>,
}

impl<'a, D, A> ReceiptStep<'a, D, A>
where
    D: FnOnce(&Applied) -> Result<Draft, LedgerError>,
    A: FnOnce(Draft) -> Result<Receipt, LedgerError>,
{
    /// `receipt` is filled when the change stands.
    pub(crate) fn new(draft: D, append: A, receipt: &'a mut Option<Receipt>) -> Self {
        Self { draft: Some(draft), drafted: None, append, receipt }
    }
}

impl<D, A> Commit for ReceiptStep<'_, D, A>
where
    D: FnOnce(&Applied) -> Result<Draft, LedgerError>,
    A: FnOnce(Draft) -> Result<Receipt, LedgerError>,
{
    type Error = LedgerError;

    fn draft(&mut self, applied: &Applied) {
        if let Some(draft) = self.draft.take() {
            self.drafted = Some(draft(applied));
        }
    }

    fn commit(mut self, applied: &Applied) -> Result<(), LedgerError> {
        self.draft(applied);
        if let Some(drafted) = self.drafted {
            *self.receipt = Some((self.append)(drafted?)?);
        }
        Ok(())
    }
}
