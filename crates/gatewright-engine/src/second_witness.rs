//! The second witness of a symbol edit: a language server that already knows the project.
//!
//! It is asked about the one file of the edit and never waited for to start, so
//! an edit costs the same in a large project as in a small one.

use std::time::Duration;

use gatewright_languages::lsp::catalogue::language_id;
use gatewright_languages::lsp::client::Shown;
use gatewright_languages::lsp::witness::{Testimony, testify};
use gatewright_languages::syntax::edit::resolve;
use gatewright_languages::syntax::{LanguageId, Parsed, decode};

use crate::symbols::CodeEdit;
use crate::{Engine, EngineError, FileView};

const ANSWER: Duration = Duration::from_millis(1500);
const ALTOGETHER: Duration = Duration::from_secs(3);

impl Engine {
    /// Asks the second witness; a disagreement stops the edit, anything else is a note.
    pub(crate) fn second_witness(
        &self,
        edit: &CodeEdit,
        view: &FileView,
        language: LanguageId,
    ) -> Result<Option<String>, EngineError> {
        let Ok(spec) = self.servers.spec(language) else { return Ok(None) };
        let Some(running) = self.servers.warm(language) else {
            let word = if self.is_long_lived() && self.servers.running(language).is_ok() {
                "is starting"
            } else {
                "does not run"
            };
            return Ok(Some(format!("{} {word}; the parse alone says where", spec.name)));
        };
        let Some((shown, parsed)) = shown(view, language) else { return Ok(None) };
        let (symbol, overload) = (edit.symbol.clone(), edit.overload);
        let said =
            running.call(ALTOGETHER, move |client, _| match resolve(&parsed, &symbol, overload) {
                Ok(symbol) => testify(client, &shown, &parsed, symbol, ANSWER),
                Err(_) => Testimony::Silent,
            });
        match said.unwrap_or_else(|error| Testimony::Absent(error.to_string())) {
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

/// The file as a server is shown it, and its parse.
fn shown(view: &FileView, language: LanguageId) -> Option<(Shown, Parsed)> {
    let (text, _) = decode(&view.state.content).ok()?;
    let text = std::str::from_utf8(&text).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = Parsed::new(language, text.as_bytes()).ok()?;
    let path = view.resolved.clone();
    Some((Shown { path, language_id: language_id(language), text: text.into() }, parsed))
}
