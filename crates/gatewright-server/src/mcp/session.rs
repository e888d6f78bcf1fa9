//! Who is at the other end, and the run that everything it stages belongs to.

use std::sync::OnceLock;

use gatewright_model::{Agent, Door};
use rmcp::model::Implementation;

/// One connection.
pub struct Session {
    random: String,
    run_id: OnceLock<String>,
}

/// The agent and the run of one request.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Who asks.
    pub agent: Agent,
    /// The run of the connection.
    pub run_id: String,
}

impl Session {
    /// A fresh connection.
    pub fn new() -> Self {
        Self { random: uuid::Uuid::now_v7().to_string(), run_id: OnceLock::new() }
    }

    /// One of several connections that share a run.
    pub fn of_run(run: String) -> Self {
        Self { random: run, run_id: OnceLock::new() }
    }

    /// The caller of a request. The run is named after the first client that speaks.
    pub fn caller(&self, client: Option<Implementation>) -> Caller {
        let (name, version) = match client {
            Some(client) => (client.name, client.version),
            None => ("unknown".to_owned(), String::new()),
        };
        let run_id = self.run_id.get_or_init(|| format!("{}-{}", slug(&name), self.random));
        let agent = Agent { name: cut(&name), version: cut(&version), door: Door::Mcp };
        Caller { agent, run_id: run_id.clone() }
    }
}

fn cut(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(80).collect()
}

fn slug(name: &str) -> String {
    let dashed: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(32)
        .collect();
    let trimmed = dashed.trim_matches('-');
    if trimmed.is_empty() { "mcp".to_owned() } else { trimmed.to_owned() }
}
