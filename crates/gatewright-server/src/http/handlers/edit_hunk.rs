//! Replaces what a hunk leaves by the person's own text, and accepts it.
//!
//! The page shows hidden values as placeholders. A line that comes back as it
//! was shown gets its true text again; a placeholder on a line that was changed
//! is refused, so that a secret is never overwritten with its placeholder.

use std::sync::Arc;

use axum::extract::{Path, State};
use gatewright_engine::{StagedFile, Unit};
use gatewright_model::Hunk;

use super::{as_seen, whole_change};
use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode::{self, Body};
use crate::http::diff_view::Sides;
use crate::http::problem::Problem;
use crate::http::wire::{self, EditHunk};

const MARK: &str = "[REDACTED:";

/// `POST /api/changes/{id}/edit`
pub async fn handle(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(request): Body<EditHunk>,
) -> Answer {
    app.answer_change(move |app| {
        let id = decode::id(&id)?;
        let change = as_seen(app, id, &request.content)?;
        let file = change.files.iter().find(|file| file.resolved.as_str() == request.path);
        let found = file.and_then(|file| Some((file, hunk_of(file, &request.unit)?)));
        let (file, hunk) =
            found.ok_or_else(|| Problem::bad_request("no such hunk; look at it again"))?;
        let shown = Sides::new(&file.to_change(), app.drawing()).hunk(&hunk);
        let bytes = restore(&hunk, &shown, &request.text)?;
        app.engine.edit_hunk(id, &request.path, &request.unit, &bytes)?;
        whole_change(app, id)
    })
    .await
}

fn hunk_of(file: &StagedFile, unit: &str) -> Option<Hunk> {
    file.units().into_iter().find_map(|known| match known {
        Unit::Hunk { id, hunk } if id.0 == unit => Some(hunk),
        _ => None,
    })
}

/// The bytes that the person means, line endings and hidden values included.
fn restore(hunk: &Hunk, shown: &wire::Hunk, text: &str) -> Result<Vec<u8>, Problem> {
    let kept: Vec<(&str, &[u8])> = shown
        .lines
        .iter()
        .zip(&hunk.lines)
        .filter(|(_, line)| line.kind.is_in_after())
        .map(|(shown, line)| (shown.text.as_str(), line.text.as_slice()))
        .collect();
    let has_returns = kept.iter().any(|(_, bytes)| bytes.ends_with(b"\r\n"));
    let ending: &[u8] = if has_returns { b"\r\n" } else { b"\n" };
    let mut bytes = Vec::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let plain = line.trim_end_matches(['\n', '\r']);
        if plain.contains(MARK) {
            let original = kept.iter().find(|(shown, _)| *shown == plain);
            let (_, original) = original.ok_or_else(Problem::hidden_value)?;
            let end = original.trim_ascii_end().len();
            bytes.extend_from_slice(&original[..end]);
        } else {
            bytes.extend_from_slice(plain.as_bytes());
        }
        bytes.extend_from_slice(ending);
    }
    let ends_the_file = kept.last().is_some_and(|(_, bytes)| !bytes.ends_with(b"\n"));
    if ends_the_file && bytes.ends_with(ending) {
        bytes.truncate(bytes.len() - ending.len());
    }
    Ok(bytes)
}
