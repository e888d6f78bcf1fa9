//! The second witness: does a running server name the same symbol at the same place?
//!
//! Servers disagree on where a symbol ends, and nearly all agree on where its
//! name stands. So the name is compared, and the symbols around it; the extent
//! stays with the parse. An answer whose names do not stand where it says is
//! about another text and counts as none.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::client::{Client, Link, Shown};
use super::position::{Places, PositionEncoding, Range};
use super::uri;
use crate::syntax::{Parsed, Symbol, SymbolKind};

/// What the second witness says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Testimony {
    /// It names the same symbol there.
    Agrees,
    /// It knows nothing of that place.
    Silent,
    /// It could not be asked, or answered from another text.
    Absent(String),
    /// It names something else there.
    Disagrees(String),
}

/// One symbol as a server lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerSymbol {
    /// Its name, with what the server puts around it.
    pub name: String,
    /// The protocol's number of its kind.
    pub kind: u64,
    /// Where its name stands, or all of it where the server does not tell.
    pub name_range: Range,
    /// Whether the server tells where the name stands.
    pub is_exact: bool,
    /// The names around it, outermost first.
    pub around: Vec<String>,
}

/// The symbols that a server lists for one file, with the unit of its columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// The symbols.
    pub symbols: Vec<ServerSymbol>,
    /// The unit.
    pub encoding: PositionEncoding,
}

/// Asks a warm server about one symbol of a file. Only that file is shown to it.
pub fn testify<L: Link>(
    client: &mut Client<L>,
    shown: &Shown,
    parsed: &Parsed,
    symbol: &Symbol,
    limit: Duration,
) -> Testimony {
    match list(client, shown, limit) {
        Ok(listing) => listing.testify(&shown.text, parsed, symbol),
        Err(reason) => Testimony::Absent(reason),
    }
}

/// Has a server list the symbols of one file.
pub fn list<L: Link>(
    client: &mut Client<L>,
    shown: &Shown,
    limit: Duration,
) -> Result<Listing, String> {
    if !client.session().can("documentSymbolProvider") {
        return Err("it lists no symbols".to_owned());
    }
    let answer = client.show(std::slice::from_ref(shown)).and_then(|_| {
        let uri = uri::of_file(client.session().root(), &shown.path);
        let params = json!({ "textDocument": { "uri": uri } });
        client.ask("textDocument/documentSymbol", &params, limit)
    });
    let encoding = client.session().encoding();
    answer
        .map(|answer| Listing { symbols: symbols_of(&answer), encoding })
        .map_err(|error| error.to_string())
}

impl Listing {
    /// What the list says of one symbol of this text.
    pub fn testify(&self, text: &str, parsed: &Parsed, symbol: &Symbol) -> Testimony {
        compare(&self.symbols, &Places::new(text, self.encoding), text, parsed, symbol)
    }
}

/// Reads both forms of a list of symbols.
pub fn symbols_of(answer: &Value) -> Vec<ServerSymbol> {
    let mut symbols = Vec::new();
    let mut open: Vec<(&Value, Vec<String>)> =
        answer.as_array().into_iter().flatten().map(|item| (item, Vec::new())).collect();
    while let Some((item, around)) = open.pop() {
        let Some(name) = item.get("name").and_then(Value::as_str) else { continue };
        let kind = item.get("kind").and_then(Value::as_u64).unwrap_or_default();
        let exact = item.get("selectionRange").and_then(Range::of);
        let whole = item.get("range").or_else(|| item.pointer("/location/range"));
        let whole = whole.and_then(Range::of);
        let is_exact = exact.is_some_and(|exact| exact.start != exact.end && Some(exact) != whole);
        if let Some(name_range) = exact.or(whole) {
            let (name, around) = (name.to_owned(), around.clone());
            symbols.push(ServerSymbol { name, kind, name_range, is_exact, around });
        }
        let inner: Vec<String> = around.iter().cloned().chain([name.to_owned()]).collect();
        let children = item.get("children").and_then(Value::as_array).into_iter().flatten();
        open.extend(children.map(|child| (child, inner.clone())));
    }
    symbols
}

/// Sets the server's list against the parse.
pub fn compare(
    listed: &[ServerSymbol],
    places: &Places<'_>,
    text: &str,
    parsed: &Parsed,
    symbol: &Symbol,
) -> Testimony {
    let exact = || listed.iter().filter(|listed| listed.is_exact);
    let spelt = |listed: &ServerSymbol| {
        places.span(listed.name_range).and_then(|span| text.get(span)).map(str::to_owned)
    };
    if let Some(moved) =
        exact().find(|listed| spelt(listed).is_none_or(|text| !same_name(&listed.name, &text)))
    {
        return Testimony::Absent(format!("its answer is about another text: {:?}", moved.name));
    }
    let name = symbol.name_span.range();
    let meets = |listed: &&ServerSymbol| {
        let span = places.span(listed.name_range);
        span.is_some_and(|span| span.start < name.end && name.start < span.end)
    };
    let Some(there) = exact().find(meets) else { return Testimony::Silent };
    let ours = parsed.text(symbol.name_span);
    if !same_name(&there.name, &ours) {
        return Testimony::Disagrees(format!("it calls that place {:?}", there.name));
    }
    if !same_sort(there.kind, symbol.kind) {
        return Testimony::Disagrees(format!(
            "it takes {:?} for another sort of thing",
            there.name
        ));
    }
    match outside(there, symbol) {
        Some(parent) => Testimony::Disagrees(format!("it puts {:?} into {parent:?}", there.name)),
        None => Testimony::Agrees,
    }
}

/// Whether a server's name for a symbol and the text at its place can mean the same.
fn same_name(listed: &str, text: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !super::project::is_word(c));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (listed_words, text_words) = (words(listed), words(text));
    // Names without words (operators, anonymous things) cannot be compared.
    listed_words.is_empty()
        || text_words.is_empty()
        || listed_words.iter().any(|word| text_words.contains(word))
        || listed.starts_with('<')
        || listed.contains(' ')
}

/// Whether both take the symbol for code that runs, or both for a type, where both are clear.
fn same_sort(kind: u64, ours: SymbolKind) -> bool {
    const TYPES: [u64; 4] = [5, 10, 11, 23];
    const RUNS: [u64; 3] = [6, 9, 12];
    let is_plain_function = matches!(ours, SymbolKind::Function | SymbolKind::Method);
    let is_plain_type = ours.is_type() && ours != SymbolKind::Impl;
    !(TYPES.contains(&kind) && is_plain_function || RUNS.contains(&kind) && is_plain_type)
}

/// The server's symbol around this one, where ours lies in a quite different one.
fn outside<'a>(there: &'a ServerSymbol, symbol: &Symbol) -> Option<&'a str> {
    let (ours, _) = symbol.path.rsplit_once('/')?;
    let parent = there.around.last()?;
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !super::project::is_word(c));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let ours = words(ours);
    let shares = words(parent).iter().any(|word| ours.contains(word));
    (!shares).then_some(parent.as_str())
}
