//! Who proposes, and through which door.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The agent, or the person's tool, that proposes a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// The name that it gives itself (`claude-code`, `codex`, `cli`).
    pub name: String,
    /// The version that it gives itself; empty when it gives none.
    pub version: String,
    /// The door that it came through.
    pub door: Door,
}

/// The ways into the pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Door {
    /// The command line.
    Cli,
    /// A tool of the MCP server.
    Mcp,
    /// The hook of an agent.
    Hook,
    /// The review page.
    Http,
    /// A wrapped MCP server.
    Proxy,
    /// No door: the tree changed by itself and was found so.
    Unguarded,
    /// Gatewright itself, when it recovers from a crash.
    Recovery,
}

impl Door {
    /// The name in receipts.
    pub fn as_str(self) -> &'static str {
        match self {
            Door::Cli => "cli",
            Door::Mcp => "mcp",
            Door::Hook => "hook",
            Door::Http => "http",
            Door::Proxy => "proxy",
            Door::Unguarded => "unguarded",
            Door::Recovery => "recovery",
        }
    }
}

impl fmt::Display for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
