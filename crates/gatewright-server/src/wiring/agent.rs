//! The agents that can be wired, and how to tell that one is on this machine.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::io;

/// An agent that can be wired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AgentName {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
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

/// What is known of this machine: no more than where to look.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The user's home directory.
    pub home: PathBuf,
    /// `CODEX_HOME`, where it is set.
    pub codex_home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, where it is set.
    pub config_home: Option<PathBuf>,
    /// The value of `PATH`.
    pub search_path: String,
}

/// A name that is none of the agents'.
#[derive(Debug, thiserror::Error)]
#[error("no agent is called {0:?}; there are {list}", list = AgentName::list())]
pub struct UnknownAgent(String);

impl AgentName {
    /// All of them, in the order of their listing.
    pub const ALL: [AgentName; 9] = [
        AgentName::ClaudeCode,
        AgentName::Codex,
        AgentName::Gemini,
        AgentName::OpenCode,
        AgentName::Copilot,
        AgentName::VsCode,
        AgentName::Cursor,
        AgentName::Windsurf,
        AgentName::Cline,
    ];

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            AgentName::ClaudeCode => "claude-code",
            AgentName::Codex => "codex",
            AgentName::Gemini => "gemini",
            AgentName::OpenCode => "opencode",
            AgentName::Copilot => "copilot",
            AgentName::VsCode => "vscode",
            AgentName::Cursor => "cursor",
            AgentName::Windsurf => "windsurf",
            AgentName::Cline => "cline",
        }
    }

    /// The names, for messages.
    pub fn list() -> String {
        Self::ALL.map(AgentName::as_str).join(", ")
    }

    fn programs(self) -> &'static [&'static str] {
        match self {
            AgentName::ClaudeCode => &["claude"],
            AgentName::Codex => &["codex"],
            AgentName::Gemini => &["gemini"],
            AgentName::OpenCode => &["opencode"],
            AgentName::Copilot => &["copilot"],
            AgentName::VsCode => &["code", "code-insiders"],
            AgentName::Cursor => &["cursor", "cursor-agent"],
            AgentName::Windsurf => &["windsurf"],
            AgentName::Cline => &["cline"],
        }
    }

    /// The directories below the home directory that only this agent makes.
    fn directories(self) -> &'static [&'static str] {
        match self {
            AgentName::ClaudeCode => &[".claude"],
            AgentName::Codex => &[".codex"],
            AgentName::Gemini => &[".gemini"],
            AgentName::OpenCode => &[".config/opencode"],
            AgentName::Copilot => &[".copilot"],
            AgentName::VsCode => &[".config/Code", ".vscode"],
            AgentName::Cursor => &[".cursor"],
            AgentName::Windsurf => &[".codeium/windsurf"],
            AgentName::Cline => &[".cline", "Documents/Cline"],
        }
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for AgentName {
    type Err = UnknownAgent;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|agent| agent.as_str() == text);
        found.ok_or_else(|| UnknownAgent(text.to_owned()))
    }
}

impl Machine {
    /// The agents that are here, by their programs or their directories.
    pub fn agents(&self) -> Vec<AgentName> {
        let is_here = |agent: &AgentName| {
            agent.programs().iter().any(|name| self.program(name).is_some())
                || agent.directories().iter().any(|name| io::is_directory(&self.directory(name)))
        };
        AgentName::ALL.into_iter().filter(is_here).collect()
    }

    fn directory(&self, name: &str) -> PathBuf {
        match name.strip_prefix(".config/") {
            Some(name) => self.config_home().join(name),
            None => self.home.join(name),
        }
    }

    /// A program by its name.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let folders = self.search_path.split(':').filter(|folder| !folder.is_empty());
        folders.map(|folder| Path::new(folder).join(name)).find(|path| io::is_executable(path))
    }

    /// Where Codex keeps its files.
    pub fn codex_home(&self) -> PathBuf {
        self.codex_home.clone().unwrap_or_else(|| self.home.join(".codex"))
    }

    /// Where programs keep the user's configuration.
    pub fn config_home(&self) -> PathBuf {
        self.config_home.clone().unwrap_or_else(|| self.home.join(".config"))
    }
}
