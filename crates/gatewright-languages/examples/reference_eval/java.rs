//! Invented names in Java files.

use regex::Regex;

use crate::mutate::{MARK, Rule, apply, member, rule};

const RULES: &[Rule] = &[
    rule("import-name", r"(?m)^import [\w.]+\.([A-Z]\w+);"),
    rule("import-static", r"(?m)^import static [\w.]+\.([a-z]\w+);"),
    rule("import-package", r"(?m)^import (?:\w+\.)+([a-z]\w+)\.[A-Z]\w+;"),
    rule("generic-type", r"\b[A-Z]\w+<([A-Z]\w{2,})>"),
    rule("this-member", r"\bthis\.([a-z]\w+)\("),
    rule("this-field", r"\bthis\.([a-z]\w+)[;.,) ]"),
    rule("new-class", r"\bnew ([A-Z]\w+)\("),
    rule("unknown-class", r"\bclass \w+ extends (\w+)\b"),
    rule("parameter-type", r"\(([A-Z]\w+) \w+[,)]"),
    rule("annotation", r"(?m)^ *@([A-Z]\w+)\b"),
    rule("undefined-call", r"(?m)^ +(?:return |if \()?([a-z]\w+)\("),
    rule("class-member", r"[ (]([A-Z]\w+\.[a-z]\w+)\("),
];

/// Pairs of a definition and a use of its member.
const PAIRS: [(&str, &str); 4] = [
    ("typed-local", r"\b[A-Z]\w+ (\w+) = new [A-Z]\w+\("),
    ("typed-parameter", r"\((?:final )?[A-Z]\w+ (\w+)[,)]"),
    ("typed-loop", r"\bfor \((?:final )?[A-Z]\w+ (\w+) ?:"),
    ("module-attribute", r"(?m)^import [\w.]+\.([A-Z]\w+);"),
];

/// The mutations of a Java file.
pub(crate) fn mutations(text: &str) -> Vec<(&'static str, String)> {
    let mut found: Vec<_> =
        RULES.iter().filter_map(|rule| Some((rule.kind, apply(rule, text)?))).collect();
    for (kind, pattern) in PAIRS {
        found.extend(member(text, &Regex::new(pattern).unwrap(), kind));
    }
    let package = Regex::new(r"(?m)^package [\w.]+;\n").unwrap();
    if let Some(place) = package.find(text) {
        let line = format!("import com.fastlib{MARK}.QuickClient;\n");
        let whole = format!("{}{line}{}", &text[..place.end()], &text[place.end()..]);
        found.push(("invented-package", whole));
    }
    let own = Regex::new(r"(?m)^package (\w+\.\w+\.\w+)").unwrap();
    if let Some(own) = own.captures(text).and_then(|found| found.get(1)) {
        let pattern = format!(r"(?m)^import {}\.(?:\w+\.)*?([a-z]\w+)\.[A-Z]\w+;", own.as_str());
        let pattern: &'static str = pattern.leak();
        found
            .extend(apply(&rule("missing-module", pattern), text).map(|it| ("missing-module", it)));
    }
    found
}
