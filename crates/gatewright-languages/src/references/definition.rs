//! Whether a name that stands in a text is defined there, told from its line alone.
//!
//! This serves hints, where a parse of every file that spells a name would cost
//! more than the answer is worth. It errs on "no": a definition that its line
//! does not show is none here, and nothing is warned of or cleared by it.

use super::words;
use crate::syntax::LanguageId;

/// The offset of the first definition of `name` in a text.
pub(super) fn first(language: LanguageId, text: &[u8], name: &str) -> Option<usize> {
    let mut found = words::occurrences(text, name);
    found.find(|start| is_definition(language, text, *start, start + name.len()))
}

/// The words after which a name is defined.
fn keywords(language: LanguageId) -> &'static [&'static str] {
    match language {
        LanguageId::Python => &["def", "class"],
        LanguageId::Rust => {
            &["fn", "struct", "enum", "trait", "type", "const", "static", "mod", "union"]
        }
        LanguageId::Go => &["func", "type", "const", "var"],
        LanguageId::TypeScript | LanguageId::Tsx | LanguageId::JavaScript => {
            &["function", "class", "interface", "enum", "type", "const", "let", "var", "namespace"]
        }
        LanguageId::Java => &["class", "interface", "enum", "record", "@interface"],
        LanguageId::Kotlin => &["fun", "class", "interface", "object", "val", "var", "typealias"],
        LanguageId::C | LanguageId::Cpp => &["struct", "class", "enum", "union", "#define"],
        LanguageId::CSharp => &["class", "interface", "enum", "record", "struct", "delegate"],
        LanguageId::Ruby => &["def", "class", "module"],
    }
}

fn is_definition(language: LanguageId, text: &[u8], start: usize, end: usize) -> bool {
    let line = memchr::memrchr(b'\n', &text[..start]).map_or(0, |newline| newline + 1);
    let line_end = memchr::memchr(b'\n', &text[end..]).map_or(text.len(), |length| end + length);
    let Ok(before) = std::str::from_utf8(&text[line..start]) else { return false };
    let after = String::from_utf8_lossy(&text[end..line_end]);
    let after = after.trim();
    if is_remark(language, before) {
        return false;
    }
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let is_after_keyword = keywords(language).contains(&last) && is_body(language, last, after);
    is_after_keyword || is_without_keyword(language, before, after)
}

/// Whether what stands before a name on its line is a comment or a text.
fn is_remark(language: LanguageId, before: &str) -> bool {
    let first = before.trim_start();
    let has_hashes = matches!(language, LanguageId::Python | LanguageId::Ruby);
    let is_comment =
        before.contains("//") || first.starts_with('*') || (has_hashes && before.contains('#'));
    is_comment || before.contains(['"', '`'])
}

/// Whether a type is made here and not only named: C declares variables with `struct name x`.
fn is_body(language: LanguageId, keyword: &str, after: &str) -> bool {
    let is_c = matches!(language, LanguageId::C | LanguageId::Cpp);
    let is_type = matches!(keyword, "struct" | "class" | "enum" | "union");
    !is_c || !is_type || after.is_empty() || after.starts_with('{') || after.starts_with(": ")
}

/// Definitions that no keyword stands directly before.
fn is_without_keyword(language: LanguageId, before: &str, after: &str) -> bool {
    let is_set = after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>");
    let is_at_margin = before.is_empty();
    let before = before.trim_end();
    match language {
        LanguageId::Python => is_at_margin && (is_set || after.starts_with(':')),
        LanguageId::Ruby => before.ends_with("def self.") || (before.trim().is_empty() && is_set),
        LanguageId::Go => before.starts_with("func (") && before.ends_with(')'),
        LanguageId::Kotlin => is_extension(before),
        LanguageId::TypeScript | LanguageId::Tsx | LanguageId::JavaScript => {
            is_method(before, after)
        }
        LanguageId::Java | LanguageId::CSharp | LanguageId::C | LanguageId::Cpp => {
            is_typed(before, after)
        }
        LanguageId::Rust => before.ends_with("macro_rules!"),
    }
}

/// `fun Receiver.` before a name.
fn is_extension(before: &str) -> bool {
    let receiver = before.rsplit(' ').next().unwrap_or_default();
    let keyword = before.strip_suffix(receiver).unwrap_or_default().trim_end();
    receiver.ends_with('.') && (keyword == "fun" || keyword.ends_with(" fun"))
}

/// A method of a class body: only modifiers before the name, and a body on the same line.
fn is_method(before: &str, after: &str) -> bool {
    const MODIFIERS: &[&str] = &[
        "async",
        "static",
        "public",
        "private",
        "protected",
        "override",
        "abstract",
        "get",
        "set",
    ];
    let has_body = after.starts_with(['(', '<']) && after.ends_with('{');
    let is_call = after.contains("=>") || after.contains("function");
    before.split_whitespace().all(|word| MODIFIERS.contains(&word)) && has_body && !is_call
}

/// A function with its type before its name, as C, Java and C# write it.
fn is_typed(before: &str, after: &str) -> bool {
    const OTHERS: &[&str] = &[
        "return", "new", "throw", "else", "case", "goto", "await", "yield", "delete", "sizeof",
        "typeof", "in", "not", "and", "or", "do", "using", "import",
    ];
    let is_type = |c: char| c.is_alphanumeric() || " \t_<>,:*&[]~?".contains(c);
    let mut words = before.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_statement = words.clone().any(|word| OTHERS.contains(&word));
    let has_type = words.any(|word| !word.is_empty());
    after.starts_with('(') && has_type && !is_statement && before.chars().all(is_type)
}

#[cfg(test)]
#[path = "definition_tests.rs"]
mod tests;
