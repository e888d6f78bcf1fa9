//! Invented names in C and C++ code.

use super::mutate::{MARK, Rule, rule};

pub(crate) const RULES: &[Rule] = &[
    rule("missing-module", r#"(?m)^# *include "(?:[\w./-]+/)?([\w-]+)\.h"#),
    rule("system-header", r"(?m)^# *include <(?:sys|net|netinet|arpa)/(\w+)\.h>"),
    rule("undefined-call", r"(?m)^[ \t]+(?:\w+ = |return |if \()?([a-z]\w+)\("),
    rule("member", r"\b\w+->([a-z]\w+)\b"),
    rule("typed-local", r"\b[a-z]\w*\.([a-z]\w+)\b[^(h\w]"),
    rule("unknown-class", r"(?m)^[ \t]+(?:const )?([a-zA-Z]\w+(?:_t|[a-z])) \*?\w+(?: =|;)"),
    rule("tag", r"(?m)^[ \t]+(?:const )?struct ([a-z]\w+) \*?\w+(?: =|;)"),
    rule("constant", r"(?:[=|] |return |\(|, )([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])(?: \||[;),])"),
    rule("this-member", r"\bthis->(\w+)\b"),
    rule("namespace-member", r"\bstd::(\w+)\b"),
    rule("class-member", r"(?:= |return |\(|, )([A-Z]\w+::\w+)\("),
    rule("method", r"\b[a-z]\w*\.([a-zA-Z]\w+)\("),
    rule("unknown-base", r"\bclass \w+ : public ([A-Z]\w+)\b"),
];

/// An invented library.
pub(crate) fn pairs(text: &str) -> Vec<(&'static str, String)> {
    let Some(place) = text.find("\n#include ") else { return Vec::new() };
    let mut whole = text.to_owned();
    whole.insert_str(place, &format!("\n#include <fast{MARK}/io.h>"));
    vec![("invented-package", whole)]
}
