//! Macros in the head of a C or C++ type: `class EXPORT Widget : public Base {`.
//!
//! The grammar expands nothing, so it takes the macro for the name of a type and the whole class
//! for a function of that type. The word is hidden from it, length kept. A word counts as a macro
//! when it is in capitals and what follows can only be the head of a type.

/// How far the words of a head may reach, and how far a body is looked into.
const LONGEST_HEAD: usize = 512;
const LONGEST_LOOK: usize = 4096;

/// The text with the macros in the heads of types blanked out, where there are any.
pub(super) fn hide(source: &[u8]) -> Option<Vec<u8>> {
    let mut hidden: Option<Vec<u8>> = None;
    for (keyword, is_sure) in [("class", true), ("struct", false), ("union", false)] {
        for start in memchr::memmem::find_iter(source, keyword.as_bytes()) {
            let end = start + keyword.len();
            let is_part = start.checked_sub(1).is_some_and(|before| is_word(source[before]));
            let Some((from, to)) = macros_behind(source, end).filter(|_| !is_part) else {
                continue;
            };
            if is_head_of_type(source, to, is_sure) {
                blank(hidden.get_or_insert_with(|| source.to_vec()), from, to);
            }
        }
    }
    hidden
}

fn blank(text: &mut [u8], from: usize, to: usize) {
    text[from..to].iter_mut().filter(|byte| !byte.is_ascii_whitespace()).for_each(|byte| {
        *byte = b' ';
    });
}

/// From the first to behind the last word in capitals, with its arguments, after a keyword.
fn macros_behind(source: &[u8], keyword_end: usize) -> Option<(usize, usize)> {
    let first = skip_blanks(source, keyword_end).filter(|at| *at > keyword_end)?;
    let mut at = first;
    let mut end = None;
    while let Some(word_end) = macro_at(source, at) {
        let next = skip_blanks(source, word_end)?;
        let goes_on = next > word_end && source.get(next).is_some_and(|byte| is_word(*byte));
        if !goes_on || source[next..].starts_with(b"final") {
            break;
        }
        end = Some(word_end);
        at = next;
    }
    end.map(|end| (first, end))
}

/// Where a word in capitals ends, its arguments included.
fn macro_at(source: &[u8], at: usize) -> Option<usize> {
    let end = word_end(source, at);
    let word = &source[at..end];
    let is_capital = word.len() > 1
        && word[0].is_ascii_uppercase()
        && word.iter().all(|byte| !byte.is_ascii_lowercase() && byte.is_ascii());
    if !is_capital {
        return None;
    }
    if source.get(end) != Some(&b'(') {
        return Some(end);
    }
    let arguments = &source[end..source.len().min(end + LONGEST_HEAD)];
    arguments.iter().position(|byte| *byte == b')').map(|close| end + close + 1)
}

/// Whether a name stands here, and behind it the bases or the body of a type.
fn is_head_of_type(source: &[u8], at: usize, is_sure: bool) -> bool {
    let Some(start) = skip_blanks(source, at) else { return false };
    let name_end = name_end(source, start);
    let Some(mut next) = skip_blanks(source, name_end).filter(|_| name_end > start) else {
        return false;
    };
    let is_final = source[next..].starts_with(b"final") && word_end(source, next) == next + 5;
    if is_final {
        next = skip_blanks(source, next + 5).unwrap_or(next);
    }
    match source.get(next) {
        Some(b':') => source.get(next + 1) != Some(&b':'),
        Some(b'{') => {
            is_sure || is_final || source[start].is_ascii_uppercase() || has_members(source, next)
        }
        _ => false,
    }
}

/// Whether a body has a member: the value of a variable has no semicolon in it.
fn has_members(source: &[u8], brace: usize) -> bool {
    let body = &source[brace..source.len().min(brace + LONGEST_LOOK)];
    let semicolon = memchr::memchr(b';', body);
    let close = memchr::memchr(b'}', body);
    semicolon.is_some_and(|semicolon| close.is_none_or(|close| semicolon < close))
}

/// Where a name ends, with the scopes before it and the arguments of a specialisation behind it.
fn name_end(source: &[u8], start: usize) -> usize {
    let mut end = word_end(source, start);
    while end > start && source[end..].starts_with(b"::") {
        end = word_end(source, end + 2);
    }
    if source.get(end) != Some(&b'<') {
        return end;
    }
    let mut depth = 0usize;
    for (index, byte) in source.iter().enumerate().skip(end).take(LONGEST_HEAD) {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            b'{' | b';' => return end,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    end
}

fn word_end(source: &[u8], start: usize) -> usize {
    let rest = source.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| is_word(**byte)).count()
}

fn skip_blanks(source: &[u8], start: usize) -> Option<usize> {
    let rest = source.get(start..)?;
    rest.iter().position(|byte| !byte.is_ascii_whitespace()).map(|blanks| start + blanks)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::hide;

    fn hidden(text: &str) -> Option<String> {
        hide(text.as_bytes()).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn macros_in_the_head_of_a_type_are_hidden() {
        for (text, other) in [
            ("class EXPORT Widget {", "class        Widget {"),
            ("class A_API B final : public C {", "class       B final : public C {"),
            ("struct ALIGN(16) API P\n{", "struct               P\n{"),
            ("class Q_EXPORT ns::Inner<int> : X {", "class          ns::Inner<int> : X {"),
            ("struct API p { int a; };", "struct     p { int a; };"),
        ] {
            assert_eq!(hidden(text).as_deref(), Some(other));
        }
    }

    #[test]
    fn variables_functions_and_names_in_capitals_are_left_alone() {
        for text in [
            "class FOO {",
            "class FOO final {",
            "struct FILE *open(void) {",
            "struct POINT p{1, 2};",
            "struct STAT s;",
            "template <class K, class V>",
            "subclass API Foo {",
            "class API Foo;",
            "struct API Foo::make() {",
        ] {
            assert_eq!(hidden(text), None, "{text}");
        }
    }
}
