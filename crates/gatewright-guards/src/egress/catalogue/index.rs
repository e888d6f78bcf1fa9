//! The keywords of a rule file without parsing it, so that a process starts quickly.
//!
//! Rule files write `keywords = ["…", '…']` on one line for each rule. The full
//! parse checks that it found the same; a file that disagrees is a problem.

/// The keywords of each rule, in lower case.
pub fn keywords(text: &str) -> Vec<Vec<String>> {
    text.lines()
        .filter_map(|line| line.strip_prefix("keywords"))
        .filter_map(|rest| rest.trim_start().strip_prefix('='))
        .map(|list| strings(list.trim_start()))
        .collect()
}

/// The string literals of a list.
fn strings(list: &str) -> Vec<String> {
    let mut strings = Vec::new();
    let mut rest = list;
    while let Some(open) = rest.find(['"', '\'']) {
        let quote = rest.as_bytes()[open];
        rest = &rest[open + 1..];
        let Some(length) = closing(rest, quote) else { break };
        let literal = &rest[..length];
        let text = if quote == b'"' { unescaped(literal) } else { literal.to_owned() };
        strings.push(text.to_ascii_lowercase());
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
