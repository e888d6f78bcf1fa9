//! Definitions that the grammar sees as loose tokens: those inside the call of a macro.
//!
//! They are no symbols, so their keyword, name and braces are all that is known of them.

use gatewright_model::Span;

use crate::syntax::parsed::Parsed;
use crate::syntax::tokens::{Token, TokenClass};

/// A definition among loose tokens.
#[derive(Debug)]
pub(super) struct Loose {
    pub(super) keyword: &'static str,
    pub(super) name: String,
    /// From the keyword to its body, or to the end of the name where it has none.
    pub(super) head: Span,
    /// The head with the body.
    pub(super) whole: Span,
}

/// Those of a text, in order.
pub(super) fn definitions(parsed: &Parsed) -> Vec<Loose> {
    let tokens = parsed.tokens();
    let pairs = tokens.windows(2).enumerate();
    pairs.filter_map(|(index, pair)| definition(parsed, &tokens[index..], pair)).collect()
}

fn definition(parsed: &Parsed, rest: &[Token], pair: &[Token]) -> Option<Loose> {
    let [word, name] = pair else { return None };
    if !word.in_opaque || word.class != TokenClass::Code {
        return None;
    }
    let text = parsed.bytes(word.span);
    let keywords = parsed.language().language().keywords;
    let keyword = *keywords.iter().find(|keyword| keyword.as_bytes() == text)?;
    let takes_generics = keyword == "impl" && parsed.bytes(name.span).starts_with(b"<");
    let is_named = !name.is_literal && starts_a_name(parsed.bytes(name.span));
    if !is_named && !takes_generics {
        return None;
    }
    let (head_end, end) = body(parsed, rest).unwrap_or((name.span.end, name.span.end));
    let name_span =
        if keyword == "impl" { Span::new(name.span.start, head_end) } else { name.span };
    Some(Loose {
        keyword,
        name: parsed.text(name_span).trim_end().to_owned(),
        head: Span::new(word.span.start, head_end),
        whole: Span::new(word.span.start, end),
    })
}

fn starts_a_name(text: &[u8]) -> bool {
    text.first().is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$'))
}

/// Where the body of the definition that starts here starts and ends.
fn body(parsed: &Parsed, tokens: &[Token]) -> Option<(usize, usize)> {
    let mut depth = 0usize;
    let mut start = None;
    for token in tokens.iter().take_while(|token| token.in_opaque) {
        match parsed.bytes(token.span) {
            b"{" => {
                start.get_or_insert(token.span.start);
                depth += 1;
            }
            b"}" if depth <= 1 => return start.map(|start| (start, token.span.end)),
            b"}" => depth -= 1,
            b";" if depth == 0 => return None,
            _ => {}
        }
    }
    None
}
