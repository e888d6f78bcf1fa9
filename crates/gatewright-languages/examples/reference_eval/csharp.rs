//! Invented names in C# files.

use regex::Regex;

use crate::mutate::{MARK, Rule, apply, member, rule};

const RULES: &[Rule] = &[
    rule("missing-module", r"(?m)^\s*using (?:\w+\.)+(\w+);"),
    rule("namespace-part", r"[ (]System\.([A-Z]\w+)\."),
    rule("generic-type", r"\b[A-Z]\w+<([A-Z]\w{2,})>"),
    rule("chained-member", r"\b[a-z]\w+\.[A-Z]\w+\.([A-Z]\w+) ?\("),
    rule("this-member", r"\bthis\.([A-Z]\w+)\("),
    rule("this-field", r"\bthis\.(\w+)[;.,) ]"),
    rule("new-class", r"\bnew ([A-Z]\w+)\("),
    rule("unknown-class", r"\bclass \w+ ?: ?([A-Z]\w+)\b"),
    rule("parameter-type", r"[(,] ?([A-Z]\w+) [a-z]\w*[,)]"),
    rule("undefined-call", r"(?m)^\s+(?:return |if ?\()?([A-Z]\w+) ?\("),
    rule("static-member", r"[ (!]\b[A-Z]\w+\.([A-Z]\w+) ?\("),
];

const PAIRS: [(&str, &str); 5] = [
    ("typed-local", r"\b(?:[A-Z]\w+|var) (\w+) = new [A-Z]\w+ ?\("),
    ("typed-loop", r"\bforeach ?\([A-Z]\w+ (\w+) in"),
    ("typed-parameter", r"[(,] ?[A-Z]\w+ ([a-z]\w*)[,)]"),
    ("class-member", r"\bclass ([A-Z]\w+)"),
    ("enumerator", r"\benum ([A-Z]\w+)"),
];

/// The mutations of a C# file.
pub(crate) fn mutations(text: &str) -> Vec<(&'static str, String)> {
    let mut found: Vec<_> =
        RULES.iter().filter_map(|rule| Some((rule.kind, apply(rule, text)?))).collect();
    for (kind, pattern) in PAIRS {
        found.extend(member(text, &Regex::new(pattern).unwrap(), kind));
    }
    if let Some(place) = text.find("using System") {
        let mut whole = text.to_owned();
        whole.insert_str(place, &format!("using Fast{MARK};\n"));
        found.push(("invented-package", whole));
    }
    found
}
