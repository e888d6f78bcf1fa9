//! Printing: one value, for people or as JSON; untrusted text made harmless first.

use std::io::Write;

use serde_json::{Value, json};

use crate::environment::Environment;
use crate::exit::Failure;

/// Where a command prints.
pub struct Output {
    json: bool,
    colour: bool,
    wraps: bool,
}

/// How wide prose is on a terminal; a wider one is read no better.
const WIDTH: usize = 80;

/// The colours that are used; each has a meaning and never stands alone.
#[derive(Debug, Clone, Copy)]
pub enum Colour {
    /// Added, passed.
    Green,
    /// Removed, refused.
    Red,
    /// Warned, asked.
    Yellow,
    /// Headings.
    Bold,
    /// Less important.
    Dim,
    /// Hunk headers.
    Cyan,
}

impl Output {
    /// Output by the wishes of the user.
    pub fn new(environment: &Environment, json: bool) -> Self {
        let colour = environment.wants_colour() && !json;
        Self { json, colour, wraps: environment.stdout_is_terminal }
    }

    /// Whether JSON is wanted.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Prints a value: `json` for programs, `human` for people.
    pub fn emit(&mut self, json: &Value, human: &str) {
        if self.json {
            self.line(&json.to_string());
        } else if !human.is_empty() {
            self.line(human.trim_end_matches('\n'));
        }
    }

    /// Prints one line as it is. A reader that went away is no error.
    pub fn line(&mut self, text: &str) {
        let mut stdout = std::io::stdout().lock();
        let _ = writeln!(stdout, "{text}");
        let _ = stdout.flush();
    }

    /// Prints without a line end, for prompts.
    pub fn prompt(&mut self, text: &str) {
        let mut stdout = std::io::stdout().lock();
        let _ = write!(stdout, "{text}");
        let _ = stdout.flush();
    }

    /// Prints a remark for people, beside the output.
    pub fn note(&mut self, text: &str) {
        if !self.json {
            let _ = writeln!(std::io::stderr().lock(), "gatewright: {text}");
        }
    }

    /// Prints a failure: to standard error for people, as an object for programs.
    pub fn failure(&mut self, failure: &Failure) {
        if self.json {
            let error = json!({
                "error": { "code": failure.code, "message": failure.message, "hint": failure.hint }
            });
            self.line(&error.to_string());
        }
        let mut stderr = std::io::stderr().lock();
        let _ = writeln!(stderr, "gatewright: {}", harmless(&failure.message));
        if let Some(hint) = &failure.hint {
            let _ = writeln!(stderr, "  next: {}", harmless(hint));
        }
    }

    /// Text below an indentation, each line of it at the left margin that this makes.
    ///
    /// On a terminal prose is wrapped between words. Elsewhere a line stays one, for searching.
    pub fn indented(&self, text: &str, indent: usize) -> String {
        let margin = " ".repeat(indent);
        let width = if self.wraps { WIDTH.saturating_sub(indent) } else { usize::MAX };
        let lines = harmless(text);
        lines.lines().flat_map(|line| wrap(line, width)).map(|l| format!("{margin}{l}\n")).collect()
    }

    /// Text in a colour, where colours are wanted.
    pub fn paint(&self, colour: Colour, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let code = match colour {
            Colour::Green => 32,
            Colour::Red => 31,
            Colour::Yellow => 33,
            Colour::Bold => 1,
            Colour::Dim => 2,
            Colour::Cyan => 36,
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// A line in pieces of at most so many characters. What can be copied into a shell or a call,
/// and what is indented itself, stays whole.
fn wrap(line: &str, width: usize) -> Vec<String> {
    let is_whole =
        line.starts_with(' ') || line.contains("gatewright ") || line.contains("edit_code(");
    if is_whole || line.chars().count() <= width {
        return vec![line.to_owned()];
    }
    let mut pieces = vec![String::new()];
    for word in line.split(' ') {
        match pieces.last_mut() {
            Some(last) if last.is_empty() => last.push_str(word),
            Some(last) if last.chars().count() + 1 + word.chars().count() <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => pieces.push(word.to_owned()),
        }
    }
    pieces
}

/// Text with every control and direction character made visible; line feeds and tabs stay.
pub fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let is_plain = c == '\n' || c == '\t' || !(c.is_control() || is_deceptive(c));
        if is_plain {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
    out
}

fn is_deceptive(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_between_words_and_calls_are_not() {
        assert_eq!(wrap("one two three four", 9), ["one two", "three", "four"]);
        assert_eq!(wrap("averylongword a b", 5), ["averylongword", "a b"]);
        assert_eq!(wrap("gatewright review 0123", 9), ["gatewright review 0123"]);
        assert_eq!(wrap("  indented code", 9), ["  indented code"]);
        assert_eq!(wrap("", 9), [""]);
    }

    #[test]
    fn escape_sequences_do_not_reach_the_terminal() {
        assert_eq!(harmless("a\u{1b}[2Jb\u{202e}c\n"), "a\\u{1b}[2Jb\\u{202e}c\n");
    }
}
