//! Facts are those of their bytes, however they are kept.

use std::collections::HashSet;

use super::super::words::WordSet;
use super::*;

#[test]
fn every_bit_and_every_length_has_a_key_of_its_own() {
    let mut keys = HashSet::new();
    for length in 0..200 {
        assert!(keys.insert(key("a", &vec![0; length])), "{length} zeros");
        assert!(keys.insert(key("b", &vec![0; length])), "{length} zeros of another reader");
    }
    let text: Vec<u8> = (0..100).collect();
    for bit in 0..text.len() * 8 {
        let mut other = text.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        assert!(keys.insert(key("a", &other)), "bit {bit}");
    }
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
    assert!(lock(&index.asked).len() <= ASKED);
}

#[test]
fn lasting_facts_are_not_built_again_by_a_later_process_with_the_same_reader() {
    let index = Index::new();
    let texts: Vec<String> = (0..WORTH_WRITING).map(|number| format!("word{number}")).collect();
    for text in &texts {
        index.lasting(("words", 1), text.as_bytes(), || WordSet::of(text.as_bytes()));
        index.packed("here", text.as_bytes(), || WordSet::of(text.as_bytes()));
    }
    let bytes = index.to_keep().unwrap();
    let later = Index::starting_from(move || Some(bytes));
    for text in &texts {
        let build = || panic!("built twice");
        assert!(later.lasting::<WordSet>(("words", 1), text.as_bytes(), build).may_hold(text));
    }
    let here = later.packed("here", b"word0", || WordSet::of(b"new"));
    assert!(here.may_hold("new"));
}

#[test]
fn facts_of_another_reader_are_not_taken_from_an_earlier_process() {
    let index = Index::new();
    for number in 0..WORTH_WRITING {
        let text = number.to_string();
        index.lasting(("words", 1), text.as_bytes(), || WordSet::of(b"old"));
    }
    let bytes = index.to_keep().unwrap();
    let later = Index::starting_from(move || Some(bytes));
    assert!(later.lasting(("words", 2), b"0", || WordSet::of(b"new")).may_hold("new"));
}
