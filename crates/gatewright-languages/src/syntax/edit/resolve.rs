//! From a name to the one symbol that it means, or to the choice that the caller has.

use super::{EditRefusal, as_written};
use crate::syntax::parsed::Parsed;
use crate::syntax::second_name::second_names;
use crate::syntax::symbol::{Symbol, SymbolKind};

/// How many suggestions an answer holds.
const SUGGESTIONS: usize = 8;

/// A symbol that the caller may have meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its name path.
    pub path: String,
    /// Its number among the symbols with that path.
    pub overload: u32,
    /// What it is.
    pub kind: &'static str,
    /// Its head on one line.
    pub head: String,
    /// The line number of its code.
    pub line: usize,
}

/// The symbol that `query` names. Never a guess: several matches are an answer of their own.
///
/// The first of these that finds something decides: the exact name path; the
/// path with generics, `impl` and other separators (`.`, `::`) set aside; the
/// last parts of a path; these without the `self.` of Ruby's methods of a class;
/// a name that a `typedef` gives besides. What is asked for as an `impl` is one,
/// and a class is meant before the constructors that have its name.
///
/// What means nothing as it stands is tried once more as languages and their manuals write it:
/// `A#b`, `(*A).b`, `b()`, `struct a`; and at last as a piece of the head, as it is written.
pub fn resolve<'a>(
    parsed: &'a Parsed,
    query: &str,
    overload: Option<u32>,
) -> Result<&'a Symbol, EditRefusal> {
    let asked = resolve_as_it_is(parsed, query, overload);
    let Err(EditRefusal::NotFound { .. }) = &asked else { return asked };
    match as_path(parsed, query, overload) {
        Some(Ok(symbol)) => return Ok(symbol),
        Some(Err(several)) => return Err(several),
        None => {}
    }
    let mut written = as_written::symbols(parsed, query);
    written.retain(|symbol| overload.is_none_or(|number| symbol.overload == number));
    one_of(parsed, query, &written).unwrap_or(asked)
}

/// What a name in the notation of a language or its manual means; `None` for nothing.
fn as_path<'a>(
    parsed: &'a Parsed,
    query: &str,
    overload: Option<u32>,
) -> Option<Result<&'a Symbol, EditRefusal>> {
    let (plain, keyword) = as_a_path(parsed, query);
    if plain == query {
        return None;
    }
    // A keyword says which of the things of a name is meant, and a thing of another kind is not.
    let is_meant = |symbol: &Symbol| {
        let own = symbol.keyword.as_ref().map(|own| own.word);
        keyword.is_none_or(|keyword| own.is_some_and(|own| own.ends_with(keyword)))
    };
    match resolve_as_it_is(parsed, &plain, overload) {
        Ok(symbol) if is_meant(symbol) => Some(Ok(symbol)),
        Err(several @ EditRefusal::Ambiguous { .. }) => Some(Err(several)),
        _ => None,
    }
}

/// The one that was found, or the choice between several; `None` for none.
fn one_of<'a>(
    parsed: &Parsed,
    query: &str,
    found: &[&'a Symbol],
) -> Option<Result<&'a Symbol, EditRefusal>> {
    match found {
        [] => None,
        [one] => Some(Ok(one)),
        several => {
            let candidates = several.iter().map(|symbol| candidate(parsed, symbol)).collect();
            Some(Err(EditRefusal::Ambiguous { symbol: query.to_owned(), candidates }))
        }
    }
}

/// A name in the notation of a language or its manual as a name path, and the keyword before it.
fn as_a_path(parsed: &Parsed, query: &str) -> (String, Option<&'static str>) {
    let text = query.trim();
    // A receiver stands in brackets before its method.
    let (receiver, rest) = match text.strip_prefix('(').and_then(|text| text.split_once(')')) {
        Some((receiver, rest)) => (receiver.trim(), rest),
        None => ("", text),
    };
    let path = format!("{receiver}{rest}").replace('#', "/");
    let path = path.strip_suffix("()").unwrap_or(&path).trim_start_matches(['*', '&']);
    let keywords = parsed.language().language().keywords;
    let behind = |word: &&'static str| Some((path.strip_prefix(*word)?.strip_prefix(' ')?, *word));
    match keywords.iter().find_map(behind) {
        Some((bare, keyword)) => (bare.trim().to_owned(), Some(keyword)),
        None => (path.to_owned(), None),
    }
}

fn resolve_as_it_is<'a>(
    parsed: &'a Parsed,
    query: &str,
    overload: Option<u32>,
) -> Result<&'a Symbol, EditRefusal> {
    let (query, overload) = split_number(query, overload);
    let symbols = parsed.outline();
    // A path without its end names nothing, and not what it leads into.
    let is_cut = query.trim_end().ends_with(['/', '.', '#', ':']);
    let parts = if is_cut { Vec::new() } else { parts_of(query) };
    let levels: [&dyn Fn(&Symbol) -> bool; 5] = [
        &|symbol| symbol.path == query,
        &|symbol| !parts.is_empty() && parts_of(&symbol.path) == parts,
        &|symbol| ends_with(&parts_of(&symbol.path), &parts),
        &|symbol| symbol.name.starts_with("self.") && ends_with(&without_self(symbol), &parts),
        &|symbol| {
            let names = second_names(parsed, symbol);
            names.into_iter().any(|name| parsed.bytes(name) == query.as_bytes())
        },
    ];
    for matches in levels {
        let mut found: Vec<&Symbol> = symbols.iter().filter(|symbol| matches(symbol)).collect();
        if let Some(number) = overload {
            found.retain(|symbol| symbol.overload == number);
        }
        narrow(&mut found, query, symbols);
        if let Some(found) = one_of(parsed, query, &found) {
            return found;
        }
    }
    let suggestions = suggestions(parsed, query);
    let within = holder(parsed, query).map(Box::new);
    let broken_line = parsed.first_error().map(|at| parsed.lines().line(at));
    Err(EditRefusal::NotFound { symbol: query.to_owned(), broken_line, within, suggestions })
}

/// Leaves what the words of the query say, where several symbols have its parts.
fn narrow(found: &mut Vec<&Symbol>, query: &str, symbols: &[Symbol]) {
    let last = query.rsplit('/').next().unwrap_or(query);
    if last.trim_start().starts_with("impl ") {
        found.retain(|symbol| symbol.kind == SymbolKind::Impl);
    }
    // A constructor is asked for by the path through its class.
    let is_of_namesake = |symbol: &Symbol| {
        let parent = symbol.parent.map(|parent| &symbols[parent]);
        parent.is_some_and(|parent| {
            parent.kind.is_type() && found.iter().any(|other| std::ptr::eq(*other, parent))
        })
    };
    let outer: Vec<&Symbol> = found.iter().filter(|it| !is_of_namesake(it)).copied().collect();
    *found = outer;
}

/// The parts of the path of a method that belongs to the class itself, by its bare name.
fn without_self(symbol: &Symbol) -> Vec<String> {
    let path = symbol.path.strip_suffix(symbol.name.as_str()).unwrap_or_default();
    parts_of(&format!("{path}{}", symbol.name.trim_start_matches("self.")))
}

/// Takes `#2` off the end of a name.
fn split_number(query: &str, overload: Option<u32>) -> (&str, Option<u32>) {
    match query.rsplit_once('#') {
        Some((name, number)) if !name.is_empty() && !name.ends_with('/') => match number.parse() {
            Ok(number) => (name, overload.or(Some(number))),
            Err(_) => (query, overload),
        },
        _ => (query, overload),
    }
}

/// The parts of a path without generics; an `impl` stands for its type.
fn parts_of(path: &str) -> Vec<String> {
    let plain = without_generics(path);
    let plain = plain.replace("::", "/");
    let mut parts = Vec::new();
    for part in plain.split('/') {
        let part = part.trim();
        match part.strip_prefix("impl ") {
            Some(rest) => parts.push(rest.rsplit(" for ").next().unwrap_or(rest).trim().to_owned()),
            None => {
                parts.extend(part.split('.').filter(|name| !name.is_empty()).map(str::to_owned))
            }
        }
    }
    parts
}

fn without_generics(path: &str) -> String {
    let mut depth = 0usize;
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            // `<< self`, operators and `<init>` are names, not generics.
            '<' if !starts_a_name(&out) => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// Whether a bracket behind this text is the name of an operator, or starts another name.
fn starts_a_name(text: &str) -> bool {
    text.is_empty() || text.ends_with([' ', '<', '/', '.']) || text.ends_with("operator")
}

fn ends_with(path: &[String], query: &[String]) -> bool {
    !query.is_empty() && path.ends_with(query)
}

fn candidate(parsed: &Parsed, symbol: &Symbol) -> Candidate {
    let head = parsed.text(symbol.head);
    let head: Vec<&str> = head.split_whitespace().collect();
    Candidate {
        path: symbol.path.clone(),
        overload: symbol.overload,
        kind: symbol.kind.as_str(),
        head: head.join(" ").chars().take(120).collect(),
        line: parsed.lines().line(symbol.code.start),
    }
}

/// The one symbol that the query puts its name into.
fn holder(parsed: &Parsed, query: &str) -> Option<Candidate> {
    let at = query.rfind(['/', '.']).or_else(|| query.rfind("::"))?;
    resolve(parsed, query[..at].trim_end_matches(':'), None).ok().map(|it| candidate(parsed, it))
}

/// The symbols whose names are nearest to what was asked for.
fn suggestions(parsed: &Parsed, query: &str) -> Vec<Candidate> {
    let (path, _) = as_a_path(parsed, query);
    let bare = path.find('(').filter(|at| *at > 0).map_or(path.as_str(), |at| &path[..at]);
    let wanted = parts_of(bare).pop().unwrap_or_default().to_lowercase();
    let mut ranked: Vec<(usize, &Symbol)> = parsed
        .outline()
        .iter()
        .map(|symbol| (distance(&wanted, &symbol.name.to_lowercase()), symbol))
        .filter(|(distance, _)| *distance <= wanted.len().div_ceil(2).max(2))
        .collect();
    ranked.sort_by_key(|(distance, symbol)| (*distance, symbol.full.start));
    ranked.truncate(SUGGESTIONS);
    ranked.into_iter().map(|(_, symbol)| candidate(parsed, symbol)).collect()
}

/// The edit distance between two names; a name that contains the other is near.
fn distance(one: &str, other: &str) -> usize {
    if one == other {
        return 0;
    }
    if !one.is_empty() && other.contains(one) {
        return 1;
    }
    let other: Vec<char> = other.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, c) in one.chars().take(64).enumerate() {
        let mut corner = row[0];
        row[0] = index + 1;
        for (column, known) in other.iter().enumerate() {
            let changed = corner + usize::from(c != *known);
            corner = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(corner + 1);
        }
    }
    row[other.len()]
}
