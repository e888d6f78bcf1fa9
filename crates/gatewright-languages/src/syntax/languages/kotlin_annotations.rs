//! Several annotations in a row, spelt as one for the grammar.
//!
//! It takes `@A @B public class C { … }` for words between two values wherever something follows.
//! One annotation of a longer name it reads as it should, so `@A @B` becomes `@A. B`; the
//! arguments of all but the last become a part of the name. The dot stands right behind it, for
//! with a blank before it the grammar loses the whole file where a property with a value stands
//! above; so it may take the place of a line end. The length stays.

/// How many bytes, strings and comments the arguments of an annotation have at most: one that is
/// never closed would be looked for through all of the file.
const MOST_STEPS: usize = 1024;

/// One annotation.
#[derive(Debug, Clone, Copy)]
struct Annotation {
    start: usize,
    name_end: usize,
    end: usize,
}

/// Spells annotations in a row as one.
pub(super) fn join(source: &[u8], respelt: &mut Option<Vec<u8>>) {
    if memchr::memchr_iter(b'@', source).nth(1).is_none() {
        return;
    }
    let mut at = 0;
    while at < source.len() {
        let Some(first) = annotation(source, at) else {
            at = behind(source, at);
            continue;
        };
        let mut row = vec![first];
        let mut end = first.end;
        while let Some(next) = annotation(source, next_code(source, end)) {
            row.push(next);
            end = next.end;
        }
        at = end;
        if row.len() > 1 {
            spell_as_one(respelt.get_or_insert_with(|| source.to_vec()), &row);
        }
    }
}

/// Where the name ends that is all that stands between a brace and its end, but for annotations
/// and a semicolon.
pub(super) fn only_name(source: &[u8], start: usize) -> Option<usize> {
    let mut at = next_code(source, start);
    while let Some(annotation) = annotation(source, at) {
        at = next_code(source, annotation.end);
    }
    let name = source[at..].iter().take_while(|byte| is_word(**byte)).count();
    let end = at + name;
    let mut next = next_code(source, end);
    if source.get(next) == Some(&b';') {
        next = next_code(source, next + 1);
    }
    (name > 0 && source.get(next) == Some(&b'}')).then_some(end)
}

fn spell_as_one(text: &mut [u8], row: &[Annotation]) {
    for (annotation, next) in row.iter().zip(&row[1..]) {
        // A comment right behind the name would lose its mark to the dot.
        if text[annotation.end] == b'/' {
            text[annotation.end..next.start].fill(b' ');
        }
        let dot = annotation.end.max(annotation.name_end + 1) - 1;
        text[annotation.name_end..dot].fill(b'_');
        text[dot] = b'.';
        text[next.start] = b' ';
        // The place that an annotation is for: `@get:A`. The grammar takes a word that begins with
        // `get` or `set` for an accessor of the property above.
        let place = text[next.start..next.name_end].iter().rposition(|byte| *byte == b':');
        text[next.start + 1..][..place.unwrap_or(0)].fill(b'_');
    }
}

/// The annotation that starts here; those of the file and a list in brackets are none.
fn annotation(source: &[u8], start: usize) -> Option<Annotation> {
    let is_apart = start.checked_sub(1).is_none_or(|before| !is_word(source[before]));
    let name = source.get(start + 1..).filter(|_| source[start] == b'@' && is_apart)?;
    let is_name = |byte: &u8| is_word(*byte) || matches!(byte, b'.' | b':' | b'`');
    let length = name.iter().take_while(|byte| is_name(byte)).count();
    let is_named = name.first().is_some_and(|byte| is_word(*byte) || *byte == b'`');
    if !is_named || name.starts_with(b"file:") || name[..length].ends_with(b":") {
        return None;
    }
    let name_end = start + 1 + length;
    let mut end = name_end;
    for (open, close) in [(b'<', b'>'), (b'(', b')')] {
        if source.get(end) == Some(&open) {
            end = behind_brackets(source, end, (open, close))?;
        }
    }
    Some(Annotation { start, name_end, end })
}

fn behind_brackets(source: &[u8], start: usize, (open, close): (u8, u8)) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = start;
    for _ in 0..MOST_STEPS {
        if at >= source.len() {
            break;
        }
        if source[at] == open {
            depth += 1;
        } else if source[at] == close {
            depth -= 1;
            if depth == 0 {
                return Some(at + 1);
            }
        }
        at = behind(source, at);
    }
    None
}

/// The next place that is neither blank nor in a comment.
fn next_code(source: &[u8], start: usize) -> usize {
    let mut at = start;
    while source.get(at).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/') {
        let next = behind(source, at);
        if source[at] == b'/' && next == at + 1 {
            break;
        }
        at = next;
    }
    at.min(source.len().saturating_sub(1))
}

/// The place behind what starts here: a comment or a string as a whole, else one byte.
fn behind(source: &[u8], at: usize) -> usize {
    let rest = &source[at..];
    let until = |from: usize, mark: &[u8]| {
        let found = memchr::memmem::find(rest.get(from..).unwrap_or_default(), mark);
        found.map_or(rest.len(), |length| from + length + mark.len())
    };
    let length = match rest {
        [b'/', b'/', ..] => until(2, b"\n"),
        [b'/', b'*', ..] => until(2, b"*/"),
        [b'"', b'"', b'"', ..] => until(3, b"\"\"\""),
        [b'"', ..] => quoted(rest),
        [b'\'', b'\\', _, b'\'', ..] => 4,
        [b'\'', _, b'\'', ..] => 3,
        _ => 1,
    };
    at + length
}

/// The length of a string of one line.
fn quoted(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    text.len()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_in_a_row_become_one_of_the_same_length() {
        let joined = |text: &str| {
            let mut respelt = None;
            join(text.as_bytes(), &mut respelt);
            respelt.map(|text| String::from_utf8(text).unwrap())
        };
        let expect = |text: &str, other: &str| assert_eq!(joined(text).as_deref(), Some(other));
        expect("@A\n@B\nclass C", "@A. B\nclass C");
        expect("@A(\"@\", 1) // c\n@b.B(2) class C", "@A_______. // c\n b.B(2) class C");
        expect("@A/* c */ @B class C", "@A.        B class C");
        expect("@get:A @set:B @C val c = 1", "@get:A. ____B. C val c = 1");
        for text in [
            "@file:A\n@file:B\n",
            "@A class C",
            "val a = \"@A @B\" // @A @B",
            "run a@{ return@a }\n@A fun b()",
            "@A\nfun b()\n@B\nfun c()",
            "@field:[A B] @C val c = 1",
        ] {
            assert_eq!(joined(text), None, "{text}");
        }
    }

    #[test]
    fn brackets_that_nothing_closes_are_given_up() {
        let mut respelt = None;
        join("@a(".repeat(200_000).as_bytes(), &mut respelt);
        assert!(respelt.is_none());
    }
}
