//! The JSON form of a change set. Unknown fields are refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gatewright_model::{Digest, RequestedPath, TextEdit};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::EngineError;
use crate::request::{Base, ChmodMode, Operation};

/// The whole request.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct JsonRequest {
    /// What to do, in order, all or nothing.
    changes: Vec<JsonChange>,
}

/// One change. `base` is the digest that the change was made against, or null for no file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
enum JsonChange {
    /// Make a new file.
    Create {
        path: String,
        content: Option<String>,
        content_base64: Option<String>,
        #[serde(default)]
        executable: bool,
    },
    /// Give a file this content.
    Write {
        path: String,
        content: Option<String>,
        content_base64: Option<String>,
        #[serde(default, deserialize_with = "base_field")]
        #[schemars(with = "Option<String>")]
        base: Base,
    },
    /// Replace text.
    Edit {
        path: String,
        edits: Vec<JsonEdit>,
        #[serde(default, deserialize_with = "base_field")]
        #[schemars(with = "Option<String>")]
        base: Base,
    },
    /// Remove a file.
    Delete {
        path: String,
        #[serde(default, deserialize_with = "base_field")]
        #[schemars(with = "Option<String>")]
        base: Base,
    },
    /// Give a file another name.
    Rename {
        from: String,
        to: String,
        #[serde(default, deserialize_with = "base_field")]
        #[schemars(with = "Option<String>")]
        base: Base,
    },
    /// Change whether a file is executable, or its octal mode.
    Chmod { path: String, executable: Option<bool>, mode: Option<String> },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct JsonEdit {
    #[serde(alias = "old_string")]
    old: String,
    #[serde(alias = "new_string")]
    new: String,
    #[serde(default)]
    replace_all: bool,
}

/// An absent `base` is whatever is there now; null is no file.
fn base_field<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Base, D::Error> {
    let digest = Option::<Digest>::deserialize(deserializer)?;
    Ok(digest.map_or(Base::Absent, Base::Digest))
}

/// Reads the JSON form.
pub fn parse_json(bytes: &[u8]) -> Result<Vec<Operation>, EngineError> {
    let request: JsonRequest = serde_json::from_slice(bytes)
        .map_err(|error| EngineError::Json { message: error.to_string() })?;
    request.changes.into_iter().map(operation).collect()
}

/// The JSON Schema of the form.
pub fn json_schema() -> serde_json::Value {
    schemars::schema_for!(JsonRequest).to_value()
}

fn operation(change: JsonChange) -> Result<Operation, EngineError> {
    let path = |text: String| RequestedPath::new(text);
    Ok(match change {
        JsonChange::Create { path: text, content, content_base64, executable } => {
            let content = bytes(&text, content, content_base64)?;
            Operation::Create { path: path(text), content, executable }
        }
        JsonChange::Write { path: text, content, content_base64, base } => {
            let content = bytes(&text, content, content_base64)?;
            Operation::Write { path: path(text), content, base }
        }
        JsonChange::Edit { path: text, edits, base } => {
            let edits = edits.into_iter().map(|edit| TextEdit {
                old: edit.old,
                new: edit.new,
                replace_all: edit.replace_all,
            });
            Operation::Edit { path: path(text), edits: edits.collect(), base }
        }
        JsonChange::Delete { path: text, base } => Operation::Delete { path: path(text), base },
        JsonChange::Rename { from, to, base } => {
            Operation::Rename { from: path(from), to: path(to), base }
        }
        JsonChange::Chmod { path: text, executable, mode } => {
            let mode = chmod_mode(&text, executable, mode)?;
            Operation::Chmod { path: path(text), mode }
        }
    })
}

fn bytes(
    path: &str,
    content: Option<String>,
    content_base64: Option<String>,
) -> Result<Vec<u8>, EngineError> {
    let bad = |message: String| EngineError::Json { message };
    match (content, content_base64) {
        (Some(text), None) => Ok(text.into_bytes()),
        (None, Some(text)) => STANDARD
            .decode(text)
            .map_err(|error| bad(format!("content_base64 of {path:?}: {error}"))),
        _ => Err(bad(format!("{path:?} needs either content or content_base64"))),
    }
}

fn chmod_mode(
    path: &str,
    executable: Option<bool>,
    mode: Option<String>,
) -> Result<ChmodMode, EngineError> {
    let bad = |message: String| EngineError::Json { message };
    match (executable, mode) {
        (Some(executable), None) => Ok(ChmodMode::Executable(executable)),
        (None, Some(text)) => u32::from_str_radix(&text, 8)
            .ok()
            .filter(|bits| *bits <= 0o7777)
            .map(ChmodMode::Bits)
            .ok_or_else(|| bad(format!("mode of {path:?}: {text:?} is not an octal mode"))),
        _ => Err(bad(format!("{path:?} needs either executable or mode"))),
    }
}
