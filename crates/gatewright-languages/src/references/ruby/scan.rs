//! From the lines of a file to what it defines, without a syntax tree.
//!
//! Every file of a project is read this way. It errs on the side of more: text
//! in strings and comments may define, so that nothing real is overlooked.

use super::facts::{Class, Defined, Name};

/// Why a class cannot be known whole.
const REFINEMENT: &str = "refinement";
const MADE: &str = "methods made at run time";
/// All of these reasons.
pub(super) const OPENINGS: [&str; 2] = [REFINEMENT, MADE];

/// Whether a line makes methods whose names no one can list.
fn is_opening(code: &str) -> bool {
    let makes = ["define_method", "class_eval", "module_eval", "instance_eval", "const_missing"];
    code.starts_with("def method_missing")
        || code.starts_with("def self.method_missing")
        || makes.iter().any(|word| code.contains(word))
            && (code.contains("#{") || code.contains("<<"))
}

/// What a file defines.
pub(super) fn defined(text: &[u8]) -> Defined {
    let text = String::from_utf8_lossy(text);
    let mut out = Defined::default();
    // The classes around the present line, by their numbers.
    let mut around: Vec<usize> = Vec::new();
    for line in text.lines() {
        let code = line.trim_start();
        if code.is_empty() || code.starts_with('#') {
            continue;
        }
        if line == "__END__" {
            break;
        }
        let indent = line.len() - code.len();
        while around.last().is_some_and(|last| out.classes[*last].indent >= indent) {
            around.pop();
        }
        statement(code, indent, &mut around, &mut out);
        words(code, &mut out);
    }
    out
}

fn statement(code: &str, indent: usize, around: &mut Vec<usize>, out: &mut Defined) {
    let (first, rest) = code.split_once([' ', '(']).unwrap_or((code, ""));
    let rest = rest.trim_start();
    match first {
        "class" | "module" if rest.starts_with(char::is_uppercase) || rest.starts_with(':') => {
            let class = Class { is_module: first == "module", ..opening(rest, indent) };
            out.constants.insert(class.name.clone());
            around.push(out.classes.len());
            out.classes.push(class);
        }
        "require" | "gem" | "autoload" => {
            let path = rest.split(['"', '\'']).nth(1).unwrap_or_default();
            out.required.insert(plain(path).into());
        }
        "include" | "extend" | "prepend" => {
            let names = rest.trim_end_matches(')').split(',').map(|name| name.trim().into());
            match around.last() {
                Some(last) => out.classes[*last].ancestors.extend(names),
                None if indent == 0 => out.included.extend(names),
                None => {}
            }
        }
        "refine" => {
            if let Some(last) = around.last() {
                out.classes[*last].open = Some(REFINEMENT);
            }
        }
        _ => {}
    }
    if let Some(last) = around.last()
        && is_opening(code)
    {
        out.classes[*last].open = Some(MADE);
    }
}

/// A name without what joins its words, in lower case.
pub(super) fn plain(name: &str) -> String {
    name.replace(['-', '_', '/', ':'], "").to_lowercase()
}

fn opening(rest: &str, indent: usize) -> Class {
    let rest = rest.split([';', '#']).next().unwrap_or(rest);
    let (name, base) = rest.split_once('<').map_or((rest, None), |(name, base)| (name, Some(base)));
    let path = name.trim().trim_start_matches("::");
    let is_inside = path.contains("::");
    let name = path.rsplit("::").next().unwrap_or_default();
    let has_base = base.is_some();
    let ancestors = base.map(|base| base.trim().into()).into_iter().collect();
    Class { name: name.into(), ancestors, indent, is_inside, has_base, ..Class::default() }
}

/// Notes methods, symbols and constants of one line.
fn words(code: &str, out: &mut Defined) {
    let bytes = code.as_bytes();
    let mut at = 0;
    let mut before = "";
    while at < bytes.len() {
        if !is_word(bytes[at]) {
            if bytes[at] == b'#'
                && at > 0
                && bytes[at - 1] == b' '
                && bytes.get(at + 1) == Some(&b' ')
            {
                return;
            }
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        let mut end = at;
        if matches!(bytes.get(at), Some(b'?' | b'!')) && bytes.get(at + 1) != Some(&b'=') {
            end += 1;
        }
        let (Some(word), Some(long)) = (code.get(start..at), code.get(start..end)) else {
            continue;
        };
        let sign = start.checked_sub(1).map_or(b' ', |index| bytes[index]);
        let is_scoped = sign == b':' && start > 1 && bytes[start - 2] == b':';
        let is_defined =
            before == "def" || !is_scoped && matches!(sign, b':' | b'"' | b'\'' | b'&');
        if is_defined || is_key(bytes, at) || before == "alias" {
            insert(out, word);
            insert(out, long);
        }
        if word.starts_with(char::is_uppercase)
            && is_assigned(&bytes[at..], is_list(&bytes[..start]))
        {
            out.constants.insert(word.into());
        }
        let is_receiver = before == "def" && bytes.get(at) == Some(&b'.');
        if !is_receiver && before != "alias" {
            before = word;
        }
        if word == "self" && bytes.get(at) == Some(&b'.') {
            before = "def";
            if !code.starts_with("def ") {
                before = "";
            }
        }
    }
}

fn insert(out: &mut Defined, word: &str) {
    if word.starts_with(char::is_uppercase) {
        out.constants.insert(word.into());
    }
    out.methods.insert(Name::from(word));
}

/// Whether a word is a key, `word:`.
fn is_key(bytes: &[u8], end: usize) -> bool {
    bytes.get(end) == Some(&b':') && bytes.get(end + 1) != Some(&b':')
}

/// Whether a line begins with nothing but names, as one does that gives values to several.
fn is_list(before: &[u8]) -> bool {
    before.iter().all(|byte| is_word(*byte) || matches!(byte, b',' | b' ' | b'*' | b'(' | b'@'))
}

/// Whether a constant gets a value; one of several only where names alone begin the line.
fn is_assigned(rest: &[u8], is_in_list: bool) -> bool {
    let rest = rest.trim_ascii_start();
    let is_one_of_many =
        is_in_list && rest.starts_with(b",") && memchr::memmem::find(rest, b" = ").is_some();
    (rest.starts_with(b"=") || rest.starts_with(b"||=") || is_one_of_many)
        && !rest.starts_with(b"==")
        && !rest.starts_with(b"=>")
        && !rest.starts_with(b"=~")
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_know_what_they_build_on() {
        let text = "module A\n  class B < C::D\n    include E\n    attr_reader :f\n    X = 1\n\
            \n    def self.g; end\n    def h?(i)\n    end\n  end\n  class J\n    def method_missing(n)\n    end\n  end\nend\n";
        let found = defined(text.as_bytes());
        assert_eq!(found.classes[1].ancestors, ["C::D".into(), "E".into()] as [Name; 2]);
        assert!(found.classes[1].open.is_none());
        assert!(found.classes[2].open.is_some());
        for name in ["f", "g", "h", "h?"] {
            assert!(found.methods.contains(name), "{name}");
        }
        for name in ["A", "B", "J", "X"] {
            assert!(found.constants.contains(name), "{name}");
        }
        assert!(!found.constants.contains("D"));
    }
}
