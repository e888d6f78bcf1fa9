//! Turns file changes and findings into what the page draws.

use std::sync::Arc;

use gatewright_engine::guards::egress::Redactor;
use gatewright_engine::{Choice, Conflict, StagedFile, Tally, Unit, UnitDecision, UnitId};
use gatewright_model::{
    FileChange, FileState, Finding, GuardOutcomes, Hunk, LineKind, Severity, Verdict, diff_hunks,
};

use super::highlight::{Colours, Painter};
use super::intraline;
use super::mask::MaskedLines;
use super::wire;

/// What every drawing of a file needs.
#[derive(Clone, Copy)]
pub struct Drawing<'a> {
    /// Hides what must not go out.
    pub redactor: &'a Redactor,
    /// Colours what is shown.
    pub painter: &'a Painter,
}

/// One staged file for the list.
pub fn file_summary(file: &StagedFile, findings: &[Finding]) -> wire::FileSummary {
    let units = file.units();
    let hunks = || units.iter().filter_map(hunk_of);
    wire::FileSummary {
        path: file.resolved.to_string(),
        requested: requested_of(file),
        kind: kind_of(file, &units).to_owned(),
        added: hunks().map(Hunk::added).sum(),
        removed: hunks().map(Hunk::removed).sum(),
        tally: tally(file.tally_of(&units)),
        verdict: Verdict::of(findings.iter().filter(|f| is_about(f, file))).as_str().to_owned(),
    }
}

/// One staged file with its units.
pub fn file_detail(
    file: &StagedFile,
    findings: &[Finding],
    conflict: Option<&Conflict>,
    drawing: Drawing<'_>,
) -> wire::FileDetail {
    let sides = Sides::new(&file.to_change(), drawing);
    let unit = |unit: Unit| {
        let decision = file.decisions.get(unit.id()).map(decision);
        match unit {
            Unit::Hunk { id, hunk } => {
                wire::Unit { id: id.0, label: None, hunk: Some(sides.hunk(&hunk)), decision }
            }
            Unit::Whole { id, label } => {
                wire::Unit { id: id.0, label: Some(label), hunk: None, decision }
            }
        }
    };
    let units = file.units().into_iter().map(unit).collect();
    let about = findings.iter().filter(|f| is_about(f, file));
    wire::FileDetail {
        path: file.resolved.to_string(),
        symbol: file.symbol.clone(),
        units,
        findings: about.map(finding).collect(),
        conflict: conflict.map(|conflict| three_way(conflict, drawing)),
        ..sides.detail(&file.to_change())
    }
}

/// A change that nobody decides on part by part, such as an undo.
pub fn plain_detail(change: &FileChange, drawing: Drawing<'_>) -> wire::FileDetail {
    let sides = Sides::new(change, drawing);
    let hunks = diff_hunks(&content(&change.before), &content(&change.after));
    let unit = |hunk: &Hunk| wire::Unit {
        id: hunk.id.to_string(),
        label: None,
        hunk: Some(sides.hunk(hunk)),
        decision: None,
    };
    wire::FileDetail { units: hunks.iter().map(unit).collect(), ..sides.detail(change) }
}

/// What one guard says.
pub fn finding(finding: &Finding) -> wire::Finding {
    let severity = match finding.severity {
        Severity::Note => "note",
        Severity::Warn => "warn",
        Severity::Confirm => "confirm",
        Severity::Refuse => "refuse",
    };
    wire::Finding {
        code: finding.code.clone(),
        guard: finding.guard.as_str().to_owned(),
        severity: severity.to_owned(),
        path: finding.path.clone(),
        line: finding.line,
        column: finding.column,
        message: finding.message.clone(),
        hint: finding.hint.clone(),
    }
}

/// The word of each guard.
pub fn guards(outcomes: &GuardOutcomes) -> wire::Guards {
    wire::Guards {
        structure: outcomes.structure.as_str().to_owned(),
        write: outcomes.write.as_str().to_owned(),
        hallucination: outcomes.hallucination.as_str().to_owned(),
        egress: outcomes.egress.as_str().to_owned(),
    }
}

/// The counts of decisions.
pub fn tally(tally: Tally) -> wire::Tally {
    let Tally { accepted, rejected, undecided } = tally;
    wire::Tally { accepted, rejected, undecided }
}

/// The counts of all the files together.
pub fn sum_of(files: &[wire::FileSummary]) -> wire::Tally {
    let sum = |count: fn(&wire::Tally) -> usize| files.iter().map(|file| count(&file.tally)).sum();
    wire::Tally {
        accepted: sum(|tally| tally.accepted),
        rejected: sum(|tally| tally.rejected),
        undecided: sum(|tally| tally.undecided),
    }
}

/// Whether a finding speaks of this file.
pub fn is_about(finding: &Finding, file: &StagedFile) -> bool {
    finding.path == file.requested.as_str() || finding.path == file.resolved.as_str()
}

/// The bytes of a version; empty where there is no file.
pub fn content(state: &Option<FileState>) -> Arc<[u8]> {
    state.as_ref().map_or_else(|| Arc::from([]), |state| state.content.clone())
}

fn requested_of(file: &StagedFile) -> Option<String> {
    let differs = file.requested.as_str() != file.resolved.as_str();
    differs.then(|| file.requested.to_string())
}

fn kind_of(file: &StagedFile, units: &[Unit]) -> &'static str {
    match (&file.before, &file.after) {
        _ if file.renamed_from.is_some() => "rename",
        (None, _) => "create",
        (_, None) => "remove",
        _ if units.iter().all(|unit| hunk_of(unit).is_none()) => "mode",
        _ => "edit",
    }
}

fn hunk_of(unit: &Unit) -> Option<&Hunk> {
    match unit {
        Unit::Hunk { hunk, .. } => Some(hunk),
        Unit::Whole { .. } => None,
    }
}

/// What stands decided in one file.
pub fn decided_file(file: &StagedFile) -> wire::DecidedFile {
    let row = |(unit, made): (&UnitId, &UnitDecision)| (unit.0.clone(), decision(made));
    wire::DecidedFile {
        path: file.resolved.to_string(),
        tally: tally(file.tally()),
        decisions: file.decisions.iter().map(row).collect(),
    }
}

fn decision(decision: &UnitDecision) -> wire::Decision {
    let choice = match decision.choice {
        Choice::Accept => "accept",
        Choice::Reject => "reject",
    };
    wire::Decision {
        choice: choice.to_owned(),
        lines: decision.lines.clone(),
        comment: decision.comment.clone(),
    }
}

fn three_way(conflict: &Conflict, drawing: Drawing<'_>) -> wire::Conflict {
    let side = |after: &Option<FileState>| {
        let (old, new) = (content(&conflict.base), content(after));
        let sides = Sides::of(conflict.path.as_str(), &old, &new, drawing);
        diff_hunks(&old, &new).iter().map(|hunk| sides.hunk(hunk)).collect()
    };
    wire::Conflict {
        changed_since: side(&conflict.now),
        proposed: side(&conflict.proposed),
        is_gone: conflict.now.is_none(),
    }
}

/// Both versions of a file, as they may be shown.
pub struct Sides {
    before: MaskedLines,
    after: MaskedLines,
    before_colours: Arc<Colours>,
    after_colours: Arc<Colours>,
}

impl Sides {
    /// The versions of a change.
    pub fn new(change: &FileChange, drawing: Drawing<'_>) -> Self {
        let (before, after) = (content(&change.before), content(&change.after));
        Self::of(change.requested.as_str(), &before, &after, drawing)
    }

    fn of(path: &str, before: &[u8], after: &[u8], drawing: Drawing<'_>) -> Self {
        let mask = |bytes: &[u8]| MaskedLines::new(drawing.redactor, bytes);
        let (before, after) = (mask(before), mask(after));
        let before_colours = drawing.painter.paint(path, &before);
        let after_colours = drawing.painter.paint(path, &after);
        Self { before, after, before_colours, after_colours }
    }

    /// The lines of the base from one index to another, one past the last.
    pub fn base_lines(&self, indices: std::ops::Range<usize>) -> Vec<wire::PlainLine> {
        let line = |index| wire::PlainLine {
            text: self.before.get(index).to_owned(),
            spans: self.before_colours.get(index),
        };
        indices.map(line).collect()
    }

    /// How many lines the base has.
    pub fn base_len(&self) -> usize {
        self.before.len()
    }

    /// A hunk as it may be shown.
    pub fn hunk(&self, hunk: &Hunk) -> wire::Hunk {
        let mut lines = self.lines(hunk);
        strip_common_returns(&mut lines);
        mark_changes(&mut lines);
        wire::Hunk {
            before_start: hunk.before_start,
            before_count: hunk.before_count,
            after_start: hunk.after_start,
            after_count: hunk.after_count,
            lines,
        }
    }

    fn lines(&self, hunk: &Hunk) -> Vec<wire::Line> {
        let (mut old, mut new) = (hunk.before_index(), hunk.after_index());
        let line = |line: &gatewright_model::HunkLine| {
            let (in_before, in_after) = (line.kind.is_in_before(), line.kind.is_in_after());
            let (text, spans) = match in_after {
                true => (self.after.get(new), self.after_colours.get(new)),
                false => (self.before.get(old), self.before_colours.get(old)),
            };
            let number = |index: usize| u32::try_from(index + 1).ok();
            let shown = wire::Line {
                kind: line.kind.marker().to_string(),
                old: in_before.then(|| number(old)).flatten(),
                new: in_after.then(|| number(new)).flatten(),
                text: text.to_owned(),
                ranges: None,
                spans,
                no_newline: (!line.text.ends_with(b"\n")).then_some(true),
            };
            old += usize::from(in_before);
            new += usize::from(in_after);
            shown
        };
        hunk.lines.iter().map(line).collect()
    }

    fn detail(&self, change: &FileChange) -> wire::FileDetail {
        wire::FileDetail {
            path: change.requested.to_string(),
            symbol: None,
            units: Vec::new(),
            findings: Vec::new(),
            missing: Vec::new(),
            before_lines: self.before.len(),
            hidden: self.after.hidden,
            before_hash: change.base_digest().map(|digest| digest.to_string()),
            after_hash: change.result_digest().map(|digest| digest.to_string()),
            conflict: None,
        }
    }
}

/// A carriage return that ends every line says nothing; one that differs must be seen.
fn strip_common_returns(lines: &mut [wire::Line]) {
    if lines.iter().all(|line| line.text.ends_with('\r') || line.no_newline.is_some()) {
        for line in lines {
            line.text.truncate(line.text.trim_end_matches('\r').len());
        }
    }
}

/// Pairs the removed lines of each run with the added ones and marks what differs.
fn mark_changes(lines: &mut [wire::Line]) {
    let removed = LineKind::Removed.marker().to_string();
    let added = LineKind::Added.marker().to_string();
    let mut index = 0;
    while index < lines.len() {
        let first = index;
        while index < lines.len() && lines[index].kind == removed {
            index += 1;
        }
        let middle = index;
        while index < lines.len() && lines[index].kind == added {
            index += 1;
        }
        for pair in 0..(middle - first).min(index - middle) {
            let (old, new) = (first + pair, middle + pair);
            let (a, b) = intraline::changed(&lines[old].text, &lines[new].text);
            lines[old].ranges = (!a.is_empty()).then_some(a);
            lines[new].ranges = (!b.is_empty()).then_some(b);
        }
        index = index.max(first + 1);
    }
}
