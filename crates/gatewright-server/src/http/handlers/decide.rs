//! Accepts, rejects or takes back: a hunk, some of its lines, a file, everything.

use std::sync::Arc;

use axum::extract::{Path, State};
use gatewright_engine::{Choice, Part, StagedChange, UnitDecision};

use super::{as_seen, decided};
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode::{self, Body};
use crate::http::problem::Problem;
use crate::http::wire::{ChoiceWord, Decide, PartOf};

/// The longest comment.
pub const MOST_WORDS: usize = 4_000;

/// `POST /api/changes/{id}/decide`
pub async fn handle(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(request): Body<Decide>,
) -> Answer {
    app.answer_change(move |app| {
        let id = decode::id(&id)?;
        let change = as_seen(app, id, &request.content)?;
        let part = part(&request.part);
        let decision = decision(&change, &part, request)?;
        app.engine.decide(id, &part, decision)?;
        decided(app, id)
    })
    .await
}

fn part(part: &PartOf) -> Part {
    match part {
        PartOf::All => Part::All,
        PartOf::File { path } => Part::File(path.clone()),
        PartOf::Unit { path, unit } => Part::Unit { path: path.clone(), unit: unit.clone() },
    }
}

fn decision(
    change: &StagedChange,
    part: &Part,
    request: Decide,
) -> Result<Option<UnitDecision>, Problem> {
    let choice = match request.choice {
        ChoiceWord::Accept => Choice::Accept,
        ChoiceWord::Reject => Choice::Reject,
        ChoiceWord::Undecided => return Ok(None),
    };
    let is_of_lines = request.lines.is_some();
    if is_of_lines && !(choice == Choice::Accept && matches!(part, Part::Unit { .. })) {
        return Err(Problem::bad_request("lines belong to the acceptance of one hunk"));
    }
    if request.comment.as_ref().is_some_and(|comment| comment.len() > MOST_WORDS) {
        return Err(Problem::bad_request("the comment is too long"));
    }
    let comment = match request.comment {
        Some(comment) => Some(comment),
        None => earlier_comment(change, part),
    };
    Ok(Some(UnitDecision { choice, lines: request.lines, comment }))
}

/// Words that were said of a hunk stay when the decision changes.
pub fn earlier_comment(change: &StagedChange, part: &Part) -> Option<String> {
    let Part::Unit { path, unit } = part else { return None };
    let file = change.files.iter().find(|file| file.resolved.as_str() == path)?;
    let (_, decision) = file.decisions.iter().find(|(known, _)| known.0 == *unit)?;
    decision.comment.clone()
}
