//! What a header declares, read from its bytes alone.

use crate::references::words::is_word;

/// The types and namespaces that a text declares.
///
/// Of `struct`, `class` and the like only those with a body; further `typedef`,
/// `using` and the names of macros.
pub(super) fn types(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = Words { bytes, at: 0 };
    let (mut before, mut earlier): (&[u8], &[u8]) = (b"", b"");
    let mut is_typedef = false;
    words.filter_map(move |(word, after)| {
        let rest = bytes[after..].trim_ascii_start();
        let follows = rest.first().copied().unwrap_or(b' ');
        let opens = matches!(follows, b'{' | b':') || rest.starts_with(b"final");
        let is_one = match before {
            b"struct" | b"class" | b"union" | b"enum" | b"namespace" => opens,
            b"using" => follows == b'=',
            b"define" | b"concept" => true,
            // `class EXPORTED Name {`
            _ if is_head(earlier) && opens => true,
            _ => {
                is_typedef && matches!(follows, b';' | b',' | b')' | b'[')
                    || is_closed(bytes, after, word)
            }
        };
        if word == b"typedef" {
            is_typedef = true;
        } else if follows == b';' {
            is_typedef = false;
        }
        (earlier, before) = (before, word);
        is_one.then_some(word)
    })
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
        let found: Vec<&[u8]> = types(text).collect();
        for name in ["a", "c", "d", "e", "f", "i", "j", "k"] {
            assert!(found.contains(&name.as_bytes()), "{name}");
        }
        for name in ["b", "g", "h"] {
            assert!(!found.contains(&name.as_bytes()), "{name}");
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
