//! `gatewright mode`: how much may happen without a person.

use gatewright_model::{Autonomy, Mode};
use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::person;

/// Show or set how much may happen without a person.
///
/// manual: agents may read and check, not propose.
/// hybrid: every proposal is staged for your review (the default).
/// autonomous: a proposal that every guard passes is applied at once.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The mode to set: manual, hybrid or autonomous
    mode: Option<Mode>,

    /// Proposals can be looked at, but nothing can be applied
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    suggest_only: Option<bool>,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let mut autonomy = engine.autonomy()?;
    let mut asked = None;
    if arguments.mode.is_some() || arguments.suggest_only.is_some() {
        person::require(context.environment, "changing the mode")?;
        let wish = Autonomy {
            mode: arguments.mode.unwrap_or(autonomy.mode),
            suggest_only: arguments.suggest_only.unwrap_or(autonomy.suggest_only),
        };
        asked = Some(wish);
        autonomy = engine.set_autonomy(wish)?;
    }
    let mut text = match autonomy.suggest_only {
        true => format!("{}, suggest-only: {SUGGEST_ONLY}\n", autonomy.mode),
        false => format!("{}: {}\n", autonomy.mode, meaning(autonomy.mode)),
    };
    if asked.is_some_and(|wish| wish != autonomy) {
        text.push_str("a configuration file is stricter than what you asked for, and holds\n");
    }
    let json = json!({ "mode": autonomy.mode, "suggest_only": autonomy.suggest_only });
    context.output.emit(&json, &text);
    Ok(Exit::Clean)
}

/// What the flag means, whatever the mode, and how it is taken off.
const SUGGEST_ONLY: &str = "proposals can be looked at, but nothing can be applied\n  \
    gatewright mode --suggest-only false lifts it for what is proposed from then on";

fn meaning(mode: Mode) -> &'static str {
    match mode {
        Mode::Manual => "agents may read, search and check; they may not propose",
        Mode::Hybrid => "every proposal is staged; nothing is written before you review it",
        Mode::Autonomous => "a proposal that every guard passes is applied at once",
    }
}
