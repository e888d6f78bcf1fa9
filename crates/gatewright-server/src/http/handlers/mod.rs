//! One handler a file: decode, call the engine, encode.

pub mod allow;
pub mod apply;
pub mod change;
pub mod changes;
pub mod chart;
pub mod comment;
pub mod decide;
pub mod edit_hunk;
pub mod events;
pub mod export;
pub mod lines;
pub mod mode;
pub mod openapi;
pub mod prove;
pub mod receipt;
pub mod receipts;
pub mod reject;
pub mod rollback;
pub mod rules;
pub mod session;
pub mod state;
pub mod try_rules;
pub mod undo_preview;
pub mod verify;

use gatewright_engine::ledger::StageItem;
use gatewright_engine::{EngineError, StagedChange, StagedFile};
use gatewright_model::{
    Digest, FileState, Finding, Guard, GuardOutcome, GuardOutcomes, MissingReference,
};

use super::app::App;
use super::problem::Problem;
use super::{diff_view, wire};

/// A staged item as the list shows it.
fn summary(
    change: &StagedChange,
    version: u64,
    state: &str,
    findings: &[Finding],
    words: &GuardOutcomes,
) -> wire::ChangeSummary {
    let files: Vec<_> =
        change.files.iter().map(|file| diff_view::file_summary(file, findings)).collect();
    wire::ChangeSummary {
        id: change.id.clone(),
        version,
        content: content_of(change),
        state: state.to_owned(),
        agent: change.agent.name.clone(),
        door: change.agent.door.as_str().to_owned(),
        run_id: change.run_id.clone(),
        created: change.created.clone(),
        suggest_only: change.suggest_only,
        guards: diff_view::guards(words),
        tally: diff_view::sum_of(&files),
        files,
    }
}

/// Stands for what a person sees: paths, bytes and modes, and not what was decided on them.
fn content_of(change: &StagedChange) -> String {
    let mut seen = Vec::new();
    for file in &change.files {
        let proposal = file.to_change();
        let mode = |state: &Option<FileState>| state.as_ref().map(|state| state.mode.bits());
        let modes = (mode(&proposal.before), mode(&proposal.after));
        let digests = (proposal.base_digest(), proposal.result_digest());
        let names = (&file.requested, &file.resolved, &file.renamed_from);
        seen.extend_from_slice(format!("{names:?} {digests:?} {modes:?}\n").as_bytes());
    }
    Digest::of(&seen).to_string()
}

/// The change as it lies in the store, if it is still what the person looked at.
fn as_seen(app: &App, id: &str, content: &str) -> Result<StagedChange, Problem> {
    let change = stored(app, id)?;
    if content_of(&change) == content { Ok(change) } else { Err(Problem::outdated()) }
}

/// What was recorded when a change was staged: findings alone do not say that a
/// guard could not run, nor which names would have been right.
struct AtTheDoor {
    words: GuardOutcomes,
    missing: Vec<MissingReference>,
}

fn at_the_door(app: &App, change: &StagedChange) -> Result<AtTheDoor, Problem> {
    Ok(match app.engine.ledger().find(&change.receipt_id)? {
        Some(found) => {
            AtTheDoor { words: found.body.guards, missing: found.body.missing_references }
        }
        None => AtTheDoor { words: GuardOutcomes::of(&change.findings), missing: Vec::new() },
    })
}

/// The missing references of one file.
fn missing_in(file: &StagedFile, all: &[MissingReference]) -> Vec<wire::Missing> {
    let is_here = |missing: &&MissingReference| {
        missing.path == file.requested.as_str() || missing.path == file.resolved.as_str()
    };
    let row = |missing: &MissingReference| wire::Missing {
        name: missing.name.clone(),
        line: missing.line,
        suggestions: missing.suggestions.clone(),
    };
    all.iter().filter(is_here).map(row).collect()
}

/// One staged change, judged anew, as the page shows it.
fn whole_change(app: &App, id: &str) -> Result<wire::Change, Problem> {
    let view = app.engine.staged(id)?;
    let findings = &view.checked.findings;
    let AtTheDoor { mut words, missing } = at_the_door(app, &view.change)?;
    for guard in Guard::ALL {
        // A guard that looks only at the door has spoken there.
        let today = view.checked.guards.get(guard);
        if today != GuardOutcome::NotChecked {
            words.raise(guard, today);
        }
    }
    let file = |file: &StagedFile| {
        let conflict = view.conflicts.iter().find(|conflict| conflict.path == file.resolved);
        let detail = diff_view::file_detail(file, findings, conflict, app.drawing());
        wire::FileDetail { missing: missing_in(file, &missing), ..detail }
    };
    let files: Vec<_> = view.change.files.iter().map(file).collect();
    let is_loose = |finding: &&Finding| {
        !view.change.files.iter().any(|file| diff_view::is_about(finding, file))
    };
    let loose = findings.iter().filter(is_loose).map(diff_view::finding).collect();
    Ok(wire::Change {
        summary: summary(&view.change, view.version, &view.state, findings, &words),
        verdict: view.checked.verdict.as_str().to_owned(),
        files,
        findings: loose,
    })
}

/// What stands decided now. A decision changes no bytes, so nothing is judged anew.
fn decided(app: &App, id: &str) -> Result<wire::Decided, Problem> {
    let missing = || EngineError::NoSuchChange { id: id.to_owned() };
    let item = app.engine.ledger().stage_get(id)?.ok_or_else(missing)?;
    let change = decode_item(&item)?;
    Ok(wire::Decided {
        version: item.version,
        tally: diff_view::tally(change.tally()),
        files: change.files.iter().map(diff_view::decided_file).collect(),
        id: change.id,
    })
}

/// A staged change as it lies in the store; nothing is judged anew.
fn stored(app: &App, id: &str) -> Result<StagedChange, Problem> {
    let missing = || EngineError::NoSuchChange { id: id.to_owned() };
    decode_item(&app.engine.ledger().stage_get(id)?.ok_or_else(missing)?)
}

fn decode_item(item: &StageItem) -> Result<StagedChange, Problem> {
    let change = serde_json::from_slice(&item.blob)
        .map_err(|error| EngineError::Bug { message: error.to_string() })?;
    Ok(change)
}

/// The item, if it is still at the version that the person looked at.
fn at_version(app: &App, id: &str, version: u64) -> Result<StageItem, Problem> {
    let missing = || EngineError::NoSuchChange { id: id.to_owned() };
    let item = app.engine.ledger().stage_get(id)?.ok_or_else(missing)?;
    if item.version == version { Ok(item) } else { Err(Problem::outdated()) }
}

fn outcome(outcome: &gatewright_engine::Outcome) -> wire::Outcome {
    let body = &outcome.receipt.body;
    wire::Outcome {
        disposition: outcome.disposition.as_str().to_owned(),
        receipt_id: body.receipt_id.clone(),
        seq: outcome.receipt.seq,
        files: body.files.iter().map(|file| file.path.clone()).collect(),
    }
}
