//! Code of a scripting language, cut into texts, names and marks.

use crate::hooks::shell::escapes;

/// A part of the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A text in quotes.
    Text(String),
    /// A text in quotes with something in it that is not known.
    Open(String),
    /// A text in backticks.
    Backticks(String),
    /// A name or a number.
    Name(String),
    /// Anything else.
    Mark(char),
}

/// The tokens of a code.
pub fn tokens(code: &str) -> Vec<Token> {
    let chars: Vec<char> = code.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let is_fresh = at == 0 || chars[at - 1].is_whitespace();
        let is_comment = (c == '#' && is_fresh && chars.get(at + 1) != Some(&'{'))
            || (c == '/' && is_fresh && chars.get(at + 1) == Some(&'/'));
        if is_comment {
            at = chars[at..].iter().position(|c| *c == '\n').map_or(chars.len(), |end| at + end);
        } else if matches!(c, '\'' | '"' | '`') {
            let (token, after) = quoted(&chars, at, tokens.last());
            if matches!(tokens.last(), Some(Token::Name(name)) if is_prefix(name)) {
                tokens.pop();
            }
            tokens.push(token);
            at = after;
        } else if c.is_alphanumeric() || c == '_' {
            let length =
                chars[at..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
            tokens.push(Token::Name(chars[at..at + length].iter().collect()));
            at += length;
        } else {
            if !c.is_whitespace() || c == '\n' {
                tokens.push(Token::Mark(c));
            }
            at += 1;
        }
    }
    tokens
}

/// Letters that stand before a text in Python.
fn is_prefix(name: &str) -> bool {
    name.len() <= 2 && name.chars().all(|c| "rRbBfFuU".contains(c))
}

fn quoted(chars: &[char], start: usize, before: Option<&Token>) -> (Token, usize) {
    let quote = chars[start];
    let prefix = match before {
        Some(Token::Name(name)) if is_prefix(name) => name.to_ascii_lowercase(),
        _ => String::new(),
    };
    let is_triple = quote != '`' && chars.get(start..start + 3) == Some(&[quote; 3][..]);
    let width = if is_triple { 3 } else { 1 };
    let mut at = start + width;
    let mut raw = String::new();
    while let Some(&c) = chars.get(at) {
        if c == quote && (!is_triple || chars.get(at..at + 3) == Some(&[quote; 3][..])) {
            break;
        }
        raw.push(c);
        if c == '\\' {
            at += 1;
            raw.extend(chars.get(at));
        }
        at += 1;
    }
    let text = if prefix.contains('r') { raw.clone() } else { escapes::decoded(&raw) };
    let has_hole =
        (prefix.contains('f') && raw.contains('{')) || raw.contains("${") || raw.contains("#{");
    let token = match (quote, has_hole) {
        (_, true) => Token::Open(text),
        ('`', false) => Token::Backticks(text),
        (_, false) => Token::Text(text),
    };
    (token, (at + width).min(chars.len()))
}
