//! The tools that change files: each builds one operation and proposes it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gatewright_engine::{Base, EngineError, ErrorKind, Operation};
use gatewright_model::{RequestedPath, TextEdit};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Call, Effect, Tool, base_of};
use crate::mcp::answer::{Answer, ChangeAnswer, of_outcome};

fn propose(call: &Call, operation: Operation) -> Result<Answer<ChangeAnswer>, EngineError> {
    let outcome = call.engine.propose(call.request(vec![operation]))?;
    Ok(of_outcome(&outcome))
}

/// How often an edit is made anew on a file that others write at the same time.
const TRIES: u32 = 200;

pub struct EditFile;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditInput {
    pub path: Option<String>,
    /// Exact text to replace
    pub old_string: Option<String>,
    pub new_string: Option<String>,
    #[serde(default)]
    pub replace_all: bool,
    /// Several edits instead, all or none; may name paths
    pub edits: Option<Vec<EditPart>>,
    /// Digest from read_file
    pub expect: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditPart {
    path: Option<String>,
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

impl From<EditPart> for TextEdit {
    fn from(part: EditPart) -> Self {
        TextEdit { old: part.old_string, new: part.new_string, replace_all: part.replace_all }
    }
}

impl Tool for EditFile {
    const NAME: &'static str = "edit_file";
    const TITLE: &'static str = "Edit a file";
    const DESCRIPTION: &'static str = "Replace exact text: old_string and new_string, or edits[] \
        for several at once, in one or more files. old_string must occur once, unless \
        replace_all. Replacing whole definitions is refused, with the call to make instead.";
    const EFFECT: Effect = Effect::Changes;
    type Input = EditInput;
    type Output = ChangeAnswer;

    fn run(call: &Call, input: EditInput) -> Result<Answer<ChangeAnswer>, EngineError> {
        let may_repeat = input.expect.is_none();
        let request = call.request(edit_operations(input)?);
        let mut tries = if may_repeat { TRIES } else { 1 };
        let outcome = loop {
            tries -= 1;
            match call.engine.propose(request.clone()) {
                // Somebody else wrote in between, and the caller named no base: the edit is
                // made on what is there now, where its text must be found again.
                Err(error) if error.kind() == ErrorKind::Stale && tries > 0 => {}
                outcome => break outcome?,
            }
        };
        Ok(of_outcome(&outcome))
    }
}

/// One operation for each run of edits of one file; together they are one change set.
pub fn edit_operations(input: EditInput) -> Result<Vec<Operation>, EngineError> {
    let expect = base_of(input.expect.as_deref())?;
    let bad = |message: &str| EngineError::Json { message: message.to_owned() };
    let parts = input.edits.unwrap_or_default();
    let names_others = parts.iter().any(|part| part.path.is_some());
    if names_others && input.expect.is_some() {
        return Err(bad("expect is for one file; leave it out when edits name paths"));
    }
    if !names_others {
        let path = RequestedPath::new(input.path.ok_or_else(|| bad("give a path"))?);
        let parts = (!parts.is_empty()).then_some(parts);
        let edits = edits_of(input.old_string, input.new_string, input.replace_all, parts)?;
        return Ok(vec![Operation::Edit { path, edits, base: expect }]);
    }
    if input.old_string.is_some() || input.new_string.is_some() {
        return Err(bad("give either old_string and new_string, or edits"));
    }
    let mut operations: Vec<Operation> = Vec::new();
    for part in parts {
        let path = part.path.clone().or_else(|| input.path.clone());
        let path = RequestedPath::new(path.ok_or_else(|| bad("an edit names no path"))?);
        match operations.last_mut() {
            Some(Operation::Edit { path: last, edits, .. }) if *last == path => {
                edits.push(part.into());
            }
            _ => operations.push(Operation::Edit {
                path,
                edits: vec![part.into()],
                base: Base::Current,
            }),
        }
    }
    Ok(operations)
}

/// The edits of either form.
fn edits_of(
    old: Option<String>,
    new: Option<String>,
    replace_all: bool,
    edits: Option<Vec<EditPart>>,
) -> Result<Vec<TextEdit>, EngineError> {
    match (old, new, edits) {
        (Some(old), Some(new), None) => Ok(vec![TextEdit { old, new, replace_all }]),
        (None, None, Some(edits)) => Ok(edits.into_iter().map(TextEdit::from).collect()),
        _ => Err(EngineError::Json {
            message: "give either old_string and new_string, or edits".to_owned(),
        }),
    }
}

pub struct WriteFile;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteInput {
    path: Option<String>,
    content: Option<String>,
    /// For text that is not UTF-8
    content_base64: Option<String>,
    /// Digest from read_file, or "absent" for a new file
    expect: Option<String>,
    /// Several files instead, all or none
    files: Option<Vec<WritePart>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WritePart {
    path: String,
    content: Option<String>,
    content_base64: Option<String>,
    expect: Option<String>,
}

impl WriteInput {
    /// The files of either form.
    fn into_parts(self) -> Result<Vec<WritePart>, EngineError> {
        let Self { path, content, content_base64, expect, files } = self;
        match (path, files) {
            (Some(path), None) => Ok(vec![WritePart { path, content, content_base64, expect }]),
            (None, Some(files)) if content.is_none() && content_base64.is_none() => Ok(files),
            _ => {
                Err(EngineError::Json { message: "give either path and content, or files".into() })
            }
        }
    }
}

impl Tool for WriteFile {
    const NAME: &'static str = "write_file";
    const TITLE: &'static str = "Write a whole file";
    const DESCRIPTION: &'static str = "Create a file or replace all of it: content or \
        content_base64; or files[] for several at once. Give each file whole; a text that leaves \
        parts out is refused.";
    const EFFECT: Effect = Effect::Sets;
    type Input = WriteInput;
    type Output = ChangeAnswer;

    fn run(call: &Call, input: WriteInput) -> Result<Answer<ChangeAnswer>, EngineError> {
        let mut operations = Vec::new();
        for part in input.into_parts()? {
            let base = base_of(part.expect.as_deref())?;
            let content = content_of(part.content, part.content_base64)?;
            operations.push(Operation::Write {
                path: RequestedPath::new(part.path),
                content,
                base,
            });
        }
        let outcome = call.engine.propose(call.request(operations))?;
        Ok(of_outcome(&outcome))
    }
}

/// The bytes of either form.
pub fn content_of(text: Option<String>, base64: Option<String>) -> Result<Vec<u8>, EngineError> {
    let bad = |message: String| EngineError::Json { message };
    match (text, base64) {
        (Some(text), None) => Ok(text.into_bytes()),
        (None, Some(text)) => {
            STANDARD.decode(text).map_err(|error| bad(format!("content_base64: {error}")))
        }
        _ => Err(bad("give either content or content_base64".to_owned())),
    }
}

pub struct DeleteFile;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteInput {
    path: String,
    /// Digest from read_file
    expect: Option<String>,
}

impl Tool for DeleteFile {
    const NAME: &'static str = "delete_file";
    const TITLE: &'static str = "Delete a file";
    const DESCRIPTION: &'static str = "Remove one file. It can be undone from its receipt.";
    const EFFECT: Effect = Effect::Sets;
    type Input = DeleteInput;
    type Output = ChangeAnswer;

    fn run(call: &Call, input: DeleteInput) -> Result<Answer<ChangeAnswer>, EngineError> {
        let base = base_of(input.expect.as_deref())?;
        propose(call, Operation::Delete { path: RequestedPath::new(input.path), base })
    }
}

pub struct MoveFile;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveInput {
    from: String,
    to: String,
    /// Digest from read_file
    expect: Option<String>,
}

impl Tool for MoveFile {
    const NAME: &'static str = "move_file";
    const TITLE: &'static str = "Move or rename a file";
    const DESCRIPTION: &'static str = "Give a file another path. Never overwrites.";
    const EFFECT: Effect = Effect::Changes;
    type Input = MoveInput;
    type Output = ChangeAnswer;

    fn run(call: &Call, input: MoveInput) -> Result<Answer<ChangeAnswer>, EngineError> {
        let base = base_of(input.expect.as_deref())?;
        let (from, to) = (RequestedPath::new(input.from), RequestedPath::new(input.to));
        propose(call, Operation::Rename { from, to, base })
    }
}
