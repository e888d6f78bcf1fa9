//! Words for the agent about a hunk or one of its lines; they go to it with what was turned down.

use std::sync::Arc;

use axum::extract::{Path, State};
use gatewright_engine::{Choice, Part, StagedChange, Unit, UnitDecision};

use super::decide::{MOST_WORDS, earlier_comment};
use super::{as_seen, decided};
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
        let change = as_seen(app, id, &request.content)?;
        let part = Part::Unit { path: request.path.clone(), unit: request.unit.clone() };
        let said = match request.line {
            Some(index) => format!("{}: {}", place_of(&change, &request, index)?, request.text),
            None => request.text.clone(),
        };
        let words = match earlier_comment(&change, &part) {
            Some(earlier) => format!("{earlier}\n{said}"),
            None => said,
        };
        if words.len() > MOST_WORDS {
            return Err(Problem::bad_request("the comment is too long"));
        }
        let (choice, lines) = current(&change, &request);
        app.engine.decide(id, &part, Some(UnitDecision { choice, lines, comment: Some(words) }))?;
        decided(app, id)
    })
    .await
}

/// A comment alone turns a hunk down; one on a decided hunk leaves the decision.
fn current(change: &StagedChange, request: &CommentOn) -> (Choice, Option<Vec<usize>>) {
    let file = change.files.iter().find(|file| file.resolved.as_str() == request.path);
    let decision =
        file.and_then(|file| file.decisions.iter().find(|(known, _)| known.0 == request.unit));
    decision.map_or((Choice::Reject, None), |(_, d)| (d.choice, d.lines.clone()))
}

/// The line as the agent can find it: by its number in the proposal, or in the base.
fn place_of(change: &StagedChange, request: &CommentOn, index: usize) -> Result<String, Problem> {
    let file = change.files.iter().find(|file| file.resolved.as_str() == request.path);
    let hunk = file.and_then(|file| {
        file.units().into_iter().find_map(|unit| match unit {
            Unit::Hunk { id, hunk } if id.0 == request.unit => Some(hunk),
            _ => None,
        })
    });
    let gone = || Problem::bad_request("no such line; look at it again");
    let hunk = hunk.filter(|hunk| index < hunk.lines.len()).ok_or_else(gone)?;
    let (mut old, mut new) = (hunk.before_index(), hunk.after_index());
    for line in &hunk.lines[..index] {
        old += usize::from(line.kind.is_in_before());
        new += usize::from(line.kind.is_in_after());
    }
    match hunk.lines[index].kind.is_in_after() {
        true => Ok(format!("line {}", new + 1)),
        false => Ok(format!("old line {}", old + 1)),
    }
}
