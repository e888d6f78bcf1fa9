//! Every receipt as a line of JSON, to be saved.

use std::sync::Arc;

use axum::extract::State;

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::problem::Problem;

/// `GET /api/receipts/export`
pub async fn handle(State(app): State<Arc<App>>) -> Answer {
    let work = move || {
        let mut bytes = Vec::new();
        match app.engine.ledger().export_jsonl(&mut bytes) {
            Ok(()) => {
                // Receipts are redacted when they are made; looking again changes nothing.
                let text = String::from_utf8_lossy(&bytes);
                let sealed = app.engine.egress().seal(&text);
                Answer::download(sealed, "attachment; filename=\"gatewright-receipts.jsonl\"")
            }
            Err(error) => Answer::seal_problem(&app.engine, &Problem::from(error)),
        }
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Answer::broken())
}
