//! Further steps of a symbol edit on the same file: all of them, or none.
//!
//! A refused text edit may have touched several definitions, and the call that
//! is offered instead does all that was asked for at once. Every step meets the
//! text that the one before it made, and is checked as it would be alone: a
//! symbol by the parse, a text by the structural gate.

use gatewright_guards::structure;
use gatewright_languages::syntax::edit::{SymbolEdit, plan_edit};
use gatewright_languages::syntax::{LanguageId, structure_facts};
use gatewright_model::{Intent, TextEdit};

use crate::edit_text::apply_edits;
use crate::placeholders::restore_edits;
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

impl Engine {
    /// The content after all further steps.
    pub(crate) fn further_steps(
        &self,
        edit: &CodeEdit,
        language: LanguageId,
        mut content: Vec<u8>,
    ) -> Result<Vec<u8>, EngineError> {
        for step in &edit.then {
            content = match step {
                CodeStep::Symbol { symbol, overload, action } => {
                    let asked = SymbolEdit {
                        symbol: symbol.clone(),
                        overload: *overload,
                        expect: None,
                        action: action_of(action)?,
                    };
                    let plan = plan_edit(language, &content, &asked);
                    plan.map_err(|refusal| refused(edit, refusal))?.after
                }
                CodeStep::Text(text) => self.text_step(edit.path.as_str(), &content, text)?,
            };
        }
        Ok(content)
    }

    fn text_step(
        &self,
        path: &str,
        content: &[u8],
        edit: &TextEdit,
    ) -> Result<Vec<u8>, EngineError> {
        let edits = std::slice::from_ref(edit);
        let edits = restore_edits(self.redactor.redactor(), path, content, edits)?;
        let after = apply_edits(path, content, &edits)?;
        let intent = Intent::Edit(edits.into_owned());
        let facts = structure_facts(path, Some(content), Some(&after), &intent);
        match structure::judge(path, &facts).into_iter().next() {
            None => Ok(after),
            Some(finding) => Err(EngineError::Symbol {
                path: path.to_owned(),
                message: finding.message,
                candidates: Vec::new(),
            }),
        }
    }
}
