//! The demo: a small project and an agent that does one of each, through the MCP door.
//!
//! The agent is a script that speaks MCP over an in-memory pipe to the real
//! server, so that what the page shows took the same road as any agent's work.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use gatewright_engine::Engine;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

use super::{Script, io as files};

const PROJECT: &[(&str, &str)] = &[
    ("README.md", include_str!("demo_project/README.md")),
    ("src/cart.py", include_str!("demo_project/cart.py.txt")),
    ("src/checkout.py", include_str!("demo_project/checkout.py.txt")),
    ("config/settings.ini", include_str!("demo_project/settings.ini")),
    (".github/workflows/test.yml", include_str!("demo_project/workflow.yml")),
];

/// A moment between steps, so that a person can follow.
const STEP: Duration = Duration::from_millis(700);

/// Writes the sample project into a fresh folder below `base`.
pub fn make_project(base: &Path) -> io::Result<PathBuf> {
    let root = base.join("corner-shop");
    files::write_project(&root, PROJECT)?;
    Ok(root)
}

/// The agent, to be run once the page is served.
pub fn script() -> Script {
    Box::new(|engine| Box::pin(run(engine)))
}

async fn run(engine: Arc<Engine>) {
    tokio::time::sleep(STEP).await;
    let mut agent = Agent::connect(engine);
    for (tool, arguments) in steps() {
        if agent.call(tool, arguments).await.is_none() {
            return;
        }
        tokio::time::sleep(STEP).await;
    }
}

/// What the agent does, in order.
fn steps() -> Vec<(&'static str, Value)> {
    let mut steps = clean_edit();
    steps.extend(structural_edit());
    // Out of the workspace: refused, and nothing is written.
    steps.push(("write_file", json!({"path": "../outside.txt", "content": "hello\n"})));
    // A secret is read hidden, and edited around.
    steps.push(("read_file", json!({"path": "config/settings.ini"})));
    steps.push((
        "edit_file",
        json!({"path": "config/settings.ini", "old_string": "timeout = 10\n", "new_string": "timeout = 30\nretries = 3\n"}),
    ));
    // A workflow runs code: it asks.
    steps.push((
        "edit_file",
        json!({"path": ".github/workflows/test.yml", "old_string": "      - run: python -m pytest\n", "new_string": "      - run: python -m pip install -e .\n      - run: python -m pytest -q\n"}),
    ));
    // An import that exists nowhere.
    steps.push((
        "write_file",
        json!({"path": "src/receipt.py", "content": "from src.cart import totl\n\n\ndef receipt(items):\n    return f\"You pay {totl(items)}\"\n"}),
    ));
    steps
}

/// Three places of one file.
fn clean_edit() -> Vec<(&'static str, Value)> {
    let edit = |old: &str, new: &str| json!({"old_string": old, "new_string": new});
    vec![(
        "edit_file",
        json!({"path": "src/cart.py", "edits": [
            edit("CURRENCY = \"EUR\"\n", "CURRENCY = \"EUR\"\nROUNDING = 2\n"),
            edit("    return sum(item.price for item in items)\n", "    return round(sum(item.price * item.count for item in items), ROUNDING)\n"),
            edit("    return not items\n", "    return len(items) == 0\n"),
        ]}),
    )]
}

/// A text edit through a whole function is refused; the symbol edit that the refusal names lands.
fn structural_edit() -> Vec<(&'static str, Value)> {
    let old =
        "def discount(total):\n    if total > 100:\n        return total * 0.9\n    return total\n";
    let new = "def discount(total, rate=0.1):\n    if total > 100:\n        return total * (1 - rate)\n    return total\n";
    vec![
        ("edit_file", json!({"path": "src/checkout.py", "old_string": old, "new_string": new})),
        (
            "edit_code",
            json!({"path": "src/checkout.py", "symbol": "discount", "action": "replace", "body": new}),
        ),
    ]
}

struct Agent {
    reader: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    next_id: u64,
    greeted: bool,
}

impl Agent {
    fn connect(engine: Arc<Engine>) -> Self {
        let (ours, theirs) = tokio::io::duplex(256 * 1024);
        let (reader, writer) = tokio::io::split(theirs);
        tokio::spawn(crate::mcp::serve(engine, reader, writer));
        let (reader, writer) = tokio::io::split(ours);
        let reader = BufReader::new(reader).lines();
        Self { reader, writer, next_id: 1, greeted: false }
    }

    /// Calls a tool; `None` when the server is gone.
    async fn call(&mut self, tool: &str, arguments: Value) -> Option<Value> {
        if !self.greeted {
            let hello = json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "demo-agent", "version": "1.0"},
            });
            self.request("initialize", hello).await?;
            self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await?;
            self.greeted = true;
        }
        self.request("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    async fn request(&mut self, method: &str, params: Value) -> Option<Value> {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await?;
        loop {
            let line = self.reader.next_line().await.ok()??;
            let message: Value = serde_json::from_str(&line).ok()?;
            if message["id"] == id {
                return Some(message);
            }
        }
    }

    async fn send(&mut self, message: &Value) -> Option<()> {
        self.writer.write_all(format!("{message}\n").as_bytes()).await.ok()
    }
}
