//! The paths of this workspace that need no confirmation: set by the person at the page.

use std::sync::Arc;

use axum::extract::State;
use gatewright_engine::EngineError;

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode::Body;
use crate::http::problem::Problem;
use crate::http::wire::{AllowList, SetAllowed};

/// `POST /api/rules/allow`
pub async fn handle(State(app): State<Arc<App>>, Body(request): Body<SetAllowed>) -> Answer {
    app.answer_change(move |app| {
        if app.engine.config_now().merged.allow_paths != request.seen {
            return Err(Problem::outdated_list());
        }
        let now = app.engine.set_allow_paths(&request.paths).map_err(|error| match error {
            EngineError::Config(wrong) => Problem::unusable(&wrong.to_string()),
            other => other.into(),
        })?;
        Ok(AllowList { allow_paths: now.merged.allow_paths.clone() })
    })
    .await
}
