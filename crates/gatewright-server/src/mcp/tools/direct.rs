//! A reading tool called without a wire: the command line shows what an agent would be shown.

use std::sync::Arc;

use gatewright_engine::Engine;
use gatewright_model::Agent;
use serde_json::Value;

use super::{Call, Run, find};
use crate::mcp::session::Caller;

/// What a tool answered, redacted like every frame.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolAnswer {
    /// The words.
    pub text: String,
    /// The same for programs.
    pub structured: Value,
    /// Whether it is a refusal or a failure.
    pub is_error: bool,
}

/// Calls a tool by its name; `None` for one that is not there or that waits for a person.
pub fn call_tool(
    engine: Arc<Engine>,
    asker: (Agent, String),
    name: &str,
    arguments: Value,
) -> Option<ToolAnswer> {
    let run = match find(name)?.run {
        Run::Short(run, _) | Run::AtOnce(run) => run,
        Run::Waiting => return None,
    };
    let (agent, run_id) = asker;
    let call = Call { engine: Arc::clone(&engine), caller: Caller { agent, run_id } };
    let sent = run(&call, arguments);
    let text = engine.egress().seal(&sent.text).into_inner();
    let structured = engine.egress().redactor().redact_json(sent.structured).into_inner();
    Some(ToolAnswer { text, structured, is_error: sent.is_error })
}
