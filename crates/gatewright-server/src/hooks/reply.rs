//! The answer in the fields that the host accepts, and the one way out.

use gatewright_engine::Engine;
use serde_json::{Value, json};

use super::event::{Event, Host};
use super::verdict::Decision;
use super::{HookAnswer, HookExit};

/// An answer that was not sealed yet.
#[derive(Debug, Clone)]
pub struct Reply {
    stdout: Option<Value>,
    stderr: Option<String>,
    exit: HookExit,
}

impl Reply {
    /// Nothing to say.
    pub fn nothing() -> Self {
        Self { stdout: None, stderr: None, exit: HookExit::Answered }
    }

    /// JSON on standard output.
    pub fn json(value: Value) -> Self {
        Self { stdout: Some(value), stderr: None, exit: HookExit::Answered }
    }

    /// Blocked by the exit code, which every host with one understands.
    pub fn blocked(reason: &str) -> Self {
        Self { stdout: None, stderr: Some(reason.to_owned()), exit: HookExit::Blocked }
    }

    /// The answer with everything hidden that must not go out.
    pub fn seal(self, engine: &Engine) -> HookAnswer {
        let redactor = engine.egress().redactor();
        let stdout = self.stdout.map(|value| redactor.redact_json(value).into_inner());
        let stderr = self.stderr.map(|text| engine.egress().seal(&text).into_inner());
        Self { stdout, stderr, exit: self.exit }.plain()
    }

    /// The answer as it is, for where there is no engine and so nothing of the workspace in it.
    pub fn plain(self) -> HookAnswer {
        let line = |text: String| format!("{text}\n");
        HookAnswer {
            stdout: self.stdout.map(|value| line(value.to_string())).unwrap_or_default(),
            stderr: self.stderr.map(line).unwrap_or_default(),
            exit: self.exit,
        }
    }
}

/// The decision in the host's own form.
pub fn of(event: &Event, decision: &Decision) -> Reply {
    match event.host {
        Host::ClaudeCode | Host::VsCode => claude(event, decision),
        Host::Codex => codex(decision),
        Host::Gemini => gemini(decision),
        Host::OpenCode => opencode(decision),
        Host::Copilot => copilot(decision),
        Host::Cursor => cursor(decision),
        Host::Windsurf => windsurf(decision),
        Host::Cline => cline(decision),
    }
}

fn claude(event: &Event, decision: &Decision) -> Reply {
    let mut fields = json!({ "hookEventName": "PreToolUse" });
    match decision {
        Decision::Neutral => return Reply::nothing(),
        Decision::Allow => fields["permissionDecision"] = json!("allow"),
        Decision::Deny(reason) => {
            fields["permissionDecision"] = json!("deny");
            fields["permissionDecisionReason"] = json!(reason);
        }
        Decision::Ask(reason) => {
            fields["permissionDecision"] = json!("ask");
            fields["permissionDecisionReason"] = json!(reason);
        }
        Decision::Rewrite { input, note } => {
            fields["permissionDecision"] = json!("allow");
            fields["updatedInput"] = input.clone();
            let field = if event.host == Host::VsCode {
                "permissionDecisionReason"
            } else {
                "additionalContext"
            };
            fields[field] = json!(note);
        }
    }
    Reply::json(json!({ "hookSpecificOutput": fields }))
}

/// Codex takes no `ask`, and `allow` only with a new input; an allowed call is met with silence.
fn codex(decision: &Decision) -> Reply {
    let mut fields = json!({ "hookEventName": "PreToolUse" });
    match decision {
        Decision::Neutral | Decision::Allow => return Reply::nothing(),
        Decision::Deny(reason) | Decision::Ask(reason) => {
            fields["permissionDecision"] = json!("deny");
            fields["permissionDecisionReason"] = json!(reason);
        }
        Decision::Rewrite { input, .. } => {
            fields["permissionDecision"] = json!("allow");
            fields["updatedInput"] = input.clone();
        }
    }
    Reply::json(json!({ "hookSpecificOutput": fields }))
}

fn gemini(decision: &Decision) -> Reply {
    Reply::json(match decision {
        Decision::Neutral => json!({}),
        Decision::Allow => json!({ "decision": "allow" }),
        Decision::Deny(reason) | Decision::Ask(reason) => {
            json!({ "decision": "deny", "reason": reason })
        }
        Decision::Rewrite { input, note } => json!({
            "decision": "allow",
            "hookSpecificOutput": { "tool_input": input, "additionalContext": note },
        }),
    })
}

fn opencode(decision: &Decision) -> Reply {
    Reply::json(match decision {
        Decision::Neutral | Decision::Allow => json!({ "decision": "allow" }),
        Decision::Deny(reason) | Decision::Ask(reason) => {
            json!({ "decision": "deny", "reason": reason })
        }
        Decision::Rewrite { input, note } => {
            json!({ "decision": "allow", "args": input, "reason": note })
        }
    })
}

fn copilot(decision: &Decision) -> Reply {
    let verdict = |word: &str, reason: &str| json!({ "permissionDecision": word, "permissionDecisionReason": reason });
    Reply::json(match decision {
        Decision::Neutral => return Reply::nothing(),
        Decision::Allow => json!({ "permissionDecision": "allow" }),
        Decision::Deny(reason) => verdict("deny", reason),
        Decision::Ask(reason) => verdict("ask", reason),
        Decision::Rewrite { input, note } => {
            let mut value = verdict("allow", note);
            value["modifiedArgs"] = input.clone();
            value
        }
    })
}

fn cursor(decision: &Decision) -> Reply {
    let verdict = |word: &str, reason: &str| json!({ "permission": word, "user_message": reason, "agent_message": reason });
    Reply::json(match decision {
        Decision::Neutral => json!({}),
        Decision::Allow => json!({ "permission": "allow" }),
        Decision::Deny(reason) => verdict("deny", reason),
        Decision::Ask(reason) => verdict("ask", reason),
        Decision::Rewrite { input, note } => {
            let mut value = verdict("allow", note);
            value["updated_input"] = input.clone();
            value
        }
    })
}

fn windsurf(decision: &Decision) -> Reply {
    match decision {
        Decision::Neutral | Decision::Allow => Reply::nothing(),
        Decision::Deny(reason) | Decision::Ask(reason) => Reply::blocked(reason),
        Decision::Rewrite { note, .. } => Reply::blocked(note),
    }
}

fn cline(decision: &Decision) -> Reply {
    Reply::json(match decision {
        Decision::Neutral | Decision::Allow => json!({ "cancel": false }),
        Decision::Deny(reason) | Decision::Ask(reason) => {
            json!({ "cancel": true, "errorMessage": reason })
        }
        Decision::Rewrite { note, .. } => json!({ "cancel": true, "errorMessage": note }),
    })
}
