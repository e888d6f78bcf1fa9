//! Real members that a change brings to a file for the first time.

use std::collections::BTreeSet;

use regex::Regex;

/// How many names of one file are tried.
const TRIED: usize = 25;

/// Names of members that a file uses, each with the file as it was before it did.
pub(crate) fn firsts(language: &str, text: &str) -> Vec<(String, String)> {
    let (uses, other) = match language {
        "python" => (r"\bself\.([a-zA-Z]\w*)", "__class__"),
        "rust" => (r"\bself\.([a-z]\w*)\(", "clone"),
        "go" => (r"(?m)(?:^\s+|= |return |\b\w\.)([a-zA-Z]\w*)\(", "len"),
        "ruby" => (r"(?m)(?:\bself\.|^\s+|= |return )([a-z]\w*)[( ]", "puts"),
        "csharp" => (r"(?m)(?:\bthis\.|^\s+|= |return |\bnew )([A-Z]\w*)\(", "GetHashCode"),
        _ => (r"(?m)(?:\bthis\.|^\s+|= |return )([a-z]\w*)\(", "hashCode"),
    };
    let uses = Regex::new(uses).unwrap();
    let names: BTreeSet<&str> =
        uses.captures_iter(text).filter_map(|found| Some(found.get(1)?.as_str())).collect();
    let before = |name: &&str| {
        let word = Regex::new(&format!(r"\b{name}\b")).ok()?;
        Some(((*name).to_owned(), word.replace_all(text, other).into_owned()))
    };
    names.iter().take(TRIED).filter_map(before).collect()
}
