//! What other files of the workspace say about a name that the file itself does not explain.
//!
//! A file that merely spells a name proves nothing: scripts call many things alike. Asked is whether
//! it puts the name onto an object, defines it as a member, or declares it for all files.

use super::facts::Class;
use super::{Checker, modules};
use crate::references::session::Session;
use crate::references::words;

/// How far the parameters of a method are followed.
const LONGEST_HEAD: usize = 400;

impl Checker<'_> {
    /// Whether another file spells a name.
    pub(super) fn is_elsewhere(&self, name: &str) -> bool {
        self.asked_of_others(("script spelt", name), |text| words::contains(text, name))
    }

    /// Whether another file puts a name onto an object that is there already.
    pub(super) fn is_put_elsewhere(&self, name: &str) -> bool {
        self.asked_of_others(("script puts", name), |text| {
            words::occurrences(text, name).any(|start| is_put(text, start, start + name.len()))
        })
    }

    /// Whether another file puts a name onto an object, or a class that may build on this one
    /// defines it.
    pub(super) fn is_given_elsewhere(&self, class: &Class, name: &str) -> bool {
        let defines = |text: &[u8]| {
            words::occurrences(text, name).any(|start| defines(text, start, start + name.len()))
        };
        self.is_put_elsewhere(name)
            || self.is_built_on(class) && self.asked_of_others(("script defines", name), defines)
    }

    /// Whether another file puts a name onto an object, or adds it to what everybody has.
    pub(super) fn is_added_elsewhere(&self, name: &str) -> bool {
        const ADDING: [&[u8]; 3] = [b"declare global", b"prototype", b"interface "];
        let adds = |text: &[u8]| {
            words::contains(text, name) && !is_module(text)
                || words::occurrences(text, name)
                    .any(|start| defines(text, start, start + name.len()))
                    && ADDING.iter().any(|way| has(text, way))
        };
        self.is_put_elsewhere(name) || self.asked_of_others(("script adds to all", name), adds)
    }

    /// Whether another file spells a name and a module of the runtime, which may be newer than what
    /// is known of it.
    pub(super) fn is_asked_of(&self, source: &str, name: &str) -> bool {
        let module = source.strip_prefix("node:").unwrap_or(source);
        let both = format!("{name} {module}");
        let names = |text: &[u8]| words::contains(text, name) && is_quoted(text, module);
        self.asked_of_others(("script asks runtime", &both), names)
    }

    /// Whether something may build on a class, whatever it is called where it is imported.
    fn is_built_on(&self, class: &Class) -> bool {
        let is_it = |number: &usize| std::ptr::eq(&raw const self.file.classes[*number], class);
        let own = self.file.class_names.iter().find(|(_, number)| is_it(number));
        let Some((name, _)) = own else { return true };
        let builds = |name: &'_ str| {
            let spells = |text: &[u8]| words::contains(text, name) && builds(text);
            self.asked_of_others(("script builds on", name), spells)
        };
        builds(name) || builds(stem(self.path))
    }

    fn asked_of_others(&self, asked: (&'static str, &str), is_it: impl Fn(&[u8]) -> bool) -> bool {
        let is_asked = |file: &str| modules::language(file).is_some();
        self.session.any_other(asked, self.path, is_asked, |_, text, _| is_it(text))
    }
}

/// The name under which a file is mostly imported.
fn stem(path: &str) -> &str {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    match file.split('.').next().unwrap_or(file) {
        "index" => folder.rsplit('/').next().unwrap_or(folder),
        stem => stem,
    }
}

/// Whether a file has a class that builds on another, in any of the ways there are.
fn builds(text: &[u8]) -> bool {
    const WAYS: [&[u8]; 5] = [b"extends", b"inherits", b"prototype", b".call(this", b".assign("];
    WAYS.iter().any(|way| memchr::memmem::find(text, way).is_some())
}

/// Whether a name stands between quotes, or at the end of a path that does.
fn is_quoted(text: &[u8], name: &str) -> bool {
    let quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\'' | b'`'));
    words::occurrences(text, name).any(|start| quote(text.get(start + name.len())))
}

/// Whether a name is given a value as a member, or spelt in a string.
fn is_put(text: &[u8], start: usize, end: usize) -> bool {
    let after = text[end..].trim_ascii_start();
    let is_set = after.starts_with(b"=") && !matches!(after.get(1), Some(b'=' | b'>'));
    match start.checked_sub(1).and_then(|index| text.get(index)) {
        Some(b'.') => is_set,
        Some(quote @ (b'"' | b'\'' | b'`')) => text.get(end) == Some(quote),
        _ => false,
    }
}

/// Whether a name stands where a class or an object defines it.
fn defines(text: &[u8], start: usize, end: usize) -> bool {
    const DECLARING: [&[u8]; 5] = [b"const", b"let", b"var", b"function", b"new"];
    let before = text[..start].trim_ascii_end();
    let is_declared = DECLARING.iter().any(|word| before.ends_with(word));
    if is_declared || before.ends_with(b".") {
        return false;
    }
    let after = text[end..].trim_ascii_start();
    match after.first() {
        Some(b':' | b'?') => true,
        Some(b';') => starts_line(text, start),
        // `Object.assign(Till.prototype, { open, close })`
        Some(b',' | b'}') => has(text, b"assign(") || has(text, b"extend(") || has(text, b"mixin"),
        Some(b'=') => !matches!(after.get(1), Some(b'=' | b'>')),
        Some(b'(') => has_body(after),
        _ => false,
    }
}

/// Whether nothing but blanks stands before a place in its line.
fn starts_line(text: &[u8], start: usize) -> bool {
    let before = text[..start].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    before.iter().all(u8::is_ascii_whitespace)
}

/// Whether a block or a type follows behind the parentheses at the start of a text.
fn has_body(text: &[u8]) -> bool {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().take(LONGEST_HEAD).enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => {
                return matches!(text[at + 1..].trim_ascii_start().first(), Some(b'{' | b':'));
            }
            b')' => depth -= 1,
            _ => {}
        }
    }
    true
}

/// Whether a file lists the modules that it holds itself, and this one among them, as what a
/// bundler writes does: `{"./till": 4}`.
pub(super) fn is_bundled(text: &[u8], source: &str) -> bool {
    memchr::memmem::find_iter(text, source).any(|start| {
        let quote = start.checked_sub(1).map(|at| text[at]);
        let after = text.get(start + source.len()..).unwrap_or_default();
        let is_quoted = matches!(quote, Some(b'"' | b'\'')) && after.first().copied() == quote;
        is_quoted && after[1..].trim_ascii_start().starts_with(b":")
    })
}

/// Whether a name may be declared for every file: in a declaration file, by one that is no module,
/// in a configuration, or by what is put onto an object.
pub(super) fn is_ambient(session: &Session<'_>, name: &str, path: &str) -> bool {
    let is_asked = |file: &str| is_telling(file) || modules::language(file).is_some();
    session.any_other(("script ambient", name), path, is_asked, |file, text, _| {
        words::contains(text, name)
            && (is_telling(file) || !is_module(text) || is_for_all(text, name))
    })
}

/// Whether a file tells by its name that it declares names for others.
fn is_telling(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let is_source = modules::language(file).is_some();
    let is_config = |name: &str| name.contains("eslint") || name.contains("config");
    match is_source {
        // A source that is only called so configures nothing.
        true => name.starts_with('.') || name.contains(".config.") || name.contains("eslint"),
        false => [".json", ".html"].iter().any(|end| name.ends_with(end)) || is_config(file),
    }
}

fn has(text: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(text, word).is_some()
}

/// Whether a file is a module: what it declares is seen nowhere else.
fn is_module(text: &[u8]) -> bool {
    has(text, b"import ")
        || has(text, b"\nexport ")
        || text.starts_with(b"export ")
        || has(text, b"module.exports")
        || has(text, b"\nexports.")
        || text.starts_with(b"exports.")
        || has(text, b"require(")
}

/// Whether a module declares a name for all files, or puts it onto what every file sees.
fn is_for_all(text: &[u8], name: &str) -> bool {
    const EVERYWHERE: [&[u8]; 4] = [b"window", b"global", b"globalThis", b"self"];
    let stands_behind = |start: usize| {
        let before = text[..start].trim_ascii_end();
        let before =
            before.strip_suffix(b"'").or_else(|| before.strip_suffix(b"\"")).unwrap_or(before);
        let object =
            [&b"."[..], b"[", b",", b", "].iter().find_map(|end| before.strip_suffix(*end));
        object.is_some_and(|object| EVERYWHERE.iter().any(|it| object.ends_with(it)))
    };
    // `Object.assign(globalThis, { till })`
    let is_handed = |object: &[u8]| {
        let call = [&b"("[..], object, b","].concat();
        has(text, &call)
    };
    is_in_global_block(text, name)
        || words::occurrences(text, name).any(stands_behind)
        || EVERYWHERE[..3].iter().any(|object| is_handed(object))
}

/// Whether a name stands between the braces of `declare global { … }`.
fn is_in_global_block(text: &[u8], name: &str) -> bool {
    let mut blocks = memchr::memmem::find_iter(text, b"declare global").map(|at| &text[at..]);
    blocks.any(|block| {
        let mut depth = 0_usize;
        let end = block.iter().position(|byte| {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => return false,
            }
            depth == 0
        });
        words::contains(&block[..end.unwrap_or(block.len())], name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(it: fn(&[u8], usize, usize) -> bool, text: &str) -> bool {
        words::occurrences(text.as_bytes(), "open").any(|at| it(text.as_bytes(), at, at + 4))
    }

    #[test]
    fn what_is_put_and_defined_is_told_from_what_is_used() {
        assert!(is(is_put, "till.open = 1") && is(is_put, "till['open'] = 1"));
        assert!(!is(is_put, "till.open === 1") && !is(is_put, "const open = 1"));
        assert!(is(defines, "class A {\n  async open(a, (b)) {\n") && is(defines, "{ open: 1 }"));
        assert!(!is(defines, "open(a);") && !is(defines, "function open(a) {"));
        assert!(
            !is(defines, "if (open(a)) {") && is(defines, "Object.assign(Till, { open, close })")
        );
        assert!(!is(defines, "module.exports = { open, close }"));
    }

    #[test]
    fn what_is_declared_for_all_is_told_from_what_stands_beside_it() {
        let text = b"export {};\ndeclare global { interface Window { till: 1 } }\nconst desk = 1;";
        assert!(is_for_all(text, "till") && !is_for_all(text, "desk"));
        assert!(is_for_all(b"require('x'); globalThis.till = 1;", "till"));
        assert!(!is_for_all(b"require('x'); globalThis.desk = till();", "till"));
    }
}
