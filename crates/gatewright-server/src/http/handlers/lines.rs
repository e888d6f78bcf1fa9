//! Lines of the base between hunks, for context that is opened.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use serde::Deserialize;

use super::stored;
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode;
use crate::http::diff_view::Sides;
use crate::http::problem::Problem;
use crate::http::wire;

/// At most so many lines are given at once.
const MOST_LINES: usize = 5_000;

/// Which lines.
#[derive(Deserialize)]
pub struct Wanted {
    path: String,
    from: usize,
    to: usize,
}

/// `GET /api/changes/{id}/lines?path=…&from=…&to=…`, one-based and both included.
pub async fn handle(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Answer {
    app.answer(move |app| {
        let change = stored(app, decode::id(&id)?)?;
        let file = change.files.iter().find(|file| file.resolved.as_str() == wanted.path);
        let file = file.ok_or_else(|| Problem::bad_request("no such file in this change"))?;
        let sides = Sides::new(&file.to_change(), app.drawing());
        let from = wanted.from.max(1);
        let to = wanted.to.min(sides.base_len()).min(from.saturating_add(MOST_LINES - 1));
        let lines = sides.base_lines(from - 1..to);
        Ok(wire::LineList { from, lines })
    })
    .await
}
