//! `gatewright rules`: what the guards go by, with examples that are tested.

use gatewright_engine::guards::egress::{Catalogue, Rule};
use gatewright_engine::guards::write::{self, RuleInfo};
use gatewright_model::Severity;
use serde_json::{Value, json};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Colour, Output, harmless};

/// List, explain and test the rules of the guards.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// List every rule
    List {
        /// Only rules of this guard (write, egress)
        #[arg(long)]
        guard: Option<String>,
    },
    /// Say what a rule is for, with examples of what it catches and what it leaves
    Explain {
        /// The code, or the beginning of it
        code: String,
    },
    /// Run the examples and counter-examples of every rule
    Test,
}

/// Runs the command.
pub fn run(command: Command, context: &mut Context) -> Result<Exit, Failure> {
    match command {
        Command::List { guard } => list(guard.as_deref(), context.output),
        Command::Explain { code } => explain(&code, context.output),
        Command::Test => test(context),
    }
}

fn list(guard: Option<&str>, output: &mut Output) -> Result<Exit, Failure> {
    let wants = |name: &str| guard.is_none_or(|guard| guard == name);
    let mut rows = Vec::new();
    let mut text = String::new();
    if wants("write") {
        for rule in write::catalogue() {
            rows.push(write_json(rule));
            let word = severity_word(rule.severity);
            text.push_str(&format!("{:<30} {word:<8} {}\n", rule.code, harmless(&rule.reason)));
        }
    }
    if wants("egress") {
        for rule in Catalogue::built_in().rules() {
            rows.push(egress_json(rule));
            text.push_str(&format!(
                "{:<44} {:<16} {}\n",
                rule.name,
                rule.kind.as_str(),
                rule.provider
            ));
        }
    }
    if rows.is_empty() {
        let hint = Some("write and egress have rules; structure and hallucination have none");
        return Err(Failure::usage("no such guard", hint));
    }
    output.emit(&json!({ "rules": rows }), &text);
    Ok(Exit::Clean)
}

fn explain(code: &str, output: &mut Output) -> Result<Exit, Failure> {
    if let Some(rule) = write::catalogue().find(|rule| rule.code.starts_with(code)) {
        let mut text = format!("{}\n", output.paint(Colour::Bold, &rule.code));
        text.push_str(&format!("  {} by the {} guard\n", severity_word(rule.severity), rule.guard));
        text.push_str(&format!("  {}\n", rule.reason));
        text.push_str(
            &rule.hint.as_ref().map(|hint| format!("  next: {hint}\n")).unwrap_or_default(),
        );
        text.push_str(&examples("catches", &rule.examples));
        text.push_str(&examples("leaves alone", &rule.counter_examples));
        output.emit(&write_json(rule), &text);
        return Ok(Exit::Clean);
    }
    let rules = Catalogue::built_in().rules();
    let Some(rule) = rules.iter().find(|rule| rule.name.starts_with(code)) else {
        return Err(unknown(code));
    };
    let mut text = format!("{}\n", output.paint(Colour::Bold, &rule.name));
    text.push_str(&format!("  hides a {} of {}\n", rule.kind.as_str(), rule.provider));
    text.push_str(&examples("catches", &rule.examples));
    text.push_str(&examples("leaves alone", &rule.counter_examples));
    output.emit(&egress_json(rule), &text);
    Ok(Exit::Clean)
}

/// The codes of two guards come from code, so that there is nothing to list.
fn unknown(code: &str) -> Failure {
    let (message, hint) = match code.as_bytes() {
        [b'S', b'0'..=b'9', ..] => {
            ("structural gate", "the page Rules of the book says what it refuses")
        }
        [b'H', b'0'..=b'9', ..] => {
            ("hallucination guard", "the page Does it exist? of the book says what it looks up")
        }
        _ => {
            let hint = Some("`gatewright rules list` shows them all");
            return Failure::usage(format!("no rule begins with {code:?}"), hint);
        }
    };
    let message = format!("{code} is a finding of the {message}, which has no list of rules");
    Failure::usage(message, Some(hint))
}

fn examples(title: &str, examples: &[String]) -> String {
    if examples.is_empty() {
        return String::new();
    }
    let lines: String = examples.iter().map(|text| format!("    {}\n", harmless(text))).collect();
    format!("  {title}:\n{lines}")
}

fn test(context: &mut Context) -> Result<Exit, Failure> {
    // Opening the engine loads and tests the rules that configuration adds.
    let engine = context.engine()?;
    let mut failures: Vec<String> = write::self_test().err().unwrap_or_default();
    let catalogue = Catalogue::built_in();
    failures.extend(catalogue.problems().iter().map(ToString::to_string));
    let egress = catalogue.self_test().into_iter();
    failures.extend(egress.map(|failure| format!("{}: {}", failure.rule, failure.reason)));
    let write_rules = write::catalogue().count();
    let egress_rules = catalogue.rules().len();
    let added = engine.config().egress_rules.len();
    let json = json!({
        "write_rules": write_rules, "egress_rules": egress_rules, "added": added,
        "failures": failures,
    });
    let mut text = format!(
        "{write_rules} write rules, {egress_rules} egress rules, {added} added by configuration: {} failures\n",
        failures.len()
    );
    text.extend(failures.iter().map(|failure| format!("  {}\n", harmless(failure))));
    context.output.emit(&json, &text);
    Ok(if failures.is_empty() { Exit::Clean } else { Exit::Findings })
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warn => "warn",
        Severity::Confirm => "confirm",
        Severity::Refuse => "refuse",
    }
}

fn write_json(rule: &RuleInfo) -> Value {
    json!({
        "code": rule.code, "guard": rule.guard, "group": rule.group,
        "severity": rule.severity, "reason": rule.reason, "hint": rule.hint,
        "paths": rule.paths, "examples": rule.examples,
        "counter_examples": rule.counter_examples,
    })
}

fn egress_json(rule: &Rule) -> Value {
    json!({
        "code": rule.name, "guard": "egress", "provider": rule.provider,
        "kind": rule.kind.as_str(), "examples": rule.examples,
        "counter_examples": rule.counter_examples,
    })
}
