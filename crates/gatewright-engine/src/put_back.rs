//! What a file was before its last change, for a symbol that is put back.
//!
//! A removal takes blank lines along, so the file alone does not say how it
//! was; the snapshot of the change that removed the symbol does.

use std::sync::Arc;

use gatewright_languages::syntax::LanguageId;
use gatewright_languages::syntax::edit::{EditPlan, SymbolAction, SymbolEdit, put_back};
use gatewright_ledger::ReceiptQuery;
use gatewright_model::{Receipt, RequestedPath, Resolution};

use crate::{Engine, EngineError, FileView};

/// How many of the newest receipts are looked at.
const RECENT: usize = 32;

impl Engine {
    /// The plan that goes back to the content before the last change, where the edit asks for
    /// just what that change took out.
    pub(crate) fn put_back(
        &self,
        edit: &SymbolEdit,
        language: LanguageId,
        view: &FileView,
        run_id: &str,
    ) -> Result<Option<EditPlan>, EngineError> {
        if !matches!(edit.action, SymbolAction::Insert { .. } | SymbolAction::PutBack) {
            return Ok(None);
        }
        let earlier = self.content_before(view, run_id)?;
        Ok(earlier.and_then(|earlier| put_back(language, &earlier, &view.state.content, edit)))
    }

    /// The content that the file had before the change that made it what it is.
    fn content_before(
        &self,
        view: &FileView,
        run_id: &str,
    ) -> Result<Option<Arc<[u8]>>, EngineError> {
        if view.is_staged {
            let path = RequestedPath::new(view.resolved.clone());
            let Resolution::Inside(target) = self.workspace.facts(&path).resolution else {
                return Ok(None);
            };
            let pending = self.pending_of(run_id)?.remove(&target.resolved);
            return Ok(pending.and_then(|pending| pending.before).map(|state| state.content));
        }
        let query = ReceiptQuery { limit: Some(RECENT), ..Default::default() };
        let made_it = |receipt: &Receipt| {
            let mut files = receipt.body.files.iter();
            receipt.body.applied
                && files
                    .any(|file| file.path == view.resolved && file.after_hash == Some(view.digest))
        };
        let Some(receipt) = self.ledger.list(&query)?.into_iter().find(made_it) else {
            return Ok(None);
        };
        let Some(Ok(snapshot)) = receipt.body.snapshot_id.map(|id| id.parse()) else {
            return Ok(None);
        };
        // A snapshot may be gone; what it would have told is then not known.
        let Ok(plan) = self.workspace.undo_plan(&snapshot) else { return Ok(None) };
        let mut changes = plan.change_set.changes.into_iter();
        let change = changes.find(|change| change.requested.as_str() == view.resolved);
        Ok(change.and_then(|change| change.after).map(|state| state.content))
    }
}
