//! `gatewright proxy`: any MCP server on standard input and output, with our guards before it.
//!
//! What the server says is redacted; a call that writes is judged first, and a
//! refused one is answered here and never reaches the server. Everything else
//! passes through, byte for byte, whichever revision it speaks. Every call that writes
//! leaves a receipt: refused, allowed with its content, or passed on by its paths alone.
//! What it has written is then seen in the tree: as allowed, or else as unguarded.
//! `judge.rs` tells writing tools from others, `arguments.rs` reads what they are given,
//! `lines.rs` reads lines of a bounded length.

mod arguments;
mod judge;
mod lines;

use std::collections::BTreeMap;
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gatewright_engine::{Engine, Witness};
use gatewright_model::{Agent, Door};
use serde_json::{Value, json};

use super::io;
use crate::patient::Patient;
pub use judge::Rules;
use judge::Tools;
use lines::{Line, Lines};

/// How long a server may go on once the client is gone.
const GRACE: Duration = Duration::from_secs(5);
const STEP: Duration = Duration::from_millis(20);

/// Where a request of the wire without sessions names its revision.
const REVISION: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

/// Why a proxy cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ProxyError {
    /// The server does not start.
    #[error("cannot start {program}: {source}")]
    Start {
        /// The program.
        program: String,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A pipe failed.
    #[error("the pipe to the server failed: {0}")]
    Pipe(#[from] std::io::Error),
}

/// Runs a server behind the guards, on this process's standard input and output.
/// Gives back the server's exit code.
pub fn run(engine: Engine, rules: Rules, command: &[String]) -> Result<i32, ProxyError> {
    serve(engine, rules, command, Patient(std::io::stdin()), Patient(std::io::stdout()))
}

/// The same on other streams.
pub fn serve<R, W>(
    engine: Engine,
    rules: Rules,
    command: &[String],
    input: R,
    output: W,
) -> Result<i32, ProxyError>
where
    R: Read + Send + 'static,
    W: Write + Send + 'static,
{
    let (program, arguments) = command.split_first().ok_or_else(|| {
        let source = std::io::Error::other("no command was given");
        ProxyError::Start { program: String::new(), source }
    })?;
    let mut child = io::spawn_server(program, arguments)
        .map_err(|source| ProxyError::Start { program: program.clone(), source })?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let shared = Arc::new(Shared {
        engine,
        tools: Mutex::new(Tools::new(rules)),
        writes: Mutex::default(),
        output: Mutex::new(Box::new(output)),
        child: Mutex::new(child),
        is_over: AtomicBool::new(false),
    });
    let sender = Arc::clone(&shared);
    std::thread::spawn(move || sender.relay_client(input, stdin));
    if let Some(stdout) = stdout {
        shared.relay_server(stdout);
    }
    shared.exit_code()
}

struct Shared {
    engine: Engine,
    tools: Mutex<Tools>,
    /// The writing calls that are under way: the id as text, and the tool.
    writes: Mutex<BTreeMap<String, String>>,
    output: Mutex<Box<dyn Write + Send>>,
    child: Mutex<Child>,
    is_over: AtomicBool,
}

fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Passes on what the server says, redacted, until it closes its end.
    fn relay_server(&self, stdout: impl Read) {
        let mut lines = Lines::new(BufReader::new(stdout));
        loop {
            let sent = match lines.next() {
                Line::End => return,
                Line::TooLong { id } => self.send(&too_long(id)),
                Line::Whole(line) => self.send_bytes(&self.redacted(&line)),
            };
            if sent.is_err() {
                self.stop();
                return;
            }
        }
    }

    /// Passes on what the client says, unless it is refused, until it closes its end.
    fn relay_client(&self, input: impl Read, stdin: Option<ChildStdin>) {
        let Some(mut stdin) = stdin else { return };
        let mut lines = Lines::new(BufReader::new(input));
        loop {
            let passed = match lines.next() {
                Line::End => break,
                Line::TooLong { id } => self.send(&too_long(id)),
                Line::Whole(line) => self.admit(&line, &mut stdin),
            };
            if passed.is_err() {
                break;
            }
        }
        // The server reads the end of its input; one that stays is stopped.
        drop(stdin);
        let mut waited = Duration::ZERO;
        while waited < GRACE && !self.is_over.load(Ordering::Acquire) {
            std::thread::sleep(STEP);
            waited += STEP;
        }
        self.stop();
    }

    fn admit(&self, line: &[u8], stdin: &mut ChildStdin) -> std::io::Result<()> {
        let messages = match serde_json::from_slice::<Value>(line) {
            Ok(Value::Array(messages)) => messages,
            Ok(message) => vec![message],
            Err(_) => Vec::new(),
        };
        let refusals: Vec<Value> =
            messages.iter().filter_map(|message| self.refusal(message)).collect();
        if refusals.is_empty() {
            messages.iter().for_each(|message| self.expect_write(message));
            stdin.write_all(line)?;
            return stdin.flush();
        }
        refusals.iter().try_for_each(|refusal| self.send(refusal))
    }

    /// Looks at the tree before a call that writes, so that what it writes is seen.
    fn expect_write(&self, message: &Value) {
        let name = message.pointer("/params/name").and_then(Value::as_str).unwrap_or_default();
        let is_call = message.get("method").is_some_and(|method| method == "tools/call");
        if let Some(id) = message.get("id").filter(|_| is_call)
            && locked(&self.tools).is_writing(name)
        {
            // Looking stops nothing; the next look sees what this one missed.
            let _ = self.engine.notice_changes(&Witness::nobody());
            locked(&self.writes).insert(id.to_string(), name.to_owned());
        }
    }

    /// Records what a call has written, once the server has answered it.
    fn record_write(&self, answer: &Value) {
        let id = answer.get("id").filter(|_| answer.get("method").is_none());
        let tool = id.and_then(|id| locked(&self.writes).remove(&id.to_string()));
        let Some(tool) = tool else { return };
        let agent =
            Agent { name: "proxied server".to_owned(), version: String::new(), door: Door::Proxy };
        let witness = Witness { agent, run_id: "proxy".to_owned(), during: Some(tool) };
        let _ = self.engine.notice_changes(&witness);
    }

    /// The answer to a call that may not be passed on.
    fn refusal(&self, message: &Value) -> Option<Value> {
        if message.get("method")? != "tools/call" {
            return None;
        }
        let refusal = locked(&self.tools).judge(&self.engine, message.get("params")?)?;
        let text = match &refusal.hint {
            Some(hint) => format!("{}\nNext: {hint}", refusal.reason),
            None => refusal.reason.clone(),
        };
        let mut result = json!({
            "isError": true,
            "content": [{ "type": "text", "text": text }],
            "structuredContent": {
                "code": refusal.code, "reason": refusal.reason, "hint": refusal.hint,
                "recoverable": true,
            },
        });
        if message.pointer(REVISION).is_some() {
            result["resultType"] = "complete".into();
        }
        Some(json!({ "jsonrpc": "2.0", "id": message.get("id"), "result": result }))
    }

    /// The line without what must not go out; as it came where there is nothing to hide.
    fn redacted(&self, line: &[u8]) -> Vec<u8> {
        let redactor = self.engine.egress().redactor();
        let Ok(mut value) = serde_json::from_slice::<Value>(line) else {
            return redactor.redact_bytes(line).0;
        };
        locked(&self.tools).learn(&value);
        self.record_write(&value);
        let id = value.get_mut("id").map(Value::take);
        let token = value.pointer_mut("/params/progressToken").map(Value::take);
        let sealed = redactor.redact_json(value);
        if sealed.counts().is_empty() {
            return line.to_vec();
        }
        let mut value = sealed.into_inner();
        if let Some(id) = id {
            value["id"] = id;
        }
        if let Some(token) = token {
            value["params"]["progressToken"] = token;
        }
        format!("{value}\n").into_bytes()
    }

    /// Sends an answer of ours, which quotes the client and so is redacted too.
    fn send(&self, message: &Value) -> std::io::Result<()> {
        self.send_bytes(&self.redacted(format!("{message}\n").as_bytes()))
    }

    fn send_bytes(&self, bytes: &[u8]) -> std::io::Result<()> {
        let mut output = locked(&self.output);
        output.write_all(bytes)?;
        output.flush()
    }

    fn stop(&self) {
        let _ = locked(&self.child).kill();
    }

    /// Waits for the server's end. A server that closed its output is given a while.
    fn exit_code(&self) -> Result<i32, ProxyError> {
        let mut waited = Duration::ZERO;
        loop {
            if let Some(status) = locked(&self.child).try_wait()? {
                self.is_over.store(true, Ordering::Release);
                return Ok(code_of(status));
            }
            if waited >= GRACE {
                self.stop();
            }
            std::thread::sleep(STEP);
            waited += STEP;
        }
    }
}

/// The code as a shell gives it: a signal counts from 128.
fn code_of(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1)
}

fn too_long(id: Option<Value>) -> Value {
    let message = format!("the message is longer than {} bytes and was dropped", lines::MAX_LINE);
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32600, "message": message } })
}
