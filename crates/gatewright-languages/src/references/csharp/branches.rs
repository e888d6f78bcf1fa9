//! Leaves out all but the first branch of each condition of the preprocessor.
//!
//! Offsets stay as they are: what is left out becomes spaces. The grammar
//! cannot follow a brace that is opened in two branches and closed once.

use std::borrow::Cow;
use std::ops::Range;

use super::facts::Name;

/// The text with spaces for the marks of byte order in it; every offset stays.
///
/// A tool that puts a notice before a file leaves the mark of that file in the middle.
pub(super) fn without_marks(text: &[u8]) -> Cow<'_, [u8]> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let mut plain = Cow::Borrowed(text);
    for at in memchr::memmem::find_iter(text, MARK) {
        plain.to_mut()[at..at + MARK.len()].fill(b' ');
    }
    plain
}

/// The text with first branches only, `None` when it has no conditions; and the words of the others.
pub(super) fn first(text: &[u8]) -> (Option<Vec<u8>>, Vec<Name>) {
    if memchr::memmem::find(text, b"#if").is_none() && memchr::memmem::find(text, b"# if").is_none()
    {
        return (None, Vec::new());
    }
    let mut kept = text.to_vec();
    let mut words = Vec::new();
    // For each open condition, whether its present branch is left out.
    let mut open: Vec<bool> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        let directive = directive(line);
        match directive {
            Some("if") => open.push(false),
            Some("else" | "elif") => {
                if let Some(last) = open.last_mut() {
                    *last = true;
                }
            }
            Some("endif") => {
                open.pop();
            }
            _ => {}
        }
        let is_out = open.contains(&true);
        if directive.is_some() || is_out {
            blank(&mut kept[start..end]);
        }
        if is_out && directive.is_none() {
            words.extend(words_of(line));
        }
        start = end;
    }
    (Some(kept), words)
}

/// The ranges that stand under a condition, each with all of its branches.
pub(super) fn conditions(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut depth, mut first, mut start) = (0_usize, 0, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        match directive(line) {
            Some("if") => {
                if depth == 0 {
                    first = start;
                }
                depth += 1;
            }
            Some("endif") if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    found.push(first..end);
                }
            }
            _ => {}
        }
        start = end;
    }
    found
}

/// Whether only comments and directives stand outside of the one condition of a text.
pub(super) fn is_all_under_one(text: &[u8], conditions: &[Range<usize>]) -> bool {
    let [all] = conditions else { return false };
    let is_code = |line: &[u8]| {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
        !(line.is_empty() || [b'/', b'*', b'#'].contains(&line[0]))
    };
    let mut outside = text[..all.start]
        .split(|byte| *byte == b'\n')
        .chain(text[all.end..].split(|byte| *byte == b'\n'));
    !outside.any(is_code)
}

fn directive(line: &[u8]) -> Option<&str> {
    let rest = line.trim_ascii().strip_prefix(b"#")?.trim_ascii_start();
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    std::str::from_utf8(&rest[..length]).ok()
}

fn blank(line: &mut [u8]) {
    for byte in line.iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r')) {
        *byte = b' ';
    }
}

fn words_of(line: &[u8]) -> Vec<Name> {
    let text = String::from_utf8_lossy(line);
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_branch_stays_and_offsets_do_too() {
        let text = b"a\n#if X\nb {\n#else\nc {\n#endif\nd }\n";
        let (kept, words) = first(text);
        assert_eq!(kept.unwrap(), b"a\n     \nb {\n     \n   \n      \nd }\n");
        assert_eq!(words, ["c".into()] as [Name; 1]);
        assert!(first(b"class A { }").0.is_none());
    }

    #[test]
    fn a_condition_may_hold_all_code_of_a_text() {
        let is_all = |text: &[u8]| is_all_under_one(text, &conditions(text));
        assert!(is_all(b"\xef\xbb\xbf#region of x\n// y\n#endregion\n#if X\na\n#endif\n\n"));
        assert!(!is_all(b"using A;\n#if X\na\n#endif\n") && !is_all(b"a\n"));
        assert!(!is_all(b"#if X\na\n#endif\n#if Y\na\n#endif\n"));
    }

    #[test]
    fn a_condition_reaches_from_its_start_to_its_end() {
        let text = b"a\n#if X\n#if Y\nb\n#endif\n#else\nc\n#endif\nd\n";
        let found = conditions(text);
        assert_eq!(found.len(), 1);
        assert_eq!(&text[found[0].clone()], b"#if X\n#if Y\nb\n#endif\n#else\nc\n#endif\n");
    }
}
