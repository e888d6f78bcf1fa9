//! Writes one invented name into real code, in as many ways as the language has.

use gatewright_languages::syntax::{Parsed, TokenClass, detect};
use regex::Regex;

use super::{c, rust};

/// What an invented name ends with; no real code holds it.
pub(crate) const MARK: &str = "Zqx";
/// The same of a name in capitals.
const LOUD_MARK: &str = "_ZQX";

/// Whether a name is an invented one.
pub(crate) fn is_invented(name: &str) -> bool {
    name.contains(MARK) || name.contains(LOUD_MARK)
}

pub(crate) fn extensions(language: &str) -> &'static [&'static str] {
    match language {
        "typescript" => &[".ts", ".tsx", ".mts", ".cts"],
        "javascript" => &[".js", ".jsx", ".mjs"],
        "go" => &[".go"],
        "rust" => &[".rs"],
        "java" => &[".java"],
        "csharp" => &[".cs"],
        "kotlin" => &[".kt"],
        "c" => &[".c"],
        "cpp" => &[".cc", ".cpp", ".cxx"],
        "ruby" => &[".rb"],
        _ => &[".py"],
    }
}

/// The mutations of a file, each with its kind.
pub(crate) fn mutations(language: &str, path: &str, text: &str) -> Vec<(&'static str, String)> {
    note_text(path, text);
    if language == "go" {
        return crate::go::mutations(text);
    }
    if language == "java" {
        return crate::java::mutations(text);
    }
    if language == "kotlin" {
        return crate::kotlin::mutations(text);
    }
    if language == "ruby" {
        return crate::ruby::mutations(text);
    }
    if language == "csharp" {
        return crate::csharp::mutations(text);
    }
    let rules = match language {
        "python" => PYTHON,
        "typescript" | "javascript" => TYPESCRIPT,
        "rust" => rust::RULES,
        _ => c::RULES,
    };
    let mut found: Vec<_> =
        rules.iter().filter_map(|rule| Some((rule.kind, apply(rule, text)?))).collect();
    if language == "python" {
        found.extend(python_pairs(text));
        if let Some(place) = text.find("\nimport ") {
            let mut whole = text.to_owned();
            whole.insert_str(place, &format!("\nimport fast{MARK}"));
            found.push(("invented-package", whole));
        }
    }
    match language {
        "rust" => found.extend(rust::pairs(text)),
        "c" | "cpp" => found.extend(c::pairs(text)),
        _ => {}
    }
    if language == "typescript" {
        found.extend(typed_pairs(language, text));
    }
    found
}

/// A pattern whose group 1 is the name that becomes an invented one.
pub(crate) struct Rule {
    pub(crate) kind: &'static str,
    pub(crate) pattern: &'static str,
    /// Whether the old name is kept as an alias (`x as y`).
    pub(crate) alias: &'static str,
}

pub(crate) const fn rule(kind: &'static str, pattern: &'static str) -> Rule {
    Rule { kind, pattern, alias: "" }
}

const PYTHON: &[Rule] = &[
    Rule { kind: "import-name", pattern: r"(?m)^from [\w.]+ import (\w+)$", alias: " as " },
    rule("missing-module", r"(?m)^from \.*\w+(?:\.\w+)*\.(\w+) import \w+"),
    rule("self-member", r"[ (\[]self\.([a-z]\w+)\("),
    rule("self-attribute", r"[ (\[]self\.([a-z]\w+)[).\]]"),
    rule("unknown-class", r"(?m)^class \w+\((\w+)[,)]"),
    rule("undefined-call", r"(?m)^ +(?:\w+ = |return |if )?([a-z]\w+)\("),
    rule("decorator", r"(?m)^ *@(\w+)$"),
    rule("annotation", r"\w: ([A-Z]\w+)[,)=]"),
    rule("raised", r"\braise ([A-Z]\w+)\("),
    rule("super-member", r"\bsuper\(\)\.([a-z]\w+)\("),
];
const TYPESCRIPT: &[Rule] = &[
    Rule { kind: "import-name", pattern: r#"(?m)^import \{ (\w+) \} from ['"]\."#, alias: " as " },
    rule("missing-module", r#"(?m)^import [^'"]+ from ['"]\.{1,2}/(?:[\w./-]+/)?([\w-]+)['"]"#),
    rule("this-member", r"[ (!]this\.([a-z]\w+)\("),
    rule("this-field", r"[ (!]this\.([a-z]\w+)[;.,)\]]"),
    rule("unknown-class", r"\bclass \w+ extends (\w+) "),
    rule("new-class", r"\bnew ([A-Z]\w+)\("),
    rule("undefined-call", r"(?m)^ +(?:const \w+ = |return |if \()([a-z]\w+)\("),
    rule("invented-package", r#"(?m)^import [^'"]+ from ['"]([a-z][\w-]+)['"]"#),
    rule("type-name", r"\w: ([A-Z]\w+)[;,)=]"),
    Rule {
        kind: "type-import",
        pattern: r#"(?m)^import type \{ (\w+) \} from ['"]\."#,
        alias: " as ",
    },
    Rule {
        kind: "required-name",
        pattern: r#"(?m)^const \{ (\w+) \} = require\(['"]\."#,
        alias: ": ",
    },
    rule("class-member", r"[ (=][A-Z]\w+\.([a-z]\w+)\("),
    rule("component", r"<([A-Z]\w+) [^<>]*/>"),
];

/// Applies a rule to a match in the middle of the text.
pub(crate) fn apply(rule: &Rule, text: &str) -> Option<String> {
    let pattern = Regex::new(rule.pattern).ok()?;
    let all: Vec<_> = pattern
        .captures_iter(text)
        .filter_map(|found| found.get(1))
        .filter(|name| !is_keyword(name.as_str()))
        .filter(|name| !is_text(text, name.start()))
        .collect();
    let name = all.get(all.len() / 2)?;
    let old = name.as_str();
    let alias = if rule.alias.is_empty() { String::new() } else { format!("{}{old}", rule.alias) };
    let is_loud = old.len() > 1 && !old.contains(|c: char| c.is_ascii_lowercase());
    let mark = if is_loud { LOUD_MARK } else { MARK };
    Some(format!("{}{old}{mark}{alias}{}", &text[..name.start()], &text[name.end()..]))
}

/// Whether an offset lies in a string or a comment.
fn is_text(text: &str, at: usize) -> bool {
    PARSED.with_borrow(|spans| {
        let index = spans.partition_point(|(start, _)| *start <= at);
        index > 0 && spans[index - 1].1 > at
    }) || is_comment(text, at)
}

thread_local! {
    static PARSED: std::cell::RefCell<Vec<(usize, usize)>> = const { std::cell::RefCell::new(Vec::new()) };
}

fn note_text(path: &str, text: &str) {
    let Some(language) = detect(path, text.as_bytes()) else { return };
    let Ok(parsed) = Parsed::new(language, text.as_bytes()) else { return };
    let spans = parsed.tokens().iter().filter(|token| token.class != TokenClass::Code);
    PARSED.set(spans.map(|token| (token.span.start, token.span.end)).collect());
}

fn is_comment(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default().trim_start();
    ["#", "//", "*", "/*", ">>>"]
        .iter()
        .any(|mark| line.starts_with(mark) && !line.starts_with("#include"))
}

const KEYWORDS: &str = "if for while switch return catch super this self not and or in is \
print func function import require assert await async yield elif except del sizeof typeof \
match with fn move lambda defined raise constructor get set when using lock nameof \
fixed foreach else try def synchronized static init describe it test expect beforeEach goto \
delete throw typedef using case default new";

fn is_keyword(word: &str) -> bool {
    KEYWORDS.split_whitespace().any(|keyword| keyword == word)
}

/// Members of imported modules, of classes by their name, and of locals whose class is plain.
fn python_pairs(text: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let imports = Regex::new(r"(?m)^import (\w+)$").unwrap();
    found.extend(member(text, &imports, "module-attribute"));
    let classes = Regex::new(r"(?m)^class (\w+)").unwrap();
    found.extend(member(text, &classes, "class-member"));
    let locals = Regex::new(r"(?m)^ +(\w+) = [A-Z]\w+\([^\n]*\)$").unwrap();
    found.extend(member(text, &locals, "typed-local"));
    found
}

/// The first `name.attribute(` behind a definition of `name`.
pub(crate) fn member(
    text: &str,
    definitions: &Regex,
    kind: &'static str,
) -> Option<(&'static str, String)> {
    for found in definitions.captures_iter(text) {
        let (whole, name) = (found.get(0)?, found.get(1)?.as_str());
        let rest = &text[whole.end()..];
        let use_of = Regex::new(&format!(
            r"[^\w.'`{name}\.([a-zA-Z]\w*)[(.,)]",
            name = &format!("\"]{name}")
        ))
        .ok()?;
        for hit in use_of.captures_iter(rest) {
            let attribute = hit.get(1)?;
            let at = whole.end() + attribute.end();
            if !is_text(text, at - 1) {
                return Some((kind, format!("{}{MARK}{}", &text[..at], &text[at..])));
            }
        }
    }
    None
}

/// Members of locals whose class is plain, and of imported packages.
fn typed_pairs(language: &str, text: &str) -> Vec<(&'static str, String)> {
    let (locals, imports) = match language {
        "typescript" => (r"const (\w+) = new [A-Z]\w+\(", r"import \* as (\w+) from '\."),
        _ => (r"\b[A-Z]\w+ (\w+) = new [A-Z]\w+\(", r"(?m)^import [\w.]+\.([A-Z]\w+);"),
    };
    let mut found = Vec::new();
    found.extend(member(text, &Regex::new(locals).unwrap(), "typed-local"));
    if language == "typescript" {
        let parameters = Regex::new(r"[(,]\s*(\w+)\??: [A-Z]\w+(?: \| undefined)?[,)]").unwrap();
        found.extend(member(text, &parameters, "typed-parameter"));
    }
    found.extend(member(text, &Regex::new(imports).unwrap(), "module-attribute"));
    found
}
