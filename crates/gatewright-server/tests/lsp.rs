//! The language server over a connection in memory: what an editor is told, and what it can do.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::panic,
    reason = "tests build real trees and fail by panicking"
)]

use std::time::Duration;

use gatewright_engine::{Durability, Engine, EngineOptions, Operation, Request, UserDirs};
use gatewright_model::{Agent, Door, RequestedPath, TextEdit};
use gatewright_server::lsp::{Reader, serve};
use gatewright_testkit::Scratch;
use lsp_server::{Connection, Message, Notification};
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(30);
const MODELS: &str = "class User:\n    def rename(self, name):\n        self.name = name\n\n\n\
                      def load():\n    return User()\n";

/// An editor with one workspace.
struct Editor {
    scratch: Scratch,
    connection: Connection,
    asked: i32,
}

fn engine(scratch: &Scratch) -> Engine {
    let dirs = UserDirs {
        config: scratch.config().join("gatewright"),
        state: scratch.state().join("gatewright"),
    };
    let mut options = EngineOptions::new(scratch.root(), dirs, "tester".to_owned());
    options.durability = Durability::None;
    Engine::open(options).expect("the workspace opens")
}

impl Editor {
    fn open(may_not_decide: Option<&str>) -> Self {
        let scratch = Scratch::new();
        scratch.write("models.py", MODELS);
        let (server, connection) = Connection::memory();
        let served = engine(&scratch);
        let may_not_decide = may_not_decide.map(str::to_owned);
        let reader = Reader { name: "ada".to_owned(), may_not_decide };
        std::thread::spawn(move || serve(&served, reader, &server));
        let mut editor = Self { scratch, connection, asked: 0 };
        let answer = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&self, method: &str, params: Value) {
        let message = Notification::new(method.to_owned(), params);
        self.connection.sender.send(message.into()).expect("the server listens");
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked.into();
        let request = lsp_server::Request::new(id, method.to_owned(), params);
        self.connection.sender.send(request.into()).expect("the server listens");
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).expect("an answer") {
                Message::Response(response) => {
                    return response.response_result.expect("no error");
                }
                _ => continue,
            }
        }
    }

    fn uri(&self, path: &str) -> String {
        format!("file://{}", self.scratch.root().join(path).display())
    }

    fn edit(&self, path: &str, text: &str) {
        let item =
            json!({ "uri": self.uri(path), "languageId": "python", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// The next diagnostics that hold; they may be published more than once meanwhile.
    fn diagnostics(&self, holds: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        for _ in 0..50 {
            let message = self.connection.receiver.recv_timeout(PATIENCE).expect("diagnostics");
            if let Message::Notification(told) = message
                && told.method == "textDocument/publishDiagnostics"
                && let Some(list) = told.params["diagnostics"].as_array()
                && holds(list)
            {
                return list.clone();
            }
        }
        panic!("never said");
    }

    fn actions(&mut self, path: &str, diagnostic: &Value) -> Vec<Value> {
        let uri = self.uri(path);
        let params = json!({
            "textDocument": { "uri": uri }, "range": diagnostic["range"],
            "context": { "diagnostics": [diagnostic] },
        });
        let answer = self.ask("textDocument/codeAction", params);
        answer.as_array().expect("a list").clone()
    }

    fn run(&mut self, action: &Value) {
        let command = &action["command"];
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        self.ask("workspace/executeCommand", params);
    }

    fn propose(&self, old: &str, new: &str) {
        let edit = TextEdit { old: old.to_owned(), new: new.to_owned(), replace_all: false };
        let request = Request {
            agent: Agent { name: "helper".to_owned(), version: "1".to_owned(), door: Door::Mcp },
            run_id: "run".to_owned(),
            autonomy: None,
            operations: vec![Operation::Edit {
                path: RequestedPath::new("models.py"),
                edits: vec![edit],
                base: gatewright_engine::Base::Current,
            }],
        };
        engine(&self.scratch).propose(request).expect("it is staged");
    }
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().filter_map(|action| action["title"].as_str()).collect()
}

#[test]
fn an_unsaved_text_is_told_what_it_misses_with_a_fix() {
    let mut editor = Editor::open(None);
    let text = "from models import User, laod\n\nü = User()\nü.rename('x'); ü.renam('y')\n";
    editor.edit("app.py", text);
    let told = editor.diagnostics(|told| !told.is_empty());
    assert_eq!(told.len(), 2, "{told:?}");
    let range =
        json!({ "start": { "line": 0, "character": 25 }, "end": { "line": 0, "character": 29 } });
    assert_eq!(told[0]["range"], range);
    assert_eq!(told[0]["severity"], 2);
    let actions = editor.actions("app.py", &told[0]);
    assert_eq!(titles(&actions)[0], "Use `load`");
    let uri = editor.uri("app.py");
    let edit = json!([{ "range": range, "newText": "load" }]);
    assert_eq!(actions[0]["edit"]["changes"][uri], edit);
    let fixed = text.replace("laod", "load").replace("renam(", "rename(");
    let document = json!({ "uri": editor.uri("app.py"), "version": 2 });
    let params = json!({ "textDocument": document, "contentChanges": [{ "text": fixed }] });
    editor.tell("textDocument/didChange", params);
    editor.diagnostics(<[Value]>::is_empty);
}

#[test]
fn a_proposal_that_arrives_is_shown_and_can_be_written_from_the_editor() {
    let mut editor = Editor::open(None);
    editor.edit("models.py", MODELS);
    editor.diagnostics(<[Value]>::is_empty);
    editor.propose("return User()", "return User() or None");
    let told = editor.diagnostics(|told| !told.is_empty());
    assert_eq!(told[0]["range"]["start"]["line"], 6, "{told:?}");
    let message = told[0]["message"].as_str().expect("words");
    assert!(message.contains("helper proposes here: -1 +1"), "{message}");
    assert!(message.contains("+     return User() or None"), "{message}");
    let actions = editor.actions("models.py", &told[0]);
    assert_eq!(actions.len(), 3, "{actions:?}");
    assert_eq!(editor.scratch.read_text("models.py"), MODELS);
    editor.run(&actions[0]);
    assert!(editor.scratch.read_text("models.py").ends_with("return User() or None\n"));
}

#[test]
fn a_long_hunk_says_how_much_of_it_is_not_shown() {
    let editor = Editor::open(None);
    editor.edit("models.py", MODELS);
    let lines: String = (0..20).map(|at| format!("# {at}\n    ")).collect();
    editor.propose("return User()", &format!("{lines}return None"));
    let told = editor.diagnostics(|told| !told.is_empty());
    let message = told[0]["message"].as_str().expect("words");
    assert!(message.contains("-1 +21"), "{message}");
    assert!(message.ends_with("and 10 more lines; the review page shows them all"), "{message}");
}

#[test]
fn a_rejected_hunk_is_gone_and_the_agent_is_told() {
    let mut editor = Editor::open(None);
    editor.edit("models.py", MODELS);
    editor.propose("return User()", "return None");
    let told = editor.diagnostics(|told| !told.is_empty());
    let actions = editor.actions("models.py", &told[0]);
    editor.run(&actions[2]);
    let changes = engine(&editor.scratch).all_changes().expect("changes");
    assert_eq!(changes[0].1, "rejected");
    assert_eq!(editor.scratch.read_text("models.py"), MODELS);
}

#[test]
fn an_editor_that_an_agent_started_cannot_decide() {
    let mut editor = Editor::open(Some("deciding is for a person"));
    editor.edit("models.py", MODELS);
    editor.propose("return User()", "return None");
    let told = editor.diagnostics(|told| !told.is_empty());
    for action in editor.actions("models.py", &told[0]) {
        editor.run(&action);
    }
    let changes = engine(&editor.scratch).all_changes().expect("changes");
    assert_eq!(changes[0].1, "open");
    assert!(changes[0].0.files[0].decisions.is_empty());
    assert_eq!(editor.scratch.read_text("models.py"), MODELS);
}

#[test]
fn a_secret_in_a_proposal_does_not_reach_the_editors_log() {
    let editor = Editor::open(None);
    editor.edit("models.py", MODELS);
    let secret = format!("ghp_{}", "x8Kq2LmN4pR6sT9vW1yZ3bC5dF7gH03g21Ze");
    editor.propose("return User()", &format!("return '{secret}'"));
    let told = editor.diagnostics(|told| !told.is_empty());
    let all = Value::from(told).to_string();
    assert!(all.contains("helper proposes"), "{all}");
    assert!(!all.contains(&secret), "{all}");
}

#[test]
fn a_file_outside_and_a_message_that_makes_no_sense_are_borne() {
    let mut editor = Editor::open(None);
    let item = json!({ "uri": "file:///elsewhere/x.py", "languageId": "python", "version": 1, "text": "nope()\n" });
    editor.tell("textDocument/didOpen", json!({ "textDocument": item }));
    editor.diagnostics(<[Value]>::is_empty);
    editor.tell("textDocument/didOpen", json!({ "textDocument": 7 }));
    editor.tell("textDocument/didChange", json!([]));
    let request = lsp_server::Request::new(99.into(), "no/such".to_owned(), json!({}));
    editor.connection.sender.send(request.into()).expect("the server listens");
    let params = json!({
        "textDocument": { "uri": "file:///elsewhere/x.py" }, "context": { "diagnostics": [] },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } },
    });
    loop {
        if let Message::Response(response) =
            editor.connection.receiver.recv_timeout(PATIENCE).expect("an answer")
        {
            assert_eq!(response.response_result.map_err(|error| error.code), Err(-32601));
            break;
        }
    }
    assert_eq!(editor.ask("textDocument/codeAction", params), json!([]));
    editor.ask("shutdown", Value::Null);
    editor.tell("exit", Value::Null);
}
