//! `cargo xtask codegen`: the pages of the book that are made from the rules.
//!
//! The rules are data with their own examples; the book repeats them so that
//! they can be read without the program. A page that differs from the rules
//! fails `cargo xtask test`.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use toml::{Table, Value};

use crate::failure::Failure;
use crate::tree;

const PAGE: &str = "docs/src/rules-write.md";
const RULES: &str = "crates/gatewright-guards/rules/write";
const SHOWN: usize = 4;

/// Writes the pages.
pub fn write() -> Result<(), Failure> {
    let page = tree::root().join(PAGE);
    fs::write(&page, write_page()?).map_err(Failure::io("write", &page))
}

/// Fails when a page is not what the rules make of it.
pub fn check() -> Result<(), Failure> {
    let page = tree::root().join(PAGE);
    let found = fs::read_to_string(&page).map_err(Failure::io("read", &page))?;
    if found == write_page()? {
        return Ok(());
    }
    Err(Failure::unexpected(format!("{PAGE} is not up to date; run `cargo xtask codegen`")))
}

fn write_page() -> Result<String, Failure> {
    let mut text = "\
# Rules of the write guard

Made from the rule files by `cargo xtask codegen`; do not edit. The hard floor has
no file and no pattern; `gatewright rules list` shows it with the rest.
"
    .to_owned();
    for (group, table) in groups()? {
        text.push_str(&group_text(&group, &table));
    }
    Ok(text)
}

/// The rule files by name.
fn groups() -> Result<Vec<(String, Table)>, Failure> {
    let directory = tree::root().join(RULES);
    let entries = fs::read_dir(&directory).map_err(Failure::io("list", &directory))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(Failure::io("read", &path))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let table =
            text.parse().map_err(|error| Failure::unexpected(format!("{name}: {error}")))?;
        Ok((name, table))
    };
    paths.into_iter().map(read).collect()
}

/// A heading and a line for each rule; nothing for a file without rules.
fn group_text(group: &str, table: &Table) -> String {
    let rules = table.get("rule").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut text = String::new();
    if !rules.is_empty() {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n## {group}\n\n| code | asks for | because | such as | not |\n|---|---|---|---|---|\n"
        );
    }
    for rule in rules {
        let field = |name: &str| rule.get(name).and_then(Value::as_str).unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            field("code"),
            field("severity"),
            cell(field("reason")),
            samples(rule, "examples"),
            samples(rule, "counter_examples"),
        );
    }
    text
}

fn samples(rule: &Value, name: &str) -> String {
    let texts = rule.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let shown = texts.iter().filter_map(Value::as_str).filter(|text| is_plain(text)).take(SHOWN);
    shown.map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ")
}

/// Whether the text can stand in a table as code.
fn is_plain(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_graphic() && !"|`\\".contains(c);
    !text.is_empty() && text.chars().all(|c| fits(c) || c == ' ') && text.trim() == text
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_a_line_with_what_can_be_shown() {
        let table: Table = "
            [[rule]]
            code = 'W1-x'
            severity = 'confirm'
            reason = 'a | b'
            examples = ['.x', '.x ', 'a/b', \"a\\u200bb\"]
            counter_examples = ['y']
        "
        .parse()
        .expect("it parses");
        let text = group_text("xs", &table);
        assert!(text.ends_with("\n| W1-x | confirm | a \\| b | `.x`, `a/b` | `y` |\n"), "{text}");
    }

    #[test]
    fn a_file_without_rules_is_left_out() {
        assert_eq!(group_text("lists", &Table::new()), "");
    }
}
