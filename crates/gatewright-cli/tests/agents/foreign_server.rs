//! The reference file server behind `gatewright proxy`: guarded, redacted, and recorded.

use std::io::Write;
use std::process::Stdio;

use gatewright_testkit::{Binary, Scratch, skip};
use serde_json::{Value, json};

use crate::agent::{binary, gatewright, in_cache, path};

const CANARY: &str = "canary-5c1d9a7e3b2d4860-value";

fn call(id: u64, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

/// Sends the messages after the opening; the answers by id.
fn through(server: &str, scratch: &Scratch, messages: &[Value]) -> impl Fn(u64) -> Value {
    let root = scratch.root().display().to_string();
    let mut command = Binary::new(binary()).command(scratch);
    // The same state as that of our own calls.
    command.env("XDG_CONFIG_HOME", scratch.home().join(".config"));
    command.env("XDG_STATE_HOME", scratch.home().join(".local/state"));
    command.env("PATH", path()).args(["--root", &root, "proxy", "--", server, &root]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the proxy starts");
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" } } });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let mut stdin = child.stdin.take().expect("a pipe");
    let stdout = child.stdout.take().expect("a pipe");
    let mut answers: Vec<Value> = Vec::new();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stdout));
    // One after the other, as an agent does: the file server works on several at once.
    for message in [&hello, &ready, &list].into_iter().chain(messages) {
        writeln!(stdin, "{message}").expect("it reads");
        let Some(id) = message.get("id") else { continue };
        loop {
            let line = lines.next().expect("an answer").expect("text");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            let is_it = answer.get("id") == Some(id) && answer.get("method").is_none();
            answers.push(answer);
            if is_it {
                break;
            }
        }
    }
    drop(stdin);
    child.wait().expect("it ends");
    move |id| {
        let found = answers.iter().find(|answer| answer["id"] == id);
        found.unwrap_or_else(|| panic!("no answer to {id}: {answers:?}")).clone()
    }
}

#[test]
fn the_reference_file_server_writes_only_what_the_guards_allow() {
    let program = "node_modules/.bin/mcp-server-filesystem";
    let Some(server) = in_cache("modelcontextprotocol-server-filesystem-", program) else {
        skip!("the file server is not installed; run `cargo xtask setup`");
    };
    let server = server.display().to_string();
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\n");
    scratch.write(".env", format!("TOKEN={CANARY}\n"));
    let inside = |name: &str| scratch.path(name).display().to_string();
    let body = "fn a() {\n    1;\n}\n";
    scratch.write("lib.rs", body);
    assert_eq!(gatewright(&scratch, &["mode", "autonomous"]).code, Some(0));
    let structural = json!([{ "oldText": body, "newText": "fn b() {}\n" }]);
    let messages = [
        call(2, "write_file", json!({ "path": inside("new.txt"), "content": "new\n" })),
        call(3, "write_file", json!({ "path": inside(".git/config"), "content": "x" })),
        call(4, "write_file", json!({ "path": "../outside.txt", "content": "x" })),
        call(5, "read_text_file", json!({ "path": inside(".env") })),
        call(6, "edit_file", json!({ "path": inside("lib.rs"), "edits": structural })),
        call(7, "move_file", json!({ "source": inside("notes.txt"), "destination": "../n.txt" })),
        json!({ "jsonrpc": "2.0", "id": 8, "method": "server/discover", "params": { "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {} } } }),
    ];
    let answer = through(&server, &scratch, &messages);
    assert!(answer(1)["result"]["tools"].as_array().is_some_and(|tools| tools.len() > 5));
    assert_ne!(answer(2)["result"]["isError"], true, "{}", answer(2));
    assert_eq!(scratch.read_text("new.txt"), "new\n");
    for id in [3, 4, 6, 7] {
        let refused = answer(id);
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        assert_eq!(refused["result"]["structuredContent"]["recoverable"], true, "{refused}");
    }
    assert_eq!(scratch.read_text("lib.rs"), body);
    assert!(!scratch.has(".git/config") && scratch.has("notes.txt"));
    let read = answer(5).to_string();
    assert!(read.contains("[REDACTED:") && !read.contains(CANARY), "{read}");
    // A wire that the server does not speak is its own affair: the question and its answer pass.
    assert!(answer(8).get("error").is_some() || answer(8).get("result").is_some());
    let receipts = gatewright(&scratch, &["receipts", "export"]).stdout;
    let count = |action: &str| receipts.matches(&format!("\"action\":\"{action}\"")).count();
    assert_eq!((count("refuse"), count("apply"), count("unguarded")), (4, 2, 0), "{receipts}");
}
