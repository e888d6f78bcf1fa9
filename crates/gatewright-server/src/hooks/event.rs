//! Which host sent this event, and what it says, in one form for all.
//!
//! Settings files are shared between hosts, so the host is read from the fields
//! of the event and never from how the hook was installed.

use std::time::Duration;

use gatewright_model::{Agent, Door};
use serde_json::{Value, json};

/// An agent whose hooks are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode, through the plugin that ships with Gatewright.
    OpenCode,
    /// Copilot CLI.
    Copilot,
    /// The agent of VS Code.
    VsCode,
    /// Cursor.
    Cursor,
    /// Windsurf.
    Windsurf,
    /// Cline.
    Cline,
}

/// When the event is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Before a tool runs.
    Before,
    /// After a tool ran.
    After,
    /// Anything else.
    Other,
}

/// One event.
#[derive(Debug, Clone)]
pub struct Event {
    /// Who sent it.
    pub host: Host,
    /// When.
    pub moment: Moment,
    /// The event's name, as the host spells it.
    pub name: String,
    /// The tool.
    pub tool: String,
    /// What the tool was given.
    pub input: Value,
    /// What the tool gave back.
    pub output: Option<Value>,
    /// The session.
    pub session: String,
    /// The call, where the host names it.
    pub call_id: Option<String>,
    /// The working directory of the agent.
    pub cwd: Option<String>,
    /// The host's version, where it says so.
    pub version: Option<String>,
}

impl Event {
    /// The agent, as receipts name it.
    pub fn agent(&self, door: Door) -> Agent {
        let version = self.version.clone().unwrap_or_default();
        Agent { name: self.host.name().to_owned(), version, door }
    }

    /// The run that everything of this session belongs to.
    pub fn run_id(&self) -> String {
        format!("{}-{}", self.host.name(), self.session)
    }
}

/// What the bytes hold.
pub enum Decoded {
    /// An event of a host that is understood.
    Event(Box<Event>),
    /// JSON, but no event that is known here.
    Unknown,
    /// No JSON object.
    Garbage(String),
}

impl Host {
    /// The name in receipts.
    pub fn name(self) -> &'static str {
        match self {
            Host::ClaudeCode => "claude-code",
            Host::Codex => "codex",
            Host::Gemini => "gemini-cli",
            Host::OpenCode => "opencode",
            Host::Copilot => "copilot-cli",
            Host::VsCode => "vscode",
            Host::Cursor => "cursor",
            Host::Windsurf => "windsurf",
            Host::Cline => "cline",
        }
    }

    /// Whether a hook may replace the tool's input.
    pub fn can_rewrite(self) -> bool {
        !matches!(self, Host::Windsurf | Host::Cline)
    }

    /// Whether a hook may hand the question to the person at the host.
    pub fn can_ask(self) -> bool {
        matches!(self, Host::ClaudeCode | Host::Copilot | Host::VsCode | Host::Cursor)
    }

    /// How long the host waits for a hook, as far as it says.
    pub fn time_limit(self) -> Duration {
        Duration::from_secs(match self {
            Host::Codex | Host::OpenCode => 600,
            Host::ClaudeCode | Host::Gemini | Host::Cursor => 60,
            Host::Copilot | Host::VsCode | Host::Windsurf | Host::Cline => 30,
        })
    }
}

/// Reads an event.
pub fn decode(bytes: &[u8]) -> Decoded {
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => return Decoded::Garbage(format!("the hook's event is not JSON: {error}")),
    };
    if !value.is_object() {
        return Decoded::Garbage("the hook's event is not a JSON object".to_owned());
    }
    match host_of(&value) {
        Some(host) => Decoded::Event(Box::new(read(host, &value))),
        None => Decoded::Unknown,
    }
}

/// The host, by the fields that only it sends.
fn host_of(value: &Value) -> Option<Host> {
    let has = |key: &str| value.get(key).is_some_and(|field| !field.is_null());
    let name = text(value, &["hook_event_name"]).unwrap_or_default();
    Some(match () {
        () if value.get("host") == Some(&json!("opencode")) => Host::OpenCode,
        () if has("clineVersion") || has("hookName") => Host::Cline,
        () if has("agent_action_name") || has("tool_info") => Host::Windsurf,
        () if has("cursor_version") || (has("conversation_id") && has("generation_id")) => {
            Host::Cursor
        }
        () if matches!(&*name, "BeforeTool" | "AfterTool") || is_other_gemini(&name) => {
            Host::Gemini
        }
        () if has("turn_id") => Host::Codex,
        () if has("toolName") || has("toolArgs") => Host::Copilot,
        () if has("hookEventName") || is_vscode(value) => Host::VsCode,
        () if !name.is_empty() => Host::ClaudeCode,
        () if has("sessionId") && has("timestamp") => Host::Copilot,
        () => return None,
    })
}

fn is_other_gemini(name: &str) -> bool {
    const ONLY_THERE: &[&str] =
        &["BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection"];
    ONLY_THERE.contains(&name) || name == "PreCompress"
}

/// VS Code runs the hooks of other hosts' settings, with its own tools and spelling.
fn is_vscode(value: &Value) -> bool {
    let tool = text(value, &["tool_name"]).unwrap_or_default();
    let is_own_tool = matches!(
        &*tool,
        "create_file"
            | "replace_string_in_file"
            | "multi_replace_string_in_file"
            | "insert_edit_into_file"
            | "run_in_terminal"
    );
    let camel = value.pointer("/tool_input/filePath").is_some();
    is_own_tool || (camel && value.get("permission_mode").is_none())
}

fn read(host: Host, value: &Value) -> Event {
    let name = text(value, &["hook_event_name", "hookEventName", "hookName", "agent_action_name"])
        .or_else(|| text(value, &["event"]))
        .unwrap_or_default();
    let (tool, input, output) = match host {
        Host::Windsurf => windsurf(&name, value),
        Host::Cline => cline(value),
        Host::Cursor => cursor(&name, value),
        _ => plain(value),
    };
    let mut event = Event {
        host,
        moment: Moment::Other,
        tool: tool.unwrap_or_default(),
        input: input.unwrap_or(Value::Null),
        output,
        session: text(value, SESSION).unwrap_or_else(|| "unknown".to_owned()),
        call_id: text(value, CALL),
        cwd: text(value, &["cwd"]).or_else(|| pointer_text(value, "/tool_info/cwd")),
        version: text(value, &["clineVersion", "cursor_version"]),
        name,
    };
    event.moment = moment_of(&event, value);
    event
}

const SESSION: &[&str] =
    &["session_id", "sessionId", "sessionID", "conversation_id", "taskId", "trajectory_id"];
const CALL: &[&str] = &["tool_use_id", "toolUseId", "tool_call_id", "callID", "execution_id"];

/// Tool, input and output of a host.
type Parts = (Option<String>, Option<Value>, Option<Value>);

fn plain(value: &Value) -> Parts {
    let first = |keys: &[&str]| keys.iter().find_map(|key| value.get(*key)).cloned();
    let input = first(&["tool_input", "toolArgs", "args", "toolInput"]).map(parsed);
    let output = first(&["tool_response", "toolResult", "tool_output", "output"]);
    (text(value, &["tool_name", "toolName", "tool"]), input, output)
}

fn windsurf(name: &str, value: &Value) -> Parts {
    let info = value.get("tool_info").cloned();
    if matches!(name, "pre_mcp_tool_use" | "post_mcp_tool_use")
        && let Some(info) = &info
    {
        let fields = ["mcp_server_name", "mcp_tool_name", "mcp_tool_arguments"];
        let (tool, input) = of_server(info, fields);
        return (tool, input, value.pointer("/tool_info/mcp_result").cloned());
    }
    let tool = match name {
        "pre_write_code" | "post_write_code" => "write_code",
        "pre_run_command" | "post_run_command" => "run_command",
        other => other,
    };
    let input = match pointer_text(value, "/tool_info/command_line") {
        Some(command) => Some(json!({ "command": command })),
        None => info,
    };
    (Some(tool.to_owned()), input, None)
}

fn cline(value: &Value) -> Parts {
    let part = value.get("preToolUse").or_else(|| value.get("postToolUse"));
    let Some(part) = part else { return (None, None, None) };
    let tool = text(part, &["toolName", "tool"]);
    let parameters = part.get("parameters").cloned();
    let (tool, input) = match (&tool, &parameters) {
        // The tool of a server, within the one tool that calls them all.
        (Some(name), Some(inner)) if name == "use_mcp_tool" => {
            of_server(inner, ["server_name", "tool_name", "arguments"])
        }
        _ => (tool, parameters),
    };
    (tool, input, part.get("result").cloned())
}

/// The tool of another server and what it is given, from the fields that name them.
fn of_server(call: &Value, fields: [&str; 3]) -> (Option<String>, Option<Value>) {
    let [server, tool, input] = fields;
    let server = text(call, &[server]).unwrap_or_default();
    let tool = text(call, &[tool]).unwrap_or_default();
    (Some(format!("mcp__{server}__{tool}")), call.get(input).cloned().map(parsed))
}

/// An input that some hosts send as a JSON text.
fn parsed(input: Value) -> Value {
    match &input {
        Value::String(text) => match serde_json::from_str(text) {
            Ok(parsed @ Value::Object(_)) => parsed,
            _ => input,
        },
        _ => input,
    }
}

fn cursor(name: &str, value: &Value) -> Parts {
    match name {
        "beforeShellExecution" | "afterShellExecution" => {
            let command = value.get("command").cloned().unwrap_or(Value::Null);
            let input = json!({ "command": command });
            (Some("shell".to_owned()), Some(input), value.get("output").cloned())
        }
        "beforeMCPExecution" | "afterMCPExecution" => {
            let (tool, input, output) = plain(value);
            let output = output.or_else(|| value.get("result_json").cloned());
            // The server is known by the command that the person's settings start.
            let command = text(value, &["command"]).unwrap_or_default();
            let program = command.split_whitespace().next().unwrap_or_default();
            let server = program.rsplit('/').next().unwrap_or_default();
            (tool.map(|tool| format!("mcp__{server}__{tool}")), input, output)
        }
        _ => plain(value),
    }
}

fn moment_of(event: &Event, value: &Value) -> Moment {
    match event.name.as_str() {
        "PreToolUse" | "BeforeTool" | "preToolUse" | "tool.execute.before" => Moment::Before,
        "pre_write_code" | "pre_run_command" | "beforeShellExecution" => Moment::Before,
        "beforeMCPExecution" | "pre_mcp_tool_use" => Moment::Before,
        "PostToolUse" | "AfterTool" | "postToolUse" | "tool.execute.after" => Moment::After,
        "afterMCPExecution" | "afterShellExecution" | "afterFileEdit" => Moment::After,
        "post_write_code" | "post_run_command" | "post_mcp_tool_use" => Moment::After,
        // Copilot's own payloads do not name their event; a result is what tells them apart.
        "" if event.host == Host::Copilot && value.get("toolResult").is_some() => Moment::After,
        "" if event.host == Host::Copilot && !event.tool.is_empty() => Moment::Before,
        _ => Moment::Other,
    }
}

/// The first of these fields that holds text or a number.
pub fn text(value: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match value.get(*key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

fn pointer_text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer)?.as_str().map(str::to_owned)
}
