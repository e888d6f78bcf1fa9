//! The second witness of the hallucination guard: a language server that already runs.
//!
//! The first answer never waits for it. What was proposed is kept for a moment; a
//! door that lives on has it heard afterwards ([`Engine::hear_witnesses`]): the
//! server is shown the proposed text as an unsaved buffer, and a receipt of its
//! own says what it confirms, clears or adds.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::RangeInclusive;
use std::sync::{Arc, PoisonError};

use gatewright_guards::Judged;
use gatewright_languages::lsp::project::{Project, ProjectFile};
use gatewright_languages::lsp::question::{Answer, Question};
use gatewright_languages::lsp::questions::Diagnostic;
use gatewright_languages::syntax::{LanguageId, decode, detect};
use gatewright_ledger::ReceiptQuery;
use gatewright_model::{
    Action, FileChange, Finding, Guard, LineKind, MissingReference, PathFacts, Receipt, Resolution,
    Severity, diff_hunks,
};

use crate::recording::{Entry, Proposer};
use crate::{Engine, EngineError};

/// How many files of one change set it is asked about.
const MOST_FILES: usize = 16;
/// How many change sets wait at most; the oldest are not heard.
const MOST_WAITING: usize = 32;
/// How a receipt of a second witness begins.
const SPEAKS: &str = "second witness";
/// How many of its receipts are looked through.
const MOST_WORDS: usize = 200;
/// How many places one receipt names.
const MOST_NAMED: usize = 20;

/// What servers say of a name that is not there, by a part of the code or of the words.
const OF_MISSING: &[&str] = &[
    "undefined",
    "undeclared",
    "unresolved",
    "cannot find",
    "can't find",
    "could not find",
    "not found",
    "not defined",
    "no attribute",
    "no member",
    "no exported member",
    "no method",
    "no field",
    "does not exist",
    "doesn't exist",
    "could not be resolved",
    "cannot be resolved",
    "unknown import",
    "is unknown",
];

/// A change set whose first answer was given.
#[derive(Debug)]
pub(crate) struct Waiting {
    receipt_id: String,
    proposer: Proposer,
    files: Vec<WaitingFile>,
    missing: Vec<MissingReference>,
}

#[derive(Debug)]
struct WaitingFile {
    path: String,
    language: LanguageId,
    text: Arc<str>,
    /// The lines that the change wrote.
    lines: Vec<RangeInclusive<usize>>,
}

/// What the witness says, place by place.
#[derive(Debug, Default)]
struct Word {
    confirmed: Vec<String>,
    cleared: Vec<String>,
    added: Vec<Finding>,
}

impl Engine {
    /// What the second witness is asked of a change set; `None` where none runs.
    pub(crate) fn waiting_of(&self, judged: &Judged, by: &Proposer) -> Option<Waiting> {
        if !self.is_long_lived() {
            return None;
        }
        let files = files_of(judged, |language| self.servers.may_be_warm(language));
        let (proposer, missing) = (by.clone(), judged.missing_references());
        let is_any = !files.is_empty();
        is_any.then(|| Waiting { receipt_id: String::new(), proposer, files, missing })
    }

    /// Keeps it until a door has it heard.
    pub(crate) fn keep_for_witness(&self, waiting: Option<Waiting>, receipt: &Receipt) {
        let Some(mut waiting) = waiting else { return };
        waiting.receipt_id.clone_from(&receipt.body.receipt_id);
        let mut all = self.unheard.lock().unwrap_or_else(PoisonError::into_inner);
        all.push_back(waiting);
        if all.len() > MOST_WAITING {
            all.pop_front();
        }
    }

    /// What the second witness said of the newest receipts of a run, by receipt.
    pub fn witness_words(&self, run_id: &str) -> Result<HashMap<String, String>, EngineError> {
        let query = ReceiptQuery {
            action: Some(Action::Notice),
            run_id: Some(run_id.to_owned()),
            limit: Some(MOST_WORDS),
            ..ReceiptQuery::default()
        };
        let mut words: HashMap<String, String> = HashMap::new();
        for receipt in self.ledger.list(&query)? {
            let (Some(of), Some(note)) = (receipt.body.refers_to, receipt.body.note) else {
                continue;
            };
            if note.starts_with(SPEAKS) {
                words.entry(of).or_default().push_str(&format!("{note}\n"));
            }
        }
        Ok(words)
    }

    /// Whether a second witness has not been heard yet.
    pub fn has_unheard(&self) -> bool {
        !self.unheard.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Asks the running servers about what was proposed, and records what they say.
    pub fn hear_witnesses(&self) -> Result<(), EngineError> {
        loop {
            let next = self.unheard.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(waiting) = next else { return Ok(()) };
            self.hear(&waiting)?;
        }
    }

    fn hear(&self, waiting: &Waiting) -> Result<(), EngineError> {
        let mut languages: Vec<LanguageId> =
            waiting.files.iter().map(|file| file.language).collect();
        languages.sort_by_key(|language| format!("{language:?}"));
        languages.dedup();
        for language in languages {
            let Ok(spec) = self.servers.spec(language) else { continue };
            let files: BTreeMap<&str, &WaitingFile> = waiting
                .files
                .iter()
                .filter(|file| file.language == language)
                .map(|file| (file.path.as_str(), file))
                .collect();
            let project = Project {
                files: files
                    .iter()
                    .map(|(path, file)| ((*path).to_owned(), file.shown()))
                    .collect(),
            };
            // A server that takes too long is not heard; nothing is said in its name.
            let heard = self.servers.ask(language, Question::Buffers, project);
            let Ok(Answer::Problems(heard)) = heard else { continue };
            let mut word = Word::default();
            for (file, said) in files.values().zip(&heard) {
                word.weigh(file, said, &waiting.missing);
            }
            self.record_word(waiting, spec.name, word)?;
        }
        Ok(())
    }

    fn record_word(&self, of: &Waiting, server: &str, word: Word) -> Result<(), EngineError> {
        let Word { confirmed, cleared, added } = word;
        if confirmed.is_empty() && cleared.is_empty() && added.is_empty() {
            return Ok(());
        }
        let places: Vec<String> = added.iter().map(place_of).collect();
        let parts: Vec<String> = [("confirms", confirmed), ("clears", cleared), ("adds", places)]
            .into_iter()
            .filter(|(_, places)| !places.is_empty())
            .map(|(verb, places)| format!("{verb} {}", listed(&places)))
            .collect();
        let note = format!("{SPEAKS} {server}: {}", parts.join("; "));
        let entry = Entry::bare(Action::Notice)
            .noting(note)
            .answering(&of.receipt_id)
            .with_findings(added.into_iter().take(MOST_NAMED).collect());
        self.record(entry, &of.proposer).map(drop)
    }
}

impl WaitingFile {
    fn shown(&self) -> ProjectFile {
        ProjectFile { language: self.language, text: Arc::clone(&self.text) }
    }

    fn is_written(&self, line: usize) -> bool {
        self.lines.iter().any(|lines| lines.contains(&line))
    }
}

impl Word {
    /// Compares what the server says of one file with what the first witness said.
    fn weigh(&mut self, file: &WaitingFile, said: &[Diagnostic], missing: &[MissingReference]) {
        let of_missing: Vec<&Diagnostic> = said.iter().filter(|one| is_of_missing(one)).collect();
        let first: Vec<&MissingReference> =
            missing.iter().filter(|one| one.path == file.path && one.kind != "broken").collect();
        for one in &first {
            let place = format!("{}:{} {}", one.path, one.line, one.name);
            let line = one.line as usize;
            if of_missing.iter().any(|said| said.line == line) {
                self.confirmed.push(place);
            } else {
                self.cleared.push(place);
            }
        }
        let is_new = |said: &Diagnostic| {
            file.is_written(said.line) && !first.iter().any(|one| one.line as usize == said.line)
        };
        for said in of_missing.into_iter().filter(|said| is_new(said)) {
            let mut finding = Finding::new(
                Guard::Hallucination,
                Severity::Warn,
                "H110-second-witness",
                &file.path,
                said.message.lines().next().unwrap_or_default(),
            );
            finding.line = u32::try_from(said.line).ok();
            self.added.push(finding);
        }
    }
}

fn is_of_missing(said: &Diagnostic) -> bool {
    let words = format!("{} {}", said.code.as_deref().unwrap_or_default(), said.message);
    let words = words.to_lowercase();
    matches!(said.severity, "error" | "warning")
        && OF_MISSING.iter().any(|part| words.contains(part))
}

fn place_of(finding: &Finding) -> String {
    format!("{}:{} {}", finding.path, finding.line.unwrap_or_default(), finding.message)
}

fn listed(places: &[String]) -> String {
    let more = places.len().saturating_sub(MOST_NAMED);
    let first = places.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    if more == 0 { first } else { format!("{first} and {more} more") }
}

/// The files of a change set that a server could be shown.
fn files_of(judged: &Judged, is_heard: impl Fn(LanguageId) -> bool) -> Vec<WaitingFile> {
    let changes = judged.change_set().changes.iter().zip(&judged.facts().paths);
    let file = |(change, facts): (&FileChange, &PathFacts)| {
        let Resolution::Inside(target) = &facts.resolution else { return None };
        let (after, path) = (change.after.as_ref()?, target.resolved.to_string());
        let language = detect(&path, &after.content).filter(|language| is_heard(*language))?;
        let (text, _) = decode(&after.content).ok()?;
        let text = std::str::from_utf8(&text).ok()?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).into();
        let before = change.before.as_ref().map(|state| &*state.content).unwrap_or_default();
        let lines = written_lines(before, &after.content);
        Some(WaitingFile { path, language, text, lines })
    };
    changes.filter_map(file).take(MOST_FILES).collect()
}

/// The one-based lines of the result that a change wrote.
fn written_lines(before: &[u8], after: &[u8]) -> Vec<RangeInclusive<usize>> {
    let mut written: Vec<RangeInclusive<usize>> = Vec::new();
    for hunk in diff_hunks(before, after) {
        let mut line = hunk.after_index();
        for one in hunk.lines.iter().filter(|one| one.kind != LineKind::Removed) {
            line += 1;
            if one.kind == LineKind::Added {
                match written.last_mut() {
                    Some(last) if last.end() + 1 == line => *last = *last.start()..=line,
                    _ => written.push(line..=line),
                }
            }
        }
    }
    written
}

/// What waits, oldest first.
pub(crate) type Unheard = VecDeque<Waiting>;

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: usize, code: &str, message: &str) -> Diagnostic {
        let (code, message) = (Some(code.to_owned()), message.to_owned());
        Diagnostic { line, column: 1, severity: "error", code, message }
    }

    fn missing(line: u32, name: &str) -> MissingReference {
        let (name, path, kind) = (name.to_owned(), "a.py".to_owned(), "import".to_owned());
        MissingReference {
            name,
            path,
            line,
            col: 1,
            kind,
            suggestions: Vec::new(),
            places: Vec::new(),
        }
    }

    #[test]
    fn a_server_confirms_clears_and_adds() {
        let before = b"one\ntwo\n";
        let after = "ONE\ntwo\nthree\nfour\n";
        let file = WaitingFile {
            path: "a.py".to_owned(),
            language: LanguageId::Python,
            text: after.into(),
            lines: written_lines(before, after.as_bytes()),
        };
        let heard = [
            said(1, "unresolved-import", "Module `x` has no member `totl`"),
            said(2, "undefined", "was so before"),
            said(3, "invalid-syntax", "expected a name"),
            said(4, "", "`frob` is not defined"),
        ];
        let mut word = Word::default();
        word.weigh(&file, &heard, &[missing(1, "totl"), missing(3, "real")]);
        assert_eq!(word.confirmed, ["a.py:1 totl"]);
        assert_eq!(word.cleared, ["a.py:3 real"]);
        let added: Vec<String> = word.added.iter().map(place_of).collect();
        assert_eq!(added, ["a.py:4 `frob` is not defined"]);
    }
}
