//! Colours for code: spans of a few classes, made from the tokens of the parse.
//!
//! What is parsed is the text as it is shown, with its placeholders, so that the
//! offsets are true for the page. A file in no known language has no colours.

use std::sync::{Arc, Mutex, PoisonError};

use gatewright_engine::languages::syntax::{LanguageId, Parsed, Token, TokenClass, detect};
use gatewright_model::Digest;

use super::mask::MaskedLines;

/// From, to (UTF-16 offsets in the line) and class.
pub type Spans = Vec<(u32, u32, u8)>;

/// The classes, by the number that crosses the wire; the page names its colours alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Comment = 0,
    String = 1,
    Keyword = 2,
    Number = 3,
    Call = 4,
    Type = 5,
}

/// A text larger than this is shown plain.
const MOST_BYTES: usize = 1_000_000;

/// Words that the grammars name rather than spell out.
const WORDS: [&str; 12] = [
    "true",
    "false",
    "null",
    "nil",
    "None",
    "True",
    "False",
    "self",
    "this",
    "super",
    "undefined",
    "nullptr",
];

/// How many versions of files keep their colours.
const MOST_KEPT: usize = 16;

/// Colours texts, and keeps those of the last ones: a file is looked at again and again.
#[derive(Debug, Default)]
pub struct Painter {
    kept: Mutex<Vec<Kept>>,
}

#[derive(Debug)]
struct Kept {
    language: LanguageId,
    digest: Digest,
    colours: Arc<Colours>,
}

impl Painter {
    /// The colours of the lines of a file of that name.
    pub fn paint(&self, path: &str, shown: &MaskedLines) -> Arc<Colours> {
        let text = shown.joined();
        if text.len() > MOST_BYTES {
            return Arc::default();
        }
        let Some(language) = detect(path, text.as_bytes()) else { return Arc::default() };
        let digest = Digest::of(text.as_bytes());
        if let Some(colours) = self.recall(language, digest) {
            return colours;
        }
        let colours = Arc::new(Colours::of(language, &text));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push(Kept { language, digest, colours: colours.clone() });
        colours
    }

    fn recall(&self, language: LanguageId, digest: Digest) -> Option<Arc<Colours>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |each: &Kept| each.language == language && each.digest == digest;
        let found = kept.iter().position(is_it)?;
        let found = kept.remove(found);
        let colours = found.colours.clone();
        // What was asked for last goes last.
        kept.push(found);
        Some(colours)
    }
}

/// The colours of one version of a file, line for line.
#[derive(Debug, Default)]
pub struct Colours {
    lines: Vec<Spans>,
}

impl Colours {
    fn of(language: LanguageId, text: &str) -> Self {
        match Parsed::new(language, text.as_bytes()) {
            Ok(parsed) => Self { lines: lines_of(text, parsed.tokens()) },
            Err(_) => Self::default(),
        }
    }

    /// The spans of the line with this index.
    pub fn get(&self, index: usize) -> Option<Spans> {
        self.lines.get(index).filter(|spans| !spans.is_empty()).cloned()
    }
}

fn lines_of(text: &str, tokens: &[Token]) -> Vec<Spans> {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let mut lines: Vec<Spans> = vec![Vec::new(); starts.len()];
    for (at, token) in tokens.iter().enumerate() {
        let Some(class) = class_of(text, token, tokens.get(at + 1)) else { continue };
        let (from, to) = (token.span.start, token.span.end.min(text.len()));
        let mut line = starts.partition_point(|start| *start <= from) - 1;
        while line < starts.len() && starts[line] < to {
            let end = starts.get(line + 1).map_or(text.len(), |next| next - 1);
            push(&mut lines[line], &text[starts[line]..end], starts[line], (from, to), class);
            line += 1;
        }
    }
    lines
}

/// Adds the part of a token that stands on one line; pieces of one string become one.
fn push(spans: &mut Spans, line: &str, start: usize, token: (usize, usize), class: Class) {
    let from = token.0.max(start) - start;
    let to = (token.1 - start).min(line.len());
    let (Some(before), Some(inside)) = (line.get(..from), line.get(from..to)) else { return };
    if inside.is_empty() {
        return;
    }
    let begin = units(before);
    let end = begin + units(inside);
    match spans.last_mut() {
        Some(last) if class == Class::String && last.2 == class as u8 => last.1 = end,
        _ => spans.push((begin, end, class as u8)),
    }
}

fn units(text: &str) -> u32 {
    let count = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn class_of(text: &str, token: &Token, next: Option<&Token>) -> Option<Class> {
    match token.class {
        TokenClass::Comment => return Some(Class::Comment),
        TokenClass::String => return Some(Class::String),
        TokenClass::Code => {}
    }
    let word = text.get(token.span.start..token.span.end)?;
    let first = word.chars().next()?;
    if first.is_ascii_digit() {
        return Some(Class::Number);
    }
    if !(first.is_alphabetic() || first == '_') {
        return None;
    }
    if token.is_literal || WORDS.contains(&word) {
        return Some(Class::Keyword);
    }
    let is_called = next.is_some_and(|next| {
        next.span.start == token.span.end && text.as_bytes().get(next.span.start) == Some(&b'(')
    });
    if is_called {
        return Some(Class::Call);
    }
    let is_type = first.is_uppercase() && word.chars().any(char::is_lowercase);
    is_type.then_some(Class::Type)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gatewright_engine::guards::egress::{Catalogue, RedactionContext, Redactor};

    fn coloured(path: &str, text: &str) -> Vec<String> {
        let redactor = Redactor::new(Catalogue::built_in(), RedactionContext::default());
        let masked = MaskedLines::new(&redactor, text.as_bytes());
        let painter = Painter::default();
        let colours = painter.paint(path, &masked);
        assert_eq!(painter.paint(path, &masked).lines, colours.lines, "kept as they were");
        let words = |index: usize| {
            let units: Vec<u16> = masked.get(index).encode_utf16().collect();
            let part = |&(from, to, class): &(u32, u32, u8)| {
                let text = String::from_utf16_lossy(&units[from as usize..to as usize]);
                format!("{class}:{text}")
            };
            colours.get(index).unwrap_or_default().iter().map(part).collect::<Vec<_>>()
        };
        (0..masked.len()).flat_map(words).collect()
    }

    #[test]
    fn the_parts_of_code_have_their_classes() {
        let text = "# why 😀\ndef total(items):\n    return Sum(items, \"a😀b\", 12, None)\n";
        let wanted =
            ["0:# why 😀", "2:def", "4:total", "2:return", "4:Sum", "1:\"a😀b\"", "3:12", "2:None"];
        assert_eq!(coloured("a.py", text), wanted);
    }

    #[test]
    fn the_colours_of_the_last_texts_are_kept_and_of_no_more() {
        let redactor = Redactor::new(Catalogue::built_in(), RedactionContext::default());
        let painter = Painter::default();
        let paint = |number: usize| {
            let masked = MaskedLines::new(&redactor, format!("x = {number}\n").as_bytes());
            painter.paint("a.py", &masked)
        };
        let first = paint(0);
        (1..MOST_KEPT).for_each(|number| drop(paint(number)));
        assert!(Arc::ptr_eq(&first, &paint(0)), "it is still there");
        drop(paint(MOST_KEPT));
        assert!(Arc::ptr_eq(&first, &paint(0)), "what was asked for last stays longest");
        (1..=MOST_KEPT).for_each(|number| drop(paint(number)));
        assert!(!Arc::ptr_eq(&first, &paint(0)));
        assert_eq!(painter.kept.lock().unwrap().len(), MOST_KEPT);
    }

    #[test]
    fn a_comment_over_lines_is_coloured_on_each() {
        let text = "/* one\n   two */ let x: Vec<u8> = vec![];\n";
        let found = coloured("a.rs", text);
        assert_eq!(found[..3], ["0:/* one", "0:   two */", "2:let"], "{found:?}");
    }

    #[test]
    fn an_unknown_language_and_a_broken_text_do_no_harm() {
        assert!(coloured("notes.txt", "def x 1\n").is_empty());
        let _ = coloured("a.rs", "fn \u{0}((( \"\n\n\u{202e}}}}");
    }

    #[test]
    fn offsets_fit_what_is_shown_and_not_what_is_hidden() {
        let token = "ghp_".to_owned() + "x8Kq2LmN4pR6sT9vW1yZ3bC5dF7gH03g21Ze";
        let found = coloured("a.py", &format!("call(\"{token}\", 7)\n"));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[1].contains("[REDACTED:") && found[2] == "3:7", "{found:?}");
    }
}
