//! Invented names in Go files.

use std::collections::BTreeMap;

use regex::Regex;

use crate::mutate::{MARK, Rule, apply, member, rule};

const RULES: &[Rule] = &[
    rule("undefined-call", r"(?m)^\t+(?:\w+ := |return |if )?([a-z]\w+)\("),
    rule("unknown-class", r"(?m)^\t\w+ +\*?([A-Z]\w+)$"),
    rule("parameter-type", r"(?m)^func [^\n]*\(\w+ \*?([A-Z]\w+)[,)]"),
    rule("new-class", r"[^\w.]&?([A-Z]\w+)\{\w*:? ?"),
    rule("literal-key", r"\b[A-Z]\w+\{\s*([A-Za-z]\w+): "),
];

/// Pairs of a definition and a use of its member.
const PAIRS: [(&str, &str); 5] = [
    ("self-member", r"(?m)^func \((\w+) \*?[A-Z]\w*\)"),
    ("typed-local", r"(?m)^\t+(\w+) := &?[A-Z]\w+\{"),
    ("typed-variable", r"(?m)^\t+var (\w+) \*?(?:\w+\.)?[A-Z]\w+$"),
    ("typed-parameter", r"(?m)^func (?:\(\w+ \*?\w+\) )?\w+\((\w+) \*?[A-Z]\w*[,)]"),
    ("standard-function", r#"(?m)^\t"(?:[a-z]+/)*([a-z]+)"$"#),
];

/// The mutations of a Go file.
pub(crate) fn mutations(text: &str) -> Vec<(&'static str, String)> {
    let mut found: Vec<_> =
        RULES.iter().filter_map(|rule| Some((rule.kind, apply(rule, text)?))).collect();
    for (kind, pattern) in PAIRS {
        found.extend(member(text, &Regex::new(pattern).unwrap(), kind));
    }
    found.extend(of_module(text));
    found.extend(path(text, r#"(?m)^\t(?:\w+ )?"(?:[a-z]+/)*([a-z]+)"$"#, "missing-standard"));
    if let Some(place) = text.find("\nimport ") {
        let mut whole = text.to_owned();
        whole.insert_str(place, &format!("\nimport _ \"github.com/fastlib/quick{MARK}\"\n"));
        found.push(("invented-package", whole));
    }
    found
}

/// Packages of the module that most imports name, taken to be the file's own.
fn of_module(text: &str) -> Vec<(&'static str, String)> {
    let imports = Regex::new(r#"(?m)^\t"([\w-]+\.[\w.-]+/[\w-]+/[\w-]+)"#).unwrap();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for import in imports.captures_iter(text) {
        *counts.entry(import.get(1).unwrap().as_str()).or_default() += 1;
    }
    let Some((prefix, _)) = counts.into_iter().max_by_key(|(_, count)| *count) else {
        return Vec::new();
    };
    let prefix = regex::escape(prefix);
    let modules = format!(r#"(?m)^\t(?:\w+ )?"{prefix}/(?:[\w-]+/)*([\w-]+)"$"#);
    let mut found = Vec::new();
    found.extend(path(text, &modules, "missing-module"));
    let names = Regex::new(&format!(r#"(?m)^\t"{prefix}/(?:[\w-]+/)*(\w+)"$"#)).unwrap();
    found.extend(member(text, &names, "module-function"));
    found
}

/// A path of an import that is not there.
fn path(text: &str, pattern: &str, kind: &'static str) -> Option<(&'static str, String)> {
    let pattern = Regex::new(pattern).unwrap();
    let all: Vec<_> = pattern.captures_iter(text).filter_map(|found| found.get(1)).collect();
    let end = all.get(all.len() / 2)?.end();
    Some((kind, format!("{}{MARK}{}", &text[..end], &text[end..])))
}
