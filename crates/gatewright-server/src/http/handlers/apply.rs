//! Writes what was accepted, if it is still what the person looked at.

use std::sync::Arc;

use axum::extract::{Path, State};

use super::{at_version, outcome};
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode::{self, Body};
use crate::http::wire::Apply;

/// `POST /api/changes/{id}/apply`
pub async fn handle(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(request): Body<Apply>,
) -> Answer {
    app.answer_change(move |app| {
        let item = at_version(app, decode::id(&id)?, request.version)?;
        let result = app.engine.apply_staged(&item.id, &app.reviewer, request.confirm)?;
        Ok(outcome(&result))
    })
    .await
}
