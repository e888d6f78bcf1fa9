//! Shows what taking a receipt back would write.

use std::sync::Arc;

use axum::extract::{Path, State};

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::{decode, diff_view, wire};

/// `GET /api/receipts/{id}/undo`
pub async fn handle(State(app): State<Arc<App>>, Path(id): Path<String>) -> Answer {
    app.answer(move |app| {
        let preview = app.engine.undo_preview(decode::id(&id)?)?;
        let changes = &preview.change_set.changes;
        Ok(wire::UndoPreview {
            files: changes.iter().map(|c| diff_view::plain_detail(c, app.drawing())).collect(),
            conflicts: preview.conflicts.iter().map(|c| c.path.to_string()).collect(),
        })
    })
    .await
}
