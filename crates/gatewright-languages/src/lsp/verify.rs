//! Whether a rename that a server proposes is one: set against the base, word by word.
//!
//! Servers send one edit for each use, one merged edit, or whole files, so the
//! shape says nothing. What counts is the text that results: it must be the
//! base with the old name replaced by the new one at some places, and with
//! nothing else changed, not even white space. The one exception is a short
//! form that must be spelt out (`{ name }` to `{ name: other }`).

use crate::syntax::{LanguageId, Parsed, TokenClass, new_errors};
use gatewright_model::Span;

use super::project::{is_word, occurrences};

/// Why a proposed text is no rename of its base.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotARename {
    /// Something else changes.
    #[error("line {line} would change in something else than the name ({was:?} to {becomes:?})")]
    OtherChange {
        /// The line number in the base.
        line: usize,
        /// What stands there.
        was: String,
        /// What would stand there.
        becomes: String,
    },
    /// The result would not parse as well as the base.
    #[error("the result would have new syntax errors: {}", errors.join(", "))]
    NewErrors {
        /// What they are.
        errors: Vec<String>,
    },
    /// One of the texts cannot be parsed at all.
    #[error("the text cannot be parsed: {0}")]
    NoParse(String),
}

/// A place at which the name changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its byte offset in the base.
    pub offset: usize,
    /// What it is part of.
    pub class: TokenClass,
}

/// The places at which `after` is `before` with `old` renamed to `new`.
pub fn renamed_places(
    language: LanguageId,
    before: &str,
    after: &str,
    names: (&str, &str),
) -> Result<Vec<Place>, NotARename> {
    let offsets = changed_offsets(before, after, names.0, names.1)?;
    let parse = |text: &str| {
        Parsed::new(language, text.as_bytes())
            .map_err(|error| NotARename::NoParse(error.to_string()))
    };
    let (base, result) = (parse(before)?, parse(after)?);
    let errors = new_errors(&base.error_signature(), &result.error_signature());
    if !errors.is_empty() {
        let errors = errors.into_iter().map(|(error, _)| error).collect();
        return Err(NotARename::NewErrors { errors });
    }
    Ok(offsets.into_iter().map(|offset| Place { offset, class: class_at(&base, offset) }).collect())
}

/// What the word at an offset is part of.
pub fn class_at(parsed: &Parsed, offset: usize) -> TokenClass {
    let tokens = parsed.tokens_in(Span::new(offset, offset + 1));
    tokens.first().map_or(TokenClass::Code, |token| token.class)
}

/// The places of a word in a text that is parsed, with what each is part of.
pub fn places_of(parsed: &Parsed, text: &str, word: &str) -> Vec<Place> {
    let place = |offset| Place { offset, class: class_at(parsed, offset) };
    occurrences(text, word).map(place).collect()
}

fn changed_offsets(
    before: &str,
    after: &str,
    old: &str,
    new: &str,
) -> Result<Vec<usize>, NotARename> {
    let (base, result) = (pieces(before), pieces(after));
    let (mut i, mut j) = (0, 0);
    let mut changed = Vec::new();
    while i < base.len() || j < result.len() {
        let (was, becomes) = (text_at(&base, i), text_at(&result, j));
        let spelt_out =
            (was == old).then(|| spelt_out(&base[i..], &result[j..], old, new)).flatten();
        if let Some(length) = spelt_out {
            changed.push(base[i].0);
            j += length;
        } else if was == old && becomes == new {
            changed.push(base[i].0);
            j += 1;
        } else if was == becomes && !was.is_empty() {
            j += 1;
        } else {
            let offset = base.get(i).map_or(before.len(), |piece| piece.0);
            let line = before[..offset].matches('\n').count() + 1;
            let (was, becomes) = (was.to_owned(), becomes.to_owned());
            return Err(NotARename::OtherChange { line, was, becomes });
        }
        i += 1;
    }
    Ok(changed)
}

/// How many pieces of the result spell a short form out; `None` when it is none.
fn spelt_out(
    base: &[(usize, &str)],
    result: &[(usize, &str)],
    old: &str,
    new: &str,
) -> Option<usize> {
    let forms: [&[&str]; 4] = [
        &[old, ":", " ", new],
        &[new, ":", " ", old],
        &[new, " ", "as", " ", old],
        &[old, " ", "as", " ", new],
    ];
    forms.into_iter().find_map(|form| {
        let is_there = form.iter().enumerate().all(|(at, text)| text_at(result, at) == *text);
        // Where the base has the sign already, nothing was spelt out.
        let sign = form.iter().position(|text| matches!(*text, ":" | "as"))?;
        (is_there && text_at(base, sign) != form[sign]).then_some(form.len())
    })
}

fn text_at<'a>(pieces: &[(usize, &'a str)], at: usize) -> &'a str {
    pieces.get(at).map_or("", |piece| piece.1)
}

/// A text as words and single other characters, with their offsets.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let mut word_start = None;
    for (offset, character) in text.char_indices() {
        if is_word(character) {
            word_start.get_or_insert(offset);
            continue;
        }
        if let Some(start) = word_start.take() {
            pieces.push((start, &text[start..offset]));
        }
        pieces.push((offset, &text[offset..offset + character.len_utf8()]));
    }
    if let Some(start) = word_start {
        pieces.push((start, &text[start..]));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: LanguageId, before: &str, after: &str) -> Result<usize, NotARename> {
        renamed_places(language, before, after, ("total", "sum")).map(|places| places.len())
    }

    #[test]
    fn whole_words_may_change_and_words_that_hold_them_may_not() {
        let before = "total = 1\nsubtotal = total\n";
        assert_eq!(check(LanguageId::Python, before, "sum = 1\nsubtotal = sum\n"), Ok(2));
        assert_eq!(check(LanguageId::Python, before, "sum = 1\nsubtotal = total\n"), Ok(1));
        let wrong = check(LanguageId::Python, before, "sum = 1\nsubsum = sum\n");
        assert!(matches!(wrong, Err(NotARename::OtherChange { line: 2, .. })), "{wrong:?}");
    }

    #[test]
    fn a_letter_put_beside_the_name_is_seen() {
        for after in ["sumtotal = 1\n", "totalsum = 1\n", "sum= 1\n", "sum = 1", "sum = 1\n\n", ""]
        {
            assert!(check(LanguageId::Python, "total = 1\n", after).is_err(), "{after:?}");
        }
    }

    #[test]
    fn short_forms_may_be_spelt_out() {
        let cases = [
            (LanguageId::JavaScript, "f({ total });\n", "f({ total: sum });\n"),
            (LanguageId::JavaScript, "const { total } = x;\n", "const { sum: total } = x;\n"),
            (LanguageId::JavaScript, "export { total };\n", "export { sum as total };\n"),
            (LanguageId::Rust, "fn f() { S { total } }\n", "fn f() { S { sum: total } }\n"),
            (LanguageId::Rust, "fn f() { S { total: total } }\n", "fn f() { S { sum: total } }\n"),
        ];
        for (language, before, after) in cases {
            assert_eq!(check(language, before, after), Ok(1), "{after}");
        }
    }

    #[test]
    fn a_result_that_does_not_parse_is_refused() {
        let before = "fn total() {}\n";
        let after = renamed_places(LanguageId::Rust, before, "fn 1x() {}\n", ("total", "1x"));
        assert!(matches!(after, Err(NotARename::NewErrors { .. })), "{after:?}");
    }

    #[test]
    fn comments_and_strings_are_told_apart() {
        let places = renamed_places(
            LanguageId::Python,
            "# total\ntotal = 'total'\n",
            "# sum\nsum = 'sum'\n",
            ("total", "sum"),
        )
        .expect("a rename");
        let classes: Vec<TokenClass> = places.iter().map(|place| place.class).collect();
        assert_eq!(classes, [TokenClass::Comment, TokenClass::Code, TokenClass::String]);
    }
}
