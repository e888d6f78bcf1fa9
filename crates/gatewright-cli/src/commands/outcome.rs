//! An outcome or a check, as JSON and in words.

use std::cmp::Reverse;

use gatewright_engine::{Checked, Disposition, Outcome};
use gatewright_model::{Finding, Severity, Verdict};
use gatewright_server::ready_call;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::output::{Colour, Output, harmless};

/// The exit code of a verdict.
pub fn exit_of(verdict: Verdict) -> Exit {
    if verdict == Verdict::Pass { Exit::Clean } else { Exit::Findings }
}

/// Prints what became of a proposal.
pub fn print(outcome: &Outcome, output: &mut Output) -> Exit {
    let json = outcome_json(outcome);
    let mut text = headline(outcome, output);
    text.push_str(&findings_text(&outcome.findings, output));
    text.push_str(&next_step(outcome));
    output.emit(&json, &text);
    exit_of_outcome(outcome)
}

/// The exit code of an outcome.
pub fn exit_of_outcome(outcome: &Outcome) -> Exit {
    match outcome.disposition {
        Disposition::Refused | Disposition::Manual => Exit::Findings,
        Disposition::Staged { .. } => exit_of(outcome.verdict),
        _ => Exit::Clean,
    }
}

/// An outcome for programs.
pub fn outcome_json(outcome: &Outcome) -> Value {
    let body = &outcome.receipt.body;
    let change_id = match &outcome.disposition {
        Disposition::Staged { change_id } => Some(change_id),
        _ => None,
    };
    json!({
        "outcome": outcome.disposition.as_str(),
        "verdict": outcome.verdict,
        "applied": body.applied,
        "change_id": change_id,
        "receipt_id": body.receipt_id,
        "seq": outcome.receipt.seq,
        "guards": body.guards,
        "findings": outcome.findings,
        "files": body.files,
        "missing": body.missing_references,
        "call": ready_call::joined(&outcome.calls),
        "calls": outcome.calls.iter().map(ready_call::to_json).collect::<Vec<_>>(),
    })
}

/// A check for programs.
pub fn checked_json(checked: &Checked) -> Value {
    json!({
        "verdict": checked.verdict,
        "guards": checked.guards,
        "findings": checked.findings,
        "missing": checked.missing,
        "call": ready_call::joined(&checked.calls),
        "calls": checked.calls.iter().map(ready_call::to_json).collect::<Vec<_>>(),
    })
}

fn headline(outcome: &Outcome, output: &Output) -> String {
    let files = &outcome.receipt.body.files;
    let what = match files.as_slice() {
        [file] => harmless(&file.path),
        files => format!("{} files", files.len()),
    };
    let (word, colour) = match &outcome.disposition {
        Disposition::Applied => ("applied", Colour::Green),
        Disposition::RolledBack => ("rolled back", Colour::Green),
        Disposition::Staged { .. } => ("staged for review", Colour::Yellow),
        Disposition::Rejected => ("rejected", Colour::Red),
        Disposition::Refused => ("refused", Colour::Red),
        Disposition::Manual => ("refused: this workspace is in manual mode", Colour::Red),
    };
    let receipt = format!("receipt {}", outcome.receipt.seq);
    format!("{} {what}  {}\n", output.paint(colour, word), output.paint(Colour::Dim, &receipt))
}

/// Findings in words, a few lines each, the strictest first.
pub fn findings_text(findings: &[Finding], output: &Output) -> String {
    let mut findings: Vec<&Finding> = findings.iter().collect();
    findings.sort_by_key(|finding| Reverse(finding.severity));
    let is_refused = findings.first().is_some_and(|finding| finding.severity == Severity::Refuse);
    let hint = |finding: &Finding| {
        // What is refused cannot be confirmed, and a message may hold its next step itself.
        let is_idle = is_refused && finding.severity == Severity::Confirm;
        finding.hint.clone().filter(|hint| !is_idle && !finding.message.contains(hint.as_str()))
    };
    findings.into_iter().map(|finding| finding_text(finding, hint(finding), output)).collect()
}

fn finding_text(finding: &Finding, hint: Option<String>, output: &Output) -> String {
    let (word, colour) = match finding.severity {
        Severity::Refuse => ("refuse ", Colour::Red),
        Severity::Confirm => ("confirm", Colour::Yellow),
        Severity::Warn => ("warn   ", Colour::Yellow),
        Severity::Note => ("note   ", Colour::Dim),
    };
    let place = match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!("{}:{line}:{column}", finding.path),
        (Some(line), None) => format!("{}:{line}", finding.path),
        _ => finding.path.clone(),
    };
    let mut text = format!(
        "  {} {} {}\n{}",
        output.paint(colour, word),
        harmless(&place),
        output.paint(Colour::Dim, &finding.code),
        output.indented(&finding.message, 10),
    );
    if let Some(hint) = hint {
        text.push_str(&output.indented(&format!("next: {hint}"), 10));
    }
    text
}

fn next_step(outcome: &Outcome) -> String {
    match &outcome.disposition {
        Disposition::Staged { change_id } => {
            let short = short_id(change_id);
            format!("  nothing is written yet: gatewright review {short}\n")
        }
        Disposition::Manual => "  next: gatewright mode hybrid\n".to_owned(),
        _ => String::new(),
    }
}

/// The end of an id, which tells ids of one moment apart.
pub fn short_id(id: &str) -> &str {
    id.get(..13).unwrap_or(id)
}
