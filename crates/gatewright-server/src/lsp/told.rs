//! What is told of one open file: references that do not exist, hunks that an agent proposes.

use gatewright_engine::{Engine, StagedChange, StagedFile, Unit};
use gatewright_model::{DefinitionPlace, Finding, Hunk, LineKind, MissingReference, Severity};
use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString};

use super::documents::Document;
use super::position::{self, Encoding};

/// The source that editors show beside a diagnostic.
const SOURCE: &str = "gatewright";
/// How many lines of a proposed hunk are spelled out.
const SPELLED: usize = 12;

/// A diagnostic, and what can be done about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// What the editor shows.
    pub diagnostic: Diagnostic,
    /// What its code actions do.
    pub offer: Offer,
}

/// What can be done about a diagnostic.
#[derive(Debug, Clone, PartialEq)]
pub enum Offer {
    /// Nothing.
    Nothing,
    /// One of these names in its place.
    Names(Vec<String>),
    /// A decision on a hunk.
    Hunk {
        /// The staged change.
        change: String,
        /// The file.
        path: String,
        /// The hunk.
        unit: String,
        /// Who proposes it.
        agent: String,
        /// Whether it can only be looked at.
        suggest_only: bool,
    },
}

/// Everything there is to tell of a file.
pub fn tell(engine: &Engine, encoding: Encoding, document: &Document) -> Vec<Told> {
    let Some(path) = &document.path else { return Vec::new() };
    let facts = engine.dangling_in(path, document.text.as_bytes());
    let mut told: Vec<Told> =
        facts.missing.iter().map(|missing| of_missing(encoding, document, missing)).collect();
    for change in engine.open_changes().unwrap_or_default() {
        for file in change.files.iter().filter(|file| file.resolved.as_str() == path) {
            told.extend(of_staged(&change, file));
        }
    }
    for told in &mut told {
        let message = std::mem::take(&mut told.diagnostic.message);
        told.diagnostic.message = engine.egress().seal(&message).into_inner();
    }
    told
}

fn of_missing(encoding: Encoding, document: &Document, missing: &MissingReference) -> Told {
    let MissingReference { name, line, col, kind, suggestions, places, .. } = missing;
    let (range, is_there) = encoding.range_of(&document.text, *line, *col, name);
    let itself = places.iter().find(|place| place.name == *name);
    let near = match (itself, suggestions.as_slice()) {
        (Some(place), _) => format!(" It is defined at {}:{}.", place.path, place.line),
        (None, []) => String::new(),
        (None, names) => format!(" Did you mean {}?", quoted(names, places)),
    };
    let message = format!("This {kind} does not exist: `{name}`.{near}");
    let offer = match is_there && !suggestions.is_empty() {
        true => Offer::Names(suggestions.clone()),
        false => Offer::Nothing,
    };
    let severity = DiagnosticSeverity::WARNING;
    Told { diagnostic: diagnostic(range, severity, "missing-reference", message), offer }
}

fn quoted(names: &[String], places: &[DefinitionPlace]) -> String {
    let shown = |name: &String| match places.iter().find(|place| place.name == *name) {
        Some(place) => format!("`{name}` ({}:{})", place.path, place.line),
        None => format!("`{name}`"),
    };
    names.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn of_staged(change: &StagedChange, file: &StagedFile) -> Vec<Told> {
    let mut told = Vec::new();
    for unit in file.units() {
        let Unit::Hunk { id, hunk } = unit else { continue };
        if file.decisions.contains_key(&id) {
            continue;
        }
        let offer = Offer::Hunk {
            change: change.id.clone(),
            path: file.resolved.to_string(),
            unit: id.0,
            agent: change.agent.name.clone(),
            suggest_only: change.suggest_only,
        };
        let findings = change.findings.iter().filter(|finding| is_inside(finding, file, &hunk));
        let severity = findings.clone().map(|finding| finding.severity).max();
        let message = message_of(change, &hunk, findings);
        let range = place_of(&hunk);
        let diagnostic = diagnostic(range, grade(severity), "staged-hunk", message);
        told.push(Told { diagnostic, offer });
    }
    told
}

fn message_of<'a>(
    change: &StagedChange,
    hunk: &Hunk,
    findings: impl Iterator<Item = &'a Finding>,
) -> String {
    let (removed, added) = (hunk.removed(), hunk.added());
    let mut message = format!("{} proposes here: -{removed} +{added}", change.agent.name);
    for finding in findings {
        message.push_str(&format!("\n{}: {}", finding.guard.as_str(), finding.message));
        if let Some(hint) = &finding.hint {
            message.push_str(&format!(" ({hint})"));
        }
    }
    let changed = hunk.lines.iter().filter(|line| line.kind != LineKind::Context);
    for line in changed.clone().take(SPELLED) {
        let sign = if line.kind == LineKind::Added { '+' } else { '-' };
        let text = String::from_utf8_lossy(&line.text);
        message.push_str(&format!("\n{sign} {}", text.trim_end_matches(['\r', '\n'])));
    }
    let more = changed.count().saturating_sub(SPELLED);
    if more > 0 {
        message.push_str(&format!("\n… and {more} more lines; the review page shows them all"));
    }
    message
}

fn is_inside(finding: &Finding, file: &StagedFile, hunk: &Hunk) -> bool {
    let is_here = finding.path == file.resolved.as_str() || finding.path == file.requested.as_str();
    let first = hunk.after_index() + 1;
    let lines = first..first + hunk.after_count as usize;
    is_here && finding.line.is_some_and(|line| lines.contains(&(line as usize)))
}

/// The lines of the base that a hunk changes; a line to stand on where it only adds.
fn place_of(hunk: &Hunk) -> lsp_types::Range {
    let is_context = |line: &&gatewright_model::HunkLine| line.kind == LineKind::Context;
    let leading = hunk.lines.iter().take_while(is_context).count();
    let trailing = hunk.lines.iter().rev().take_while(is_context).count();
    let from = hunk.before_index() + leading;
    let to = (hunk.before_index() + hunk.before_count as usize).saturating_sub(trailing);
    position::lines(from, to.max(from + 1))
}

fn grade(severity: Option<Severity>) -> DiagnosticSeverity {
    match severity {
        Some(Severity::Warn | Severity::Confirm | Severity::Refuse) => DiagnosticSeverity::WARNING,
        Some(Severity::Note) | None => DiagnosticSeverity::INFORMATION,
    }
}

fn diagnostic(
    range: lsp_types::Range,
    severity: DiagnosticSeverity,
    code: &str,
    message: String,
) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some(SOURCE.to_owned()),
        message,
        ..Diagnostic::default()
    }
}
