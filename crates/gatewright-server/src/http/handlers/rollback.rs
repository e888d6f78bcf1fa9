//! Takes a receipt back.

use std::sync::Arc;

use axum::extract::{Path, State};
use serde::Deserialize;

use super::outcome;
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode::{self, Body};

/// Nothing more to say.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// `POST /api/receipts/{id}/rollback`
pub async fn handle(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(Nothing {}): Body<Nothing>,
) -> Answer {
    app.answer_change(move |app| {
        let result = app.engine.rollback(decode::id(&id)?, &app.reviewer)?;
        Ok(outcome(&result))
    })
    .await
}
