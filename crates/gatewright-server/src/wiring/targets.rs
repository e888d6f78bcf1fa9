//! What each host needs: the files, and the entries in them.

use std::path::{Path, PathBuf};

use jsonc_parser::cst::CstInputValue;

use super::agent::{AgentName, Machine};
use super::entry::{Entry, shell_word};
use super::io;

/// The plugin of opencode, as it ships.
const OPENCODE_PLUGIN: &str = include_str!("../../../../integrations/opencode/gatewright.js");
/// How the plugin names the binary.
const OPENCODE_BINARY: &str = "|| \"gatewright\"";
/// How long hosts that let us say so wait for a hook, in seconds.
const HOOK_SECONDS: u32 = 60;

/// Whose configuration is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The project's, which a team shares.
    Project,
    /// The user's, for every project.
    User,
}

/// Which parts are wired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// The hooks.
    pub hooks: bool,
    /// The MCP server.
    pub mcp: bool,
}

/// How hosts start this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    program: String,
    root: PathBuf,
    is_portable: bool,
}

impl Launch {
    /// By its plain name in files that a team shares, where that name leads to this very
    /// binary; by its absolute path else.
    pub fn new(binary: &Path, root: &Path, scope: Scope, machine: &Machine) -> Self {
        let named = machine.program("gatewright");
        let is_portable =
            scope == Scope::Project && named.is_some_and(|named| io::is_same_file(&named, binary));
        let program =
            if is_portable { "gatewright".to_owned() } else { binary.display().to_string() };
        Self { program, root: root.to_owned(), is_portable }
    }

    fn hook(&self) -> String {
        format!("{} hook", shell_word(&self.program))
    }

    /// The arguments of the server in this project's own files.
    fn mcp_here(&self, scope: Scope) -> Vec<String> {
        if self.is_portable || scope == Scope::User { vec!["mcp".to_owned()] } else { self.mcp() }
    }

    /// The arguments of the server with the folder named.
    fn mcp(&self) -> Vec<String> {
        vec!["--root".to_owned(), self.root.display().to_string(), "mcp".to_owned()]
    }
}

/// One file that is to hold something of ours.
#[derive(Debug, Clone)]
pub struct Target {
    /// The file.
    pub path: PathBuf,
    /// The directory above it that always stays.
    pub stop: PathBuf,
    /// What it is to hold.
    pub content: Content,
}

/// What a file is to hold.
#[derive(Debug, Clone)]
pub enum Content {
    /// Entries among others, in JSON with or without comments.
    Json(Vec<Entry>),
    /// Our server in Codex's TOML.
    Toml {
        /// The program.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// The whole file is ours.
    Whole {
        /// All of it.
        text: String,
        /// What such a file of ours always contains.
        marker: &'static str,
        /// Whether it is run.
        is_executable: bool,
    },
}

/// Everything that the targets of one agent depend on.
pub struct Wish<'a> {
    /// This machine.
    pub machine: &'a Machine,
    /// The project.
    pub root: &'a Path,
    /// Whose files.
    pub scope: Scope,
    /// How we are started.
    pub launch: &'a Launch,
}

/// The files of an agent.
pub fn targets(agent: AgentName, parts: Parts, wish: &Wish<'_>) -> Vec<Target> {
    let mut targets = Vec::new();
    if parts.hooks {
        targets.push(hooks(agent, wish));
    }
    if parts.mcp {
        targets.push(mcp(agent, wish));
    }
    targets
}

impl Wish<'_> {
    /// A file with what it is to hold; directories are cleaned up below the project or the home.
    fn target(&self, path: PathBuf, content: Content) -> Target {
        let stop = if path.starts_with(self.root) { self.root } else { &self.machine.home };
        Target { stop: stop.to_owned(), path, content }
    }

    /// A file of the project or of the user, by scope.
    fn file(&self, project: &str, user: PathBuf) -> PathBuf {
        match self.scope {
            Scope::Project => self.root.join(project),
            Scope::User => user,
        }
    }

    fn json(&self, path: PathBuf, entries: Vec<Entry>) -> Target {
        self.target(path, Content::Json(entries))
    }
}

fn hooks(agent: AgentName, wish: &Wish<'_>) -> Target {
    let home = &wish.machine.home;
    match agent {
        AgentName::ClaudeCode => {
            let path = wish.file(".claude/settings.json", home.join(".claude/settings.json"));
            let handler =
                || command_hook(wish, &[seconds("timeout"), ("onFailure", text("block"))]);
            let group = || object(&[("matcher", text("*")), ("hooks", list([handler()]))]);
            wish.json(path, vec![hook("PreToolUse", group()), hook("PostToolUse", group())])
        }
        AgentName::Codex => {
            let path = wish.file(".codex/hooks.json", wish.machine.codex_home().join("hooks.json"));
            let group = || object(&[("hooks", list([command_hook(wish, &[])]))]);
            wish.json(path, vec![hook("PreToolUse", group()), hook("PostToolUse", group())])
        }
        AgentName::Gemini => {
            let path = wish.file(".gemini/settings.json", home.join(".gemini/settings.json"));
            let limit = CstInputValue::Number((HOOK_SECONDS * 1000).to_string());
            let handler =
                || command_hook(wish, &[("name", text("gatewright")), ("timeout", limit.clone())]);
            let group = || object(&[("matcher", text(".*")), ("hooks", list([handler()]))]);
            wish.json(path, vec![hook("BeforeTool", group()), hook("AfterTool", group())])
        }
        AgentName::OpenCode => opencode_plugin(wish),
        AgentName::Copilot | AgentName::VsCode => {
            let path = wish
                .file(".github/hooks/gatewright.json", home.join(".copilot/hooks/gatewright.json"));
            let handler = || command_hook(wish, &[seconds("timeoutSec")]);
            let hooks = [hook("preToolUse", handler()), hook("postToolUse", handler())];
            wish.json(path, with_version(hooks))
        }
        AgentName::Cursor => cursor_hooks(wish),
        AgentName::Windsurf => {
            let path = wish.file(".windsurf/hooks.json", home.join(".codeium/windsurf/hooks.json"));
            let shown = CstInputValue::Bool(true);
            let handler = || {
                object(&[("command", text(&wish.launch.hook())), ("show_output", shown.clone())])
            };
            let events = [
                "pre_write_code",
                "pre_run_command",
                "pre_mcp_tool_use",
                "post_write_code",
                "post_run_command",
                "post_mcp_tool_use",
            ];
            wish.json(path, events.map(|event| hook(event, handler())).to_vec())
        }
        AgentName::Cline => cline_script(wish),
    }
}

fn cursor_hooks(wish: &Wish<'_>) -> Target {
    let user = wish.machine.home.join(".cursor/hooks.json");
    let command = ("command", text(&wish.launch.hook()));
    let closed = ("failClosed", CstInputValue::Bool(true));
    let before = object(&[command.clone(), seconds("timeout"), closed]);
    let after = object(&[command, seconds("timeout")]);
    let asked = ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "postToolUse"];
    // These are only told: what was changed without a door is seen in time.
    let told = ["afterShellExecution", "afterMCPExecution", "afterFileEdit"];
    let asked = asked.map(|event| hook(event, before.clone()));
    let told = told.map(|event| hook(event, after.clone()));
    let path = wish.file(".cursor/hooks.json", user);
    wish.json(path, with_version(asked.into_iter().chain(told)))
}

fn mcp(agent: AgentName, wish: &Wish<'_>) -> Target {
    let (home, scope) = (&wish.machine.home, wish.scope);
    let config = wish.machine.config_home();
    let here = wish.launch.mcp_here(scope);
    let plain = |arguments: &[String]| server(wish, &[], arguments);
    let (path, entry) = match agent {
        AgentName::ClaudeCode => (wish.file(".mcp.json", home.join(".claude.json")), plain(&here)),
        AgentName::Codex => {
            let path =
                wish.file(".codex/config.toml", wish.machine.codex_home().join("config.toml"));
            let program = wish.launch.program.clone();
            let content = Content::Toml { program, arguments: here };
            return wish.target(path, content);
        }
        AgentName::Gemini => {
            let path = wish.file(".gemini/settings.json", home.join(".gemini/settings.json"));
            (path, plain(&here))
        }
        AgentName::OpenCode => return opencode_server(wish, &here),
        AgentName::Copilot => {
            let tools = ("tools", list([text("*")]));
            let fields = [("type", text("local")), tools];
            (
                wish.file(".mcp.json", home.join(".copilot/mcp-config.json")),
                match scope {
                    Scope::Project => plain(&here),
                    Scope::User => server(wish, &fields, &here),
                },
            )
        }
        AgentName::VsCode => {
            let path = wish.file(".vscode/mcp.json", config.join("Code/User/mcp.json"));
            let value = object(&server_fields(wish, &[("type", text("stdio"))], &in_editor()));
            let entry = Entry::Property { parents: &["servers"], name: "gatewright", value };
            return wish.json(path, vec![entry]);
        }
        AgentName::Cursor => {
            let path = wish.file(".cursor/mcp.json", home.join(".cursor/mcp.json"));
            (path, plain(&in_editor()))
        }
        AgentName::Windsurf => {
            (home.join(".codeium/windsurf/mcp_config.json"), plain(&wish.launch.mcp()))
        }
        AgentName::Cline => (cline_settings(wish), plain(&wish.launch.mcp())),
    };
    wish.json(path, vec![entry])
}

/// Editors name the folder themselves.
fn in_editor() -> Vec<String> {
    ["--root", "${workspaceFolder}", "mcp"].map(str::to_owned).to_vec()
}

fn opencode_server(wish: &Wish<'_>, arguments: &[String]) -> Target {
    let folder = match wish.scope {
        Scope::Project => wish.root.to_owned(),
        Scope::User => wish.machine.config_home().join("opencode"),
    };
    let path =
        io::first_existing(vec![folder.join("opencode.json"), folder.join("opencode.jsonc")]);
    let words = std::iter::once(&wish.launch.program).chain(arguments).map(|word| text(word));
    let value = object(&[
        ("type", text("local")),
        ("command", CstInputValue::Array(words.collect())),
        ("enabled", CstInputValue::Bool(true)),
    ]);
    wish.json(path, vec![Entry::Property { parents: &["mcp"], name: "gatewright", value }])
}

fn opencode_plugin(wish: &Wish<'_>) -> Target {
    let user = wish.machine.config_home().join("opencode/plugins/gatewright.js");
    let binary = format!("|| {}", serde_json::Value::from(wish.launch.program.as_str()));
    let content = Content::Whole {
        text: OPENCODE_PLUGIN.replace(OPENCODE_BINARY, &binary),
        marker: "The opencode plugin of Gatewright",
        is_executable: false,
    };
    let path = wish.file(".opencode/plugins/gatewright.js", user);
    wish.target(path, content)
}

/// A hook that denies by itself when the binary cannot answer.
fn cline_script(wish: &Wish<'_>) -> Target {
    let user = wish.machine.home.join("Documents/Cline/Hooks/PreToolUse");
    let command = wish.launch.hook();
    let text = format!(
        "#!/bin/sh\n\
         # Written by `gatewright init`; `gatewright init --uninstall` takes it out.\n\
         # When the binary cannot answer, the call is cancelled: the hook fails closed.\n\
         if answer=$({command}); then\n  printf '%s\\n' \"$answer\"\n  exit 0\nfi\n\
         printf '%s\\n' '{{\"cancel\":true,\"errorMessage\":\"refused, because Gatewright cannot \
         judge it: run gatewright doctor\"}}'\n"
    );
    let marker = "Written by `gatewright init`";
    let content = Content::Whole { text, marker, is_executable: true };
    let path = wish.file(".clinerules/hooks/PreToolUse", user);
    wish.target(path, content)
}

fn cline_settings(wish: &Wish<'_>) -> PathBuf {
    const FILE: &str = "settings/cline_mcp_settings.json";
    let own = wish.machine.home.join(".cline/data");
    let storage = "Code/User/globalStorage/saoudrizwan.claude-dev";
    let editor = wish.machine.config_home().join(storage);
    let is_in_editor = io::is_directory(&editor) && !io::is_directory(&own);
    if is_in_editor { editor.join(FILE) } else { own.join(FILE) }
}

/// A field of an object.
type Field = (&'static str, CstInputValue);

fn server(wish: &Wish<'_>, first: &[Field], arguments: &[String]) -> Entry {
    let value = object(&server_fields(wish, first, arguments));
    Entry::Property { parents: &["mcpServers"], name: "gatewright", value }
}

fn server_fields(wish: &Wish<'_>, first: &[Field], arguments: &[String]) -> Vec<Field> {
    let words = CstInputValue::Array(arguments.iter().map(|word| text(word)).collect());
    let own = [("command", text(&wish.launch.program)), ("args", words)];
    first.iter().cloned().chain(own).collect()
}

fn with_version(hooks: impl IntoIterator<Item = Entry>) -> Vec<Entry> {
    let version = CstInputValue::Number("1".to_owned());
    let first = Entry::Default { name: "version", value: version };
    std::iter::once(first).chain(hooks).collect()
}

fn command_hook(wish: &Wish<'_>, more: &[Field]) -> CstInputValue {
    let own = [("type", text("command")), ("command", text(&wish.launch.hook()))];
    object(&own.into_iter().chain(more.iter().cloned()).collect::<Vec<_>>())
}

fn hook(event: &'static str, value: CstInputValue) -> Entry {
    Entry::Hook { event, value }
}

fn seconds(name: &'static str) -> Field {
    (name, CstInputValue::Number(HOOK_SECONDS.to_string()))
}

fn text(text: &str) -> CstInputValue {
    CstInputValue::String(text.to_owned())
}

fn list(items: impl IntoIterator<Item = CstInputValue>) -> CstInputValue {
    CstInputValue::Array(items.into_iter().collect())
}

fn object(fields: &[Field]) -> CstInputValue {
    let owned = fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    CstInputValue::Object(owned.collect())
}
