//! What a header declares, read from its bytes alone.

use crate::references::words::is_word;

/// A type, or another name of one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Declared<'a> {
    /// A type or namespace with a body.
    Type(&'a [u8]),
    /// A name that stands for another: the name, then the other.
    Alias(&'a [u8], &'a [u8]),
}

/// Words in front of a type that do not name it.
const QUALIFIERS: [&[u8]; 14] = [
    b"const",
    b"volatile",
    b"struct",
    b"class",
    b"union",
    b"enum",
    b"unsigned",
    b"signed",
    b"long",
    b"short",
    b"typename",
    b"static",
    b"extern",
    b"inline",
];

/// The types and namespaces that a text declares.
///
/// Of `struct`, `class` and the like only those with a body; further `typedef`,
/// `using` and the names of macros, with what they stand for.
pub(super) fn types(bytes: &[u8]) -> impl Iterator<Item = Declared<'_>> {
    let words = Words { bytes, at: 0 };
    let (mut before, mut earlier): (&[u8], &[u8]) = (b"", b"");
    // Where the typedef began, and whether it has a body.
    let mut typedef: Option<(usize, bool)> = None;
    words.filter_map(move |(word, after)| {
        let rest = bytes[after..].trim_ascii_start();
        let follows = rest.first().copied().unwrap_or(b' ');
        let opens = matches!(follows, b'{' | b':') || rest.starts_with(b"final");
        let found = match before {
            b"struct" | b"class" | b"union" | b"enum" | b"namespace" if opens => {
                Some(Declared::Type(word))
            }
            b"using" if follows == b'=' => Some(alias(word, &rest[1..line_end(rest, b";\n")])),
            b"define" => Some(alias(word, &bytes[after..after + line_end(&bytes[after..], b"\n")])),
            b"concept" => Some(Declared::Type(word)),
            // `class EXPORTED Name {`
            _ if is_head(earlier) && opens => Some(Declared::Type(word)),
            _ if is_closed(bytes, after, word) => Some(Declared::Type(word)),
            _ => typedef.and_then(|(start, has_body)| {
                let is_name = matches!(follows, b';' | b',' | b')' | b'[');
                let of = if has_body { &b""[..] } else { &bytes[start..after - word.len()] };
                is_name.then(|| alias(word, of))
            }),
        };
        if word == b"typedef" {
            typedef = Some((after, false));
        } else if follows == b';'
            && typedef.is_some_and(|(_, has_body)| !has_body || before_is_close(bytes, after, word))
        {
            typedef = None;
        } else if let Some((_, has_body)) = typedef.as_mut() {
            *has_body |= opens;
        }
        (earlier, before) = (before, word);
        found
    })
}

fn before_is_close(bytes: &[u8], after: usize, word: &[u8]) -> bool {
    bytes[..after - word.len()].trim_ascii_end().ends_with(b"}")
}

fn line_end(text: &[u8], ends: &[u8]) -> usize {
    text.iter().position(|byte| ends.contains(byte)).unwrap_or(text.len())
}

/// An alias of the type that a text names first; a type of its own when it names none.
fn alias<'a>(name: &'a [u8], of: &'a [u8]) -> Declared<'a> {
    let mut words = Words { bytes: of, at: 0 }.map(|(word, _)| word);
    match words.find(|word| !QUALIFIERS.contains(word)) {
        Some(other) => Declared::Alias(name, other),
        None => Declared::Type(name),
    }
}

fn is_head(word: &[u8]) -> bool {
    matches!(word, b"struct" | b"class" | b"union")
}

/// Whether a word closes a declaration: `} word;`.
fn is_closed(bytes: &[u8], after: usize, word: &[u8]) -> bool {
    let before = bytes[..after - word.len()].trim_ascii_end();
    before.ends_with(b"}") && bytes[after..].trim_ascii_start().starts_with(b";")
}

struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = (&'a [u8], usize);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.bytes[self.at..];
        let start = self.at + rest.iter().position(|byte| is_word(*byte))?;
        let tail = &self.bytes[start..];
        let length = tail.iter().position(|byte| !is_word(*byte)).unwrap_or(tail.len());
        self.at = start + length;
        Some((&self.bytes[start..self.at], self.at))
    }
}

/// The words that lines at the margin hand to what looks like a macro: `SLAB(name, int)`.
pub(super) fn handed(bytes: &[u8]) -> Vec<Box<str>> {
    let mut found = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let name = line.iter().take_while(|byte| is_word(**byte)).count();
        if name < 3 || line.get(name) != Some(&b'(') {
            continue;
        }
        let arguments = line[name + 1..].split(|byte| matches!(byte, b',' | b')'));
        let words = arguments.map(<[u8]>::trim_ascii).filter(|argument| {
            argument.len() > 2 && argument != b"void" && argument.iter().all(|byte| is_word(*byte))
        });
        found.extend(words.filter_map(|word| std::str::from_utf8(word).ok()).map(Into::into));
    }
    found
}

/// Whether a name has a part: `init_slab` has `slab`, `slabs` has not.
pub(super) fn is_part(name: &str, part: &str) -> bool {
    name.len() > part.len()
        && name.contains(part)
        && (name.strip_prefix(part).is_some_and(|rest| rest.starts_with('_'))
            || name.strip_suffix(part).is_some_and(|rest| rest.ends_with('_'))
            || name.contains(&format!("_{part}_")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_with_a_body_and_aliases_are_declared() {
        let text =
            b"struct a { int x; };\nclass b;\ntypedef struct { int y; } c;\nnamespace d {}\n\
            typedef int (*e)(void);\nusing f = int;\nstruct g *h;\nclass i : public b {};\n\
            typedef unsigned long j;\nclass API k final : b {};\n";
        let found: Vec<&[u8]> = types(text)
            .map(|declared| match declared {
                Declared::Type(name) | Declared::Alias(name, _) => name,
            })
            .collect();
        for name in ["a", "c", "d", "e", "f", "i", "j", "k"] {
            assert!(found.contains(&name.as_bytes()), "{name}");
        }
        for name in ["b", "g", "h"] {
            assert!(!found.contains(&name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn another_name_of_a_type_says_which_one() {
        let text = b"typedef struct var kvar_t;\n#define ENTRY struct acl *\n\
            typedef struct { int a; int b; } pair_t;\ntypedef unsigned long word_t;\n\
            typedef struct node { int x; } node_t;\n";
        let found: Vec<Declared<'_>> = types(text).collect();
        for (name, of) in [("kvar_t", "var"), ("ENTRY", "acl")] {
            assert!(found.contains(&Declared::Alias(name.as_bytes(), of.as_bytes())), "{name}");
        }
        for name in ["pair_t", "word_t", "node_t", "node"] {
            assert!(found.contains(&Declared::Type(name.as_bytes())), "{name}: {found:?}");
        }
    }

    #[test]
    fn what_a_macro_gets_may_become_part_of_a_name() {
        let handed = handed(b"define_slab(weight, int);\nhead(int inner);\n  call(inner);\n");
        assert!(handed.iter().any(|word| &**word == "weight"));
        assert!(!handed.iter().any(|word| &**word == "inner"));
        assert!(is_part("init_weight", "weight") && is_part("weight_at", "weight"));
        assert!(!is_part("weighty", "weight") && !is_part("counterweight", "weight"));
    }
}
