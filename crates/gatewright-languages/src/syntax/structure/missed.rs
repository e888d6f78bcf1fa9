//! What a function bound to a name of its own, and still uses after it is gone.
//!
//! A body may be written anew without a function that it had bound to a name. Where the name is
//! still called or handed on and nothing gives it a meaning any more, it was not meant to go.

use gatewright_model::Span;

use super::aftermath::twin;
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;
use crate::syntax::tokens::TokenClass;

/// Whether the function around `symbol` uses its name before anything else gives it a meaning.
pub(super) fn is_missed(before: &Parsed, after: &Parsed, symbol: &Symbol) -> bool {
    let Some(around) = symbol.parent.map(|parent| &before.outline()[parent]) else { return false };
    twin(after, around).is_some_and(|now| is_first(after, now, &symbol.name, is_use))
}

/// Whether a function uses a name before anything else in it gives the name a meaning, through a
/// member (`.call(x)`) as well, which is how some languages call what a name is bound to.
pub(super) fn is_used_first(after: &Parsed, now: &Symbol, name: &str) -> bool {
    is_first(after, now, name, |parsed, name| {
        is_use(parsed, name) || is_called_by_member(parsed, name)
    })
}

/// Whether a function says a name in such a way before it says it in any other.
fn is_first(
    after: &Parsed,
    now: &Symbol,
    name: &str,
    is_use: impl Fn(&Parsed, Span) -> bool,
) -> bool {
    let is_name = |span: Span| after.bytes(span) == name.as_bytes();
    let mut names = after
        .tokens_in(now.code)
        .iter()
        .filter(|token| token.class == TokenClass::Code && is_name(token.span));
    names.next().is_some_and(|first| {
        now.body.is_some_and(|body| body.contains(first.span)) && is_use(after, first.span)
    })
}

/// Whether a name is called where it stands, or is all of an argument.
fn is_use(parsed: &Parsed, name: Span) -> bool {
    let source = parsed.source();
    let before = source[..name.start].trim_ascii_end();
    let behind = source[name.end..].trim_ascii_start();
    let is_member = before.ends_with(b".") || before.ends_with(b"->") || before.ends_with(b"::");
    let starts_list = before.ends_with(b"(") || before.ends_with(b",");
    let is_argument = starts_list
        && behind.strip_prefix(b")").is_some_and(|rest| {
            let rest = rest.trim_ascii_start();
            !rest.starts_with(b"=") && !rest.starts_with(b"{") && !rest.starts_with(b"->")
        });
    // A function of that name has a body or a type behind its parameters.
    let is_called = behind.starts_with(b"(") && !is_defined(behind);
    !is_member && (is_called || is_argument)
}

/// Whether a member with arguments comes behind a name: `.call(x)`.
fn is_called_by_member(parsed: &Parsed, name: Span) -> bool {
    let source = parsed.source();
    let before = source[..name.start].trim_ascii_end();
    let behind = source[name.end..].trim_ascii_start();
    let Some(member) = behind.strip_prefix(b".").filter(|_| !before.ends_with(b".")) else {
        return false;
    };
    let end = member.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    end.is_some_and(|end| member[end..].starts_with(b"("))
}

/// Whether a body comes behind the brackets that a text starts with.
fn is_defined(text: &[u8]) -> bool {
    let mut depth = 0usize;
    let end = text.iter().position(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    let rest = end.map_or(&b""[..], |end| text[end + 1..].trim_ascii_start());
    [&b"{"[..], b"=>", b"->"].iter().any(|mark| rest.starts_with(mark))
}
