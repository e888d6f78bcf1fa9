//! Lists what is staged, by what the guards said when it was.

use std::sync::Arc;

use axum::extract::State;

use super::{at_the_door, decode_item, summary};
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::wire;

/// `GET /api/changes`
pub async fn handle(State(app): State<Arc<App>>) -> Answer {
    app.answer(|app| {
        let mut changes = Vec::new();
        for item in app.engine.ledger().stage_list(Some("open"))? {
            let change = decode_item(&item)?;
            let words = at_the_door(app, &change)?.words;
            changes.push(summary(&change, item.version, &item.state, &change.findings, &words));
        }
        Ok(wire::ChangeList { changes })
    })
    .await
}
