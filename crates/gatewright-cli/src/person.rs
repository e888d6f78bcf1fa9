//! Is this a person? Approving, undoing and changing the mode are for people.
//!
//! Agents mark the shells that they start with variables of their own. A call
//! that carries such a mark and has no terminal on its input comes from an
//! agent. This is a fence, not a wall: the threat model says what it cannot see.

use gatewright_engine::EngineError;

use crate::environment::Environment;
use crate::exit::Failure;

/// The marks that agents leave in the environment of what they run.
const MARKS: &[(&str, &str)] = &[
    ("CLAUDECODE", "Claude Code"),
    ("CLAUDE_CODE_ENTRYPOINT", "Claude Code"),
    ("CODEX_SANDBOX", "Codex"),
    ("CODEX_SANDBOX_NETWORK_DISABLED", "Codex"),
    ("CODEX_THREAD_ID", "Codex"),
    ("GEMINI_CLI", "Gemini CLI"),
    ("OPENCODE", "opencode"),
    ("CURSOR_AGENT", "Cursor"),
    ("CURSOR_TRACE_ID", "Cursor"),
    ("COPILOT_CLI", "Copilot CLI"),
    ("CLINE_ACTIVE", "Cline"),
    ("WINDSURF_AGENT", "Windsurf"),
    ("AGENT", "an agent"),
    ("AI_AGENT", "an agent"),
    ("GATEWRIGHT_AGENT", "an agent"),
];

/// Refuses when an agent's shell runs `what`.
pub fn require(environment: &Environment, what: &str) -> Result<(), Failure> {
    match agent_of(environment) {
        Some(agent) if !environment.stdin_is_terminal => {
            let error = EngineError::PersonOnly { what: what.to_owned(), agent: agent.to_owned() };
            Err(error.into())
        }
        _ => Ok(()),
    }
}

/// The agent whose shell this is, by its mark.
pub fn agent_of(environment: &Environment) -> Option<&'static str> {
    MARKS.iter().find(|(name, _)| environment.get(name).is_some()).map(|(_, agent)| *agent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn environment(variables: &[(&str, &str)], stdin_is_terminal: bool) -> Environment {
        Environment {
            words: Vec::new(),
            variables: variables
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect::<BTreeMap<_, _>>(),
            current_dir: "/".into(),
            binary: None,
            stdin_is_terminal,
            stdout_is_terminal: false,
            stderr_is_terminal: false,
        }
    }

    #[test]
    fn an_agents_shell_is_turned_away() {
        let failure =
            require(&environment(&[("CLAUDECODE", "1")], false), "changing the mode").unwrap_err();
        assert_eq!(failure.code, "person-only");
        assert!(failure.message.contains("Claude Code"), "{}", failure.message);
    }

    #[test]
    fn a_script_without_a_mark_and_a_person_at_a_terminal_pass() {
        assert!(require(&environment(&[], false), "x").is_ok());
        assert!(require(&environment(&[("CLAUDECODE", "1")], true), "x").is_ok());
    }
}
