//! Lists of values behind one name: `tokens = ["…", "…"]`, and items below `tokens:`.
//!
//! Only what stands on one line, or as an item on each of the next lines, is a part of the
//! list; each part is judged for itself.

use std::ops::Range;

use super::text::{line_end, run_end, skip_blanks};
use super::value_span::{Style, Value, quoted};

/// How many values of a list are looked at.
pub const MOST_ITEMS: usize = 16;

/// The values of the list behind the name at `name`; none when no list follows.
pub fn listed_values(text: &[u8], name: &Range<usize>) -> Vec<Value> {
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    let sign = skip_blanks(text, name.end + usize::from(text.get(name.end).is_some_and(is_quote)));
    let end = run_end(text, sign, |byte| matches!(byte, b'=' | b':' | b'>'));
    if !matches!(&text[sign..end], b"=" | b":" | b":=" | b"=>") {
        return Vec::new();
    }
    let at = skip_blanks(text, end);
    match text.get(at) {
        Some(b'[' | b'(') => between_brackets(text, at + 1),
        Some(b'\n' | b'\r') if text[sign] == b':' => items_below(text, line_end(text, at)),
        _ => Vec::new(),
    }
}

/// The strings from `at` on that commas part.
fn between_brackets(text: &[u8], mut at: usize) -> Vec<Value> {
    let mut values = Vec::new();
    while values.len() < MOST_ITEMS {
        at = skip_blanks(text, at);
        let Some(value) = quoted(text, at).filter(|value| !value.range.is_empty()) else { break };
        at = skip_blanks(text, value.range.end + 1);
        values.push(value);
        if text.get(at) != Some(&b',') {
            break;
        }
        at += 1;
    }
    values
}

/// The values of the items that begin in the line at `line`.
fn items_below(text: &[u8], mut line: usize) -> Vec<Value> {
    let mut values = Vec::new();
    while let Some(start) = item_start(text, line).filter(|_| values.len() < MOST_ITEMS) {
        let end = run_end(text, start, |byte| !byte.is_ascii_whitespace());
        let bare = (end > start).then_some(Value { range: start..end, style: Style::Colon });
        values.extend(quoted(text, start).or(bare));
        line = line_end(text, line);
    }
    values
}

/// Where the item begins that stands in the line at `line`: `  - value`.
pub fn item_start(text: &[u8], line: usize) -> Option<usize> {
    let dash = skip_blanks(text, line);
    text.get(dash..)?.starts_with(b"- ").then(|| skip_blanks(text, dash + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<&str> {
        let end = text.find([' ', ':', '"']).unwrap();
        let values = listed_values(text.as_bytes(), &(0..end));
        values.into_iter().map(|value| &text[value.range]).collect()
    }

    #[test]
    fn lists_stand_on_one_line_or_below_their_name() {
        for text in [
            "tokens = ['ab', \"cd\"]",
            "tokens: [\"ab\", 'cd', 12, 'ef']",
            "tokens:\n  - ab\n  - 'cd'\nother: x\n",
            "tokens: \n- \"ab\"\n- cd\n",
        ] {
            assert_eq!(values(text), ["ab", "cd"], "{text}");
        }
    }

    #[test]
    fn what_is_no_list_has_no_values() {
        for text in ["tokens = 'ab'", "tokens:\n  ab: cd\n", "tokens == ['ab']", "tokens: [ab]"] {
            assert_eq!(values(text), [""; 0], "{text}");
        }
    }
}
