//! Patches to operations: unified diffs and the `*** Begin Patch` form.

use gatewright_model::RequestedPath;
use gatewright_model::patch::{
    PatchForm, PatchOperation, detect, parse_begin_patch, parse_unified,
};

use crate::{Base, EngineError, Operation};

/// Reads a patch in either form.
pub fn parse_patch(bytes: &[u8]) -> Result<Vec<Operation>, EngineError> {
    let operations = match detect(bytes) {
        Some(PatchForm::BeginPatch) => {
            let text = std::str::from_utf8(bytes)
                .map_err(|error| EngineError::Json { message: format!("not UTF-8: {error}") })?;
            parse_begin_patch(text)?
        }
        Some(PatchForm::Unified) | None => parse_unified(bytes)?,
    };
    if operations.is_empty() {
        return Err(EngineError::Empty);
    }
    Ok(operations.into_iter().flat_map(operation).collect())
}

fn operation(operation: PatchOperation) -> Vec<Operation> {
    let path = |text: String| RequestedPath::new(text);
    match operation {
        PatchOperation::Create { path: text, content, executable } => {
            vec![Operation::Create { path: path(text), content, executable }]
        }
        PatchOperation::Delete { path: text, hunks } if hunks.is_empty() => {
            vec![Operation::Delete { path: path(text), base: Base::Current }]
        }
        // The patch says what the file held: the hunks must fit before it goes.
        PatchOperation::Delete { path: text, hunks } => vec![
            Operation::Patch {
                path: path(text.clone()),
                rename_to: None,
                keep_source: false,
                hunks,
                executable: None,
            },
            Operation::Delete { path: path(text), base: Base::Current },
        ],
        PatchOperation::Update { path: text, rename_to, copy_from, hunks, executable } => {
            let (source, target, keep_source) = match (copy_from, rename_to) {
                (Some(source), _) => (source, Some(text), true),
                (None, target) => (text, target, false),
            };
            vec![Operation::Patch {
                path: path(source),
                rename_to: target.map(path),
                keep_source,
                hunks,
                executable,
            }]
        }
    }
}
