//! Wiring agents: which files of which host get which entries, and taking them out again.
//!
//! These are the user's own configuration files and no agent's change, so they
//! do not pass the guarded pipeline: a person sees the whole diff first, and
//! `io.rs` is the one file that writes. Start reading at [`plan`]; `targets.rs`
//! says what each host needs, `json_file.rs` and `toml_file.rs` merge it into
//! what is there, `record.rs` remembers how a file was before.

mod agent;
mod entry;
mod host_notes;
mod io;
mod json_file;
mod language_servers;
mod plan;
mod probe;
pub mod proxy;
mod record;
mod targets;
mod toml_file;

pub use agent::{AgentName, Machine, UnknownAgent};
pub use host_notes::{HostNotes, notes};
pub use language_servers::{LanguageServer, language_servers};
pub use plan::{Direction, FileChange, Plan, apply, plan};
pub use probe::{Probe, ProbeResult, Wired, probe_hook, probe_mcp, wired_agents};
pub use targets::{Launch, Parts, Scope};

/// Why agents cannot be wired.
#[derive(Debug, thiserror::Error)]
pub enum WiringError {
    /// A configuration file cannot be read as what its name says.
    #[error("{path} cannot be understood, so it is left as it is: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Another file sits where ours would go.
    #[error("{path} exists and was not written by gatewright, so it is left as it is")]
    Taken {
        /// The file.
        path: String,
    },
    /// The disk failed.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What went wrong.
        source: std::io::Error,
    },
}
