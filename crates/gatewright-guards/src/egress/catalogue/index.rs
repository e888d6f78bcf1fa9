//! The keywords of a rule file without parsing it, so that a process starts quickly.
//!
//! Rule files write `keywords = ["…", '…']` on one line for each rule. The full
//! parse checks that it found the same; a file that disagrees is a problem.

/// What the prefilter needs to know of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Indexed {
    /// The keywords, in lower case.
    pub keywords: Vec<String>,
    /// True when a value may have no run that shows it, so that its keywords must.
    pub by_keyword: bool,
}

/// What each rule of a file says, in order.
pub fn index(text: &str) -> Vec<Indexed> {
    let mut rules: Vec<Indexed> = Vec::new();
    for line in telling_lines(text) {
        if line.trim_end() == "[[rule]]" {
            rules.push(Indexed::default());
        }
        let Some(rule) = rules.last_mut() else { continue };
        if let Some(list) = value_of(line, "keywords") {
            rule.keywords = strings(list);
        } else if let Some(value) = value_of(line, "by_keyword") {
            rule.by_keyword = value.starts_with("true");
        }
    }
    rules
}

/// The lines that begin as those do that are of interest here, which few do.
fn telling_lines(text: &str) -> impl Iterator<Item = &str> {
    let starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| newline + 1);
    let is_telling =
        |start: &usize| matches!(text.as_bytes().get(*start), Some(b'[' | b'k' | b'b'));
    let line_at = |start: usize| {
        let rest = &text.as_bytes()[start..];
        text.get(start..start + memchr::memchr(b'\n', rest).unwrap_or(rest.len()))
    };
    std::iter::once(0).chain(starts).filter(is_telling).filter_map(line_at)
}

/// What stands behind `name =`.
fn value_of<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    Some(line.strip_prefix(name)?.trim_start().strip_prefix('=')?.trim_start())
}

/// The string literals of a list.
fn strings(list: &str) -> Vec<String> {
    let mut strings = Vec::new();
    let mut rest = list;
    while let Some(open) = memchr::memchr2(b'"', b'\'', rest.as_bytes()) {
        let quote = rest.as_bytes()[open];
        rest = &rest[open + 1..];
        let Some(length) = closing(rest, quote) else { break };
        let literal = &rest[..length];
        let is_escaped = quote == b'"' && literal.as_bytes().contains(&b'\\');
        strings.push(match is_escaped {
            true => unescaped(literal).to_ascii_lowercase(),
            false => literal.to_ascii_lowercase(),
        });
        rest = &rest[length + 1..];
    }
    strings
}

fn closing(rest: &str, quote: u8) -> Option<usize> {
    let mut escaped = false;
    for (index, byte) in rest.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quote == b'"' => escaped = true,
            _ if byte == quote => return Some(index),
            _ => {}
        }
    }
    None
}

fn unescaped(literal: &str) -> String {
    let mut text = String::with_capacity(literal.len());
    let mut escaped = false;
    for character in literal.chars() {
        match character {
            't' if escaped => text.push('\t'),
            'n' if escaped => text.push('\n'),
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            other => text.push(other),
        }
        escaped = false;
    }
    text
}
