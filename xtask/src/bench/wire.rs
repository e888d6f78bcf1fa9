//! A small MCP client over pipes: JSON-RPC, one message a line.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::failure::Failure;

/// A server that we started, ready for tool calls.
pub struct Client {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next_id: u64,
    /// When the last line came.
    heard: Instant,
}

impl Client {
    /// Starts the server and shakes hands.
    pub fn start(command: &mut Command) -> Result<Self, Failure> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let failed = |source| Failure::Io { what: "start the server".to_owned(), source };
        let mut child = command.spawn().map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) =
            pipes.ok_or_else(|| Failure::unexpected("bug: the server has no pipes"))?;
        let (stdout, heard) = (BufReader::new(stdout), Instant::now());
        let mut client = Self { child, stdin, stdout, next_id: 1, heard };
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "gatewright-bench", "version": "1" },
        });
        client.request("initialize", &hello)?;
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(client)
    }

    /// Calls a tool; a refusal or an error is a failure of the benchmark.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<(), Failure> {
        self.timed_call(tool, arguments).map(drop)
    }

    /// The same, with the time until the answer was there. What it costs to read its JSON is ours.
    pub fn timed_call(&mut self, tool: &str, arguments: &Value) -> Result<Duration, Failure> {
        let start = Instant::now();
        let result =
            self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))?;
        if result["isError"] == true {
            return Err(Failure::unexpected(format!("{tool} was refused: {result}")));
        }
        Ok(self.heard.duration_since(start))
    }

    /// The most memory that the server has had resident, in KiB.
    pub fn peak_kib(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.split_whitespace().next()?.parse().ok()
    }

    fn request(&mut self, method: &str, parameters: &Value) -> Result<Value, Failure> {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }))?;
        loop {
            let message = self.receive()?;
            if message["id"] != id {
                // A notification, or a question that a benchmark does not answer.
                continue;
            }
            if let Some(error) = message.get("error") {
                return Err(Failure::unexpected(format!("{method} failed: {error}")));
            }
            return Ok(message["result"].clone());
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), Failure> {
        let failed = |source| Failure::Io { what: "write to the server".to_owned(), source };
        let mut line = message.to_string();
        line.push('\n');
        self.stdin.write_all(line.as_bytes()).and_then(|()| self.stdin.flush()).map_err(failed)
    }

    fn receive(&mut self) -> Result<Value, Failure> {
        let failed = |source| Failure::Io { what: "read from the server".to_owned(), source };
        let mut line = String::new();
        if self.stdout.read_line(&mut line).map_err(failed)? == 0 {
            return Err(Failure::unexpected("the server ended"));
        }
        self.heard = Instant::now();
        serde_json::from_str(&line)
            .map_err(|error| Failure::unexpected(format!("the server sent no JSON: {error}")))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It is our own child, and nothing is left to ask it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
