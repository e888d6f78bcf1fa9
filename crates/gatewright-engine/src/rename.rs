//! Renaming a symbol everywhere, through a language server that is asked and checked.
//!
//! All files of the rename are one change set and take the ordinary road: each
//! names the digest of the text that the answer was judged on, so a file that
//! somebody changed meanwhile stops the whole of it.

use gatewright_languages::lsp::asking::NoAnswer;
use gatewright_languages::lsp::catalogue::{RenameWorth, ServerSpec};
use gatewright_languages::lsp::clash;
use gatewright_languages::lsp::names::check_name;
use gatewright_languages::lsp::project::is_word;
use gatewright_languages::lsp::question::{Answer, Question};
use gatewright_languages::lsp::rename::{Leftover, RenamePlan, RenameTask, judge};
use gatewright_languages::lsp::servers::Unavailable;
use gatewright_languages::syntax::edit::{resolve, symbol_digest};
use gatewright_languages::syntax::{LanguageId, Parsed, Symbol, SymbolKind, TokenClass, decode};
use gatewright_model::RequestedPath;

use crate::code_project::CodeProject;
use crate::symbols::{CodeEdit, CodeOutcome, language_of, refused};
use crate::{Base, Engine, EngineError, Operation, Request};

/// How many places that keep the old name are listed.
const LISTED: usize = 20;

/// The symbol that is meant, with its name as it stands.
struct Meant {
    task: RenameTask,
    symbol: String,
    language: LanguageId,
}

impl Engine {
    /// Renames a symbol in every file that uses it.
    pub(crate) fn rename_symbol(
        &self,
        edit: &CodeEdit,
        new: &str,
        mut request: Request,
    ) -> Result<CodeOutcome, EngineError> {
        let meant = self.meant(edit, new, &request.run_id)?;
        let spec = self.servers.spec(meant.language).map_err(no_server)?;
        let files = self.code_project(meant.language, &request.run_id)?;
        let refusal = |words: String| not_renamed(edit, &format!("{}: {words}", spec.name));
        let question = Question::Rename(meant.task.clone());
        let proposed = match self.servers.ask(meant.language, question, files.project.clone()) {
            Ok(Answer::Rename(proposed)) => proposed,
            Ok(_) => return Err(refusal("it answers something else".to_owned())),
            Err(NoAnswer::Unavailable(unavailable)) => return Err(no_server(unavailable)),
            Err(error) => return Err(refusal(error.to_string())),
        };
        let plan = judge(&files.project, &meant.task, proposed)
            .map_err(|error| refusal(error.to_string()))?;
        request.operations = operations(&meant.symbol, &files, &plan, edit)?;
        let notes = notes(&meant.task, &plan, spec, files.is_cut);
        let outcome = self.propose(request)?;
        Ok(CodeOutcome { outcome, symbol: meant.symbol, notes, put_back: None })
    }

    /// Finds the symbol and checks the new name, before any server is asked.
    fn meant(&self, edit: &CodeEdit, new: &str, run_id: &str) -> Result<Meant, EngineError> {
        let view = self.read_file(&edit.path, run_id)?;
        let language = language_of(edit.path.as_str(), &view)?;
        let no_text = |source| EngineError::NotText { path: edit.path.to_string(), source };
        let (text, _) = decode(&view.state.content).map_err(no_text)?;
        let mark = if text.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        let parsed = Parsed::new(language, &text[mark..])
            .map_err(|error| not_renamed(edit, &error.to_string()))?;
        let symbol = resolve(&parsed, &edit.symbol, edit.overload)
            .map_err(|refusal| refused(edit, refusal))?;
        let seen = [view.digest, symbol_digest(&parsed, symbol)];
        if edit.expect.is_some_and(|expect| !seen.contains(&expect)) {
            let current = parsed.text(symbol.full);
            let message = format!("{:?} changed since it was read", symbol.path);
            let candidates = vec![format!("its text now:\n{current}")];
            return Err(EngineError::Symbol { path: edit.path.to_string(), message, candidates });
        }
        let (old, offset) = identifier(&parsed, symbol)
            .ok_or_else(|| not_renamed(edit, "it has no name of its own to change"))?;
        check_name(language, &old, new).map_err(|error| not_renamed(edit, &error.to_string()))?;
        if let Some(clash) = clash::sibling(&parsed, symbol, new) {
            let place = format!("{new:?} is already in {}, line {}", clash.scope, clash.line);
            return Err(not_renamed(edit, &place));
        }
        self.check_worth(edit, language, symbol)?;
        let task = RenameTask { path: view.resolved, offset, old, new: new.to_owned() };
        Ok(Meant { task, symbol: symbol.path.clone(), language })
    }

    /// Refuses where the only server would rename by the name alone.
    fn check_worth(
        &self,
        edit: &CodeEdit,
        language: LanguageId,
        symbol: &Symbol,
    ) -> Result<(), EngineError> {
        let spec = self.servers.spec(language).map_err(no_server)?;
        let is_constant =
            matches!(symbol.kind, SymbolKind::Class | SymbolKind::Module | SymbolKind::Constant);
        let is_trusted = match spec.rename {
            RenameWorth::ByMeaning => true,
            RenameWorth::ConstantsOnly => is_constant,
            RenameWorth::ByName => false,
        };
        if is_trusted {
            return Ok(());
        }
        Err(not_renamed(edit, &format!("{} is not asked: {}", spec.name, spec.limits)))
    }
}

/// The last word of a symbol's name, and where it stands.
fn identifier(parsed: &Parsed, symbol: &Symbol) -> Option<(String, usize)> {
    if symbol.kind == SymbolKind::Impl {
        return None;
    }
    let name = parsed.text(symbol.name_span);
    let start = name.char_indices().rev().take_while(|(_, c)| is_word(*c)).last()?.0;
    let start = if name[..start].ends_with('#') { start - 1 } else { start };
    Some((name[start..].to_owned(), symbol.name_span.start + start))
}

fn operations(
    symbol: &str,
    files: &CodeProject,
    plan: &RenamePlan,
    edit: &CodeEdit,
) -> Result<Vec<Operation>, EngineError> {
    let mut operations = Vec::new();
    for file in &plan.files {
        let (content, base) = files
            .spell(&file.path, &file.after)
            .ok_or_else(|| not_renamed(edit, &format!("{:?} is not known", file.path)))?;
        let path = RequestedPath::new(&file.path);
        operations.push(Operation::Symbol { path, symbol: symbol.to_owned(), content, base });
    }
    for (from, to) in &plan.moves {
        let (from, to) = (RequestedPath::new(from), RequestedPath::new(to));
        operations.push(Operation::Rename { from, to, base: Base::Current });
    }
    Ok(operations)
}

/// What the caller should know of a rename.
fn notes(task: &RenameTask, plan: &RenamePlan, spec: &ServerSpec, is_cut: bool) -> Vec<String> {
    let places: usize = plan.files.iter().map(|file| file.places.len()).sum();
    let (old, new) = (&task.old, &task.new);
    let mut notes = vec![format!(
        "{old} is {new} at {places} places of {} files, as {} answered {} times",
        plan.files.len(),
        spec.name,
        plan.answers
    )];
    let of_class = |class: TokenClass| {
        let all = plan.files.iter().flat_map(|file| &file.places);
        all.filter(|place| place.class == class).count()
    };
    for (class, name) in [(TokenClass::Comment, "comments"), (TokenClass::String, "strings")] {
        if of_class(class) > 0 {
            notes.push(format!("{} of the places are in {name}", of_class(class)));
        }
    }
    let (code, words): (Vec<&Leftover>, Vec<&Leftover>) =
        plan.leftovers.iter().partition(|left| left.class == TokenClass::Code);
    if !code.is_empty() {
        let (count, places) = (code.len(), listed(&code));
        let still = "places in code still say";
        notes.push(format!("{count} {still} {old}, which may be something else: {places}"));
    }
    if !words.is_empty() {
        let (count, places) = (words.len(), listed(&words));
        notes.push(format!("{count} places in comments or strings still say {old}: {places}"));
    }
    let moves = plan.moves.iter().map(|(from, to)| format!("{from} becomes {to}"));
    notes.extend(moves);
    notes.extend((!spec.limits.is_empty()).then(|| format!("{}: {}", spec.name, spec.limits)));
    let complaint = plan.complaint.as_ref();
    notes.extend(complaint.map(|text| format!("{} complains: {text}", spec.name)));
    notes.extend(is_cut.then(|| "the workspace holds more files than were looked at".to_owned()));
    notes
}

/// The first of some places.
fn listed(places: &[&Leftover]) -> String {
    let place = |left: &&Leftover| format!("{}:{}", left.path, left.line);
    let first: Vec<String> = places.iter().take(LISTED).map(place).collect();
    format!("{}{}", first.join(", "), if places.len() > LISTED { ", …" } else { "" })
}

fn not_renamed(edit: &CodeEdit, message: &str) -> EngineError {
    EngineError::NotRenamed {
        path: edit.path.to_string(),
        symbol: edit.symbol.clone(),
        message: message.to_owned(),
    }
}

/// The refusal that names what to install.
fn no_server(unavailable: Unavailable) -> EngineError {
    match unavailable {
        Unavailable::Missing { language, server, install } => {
            EngineError::RenameNeedsServer { language: language.to_owned(), server, install }
        }
        failed => EngineError::ServerFailed { message: failed.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_places_that_keep_a_name_are_listed() {
        let left = |line| Leftover { path: "a.py".to_owned(), line, class: TokenClass::Comment };
        let all: Vec<Leftover> = (1..=LISTED + 1).map(left).collect();
        let places: Vec<&Leftover> = all.iter().collect();
        assert_eq!(listed(&places[..2]), "a.py:1, a.py:2");
        assert!(listed(&places).ends_with("a.py:20, …"));
    }
}
