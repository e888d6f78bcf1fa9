//! Proves that one receipt is in the signed tree.

use std::sync::Arc;

use axum::extract::{Path, State};

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::{decode, wire};

/// `GET /api/receipts/{id}/prove`
pub async fn handle(State(app): State<Arc<App>>, Path(id): Path<String>) -> Answer {
    app.answer(move |app| {
        let receipt = app.engine.receipt(decode::id(&id)?)?;
        let proof = app.engine.ledger().prove(receipt.seq)?;
        Ok(wire::Proof {
            seq: proof.seq,
            size: proof.size,
            leaf: hex(&proof.leaf),
            path: proof.path.iter().map(|hash| hex(hash)).collect(),
            root: hex(&proof.root),
            holds: proof.holds(),
            checkpoint: proof.checkpoint,
        })
    })
    .await
}

/// A hash as text.
pub fn hex(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
