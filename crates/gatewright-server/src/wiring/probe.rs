//! Proof that the wiring holds: a real event to the hook, a real conversation with the server.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::Duration;

use serde_json::{Value, json};

use super::agent::{AgentName, Machine};
use super::plan::{Direction, FileChange, Plan, plan};
use super::targets::{Parts, Scope};
use super::{WiringError, io};

/// The file that a probe tries to write: outside of the workspace, never there.
const OUTSIDE: &str = "../gatewright-doctor";
/// How long a probe may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is started for a probe.
#[derive(Debug, Clone, Copy)]
pub struct Probe<'a> {
    /// This binary.
    pub binary: &'a Path,
    /// The folder that is guarded.
    pub root: &'a Path,
}

/// What came of a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeResult {
    /// Whether it holds.
    pub is_good: bool,
    /// What was seen.
    pub detail: String,
}

impl ProbeResult {
    fn bad(detail: impl Into<String>) -> Self {
        Self { is_good: false, detail: detail.into() }
    }
}

/// An agent that is wired.
#[derive(Debug)]
pub struct Wired {
    /// The agent.
    pub agent: AgentName,
    /// In whose files.
    pub scope: Scope,
    /// The parts that are in place.
    pub parts: Parts,
    /// Why the wiring is not what `init` would write now.
    pub complaint: Option<String>,
}

/// The agents that are wired, as their files tell.
pub fn wired_agents(machine: &Machine, probe: Probe<'_>, state: &Path) -> Vec<Wired> {
    let mut wired: Vec<Wired> = Vec::new();
    for scope in [Scope::Project, Scope::User] {
        for agent in AgentName::ALL {
            let look = |parts, direction| {
                let (root, binary) = (probe.root, probe.binary);
                plan(&[agent], &Plan { machine, root, state, binary, scope, parts, direction })
            };
            let Some(found) = wiring_of(agent, scope, look) else { continue };
            // Some hosts keep one server for all projects, and Copilot shares the file of
            // Claude Code: such a server alone is not a wiring of its own.
            let is_known = wired.iter().any(|known| known.agent == agent);
            let is_borrowed = agent == AgentName::Copilot && scope == Scope::Project;
            let is_told = !is_known || found.complaint.is_some();
            if found.parts.hooks || (is_told && !is_borrowed) {
                wired.push(found);
            }
        }
    }
    wired
}

fn wiring_of(
    agent: AgentName,
    scope: Scope,
    look: impl Fn(Parts, Direction) -> Result<Vec<FileChange>, WiringError>,
) -> Option<Wired> {
    let is_wired = |parts| look(parts, Direction::Uninstall).map(|changes| !changes.is_empty());
    let seen =
        (is_wired(Parts { hooks: true, mcp: false }), is_wired(Parts { hooks: false, mcp: true }));
    let (parts, complaint) = match seen {
        (Ok(false), Ok(false)) => return None,
        (Ok(hooks), Ok(mcp)) => {
            let parts = Parts { hooks, mcp };
            (parts, outdated(agent, look(parts, Direction::Install)))
        }
        (Err(error), other) | (other, Err(error)) => {
            let parts = Parts { hooks: false, mcp: other.unwrap_or(false) };
            (parts, Some(error.to_string()))
        }
    };
    Some(Wired { agent, scope, parts, complaint })
}

fn outdated(agent: AgentName, install: Result<Vec<FileChange>, WiringError>) -> Option<String> {
    match install {
        Ok(changes) if changes.is_empty() => None,
        Ok(_) => Some(format!(
            "wired to another place or in an older form: run gatewright init --agent {agent}"
        )),
        Err(error) => Some(error.to_string()),
    }
}

/// Sends a write outside of the workspace in the host's own form, and expects a denial.
pub fn probe_hook(agent: AgentName, probe: Probe<'_>) -> ProbeResult {
    let event = event_of(agent, &probe.root.display().to_string()).to_string();
    let arguments = arguments(probe, &["hook", "--wait", "0"]);
    let child = match io::spawn(probe.binary, &arguments, probe.root) {
        Ok(child) => child,
        Err(error) => return ProbeResult::bad(format!("the hook does not start: {error}")),
    };
    let (stdout, code) = match converse(child, event.into_bytes()) {
        Ok(answer) => answer,
        Err(reason) => return ProbeResult::bad(reason),
    };
    let answer: Value = serde_json::from_slice(&stdout).unwrap_or_default();
    if is_denied(&answer, code) {
        return ProbeResult { is_good: true, detail: format!("a write to {OUTSIDE} is denied") };
    }
    ProbeResult::bad(format!("a write to {OUTSIDE} is not denied: {answer}"))
}

/// Opens a session with the server and asks for its tools.
pub fn probe_mcp(probe: Probe<'_>) -> ProbeResult {
    let mut child = match io::spawn(probe.binary, &arguments(probe, &["mcp"]), probe.root) {
        Ok(child) => child,
        Err(error) => return ProbeResult::bad(format!("the server does not start: {error}")),
    };
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let _ = sender.send(stdin.zip(stdout).and_then(|(stdin, stdout)| tools(stdin, stdout)));
    });
    let counted = receiver.recv_timeout(PATIENCE).ok().flatten();
    let _ = child.kill();
    let _ = child.wait();
    match counted {
        Some(count) if count > 0 => {
            ProbeResult { is_good: true, detail: format!("the server answers with {count} tools") }
        }
        _ => ProbeResult::bad("the server does not answer"),
    }
}

fn arguments(probe: Probe<'_>, command: &[&str]) -> Vec<String> {
    let root = ["--root".to_owned(), probe.root.display().to_string()];
    root.into_iter().chain(command.iter().map(|word| (*word).to_owned())).collect()
}

/// All of the answer, and the exit code; a process that does not end is stopped.
fn converse(mut child: Child, input: Vec<u8>) -> Result<(Vec<u8>, i32), String> {
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut answer = Vec::new();
        if let Some((mut stdin, mut stdout)) = stdin.zip(stdout) {
            let _ = stdin.write_all(&input);
            drop(stdin);
            let _ = stdout.read_to_end(&mut answer);
        }
        let _ = sender.send(answer);
    });
    let answer = receiver.recv_timeout(PATIENCE);
    if answer.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| format!("the hook does not end: {error}"))?;
    let answer = answer.map_err(|_| "the hook does not answer in time".to_owned())?;
    Ok((answer, status.code().unwrap_or(-1)))
}

fn tools(mut stdin: ChildStdin, stdout: ChildStdout) -> Option<usize> {
    let mut lines = BufReader::new(stdout).lines();
    let mut ask = |message: Value| -> Option<Value> {
        writeln!(stdin, "{message}").ok()?;
        message.get("id")?;
        serde_json::from_str(&lines.next()?.ok()?).ok()
    };
    ask(json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "gatewright-doctor", "version": env!("CARGO_PKG_VERSION") },
        },
    }))?;
    ask(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let answer = ask(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }))?;
    Some(answer.pointer("/result/tools")?.as_array()?.len())
}

/// Whether an answer denies, in any host's form.
fn is_denied(answer: &Value, code: i32) -> bool {
    let text = |pointer: &str| answer.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    code == 2
        || text("/hookSpecificOutput/permissionDecision") == "deny"
        || text("/permissionDecision") == "deny"
        || text("/permission") == "deny"
        || matches!(text("/decision"), "deny" | "block")
        || answer.get("cancel") == Some(&Value::Bool(true))
}

/// An event as the host sends it before a write outside of the workspace.
fn event_of(agent: AgentName, root: &str) -> Value {
    let write = json!({ "file_path": OUTSIDE, "content": "x" });
    let patch = format!("*** Begin Patch\n*** Add File: {OUTSIDE}\n+x\n*** End Patch\n");
    match agent {
        AgentName::ClaudeCode => json!({
            "session_id": "doctor", "transcript_path": "", "cwd": root,
            "permission_mode": "default", "hook_event_name": "PreToolUse",
            "tool_name": "Write", "tool_input": write, "tool_use_id": unique(),
        }),
        AgentName::Codex => json!({
            "session_id": "doctor", "turn_id": "1", "transcript_path": "", "cwd": root,
            "hook_event_name": "PreToolUse", "model": "doctor", "permission_mode": "default",
            "tool_name": "apply_patch", "tool_input": { "command": patch },
            "tool_use_id": unique(),
        }),
        AgentName::Gemini => json!({
            "session_id": "doctor", "transcript_path": "", "cwd": root,
            "hook_event_name": "BeforeTool", "timestamp": "2026-01-01T00:00:00Z",
            "tool_name": "write_file", "tool_input": write,
        }),
        AgentName::OpenCode => json!({
            "host": "opencode", "event": "tool.execute.before", "cwd": root, "tool": "write",
            "sessionID": "doctor", "callID": unique(),
            "args": { "filePath": OUTSIDE, "content": "x" },
        }),
        AgentName::Copilot => json!({
            "sessionId": "doctor", "timestamp": 0, "cwd": root, "toolName": "create",
            "toolArgs": { "path": OUTSIDE, "file_text": "x" },
        }),
        AgentName::VsCode => json!({
            "sessionId": "doctor", "timestamp": "2026-01-01T00:00:00Z", "cwd": root,
            "hookEventName": "PreToolUse", "tool_name": "create_file",
            "tool_input": { "filePath": OUTSIDE, "content": "x" }, "tool_use_id": unique(),
        }),
        AgentName::Cursor => json!({
            "conversation_id": "doctor", "generation_id": unique(), "cursor_version": "2.0.0",
            "hook_event_name": "preToolUse", "workspace_roots": [root],
            "tool_name": "Write", "tool_input": write,
        }),
        AgentName::Windsurf => json!({
            "agent_action_name": "pre_write_code", "trajectory_id": "doctor",
            "execution_id": unique(),
            "tool_info": {
                "file_path": OUTSIDE, "edits": [{ "old_string": "", "new_string": "x" }],
            },
        }),
        AgentName::Cline => json!({
            "clineVersion": "3.0.0", "hookName": "PreToolUse", "timestamp": "0",
            "taskId": unique(), "workspaceRoots": [root],
            "preToolUse": {
                "toolName": "write_to_file", "parameters": { "path": OUTSIDE, "content": "x" },
            },
        }),
    }
}

/// A call that was never answered before.
fn unique() -> String {
    uuid::Uuid::now_v7().to_string()
}
