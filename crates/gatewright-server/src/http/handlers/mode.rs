//! How much may happen without a person: shown, and set by one.

use std::sync::Arc;

use axum::extract::State;
use gatewright_model::Autonomy;

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode::Body;
use crate::http::problem::Problem;
use crate::http::wire::{self, SetMode};

/// `GET /api/mode`
pub async fn get(State(app): State<Arc<App>>) -> Answer {
    app.answer(in_force).await
}

/// `POST /api/mode`
pub async fn set(State(app): State<Arc<App>>, Body(request): Body<SetMode>) -> Answer {
    app.answer_change(move |app| {
        let mode = request.mode.parse().map_err(|_| Problem::bad_request("no such mode"))?;
        app.engine.set_autonomy(Autonomy { mode, suggest_only: request.suggest_only })?;
        in_force(app)
    })
    .await
}

/// The mode now.
pub fn in_force(app: &App) -> Result<wire::Mode, Problem> {
    let autonomy = app.engine.autonomy()?;
    let cap = app.engine.config().autonomy_cap;
    Ok(wire::Mode {
        mode: autonomy.mode.as_str().to_owned(),
        suggest_only: autonomy.suggest_only,
        laxest: cap.mode.as_str().to_owned(),
        must_suggest_only: cap.suggest_only,
    })
}
