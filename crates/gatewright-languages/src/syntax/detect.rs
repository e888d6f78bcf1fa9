//! Which language a file is in: by its name, its extension, or its `#!` line.

use super::language::LanguageId;

/// The language of a file, or `None` when it is not one of ours.
///
/// `first_bytes` is the start of the content; a `#!` line decides only for a
/// file whose name has no extension.
///
/// ```
/// use gatewright_languages::syntax::{LanguageId, detect};
/// assert_eq!(detect("src/lib.rs", b""), Some(LanguageId::Rust));
/// assert_eq!(detect("bin/tool", b"#!/usr/bin/env python3\n"), Some(LanguageId::Python));
/// assert_eq!(detect("notes.md", b"#!/usr/bin/env python3\n"), None);
/// ```
pub fn detect(path: &str, first_bytes: &[u8]) -> Option<LanguageId> {
    let file_name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    if let Some(id) = find(|language| language.file_names.contains(&file_name)) {
        return Some(id);
    }
    match file_name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => by_extension(extension),
        _ => by_interpreter(first_bytes),
    }
}

fn by_extension(extension: &str) -> Option<LanguageId> {
    if matches!(extension, "C" | "H") {
        return Some(LanguageId::Cpp);
    }
    let lower = extension.to_ascii_lowercase();
    find(|language| language.extensions.contains(&lower.as_str()))
}

fn by_interpreter(first_bytes: &[u8]) -> Option<LanguageId> {
    let line = first_bytes.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        // Options and assignments of `env` come before the program.
        let word = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
        program = word.rsplit('/').next()?;
    }
    let name = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    find(|language| language.interpreters.contains(&name))
}

fn find(matches: impl Fn(&super::language::Language) -> bool) -> Option<LanguageId> {
    LanguageId::ALL.into_iter().find(|id| matches(id.language()))
}
