//! `gatewright config`: what is in force, and what the files may say.

use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};
use gatewright_engine::config;

/// Show the configuration in force, or its schema.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Print the JSON Schema of gatewright.toml, or with --user of config.toml
    Schema {
        /// The user's file instead of the workspace's
        #[arg(long)]
        user: bool,
        /// The JSON form of a change set instead
        #[arg(long, conflicts_with = "user")]
        change: bool,
    },
    /// Print what is in force here, and which files it comes from
    Show,
}

/// Runs the command.
pub fn run(command: Command, context: &mut Context) -> Result<Exit, Failure> {
    match command {
        Command::Schema { user, change } => {
            let schema = if change {
                gatewright_engine::intake::json_schema()
            } else {
                config::schema(if user { config::Layer::User } else { config::Layer::Workspace })
            };
            let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
            context.output.line(&text);
            Ok(Exit::Clean)
        }
        Command::Show => show(context),
    }
}

fn show(context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let layout = engine.layout();
    let json = json!({
        "root": layout.root,
        "workspace_file": layout.workspace_config,
        "user_file": layout.user_config,
        "state": layout.state,
        "policy_hash": engine.config().policy_hash,
        "autonomy": engine.autonomy()?,
        "in_force": engine.config().merged,
    });
    let text = serde_json::to_string_pretty(&json).unwrap_or_default();
    context.output.emit(&json, &text);
    Ok(Exit::Clean)
}
