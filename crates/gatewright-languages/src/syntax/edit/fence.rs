//! Text that comes in a Markdown fence, as a model writes code in an answer.
//!
//! The fence is no code in any language, but some read it as strings, and would
//! let it into the file. It is left out, and the caller is told so.

use super::SymbolAction;

/// What a fence is made of, at least.
const MARKS: [&str; 2] = ["```", "~~~"];

/// The action with its text out of its fence; `None` where there is none.
pub(super) fn without(action: &SymbolAction) -> Option<SymbolAction> {
    let out = |body: &str| inside(body).map(str::to_owned);
    Some(match action {
        SymbolAction::Replace { body } => SymbolAction::Replace { body: out(body)? },
        SymbolAction::ReplaceWhole { body } => SymbolAction::ReplaceWhole { body: out(body)? },
        SymbolAction::Insert { position, body } => {
            SymbolAction::Insert { position: *position, body: out(body)? }
        }
        SymbolAction::Remove | SymbolAction::PutBack => return None,
    })
}

/// The lines between a first line that opens a fence, with or without the name of a language, and
/// a last one that closes it.
fn inside(body: &str) -> Option<&str> {
    let text = body.trim();
    let mark = MARKS.into_iter().find(|mark| text.starts_with(mark))?;
    let sign = mark.chars().next()?;
    let (opening, rest) = text.split_once('\n')?;
    let fence = &opening[..opening.len() - opening.trim_start_matches(sign).len()];
    let inner = rest.strip_suffix(fence)?;
    let says = opening[fence.len()..].trim();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '+' | '#' | '-' | '_' | '.');
    let is_alone = inner.is_empty() || inner.trim_end_matches([' ', '\t']).ends_with('\n');
    let is_one = !inner.lines().any(|line| line.trim_start().starts_with(fence));
    (says.chars().all(is_name) && is_alone && is_one).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::inside;

    #[test]
    fn a_fence_is_around_all_of_the_text() {
        for (text, inner) in [
            ("```rust\nfn a() {}\n```", "fn a() {}\n"),
            ("\n```\n  x\n```\n\n", "  x\n"),
            ("~~~~c++\nint a;\n~~~~", "int a;\n"),
            ("```go\r\nx\r\n```\r\n", "x\r\n"),
        ] {
            assert_eq!(inside(text), Some(inner), "{text:?}");
        }
        for text in [
            "fn a() {}",
            "```rust\nfn a() {}\n```\nmore",
            "```\na\n```\n```\nb\n```",
            "```html` + x\ny\n```",
            "```a```",
            "```a\nb```",
        ] {
            assert_eq!(inside(text), None, "{text:?}");
        }
    }
}
