//! Which tools of a foreign server write, to which paths, and what the guards say of it.
//!
//! Annotations are the server's own word: they can make a tool suspect, and
//! they cannot clear one whose name says that it writes.

use std::collections::{BTreeMap, BTreeSet};

use gatewright_engine::{Base, Checked, ChmodMode, Engine, EngineError, Operation, Request};
use gatewright_model::{
    Agent, Autonomy, Door, Mode, RequestedPath, Resolution, Severity, TargetKind, Verdict,
};
use serde_json::{Map, Value};

use crate::hooks::appended::{self, Side};
use crate::hooks::call_place::{may_name_folder, named_folder};
use crate::hooks::paths::Place;

use super::arguments::{content_of, edits_of, paths_of, words};

/// What a server said of its tools.
#[derive(Debug, Default)]
pub struct Tools {
    rules: Rules,
    is_read_only: BTreeMap<String, bool>,
    /// Those whose `mode` may be to append.
    appending: BTreeSet<String>,
}

/// What the user says of a server's tools. It can make the guards stricter and no laxer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Tools that write, whatever their names and annotations say.
    pub writing_tools: Vec<String>,
    /// Arguments that hold a path, whatever their names.
    pub path_arguments: Vec<String>,
}

/// A call that writes.
struct Write {
    tool: String,
    paths: Vec<String>,
    operations: Vec<Operation>,
    /// What it does if the server does not know the field that names a folder.
    otherwise: Vec<Operation>,
    /// Whether the operations say all that is written, and not only where.
    is_known: bool,
}

impl Write {
    fn request(&self) -> Request {
        self.request_of(self.operations.clone())
    }

    fn request_of(&self, operations: Vec<Operation>) -> Request {
        let name = format!("proxied {}", self.tool);
        let agent = Agent { name, version: String::new(), door: Door::Proxy };
        Request { agent, run_id: "proxy".to_owned(), autonomy: None, operations }
    }
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
impl Tools {
    /// Nothing is known of them but the user's word.
    pub fn new(rules: Rules) -> Self {
        Self { rules, ..Self::default() }
    }

    /// Takes in the annotations of a tool list, where a message holds one.
    pub fn learn(&mut self, message: &Value) {
        let tools = message.pointer("/result/tools").and_then(Value::as_array);
        for tool in tools.into_iter().flatten() {
            let modes = tool.pointer("/inputSchema/properties/mode/enum").and_then(Value::as_array);
            let mut modes = modes.into_iter().flatten().filter_map(Value::as_str);
            let name = tool.get("name").and_then(Value::as_str);
            if let Some(name) = name.filter(|_| modes.any(|mode| Side::of(mode).is_some())) {
                self.appending.insert(name.to_owned());
            }
            let hint = tool.pointer("/annotations/readOnlyHint").and_then(Value::as_bool);
            if let (Some(name), Some(hint)) = (name, hint) {
                self.is_read_only.insert(name.to_owned(), hint);
            }
        }
    }

    /// The refusal of a call, if it is one that writes and may not. Either way it is recorded.
    pub fn judge(&self, engine: &Engine, params: &Value) -> Option<Refusal> {
        let write = self.write_of(engine, params)?;
        let refusal = refusal_of(engine, params, &write);
        let recorded = match &refusal {
            Some(refusal) => {
                let note = format!("{}: not passed on to the server", refusal.reason);
                engine.record_refused(write.request(), note).map(drop)
            }
            None if write.is_known => record_allowed(engine, &write),
            None => {
                let note = format!("passed on: {} ({})", write.tool, write.paths.join(", "));
                engine.record_passed(write.request(), note).map(drop)
            }
        };
        // What cannot be recorded is not passed on.
        refusal.or_else(|| recorded.err().as_ref().map(of_error))
    }

    /// What a call would write; `None` for one that only reads, or writes nothing here.
    fn write_of(&self, engine: &Engine, params: &Value) -> Option<Write> {
        let tool = params.get("name").and_then(Value::as_str)?;
        let empty = Map::new();
        let arguments = params.get("arguments").and_then(Value::as_object).unwrap_or(&empty);
        let as_given = paths_of(arguments, &self.rules.path_arguments);
        let below = self.paths_below(engine, arguments);
        let otherwise = if below.is_some() { as_given.clone() } else { Vec::new() };
        let paths = below.unwrap_or(as_given);
        let is_named = self.rules.writing_tools.iter().any(|name| name == tool);
        if !is_named && (paths.is_empty() || !self.is_writing(tool)) {
            return None;
        }
        let side = self.side(tool, arguments);
        let whole = |(operations, is_known): (Vec<Operation>, bool)| match side {
            Some(side) => {
                let whole = |operation| appended::whole(engine, side, operation);
                (operations.into_iter().map(whole).collect(), is_known)
            }
            None => (operations, is_known),
        };
        let (done, is_known) = whole(operations(engine, tool, arguments, &paths));
        let (otherwise, _) = whole(operations(engine, tool, arguments, &otherwise));
        Some(Write { tool: tool.to_owned(), paths, operations: done, otherwise, is_known })
    }

    /// The side at which a tool adds to its file, by its name or by a mode that it declares.
    fn side(&self, tool: &str, arguments: &Map<String, Value>) -> Option<Side> {
        let mode = self.appending.get(tool).and_then(|_| arguments.get("mode")?.as_str());
        Side::of(tool).or_else(|| mode.and_then(Side::of))
    }

    /// The paths of a call, seen from the folder of the workspace that it names, if it names one.
    fn paths_below(&self, engine: &Engine, arguments: &Map<String, Value>) -> Option<Vec<String>> {
        let named = &self.rules.path_arguments;
        let place = Place::new(&[engine.workspace().root()], None, None);
        let folder = named_folder(engine, &Value::Object(arguments.clone()), &place)?;
        let mut rest = arguments.clone();
        rest.retain(|key, _| named.contains(key) || !may_name_folder(key));
        let seen = |path: String| match path.starts_with("file://") {
            true => path,
            false => folder.requested(&path).as_str().to_owned(),
        };
        let below: Vec<String> = paths_of(&rest, named).into_iter().map(seen).collect();
        Some(below).filter(|below| !below.is_empty())
    }

    /// Whether a tool writes, by its name and its annotations.
    pub fn is_writing(&self, name: &str) -> bool {
        let words = words(name);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        match self.is_read_only.get(name) {
            _ if has(WRITING) || self.rules.writing_tools.iter().any(|tool| tool == name) => true,
            Some(is_read_only) => !is_read_only,
            None => !has(READING),
        }
    }
}

fn record_allowed(engine: &Engine, write: &Write) -> Result<(), EngineError> {
    let judged = engine.judge_host_write(&write.request())?;
    engine.record_allowed(write.request(), &judged, None)
}

/// A path of the workspace where it is one by its spelling; as it stands else.
fn requested(engine: &Engine, text: &str) -> RequestedPath {
    let place = Place::new(&[engine.workspace().root()], None, None);
    place.named(text).unwrap_or_else(|_| RequestedPath::new(text))
}

/// What the call does, and whether that is all of it.
fn operations(
    engine: &Engine,
    name: &str,
    arguments: &Map<String, Value>,
    paths: &[String],
) -> (Vec<Operation>, bool) {
    let words = words(name);
    let is = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let targets: Vec<RequestedPath> = paths.iter().map(|text| requested(engine, text)).collect();
    let base = Base::Current;
    if let [path] = &targets[..] {
        let path = path.clone();
        if let Some(content) = content_of(arguments) {
            let content = content.as_bytes().to_vec();
            return (vec![Operation::Write { path, content, base }], true);
        }
        let edits = edits_of(arguments);
        if !edits.is_empty() {
            return (vec![Operation::Edit { path, edits, base }], true);
        }
    }
    if is(&["delete", "remove", "unlink", "rm"]) && targets.iter().all(|path| is_file(engine, path))
    {
        let delete = |path| Operation::Delete { path, base };
        return (targets.into_iter().map(delete).collect(), !paths.is_empty());
    }
    (targets.iter().map(|path| touch(engine, path)).collect(), false)
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

fn refusal_of(engine: &Engine, params: &Value, write: &Write) -> Option<Refusal> {
    if params.to_string().contains(PLACEHOLDER) {
        return Some(placeholder());
    }
    if let Some(refusal) = mode_refusal(engine) {
        return Some(refusal);
    }
    if write.operations.is_empty() {
        return None;
    }
    let otherwise = engine.check(&write.request_of(write.otherwise.clone()));
    // What fails without the folder that the call names would change nothing there.
    if let Some(refused) = otherwise.ok().filter(|checked| checked.verdict >= Verdict::Confirm) {
        return Some(of_findings(&refused));
    }
    match engine.check(&write.request()) {
        // A warning is for a person to look at, and nothing of this server's can be staged.
        Ok(checked) if checked.verdict == Verdict::Pass => None,
        Ok(checked) if !write.is_known && checked.verdict < Verdict::Confirm => None,
        Ok(checked) => Some(of_findings(&checked)),
        Err(error) => Some(of_error(&error)),
    }
}

fn of_findings(checked: &Checked) -> Refusal {
    let heavy = |severity: Severity| {
        checked.findings.iter().find(move |finding| finding.severity == severity)
    };
    let asks = "a person has to look at this one: propose it with the tools of gatewright";
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
        let writing_tools = vec!["glance".to_owned()];
        let strict = Tools::new(Rules { writing_tools, ..Rules::default() });
        assert!(strict.is_writing("glance") && strict.is_writing("write_file"));
    }

    #[test]
    fn a_mode_that_a_server_declares_says_whether_it_appends() {
        let mut tools = Tools::default();
        let mode = json!({ "properties": { "mode": { "enum": ["rewrite", "append"] } } });
        let list = json!([{ "name": "put_file", "inputSchema": mode }, { "name": "save_file" }]);
        tools.learn(&json!({ "result": { "tools": list } }));
        let side = |tool: &str, mode: &str| {
            let arguments = json!({ "mode": mode });
            tools.side(tool, arguments.as_object().unwrap())
        };
        assert_eq!(side("put_file", "append"), Some(Side::End));
        assert_eq!(side("put_file", "rewrite"), None);
        assert_eq!(side("save_file", "append"), None);
        assert_eq!(side("prepend_text", "rewrite"), Some(Side::Start));
    }
}
