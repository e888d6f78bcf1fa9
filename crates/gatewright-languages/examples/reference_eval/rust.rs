//! Invented names in Rust code.

use regex::Regex;

use super::mutate::{MARK, Rule, member, rule};

pub(crate) const RULES: &[Rule] = &[
    rule("missing-module", r"(?m)^ *(?:pub )?use (?:crate|super|self)::(\w+)::"),
    rule("import-name", r"(?m)^ *use (?:crate|super|self)::(?:\w+::)*(\w+);"),
    rule("import-name", r"(?m)^ *use (?:crate|super)::(?:\w+::)*\{(?:\w+, )*(\w+)[,}]"),
    rule("import-std", r"(?m)^ *use (?:std|core|alloc)::(?:\w+::)*(\w+);"),
    rule("import-package", r"(?m)^ *use (?:[a-z]\w+)::(?:\w+::)*([A-Z]\w+);"),
    rule("module-attribute", r"[ (!&]((?:[a-z]\w+::)+[a-z]\w+)\("),
    rule("undefined-call", r"(?m)^ +(?:let (?:mut )?\w+ = |return |if )([a-z]\w+)\("),
    rule("self-member", r"[ (!]self\.([a-z]\w+)\("),
    rule("self-field", r"[ (!&]self\.([a-z]\w+)[;.,)]"),
    rule("member-of-field", r"[ (!&]self\.[a-z]\w+\.([a-z]\w+)[;.,)(]"),
    rule("member-of-result", r"\)\??\.([a-z]\w+)\("),
    rule("class-member", r"\bSelf::([a-z]\w+)\("),
    rule("class-member", r"[ (]([A-Z]\w+::[a-z]\w+)\("),
    rule("class-variant", r"[ (&]([A-Z]\w+::[A-Z]\w+)\b"),
    rule("literal-field", r"(?m)^ +([a-z]\w+): [^,\n]+,$"),
    rule("unknown-class", r"(?m)[a-z]: &?([A-Z]\w+)[,)<]"),
    rule("unknown-class", r"-> ([A-Z]\w+)[ <]"),
    rule("unknown-base", r"(?m)^impl(?:<[^>\n]*>)? ([A-Z]\w+) for "),
];

/// Members of locals and parameters, and an invented package.
pub(crate) fn pairs(text: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let locals = Regex::new(r"let (?:mut )?(\w+) = [A-Z]\w+(?:::new\(| \{)").unwrap();
    found.extend(member(text, &locals, "typed-local"));
    let parameters = Regex::new(r"[(,] ?(\w+): &?(?:mut )?[A-Z]\w+[,)]").unwrap();
    found.extend(member(text, &parameters, "typed-parameter"));
    if let Some(place) = text.find("\nuse ") {
        let mut whole = text.to_owned();
        whole.insert_str(place, &format!("\nuse fast_{MARK}::Thing;"));
        found.push(("invented-package", whole));
    }
    found
}
