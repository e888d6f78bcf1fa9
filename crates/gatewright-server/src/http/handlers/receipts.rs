//! Lists receipts, newest first.

use std::sync::Arc;

use axum::extract::{Query, State};
use gatewright_engine::ledger::ReceiptQuery;
use gatewright_model::{Action, Receipt};
use serde::Deserialize;

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::problem::Problem;
use crate::http::{diff_view, wire};

/// Which receipts.
#[derive(Deserialize)]
pub struct Wanted {
    before: Option<u64>,
    limit: Option<usize>,
    action: Option<String>,
    agent: Option<String>,
    path: Option<String>,
    text: Option<String>,
}

const MOST: usize = 200;

/// `GET /api/receipts`
pub async fn handle(State(app): State<Arc<App>>, Query(wanted): Query<Wanted>) -> Answer {
    app.answer(move |app| {
        let some = |text: Option<String>| text.filter(|text| !text.is_empty());
        let query = ReceiptQuery {
            before_seq: wanted.before,
            limit: Some(wanted.limit.unwrap_or(MOST).min(MOST)),
            action: some(wanted.action).as_deref().map(action).transpose()?,
            path: some(wanted.path),
            agent: some(wanted.agent),
            run_id: None,
            text: some(wanted.text),
        };
        let receipts = app.engine.ledger().list(&query)?;
        Ok(wire::ReceiptList {
            receipts: receipts.iter().map(summary).collect(),
            total: app.engine.ledger().len()?,
        })
    })
    .await
}

fn action(text: &str) -> Result<Action, Problem> {
    let known = [
        Action::Apply,
        Action::Refuse,
        Action::Stage,
        Action::Reject,
        Action::Rollback,
        Action::Unguarded,
        Action::Notice,
    ];
    let found = known.into_iter().find(|action| action.as_str() == text);
    found.ok_or_else(|| Problem::bad_request("no such action"))
}

/// A receipt as the list shows it.
pub fn summary(receipt: &Receipt) -> wire::ReceiptSummary {
    let body = &receipt.body;
    wire::ReceiptSummary {
        seq: receipt.seq,
        receipt_id: body.receipt_id.clone(),
        timestamp: body.timestamp.clone(),
        action: body.action.as_str().to_owned(),
        applied: body.applied,
        agent: body.agent.name.clone(),
        door: body.agent.door.as_str().to_owned(),
        paths: body.files.iter().map(|file| file.path.clone()).collect(),
        guards: diff_view::guards(&body.guards),
        note: body.note.clone(),
        reviewer: body.reviewer.clone(),
        reason: body.findings.first().map(|finding| finding.message.clone()),
        redactions: body.redactions.clone(),
    }
}
