//! From what happened to a receipt body. Everything textual passes the egress guard here.

use gatewright_guards::Judged;
use gatewright_model::{
    Action, Agent, Autonomy, Digest, Door, FileChange, FileMode, FileRecord, Finding, Guard,
    GuardOutcome, GuardOutcomes, HumanDecision, HunkRecord, MissingReference, ReadyCall, Receipt,
    ReceiptBody, Resolution, Verdict, diff_hunks, readable, unified_hunk,
};
use gatewright_workspace::Applied;

use crate::outcome::calls_of;
use crate::redaction::Tally;
use crate::{Disposition, Engine, EngineError, Outcome};

/// Who proposed, and under which autonomy.
#[derive(Debug, Clone)]
pub struct Proposer {
    /// The agent.
    pub agent: Agent,
    /// Its run.
    pub run_id: String,
    /// The autonomy in force for it.
    pub autonomy: Autonomy,
}

/// What a receipt will say, before it is redacted and signed.
#[derive(Debug, Clone)]
pub struct Entry {
    pub(crate) action: Action,
    pub(crate) applied: bool,
    verdict: Verdict,
    findings: Vec<Finding>,
    calls: Vec<ReadyCall>,
    outcomes: GuardOutcomes,
    files: Vec<FileRecord>,
    /// What the receipt shows the difference of.
    changes: Vec<FileChange>,
    missing: Vec<MissingReference>,
    symbols_checked: u64,
    snapshot_id: Option<String>,
    reviewer: Option<String>,
    pub(crate) refers_to: Option<String>,
    note: Option<String>,
}

/// A file that was found changed.
#[derive(Debug, Clone)]
pub struct Found {
    /// Both states, as far as their bytes are known.
    pub change: FileChange,
    /// The digest before, which is known for longer than the bytes.
    pub before_hash: Option<Digest>,
    /// The permission bits before.
    pub before_mode: Option<FileMode>,
}

impl Found {
    fn record(&self) -> FileRecord {
        FileRecord {
            path: escape(self.change.requested.as_str()),
            requested: None,
            before_hash: self.before_hash,
            after_hash: self.change.result_digest(),
            before_mode: self.before_mode.map(|mode| octal(mode.bits())),
            after_mode: self.change.after.as_ref().map(|state| octal(state.mode.bits())),
        }
    }
}

/// How much diff text one receipt holds at most.
const DIFF_LIMIT: usize = 256 * 1024;

impl Entry {
    /// An entry about a judged change set.
    pub fn of(judged: &Judged, action: Action) -> Self {
        let changes = &judged.change_set().changes;
        let files: Vec<FileRecord> = changes
            .iter()
            .zip(&judged.facts().paths)
            .map(|(change, facts)| file_record(change, &facts.resolution))
            .collect();
        Self {
            verdict: judged.verdict(),
            findings: judged.findings().to_vec(),
            calls: calls_of(judged),
            missing: judged.missing_references(),
            symbols_checked: judged.symbols_checked(),
            outcomes: judged.outcomes(),
            files,
            changes: changes.clone(),
            ..Self::bare(action)
        }
    }

    /// An entry about nothing but itself.
    pub fn bare(action: Action) -> Self {
        Self {
            action,
            applied: false,
            verdict: Verdict::Pass,
            findings: Vec::new(),
            calls: Vec::new(),
            outcomes: GuardOutcomes::default(),
            files: Vec::new(),
            changes: Vec::new(),
            missing: Vec::new(),
            symbols_checked: 0,
            snapshot_id: None,
            reviewer: None,
            refers_to: None,
            note: None,
        }
    }

    /// An entry about files that were found changed; the change is on disk.
    pub fn found(action: Action, found: &[Found], snapshot_id: Option<String>) -> Self {
        let files: Vec<FileRecord> = found.iter().map(Found::record).collect();
        let changes: Vec<FileChange> = found.iter().map(|found| found.change.clone()).collect();
        Self { applied: true, files, changes, snapshot_id, ..Self::bare(action) }
    }

    /// The same, with the word that the guards gave when it was allowed.
    pub fn judged_as(mut self, allowed: &ReceiptBody) -> Self {
        self.outcomes = allowed.guards.clone();
        self.findings = allowed.findings.clone();
        self.missing = allowed.missing_references.clone();
        self.symbols_checked = allowed.symbols_checked;
        self
    }

    /// The same, as something that no guard has seen.
    pub fn unchecked(mut self) -> Self {
        for guard in Guard::ALL {
            self.outcomes.raise(guard, GuardOutcome::NotChecked);
        }
        self
    }

    /// The same with a sentence for people.
    pub fn noting(mut self, note: String) -> Self {
        self.note = Some(note);
        self
    }

    /// The same with one more sentence.
    pub fn noting_also(mut self, more: &str) -> Self {
        let note = self.note.map_or(more.to_owned(), |note| format!("{note}; {more}"));
        self.note = Some(note);
        self
    }

    /// The same, answering an earlier receipt.
    pub fn answering(mut self, receipt_id: &str) -> Self {
        self.refers_to = Some(receipt_id.to_owned());
        self
    }

    /// The same with these findings.
    pub fn with_findings(mut self, findings: Vec<Finding>) -> Self {
        for finding in &findings {
            self.outcomes.raise(finding.guard, finding.severity.into());
        }
        self.findings = findings;
        self
    }

    /// The same, decided by a person.
    pub fn reviewed_by(mut self, reviewer: &str) -> Self {
        self.reviewer = Some(reviewer.to_owned());
        self
    }

    /// Takes over what a person decided.
    pub fn confirm(&mut self, decision: Option<&HumanDecision>) {
        let Some(decision) = decision else { return };
        self.reviewer = Some(decision.reviewer.clone());
        if decision.confirms {
            self.outcomes.confirm();
        }
    }

    /// The same with what the workspace really did.
    pub fn with_applied(mut self, applied: &Applied) -> Self {
        self.snapshot_id = Some(applied.snapshot.to_string());
        for file in &applied.files {
            let resolved = file.resolved.as_str();
            if let Some(record) = self.files.iter_mut().find(|record| record.path == resolved) {
                record.before_hash = file.before.map(|(digest, _)| digest);
                record.after_hash = file.after.map(|(digest, _)| digest);
                record.before_mode = file.before.map(|(_, mode)| octal(mode.bits()));
                record.after_mode = file.after.map(|(_, mode)| octal(mode.bits()));
            }
        }
        self
    }

    /// The same as a refusal for one more finding.
    pub fn refused_for(mut self, finding: Finding) -> Self {
        self.outcomes.raise(finding.guard, finding.severity.into());
        self.findings.push(finding);
        self.action = Action::Refuse;
        self.applied = false;
        self
    }

    /// The outcome that goes back through the door.
    pub fn outcome(self, disposition: Disposition, receipt: Receipt) -> Outcome {
        let Entry { verdict, findings, calls, .. } = self;
        Outcome { disposition, verdict, findings, calls, receipt }
    }
}

impl Engine {
    /// Records an outcome that wrote nothing.
    pub(crate) fn record(&self, entry: Entry, by: &Proposer) -> Result<Receipt, EngineError> {
        let body = self.receipt_body(self.clock.fresh_id(), entry, by);
        Ok(self.ledger.append(body)?)
    }

    /// Records something that concerns no change.
    pub(crate) fn record_notice(&self, text: &str) -> Result<Receipt, EngineError> {
        let agent = Agent {
            name: "gatewright".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            door: Door::Cli,
        };
        let autonomy = self.autonomy()?;
        let proposer = Proposer { agent, run_id: "gatewright".to_owned(), autonomy };
        self.record(Entry::bare(Action::Notice).noting(text.to_owned()), &proposer)
    }

    /// The body of a receipt: every text of it redacted, with counts.
    pub(crate) fn receipt_body(&self, id: String, entry: Entry, by: &Proposer) -> ReceiptBody {
        let mut tally = Tally::default();
        let mut clean = |text: &str| self.redactor.text(text, &mut tally);
        let findings = entry.findings.into_iter().map(|finding| Finding {
            path: clean(&escape(&finding.path)),
            message: clean(&finding.message),
            hint: finding.hint.as_deref().map(&mut clean),
            ..finding
        });
        let findings: Vec<Finding> = findings.collect();
        let hunks = hunk_records(&entry.changes, &entry.files);
        let files = entry.files.into_iter().map(|file| FileRecord {
            path: clean(&file.path),
            requested: file.requested.as_deref().map(&mut clean),
            ..file
        });
        let files: Vec<FileRecord> = files.collect();
        let diffs = hunks.into_iter().map(|record| HunkRecord {
            path: clean(&record.path),
            hunks: record.hunks.iter().map(|hunk| clean(hunk)).collect(),
        });
        let diffs: Vec<HunkRecord> = diffs.collect();
        let note = entry.note.as_deref().map(&mut clean);
        ReceiptBody {
            receipt_id: id,
            timestamp: self.clock.timestamp(),
            workspace_id: self.layout.workspace_id.clone(),
            run_id: clean(&by.run_id),
            agent: Agent {
                name: clean(&by.agent.name),
                version: clean(&by.agent.version),
                door: by.agent.door,
            },
            user: self.user.clone(),
            action: entry.action,
            applied: entry.applied,
            files,
            diffs,
            snapshot_id: entry.snapshot_id,
            symbols_checked: entry.symbols_checked,
            guards: entry.outcomes,
            findings,
            missing_references: entry.missing,
            redactions: tally.into_counts(),
            autonomy: name_of(by.autonomy),
            reviewer: entry.reviewer,
            refers_to: entry.refers_to,
            policy_hash: self.config_now().policy_hash,
            note,
        }
    }
}

/// The autonomy as receipts spell it.
pub fn name_of(autonomy: Autonomy) -> String {
    let flag = if autonomy.suggest_only { "+suggest-only" } else { "" };
    format!("{}{flag}", autonomy.mode)
}

fn file_record(change: &FileChange, resolution: &Resolution) -> FileRecord {
    let requested = escape(change.requested.as_str());
    let path = match resolution {
        Resolution::Inside(target) => target.resolved.to_string(),
        Resolution::Failed(_) => requested.clone(),
    };
    FileRecord {
        requested: (path != requested).then_some(requested),
        path,
        before_hash: change.base_digest(),
        after_hash: change.result_digest(),
        before_mode: change.before.as_ref().map(|state| octal(state.mode.bits())),
        after_mode: change.after.as_ref().map(|state| octal(state.mode.bits())),
    }
}

fn octal(bits: u32) -> String {
    format!("{bits:04o}")
}

fn hunk_records(changes: &[FileChange], files: &[FileRecord]) -> Vec<HunkRecord> {
    let mut left = DIFF_LIMIT;
    changes
        .iter()
        .zip(files)
        .map(|(change, file)| HunkRecord {
            path: file.path.clone(),
            hunks: hunks(change, &mut left),
        })
        .collect()
}

fn hunks(change: &FileChange, left: &mut usize) -> Vec<String> {
    let content = |state: &Option<gatewright_model::FileState>| {
        state.as_ref().map(|state| state.content.clone()).unwrap_or_default()
    };
    let (before, after) = (content(&change.before), content(&change.after));
    if readable(&before).0.contains(&0) || readable(&after).0.contains(&0) {
        return vec!["binary content, not shown".to_owned()];
    }
    let all = diff_hunks(&before, &after);
    let total = all.len();
    let mut shown = Vec::new();
    for hunk in &all {
        let text = unified_hunk(hunk);
        if text.len() > *left {
            shown.push(format!("{} more hunks, not shown", total - shown.len()));
            break;
        }
        *left -= text.len();
        shown.push(text);
    }
    shown
}

/// Makes control and invisible characters of a name visible.
pub fn escape(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let visible = !c.is_control() && !is_invisible(c);
            let shown = if visible { c.to_string() } else { c.escape_unicode().to_string() };
            shown.chars().collect::<Vec<_>>()
        })
        .collect()
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{00ad}' | '\u{e0000}'..='\u{e007f}')
}
