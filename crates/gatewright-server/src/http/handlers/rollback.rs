//! Takes a receipt back.

use std::sync::Arc;

use axum::extract::{Path, State};

use super::outcome;
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode::{self, Body};
use crate::http::wire::Empty;

/// `POST /api/receipts/{id}/rollback`
pub async fn handle(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(Empty {}): Body<Empty>,
) -> Answer {
    app.answer_change(move |app| {
        let result = app.engine.rollback(decode::id(&id)?, &app.reviewer)?;
        Ok(outcome(&result))
    })
    .await
}
