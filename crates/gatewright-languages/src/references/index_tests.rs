//! Facts are those of their bytes, however they are kept.

use std::collections::HashSet;

use super::super::words::WordSet;
use super::*;

#[test]
fn every_bit_and_every_length_has_a_key_of_its_own() {
    let mut keys = HashSet::new();
    for length in 0..200 {
        assert!(keys.insert(Content::of(&vec![0; length]).key("a")), "{length} zeros");
        assert!(
            keys.insert(Content::of(&vec![0; length]).key("b")),
            "{length} zeros of another reader"
        );
    }
    let text: Vec<u8> = (0..100).collect();
    for bit in 0..text.len() * 8 {
        let mut other = text.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        assert!(keys.insert(Content::of(&other).key("a")), "bit {bit}");
    }
}

#[test]
fn the_number_of_a_parse_is_that_of_its_text() {
    let text = b"def open():\n    return 1\n";
    let parsed = Parsed::new(crate::syntax::LanguageId::Python, text).unwrap();
    assert_eq!(Content::of_parse(&parsed).key("a"), Content::of(text).key("a"));
    let longer = parsed.edited(gatewright_model::Span::new(0, 0), b"\n").unwrap();
    assert_eq!(Content::of_parse(&longer).key("a"), Content::of(longer.source()).key("a"));
}

#[test]
fn packed_facts_are_built_once_and_stay_the_same() {
    let index = Index::new();
    let texts: Vec<String> = (0..ASKED * 3).map(|number| format!("word{number}")).collect();
    for text in &texts {
        index.packed("words", text.as_bytes(), || WordSet::of(text.as_bytes()));
    }
    for text in &texts {
        let facts = index.packed::<WordSet>("words", text.as_bytes(), || panic!("built twice"));
        assert!(facts.may_hold(text) && !facts.may_hold("word"));
    }
    assert!(index.asked.count() <= ASKED);
}

#[test]
fn lasting_facts_are_not_built_again_by_a_later_process() {
    let index = Index::new();
    let texts: Vec<String> = (0..64).map(|number| format!("word{number}")).collect();
    for text in &texts {
        index.lasting("words", text.as_bytes(), || WordSet::of(text.as_bytes()));
        index.packed("here", text.as_bytes(), || WordSet::of(text.as_bytes()));
    }
    let bytes = index.to_keep().unwrap();
    let later = Index::starting_from(move || Some(bytes));
    for text in &texts {
        let build = || panic!("built twice");
        assert!(later.lasting::<WordSet>("words", text.as_bytes(), build).may_hold(text));
    }
    let here = later.packed("here", b"word0", || WordSet::of(b"new"));
    assert!(here.may_hold("new"));
}
