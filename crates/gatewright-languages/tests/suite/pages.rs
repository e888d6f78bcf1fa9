//! One page for each language: source in, outline as text out.
//!
//! `GATEWRIGHT_BLESS=1` rewrites the expectations; review the difference like code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gatewright_languages::syntax::{LanguageId, Parsed, Symbol, detect};

const SEPARATOR: &str = "=== outline\n";

#[test]
fn every_page_has_its_outline() {
    let mut wrong = Vec::new();
    for path in pages() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (head, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let (title, source) = head.split_once('\n').unwrap();
        let file_name = title.trim_start_matches("=== ");
        let language = detect(file_name, source.as_bytes()).unwrap();
        let actual = render(&Parsed::new(language, source.as_bytes()).unwrap());
        if actual != expected {
            if std::env::var_os("GATEWRIGHT_BLESS").is_some() {
                std::fs::write(&path, format!("{head}{SEPARATOR}{actual}")).unwrap();
            } else {
                wrong.push(format!("{}:\n{actual}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "outlines differ:\n{}", wrong.join("\n"));
}

#[test]
fn every_language_has_a_page() {
    let pages = pages();
    for language in LanguageId::ALL {
        let has_page = pages.iter().any(|path| {
            let text = std::fs::read_to_string(path).unwrap();
            let title = text.lines().next().unwrap().trim_start_matches("=== ");
            detect(title, b"") == Some(language)
        });
        assert!(has_page, "no page for {}", language.name());
    }
}

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let mut pages: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    pages
}

fn render(parsed: &Parsed) -> String {
    let mut out = String::new();
    for symbol in parsed.outline() {
        let depth = symbol.path.matches('/').count();
        let number =
            if symbol.overload > 1 { format!("#{}", symbol.overload) } else { String::new() };
        let keyword = symbol.keyword.map_or("-", |keyword| keyword.word);
        let gate = if symbol.structural { "" } else { " free" };
        writeln!(
            out,
            "{}{} {}{number} [{keyword}{gate}] full {} head {} body {}",
            "  ".repeat(depth),
            symbol.kind,
            symbol.path,
            place(parsed, symbol.full),
            place(parsed, symbol.head),
            symbol.body.map_or("-".to_owned(), |body| place(parsed, body)),
        )
        .unwrap();
        check_nesting(symbol);
    }
    for (error, count) in parsed.error_signature().counts {
        writeln!(out, "error {error} x{count}").unwrap();
    }
    out
}

fn check_nesting(symbol: &Symbol) {
    assert!(symbol.full.contains(symbol.code), "{symbol:?}");
    assert!(symbol.code.contains(symbol.head), "{symbol:?}");
    assert!(symbol.body.is_none_or(|body| symbol.code.contains(body)), "{symbol:?}");
}

fn place(parsed: &Parsed, span: gatewright_model::Span) -> String {
    let (line, column) = parsed.lines().position(span.start);
    let (end_line, end_column) = parsed.lines().position(span.end);
    format!("{line}:{column}-{end_line}:{end_column}")
}
