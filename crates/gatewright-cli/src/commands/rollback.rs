//! `gatewright rollback`: take back what a receipt applied.

use gatewright_engine::{EngineError, UndoPreview};
use gatewright_model::{FileState, diff_hunks, unified_hunk};
use serde_json::json;

use super::{Context, outcome};
use crate::exit::{Exit, Failure};
use crate::output::{Output, harmless};
use crate::person;
use crate::render::diff;

/// Take back what a receipt applied.
///
/// Only files that are still as the receipt left them are touched; a later
/// edit of yours is a conflict and stops the whole rollback.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The receipt: its number, or a unique beginning of its id [default: the last applied]
    receipt: Option<String>,

    /// Show what would be written, and conflicts in three versions; write nothing
    #[arg(long)]
    show: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let receipt = match arguments.receipt {
        Some(receipt) => receipt,
        None => engine
            .last_applied()?
            .map(|receipt| receipt.body.receipt_id)
            .ok_or_else(|| Failure::from(EngineError::NothingApplied))?,
    };
    if arguments.show {
        let preview = engine.undo_preview(&receipt)?;
        return Ok(show(&preview, context.output));
    }
    person::require(context.environment, "taking back a change")?;
    let result = engine.rollback(&receipt, &context.environment.user())?;
    Ok(outcome::print(&result, context.output))
}

fn show(preview: &UndoPreview, output: &mut Output) -> Exit {
    let content = |state: &Option<FileState>| {
        state.as_ref().map(|state| state.content.to_vec()).unwrap_or_default()
    };
    let mut text = format!("undoing receipt {}\n", preview.receipt.seq);
    let mut files = Vec::new();
    for change in &preview.change_set.changes {
        let hunks = diff_hunks(&content(&change.before), &content(&change.after));
        text.push_str(&format!("\n{}\n", harmless(change.requested.as_str())));
        text.extend(hunks.iter().map(|hunk| diff::hunk_text(hunk, output)));
        let unified: Vec<String> = hunks.iter().map(unified_hunk).collect();
        files.push(json!({ "path": change.requested, "hunks": unified }));
    }
    let mut conflicts = Vec::new();
    for conflict in &preview.conflicts {
        let left = content(&conflict.left_by_apply);
        let since = diff_hunks(&left, &content(&conflict.now));
        let undo = diff_hunks(&left, &content(&conflict.restores));
        let path = harmless(conflict.path.as_str());
        text.push_str(&format!("\nconflict: {path} was changed since. Changed since:\n"));
        text.extend(since.iter().map(|hunk| diff::hunk_text(hunk, output)));
        text.push_str("Undo would do:\n");
        text.extend(undo.iter().map(|hunk| diff::hunk_text(hunk, output)));
        conflicts.push(json!({
            "path": conflict.path,
            "changed_since": since.iter().map(unified_hunk).collect::<Vec<_>>(),
            "undo": undo.iter().map(unified_hunk).collect::<Vec<_>>(),
        }));
    }
    let json = json!({
        "receipt_id": preview.receipt.body.receipt_id, "files": files, "conflicts": conflicts,
    });
    output.emit(&json, &text);
    if preview.conflicts.is_empty() { Exit::Clean } else { Exit::Findings }
}
