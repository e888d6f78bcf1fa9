//! Takes away marks that set a part of a token in another style: tags, stars, and colours of a
//! terminal that a program wrote out.
//!
//! Only marks of words count. Cells and items of a list stand beside others that have
//! nothing to do with them, so their tags end a token.

use std::ops::Range;

use super::View;
use crate::egress::detect::text::is_base64_byte;

/// The elements that stand inside of words.
const INLINE: [&[u8]; 15] = [
    b"b", b"i", b"u", b"s", b"em", b"strong", b"span", b"wbr", b"br", b"code", b"mark", b"font",
    b"tt", b"small", b"kbd",
];
/// The longest tag.
const LONGEST: usize = 64;
/// How many tags may stand beside each other.
const MOST: usize = 4;

/// The text without the marks inside its tokens. `None` when there are none.
pub fn unmarked(source: &View) -> Option<View> {
    let text = source.bytes();
    let mut marks: Vec<Range<usize>> = Vec::new();
    for at in memchr::memchr3_iter(b'<', b'*', b'^', text) {
        if marks.last().is_none_or(|last| last.end <= at)
            && let Some(end) = mark_end(text, at)
        {
            marks.push(at..end);
        }
    }
    source.without(&marks)
}

/// True when a mark stands between two parts of a token.
pub fn has_marks(text: &[u8]) -> bool {
    memchr::memchr3_iter(b'<', b'*', b'^', text).any(|at| mark_end(text, at).is_some())
}

/// The end of the marks at `at` when a token goes on behind them.
fn mark_end(text: &[u8], at: usize) -> Option<usize> {
    let is_token =
        |byte: Option<&u8>| byte.is_some_and(|byte| is_base64_byte(*byte) || b".:".contains(byte));
    if !is_token(text[..at].last()) {
        return None;
    }
    let mut end = at;
    for _ in 0..MOST {
        end = match text.get(end)? {
            b'<' => comment_end(text, end).or_else(|| tag_end(text, end))?,
            b'*' if text.get(end + 1) == Some(&b'*') => end + 2,
            b'^' => colour_end(text, end)?,
            _ => break,
        };
    }
    (end > at && is_token(text.get(end))).then_some(end)
}

/// The end of `^[[31m`, as `cat -v` shows a colour.
fn colour_end(text: &[u8], at: usize) -> Option<usize> {
    let inner = text.get(at..).filter(|text| text.starts_with(b"^[["))?;
    let digits = inner[3..].iter().take(16).take_while(|byte| matches!(byte, b'0'..=b'9' | b';'));
    let end = at + 3 + digits.count();
    matches!(text.get(end), Some(b'm' | b'K')).then_some(end + 1)
}

/// The end of the comment at `at`, which shows nothing.
fn comment_end(text: &[u8], at: usize) -> Option<usize> {
    let near = &text[at..(at + LONGEST).min(text.len())];
    let inner = near.strip_prefix(b"<!--")?;
    let length = memchr::memmem::find(inner, b"-->")?;
    Some(at + b"<!--".len() + length + b"-->".len())
}

/// The end of the tag at `at` of an element that stands inside of words.
fn tag_end(text: &[u8], at: usize) -> Option<usize> {
    let near = &text[at + 1..(at + LONGEST).min(text.len())];
    let close = memchr::memchr3(b'>', b'\n', b'<', near).filter(|close| near[*close] == b'>')?;
    let tag = near[..close].strip_prefix(b"/").unwrap_or(&near[..close]);
    let name = tag.split(|byte| matches!(byte, b' ' | b'/')).next().unwrap_or_default();
    INLINE.iter().any(|inline| name.eq_ignore_ascii_case(inline)).then_some(at + 1 + close + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_words_are_taken_away_and_those_of_cells_are_not() {
        for (text, expected) in [
            ("ab<b>cd</b>ef", Some("abcdef")),
            ("ab</span><span class=\"x\">cd", Some("abcd")),
            ("**ab**cd", Some("**abcd")),
            ("ab<!-- c -->cd", Some("abcd")),
            ("ab^[[01;31m^[[Kcd^[[m^[[Kef", Some("abcdef")),
            ("ab^[cd", None),
            ("<td>ab</td><td>cd</td>", None),
            ("a < b > c ** d", None),
        ] {
            let view = unmarked(&View::of(text.as_bytes()));
            let shown = view.map(|view| String::from_utf8_lossy(view.bytes()).into_owned());
            assert_eq!(shown.as_deref(), expected, "{text}");
        }
    }
}
