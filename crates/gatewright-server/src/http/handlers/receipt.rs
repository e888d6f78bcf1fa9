//! One receipt with everything in it.

use std::sync::Arc;

use axum::extract::{Path, State};
use gatewright_model::{Action, Receipt};

use super::receipts::summary;
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::{decode, diff_view, wire};

/// `GET /api/receipts/{id}`
pub async fn handle(State(app): State<Arc<App>>, Path(id): Path<String>) -> Answer {
    app.answer(move |app| Ok(detail(&app.engine.receipt(decode::id(&id)?)?))).await
}

fn detail(receipt: &Receipt) -> wire::ReceiptDetail {
    let body = &receipt.body;
    let file = |file: &gatewright_model::FileRecord| wire::FileRecord {
        path: file.path.clone(),
        requested: file.requested.clone(),
        before_hash: file.before_hash.map(|hash| hash.to_string()),
        after_hash: file.after_hash.map(|hash| hash.to_string()),
    };
    let diff = |diff: &gatewright_model::HunkRecord| wire::HunkRecord {
        path: diff.path.clone(),
        hunks: diff.hunks.clone(),
    };
    wire::ReceiptDetail {
        summary: summary(receipt),
        agent_version: body.agent.version.clone(),
        run_id: body.run_id.clone(),
        user: body.user.clone(),
        autonomy: body.autonomy.clone(),
        files: body.files.iter().map(file).collect(),
        diffs: body.diffs.iter().map(diff).collect(),
        findings: body.findings.iter().map(diff_view::finding).collect(),
        symbols_checked: body.symbols_checked,
        refers_to: body.refers_to.clone(),
        can_undo: body.applied
            && body.snapshot_id.is_some()
            && matches!(body.action, Action::Apply | Action::Rollback),
        policy_hash: body.policy_hash.to_string(),
        prev_receipt_hash: receipt.prev_receipt_hash.map(|hash| hash.to_string()),
        self_hash: receipt.self_hash.to_string(),
    }
}
