//! Planning a symbol edit on bytes: replace, insert, remove.
//!
//! Pure: bytes in, bytes out. The parse of the bytes says where the symbol is
//! ([`resolve()`]); [`layout`] fits the new text into its place; the plan is
//! handed out only when [`verify`] finds that nothing else changed. Renaming is
//! a question for a language server and is not planned here.

mod as_written;
mod fence;
mod head;
mod insert;
mod layout;
mod list;
mod one_of_several;
mod put_back;
mod remove;
mod replace;
mod resolve;
mod spacing;
mod verify;

use gatewright_model::{Digest, EncodingError, Span, decode_text};

use super::language::LanguageId;
use super::parsed::{ParseError, Parsed};
use super::symbol::Symbol;
pub use put_back::put_back;
pub use resolve::{Candidate, resolve};

/// What to do with a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SymbolAction {
    /// Gives it new text: a whole definition, or a body alone.
    Replace {
        /// The text.
        body: String,
    },
    /// Gives it new text for all that it owns: comments and annotations above it that the
    /// text does not bring go.
    ReplaceWhole {
        /// The text.
        body: String,
    },
    /// Puts text beside it or into it.
    Insert {
        /// Where.
        position: Position,
        /// The text.
        body: String,
    },
    /// Takes it out with all that it owns.
    Remove,
    /// Puts it back where it was taken out; [`put_back()`] plans it.
    PutBack,
}

/// Where text is inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Before the symbol and what it owns.
    Before,
    /// After the symbol.
    After,
    /// As the first member of the symbol.
    First,
    /// As the last member of the symbol.
    Last,
}

/// A symbol edit as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolEdit {
    /// The symbol: a name path, or the end of one. Empty for the file itself, to insert into it.
    pub symbol: String,
    /// Its number among the symbols with that path, from 1.
    pub overload: Option<u32>,
    /// The digest of the symbol's text as the caller saw it.
    pub expect: Option<Digest>,
    /// What to do.
    pub action: SymbolAction,
}

/// What a symbol edit makes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditPlan {
    /// The whole file, in its own encoding.
    pub after: Vec<u8>,
    /// The name path of the symbol that was meant.
    pub symbol: String,
    /// What it owned in the base, as offsets into the decoded text.
    pub span: Span,
    /// What the caller should know: kept comments, a body without a head.
    pub notes: Vec<String>,
    /// The symbol that was taken out, as a call that puts it back names it.
    pub taken: Option<Taken>,
}

/// A symbol that was taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Its name path.
    pub symbol: String,
    /// Its number, where several had that path.
    pub overload: Option<u32>,
}

/// Why there is no plan. Each is recoverable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditRefusal {
    /// Nothing has that name.
    #[error("there is no symbol {symbol:?} in this file{}{}", held(.within), unseen(.broken_line))]
    NotFound {
        /// What was asked for.
        symbol: String,
        /// The first line of the file that does not parse.
        broken_line: Option<usize>,
        /// The symbol that the name was said to be in.
        within: Option<Box<Candidate>>,
        /// The nearest names.
        suggestions: Vec<Candidate>,
    },
    /// Several symbols have that name.
    #[error("{symbol:?} names {} symbols; give the whole name path or an overload number", candidates.len())]
    Ambiguous {
        /// What was asked for.
        symbol: String,
        /// All of them.
        candidates: Vec<Candidate>,
    },
    /// The symbol is not what the caller saw.
    #[error("{symbol:?} changed since it was read")]
    Stale {
        /// Its name path.
        symbol: String,
        /// Its text as it stands.
        current: String,
    },
    /// The text is empty.
    #[error("the body is empty; use the action \"remove\" to take a symbol out")]
    EmptyBody,
    /// The symbol has no members.
    #[error("{symbol:?} is a {kind} and has no place for members")]
    NoContainer {
        /// Its name path.
        symbol: String,
        /// What it is.
        kind: &'static str,
    },
    /// The result would have syntax errors that the base has not.
    #[error("the result would have new syntax errors: {}", errors.join(", "))]
    NewErrors {
        /// What they are.
        errors: Vec<String>,
    },
    /// Something else than the symbol would change.
    #[error("the edit would change other symbols: {}", symbols.join(", "))]
    OthersChange {
        /// Their name paths.
        symbols: Vec<String>,
    },
    /// The text defines a name that is there already.
    #[error("{symbol:?} is defined already")]
    NameTaken {
        /// Its name path.
        symbol: String,
    },
    /// The last change of the file did not take the symbol out.
    #[error(
        "the last change of this file did not take {symbol:?} out, so it cannot be put back; \
         insert its text beside another symbol, or roll back the change that took it"
    )]
    NotTakenOut {
        /// What was asked for.
        symbol: String,
    },
    /// The text defines nothing that could stand for the symbol.
    #[error("the body does not define a {kind}")]
    NotADefinition {
        /// What the symbol is.
        kind: &'static str,
    },
    /// The bytes are no text.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// There is no tree.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

fn held(within: &Option<Box<Candidate>>) -> String {
    let words = |it: &Candidate| {
        format!(
            "; {:?} (line {}) is one, and what else stands in it is edited with edit_file, or \
             put there with insert",
            it.path, it.line
        )
    };
    within.as_deref().map(words).unwrap_or_default()
}

fn unseen(broken_line: &Option<usize>) -> String {
    let words = |line: &usize| {
        format!(
            "; line {line} does not parse, and what is defined in such places is not seen: edit \
             it there with edit_file, line by line"
        )
    };
    broken_line.as_ref().map(words).unwrap_or_default()
}

/// The result of a symbol edit on a file's bytes.
///
/// Nothing but the symbol changes, in no case: every other symbol keeps its
/// bytes and its name path, and there is no syntax error that was not there.
pub fn plan_edit(
    language: LanguageId,
    bytes: &[u8],
    edit: &SymbolEdit,
) -> Result<EditPlan, EditRefusal> {
    let (text, encoding) = decode_text(bytes)?;
    let parsed = Parsed::new(language, text.as_bytes())?;
    let bare = fence::without(&edit.action);
    let (symbol, mut outcome) = match bare.as_ref().unwrap_or(&edit.action) {
        SymbolAction::PutBack => {
            return Err(EditRefusal::NotTakenOut { symbol: edit.symbol.clone() });
        }
        SymbolAction::Insert { position, body } if edit.symbol.is_empty() => {
            (None, insert::plan_in_file(&parsed, *position, body)?)
        }
        action => {
            let symbol = resolve(&parsed, &edit.symbol, edit.overload)?;
            check_expected(&parsed, symbol, edit.expect)?;
            (Some(symbol), outcome(&parsed, symbol, action)?)
        }
    };
    if bare.is_some() {
        outcome.notes.push("the Markdown fence around the text was left out".to_owned());
    }
    // A tree that reuses one with errors may differ from a new one.
    if !parsed.tree().root_node().has_error() {
        outcome.parsed.keep();
    }
    Ok(EditPlan {
        after: encoding.encode(outcome.parsed.source()),
        symbol: symbol.map(|symbol| symbol.path.clone()).unwrap_or_default(),
        span: symbol.map_or(Span::new(0, 0), |symbol| symbol.full),
        notes: outcome.notes,
        taken: symbol
            .filter(|_| edit.action == SymbolAction::Remove)
            .map(|symbol| taken(&parsed, symbol)),
    })
}

fn taken(parsed: &Parsed, symbol: &Symbol) -> Taken {
    let namesakes = parsed.outline().iter().filter(|other| other.path == symbol.path).count();
    let overload = (namesakes > 1).then_some(symbol.overload);
    Taken { symbol: symbol.path.clone(), overload }
}

/// What a symbol edit makes of a text that is parsed already.
pub(crate) fn edited(parsed: &Parsed, edit: &SymbolEdit) -> Result<Parsed, EditRefusal> {
    let symbol = resolve(parsed, &edit.symbol, edit.overload)?;
    Ok(outcome(parsed, symbol, &edit.action)?.parsed)
}

fn outcome(
    parsed: &Parsed,
    symbol: &Symbol,
    action: &SymbolAction,
) -> Result<Outcome, EditRefusal> {
    match action {
        SymbolAction::Replace { body } => replace::plan(parsed, symbol, body),
        SymbolAction::ReplaceWhole { body } => replace::plan_whole(parsed, symbol, body),
        SymbolAction::Insert { position, body } => insert::plan(parsed, symbol, *position, body),
        SymbolAction::Remove => remove::plan(parsed, symbol),
        SymbolAction::PutBack => Err(EditRefusal::NotTakenOut { symbol: symbol.path.clone() }),
    }
}

/// The text of an edit, which must be one, indented with the signs that are used where it comes.
fn given(parsed: &Parsed, body: &str, replaced: Span) -> Result<String, EditRefusal> {
    let body = layout::normalised(body);
    if body.trim().is_empty() {
        return Err(EditRefusal::EmptyBody);
    }
    Ok(spacing::respaced(parsed, &body, replaced))
}

/// A verified result.
struct Outcome {
    parsed: Parsed,
    notes: Vec<String>,
}

fn check_expected(
    parsed: &Parsed,
    symbol: &Symbol,
    expect: Option<Digest>,
) -> Result<(), EditRefusal> {
    let is_stale = expect.is_some_and(|expect| expect != symbol_digest(parsed, symbol));
    if is_stale {
        let current = parsed.text(symbol.full);
        return Err(EditRefusal::Stale { symbol: symbol.path.clone(), current });
    }
    Ok(())
}

/// The digest of all that a symbol owns, as `expect` names it.
pub fn symbol_digest(parsed: &Parsed, symbol: &Symbol) -> Digest {
    Digest::of(parsed.bytes(symbol.full))
}
