//! What a tool call would do, read from the tool's own input.

use gatewright_engine::{Base, Engine, Operation, intake};
use gatewright_model::{RequestedPath, TextEdit};
use serde_json::Value;

use super::appended::{self, Side};
use super::call_place::CallPlace;
use super::event::{Event, text};
use super::notebook;
use super::paths::Place;
use super::search_replace;
use super::tool_kind::{Kind, PATH};

/// What a call would do.
pub enum ToolCall {
    /// Nothing that is guarded here.
    Neutral,
    /// Change files.
    Change(Change),
    /// Run a command.
    Shell(String),
    /// It would write, but its input makes no sense.
    Unreadable(String),
}

/// A change that a tool would make.
#[derive(Debug, Clone)]
pub struct Change {
    /// What it does.
    pub operations: Vec<Operation>,
    /// The input's field that carries the whole new content, and the file, where it does.
    pub whole: Option<(&'static str, RequestedPath)>,
}

impl Change {
    /// The files that it names.
    pub fn paths(&self) -> Vec<RequestedPath> {
        self.operations.iter().flat_map(paths_of_one).cloned().collect()
    }
}

/// The files that an operation names.
pub fn paths_of_one(operation: &Operation) -> Vec<&RequestedPath> {
    match operation {
        Operation::Create { path, .. }
        | Operation::Write { path, .. }
        | Operation::Edit { path, .. }
        | Operation::Symbol { path, .. }
        | Operation::Delete { path, .. }
        | Operation::Chmod { path, .. } => vec![path],
        Operation::Patch { path, rename_to, .. } => {
            std::iter::once(path).chain(rename_to).collect()
        }
        Operation::Rename { from, to, .. } => vec![from, to],
    }
}

/// Reads a call.
pub fn read(engine: &Engine, event: &Event, call: &CallPlace) -> ToolCall {
    let (input, place) = (&event.input, &call.place);
    let change = match Kind::of(event, call) {
        Kind::Neutral => return ToolCall::Neutral,
        Kind::Shell => return shell(input),
        Kind::Typed => return typed(input),
        Kind::StrReplace if text(input, &["command"]).as_deref() == Some("view") => {
            return ToolCall::Neutral;
        }
        Kind::Opaque => Err("what it would write cannot be known from its input".to_owned()),
        Kind::Write => write(input, place).map(|change| match Side::of(&event.tool) {
            Some(side) => added(engine, side, change),
            None => change,
        }),
        Kind::Edit => edit(input, place),
        Kind::StrReplace => str_replace(engine, input, place),
        Kind::Notebook => notebook_edit(engine, input, place),
        Kind::Patch => patch(input, place),
        Kind::Delete => {
            path_of(input, place).map(|path| plain(Operation::Delete { path, base: Base::Current }))
        }
        Kind::Move => rename(input, place),
    };
    match change {
        Ok(change) => ToolCall::Change(change),
        Err(reason) => {
            let tool = if event.tool.is_empty() { "this tool" } else { &event.tool };
            ToolCall::Unreadable(format!(
                "{tool} was not run, because its input could not be judged: {reason}. \
                 Next: use a tool that names the file and the text, such as the gatewright tools."
            ))
        }
    }
}

pub const OLD: &[&str] =
    &["old_string", "oldString", "old_str", "oldStr", "old_text", "oldText", "TargetContent"];
pub const NEW: &[&str] =
    &["new_string", "newString", "new_str", "newStr", "new_text", "newText", "ReplacementContent"];
pub const ALL: &[&str] = &["replace_all", "replaceAll", "allow_multiple", "allowMultiple"];
pub const CONTENT: &[&str] = &[
    "content",
    "contents",
    "file_text",
    "fileText",
    "new_content",
    "newContent",
    "text",
    "CodeContent",
];
pub const PATCH: &[&str] = &["command", "input", "patch", "patchText", "patch_text", "diff"];

/// A change that adds its text to a file, as the whole file that it makes.
fn added(engine: &Engine, side: Side, change: Change) -> Change {
    let operations = change.operations.into_iter();
    let operations = operations.map(|operation| appended::whole(engine, side, operation));
    Change { operations: operations.collect(), whole: None }
}

fn plain(operation: Operation) -> Change {
    Change { operations: vec![operation], whole: None }
}

/// The file that an input names, as it is spelt.
pub fn path_text(input: &Value) -> Option<String> {
    text(input, PATH)
}

/// The one field of these that is there. A tool takes one of them, and an input that says
/// something else in another would be judged by the wrong one.
fn one_of(input: &Value, keys: &[&'static str]) -> Result<Option<(&'static str, String)>, String> {
    let found = keys.iter().filter_map(|key| Some((*key, input.get(*key)?)));
    let mut found = found.filter(|(_, value)| !value.is_null());
    let Some((key, first)) = found.next() else { return Ok(None) };
    if let Some((other, _)) = found.find(|(_, value)| *value != first) {
        return Err(format!("its fields {key} and {other} say different things"));
    }
    match first {
        Value::String(text) => Ok(Some((key, text.clone()))),
        _ => Err(format!("its field {key} is no text")),
    }
}

fn path_of(input: &Value, place: &Place) -> Result<RequestedPath, String> {
    let (_, path) = one_of(input, PATH)?.ok_or("it names no file")?;
    place.named(&path)
}

fn write(input: &Value, place: &Place) -> Result<Change, String> {
    let path = path_of(input, place)?;
    let Some((field, content)) = one_of(input, CONTENT)? else {
        // Some hosts give every tool that writes one name, and an edit is known by its fields.
        let is_edit = OLD.iter().any(|key| input.get(*key).is_some());
        let has_edits = ["edits", "replacements"].iter().any(|key| input.get(*key).is_some());
        let edits = (is_edit || has_edits).then(|| edit(input, place));
        return edits.unwrap_or_else(|| Err("it gives no content".to_owned()));
    };
    let content = content.into_bytes();
    let whole = Some((field, path.clone()));
    Ok(Change { operations: vec![Operation::Write { path, content, base: Base::Current }], whole })
}

fn edit(input: &Value, place: &Place) -> Result<Change, String> {
    let parts = input.get("edits").or_else(|| input.get("replacements"));
    if parts.is_some() && OLD.iter().chain(NEW).any(|key| input.get(*key).is_some()) {
        return Err("it holds a list of edits and an edit beside it".to_owned());
    }
    let Some(parts) = parts else {
        let path = path_of(input, place)?;
        if let Some(diff) = text(input, &["diff"]) {
            let edits = search_replace::edits(&diff)?;
            return Ok(plain(Operation::Edit { path, edits, base: Base::Current }));
        }
        return Ok(edit_or_create(path, vec![one_edit(input)?]));
    };
    let parts = parts.as_array().ok_or("its edits are no list")?;
    let mut operations: Vec<Operation> = Vec::new();
    for part in parts {
        // Some hosts name the file in every part.
        let names_file = PATH.iter().any(|key| part.get(*key).is_some());
        let path = path_of(if names_file { part } else { input }, place)?;
        let next = one_edit(part)?;
        match operations.last_mut() {
            Some(Operation::Edit { path: last, edits, .. }) if *last == path => edits.push(next),
            _ => operations.extend(edit_or_create(path, vec![next]).operations),
        }
    }
    Ok(Change { operations, whole: None })
}

/// An edit of nothing is how hosts create a file.
fn edit_or_create(path: RequestedPath, edits: Vec<TextEdit>) -> Change {
    match edits.as_slice() {
        [only] if only.old.is_empty() => {
            let content = only.new.clone().into_bytes();
            plain(Operation::Write { path, content, base: Base::Current })
        }
        _ => plain(Operation::Edit { path, edits, base: Base::Current }),
    }
}

fn one_edit(part: &Value) -> Result<TextEdit, String> {
    let (_, old) = one_of(part, OLD)?.ok_or("it does not say which text to replace")?;
    let (_, new) = one_of(part, NEW)?.ok_or("it gives no new text")?;
    let says_all = ALL.iter().any(|key| part.get(*key) == Some(&Value::Bool(true)));
    let several = part.get("expected_replacements").and_then(Value::as_u64);
    Ok(TextEdit { old, new, replace_all: says_all || several.is_some_and(|count| count > 1) })
}

/// The editor with sub-commands.
fn str_replace(engine: &Engine, input: &Value, place: &Place) -> Result<Change, String> {
    let path = path_of(input, place)?;
    match text(input, &["command"]).as_deref() {
        Some("create") => write(input, place),
        Some("str_replace") => {
            let new = one_of(input, NEW)?.map(|(_, new)| new).unwrap_or_default();
            let (_, old) = one_of(input, OLD)?.ok_or("it does not say which text to replace")?;
            Ok(edit_or_create(path, vec![TextEdit { old, new, replace_all: false }]))
        }
        Some("insert") => {
            let line = input.get("insert_line").and_then(Value::as_u64);
            let line = line.and_then(|line| usize::try_from(line).ok()).ok_or("no insert_line")?;
            let added = text(input, &["insert_text", "new_str"]).ok_or("it gives no text")?;
            let before = notebook::text_on_disk(engine, &path).ok_or("the file cannot be read")?;
            let at: usize = before.split_inclusive('\n').take(line).map(str::len).sum();
            let content = format!("{}{added}{}", &before[..at], &before[at..]).into_bytes();
            Ok(plain(Operation::Write { path, content, base: Base::Current }))
        }
        Some(other) => Err(format!("the command {other:?} is not known")),
        None => edit(input, place),
    }
}

fn notebook_edit(engine: &Engine, input: &Value, place: &Place) -> Result<Change, String> {
    let path = path_of(input, place)?;
    let before = notebook::text_on_disk(engine, &path).ok_or("the notebook cannot be read")?;
    let content = notebook::edited(&before, input)?.into_bytes();
    Ok(plain(Operation::Write { path, content, base: Base::Current }))
}

fn rename(input: &Value, place: &Place) -> Result<Change, String> {
    let from = text(input, &["from", "source", "old_path", "oldPath", "source_path"]);
    let to = text(input, &["to", "destination", "new_path", "newPath", "destination_path"]);
    let (from, to) = (from.ok_or("it names no source")?, to.ok_or("it names no target")?);
    let (from, to) = (place.named(&from)?, place.named(&to)?);
    Ok(plain(Operation::Rename { from, to, base: Base::Current }))
}

fn patch(input: &Value, place: &Place) -> Result<Change, String> {
    let given = match input {
        Value::String(text) => Some(text.clone()),
        _ => PATCH.iter().find_map(|key| match input.get(*key)? {
            Value::String(text) => Some(text.clone()),
            Value::Array(words) => words.last()?.as_str().map(str::to_owned),
            _ => None,
        }),
    };
    patch_text(&given.ok_or("it holds no patch")?, place)
}

/// The change of a patch text.
pub fn patch_text(patch: &str, place: &Place) -> Result<Change, String> {
    let patch = match patch.find("*** Begin Patch") {
        Some(start) => &patch[start..],
        None => patch,
    };
    let operations = intake::parse_patch(patch.as_bytes()).map_err(|error| error.to_string())?;
    let operations = operations.into_iter().map(|operation| moved(operation, place)).collect();
    Ok(Change { operations, whole: None })
}

/// The operation with its paths as seen from where the agent stands.
fn moved(mut operation: Operation, place: &Place) -> Operation {
    let at = |path: &RequestedPath| place.requested(path.as_str());
    match &mut operation {
        Operation::Create { path, .. }
        | Operation::Write { path, .. }
        | Operation::Edit { path, .. }
        | Operation::Symbol { path, .. }
        | Operation::Delete { path, .. }
        | Operation::Chmod { path, .. } => *path = at(path),
        Operation::Patch { path, rename_to, .. } => {
            *path = at(path);
            *rename_to = rename_to.as_ref().map(at);
        }
        Operation::Rename { from, to, .. } => {
            *from = at(from);
            *to = at(to);
        }
    }
    operation
}

/// The fields that hold a command.
pub const COMMAND: &[&str] =
    &["command", "cmd", "command_line", "commandLine", "CommandLine", "script"];

/// What is typed into a shell that runs already: text for it is a command.
fn typed(input: &Value) -> ToolCall {
    match text(input, &["chars", "input", "text", "keys", "data"]).filter(|t| !t.is_empty()) {
        Some(typed) => ToolCall::Shell(typed),
        // Without text it only waits for more output.
        None => ToolCall::Neutral,
    }
}

fn shell(input: &Value) -> ToolCall {
    let command = COMMAND.iter().find_map(|key| match input.get(*key)? {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            words.map(|words| super::shell::quoted(&words))
        }
        _ => None,
    });
    match command {
        Some(command) => ToolCall::Shell(command),
        None => ToolCall::Unreadable("the command was not run: it cannot be read".to_owned()),
    }
}
