//! What is guarded and how things stand.

use std::sync::Arc;

use axum::extract::State;

use super::mode;
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::wire;

/// `GET /api/state`
pub async fn handle(State(app): State<Arc<App>>) -> Answer {
    app.answer(|app| {
        let open = app.engine.open_changes()?;
        let root = &app.engine.layout().root;
        let name = root.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(wire::State {
            workspace: name.unwrap_or_else(|| "/".to_owned()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            reviewer: app.reviewer.clone(),
            mode: mode::in_force(app)?,
            open_changes: open.len(),
            open_files: open.iter().map(|change| change.files.len()).sum(),
            receipts: app.engine.ledger().len()?,
        })
    })
    .await
}
