//! A part of an outline is what the whole one has there.
#![expect(clippy::disallowed_methods, reason = "the test pages are read from their files")]

use std::path::Path;

use super::*;
use crate::syntax::detect;

#[test]
fn what_is_around_a_symbol_is_as_in_the_whole_outline() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("a folder of pages") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a page");
        let (title, rest) = text.split_once('\n').expect("a title");
        let source = rest.split("=== outline\n").next().unwrap_or_default();
        let language =
            detect(title.trim_start_matches("=== "), source.as_bytes()).expect("a language");
        // Long enough that most of it lies outside.
        let many = source.repeat(1 + 6 * AROUND / source.len());
        let parsed = Parsed::new(language, many.as_bytes()).expect("a parse");
        let bare = |symbol: &Symbol| Symbol { parent: None, overload: 1, ..symbol.clone() };
        for symbol in parsed.outline().iter().step_by(13) {
            let around = outline_around(&parsed, symbol.full);
            let expected: Vec<Symbol> = parsed
                .outline()
                .iter()
                .filter(|other| other.full.start < symbol.full.end)
                .filter(|other| symbol.full.start < other.full.end)
                .map(bare)
                .collect();
            assert_eq!(around, expected, "{title} {}", symbol.path);
            count += 1;
        }
        let region = Span::new(many.len() / 3, many.len() / 3 + 200);
        assert_eq!(parsed.tokens_around(region), parsed.tokens_in(region), "{title}");
    }
    assert!(count > 100, "{count}");
}
