//! What a Kotlin file declares, as far as words tell: package, names at the top,
//! extensions, and the words that it uses.
//!
//! Packages are not bound to folders, so every file of a workspace is read once
//! in this way; only the few that matter to a check are parsed.

use std::collections::HashSet;

use super::facts::Name;
use crate::references::record::{Keep, Reader, Writer};
use crate::references::words;

/// How many strings inside of strings are followed.
const NESTED: usize = 8;

/// What a name at the top of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    Class,
    Alias,
    Value,
}

/// The outline of a file.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) package: Name,
    pub(super) top: Vec<(Name, Declared)>,
    pub(super) extensions: HashSet<Name>,
    pub(super) words: HashSet<u32>,
    /// The paths that are imported.
    pub(super) imports: Vec<Name>,
}

impl Keep for Outline {
    const TAG: u8 = 2;

    fn write(&self, to: &mut Writer) {
        to.text(&self.package);
        to.list(self.top.iter(), |to, (name, declared)| {
            to.text(name);
            to.number(*declared as u64);
        });
        to.texts(self.extensions.iter());
        to.list(self.words.iter(), |to, word| to.number(u64::from(*word)));
        to.texts(self.imports.iter());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let package = from.name()?;
        let top = from.list(|from| Some((from.name()?, Declared::of(from.number()?)?)))?;
        let extensions = from.set()?;
        let words = from.list(|from| u32::try_from(from.number()?).ok())?;
        Some(Self { package, top, extensions, words, imports: from.names()? })
    }
}

impl Declared {
    fn of(number: u64) -> Option<Self> {
        let all = [Declared::Class, Declared::Alias, Declared::Value];
        all.into_iter().find(|declared| *declared as u64 == number)
    }
}

/// A word as the outline keeps it.
pub(super) fn hash(word: &str) -> u32 {
    words::hash(word.as_bytes())
}

/// The outline of a text.
pub(super) fn outline(text: &[u8]) -> Outline {
    let tokens = tokens(text);
    let mut outline = Outline::default();
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark(b'{' | b'(' | b'[') => depth += 1,
            Token::Mark(b'}' | b')' | b']') => depth = depth.saturating_sub(1),
            Token::Mark(_) => {}
            Token::Word(word) => {
                outline.words.insert(hash(word));
                let is_reference = at > 0 && matches!(tokens[at - 1], Token::Mark(b':' | b'.'));
                match *word {
                    "package" if depth == 0 && outline.package.is_empty() => {
                        outline.package = dotted(&tokens[at + 1..]);
                    }
                    "import" if depth == 0 => note_import(&mut outline, &tokens[at + 1..]),
                    "class" | "interface" | "object" | "typealias" if !is_reference => {
                        class(&mut outline, &tokens[at + 1..], word, depth);
                    }
                    // A functional interface is found by its second word.
                    "fun" if matches!(tokens.get(at + 1), Some(Token::Word("interface"))) => {}
                    "fun" | "val" | "var" if !is_reference => {
                        value(&mut outline, &tokens[at + 1..], depth);
                    }
                    _ => {}
                }
            }
        }
    }
    outline
}

/// The packages that an import may name are words as well.
fn note_import(outline: &mut Outline, rest: &[Token<'_>]) {
    let whole = dotted(rest);
    let mut path = &*whole;
    for _ in 0..3 {
        outline.words.insert(hash(path));
        path = path.rsplit_once('.').map_or("", |(package, _)| package);
    }
    outline.imports.push(whole);
}

fn dotted(tokens: &[Token<'_>]) -> Name {
    let mut name = String::new();
    for pair in tokens.chunks(2) {
        let [Token::Word(word), rest @ ..] = pair else { break };
        name.push_str(word);
        if !matches!(rest, [Token::Mark(b'.')]) {
            break;
        }
        name.push('.');
    }
    name.into()
}

fn class(outline: &mut Outline, rest: &[Token<'_>], word: &str, depth: usize) {
    if depth > 0 {
        return;
    }
    if let Some(Token::Word(name)) = rest.first() {
        let kind = if word == "typealias" { Declared::Alias } else { Declared::Class };
        outline.top.push(((*name).into(), kind));
    }
}

/// A function or a property: `<T> Receiver<X>.name`.
fn value(outline: &mut Outline, rest: &[Token<'_>], depth: usize) {
    if matches!(rest.first(), Some(Token::Word("interface"))) {
        return;
    }
    let mut name = None;
    let mut has_receiver = false;
    let mut angle = 0usize;
    let mut round = 0usize;
    let mut was_word = false;
    for (at, token) in rest.iter().enumerate().take(120) {
        match token {
            Token::Mark(b'<') => angle += 1,
            Token::Mark(b'>') => angle = angle.saturating_sub(1),
            _ if angle > 0 => {}
            Token::Mark(b'(') if at == 0 || round > 0 || (!was_word && name.is_none()) => {
                round += 1;
            }
            Token::Mark(b')') if round > 0 => {
                round -= 1;
                name = Some("");
            }
            _ if round > 0 => {}
            Token::Mark(b'.') => has_receiver = true,
            Token::Mark(b'?' | b'@') => {}
            Token::Word(_) if was_word => break,
            Token::Word(word) => {
                name = Some(*word);
                was_word = true;
                continue;
            }
            Token::Mark(_) => break,
        }
        was_word = false;
    }
    let Some(name) = name.filter(|name| !name.is_empty()) else { return };
    if has_receiver {
        outline.extensions.insert(name.into());
    }
    if depth == 0 {
        outline.top.push((name.into(), Declared::Value));
    }
}

#[derive(Debug, Clone, Copy)]
enum Token<'a> {
    Word(&'a str),
    Mark(u8),
}

/// The words and marks of a text, without comments; words inside of strings are left out.
fn tokens(text: &[u8]) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'/' if text.get(at + 1) == Some(&b'/') => at = line_end(text, at),
            b'/' if text.get(at + 1) == Some(&b'*') => at = comment_end(text, at),
            b'"' => at = string_end(text, at, NESTED),
            b'\'' => at = char_end(text, at),
            b'`' => {
                let end =
                    memchr::memchr(b'`', &text[at + 1..]).map_or(text.len(), |it| at + 1 + it);
                found
                    .push(Token::Word(std::str::from_utf8(&text[at + 1..end]).unwrap_or_default()));
                at = end + 1;
            }
            _ if is_word(byte) => {
                let end = text[at..].iter().position(|byte| !is_word(*byte));
                let end = end.map_or(text.len(), |length| at + length);
                found.push(Token::Word(std::str::from_utf8(&text[at..end]).unwrap_or_default()));
                at = end;
            }
            _ => {
                if !byte.is_ascii_whitespace() {
                    found.push(Token::Mark(byte));
                }
                at += 1;
            }
        }
    }
    found
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length)
}

/// The end of a comment, which may hold others.
fn comment_end(text: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0usize);
    while at + 1 < text.len() {
        match (text[at], text[at + 1]) {
            (b'/', b'*') => {
                depth += 1;
                at += 2;
            }
            (b'*', b'/') => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}

fn char_end(text: &[u8], at: usize) -> usize {
    let skip = if text.get(at + 1) == Some(&b'\\') { 3 } else { 2 };
    let end = text.get(at + skip..).and_then(|rest| {
        rest.iter().take(8).position(|byte| *byte == b'\'').map(|length| at + skip + length + 1)
    });
    end.unwrap_or(at + 1)
}

/// The end of a string, with what it interpolates.
fn string_end(text: &[u8], start: usize, nested: usize) -> usize {
    let is_raw = text[start..].starts_with(b"\"\"\"");
    let mut at = start + if is_raw { 3 } else { 1 };
    let mut braces = 0usize;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if !is_raw => at += 1,
            b'$' if text.get(at + 1) == Some(&b'{') => {
                braces += 1;
                at += 1;
            }
            b'{' if braces > 0 => braces += 1,
            b'}' if braces > 0 => braces -= 1,
            b'\n' if !is_raw && braces == 0 => return at,
            b'"' if braces > 0 && nested > 0 => {
                at = string_end(text, at, nested - 1);
                continue;
            }
            b'"' if is_raw && text[at..].starts_with(b"\"\"\"") => {
                let more = text[at..].iter().take_while(|byte| **byte == b'"').count();
                return at + more;
            }
            b'"' if !is_raw => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_at_the_top_and_extensions_are_found() {
        let text = br#"
@file:Suppress("x")
package a.b.c
/* class No /* nested */ */
import x.y
fun <T : Any> List<T>.second(n: Int): T = this[1]
val String.half: Int get() = 2
fun (() -> Unit).run2() {}
internal inline fun plain(block: () -> Unit = { val s = "a ${ if (x) "}" else "{" } b" }) {
    fun Int.inner() {}
}
enum class Color { RED }
fun interface Visitor { fun visit() }
object Single
typealias Handler = (Int) -> Unit
private val LIMIT by lazy { 3 }
val q = Foo::class
class `odd name`
"#;
        let outline = outline(text);
        assert_eq!(&*outline.package, "a.b.c");
        let mut top: Vec<&str> = outline.top.iter().map(|(name, _)| &**name).collect();
        top.sort_unstable();
        let expected = [
            "Color", "Handler", "LIMIT", "Single", "Visitor", "half", "odd name", "plain", "q",
            "run2", "second",
        ];
        assert_eq!(top, expected);
        let mut extensions: Vec<&str> = outline.extensions.iter().map(|it| &**it).collect();
        extensions.sort_unstable();
        assert_eq!(extensions, ["half", "inner", "run2", "second"]);
    }
}
