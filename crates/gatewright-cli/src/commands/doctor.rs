//! `gatewright doctor`: what is guarded, what is missing, and how to mend it.

use gatewright_engine::Engine;
use serde_json::{Value, json};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Colour, Output, harmless};
use crate::render::verify;

/// Say what is guarded, what is missing, and how to mend it.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// One thing that was looked at.
struct Finding {
    name: &'static str,
    is_good: bool,
    detail: String,
    next: Option<&'static str>,
}

/// Runs the command.
pub fn run(_arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let findings = [
        workspace(&engine),
        landlock(&engine),
        key(&engine),
        ledger(&engine),
        mode(&engine)?,
        person(context),
    ];
    let json: Vec<Value> = findings
        .iter()
        .map(|finding| {
            json!({
                "name": finding.name, "ok": finding.is_good,
                "detail": finding.detail, "next": finding.next,
            })
        })
        .collect();
    let text: String = findings.iter().map(|finding| row(finding, context.output)).collect();
    context.output.emit(&json!({ "checks": json }), &text);
    let is_good = findings.iter().all(|finding| finding.is_good);
    Ok(if is_good { Exit::Clean } else { Exit::Findings })
}

fn row(finding: &Finding, output: &Output) -> String {
    let word = if finding.is_good {
        output.paint(Colour::Green, "ok ")
    } else {
        output.paint(Colour::Red, "no ")
    };
    let next = finding.next.map(|next| format!("\n    next: {next}")).unwrap_or_default();
    format!("{word} {:<10} {}{next}\n", finding.name, harmless(&finding.detail))
}

fn workspace(engine: &Engine) -> Finding {
    use gatewright_model::{RequestedPath, Resolution};
    let probe = RequestedPath::new("gatewright-doctor-probe");
    let facts = engine.workspace().facts(&probe);
    let is_good = matches!(facts.resolution, Resolution::Inside(_));
    let detail = match facts.resolution {
        Resolution::Inside(_) => {
            format!("{}: paths are resolved by the kernel", engine.layout().root.display())
        }
        Resolution::Failed(failure) => failure.to_string(),
    };
    let next =
        (!is_good).then_some("use Linux 5.6 or later; without openat2 every write is refused");
    Finding { name: "workspace", is_good, detail, next }
}

fn landlock(engine: &Engine) -> Finding {
    use gatewright_engine::LandlockStatus;
    let (is_good, detail) = match engine.workspace().landlock_status() {
        LandlockStatus::Enforced => (true, "the writing thread is walled in".to_owned()),
        LandlockStatus::Partial => (true, "the writing thread is walled in, in part".to_owned()),
        LandlockStatus::Unavailable(reason) => (false, reason.clone()),
    };
    let next = (!is_good)
        .then_some("a kernel with Landlock adds a second wall; the first one holds without it");
    Finding { name: "landlock", is_good, detail, next }
}

fn key(engine: &Engine) -> Finding {
    let detail = format!("{}, mode 0600", engine.layout().key.display());
    Finding { name: "key", is_good: true, detail, next: None }
}

fn ledger(engine: &Engine) -> Finding {
    use gatewright_engine::ledger::VerifyOptions;
    match engine.ledger().verify(VerifyOptions::default()) {
        Ok(report) => Finding {
            name: "ledger",
            is_good: !verify::is_bad(&report),
            detail: verify::to_text(&report),
            next: verify::is_bad(&report).then_some("gatewright receipts verify"),
        },
        Err(error) => Finding {
            name: "ledger",
            is_good: false,
            detail: error.to_string(),
            next: Some("restore the database from a backup; the old one is left as it is"),
        },
    }
}

fn mode(engine: &Engine) -> Result<Finding, Failure> {
    let autonomy = engine.autonomy()?;
    let flag = if autonomy.suggest_only { ", suggest-only" } else { "" };
    Ok(Finding {
        name: "mode",
        is_good: true,
        detail: format!("{}{flag}", autonomy.mode),
        next: None,
    })
}

fn person(context: &Context) -> Finding {
    let detail = match crate::person::agent_of(context.environment) {
        Some(agent) => format!("this shell belongs to {agent}; approving from it is refused"),
        None => "this shell carries no agent's mark".to_owned(),
    };
    Finding { name: "person", is_good: true, detail, next: None }
}
