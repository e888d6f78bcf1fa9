//! Comments that stand for code that was left out.
//!
//! A comment is an elision when nothing but elision is in it: an ellipsis
//! alone, or words such as "rest of the code unchanged". A sentence that only
//! mentions such words says something else and is none.

use std::collections::HashMap;

use gatewright_model::Span;

use crate::syntax::parsed::Parsed;
use crate::syntax::tokens::TokenClass;

/// Words that by themselves say that something was left out.
const MARKERS: [&str; 13] = [
    "rest",
    "remaining",
    "remainder",
    "existing",
    "unchanged",
    "omitted",
    "elided",
    "truncated",
    "snip",
    "snipped",
    "unmodified",
    "abbreviated",
    "skipped",
];

/// Words that name what was left out.
const THINGS: [&str; 30] = [
    "code",
    "file",
    "class",
    "method",
    "methods",
    "function",
    "functions",
    "implementation",
    "implementations",
    "module",
    "body",
    "content",
    "contents",
    "imports",
    "definitions",
    "logic",
    "tests",
    "members",
    "fields",
    "lines",
    "stuff",
    "part",
    "parts",
    "everything",
    "script",
    "struct",
    "definition",
    "properties",
    "handlers",
    "component",
];

/// Words that may stand beside them.
const FILLERS: [&str; 44] = [
    "of",
    "the",
    "is",
    "are",
    "as",
    "before",
    "here",
    "goes",
    "go",
    "stays",
    "stay",
    "remains",
    "remain",
    "this",
    "in",
    "and",
    "for",
    "brevity",
    "above",
    "below",
    "not",
    "shown",
    "no",
    "changes",
    "change",
    "changed",
    "keep",
    "kept",
    "all",
    "your",
    "same",
    "other",
    "others",
    "previous",
    "previously",
    "original",
    "insert",
    "add",
    "include",
    "etc",
    "more",
    "unaltered",
    "with",
    "to",
];

/// The first elision of `after` that `before` does not have, with its line number.
pub(super) fn first_new(before: &Parsed, after: &Parsed) -> Option<(usize, String)> {
    let mut known: HashMap<String, usize> = HashMap::new();
    for (_, text) in elisions(before) {
        *known.entry(text).or_insert(0) += 1;
    }
    elisions(after).into_iter().find(|(_, text)| match known.get_mut(text) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    })
}

/// Whether a stretch of a text holds an elision.
pub(super) fn is_in(parsed: &Parsed, span: Span) -> bool {
    let (first, last) = (parsed.lines().line(span.start), parsed.lines().line(span.end));
    elisions(parsed).iter().any(|(line, _)| (first..=last).contains(line))
}

fn elisions(parsed: &Parsed) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for token in parsed.tokens() {
        if token.class == TokenClass::Comment {
            found.extend(elisions_in(parsed, token.span));
        }
    }
    found.extend(bare_elisions(parsed));
    found.sort();
    found.dedup();
    found
}

fn elisions_in(parsed: &Parsed, span: Span) -> Vec<(usize, String)> {
    let first_line = parsed.lines().line(span.start);
    let text = parsed.text(span);
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| is_elision(line))
        .map(|(index, line)| (first_line + index, line.trim().to_owned()))
        .collect()
}

/// Lines of plain text that start with an ellipsis where code should be.
fn bare_elisions(parsed: &Parsed) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut offset = 0;
    for (index, line) in parsed.source().split_inclusive(|byte| *byte == b'\n').enumerate() {
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        let starts_bare =
            ["...", "…", "[...", "<...", "(..."].iter().any(|mark| text.starts_with(mark));
        let span = Span::new(offset, offset + line.len());
        offset += line.len();
        let is_in_string =
            || parsed.tokens_in(span).iter().any(|token| token.class == TokenClass::String);
        if starts_bare && has_marker(text) && is_elision(text) && !is_in_string() {
            found.push((index + 1, text.to_owned()));
        }
    }
    found
}

fn has_marker(text: &str) -> bool {
    words(text).iter().any(|word| MARKERS.contains(&word.as_str()))
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Whether one line of a comment only stands for code.
fn is_elision(line: &str) -> bool {
    let text = line.trim().trim_matches([
        '/', '#', '*', '-', '<', '>', '!', '{', '}', '[', ']', '(', ')', '=', ' ', '\t',
    ]);
    let has_ellipsis = text.contains("...") || text.contains('…');
    let words = words(text);
    if words.is_empty() {
        return has_ellipsis && text.chars().all(|c| matches!(c, '.' | '…' | ' '));
    }
    let is_in = |word: &String, list: &[&str]| list.contains(&word.as_str());
    let has_marker = words.iter().any(|word| is_in(word, &MARKERS));
    let says_same =
        text.to_lowercase().contains("same as before") || text.to_lowercase().contains("no change");
    let is_closed = words
        .iter()
        .all(|word| is_in(word, &MARKERS) || is_in(word, &THINGS) || is_in(word, &FILLERS));
    let is_framed = text.starts_with("...") || text.starts_with('…');
    let names_the_rest = has_marker && (is_closed || is_framed) && words.len() <= 12;
    let has_thing = words.iter().any(|word| is_in(word, &THINGS));
    match (has_ellipsis, names_the_rest) {
        (true, true) => true,
        (true, false) => is_closed && (has_thing || says_same),
        (false, true) => {
            words.len() > 1 && (has_thing || words.len() > 2 || says_unchanged(&words))
        }
        (false, false) => is_closed && says_same,
    }
}

/// "rest unchanged", "remaining omitted": two markers need no thing.
fn says_unchanged(words: &[String]) -> bool {
    words.iter().all(|word| MARKERS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::is_elision;

    #[test]
    fn knows_the_usual_ways_of_leaving_code_out() {
        for text in [
            "// ... rest unchanged",
            "# rest of code",
            "/* existing code */",
            "// ...",
            "# …",
            "// ... existing code ...",
            "// rest of the file remains unchanged",
            "# ... (rest of the class stays the same)",
            "// (unchanged)  ...",
            "/* ... */",
            "// [existing methods unchanged]",
            "// Rest of implementation here",
            "// ... other methods ...",
            "# keep existing code",
            "// remaining code omitted for brevity",
            "// ... same as before ...",
            "// previous code unchanged",
            "// ... rest of handleClick unchanged",
            "// same as before",
            "// no changes here",
        ] {
            assert!(is_elision(text), "{text}");
        }
    }

    #[test]
    fn leaves_real_comments_alone() {
        for text in [
            "// The rest of the arguments are passed through to the shell.",
            "# existing users keep their old ids",
            "// handle the remaining bytes",
            "// unchanged",
            "# TODO: more tests",
            "// wait...",
            "// See the code below",
            "// e.g. foo, bar, ...",
            "/// Returns the remaining budget.",
            "// loading...",
            "# skip existing rows",
            "// all the other fields of this struct are private",
            "// ------",
            "// rest parameters",
            "// existing",
        ] {
            assert!(!is_elision(text), "{text}");
        }
    }
}
