//! Further steps of a symbol edit on the same file: all of them, or none.
//!
//! A refused text edit may have touched several definitions, and the call that
//! is offered instead does all that was asked for at once. Every step meets the
//! text that the one before it made, and is checked as it would be alone: a
//! symbol by the parse, a text by the structural gate. Texts that follow each
//! other are judged as the batch that they are, and the last result has no
//! syntax error that the base did not have.

use gatewright_guards::structure;
use gatewright_languages::syntax::edit::{SymbolEdit, plan_edit};
use gatewright_languages::syntax::{LanguageId, Parsed, decode, new_errors, structure_facts};
use gatewright_model::{Intent, TextEdit};

use crate::edit_text::apply_edits;
use crate::placeholders::restore_edits;
use crate::spelling::text_of;
use crate::symbols::{action_of, refused};
use crate::{CodeAction, CodeEdit, Engine, EngineError};

/// One step behind the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeStep {
    /// An edit of a symbol.
    Symbol {
        /// The symbol, as the steps before left it.
        symbol: String,
        /// Its number among the symbols of that path, from 1.
        overload: Option<u32>,
        /// What to do; a rename has a call of its own.
        action: CodeAction,
    },
    /// A replacement of text that belongs to no definition.
    Text(TextEdit),
}

/// Text steps with nothing but each other between them.
struct Batch {
    base: Vec<u8>,
    edits: Vec<TextEdit>,
}

impl Engine {
    /// The content after all further steps.
    pub(crate) fn further_steps(
        &self,
        edit: &CodeEdit,
        language: LanguageId,
        base: &[u8],
        mut content: Vec<u8>,
    ) -> Result<Vec<u8>, EngineError> {
        let path = edit.path.as_str();
        let mut batch = Batch { base: content.clone(), edits: Vec::new() };
        for step in &edit.then {
            match step {
                CodeStep::Symbol { symbol, overload, action } => {
                    let asked = SymbolEdit {
                        symbol: symbol.clone(),
                        overload: *overload,
                        expect: None,
                        action: action_of(action)?,
                    };
                    let plan = plan_edit(language, &content, &asked);
                    let after = plan.map_err(|refusal| refused(edit, refusal))?.after;
                    // A step that changes nothing does not part one text from the next.
                    if after != content {
                        batch = Batch { base: after.clone(), edits: Vec::new() };
                    }
                    content = after;
                }
                CodeStep::Text(text) => {
                    content = self.text_step(path, content, text, &mut batch)?
                }
            }
        }
        if edit.then.iter().any(|step| matches!(step, CodeStep::Text(_))) {
            no_new_errors(path, language, base, &content)?;
        }
        Ok(content)
    }

    fn text_step(
        &self,
        path: &str,
        content: Vec<u8>,
        edit: &TextEdit,
        batch: &mut Batch,
    ) -> Result<Vec<u8>, EngineError> {
        let edits = std::slice::from_ref(edit);
        let (text, encoding) = text_of(path, &content)?;
        let edits = restore_edits(self.redactor.redactor(), path, &text, edits)?;
        let after = encoding.encode(apply_edits(path, &text, &edits)?.as_bytes());
        batch.edits.extend(edits.into_owned());
        let intent = Intent::Edit(batch.edits.clone());
        let facts = structure_facts(path, Some(&batch.base), Some(&after), &intent);
        match structure::judge(path, &facts).into_iter().next() {
            None => Ok(after),
            Some(finding) => Err(not_made(path, finding.message)),
        }
    }
}

/// A text may break what it stands in; a symbol edit may not, and the steps are one.
fn no_new_errors(
    path: &str,
    language: LanguageId,
    base: &[u8],
    after: &[u8],
) -> Result<(), EngineError> {
    let signature = |bytes: &[u8]| {
        let (text, _) = decode(bytes).map_err(|error| not_made(path, error.to_string()))?;
        let parsed = Parsed::new(language, &text);
        parsed
            .map(|parsed| parsed.error_signature())
            .map_err(|error| not_made(path, error.to_string()))
    };
    let errors = new_errors(&signature(base)?, &signature(after)?);
    if errors.is_empty() {
        return Ok(());
    }
    Err(not_made(path, "The steps together would leave new syntax errors.".to_owned()))
}

fn not_made(path: &str, message: String) -> EngineError {
    EngineError::Symbol { path: path.to_owned(), message, candidates: Vec::new() }
}
