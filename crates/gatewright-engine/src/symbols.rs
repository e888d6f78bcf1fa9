//! Symbol edits and outlines: the call to make where the structural gate refuses.
//!
//! The range comes from the parse of the bytes on disk (or staged by this run);
//! a language server that runs is the second witness. The plan is one more
//! change set and takes the same road as every other.

use std::sync::Arc;

use gatewright_languages::syntax::edit::{
    Candidate, EditRefusal, Position, SymbolAction, SymbolEdit, Taken, plan_edit, symbol_digest,
};
use gatewright_languages::syntax::{LanguageId, Parsed, decode, detect};
use gatewright_model::{Digest, EditShape, RequestedPath, SymbolCall};
use serde::Serialize;

use crate::{CodeStep, Disposition, Engine, EngineError, FileView, Operation, Outcome, Request};

/// A symbol edit as a door asks for it.
#[derive(Debug, Clone)]
pub struct CodeEdit {
    /// The file.
    pub path: RequestedPath,
    /// The symbol: a name path, or the end of one. Empty for the file itself, to insert into it.
    pub symbol: String,
    /// Its number among the symbols of that path, from 1.
    pub overload: Option<u32>,
    /// What to do.
    pub action: CodeAction,
    /// The digest of the symbol, or of the file, as the caller saw it.
    pub expect: Option<Digest>,
    /// What to do to the same file behind it, all or none.
    pub then: Vec<CodeStep>,
}

/// What to do with a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeAction {
    /// Give it new text.
    Replace(String),
    /// Give it new text for all that it owns.
    ReplaceWhole(String),
    /// Put text beside it or into it.
    Insert {
        /// `before`, `after`, `first` or `last`.
        position: String,
        /// The text.
        body: String,
    },
    /// Take it out.
    Remove,
    /// Put back what the last change of the file took out.
    PutBack,
    /// Give it another name, everywhere.
    Rename(String),
}

/// What a symbol edit came to.
#[derive(Debug, Clone)]
pub struct CodeOutcome {
    /// What became of the change.
    pub outcome: Outcome,
    /// The name path of the symbol that was meant.
    pub symbol: String,
    /// What the caller should know.
    pub notes: Vec<String>,
    /// After a removal: the call that puts the symbol back, byte by byte.
    pub put_back: Option<SymbolCall>,
}

/// One symbol of a file.
#[derive(Debug, Clone, Serialize)]
pub struct SymbolRow {
    /// Its name path.
    pub path: String,
    /// Its number among the symbols of that path.
    pub overload: u32,
    /// What it is.
    pub kind: &'static str,
    /// Its head on one line.
    pub head: String,
    /// The first line that it owns, one-based.
    pub first_line: usize,
    /// The last line that it owns, one-based.
    pub last_line: usize,
    /// The digest of its text, for `expect`.
    pub digest: Digest,
}

impl Engine {
    /// Edits one symbol and nothing else.
    pub fn edit_code(
        &self,
        edit: &CodeEdit,
        mut request: Request,
    ) -> Result<CodeOutcome, EngineError> {
        let action = match &edit.action {
            CodeAction::Rename(new) if edit.then.is_empty() => {
                return self.rename_symbol(edit, new, request);
            }
            action => action_of(action)?,
        };
        let (view, seen) = self.read_seeing(&edit.path, &request.run_id)?;
        let language = language_of(edit.path.as_str(), &view)?;
        let whole_file = edit.expect == Some(view.digest);
        let asked = SymbolEdit {
            symbol: edit.symbol.clone(),
            overload: edit.overload,
            expect: edit.expect.filter(|_| !whole_file),
            action,
        };
        let (plan, witnessed) = match self.put_back(&asked, language, &view, &request.run_id)? {
            Some(plan) => (plan, None),
            None => {
                let plan = plan_edit(language, &view.state.content, &asked)
                    .map_err(|refusal| refused(edit, refusal))?;
                (plan, self.second_witness(edit, &view, language)?)
            }
        };
        request.operations = vec![Operation::Symbol {
            path: edit.path.clone(),
            symbol: plan.symbol.clone(),
            content: self.further_steps(edit, language, &view.state.content, plan.after)?,
            base: view.digest,
        }];
        // A server that was asked may have taken long enough for somebody else to write.
        let seen = Some(&seen).filter(|_| self.servers.spec(language).is_err());
        let outcome = self.propose_seeing(request, seen)?;
        let is_taken =
            matches!(outcome.disposition, Disposition::Applied | Disposition::Staged { .. });
        let is_all = edit.then.is_empty();
        let put_back =
            plan.taken.filter(|_| is_taken && is_all).map(|taken| call_back(edit, taken));
        let notes = plan.notes.into_iter().chain(witnessed).collect();
        Ok(CodeOutcome { outcome, symbol: plan.symbol, notes, put_back })
    }

    /// The symbols of a file, in order.
    pub fn outline(
        &self,
        path: &RequestedPath,
        run_id: &str,
    ) -> Result<Arc<[SymbolRow]>, EngineError> {
        let view = self.read_file(path, run_id)?;
        let language = language_of(path.as_str(), &view)?;
        let make = || outline(path, language, &view.state.content);
        self.symbol_index.outline(language, view.digest, make)
    }
}

/// The call that puts a symbol back.
fn call_back(edit: &CodeEdit, taken: Taken) -> SymbolCall {
    SymbolCall {
        symbol: taken.symbol,
        overload: taken.overload,
        path: edit.path.to_string(),
        action: EditShape::Insert,
        position: Some("back".into()),
        whole: false,
        body: None,
    }
}

fn outline(
    path: &RequestedPath,
    language: LanguageId,
    content: &[u8],
) -> Result<Vec<SymbolRow>, EngineError> {
    let no_text = |source| EngineError::NotText { path: path.to_string(), source };
    let (text, _) = decode(content).map_err(no_text)?;
    let parsed = Parsed::new(language, &text).map_err(|error| EngineError::Parse {
        path: path.to_string(),
        message: error.to_string(),
    })?;
    Ok(parsed.outline().iter().map(|symbol| row(&parsed, symbol)).collect())
}

pub(crate) fn row(parsed: &Parsed, symbol: &gatewright_languages::syntax::Symbol) -> SymbolRow {
    let head = parsed.text(symbol.head);
    let line_of = |offset: usize| parsed.lines().line(offset);
    SymbolRow {
        path: symbol.path.clone(),
        overload: symbol.overload,
        kind: symbol.kind.as_str(),
        head: head.split_whitespace().collect::<Vec<_>>().join(" "),
        first_line: line_of(symbol.full.start),
        last_line: line_of(symbol.full.end.saturating_sub(1).max(symbol.full.start)),
        digest: symbol_digest(parsed, symbol),
    }
}

pub(crate) fn language_of(path: &str, view: &FileView) -> Result<LanguageId, EngineError> {
    detect(path, &view.state.content)
        .ok_or_else(|| EngineError::NoSymbols { path: path.to_owned() })
}

pub(crate) fn action_of(action: &CodeAction) -> Result<SymbolAction, EngineError> {
    Ok(match action {
        CodeAction::Replace(body) => SymbolAction::Replace { body: body.clone() },
        CodeAction::ReplaceWhole(body) => SymbolAction::ReplaceWhole { body: body.clone() },
        CodeAction::Remove => SymbolAction::Remove,
        CodeAction::PutBack => SymbolAction::PutBack,
        CodeAction::Insert { position, body } => {
            let position = match position.as_str() {
                "before" => Position::Before,
                "after" => Position::After,
                "first" => Position::First,
                "last" => Position::Last,
                other => return Err(EngineError::Position { text: other.to_owned() }),
            };
            SymbolAction::Insert { position, body: body.clone() }
        }
        CodeAction::Rename(_) => {
            return Err(EngineError::Json {
                message: "a rename is a call of its own, without further steps".to_owned(),
            });
        }
    })
}

pub(crate) fn refused(edit: &CodeEdit, refusal: EditRefusal) -> EngineError {
    let path = edit.path.to_string();
    let candidates = match &refusal {
        EditRefusal::NotFound { suggestions, .. } => list(suggestions),
        EditRefusal::Ambiguous { candidates, .. } => list(candidates),
        EditRefusal::Stale { current, .. } => vec![format!("its text now:\n{current}")],
        _ => Vec::new(),
    };
    EngineError::Symbol { path, message: refusal.to_string(), candidates }
}

fn list(candidates: &[Candidate]) -> Vec<String> {
    let row = |c: &Candidate| {
        format!("{} (overload {}, {}, line {}): {}", c.path, c.overload, c.kind, c.line, c.head)
    };
    candidates.iter().map(row).collect()
}
