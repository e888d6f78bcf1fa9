//! MCP over HTTP inside `up`: the gate before it, both wires, and what goes out.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::time::Duration;

use gatewright_engine::{Durability, Engine, EngineOptions, UserDirs};
use gatewright_server::up::{self, Ready, agent_token_file};
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

const CANARY: &str = "canary-91ba9a7e3b2d4860-value";

struct Up {
    port: u16,
    token: String,
}

/// Serves on a thread that ends with the test process.
fn serve(scratch: &Scratch) -> Up {
    let dirs = UserDirs {
        config: scratch.config().join("gatewright"),
        state: scratch.state().join("gatewright"),
    };
    let mut options = EngineOptions::new(scratch.root(), dirs, "tester".to_owned());
    options.durability = Durability::None;
    let engine = Engine::open(options).expect("the workspace opens");
    let layout = engine.layout().clone();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut tell = |ready| sender.send(ready).expect("the test listens");
        up::run(engine, "tester".to_owned(), None, &mut tell).expect("it serves");
    });
    let ready = receiver.recv_timeout(Duration::from_secs(20)).expect("it is ready");
    let Ready::Serving { url } = ready else { panic!("{ready:?}") };
    let port = url.trim_start_matches("http://127.0.0.1:").split('/').next().unwrap();
    let token = (0..100).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        std::fs::read_to_string(agent_token_file(&layout)).ok().filter(|text| !text.is_empty())
    });
    Up { port: port.parse().expect("a port"), token: token.expect("a token") }
}

impl Up {
    fn headers(&self) -> Vec<(String, String)> {
        [
            ("Host", format!("127.0.0.1:{}", self.port)),
            ("Authorization", format!("Bearer {}", self.token)),
            ("Content-Type", "application/json".to_owned()),
            ("Accept", "application/json, text/event-stream".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }

    /// Sends a request with some headers changed or added; an empty one is left out.
    fn send(&self, changed: &[(&str, &str)], path: &str, body: &Value) -> String {
        let mut headers = self.headers();
        for (name, value) in changed {
            headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
            headers.push(((*name).to_owned(), (*value).to_owned()));
        }
        headers.retain(|(_, value)| !value.is_empty());
        let body = body.to_string();
        let mut text = format!("POST {path} HTTP/1.1\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str(&format!("Connection: close\r\n\r\n{body}"));
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        stream.write_all(text.as_bytes()).expect("a request");
        let mut answer = Vec::new();
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut chunk) {
            answer.extend_from_slice(&chunk[..count]);
        }
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn status(&self, changed: &[(&str, &str)], path: &str) -> u16 {
        let answer = self.send(changed, path, &initialize());
        answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_default()
    }
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}})
}

#[test]
fn nobody_gets_in_without_the_token_or_from_a_page() {
    let scratch = Scratch::new();
    let up = serve(&scratch);
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
    let up = serve(&scratch);
    let hello = up.send(&[], "/mcp", &initialize());
    assert!(hello.contains("\"gatewright\""), "{hello}");
    let session = hello
        .lines()
        .find_map(|line| {
            line.to_ascii_lowercase().strip_prefix("mcp-session-id: ").map(str::to_owned)
        })
        .expect("a session");
    let in_session = [("Mcp-Session-Id", &*session), ("MCP-Protocol-Version", "2025-11-25")];
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    up.send(&in_session, "/mcp", &ready);
    let read = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "read_file", "arguments": {"path": ".env"}}});
    let answer = up.send(&in_session, "/mcp", &read);
    assert!(answer.contains("[REDACTED:") && !answer.contains(CANARY), "{answer}");
    // The newer revision: no session, everything in the request.
    let edit = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {
    "name": "edit_file",
    "arguments": {"path": "notes.txt", "old_string": "one", "new_string": "two"},
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }}});
    let newer = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "edit_file"),
    ];
    let answer = up.send(&newer, "/mcp", &edit);
    assert!(answer.contains("staged, waiting for review"), "{answer}");
    // The next request is another one, and still of the same run.
    let mut look = edit.clone();
    look["params"]["name"] = json!("read_file");
    look["params"]["arguments"] = json!({"path": "notes.txt"});
    let newer = [newer[0], newer[1], ("Mcp-Name", "read_file")];
    let answer = up.send(&newer, "/mcp", &look);
    assert!(answer.contains("two"), "an agent sees what it has staged: {answer}");
    assert_eq!(scratch.read_text("notes.txt"), "one\n");
}
