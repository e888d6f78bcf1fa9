//! Printing: one value, for people or as JSON; untrusted text made harmless first.

use std::io::Write;

use serde_json::{Value, json};

use crate::environment::Environment;
use crate::exit::Failure;

/// Where a command prints.
pub struct Output {
    json: bool,
    colour: bool,
}

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
        Self { json, colour: environment.wants_colour() && !json }
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
    fn escape_sequences_do_not_reach_the_terminal() {
        assert_eq!(harmless("a\u{1b}[2Jb\u{202e}c\n"), "a\\u{1b}[2Jb\\u{202e}c\n");
    }
}
