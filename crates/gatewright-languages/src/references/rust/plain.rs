//! Macros whose arguments are plain code, written out so that the grammar sees them.
//!
//! The grammar keeps the arguments of a macro as loose tokens. Those of the
//! everyday macros are expressions: taking the `!` away makes them a call, with
//! every byte where it was. Macros that only switch whole items on and off are
//! taken away around what they hold.

use std::borrow::Cow;
use std::ops::Range;

use tree_sitter::Node;

use crate::references::words::is_word;
use crate::syntax::{LanguageId, Parsed};

/// Macros that take expressions.
const CALLS: [&str; 28] = [
    "print",
    "println",
    "eprint",
    "eprintln",
    "format",
    "write",
    "writeln",
    "panic",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "unreachable",
    "todo",
    "unimplemented",
    "dbg",
    "format_args",
    "anyhow",
    "bail",
    "ensure",
    "info",
    "warn",
    "error",
    "debug",
    "trace",
    "ready",
];

/// Those of them that write log lines.
const LOGS: [&str; 5] = ["info", "warn", "error", "debug", "trace"];

/// How deep switches of items are taken away.
const NESTED: usize = 3;

/// The text with the arguments of plain macros as code; every offset stays.
pub(super) fn plain(source: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'!', source).is_none() {
        return Cow::Borrowed(source);
    }
    let mut text = source.to_vec();
    for at in memchr::memchr_iter(b'!', source) {
        let name_start = source[..at].iter().rposition(|byte| !is_word(*byte)).map_or(0, |i| i + 1);
        let (name, open) = (&source[name_start..at], source.get(at + 1));
        match (name, open) {
            (b"vec", Some(b'[')) => text[name_start..=at].fill(b' '),
            (name, Some(b'('))
                if CALLS.iter().any(|call| call.as_bytes() == name)
                    && !has_fields(name, &source[at + 1..]) =>
            {
                text[at] = b' ';
            }
            _ => {}
        }
    }
    Cow::Owned(text)
}

/// Whether the arguments of a log line start with fields, which are no expressions.
fn has_fields(name: &[u8], arguments: &[u8]) -> bool {
    let is_log = LOGS.iter().any(|log| log.as_bytes() == name);
    let inner = arguments.get(1..).unwrap_or_default().trim_ascii_start();
    is_log && inner.first() != Some(&b'"')
}

/// The text without the macros that switch items, where there are any.
pub(super) fn without_switches(parsed: &Parsed) -> Option<Vec<u8>> {
    let source = parsed.source();
    let needles: [&[u8]; 3] = [b"cfg_", b"if_", b"pin_project!"];
    needles.iter().find_map(|needle| memchr::memmem::find(source, needle))?;
    let mut text = source.to_vec();
    let mut changed = false;
    parsed.visit(|node, _| {
        if node.kind() == "macro_definition" {
            return false;
        }
        if node.kind() != "macro_invocation" {
            return true;
        }
        let name = node.child_by_field_name("macro").map(|name| &source[name.byte_range()]);
        let body = node.named_child(1).filter(|body| body.kind() == "token_tree");
        if let (Some(name), Some(body)) = (name, body)
            && (is_switch(name) || is_choice(name))
            && source.get(body.start_byte()) == Some(&b'{')
        {
            if is_choice(name) {
                blank_choice(body, &mut text);
            }
            text[node.start_byte()..=body.start_byte()].fill(b' ');
            text[body.end_byte() - 1] = b' ';
            changed = true;
        }
        false
    });
    changed.then_some(text)
}

fn is_switch(name: &[u8]) -> bool {
    let is_named = name.starts_with(b"cfg_") || name.starts_with(b"if_");
    name == b"pin_project" || is_named && !is_choice(name) && name != b"if_chain"
}

/// Whether a macro holds items under `if #[cfg(...)] { ... } else { ... }`, or `unix => { ... }`.
fn is_choice(name: &[u8]) -> bool {
    const CHOICES: [&[u8]; 3] = [b"cfg_if", b"cfg_select", b"cfg_match"];
    let last = name.rsplit(|byte| *byte == b':').next().unwrap_or(name);
    CHOICES.contains(&last)
}

/// Leaves of such a choice what stands inside of the innermost braces.
fn blank_choice(body: Node<'_>, text: &mut [u8]) {
    let mut cursor = body.walk();
    let mut start = body.start_byte();
    for child in body.children(&mut cursor).filter(|child| child.kind() == "token_tree") {
        if text.get(child.start_byte()) == Some(&b'{') {
            text[start..=child.start_byte()].fill(b' ');
            text[child.end_byte() - 1] = b' ';
            start = child.end_byte();
        }
    }
    text[start..body.end_byte() - 1].fill(b' ');
}

/// How far the brackets around an attribute are looked for, to each side.
const FARTHEST: usize = 4096;

/// The text without the attributes of fields in patterns, which the grammar does not know.
fn without_pattern_attributes(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let attributes = memchr::memmem::find_iter(&text, b"#[");
    let found: Vec<_> = attributes.filter_map(|start| pattern_attribute(&text, start)).collect();
    if found.is_empty() {
        return text;
    }
    let mut text = text.into_owned();
    for attribute in found {
        text[attribute].fill(b' ');
    }
    Cow::Owned(text)
}

/// Where an attribute ends that stands in the braces of a pattern: behind them comes a `=`.
fn pattern_attribute(text: &[u8], start: usize) -> Option<Range<usize>> {
    if !matches!(text[..start].trim_ascii_end().last(), Some(b'{' | b',' | b']')) {
        return None;
    }
    let length = closing(&text[start + 1..], (b'[', b']'))?;
    let behind = &text[start + 1 + length..];
    // As if the brace around were opened here.
    let rest = behind[closing_of_outer(behind)?..].trim_ascii_start();
    let is_pattern = rest.starts_with(b"=") && !rest.starts_with(b"==");
    is_pattern.then(|| start..start + 1 + length)
}

/// The length up to the bracket that closes the first one.
fn closing(text: &[u8], (open, close): (u8, u8)) -> Option<usize> {
    let mut depth = 0usize;
    text.iter()
        .take(FARTHEST)
        .position(|byte| {
            depth += usize::from(*byte == open);
            depth -= usize::from(*byte == close && depth > 0);
            depth == 0
        })
        .map(|at| at + 1)
}

/// The length up to the brace that closes one which was opened before the text.
fn closing_of_outer(text: &[u8]) -> Option<usize> {
    let mut depth = 1usize;
    let mut bytes = text.iter().take(FARTHEST);
    bytes
        .position(|byte| {
            depth += usize::from(*byte == b'{');
            depth -= usize::from(*byte == b'}');
            depth == 0
        })
        .map(|at| at + 1)
}

/// The tree of a file with its plain macros as code.
pub(super) fn parse(source: &[u8]) -> Option<Parsed> {
    let text = without_pattern_attributes(plain(source));
    let mut parsed = Parsed::new(LanguageId::Rust, &text).ok()?;
    for _ in 0..NESTED {
        let Some(text) = without_switches(&parsed) else { break };
        // What such a macro holds may be no items after all.
        let Ok(plainer) = Parsed::new(LanguageId::Rust, &text) else { break };
        parsed = plainer;
    }
    Some(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offset_stays() {
        let text = b"fn f() { assert_eq!(a, vec![b(1)]); other!(x y); info!(a = %b, \"c\"); }";
        let plain = plain(text);
        assert_eq!(
            plain.as_ref(),
            b"fn f() { assert_eq (a,     [b(1)]); other!(x y); info!(a = %b, \"c\"); }"
        );
    }

    #[test]
    fn attributes_of_fields_in_patterns_are_taken_away() {
        let text =
            "fn f(a: A) { let A { b, #[cfg(c)] d, #[x] #[y] e } = a; S { #[cfg(c)] d: 1 }; }";
        let parsed = parse(text.as_bytes()).unwrap();
        let plain = String::from_utf8_lossy(parsed.source()).into_owned();
        assert_eq!(
            plain,
            "fn f(a: A) { let A { b,           d,           e } = a; S { #[cfg(c)] d: 1 }; }"
        );
    }

    #[test]
    fn switches_of_items_are_taken_away() {
        let parsed = parse(b"cfg_net! { pub mod net; }").unwrap();
        assert_eq!(parsed.source(), b"           pub mod net;  ");
    }

    #[test]
    fn every_branch_of_a_choice_is_code() {
        let text = b"cfg_if::cfg_if! { if #[cfg(unix)] { mod a; } else { mod b; } }";
        let parsed = parse(text).unwrap();
        let plain = String::from_utf8_lossy(parsed.source()).into_owned();
        assert_eq!(plain.split_whitespace().collect::<Vec<_>>(), ["mod", "a;", "mod", "b;"]);
        assert_eq!(parsed.source().len(), text.len());
        let text = b"std::cfg_select! { unix => { fn f() { m!('{') } } _ => { fn g() {} } }";
        let parsed = parse(text).unwrap();
        let plain = String::from_utf8_lossy(parsed.source()).into_owned();
        let words: Vec<&str> = plain.split_whitespace().collect();
        assert_eq!(words, ["fn", "f()", "{", "m!('{')", "}", "fn", "g()", "{}"]);
    }

    #[test]
    fn what_is_no_switch_after_all_is_still_read() {
        let text = b"fn f() {}\ncfg_odd! { unix => { fn g(c: char) { matches!(c, '\"' | '\\\\') } } a => { x } }";
        assert!(parse(text).is_some());
    }
}
