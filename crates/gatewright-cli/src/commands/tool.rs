//! The reading tools of the MCP door on the command line: one answer, for people or programs.

use std::sync::Arc;

use gatewright_server::mcp::call_tool;
use serde_json::Value;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::output::harmless;

/// Calls a tool as this command line and prints what it answers.
pub fn show(
    name: &str,
    arguments: Value,
    run: String,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let engine = Arc::new(context.engine()?);
    let asker = (context.agent(), run);
    let answer = call_tool(engine, asker, name, arguments)
        .ok_or_else(|| Failure::usage("there is no such tool", None))?;
    if answer.is_error {
        let text = answer.text.trim_end();
        if context.output.is_json() {
            context.output.line(&answer.structured.to_string());
            return Ok(Exit::Findings);
        }
        return Err(Failure::usage(harmless(text), None));
    }
    context.output.emit(&answer.structured, &harmless(&answer.text));
    Ok(Exit::Clean)
}
