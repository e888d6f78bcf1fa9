//! Which tools of a foreign server write, to which paths, and what the guards say of it.
//!
//! Annotations are the server's own word: they can make a tool suspect, and
//! they cannot clear one whose name says that it writes.

use std::collections::BTreeMap;

use gatewright_engine::{Base, Checked, ChmodMode, Engine, EngineError, Operation, Request};
use gatewright_model::{
    Agent, Autonomy, Door, Mode, RequestedPath, Resolution, Severity, TargetKind, TextEdit, Verdict,
};
use serde_json::{Map, Value};

/// What a server said of its tools.
#[derive(Debug, Default)]
pub struct Tools {
    is_read_only: BTreeMap<String, bool>,
}

/// Why a call is not passed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The code of the rule.
    pub code: String,
    /// What and why.
    pub reason: String,
    /// What to do next.
    pub hint: Option<String>,
}

/// How the redactor's placeholders begin.
const PLACEHOLDER: &str = "[REDACTED:";
const WRITING: &[&str] = &[
    "write",
    "edit",
    "create",
    "delete",
    "move",
    "remove",
    "rename",
    "patch",
    "append",
    "save",
    "update",
    "replace",
    "insert",
    "mkdir",
    "copy",
    "put",
    "set",
    "modify",
    "unlink",
    "rm",
    "mv",
    "touch",
    "truncate",
    "overwrite",
    "apply",
    "refactor",
    "format",
];
const READING: &[&str] = &[
    "read", "get", "list", "search", "find", "view", "show", "stat", "info", "tree", "grep",
    "fetch", "query", "describe", "count", "exists", "diff", "log", "status",
];
const PATHS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "destination",
    "dest",
    "target",
    "source",
    "src",
    "uri",
    "dir",
    "directory",
    "folder",
    "to",
    "from",
];
const CONTENT: &[&str] = &["content", "contents", "text", "file_text", "data", "body"];
const OLD: &[&str] = &["old_string", "oldText", "old_text", "oldString", "old_str", "search"];
const NEW: &[&str] = &["new_string", "newText", "new_text", "newString", "new_str", "replace"];

impl Tools {
    /// Takes in the annotations of a tool list, where a message holds one.
    pub fn learn(&mut self, message: &Value) {
        let tools = message.pointer("/result/tools").and_then(Value::as_array);
        for tool in tools.into_iter().flatten() {
            let hint = tool.pointer("/annotations/readOnlyHint").and_then(Value::as_bool);
            if let (Some(name), Some(hint)) = (tool.get("name").and_then(Value::as_str), hint) {
                self.is_read_only.insert(name.to_owned(), hint);
            }
        }
    }

    /// The refusal of a call, if it is one that writes and may not.
    pub fn judge(&self, engine: &Engine, params: &Value) -> Option<Refusal> {
        let name = params.get("name").and_then(Value::as_str)?;
        let empty = Map::new();
        let arguments = params.get("arguments").and_then(Value::as_object).unwrap_or(&empty);
        let paths = paths_of(arguments);
        if paths.is_empty() || !self.is_writing(name) {
            return None;
        }
        let text = params.to_string();
        if text.contains(PLACEHOLDER) {
            return Some(placeholder());
        }
        match mode_refusal(engine) {
            None => check(engine, name, operations(engine, name, arguments, &paths)),
            refusal => refusal,
        }
    }

    /// Whether a tool writes, by its name and its annotations.
    pub fn is_writing(&self, name: &str) -> bool {
        let words = words(name);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        match self.is_read_only.get(name) {
            _ if has(WRITING) => true,
            Some(is_read_only) => !is_read_only,
            None => !has(READING),
        }
    }
}

/// The words of a name, whatever its case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        let starts_word = !c.is_alphanumeric() || (c.is_uppercase() && was_lower);
        if starts_word {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    words
}

fn is_path_key(key: &str) -> bool {
    let words = words(key);
    let is_plain = words.iter().any(|word| PATHS.contains(&word.as_str()));
    is_plain && !words.iter().any(|word| CONTENT.contains(&word.as_str()))
        || words.iter().any(|word| word.ends_with("path") || word.ends_with("filename"))
}

/// The paths in the arguments, with the keys that name them.
fn paths_of(arguments: &Map<String, Value>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (key, value) in arguments {
        collect(key, value, &mut found);
    }
    found
}

fn collect(key: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) if is_path_key(key) && !text.contains('\n') => {
            found.push((key.to_owned(), text.clone()));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(key, item, found)),
        Value::Object(fields) => fields.iter().for_each(|(key, item)| collect(key, item, found)),
        _ => {}
    }
}

/// A path of the workspace where it is one by its spelling; as it stands else.
fn requested(engine: &Engine, text: &str) -> RequestedPath {
    let path = text.strip_prefix("file://").unwrap_or(text);
    let root = engine.workspace().root().to_string_lossy().into_owned();
    match path.strip_prefix(&*root).and_then(|rest| rest.strip_prefix('/')) {
        Some(below) => RequestedPath::new(below),
        None => RequestedPath::new(path.strip_prefix("./").unwrap_or(path)),
    }
}

fn operations(
    engine: &Engine,
    name: &str,
    arguments: &Map<String, Value>,
    paths: &[(String, String)],
) -> Vec<Operation> {
    let words = words(name);
    let is = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let targets: Vec<RequestedPath> =
        paths.iter().map(|(_, text)| requested(engine, text)).collect();
    let base = Base::Current;
    if let [path] = &targets[..] {
        let path = path.clone();
        if let Some(content) = text_of(arguments, CONTENT) {
            let content = content.as_bytes().to_vec();
            return vec![Operation::Write { path, content, base }];
        }
        let edits = edits_of(arguments);
        if !edits.is_empty() {
            return vec![Operation::Edit { path, edits, base }];
        }
    }
    if is(&["delete", "remove", "unlink", "rm"]) && targets.iter().all(|path| is_file(engine, path))
    {
        return targets.into_iter().map(|path| Operation::Delete { path, base }).collect();
    }
    targets.iter().map(|path| touch(engine, path)).collect()
}

/// The smallest change at a path: the guards then speak of the path alone.
fn touch(engine: &Engine, path: &RequestedPath) -> Operation {
    let create =
        |path: RequestedPath| Operation::Create { path, content: Vec::new(), executable: false };
    match engine.workspace().facts(path).resolution {
        Resolution::Inside(target) if target.kind == TargetKind::Directory => {
            create(RequestedPath::new(format!("{path}/gatewright-proxy-probe")))
        }
        Resolution::Inside(target) if target.kind == TargetKind::Regular => {
            let is_executable = target.mode.is_some_and(|mode| mode.is_executable());
            let mode = ChmodMode::Executable(!is_executable);
            Operation::Chmod { path: path.clone(), mode }
        }
        _ => create(path.clone()),
    }
}

fn is_file(engine: &Engine, path: &RequestedPath) -> bool {
    let resolution = engine.workspace().facts(path).resolution;
    matches!(resolution, Resolution::Inside(target) if target.kind == TargetKind::Regular)
}

fn text_of<'a>(fields: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| fields.get(*key)?.as_str())
}

fn edits_of(arguments: &Map<String, Value>) -> Vec<TextEdit> {
    let one = |fields: &Map<String, Value>| {
        let (old, new) = (text_of(fields, OLD)?, text_of(fields, NEW)?);
        Some(TextEdit { old: old.to_owned(), new: new.to_owned(), replace_all: false })
    };
    match arguments.get("edits").and_then(Value::as_array) {
        Some(edits) => edits.iter().filter_map(|edit| one(edit.as_object()?)).collect(),
        None => one(arguments).into_iter().collect(),
    }
}

fn check(engine: &Engine, name: &str, operations: Vec<Operation>) -> Option<Refusal> {
    let agent = Agent { name: name.to_owned(), version: String::new(), door: Door::Proxy };
    let run_id = "proxy".to_owned();
    match engine.check(&Request { agent, run_id, autonomy: None, operations }) {
        Ok(checked) if checked.verdict < Verdict::Confirm => None,
        Ok(checked) => Some(of_findings(&checked)),
        Err(error) => Some(of_error(&error)),
    }
}

fn of_findings(checked: &Checked) -> Refusal {
    let heavy = |severity: Severity| {
        checked.findings.iter().find(move |finding| finding.severity == severity)
    };
    let asks = "a person has to confirm this one: propose it with the tools of gatewright";
    match (heavy(Severity::Refuse), checked.findings.first()) {
        (Some(finding), _) => Refusal {
            code: finding.code.clone(),
            reason: format!("{}: {} [{}]", finding.path, finding.message, finding.code),
            hint: finding.hint.clone(),
        },
        (None, Some(finding)) => Refusal {
            code: finding.code.clone(),
            reason: format!("{}: {} [{}]", finding.path, finding.message, finding.code),
            hint: Some(asks.to_owned()),
        },
        (None, None) => Refusal {
            code: "confirm".to_owned(),
            reason: "a person has to confirm this change".to_owned(),
            hint: Some(asks.to_owned()),
        },
    }
}

fn of_error(error: &EngineError) -> Refusal {
    Refusal { code: error.code().to_owned(), reason: error.to_string(), hint: error.hint() }
}

/// A foreign server writes by itself, so nothing can be staged: it may write where
/// nothing has to be.
fn mode_refusal(engine: &Engine) -> Option<Refusal> {
    let reason = match engine.autonomy() {
        Ok(autonomy) if autonomy.suggest_only => "this workspace takes suggestions only",
        Ok(Autonomy { mode: Mode::Autonomous, .. }) => return None,
        Ok(Autonomy { mode: Mode::Hybrid, .. }) => {
            "this workspace is in hybrid mode, and what this server writes cannot be reviewed first"
        }
        Ok(_) => "this workspace is in manual mode: tools may read and not write",
        Err(error) => return Some(of_error(&error)),
    };
    let hint = Some("propose the change with the tools of gatewright, for a person".to_owned());
    Some(Refusal { code: "mode".to_owned(), reason: reason.to_owned(), hint })
}

fn placeholder() -> Refusal {
    Refusal {
        code: "placeholder".to_owned(),
        reason: "the arguments hold a [REDACTED:…] placeholder: this server would write it over \
                 the hidden value"
            .to_owned(),
        hint: Some("edit with edit_file of gatewright, which keeps hidden values".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn writing_tools_are_known_by_name_and_by_annotation() {
        let mut tools = Tools::default();
        tools.learn(&json!({ "result": { "tools": [
            { "name": "write_file", "annotations": { "readOnlyHint": true } },
            { "name": "frobnicate", "annotations": { "readOnlyHint": false } },
            { "name": "glance", "annotations": { "readOnlyHint": true } },
        ] } }));
        for name in ["write_file", "frobnicate", "editFile", "unknown-thing", "moveFile"] {
            assert!(tools.is_writing(name), "{name}");
        }
        for name in ["glance", "read_file", "listDirectory", "search_files"] {
            assert!(!tools.is_writing(name), "{name}");
        }
    }

    #[test]
    fn paths_are_found_at_any_depth() {
        let arguments = json!({
            "filePath": "a", "destination": "b", "content": "c", "nested": [{ "new_path": "d" }],
            "paths": ["e", "f"], "count": 3, "title": "g",
        });
        let found = paths_of(arguments.as_object().unwrap());
        let mut texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        texts.sort();
        assert_eq!(texts, ["a", "b", "d", "e", "f"]);
    }
}
