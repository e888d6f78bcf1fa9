//! Recomputes the whole chain and says what was found.

use std::sync::Arc;

use axum::extract::State;
use gatewright_engine::ledger::{Verdict, VerifyOptions};
use tokio::time::Instant;

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::wire;

/// `POST /api/receipts/verify`
pub async fn handle(State(app): State<Arc<App>>) -> Answer {
    app.answer(|app| {
        let started = Instant::now();
        let options = VerifyOptions { signatures: true, ..Default::default() };
        let report = app.engine.ledger().verify(options)?;
        let (verdict, bad_seq, reason) = match report.verdict {
            Verdict::Ok => ("ok", None, None),
            Verdict::Bad { seq, reason } => ("bad", seq, Some(reason)),
            Verdict::CannotTell { reason } => ("cannot-tell", None, Some(reason)),
        };
        Ok(wire::VerifyResult {
            verdict: verdict.to_owned(),
            receipts: report.receipts,
            bad_seq,
            reason,
            head: report.head.map(|hash| hash.to_string()),
            root: super::prove::hex(&report.root),
            milliseconds: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        })
    })
    .await
}
