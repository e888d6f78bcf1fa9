//! An outline that was carried over is the one that a look at the whole text gives.
#![expect(clippy::disallowed_methods, reason = "the test pages are read from their files")]

use std::path::Path;

use gatewright_testkit::{Random, cases, seed};

use super::*;
use crate::syntax::outline::outline as whole_outline;
use crate::syntax::{LanguageId, detect};

/// The sources of the test pages.
fn pages() -> Vec<(LanguageId, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("pages").map(|entry| entry.expect("an entry")).collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    let page = |entry: &std::fs::DirEntry| {
        let text = std::fs::read_to_string(entry.path()).expect("a page");
        let (title, rest) = text.split_once('\n').expect("a title");
        let source = rest.split("=== outline\n").next().unwrap_or_default();
        let name = title.trim_start_matches("=== ");
        (detect(name, source.as_bytes()).expect("a language"), source.to_owned())
    };
    entries.iter().map(page).collect()
}

/// A text with a random stretch exchanged for another one: of the same text, a definition, a
/// word, a line or nothing.
fn splice(text: &str, random: &mut Random) -> Option<(Span, String)> {
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let place = |random: &mut Random| match random.below(3) {
        0 => random.below(text.len() + 1),
        _ => lines[random.below(lines.len())],
    };
    let stretch = |random: &mut Random, most: usize| {
        let start = place(random);
        let end = match random.below(3) {
            0 => start,
            1 => (start + random.below(most)).min(text.len()),
            _ => {
                let next = lines.partition_point(|line| *line <= start);
                lines.get(next + random.below(6)).copied().unwrap_or(text.len())
            }
        };
        Span::new(start, end.max(start))
    };
    let old = stretch(random, 200);
    let source = stretch(random, 300);
    let words = ["x", "\n", " ", "# c\n", "// c\n", "/* c */", ";", "{", "}", "(", ",", "def f\n"];
    let new = match random.below(3) {
        0 => words[random.below(words.len())].to_owned(),
        1 => String::new(),
        _ => text.get(source.range())?.to_owned(),
    };
    text.get(old.range())?;
    Some((old, new))
}

#[derive(Debug, Default)]
struct Tally {
    carried: usize,
    anew: usize,
}

fn check(before: &Parsed, old: Span, new: &str, tally: &mut Tally) {
    before.outline();
    let Ok(after) = before.edited(old, new.as_bytes()) else { return };
    check_tree(before, &after);
    let origin = after.take_origin();
    let carried = origin.and_then(|origin| outline(&after, &origin));
    match carried {
        None => tally.anew += 1,
        Some(carried) => {
            tally.carried += 1;
            let whole = whole_outline(&after);
            let name = after.language().name();
            let text = String::from_utf8_lossy(after.source());
            assert_eq!(carried, whole, "{name} {old:?} {new:?} in\n{text}");
        }
    }
}

/// Without errors on either side a tree that reuses another one is the one that a parse of the
/// whole text gives.
fn check_tree(before: &Parsed, after: &Parsed) {
    let has_error = |parsed: &Parsed| parsed.tree().root_node().has_error();
    if has_error(before) || has_error(after) {
        return;
    }
    let whole = Parsed::once(after.language(), after.source()).expect("a parse");
    let text = String::from_utf8_lossy(after.source());
    assert_eq!(nodes(after), nodes(&whole), "{} in\n{text}", after.language().name());
}

/// Every node with its kind and place.
fn nodes(parsed: &Parsed) -> Vec<(&str, usize, usize)> {
    let mut nodes = Vec::new();
    parsed.visit(|node, _| {
        nodes.push((node.kind(), node.start_byte(), node.end_byte()));
        true
    });
    nodes
}

/// Most nodes of the tree after are those of the tree before.
fn assert_shares_most(before: &Parsed, after: &Parsed) {
    let ids = |parsed: &Parsed| {
        let mut ids = std::collections::HashSet::new();
        parsed.visit(|node, _| {
            ids.insert(node.id());
            true
        });
        ids
    };
    let (old, new) = (ids(before), ids(after));
    let shared = new.iter().filter(|id| old.contains(id)).count();
    assert!(shared * 4 > new.len() * 3, "{shared} of {} nodes are shared", new.len());
}

#[test]
fn a_definition_replaced_anywhere_leaves_the_rest_of_the_tree_as_it_is() {
    let method = |number: usize| {
        let above = if number.is_multiple_of(5) { "    # What follows.\n\n" } else { "" };
        let nested = "        def inner():\n            return 1\n";
        format!("{above}    def m{number}(self):\n{nested}        return inner() + {number}\n\n")
    };
    let text = format!("class A:\n{}", (0..200).map(method).collect::<String>());
    let before = Parsed::once(LanguageId::Python, text.as_bytes()).expect("a parse");
    for symbol in before.outline().iter().filter(|symbol| symbol.path.ends_with('7')) {
        let new = before.text(symbol.full).replacen("return 1", "return 2  # two", 1);
        let after = before.edited(symbol.full, new.as_bytes()).expect("a parse");
        check_tree(&before, &after);
        assert_shares_most(&before, &after);
    }
}

#[test]
fn an_edit_within_the_sign_of_an_attribute_keeps_what_it_belongs_to() {
    let text =
        "use std::fmt;\n\n#[derive(Debug)]\n#[allow(a, b)]\nstruct Till<T> {\n    coins: T,\n}\n";
    let before = Parsed::once(LanguageId::Rust, text.as_bytes()).expect("a parse");
    let at = text.find("[derive").expect("the attribute");
    let mut tally = Tally::default();
    for new in ["", " ", "  "] {
        check(&before, Span::new(at, at), new, &mut tally);
    }
    assert_eq!(tally.carried + tally.anew, 3);
}

#[test]
fn an_edit_at_the_end_of_a_block_leaves_the_rest_of_the_tree_as_it_is() {
    let method = |number: usize| {
        let body = "        if self.a:\n            return True\n        else:\n            ";
        format!("    @property\n    def m{number}(self):\n{body}return call(x)[{number}]\n\n")
    };
    let text = format!("class A:\n{}", (0..200).map(method).collect::<String>());
    let before = Parsed::once(LanguageId::Python, text.as_bytes()).expect("a parse");
    let at = text.find("call(x)[77]").expect("the line") + "call(x)[".len();
    let after = before.edited(Span::new(at, at + "77]".len()), b"78]").expect("a parse");
    check_tree(&before, &after);
    assert_shares_most(&before, &after);
}

#[test]
fn an_outline_carried_over_is_the_one_of_the_whole_text() {
    let mut random = Random::new(seed());
    let count = usize::try_from(cases(120)).expect("a count");
    for (language, page) in pages() {
        let mut tally = Tally::default();
        // Long enough that something is left outside.
        let mut before = Parsed::once(language, page.repeat(3).as_bytes()).expect("a parse");
        for round in 0..count {
            let text = String::from_utf8_lossy(before.source()).into_owned();
            let Some((old, new)) = splice(&text, &mut random) else { continue };
            check(&before, old, &new, &mut tally);
            // Some of them in a row, so that broken texts are edited as well.
            let next = before.edited(old, new.as_bytes());
            let is_kept = round % 7 != 0 && text.len() < page.len() * 4;
            let again = || Parsed::once(language, page.repeat(3).as_bytes()).expect("a parse");
            before = next.ok().filter(|_| is_kept).unwrap_or_else(again);
        }
        println!("{} {tally:?}", language.name());
        assert!(tally.carried * 5 > tally.anew, "{} {tally:?}", language.name());
    }
}

#[test]
fn every_symbol_replaced_or_removed_leaves_the_others_as_a_whole_look_finds_them() {
    for (language, page) in pages() {
        let before = Parsed::once(language, page.as_bytes()).expect("a parse");
        let mut tally = Tally::default();
        for symbol in before.outline() {
            for span in [symbol.full, symbol.code, symbol.head, symbol.name_span] {
                check(&before, span, "", &mut tally);
                check(&before, span, "x", &mut tally);
                let twice = before.text(span).repeat(2);
                check(&before, span, &twice, &mut tally);
            }
            if let Some(body) = symbol.body {
                check(&before, body, "{ x }", &mut tally);
                check(&before, Span::new(body.end, body.end), " // c\n", &mut tally);
            }
        }
        assert!(tally.carried > 0, "{} {tally:?}", language.name());
    }
}
