//! A client that speaks raw lines to the real server over an in-memory pipe.

use std::sync::Arc;
use std::time::Duration;

use gatewright_engine::{Durability, Engine, EngineOptions, UserDirs};
use gatewright_model::{Autonomy, Mode};
use gatewright_server::mcp::{ServeError, serve};
use gatewright_testkit::Scratch;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, duplex,
    split,
};
use tokio::task::JoinHandle;

/// How long a line of the server may take; a test that waits for ever says nothing.
const PATIENCE: Duration = Duration::from_secs(60);

/// The engine of a scratch workspace.
pub fn engine(scratch: &Scratch, mode: Mode) -> Engine {
    let dirs = UserDirs {
        config: scratch.config().join("gatewright"),
        state: scratch.state().join("gatewright"),
    };
    let mut options = EngineOptions::new(scratch.root(), dirs, "tester".to_owned());
    options.durability = Durability::None;
    options.home = Some(scratch.home());
    let engine = Engine::open(options).expect("the workspace opens");
    engine.set_autonomy(Autonomy { mode, suggest_only: false }).expect("the mode is set");
    engine
}

/// One connection.
pub struct Client {
    pub engine: Arc<Engine>,
    /// Everything that the server has sent, for canaries.
    pub seen: String,
    pub notifications: Vec<Value>,
    reader: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    served: JoinHandle<Result<(), ServeError>>,
    next_id: u64,
}

impl Client {
    /// Starts a server, without a word to it.
    pub fn connect(scratch: &Scratch, mode: Mode) -> Self {
        let engine = Arc::new(engine(scratch, mode));
        let (ours, theirs) = duplex(256 * 1024);
        let (reader, writer) = split(theirs);
        let served = tokio::spawn(serve(Arc::clone(&engine), reader, writer));
        let (reader, writer) = split(ours);
        Self {
            engine,
            seen: String::new(),
            notifications: Vec::new(),
            reader: BufReader::new(reader).lines(),
            writer,
            served,
            next_id: 1,
        }
    }

    /// Starts a server and initializes it.
    pub async fn start(scratch: &Scratch, mode: Mode) -> Self {
        let mut client = Self::connect(scratch, mode);
        let answer = client.initialize("2025-06-18").await;
        assert_eq!(answer["result"]["serverInfo"]["name"], "gatewright", "{answer}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    /// The same, as a client with these capabilities.
    pub async fn start_with(scratch: &Scratch, mode: Mode, capabilities: Value) -> Self {
        let mut client = Self::connect(scratch, mode);
        client.initialize_with("2025-11-25", capabilities).await;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    pub async fn initialize(&mut self, version: &str) -> Value {
        self.initialize_with(version, json!({})).await
    }

    async fn initialize_with(&mut self, version: &str, capabilities: Value) -> Value {
        let params = json!({
            "protocolVersion": version,
            "capabilities": capabilities,
            "clientInfo": {"name": "Test Client", "version": "1.2.3"},
        });
        self.request("initialize", params).await
    }

    pub async fn send(&mut self, message: &Value) {
        self.send_raw(format!("{message}\n").as_bytes()).await;
    }

    pub async fn send_raw(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).await.expect("the server reads");
    }

    /// The next line of the server.
    pub async fn receive(&mut self) -> Value {
        let line = tokio::time::timeout(PATIENCE, self.reader.next_line()).await;
        let line = line.expect("an answer in time").expect("readable").expect("the server is up");
        self.seen.push_str(&line);
        self.seen.push('\n');
        serde_json::from_str(&line).expect("every line is JSON")
    }

    /// The next answer; notifications are set aside.
    pub async fn answer(&mut self) -> Value {
        loop {
            let message = self.receive().await;
            if message.get("method").is_none() {
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// The next request of the server; notifications are set aside.
    pub async fn question(&mut self) -> Value {
        loop {
            let message = self.receive().await;
            if message.get("id").is_some() {
                assert!(message["method"].is_string(), "{message}");
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// Answers a request of the server.
    pub async fn reply(&mut self, question: &Value, result: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result})).await;
    }

    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params).await;
        let answer = self.answer().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Sends a request and does not wait.
    pub async fn begin(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(&message).await;
        id
    }

    /// Calls a tool; the result.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.request("tools/call", params).await;
        assert!(answer.get("result").is_some(), "{tool}: {answer}");
        answer["result"].clone()
    }

    /// Calls a tool that must not refuse; its structured content.
    pub async fn ok(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], false, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that must refuse; its structured content.
    pub async fn refused(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{tool}: {result}");
        assert!(result["content"][0]["text"].is_string(), "{result}");
        let body = result["structuredContent"].clone();
        assert!(body["error"].is_string() && body["code"].is_string(), "{body}");
        body
    }

    /// Hangs up and waits for the server to end.
    pub async fn hang_up(self) -> Result<(), ServeError> {
        drop(self.reader);
        drop(self.writer);
        self.served.await.expect("the server does not panic")
    }
}
