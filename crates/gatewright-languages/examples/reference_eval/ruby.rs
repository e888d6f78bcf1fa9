//! Invented names in Ruby files.

use regex::Regex;

use crate::mutate::{MARK, Rule, apply, member, rule};

const RULES: &[Rule] = &[
    rule("missing-module", r#"(?m)^require_relative ['"](?:[\w./]+/)?(\w+)['"]"#),
    rule("missing-feature", r#"(?m)^require ['"](?:[\w./]+/)?(\w+)['"]"#),
    rule("unknown-class", r"(?m)^ *class [\w:]+ < ([A-Z]\w+)$"),
    rule("scoped-constant", r"[ (][A-Z]\w+::([A-Z]\w+)[ ,)\n.]"),
    rule("assigned-constant", r"(?m)\w = (?:[A-Z]\w+::)+([A-Z]\w+)$"),
    rule("raised", r"\braise ([A-Z]\w+)\b"),
    rule("mixin", r"(?m)^ *include ([A-Z]\w+)$"),
    rule("new-class", r"[ (=]([A-Z]\w+)\.new\b"),
    rule("class-member", r"[ (=][A-Z]\w+\.([a-z]\w+)\("),
    rule("self-member", r"(?m)^ +(?:\w+ = )?self\.([a-z]\w+)\("),
    rule("undefined-call", r"(?m)^ +(?:return |if |\w+ = )?([a-z]\w+)\("),
];

/// The mutations of a Ruby file.
pub(crate) fn mutations(text: &str) -> Vec<(&'static str, String)> {
    let mut found: Vec<_> =
        RULES.iter().filter_map(|rule| Some((rule.kind, apply(rule, text)?))).collect();
    let locals = Regex::new(r"(?m)^ +(\w+) = (?:\w+::)*[A-Z]\w+\.new(?:\([^()\n]*\))?$").unwrap();
    found.extend(member(text, &locals, "typed-local"));
    let place =
        text.find("\nrequire").or_else(|| text.find("\nmodule ")).or_else(|| text.find("\nclass "));
    if let Some(place) = place {
        let mut whole = text.to_owned();
        whole.insert_str(place, &format!("\nrequire 'fast{MARK}'"));
        found.push(("invented-package", whole));
    }
    found
}
