//! What the tools answer: outcomes, judgements and failures as text and as JSON.

use std::borrow::Cow;

use gatewright_engine::{Disposition, EngineError, ErrorKind, Outcome};
use gatewright_model::{Finding, ReadyCall, Severity, SymbolCall};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;

use crate::ready_call;

/// An answer, typed.
pub struct Answer<T> {
    /// The words for a model.
    pub text: String,
    /// The same for a program.
    pub body: T,
    /// Whether this is a refusal or a failure.
    pub is_error: bool,
}

/// An answer with its type forgotten.
pub struct Sent {
    /// The words for a model.
    pub text: String,
    /// The same for a program; always an object.
    pub structured: Value,
    /// Whether this is a refusal or a failure.
    pub is_error: bool,
}

/// What went wrong, in the one form that every tool uses.
#[derive(Debug, Serialize)]
struct Failure<'a> {
    error: &'a str,
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
    recoverable: bool,
}

/// A finding on the wire.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WireFinding {
    code: String,
    guard: &'static str,
    severity: &'static str,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

/// What became of a change.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ChangeAnswer {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    change_id: Option<String>,
    receipt_id: String,
    #[schemars(with = "Vec<Loose>")]
    files: Vec<WireFile>,
    #[schemars(with = "Vec<Loose>")]
    findings: Vec<WireFinding>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// The call that puts back, byte by byte, what was taken out.
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    undo: Option<Value>,
    /// Some clients show a model nothing but this object.
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    recoverable: Option<bool>,
    /// The call to make instead, all of it; `calls` has its steps as calls of their own.
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<Value>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<Value>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<String>,
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

/// An object whose fields another tool's schema spells out.
pub struct Loose;

impl JsonSchema for Loose {
    fn schema_name() -> Cow<'static, str> {
        "Loose".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

/// A changed file, with the digest that the next change is made against.
#[derive(Debug, Serialize)]
pub struct WireFile {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

impl<T: Serialize> Answer<T> {
    /// A plain answer.
    pub fn new(text: impl Into<String>, body: T) -> Self {
        Self { text: text.into(), body, is_error: false }
    }

    /// Forgets the type.
    pub fn send(self) -> Sent {
        let structured = serde_json::to_value(&self.body).unwrap_or_default();
        Sent { text: self.text, structured, is_error: self.is_error }
    }
}

impl Answer<ChangeAnswer> {
    /// Adds which symbol was meant, and what the caller should know.
    pub fn noting(mut self, symbol: &str, notes: Vec<String>) -> Self {
        self.text.push_str(&format!("\nsymbol {symbol}"));
        for note in &notes {
            self.text.push_str(&format!("\nnote: {note}"));
        }
        self.body.notes = notes;
        self
    }

    /// Adds the call that takes a removal back.
    pub fn undoing(mut self, call: Option<SymbolCall>) -> Self {
        let call = call.filter(|_| !self.is_error).map(ReadyCall::Symbol);
        if call.is_some() {
            self.text.push_str("\nto put it back: insert it with position \"back\"");
        }
        self.body.undo = call.as_ref().map(ready_call::to_json);
        self
    }
}

impl Sent {
    /// A failure of the engine.
    pub fn failure(error: &EngineError) -> Self {
        let recoverable =
            matches!(error.kind(), ErrorKind::Refused | ErrorKind::Stale | ErrorKind::BadRequest);
        Self::failed(&error.to_string(), error.code(), error.hint().as_deref(), recoverable)
    }

    /// Arguments that do not fit the tool.
    pub fn bad_arguments(tool: &str, reason: &str) -> Self {
        let error = format!("{tool}: the arguments do not fit: {reason}");
        Self::failed(&error, "bad-arguments", Some("look at the tool's input schema"), true)
    }

    /// A broken invariant of ours.
    pub fn broken(error: &str) -> Self {
        Self::failed(error, "internal", None, false)
    }

    fn failed(error: &str, code: &str, hint: Option<&str>, recoverable: bool) -> Self {
        let mut text = format!("{error} [{code}]");
        if let Some(hint) = hint {
            text.push_str(&format!("\nNext: {hint}"));
        }
        let failure = Failure { error, code, hint, recoverable };
        let structured = serde_json::to_value(&failure).unwrap_or_default();
        Self { text, structured, is_error: true }
    }
}

/// What became of a proposal.
pub fn of_outcome(outcome: &Outcome) -> Answer<ChangeAnswer> {
    let body = &outcome.receipt.body;
    // A digest is a base for the next change; what was refused is none.
    let is_base = matches!(outcome.disposition, Disposition::Applied | Disposition::Staged { .. });
    let files: Vec<WireFile> = body
        .files
        .iter()
        .map(|file| WireFile {
            path: file.path.clone(),
            digest: file.after_hash.filter(|_| is_base).map(|digest| digest.to_string()),
        })
        .collect();
    let names: Vec<&str> = body.files.iter().map(|file| file.path.as_str()).collect();
    let names = names.join(", ");
    let mut answer = ChangeAnswer {
        outcome: outcome.disposition.as_str(),
        receipt_id: body.receipt_id.clone(),
        files,
        findings: wire_findings(&outcome.findings),
        ..ChangeAnswer::default()
    };
    match &outcome.disposition {
        Disposition::Staged { change_id } => {
            answer.change_id = Some(change_id.clone());
            let next = staged_next(change_id);
            let mut text =
                format!("staged, waiting for review: {names}\nchange {change_id}; {next}");
            push_findings(&mut text, &outcome.findings);
            answer.next = Some(next);
            Answer::new(text, answer)
        }
        Disposition::Refused => refused(answer, outcome),
        Disposition::Manual => {
            let error = "this workspace is in manual mode: no change is taken";
            let hint = "show the change to the person, who makes it or switches the mode; \
                        reading, searching and checking work";
            failed_change(answer, error.to_owned(), "manual-mode".to_owned(), Some(hint.to_owned()))
        }
        other => {
            let mut text = format!("{} {names}", other.as_str());
            push_findings(&mut text, &outcome.findings);
            Answer::new(text, answer)
        }
    }
}

/// What to do while a change waits.
pub fn staged_next(change_id: &str) -> String {
    format!(
        "nothing is written yet, and a person decides hunk by hunk. read_file shows you the \
         staged state. Go on with other work, or call wait_for_review(change_id=\"{change_id}\")."
    )
}

fn refused(mut answer: ChangeAnswer, outcome: &Outcome) -> Answer<ChangeAnswer> {
    let findings = &outcome.findings;
    answer.calls = outcome.calls.iter().map(ready_call::to_json).collect();
    answer.call = ready_call::joined(&outcome.calls);
    answer.symbol = outcome.calls.iter().find_map(|call| match call {
        ReadyCall::Symbol(call) => Some(call.symbol.clone()),
        ReadyCall::Read { symbol, .. } => symbol.clone(),
        ReadyCall::Text { .. } => None,
    });
    let strictest = findings.iter().max_by_key(|finding| finding.severity);
    let (error, code, hint) = match strictest {
        Some(finding) => (finding.message.clone(), finding.code.clone(), finding.hint.clone()),
        None => ("refused".to_owned(), "refused".to_owned(), None),
    };
    answer.line = strictest.and_then(|finding| finding.line);
    let mut answer = failed_change(answer, error, code, hint);
    if outcome.calls.len() > 1 {
        let words: Vec<String> = outcome.calls.iter().map(ready_call::in_words).collect();
        let list = words.join("\n  ");
        let how = match answer.body.call.as_ref().is_some_and(is_joined) {
            true => "The call does it in one, in",
            false => "It takes",
        };
        let count = words.len();
        answer.text.push_str(&format!("\n{how} {count} steps, in this order:\n  {list}"));
    }
    let others: Vec<Finding> =
        findings.iter().filter(|finding| Some(*finding) != strictest).cloned().collect();
    push_findings(&mut answer.text, &others);
    answer
}

fn is_joined(call: &Value) -> bool {
    call["arguments"].get("then").is_some()
}

fn failed_change(
    mut answer: ChangeAnswer,
    error: String,
    code: String,
    hint: Option<String>,
) -> Answer<ChangeAnswer> {
    let mut text = format!("refused, nothing was written: {error} [{code}]");
    if let Some(hint) = hint.as_ref().filter(|hint| !error.contains(hint.as_str())) {
        text.push_str(&format!("\nNext: {hint}"));
    }
    answer.error = Some(error);
    answer.code = Some(code);
    answer.hint = hint;
    answer.recoverable = Some(true);
    Answer { text, body: answer, is_error: true }
}

/// Findings for programs.
pub fn wire_findings(findings: &[Finding]) -> Vec<WireFinding> {
    let wire = |finding: &Finding| WireFinding {
        code: finding.code.clone(),
        guard: finding.guard.as_str(),
        severity: severity_name(finding.severity),
        path: finding.path.clone(),
        line: finding.line,
        message: finding.message.clone(),
        hint: finding.hint.clone(),
    };
    findings.iter().map(wire).collect()
}

/// Adds findings in words.
pub fn push_findings(text: &mut String, findings: &[Finding]) {
    for finding in findings {
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        let severity = severity_name(finding.severity);
        text.push_str(&format!(
            "\n{severity} {}{line} [{}] {}",
            finding.path, finding.code, finding.message
        ));
        let hint = finding.hint.as_ref().filter(|hint| !finding.message.contains(hint.as_str()));
        if let Some(hint) = hint {
            text.push_str(&format!("\n  next: {hint}"));
        }
    }
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warn => "warn",
        Severity::Confirm => "confirm",
        Severity::Refuse => "refuse",
    }
}
