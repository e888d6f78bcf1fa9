//! The description of these routes, for programs that people write for themselves.

use std::sync::Arc;

use axum::extract::State;

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::openapi::describe;

/// `GET /api/openapi.json`
pub async fn handle(State(app): State<Arc<App>>) -> Answer {
    app.answer(|_| Ok(describe())).await
}
