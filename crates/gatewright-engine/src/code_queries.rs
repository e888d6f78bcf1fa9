//! Questions about code: the uses of a symbol, what is wrong with a file, symbols of a project.
//!
//! A language server answers where one is there; else the parse and the words
//! do, and the answer says so.

use std::collections::BTreeMap;
use std::sync::Arc;

use gatewright_languages::lsp::asking::NoAnswer;
use gatewright_languages::lsp::catalogue::RenameWorth;
use gatewright_languages::lsp::project::is_word;
use gatewright_languages::lsp::question::{Answer, Question};
use gatewright_languages::lsp::questions::{Diagnostic, Use};
use gatewright_languages::lsp::without::{syntax_errors, uses_by_name};
use gatewright_languages::syntax::edit::resolve;
use gatewright_languages::syntax::{LanguageId, Parsed, decode, detect};
use gatewright_model::{RequestedPath, readable};

use crate::code_project::CodeProject;
use crate::source_list::Sources;
use crate::symbol_index::Answer as Indexed;
use crate::symbols::{CodeEdit, SymbolRow, language_of, refused, row};
use crate::unguarded::WalkedFile;
use crate::{CodeAction, Engine, EngineError};

/// The largest file that is looked through for symbols.
const LARGEST: u64 = 2 * 1024 * 1024;

/// An answer about code, with who gave it.
#[derive(Debug, Clone)]
pub struct CodeAnswer<T> {
    /// What was found.
    pub found: Vec<T>,
    /// The server that answered; `None` when the parse and the words did.
    pub server: Option<&'static str>,
    /// What the caller should know.
    pub notes: Vec<String>,
}

/// A use of a symbol, with the line that it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceRow {
    /// The file.
    pub path: String,
    /// The line number.
    pub line: usize,
    /// The column number, in bytes.
    pub column: usize,
    /// The text of the line.
    pub text: String,
}

/// A symbol with its file.
#[derive(Debug, Clone)]
pub struct FoundSymbol {
    /// The file.
    pub file: String,
    /// The symbol.
    pub row: SymbolRow,
}

/// Which symbols are looked for in a project.
#[derive(Debug, Clone, Default)]
pub struct SymbolQuery {
    /// A part of the name, case set aside; empty for all.
    pub name: String,
    /// The directory to look under; empty for the root.
    pub under: String,
    /// How many to skip.
    pub offset: usize,
    /// How many to give.
    pub limit: usize,
}

/// Where the text of a file stands.
enum Place<'a> {
    OnDisk(&'a WalkedFile),
    Staged(&'a [u8]),
}

impl Engine {
    /// The uses of a symbol, its definition included.
    pub fn references(
        &self,
        path: &RequestedPath,
        symbol: &str,
        overload: Option<u32>,
        run_id: &str,
    ) -> Result<CodeAnswer<ReferenceRow>, EngineError> {
        let view = self.read_file(path, run_id)?;
        let language = language_of(path.as_str(), &view)?;
        let (name, offset) = self.place_of(path, &view, language, (symbol, overload))?;
        let files = self.code_project(language, run_id)?;
        let (server, uses, mut notes) =
            self.ask_references(&files, language, (&view.resolved, offset, &name));
        notes.extend(files.is_cut.then(|| "there are more files than were looked at".to_owned()));
        let found = uses.into_iter().map(|found| row_of(&files, found)).collect();
        Ok(CodeAnswer { found, server, notes })
    }

    fn ask_references(
        &self,
        files: &CodeProject,
        language: LanguageId,
        place: (&str, usize, &str),
    ) -> (Option<&'static str>, Vec<Use>, Vec<String>) {
        let name = place.2.to_owned();
        let by_name = |reason: String| {
            let note = format!("{reason}; every place in code that says {name} is listed");
            (None, uses_by_name(&files.project, &name), vec![note])
        };
        let (path, offset) = (place.0.to_owned(), place.1);
        let question = Question::Uses { path, offset, name: name.clone() };
        let mut said = self.ask_server(language, question, files);
        if let Ok((_, Answer::Uses(uses, _))) = &mut said {
            self.drop_words(language, files, &name, uses);
        }
        match said {
            Ok((server, Answer::Uses(uses, _))) if uses.is_empty() => {
                by_name(format!("{server} finds no use"))
            }
            Ok((server, Answer::Uses(uses, outside))) => {
                let note =
                    (outside > 0).then(|| format!("{outside} uses lie outside of the workspace"));
                let more = more_by_name(files, &name, &uses, server);
                (Some(server), uses, note.into_iter().chain(more).collect())
            }
            Ok((server, _)) => by_name(format!("{server} answers something else")),
            Err(reason) => by_name(reason),
        }
    }

    /// A server that goes by the name alone also counts comments; the parse knows better.
    fn drop_words(
        &self,
        language: LanguageId,
        files: &CodeProject,
        name: &str,
        uses: &mut Vec<Use>,
    ) {
        let spec = self.servers.spec(language);
        if spec.is_ok_and(|spec| spec.rename == RenameWorth::ByName) {
            let in_code = uses_by_name(&files.project, name);
            uses.retain(|found| in_code.binary_search(found).is_ok());
        }
    }

    /// Asks a server about a project; what keeps it from answering comes back as words.
    fn ask_server(
        &self,
        language: LanguageId,
        question: Question,
        files: &CodeProject,
    ) -> Result<(&'static str, Answer), String> {
        let server = self.servers.spec(language).map_err(|missing| missing.to_string())?.name;
        match self.servers.ask(language, question, files.project.clone()) {
            Ok(answer) => Ok((server, answer)),
            Err(NoAnswer::Unavailable(unavailable)) => Err(unavailable.to_string()),
            Err(error) => Err(format!("{server}: {error}")),
        }
    }

    /// Where the name of a symbol stands, in the text without a byte-order mark.
    fn place_of(
        &self,
        path: &RequestedPath,
        view: &crate::FileView,
        language: LanguageId,
        symbol: (&str, Option<u32>),
    ) -> Result<(String, usize), EngineError> {
        let parsed = parsed(path, &view.state.content, language)?;
        let edit = CodeEdit {
            path: path.clone(),
            symbol: symbol.0.to_owned(),
            overload: symbol.1,
            action: CodeAction::Remove,
            expect: None,
            then: Vec::new(),
        };
        let symbol = resolve(&parsed, symbol.0, symbol.1).map_err(|error| refused(&edit, error))?;
        let name = parsed.text(symbol.name_span);
        let start = name.char_indices().rev().take_while(|(_, c)| is_word(*c)).last();
        let start = start.map_or(0, |(at, _)| at);
        Ok((name[start..].to_owned(), symbol.name_span.start + start))
    }

    /// What is wrong with a file.
    pub fn diagnostics(
        &self,
        path: &RequestedPath,
        run_id: &str,
    ) -> Result<CodeAnswer<Diagnostic>, EngineError> {
        let view = self.read_file(path, run_id)?;
        let language = language_of(path.as_str(), &view)?;
        let parsed = parsed(path, &view.state.content, language)?;
        let by_parse = |reason: String| CodeAnswer {
            found: syntax_errors(&parsed),
            server: None,
            notes: vec![format!("{reason}; only the syntax was looked at")],
        };
        if let Err(unavailable) = self.servers.spec(language) {
            return Ok(by_parse(unavailable.to_string()));
        }
        let files = self.code_project(language, run_id)?;
        let question = Question::Problems { path: view.resolved.clone() };
        Ok(match self.ask_server(language, question, &files) {
            Ok((server, Answer::Problems(found))) => CodeAnswer {
                found: found.into_iter().flatten().collect(),
                server: Some(server),
                notes: Vec::new(),
            },
            Ok((server, _)) => by_parse(format!("{server} answers something else")),
            Err(reason) => by_parse(reason),
        })
    }

    /// The symbols of a project whose name holds a text, by the parse of each file.
    pub fn find_symbols(
        &self,
        query: &SymbolQuery,
        run_id: &str,
    ) -> Result<(Vec<FoundSymbol>, bool), EngineError> {
        let prefix =
            if query.under.is_empty() { String::new() } else { format!("{}/", query.under) };
        let staged: BTreeMap<String, Option<Arc<[u8]>>> = self
            .pending_of(run_id)?
            .into_iter()
            .map(|(path, pending)| (path.to_string(), pending.after.map(|state| state.content)))
            .filter(|(path, _)| path.starts_with(&prefix))
            .collect();
        let sources = self.sources_under(&query.under);
        let on_disk = sources.files().iter().filter(|file| !staged.contains_key(&file.path));
        let mut places: Vec<(&str, Place<'_>)> =
            on_disk.map(|file| (file.path.as_str(), Place::OnDisk(file))).collect();
        places.extend(
            staged.iter().filter_map(|(path, bytes)| {
                Some((path.as_str(), Place::Staged(bytes.as_deref()?)))
            }),
        );
        places.sort_unstable_by_key(|(path, _)| *path);
        let wanted = query.name.to_lowercase();
        let (mut found, mut skip) = (Vec::new(), query.offset);
        let pass = self.indexing.begin(places.len());
        for (path, place) in places {
            let rows: Arc<[SymbolRow]> = match place {
                Place::OnDisk(file) => self.rows_of_source(&sources, file, &wanted),
                Place::Staged(bytes) => rows_of(path, bytes).into(),
            };
            for row in rows.iter().filter(|row| is_wanted(row, &wanted)) {
                if skip > 0 {
                    skip -= 1;
                } else if found.len() == query.limit {
                    return Ok((found, true));
                } else {
                    found.push(FoundSymbol { file: path.to_owned(), row: row.clone() });
                }
            }
            pass.step();
        }
        Ok((found, false))
    }

    /// The symbols of a file of a list, if it may hold the name. One that has a symbol that is
    /// wanted is looked at again, where the list is not from just now.
    fn rows_of_source(
        &self,
        sources: &Sources,
        file: &WalkedFile,
        wanted: &str,
    ) -> Arc<[SymbolRow]> {
        let rows = self.rows_of_file(file, wanted);
        if !rows.iter().any(|row| is_wanted(row, wanted)) {
            return rows;
        }
        match self.as_it_is(sources, file) {
            Some(now) if now == *file => rows,
            Some(now) => self.rows_of_file(&now, wanted),
            None => Arc::from([]),
        }
    }

    /// The symbols of a file on disk, if it may hold the name.
    fn rows_of_file(&self, file: &WalkedFile, wanted: &str) -> Arc<[SymbolRow]> {
        let simple = simple_name(wanted);
        match self.symbol_index.look(file, simple) {
            Indexed::Rows(rows) => return rows,
            Indexed::Nothing => return Arc::from([]),
            Indexed::Unknown if file.size > LARGEST => return Arc::from([]),
            Indexed::Unknown => {}
        }
        let now = self.clock.nanoseconds();
        let read = self.workspace.read(&RequestedPath::new(&file.path), LARGEST);
        let Ok(Some(state)) = read else { return Arc::from([]) };
        let (text, _) = readable(&state.content);
        let lower_case = String::from_utf8_lossy(&text).to_lowercase();
        if !lower_case.contains(simple) {
            self.symbol_index.keep_letters(file, now, lower_case.as_bytes());
            return Arc::from([]);
        }
        let rows: Arc<[SymbolRow]> = rows_of(&file.path, &state.content).into();
        self.symbol_index.keep_rows(file, now, &rows);
        rows
    }
}

fn parsed(path: &RequestedPath, bytes: &[u8], language: LanguageId) -> Result<Parsed, EngineError> {
    let (text, _) =
        decode(bytes).map_err(|source| EngineError::NotText { path: path.to_string(), source })?;
    Parsed::new(language, without_mark(&text))
        .map_err(|error| EngineError::Parse { path: path.to_string(), message: error.to_string() })
}

fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text)
}

/// Says how many places have the name that a server does not list: a server that does not know
/// the whole project yet answers like one that does.
fn more_by_name(files: &CodeProject, name: &str, uses: &[Use], server: &str) -> Option<String> {
    let by_name = uses_by_name(&files.project, name);
    let more = by_name.iter().filter(|found| uses.binary_search(found).is_err()).count();
    (more > 0).then(|| {
        format!("{more} more places in code say {name}; {server} does not count them as uses")
    })
}

fn row_of(files: &CodeProject, found: Use) -> ReferenceRow {
    let file = files.project.files.get(&found.path);
    let line = file.and_then(|file| file.text.lines().nth(found.line - 1));
    let text = line.unwrap_or_default().trim().chars().take(200).collect();
    ReferenceRow { path: found.path, line: found.line, column: found.column, text }
}

/// The last part of a name path: what a file must hold to define it.
fn simple_name(wanted: &str) -> &str {
    wanted.rsplit(['/', '.', ':']).next().unwrap_or(wanted)
}

fn rows_of(path: &str, bytes: &[u8]) -> Vec<SymbolRow> {
    let Some(language) = detect(path, bytes) else { return Vec::new() };
    let Ok((text, _)) = decode(bytes) else { return Vec::new() };
    let Ok(parsed) = Parsed::passing(language, without_mark(&text)) else { return Vec::new() };
    parsed.outline().iter().map(|symbol| row(&parsed, symbol)).collect()
}

fn is_wanted(row: &SymbolRow, wanted: &str) -> bool {
    wanted.is_empty() || {
        let path = row.path.to_lowercase();
        let simple = path.rsplit('/').next().unwrap_or(&path);
        simple.contains(wanted) || (wanted.contains('/') && path.contains(wanted))
    }
}

#[cfg(test)]
#[path = "code_queries_tests.rs"]
mod tests;
