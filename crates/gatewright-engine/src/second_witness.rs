//! The second witness of a symbol edit: a language server that already knows the project.
//!
//! It is asked about the one file of the edit and never waited for to start, so
//! an edit costs the same in a large project as in a small one.

use gatewright_languages::lsp::asking::NoAnswer;
use gatewright_languages::lsp::project::{Project, ProjectFile};
use gatewright_languages::lsp::question::{Answer, Question};
use gatewright_languages::lsp::witness::Testimony;
use gatewright_languages::syntax::edit::resolve;
use gatewright_languages::syntax::{LanguageId, Parsed, decode};

use crate::symbols::CodeEdit;
use crate::{Engine, EngineError, FileView};

impl Engine {
    /// Asks the second witness; a disagreement stops the edit, anything else is a note.
    pub(crate) fn second_witness(
        &self,
        edit: &CodeEdit,
        view: &FileView,
        language: LanguageId,
    ) -> Result<Option<String>, EngineError> {
        let spec = match self.servers.spec(language) {
            Ok(spec) => spec,
            Err(why) => return Ok(Some(format!("{why}; the parse alone says where"))),
        };
        let Some((text, parsed)) = parsed(view, language) else { return Ok(None) };
        let path = view.resolved.clone();
        let file = ProjectFile { language, text: text.as_str().into() };
        let project = Project { files: [(path.clone(), file)].into() };
        let said = match self.servers.ask(language, Question::Symbols { path }, project) {
            Ok(Answer::Symbols(listing)) => match resolve(&parsed, &edit.symbol, edit.overload) {
                Ok(symbol) => listing.testify(&text, &parsed, symbol),
                Err(_) => Testimony::Silent,
            },
            Ok(_) => Testimony::Absent("it answers something else".to_owned()),
            Err(NoAnswer::Cold { is_starting }) => {
                let is_starting =
                    is_starting || self.is_long_lived() && self.servers.running(language).is_ok();
                let word = if is_starting { "is starting" } else { "does not run" };
                return Ok(Some(format!("{} {word}; the parse alone says where", spec.name)));
            }
            Err(error) => Testimony::Absent(error.to_string()),
        };
        match said {
            Testimony::Agrees => Ok(Some(format!("{} names the same symbol there", spec.name))),
            Testimony::Silent => Ok(Some(format!("{} does not list it", spec.name))),
            Testimony::Absent(why) => {
                Ok(Some(format!("{} was not heard: {why}; the parse alone says where", spec.name)))
            }
            Testimony::Disagrees(why) => Err(EngineError::WitnessDisagrees {
                path: edit.path.to_string(),
                symbol: edit.symbol.clone(),
                server: spec.name,
                message: why,
            }),
        }
    }
}

/// The text as a server is shown it, and its parse.
fn parsed(view: &FileView, language: LanguageId) -> Option<(String, Parsed)> {
    let (text, _) = decode(&view.state.content).ok()?;
    let text = std::str::from_utf8(&text).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = Parsed::new(language, text.as_bytes()).ok()?;
    Some((text.to_owned(), parsed))
}
