//! MCP over HTTP inside `up`: the gate before it, both wires, and what goes out.

use gatewright_model::Mode;
use gatewright_testkit::Scratch;
use serde_json::json;

use crate::http_client::{Up, meta, newer_headers};

const CANARY: &str = "canary-91ba9a7e3b2d4860-value";

#[test]
fn nobody_gets_in_without_the_token_or_from_a_page() {
    let scratch = Scratch::new();
    let up = Up::start(&scratch, Mode::Hybrid);
    assert_eq!(up.status(&[], "/mcp"), 200);
    let table: &[(&str, &str, u16)] = &[
        ("Authorization", "", 401),
        ("Authorization", "Bearer ", 401),
        ("Authorization", "Bearer x", 401),
        ("Host", "evil.example", 421),
        ("Host", "127.0.0.1", 421),
        ("Origin", "https://evil.example", 403),
        ("Origin", "null", 403),
        ("Sec-Fetch-Site", "cross-site", 403),
        ("Content-Type", "text/plain", 415),
    ];
    for (name, value, status) in table {
        assert_eq!(up.status(&[(name, value)], "/mcp"), *status, "{name}: {value}");
    }
    // The agents' token opens nothing of the page.
    let cookie = format!("gatewright_{}={}", up.port, up.token);
    let origin = format!("http://127.0.0.1:{}", up.port);
    let as_person = [("Cookie", &*cookie), ("Origin", &*origin), ("x-gatewright", "1")];
    assert_eq!(up.status(&as_person, "/api/mode"), 401);
}

#[test]
fn both_wires_are_spoken_and_nothing_secret_goes_out() {
    let scratch = Scratch::new();
    scratch.write(".env", format!("TOKEN={CANARY}\n"));
    scratch.write("notes.txt", "one\n");
    let up = Up::start(&scratch, Mode::Hybrid);
    let session = up.session();
    let in_session = [("Mcp-Session-Id", &*session), ("MCP-Protocol-Version", "2025-11-25")];
    let read = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "read_file", "arguments": {"path": ".env"}}});
    let answer = up.send(&in_session, "/mcp", &read);
    assert!(answer.contains("[REDACTED:") && !answer.contains(CANARY), "{answer}");
    // The newer revision: no session, everything in the request.
    let edit = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {
        "name": "edit_file",
        "arguments": {"path": "notes.txt", "old_string": "one", "new_string": "two"},
        "_meta": meta("2026-07-28", &json!({}))}});
    let newer = newer_headers("tools/call", "edit_file");
    let answer = up.send(&newer, "/mcp", &edit);
    assert!(answer.contains("staged, waiting for review"), "{answer}");
    // The next request is another one, and still of the same run.
    let mut look = edit.clone();
    look["params"]["name"] = json!("read_file");
    look["params"]["arguments"] = json!({"path": "notes.txt"});
    let newer = newer_headers("tools/call", "read_file");
    let answer = up.send(&newer, "/mcp", &look);
    assert!(answer.contains("two"), "an agent sees what it has staged: {answer}");
    assert_eq!(scratch.read_text("notes.txt"), "one\n");
}
