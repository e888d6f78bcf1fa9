//! One staged change with its files, hunks, findings and conflicts.

use std::sync::Arc;

use axum::extract::{Path, State};

use super::whole_change;
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode;

/// `GET /api/changes/{id}`
pub async fn handle(State(app): State<Arc<App>>, Path(id): Path<String>) -> Answer {
    app.answer(move |app| whole_change(app, decode::id(&id)?)).await
}
