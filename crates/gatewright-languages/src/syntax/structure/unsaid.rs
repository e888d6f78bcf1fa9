//! Definitions of scripts that no keyword says, where the parser lost its way: a method, and an
//! arrow function that is bound to a name.
//!
//! A line that holds all of such a head can be nothing else; a head over several lines is not
//! looked for.

use gatewright_model::Span;

use crate::syntax::language::LanguageId;
use crate::syntax::parsed::Parsed;

/// Words that may stand before a name that is bound to a value.
const BINDINGS: [&str; 3] = ["const", "let", "var"];
/// Words that may stand before the name of either.
const BEFORE: [&str; 13] = [
    "export",
    "default",
    "public",
    "private",
    "protected",
    "static",
    "readonly",
    "override",
    "abstract",
    "declare",
    "async",
    "get",
    "set",
];
/// Words before brackets and a block that name nothing.
const STATEMENTS: [&str; 9] =
    ["if", "for", "while", "switch", "catch", "with", "function", "return", "do"];

/// The kind and the name of each such line; none in other languages.
pub(super) fn lines(parsed: &Parsed) -> Vec<(&'static str, Span)> {
    let is_script = matches!(
        parsed.language(),
        LanguageId::TypeScript | LanguageId::Tsx | LanguageId::JavaScript
    );
    if !is_script {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut offset = 0;
    for line in parsed.source().split_inclusive(|byte| *byte == b'\n') {
        let start = offset;
        offset += line.len();
        let Ok(text) = std::str::from_utf8(line) else { continue };
        if let Some((kind, at, length)) = head(text) {
            found.push((kind, Span::new(start + at, start + at + length)));
        }
    }
    found
}

/// The kind of the head that a line is, with the place and the length of its name in it.
fn head(line: &str) -> Option<(&'static str, usize, usize)> {
    let text = line.trim_end();
    let mut rest = text.trim_start();
    let is_bound = loop {
        let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
        if BINDINGS.contains(&word) {
            rest = behind.trim_start();
            break true;
        }
        if !BEFORE.contains(&word) {
            break false;
        }
        rest = behind.trim_start();
    };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#');
    let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let (name, behind) = rest.split_at(length);
    let is_name = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    let is_head = match is_bound {
        true => is_arrow(behind),
        false => is_method(behind) && !STATEMENTS.contains(&name),
    };
    let kind = if is_bound { "function" } else { "method" };
    (is_name && is_head).then(|| (kind, text.len() - rest.len(), length))
}

/// Whether what stands behind a name binds it to an arrow function with a block.
fn is_arrow(behind: &str) -> bool {
    let value = behind.split_once('=').map_or("", |(_, value)| value).trim_start();
    let value = value.strip_prefix("async ").unwrap_or(value);
    value.starts_with('(') && value.ends_with("=> {")
}

/// Whether brackets stand behind a name and a block behind them.
fn is_method(behind: &str) -> bool {
    let Some(block) = behind.strip_prefix('(').and_then(|behind| behind.strip_suffix('{')) else {
        return false;
    };
    let mut depth = 1usize;
    let end = block.find(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let after = end.map(|end| block[end + 1..].trim());
    after.is_some_and(|after| after.is_empty() || (after.starts_with(':') && !after.contains("=>")))
}

#[cfg(test)]
mod tests {
    use super::head;

    #[test]
    fn a_line_is_the_head_of_a_method_or_of_a_bound_arrow_function() {
        for (line, kind, name) in [
            (
                "  private async load(a: Map<string, (b: C) => D>): Promise<void> {\n",
                "method",
                "load",
            ),
            ("  #close() {", "method", "#close"),
            ("export const go = async (a, b = (1)) => {\n", "function", "go"),
            ("  const onRow = (row: Row): string => {", "function", "onRow"),
        ] {
            let (found, at, length) = head(line).unwrap();
            assert_eq!((found, &line[at..at + length]), (kind, name), "{line}");
        }
        for line in [
            "  if (a) {",
            "  describe(\"a\", () => {",
            "  const a = b.map((c) => {",
            "  const a = run(1);",
            "  call(a);",
            "  return (a) => {",
            "} else if (a) {",
            "  a.b(c) {",
        ] {
            assert_eq!(head(line), None, "{line}");
        }
    }
}
