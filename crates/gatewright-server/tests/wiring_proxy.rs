//! A foreign MCP server behind the proxy: redacted, judged, and never left behind.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "tests build real trees and run real processes"
)]

use std::io::Write;
use std::sync::{Arc, Mutex};

use gatewright_engine::{Durability, Engine, EngineOptions, UserDirs};
use gatewright_model::{Action, Autonomy, Door, Mode, ReceiptBody};
use gatewright_server::wiring::proxy::{Rules, serve};
use gatewright_testkit::{Scratch, has_program, skip};
use serde_json::{Value, json};

/// Echoes every call, does what `write_file` says, and ends with code 7.
const SERVER: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    method, ident = message.get("method"), message.get("id")
    if method == "tools/list":
        tools = [
            {"name": "write_file", "annotations": {"readOnlyHint": True}},
            {"name": "frob", "annotations": {"readOnlyHint": False}},
            {"name": "read_file", "annotations": {"readOnlyHint": True}},
        ]
        answer = {"tools": tools}
    elif method == "tools/call":
        params = message["params"]
        if params["name"] == "write_file":
            open(params["arguments"]["path"], "w").write(params["arguments"]["content"])
        answer = {"content": [{"type": "text", "text": params["arguments"].get("say", "done")}]}
    else:
        answer = {"echo": message}
    if ident is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": ident, "result": answer}), flush=True)
print("not json at all", flush=True)
sys.exit(7)
"#;

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A client that goes away when it has its answers, however slow the server starts.
struct Patient {
    input: std::io::Cursor<Vec<u8>>,
    awaited: Vec<u64>,
    sink: Sink,
}

impl std::io::Read for Patient {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.input.read(into)?;
        for _ in 0..3_000 {
            let text = self.sink.0.lock().unwrap().clone();
            let text = String::from_utf8_lossy(&text).into_owned();
            let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let answered: Vec<u64> = lines.filter_map(|line| line["id"].as_u64()).collect();
            if count > 0 || self.awaited.iter().all(|id| answered.contains(id)) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        Ok(count)
    }
}

fn engine(scratch: &Scratch, mode: Mode) -> Engine {
    let dirs = UserDirs {
        config: scratch.config().join("gatewright"),
        state: scratch.state().join("gatewright"),
    };
    let mut options = EngineOptions::new(scratch.root(), dirs, "tester".to_owned());
    options.durability = Durability::None;
    options.home = Some(scratch.home());
    let engine = Engine::open(options).unwrap();
    engine.set_autonomy(Autonomy { mode, suggest_only: false }).unwrap();
    engine
}

/// Sends the messages through the proxy, and gives the lines that come back and the exit code.
fn through(scratch: &Scratch, mode: Mode, messages: &[Value]) -> (Vec<String>, i32) {
    let script = scratch.base().join("server.py");
    std::fs::write(&script, SERVER).unwrap();
    let input: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let command = ["python3".to_owned(), script.display().to_string()];
    let sink = Sink::default();
    let awaited = messages.iter().filter_map(|message| message["id"].as_u64()).collect();
    let input = std::io::Cursor::new(input.into_bytes());
    let input = std::io::BufReader::new(Patient { input, awaited, sink: sink.clone() });
    let rules = Rules {
        writing_tools: vec!["glance".to_owned()],
        path_arguments: vec!["whither".to_owned()],
    };
    let code = serve(engine(scratch, mode), rules, &command, input, sink.clone()).unwrap();
    let bytes = sink.0.lock().unwrap().clone();
    (String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect(), code)
}

fn call(id: u64, name: &str, arguments: Value) -> Value {
    let params = json!({ "name": name, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

/// The answers by id, whatever their order.
fn answer(lines: &[String], id: u64) -> Value {
    let parsed = lines.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut found = parsed.filter(|message| message["id"] == id);
    found.next().unwrap_or_else(|| panic!("no answer to {id}: {lines:?}"))
}

#[test]
fn clean_messages_pass_byte_for_byte_and_the_exit_code_is_the_servers() {
    if !has_program("python3") {
        skip!("python3 is not here");
    }
    let scratch = Scratch::new();
    let ping =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "z": 1.0, "a": 2 } });
    let (lines, code) = through(&scratch, Mode::Hybrid, &[ping]);
    assert_eq!(code, 7);
    let echo = answer(&lines, 1);
    assert_eq!(echo["result"]["echo"]["params"], json!({ "z": 1.0, "a": 2 }));
    // Python puts a blank behind each colon; a line that was parsed and printed would have none.
    assert!(lines[0].starts_with(r#"{"jsonrpc": "2.0", "id": 1,"#), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "not json at all");
}

#[test]
fn secrets_in_results_do_not_reach_the_client() {
    if !has_program("python3") {
        skip!("python3 is not here");
    }
    let scratch = Scratch::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o50smkjE");
    let read = call(3, "read_file", json!({ "path": "a.txt", "say": format!("token {secret}") }));
    let (lines, _) = through(&scratch, Mode::Hybrid, &[read]);
    let text = answer(&lines, 3)["result"]["content"][0]["text"].to_string();
    assert!(!lines.concat().contains(&secret), "{lines:?}");
    assert!(text.contains("[REDACTED:"), "{text}");
}

#[test]
fn writes_outside_are_refused_and_never_reach_the_server() {
    if !has_program("python3") {
        skip!("python3 is not here");
    }
    let scratch = Scratch::new();
    let outside = scratch.base().join("evil.txt").display().to_string();
    let inside = scratch.root().join("fine.txt").display().to_string();
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let (lines, _) = through(
        &scratch,
        Mode::Autonomous,
        &[
            list,
            call(2, "write_file", json!({ "path": outside, "content": "x" })),
            call(3, "write_file", json!({ "path": inside, "content": "x\n" })),
            call(4, "frob", json!({ "target": "../up" })),
            call(5, "write_file", json!({ "path": ".git/hooks/pre-commit", "content": "x" })),
            call(6, "write_file", json!({ "path": inside, "content": "[REDACTED:api-key]" })),
            call(7, "read_file", json!({ "path": outside })),
        ],
    );
    for id in [2, 4, 5, 6] {
        let refused = answer(&lines, id);
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        assert_eq!(refused["result"]["structuredContent"]["recoverable"], true, "{refused}");
    }
    for id in [3, 7] {
        let passed = answer(&lines, id);
        assert_eq!(passed["result"]["content"][0]["text"], "done", "{passed}");
    }
    assert!(!scratch.base().join("evil.txt").exists());
    assert_eq!(scratch.read_text("fine.txt"), "x\n");
    let receipts = receipts(&scratch);
    let of = |action: Action| receipts.iter().filter(move |body| body.action == action);
    assert_eq!(of(Action::Refuse).count(), 4, "{receipts:?}");
    assert!(of(Action::Refuse).all(|body| body.agent.door == Door::Proxy), "{receipts:?}");
    // Allowed with its content, then found on disk as allowed: it can be undone.
    let applied: Vec<bool> = of(Action::Apply).map(|body| body.applied).collect();
    assert_eq!(applied, [false, true], "{receipts:?}");
    assert_eq!(of(Action::Unguarded).count(), 0, "{receipts:?}");
}

#[test]
fn text_that_a_server_appends_is_judged_as_an_addition() {
    if !has_program("python3") {
        skip!("python3 is not here");
    }
    let scratch = Scratch::new();
    scratch.write("m.py", "def a():\n    return 1\n");
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let (new, again) = ("\n\ndef b():\n    return 2\n", "\n\ndef a():\n    return 2\n");
    let messages = [
        list,
        call(2, "append_to_file", json!({ "path": "m.py", "content": new })),
        call(3, "append_to_file", json!({ "path": "m.py", "content": again })),
        // This server never said that it knows such a field.
        call(4, "save_file", json!({ "path": "m.py", "content": new, "mode": "append" })),
    ];
    let (lines, _) = through(&scratch, Mode::Autonomous, &messages);
    let is_refused = |id| answer(&lines, id)["result"]["isError"] == true;
    assert_eq!([2, 3, 4].map(is_refused), [false, true, true], "{lines:?}");
}

#[test]
fn a_path_is_judged_below_the_folder_that_the_call_names() {
    if !has_program("python3") {
        skip!("python3 is not here");
    }
    let scratch = Scratch::new();
    let lib = "pub fn one() -> u32 {\n    1\n}\n";
    scratch.write("sub/lib.rs", lib);
    let sub = scratch.root().join("sub").display().to_string();
    let edits = json!([{ "oldText": lib, "newText": "pub fn one() -> u64 {\n    2\n}\n" }]);
    let note = json!({ "repo": sub, "path": "note.txt", "content": "x\n" });
    let (lines, _) = through(
        &scratch,
        Mode::Autonomous,
        &[
            call(2, "edit_file", json!({ "repo": sub, "path": "lib.rs", "edits": edits })),
            call(3, "edit_file", json!({ "directory": "sub", "path": "lib.rs", "edits": edits })),
            call(4, "write_file", json!({ "repo": sub, "path": ".git/x", "content": "x" })),
            call(5, "frob", note),
            call(6, "create_directory", json!({ "directory": "sub" })),
        ],
    );
    for id in [2, 3] {
        let refused = answer(&lines, id)["result"]["structuredContent"]["code"].to_string();
        assert!(refused.starts_with("\"S"), "{refused}");
    }
    assert_eq!(answer(&lines, 4)["result"]["isError"], true, "{lines:?}");
    for id in [5, 6] {
        assert_ne!(answer(&lines, id)["result"]["isError"], true, "{lines:?}");
    }
    let judged = receipts(&scratch);
    let paths = judged.iter().flat_map(|body| body.files.iter().map(|file| file.path.to_string()));
    let paths: Vec<String> = paths.collect();
    assert!(paths.contains(&"sub/note.txt".to_owned()), "{paths:?}");
    assert!(!paths.contains(&"note.txt".to_owned()), "{paths:?}");
}

fn receipts(scratch: &Scratch) -> Vec<ReceiptBody> {
    let engine = engine(scratch, Mode::Autonomous);
    let ledger = engine.ledger();
    (0..ledger.len().unwrap()).filter_map(|seq| ledger.get(seq).unwrap()).map(|r| r.body).collect()
}

#[test]
fn the_users_word_makes_a_tool_one_that_writes_and_an_argument_a_path() {
    if !has_program("python3") {
        skip!("python3 is not here");
    }
    let scratch = Scratch::new();
    let newer = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    let mut outside = call(2, "frob", json!({ "whither": "../out" }));
    outside["params"]["_meta"] = newer;
    let glance = call(3, "glance", json!({ "say": "nothing" }));
    let messages = [outside, glance, call(4, "frob", json!({ "elsewhere": "../out" }))];
    let (lines, _) = through(&scratch, Mode::Autonomous, &messages);
    let refused = answer(&lines, 2);
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    assert_eq!(refused["result"]["resultType"], "complete", "the newer wire wants it");
    for id in [3, 4] {
        assert!(answer(&lines, id)["result"].get("isError").is_none(), "{lines:?}");
    }
    let passed: Vec<String> = receipts(&scratch).into_iter().filter_map(|body| body.note).collect();
    assert!(passed.iter().any(|note| note.contains("passed on: glance")), "{passed:?}");
    let (lines, _) = through(&scratch, Mode::Hybrid, &messages[1..2]);
    assert_eq!(answer(&lines, 3)["result"]["structuredContent"]["code"], "mode", "{lines:?}");
}

#[test]
fn where_changes_are_reviewed_a_foreign_server_does_not_write() {
    if !has_program("python3") {
        skip!("python3 is not here");
    }
    let scratch = Scratch::new();
    let inside = scratch.root().join("fine.txt").display().to_string();
    for mode in [Mode::Manual, Mode::Hybrid] {
        let write = call(1, "write_file", json!({ "path": inside, "content": "x" }));
        let (lines, _) = through(&scratch, mode, &[write]);
        assert_eq!(answer(&lines, 1)["result"]["structuredContent"]["code"], "mode");
        assert!(!scratch.has("fine.txt"));
    }
}

#[test]
fn a_server_that_does_not_start_is_a_failure() {
    let scratch = Scratch::new();
    let command = ["/nonexistent/server".to_owned()];
    let (engine, rules) = (engine(&scratch, Mode::Hybrid), Rules::default());
    let served = serve(engine, rules, &command, std::io::empty(), Sink::default());
    assert!(served.unwrap_err().to_string().contains("/nonexistent/server"));
}

#[test]
fn a_server_that_stays_is_stopped_when_the_client_is_gone() {
    let scratch = Scratch::new();
    let command = ["sleep".to_owned(), "600".to_owned()];
    let (engine, rules) = (engine(&scratch, Mode::Hybrid), Rules::default());
    let code = serve(engine, rules, &command, std::io::empty(), Sink::default());
    assert_eq!(code.unwrap(), 128 + 9);
}
