//! What each host enforces, where it fails open by its own design, and how to close that.

use super::agent::AgentName;

/// What a person should know of a host.
#[derive(Debug, Clone, Copy)]
pub struct HostNotes {
    /// What holds.
    pub enforced: &'static str,
    /// What the host lets through when a hook fails or is not asked.
    pub fails_open: &'static str,
    /// How to close it, as far as it can be closed.
    pub close: &'static str,
    /// What is left to do by hand after wiring.
    pub after_wiring: Option<&'static str>,
}

/// The notes of an agent.
pub fn notes(agent: AgentName) -> HostNotes {
    match agent {
        AgentName::ClaudeCode => CLAUDE_CODE,
        AgentName::Codex => CODEX,
        AgentName::Gemini => GEMINI,
        AgentName::OpenCode => OPENCODE,
        AgentName::Copilot => COPILOT,
        AgentName::VsCode => VSCODE,
        AgentName::Cursor => CURSOR,
        AgentName::Windsurf => WINDSURF,
        AgentName::Cline => CLINE,
    }
}

const CLAUDE_CODE: HostNotes = HostNotes {
    enforced: "every tool call before it runs, with rewriting to the accepted hunks; \
               tool output is redacted; a hook that fails blocks (onFailure: block)",
    fails_open: "sessions started with --bare or --safe-mode, or with disableAllHooks",
    close: "managed settings with allowManagedHooksOnly and the hooks of gatewright",
    after_wiring: Some("Claude Code asks once to approve the server of a project"),
};

const CODEX: HostNotes = HostNotes {
    enforced: "apply_patch, shell and MCP calls before they run",
    fails_open: "a hook that crashes or runs out of time lets the call go on; a hook that \
                 was not trusted does not run; single results cannot be redacted by field",
    close: "managed requirements.toml with allow_managed_hooks_only; keep the sandbox on",
    after_wiring: Some("Codex asks once to trust the hook: open it and accept"),
};

const GEMINI: HostNotes = HostNotes {
    enforced: "every tool call before it runs; a result with secrets is replaced",
    fails_open: "a hook that ends with a code other than 0 and 2 is a warning, and the \
                 call goes on",
    close: "gatewright itself answers 2 on every failure of its own; keep the binary where \
            it is wired",
    after_wiring: None,
};

const OPENCODE: HostNotes = HostNotes {
    enforced: "every tool call before it runs, and its output; when the binary cannot \
               run, the plugin lets only tools that read go on",
    fails_open: "a plugin that the host does not load is not asked",
    close: "restart opencode after wiring and look for the plugin in its log",
    after_wiring: None,
};

const COPILOT: HostNotes = HostNotes {
    enforced: "every tool call before it runs; a hook that crashes denies",
    fails_open: "a hook that runs out of time (timeoutSec) lets the call go on",
    close: "gatewright answers within half of the limit; a machine policy in \
            /etc/github-copilot/policy.d cannot be removed by a project",
    after_wiring: None,
};

const VSCODE: HostNotes = HostNotes {
    enforced: "every tool call before it runs",
    fails_open: "a hook that ends with a code other than 0 and 2 is a warning; output is \
                 not redacted by the host",
    close: "use the MCP tools of gatewright for reading: their answers are redacted",
    after_wiring: Some("start the server once in .vscode/mcp.json, and trust it"),
};

const CURSOR: HostNotes = HostNotes {
    enforced: "tool calls, shell and MCP calls before they run; a hook that fails blocks \
               (failClosed: true)",
    fails_open: "Tab completions and files already open in the editor are not asked about; \
                 only MCP output can be redacted",
    close: "keep secrets out of open editors; a machine file in /etc/cursor/hooks.json \
            cannot be removed by a project",
    after_wiring: None,
};

const WINDSURF: HostNotes = HostNotes {
    enforced: "writes and commands before they run, by exit code 2",
    fails_open: "any other exit code lets the call go on; no rewriting, no redaction",
    close: "a machine file in /etc/windsurf/hooks.json cannot be removed by a project",
    after_wiring: Some("the MCP server is one per user: it serves the folder wired last"),
};

const CLINE: HostNotes = HostNotes {
    enforced: "every tool call before it runs; the script cancels when the binary cannot \
               answer",
    fails_open: "hooks that are switched off in Cline's settings; no rewriting, no redaction",
    close: "switch hooks on in Cline's settings; a plugin of your own can set \
            failureMode: fail_closed",
    after_wiring: Some("the MCP server is one per user: it serves the folder wired last"),
};
