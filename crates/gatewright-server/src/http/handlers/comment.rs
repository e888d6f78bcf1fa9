//! Words for the agent about a hunk; they go to it with what was turned down.

use std::sync::Arc;

use axum::extract::{Path, State};
use gatewright_engine::{Choice, Part, UnitDecision};

use super::decide::{MOST_WORDS, earlier_comment};
use super::{decided, stored};
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode::{self, Body};
use crate::http::problem::Problem;
use crate::http::wire::CommentOn;

/// `POST /api/changes/{id}/comment`
pub async fn handle(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(request): Body<CommentOn>,
) -> Answer {
    app.answer_change(move |app| {
        let id = decode::id(&id)?;
        let part = Part::Unit { path: request.path.clone(), unit: request.unit.clone() };
        let earlier = earlier_comment(app, id, &part)?;
        let words = match earlier {
            Some(earlier) => format!("{earlier}\n{}", request.text),
            None => request.text,
        };
        if words.len() > MOST_WORDS {
            return Err(Problem::bad_request("the comment is too long"));
        }
        let (choice, lines) = current(app, id, &request.path, &request.unit)?;
        app.engine.decide(id, &part, Some(UnitDecision { choice, lines, comment: Some(words) }))?;
        decided(app, id)
    })
    .await
}

/// A comment alone turns a hunk down; one on a decided hunk leaves the decision.
fn current(
    app: &App,
    id: &str,
    path: &str,
    unit: &str,
) -> Result<(Choice, Option<Vec<usize>>), Problem> {
    let change = stored(app, id)?;
    let file = change.files.iter().find(|file| file.resolved.as_str() == path);
    let decision = file.and_then(|file| file.decisions.iter().find(|(known, _)| known.0 == unit));
    Ok(decision.map_or((Choice::Reject, None), |(_, d)| (d.choice, d.lines.clone())))
}
