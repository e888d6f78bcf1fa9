//! The heads of declarations: what a type or member is called, what it builds on.

use super::facts::Name;
use super::lex::Token;

const KINDS: [&str; 5] = ["class", "struct", "interface", "enum", "record"];
pub(super) const MODIFIERS: [&str; 27] = [
    "public",
    "private",
    "protected",
    "internal",
    "static",
    "readonly",
    "volatile",
    "const",
    "abstract",
    "virtual",
    "override",
    "sealed",
    "async",
    "extern",
    "unsafe",
    "new",
    "partial",
    "required",
    "ref",
    "event",
    "fixed",
    "delegate",
    "operator",
    "implicit",
    "explicit",
    "file",
    "scoped",
];

/// One part of a declaration before its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Word(&'a str, usize),
    Sign(u8),
    /// What stood in parentheses, and whether it began with `this`.
    Round(Vec<Token<'a>>),
    Square,
}

pub(super) fn part_offset(part: &Part<'_>) -> usize {
    if let Part::Word(_, offset) = part { *offset } else { 0 }
}

pub(super) fn word_at(parts: &[Part<'_>], wanted: &str) -> Option<usize> {
    parts.iter().position(|part| matches!(part, Part::Word(word, _) if *word == wanted))
}

/// Where the keyword of a type declaration stands.
pub(super) fn type_keyword(head: &[Part<'_>]) -> Option<usize> {
    (0..head.len()).find(|&index| {
        let Part::Word(word, _) = &head[index] else { return false };
        let named = matches!(head.get(index + 1), Some(Part::Word(..)));
        let constrains = index > 0 && matches!(head[index - 1], Part::Sign(b':' | b','));
        let declares = head[..index].iter().all(|part| match part {
            Part::Word(word, _) => MODIFIERS.contains(word) || *word == "global",
            Part::Square => true,
            _ => false,
        });
        KINDS.contains(word) && named && declares && !constrains
    })
}

/// The name of the method that a head declares.
pub(super) fn method_name<'h, 'a>(head: &'h [Part<'a>]) -> Option<&'h Part<'a>> {
    for (index, part) in head.iter().enumerate() {
        if matches!(part, Part::Sign(b'=')) {
            return None;
        }
        if !matches!(part, Part::Round(_)) {
            continue;
        }
        let mut before = index.checked_sub(1)?;
        if matches!(head[before], Part::Sign(b'>')) {
            let mut depth = 0;
            while before > 0 {
                match head[before] {
                    Part::Sign(b'>') => depth += 1,
                    Part::Sign(b'<') => depth -= 1,
                    _ => {}
                }
                before -= 1;
                if depth == 0 {
                    break;
                }
            }
        }
        if let name @ Part::Word(word, _) = &head[before]
            && !MODIFIERS.contains(word)
            && !matches!(*word, "where" | "this" | "get" | "set")
            && !matches!(
                before.checked_sub(1).map(|index| &head[index]),
                Some(Part::Sign(b'<' | b','))
            )
        {
            return Some(name);
        }
    }
    None
}

pub(super) fn extends(tokens: &[Token<'_>]) -> bool {
    let first = tokens.iter().find(|token| !matches!(token, Token::Sign(b'[' | b']')));
    matches!(first, Some(Token::Word("this")))
}

/// The last names of the bases behind a type's name.
pub(super) fn bases(parts: &[Part<'_>]) -> Vec<Name> {
    let (mut found, mut depth, mut begun) = (Vec::new(), 0, false);
    let mut last: Option<&str> = None;
    for part in parts {
        match part {
            Part::Sign(b'<') => depth += 1,
            Part::Sign(b'>') => depth -= 1,
            Part::Word("where", _) if depth == 0 => break,
            Part::Sign(b':' | b',') if depth == 0 => {
                found.extend(last.take().filter(|_| begun));
                begun = true;
            }
            Part::Word(word, _) if depth == 0 => last = Some(word),
            _ => {}
        }
    }
    found.extend(last.filter(|_| begun));
    found.into_iter().map(Into::into).collect()
}

/// The parameters in parentheses, each with its plain type.
pub(super) fn parameters<'a>(tokens: &[Token<'a>]) -> Vec<(&'a str, Option<&'a str>)> {
    let (mut found, mut depth) = (Vec::new(), 0);
    let mut words: Vec<&str> = Vec::new();
    let mut is_default = false;
    for token in tokens.iter().chain([&Token::Sign(b',')]) {
        match token {
            Token::Sign(b'<' | b'(' | b'[' | b'{') => depth += 1,
            Token::Sign(b'>' | b')' | b']' | b'}') => depth -= 1,
            Token::Sign(b'=') if depth == 0 => is_default = true,
            Token::Sign(b',') if depth == 0 => {
                if let Some(name) = words.pop() {
                    found.push((name, words.pop()));
                }
                words.clear();
                is_default = false;
            }
            Token::Word(word) if depth == 0 && !is_default => words.push(word),
            _ => {}
        }
    }
    found
}

/// The type that stands before a name, when it is nothing but a name.
pub(super) fn plain_type<'a>(before: &[Part<'a>]) -> Option<&'a str> {
    let mut end = before.len();
    if let Some(Part::Sign(b'?')) = before.last() {
        end -= 1;
    }
    if let Some(Part::Sign(b'>')) = before.get(end.checked_sub(1)?) {
        let mut depth = 0;
        while end > 0 {
            end -= 1;
            match before[end] {
                Part::Sign(b'>') => depth += 1,
                Part::Sign(b'<') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    match before.get(end.checked_sub(1)?)? {
        Part::Word(word, _) if !MODIFIERS.contains(word) => Some(word),
        _ => None,
    }
}
