//! Hard input: depth, length, broken bytes, random splices. An answer, never a crash.

use gatewright_languages::syntax::{
    Encoding, LanguageId, Parsed, decode, detect, new_errors, structure_facts,
};
use gatewright_model::{Intent, Span, Structural, StructureFacts, TextEdit};
use proptest::prelude::*;

/// The first source of each page, by language.
fn samples() -> Vec<(LanguageId, String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let mut samples: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let (head, _) = text.split_once("=== outline\n").unwrap();
            let (title, source) = head.split_once('\n').unwrap();
            let name = title.trim_start_matches("=== ").to_owned();
            (detect(&name, b"").unwrap(), name, source.to_owned())
        })
        .collect();
    samples.sort_by(|one, other| one.1.cmp(&other.1));
    samples
}

fn cases() -> u32 {
    std::env::var("GATEWRIGHT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(24)
}

/// The cases and the seed of the random tests; the seed is printed, so that it can be given back.
fn random() -> ProptestConfig {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let given = std::env::var("GATEWRIGHT_SEED").ok().and_then(|text| text.parse().ok());
    let seed: u64 = given.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    println!("GATEWRIGHT_SEED={seed}");
    ProptestConfig {
        cases: cases(),
        rng_seed: proptest::test_runner::RngSeed::Fixed(seed),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn exercise(parsed: &Parsed) {
    for symbol in parsed.outline() {
        assert!(symbol.full.end <= parsed.source().len());
        assert!(symbol.full.contains(symbol.code) && symbol.code.contains(symbol.head));
        assert!(symbol.parent.is_none_or(|parent| parent < parsed.outline().len()));
    }
    let tokens = parsed.tokens();
    assert!(tokens.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
    parsed.error_signature();
}

#[test]
fn empty_and_blank_files_have_empty_outlines() {
    for language in LanguageId::ALL {
        for text in ["", "\n", "   \n\t\n", "\u{feff}"] {
            let parsed = Parsed::new(language, text.as_bytes()).unwrap();
            assert!(parsed.outline().is_empty(), "{} {text:?}", language.name());
        }
    }
}

#[test]
fn ten_thousand_levels_of_nesting_give_an_answer() {
    let brackets = [("(", ")"), ("{", "}"), ("[", "]")];
    for (language, (open, close)) in LanguageId::ALL.into_iter().zip(brackets.into_iter().cycle()) {
        let text = format!("{}{}", open.repeat(10_000), close.repeat(10_000));
        if let Ok(parsed) = Parsed::new(language, text.as_bytes()) {
            exercise(&parsed);
        }
    }
    let nested = "fn a() {\n".repeat(10_000) + &"}\n".repeat(10_000);
    let parsed = Parsed::new(LanguageId::Rust, nested.as_bytes()).unwrap();
    assert_eq!(parsed.outline().len(), 10_000);
    let paths: usize = parsed.outline().iter().map(|symbol| symbol.path.len()).sum();
    assert!(paths < 20_000_000, "the paths take {paths} bytes");
}

/// What the gate says about appending a line to a text.
fn appended(language: LanguageId, text: &str) -> StructureFacts {
    let name = format!("a.{}", language.language().extensions[0]);
    let after = format!("{text}\nx");
    structure_facts(&name, Some(text.as_bytes()), Some(after.as_bytes()), &Intent::Patch)
}

fn is_not_parsed(facts: &StructureFacts) -> bool {
    facts.problems.iter().any(|problem| matches!(problem.found, Structural::NotParsed { .. }))
}

#[test]
fn signs_without_end_are_not_parsed_and_not_passed() {
    for language in LanguageId::ALL {
        let facts = appended(language, &"(".repeat(100_000));
        assert!(is_not_parsed(&facts), "{}: {:?}", language.name(), facts.problems);
    }
}

#[test]
fn a_text_in_which_every_token_may_reach_to_the_end_is_not_read_without_end() {
    let facts = appended(LanguageId::Rust, &"r#\"".repeat(300_000));
    assert!(is_not_parsed(&facts), "{:?}", facts.problems);
}

#[test]
fn a_parse_that_takes_the_square_of_its_length_is_given_up() {
    let facts = appended(LanguageId::Rust, &"%w(".repeat(15_000));
    assert!(is_not_parsed(&facts), "{:?}", facts.problems);
}

#[test]
fn a_line_of_a_megabyte_gives_an_answer() {
    for language in [LanguageId::JavaScript, LanguageId::Python] {
        let text = "x = f(a, 'text') + 1; ".repeat(1_000_000 / 22);
        exercise(&Parsed::new(language, text.as_bytes()).unwrap());
    }
}

#[test]
fn invalid_utf8_is_parsed_as_it_is() {
    let text = b"def a():\n    x = '\xff\xfe'\n\ndef b\xc3(): pass\n\ndef c():\n    pass\n";
    let parsed = Parsed::new(LanguageId::Python, text).unwrap();
    exercise(&parsed);
    let names: Vec<_> = parsed.outline().iter().map(|symbol| symbol.name.as_str()).collect();
    assert!(names.contains(&"a") && names.contains(&"c"), "{names:?}");
}

#[test]
fn utf16_with_a_mark_is_judged_like_utf8() {
    let encode = |text: &str| Encoding::Utf16Le.encode(text.as_bytes());
    let before = "fn a() {\n    1\n}\n";
    let after = "fn b() {\n    2\n}\n";
    assert_eq!(decode(&encode(before)).unwrap().0.as_ref(), before.as_bytes());
    let edit = TextEdit {
        old: "fn a() {\n    1".into(),
        new: "fn b() {\n    2".into(),
        replace_all: false,
    };
    let intent = Intent::Edit(vec![edit]);
    let facts = structure_facts("a.rs", Some(&encode(before)), Some(&encode(after)), &intent);
    assert_eq!(facts.problems.len(), 1);
    let facts = structure_facts("a.rs", Some(b"\xff\xfea"), Some(&encode(after)), &intent);
    assert_eq!(facts.problems.len(), 1, "an odd number of bytes is a finding, not a pass");
}

#[test]
fn what_the_gate_does_not_cover_passes() {
    let before = b"def a():\n    pass\n".as_slice();
    let after = b"nothing\n".as_slice();
    let all = [
        ("a.py", Intent::Symbol("a".into())),
        ("a.py", Intent::Undo),
        ("a.py", Intent::Chmod),
        ("a.lua", Intent::Overwrite),
        ("a.md", Intent::Overwrite),
        ("a.sh", Intent::Patch),
        ("a.php", Intent::Overwrite),
        ("Cargo.toml", Intent::Overwrite),
    ];
    for (path, intent) in all {
        let facts = structure_facts(path, Some(before), Some(after), &intent);
        assert!(facts.problems.is_empty(), "{path} {intent:?}");
    }
    let create = structure_facts("a.py", None, Some(before), &Intent::Create);
    assert!(create.problems.is_empty());
    let delete = structure_facts("a.py", Some(before), None, &Intent::Delete);
    assert!(delete.problems.is_empty());
    let overwrite = structure_facts("a.py", Some(before), Some(after), &Intent::Overwrite);
    assert_eq!(overwrite.problems.len(), 1);
}

#[test]
fn an_overwrite_with_itself_and_a_comment_passes_in_every_language() {
    for (language, name, source) in samples() {
        let after = format!("{source}\n{} a note\n", language.language().line_comment);
        let facts = structure_facts(
            &name,
            Some(source.as_bytes()),
            Some(after.as_bytes()),
            &Intent::Overwrite,
        );
        assert!(facts.problems.is_empty(), "{name}: {:?}", facts.problems);
    }
}

#[test]
fn replacing_any_structural_symbol_over_lines_is_refused() {
    for (language, name, source) in samples() {
        let parsed = Parsed::new(language, source.as_bytes()).unwrap();
        for symbol in parsed.outline().iter().filter(|symbol| symbol.structural) {
            let old = parsed.text(symbol.code);
            if !old.contains('\n') || source.matches(&old).count() > 1 {
                continue;
            }
            let after = source.replace(&old, "");
            let edit = TextEdit { old, new: String::new(), replace_all: false };
            let facts = structure_facts(
                &name,
                Some(source.as_bytes()),
                Some(after.as_bytes()),
                &Intent::Edit(vec![edit]),
            );
            assert_eq!(facts.problems.len(), 1, "{name} {}", symbol.path);
            assert!(facts.problems[0].call.is_some(), "{name} {}", symbol.path);
        }
    }
}

proptest! {
    #![proptest_config(random())]

    #[test]
    fn random_splices_never_crash_and_reparse_like_new(
        pick in 0usize..12,
        at in 0.0f64..1.0,
        length in 0usize..40,
        new in prop_oneof![
            "[ -~\\n]{0,40}",
            Just("fn f() {\n".to_owned()),
            Just("}\n/* ".to_owned()),
            Just("\"\"\"".to_owned()),
            Just("class X {".to_owned()),
        ],
    ) {
        let (language, name, source) = samples().swap_remove(pick);
        let mut start = (at * source.len() as f64) as usize;
        while !source.is_char_boundary(start) { start -= 1; }
        let mut end = (start + length).min(source.len());
        while !source.is_char_boundary(end) { end += 1; }
        let before = Parsed::new(language, source.as_bytes()).unwrap();
        // What runs out of its budget is not parsed, which is an answer.
        let Ok(after) = before.edited(Span::new(start, end), new.as_bytes()) else { return Ok(()) };
        exercise(&after);
        let Ok(fresh) = Parsed::new(language, after.source()) else { return Ok(()) };
        exercise(&fresh);
        new_errors(&before.error_signature(), &fresh.error_signature());
        let edit = TextEdit { old: source[start..end].to_owned(), new, replace_all: false };
        for intent in [Intent::Edit(vec![edit]), Intent::Patch, Intent::Overwrite] {
            structure_facts(&name, Some(source.as_bytes()), Some(after.source()), &intent);
        }
    }

    #[test]
    fn a_version_is_parsed_as_if_it_were_new(
        pick in 0usize..12,
        line in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        what in 0u8..4,
    ) {
        let (language, _, source) = samples().swap_remove(pick);
        let mut lines: Vec<&str> = source.split_inclusive('\n').collect();
        let (line, other) = (line.index(lines.len()), other.index(lines.len()));
        match what {
            0 => { lines.remove(line); }
            1 => lines.insert(line, lines[other]),
            2 => lines.swap(line, other),
            _ => { lines.drain(line.min(other)..line.max(other)); }
        }
        let before = Parsed::new(language, source.as_bytes()).unwrap();
        let after = lines.concat();
        let Ok(version) = before.version(after.as_bytes()) else { return Ok(()) };
        // A version keeps the grammar of its base, where a new text may take the wider one.
        let Ok(fresh) = Parsed::strict(before.language(), after.as_bytes()) else { return Ok(()) };
        prop_assert_eq!(version.source(), fresh.source());
        prop_assert_eq!(version.outline(), fresh.outline());
        prop_assert_eq!(version.tokens(), fresh.tokens());
        prop_assert_eq!(version.error_signature(), fresh.error_signature());
    }

    #[test]
    fn random_bytes_never_crash(
        pick in 0usize..12,
        bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        if let Ok(parsed) = Parsed::new(LanguageId::ALL[pick], &bytes) {
            exercise(&parsed);
        }
    }
}
