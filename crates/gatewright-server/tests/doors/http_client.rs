//! A client that speaks raw HTTP to the MCP server inside a real `up`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::time::Duration;

use gatewright_engine::{Durability, Engine, EngineOptions, UserDirs};
use gatewright_model::{Autonomy, Mode};
use gatewright_server::up::{self, Ready, agent_token_file};
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

/// A running `up`. It serves on a thread that ends with the test process.
pub struct Up {
    pub port: u16,
    pub token: String,
}

/// What came back.
pub struct Answered {
    pub status: u16,
    pub text: String,
}

impl Up {
    pub fn start(scratch: &Scratch, mode: Mode) -> Self {
        let dirs = UserDirs {
            config: scratch.config().join("gatewright"),
            state: scratch.state().join("gatewright"),
        };
        let mut options = EngineOptions::new(scratch.root(), dirs, "tester".to_owned());
        options.durability = Durability::None;
        let engine = Engine::open(options).expect("the workspace opens");
        engine.set_autonomy(Autonomy { mode, suggest_only: false }).expect("the mode is set");
        let layout = engine.layout().clone();
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let mut tell = |ready| sender.send(ready).expect("the test listens");
            up::run(engine, "tester".to_owned(), None, &mut tell).expect("it serves");
        });
        let ready = receiver.recv_timeout(Duration::from_secs(20)).expect("it is ready");
        let Ready::Serving { url } = ready else { panic!("{ready:?}") };
        let port = url.trim_start_matches("http://127.0.0.1:").split('/').next().unwrap();
        let token = std::fs::read_to_string(agent_token_file(&layout)).expect("a token");
        Self { port: port.parse().expect("a port"), token }
    }

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

    /// Opens a connection and sends the head of a request, of which `length` bytes are to come.
    pub fn begin(&self, changed: &[(&str, &str)], path: &str, length: usize) -> TcpStream {
        let mut headers = self.headers();
        for (name, value) in changed {
            headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
            headers.push(((*name).to_owned(), (*value).to_owned()));
        }
        headers.retain(|(_, value)| !value.is_empty());
        let mut text = format!("POST {path} HTTP/1.1\r\nContent-Length: {length}\r\n");
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("Connection: close\r\n\r\n");
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream.write_all(text.as_bytes()).expect("a request");
        stream
    }

    /// Sends a request with some headers changed or added; an empty one is left out.
    pub fn send_raw(&self, changed: &[(&str, &str)], path: &str, body: &[u8]) -> Answered {
        let mut stream = self.begin(changed, path, body.len());
        // A server may refuse before it has read all of it.
        let _ = stream.write_all(body);
        answer_on(stream)
    }

    pub fn send(&self, changed: &[(&str, &str)], path: &str, body: &Value) -> String {
        self.send_raw(changed, path, body.to_string().as_bytes()).text
    }

    pub fn status(&self, changed: &[(&str, &str)], path: &str) -> u16 {
        self.send_raw(changed, path, initialize().to_string().as_bytes()).status
    }

    /// Initializes on the older wire; the session.
    pub fn session(&self) -> String {
        let hello = self.send(&[], "/mcp", &initialize());
        let name = "mcp-session-id: ";
        let session = hello
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix(name).map(str::to_owned))
            .unwrap_or_else(|| panic!("no session: {hello}"));
        let headers = [("Mcp-Session-Id", &*session), ("MCP-Protocol-Version", "2025-11-25")];
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.send(&headers, "/mcp", &ready);
        session
    }
}

/// Everything that the server says on this connection.
pub fn answer_on(mut stream: TcpStream) -> Answered {
    let mut answer = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut chunk) {
        answer.extend_from_slice(&chunk[..count]);
    }
    let text = String::from_utf8_lossy(&answer).into_owned();
    let status = text.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_default();
    Answered { status, text }
}

pub fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}})
}

/// The metadata of a request on the wire without sessions.
pub fn meta(version: &str, capabilities: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": {"name": "Newer Client", "version": "9.9"},
    })
}

/// The headers that go with a tool call on that wire.
pub fn newer_headers<'a>(method: &'a str, name: &'a str) -> [(&'static str, &'a str); 3] {
    [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method), ("Mcp-Name", name)]
}
