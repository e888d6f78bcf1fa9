//! Turns a whole staged change down.

use std::sync::Arc;

use axum::extract::{Path, State};

use super::{at_version, outcome};
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode::{self, Body};
use crate::http::wire::Reject;

/// `POST /api/changes/{id}/reject`
pub async fn handle(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(request): Body<Reject>,
) -> Answer {
    app.answer_change(move |app| {
        let item = at_version(app, decode::id(&id)?, request.version)?;
        let comment = request.comment.as_deref();
        let result = app.engine.reject_staged(&item.id, &app.reviewer, comment)?;
        Ok(outcome(&result))
    })
    .await
}
