//! Tests of `scan.rs`: it accepts exactly what `canonical` writes.

use proptest::prelude::*;

use super::*;
use crate::canonical::{canonical, canonical_tests_values as values, parse_strict};

/// The same answer, by reading the value and writing it again.
fn is_canonical_by_rewriting(text: &[u8]) -> bool {
    parse_strict(text).is_ok_and(|value| canonical(&value).is_ok_and(|again| again == text))
}

#[test]
fn refuses_each_way_to_write_a_value_differently() {
    let refused: [&[u8]; 24] = [
        b"",
        b" 1",
        b"1 ",
        b"{\"a\": 1}",
        b"{\"b\":1,\"a\":2}",
        b"{\"a\":1,\"a\":2}",
        b"{\"a\":1,}",
        b"{\"a\"}",
        b"[1,]",
        b"[1",
        b"01",
        b"-0",
        b"-",
        b"1.0",
        b"1e2",
        b"9007199254740992",
        b"\"\\u0041\"",
        b"\"\\u000a\"",
        b"\"\\u000F\"",
        b"\"\\/\"",
        b"\"\n\"",
        b"\"\xff\"",
        b"\"\\",
        b"nul",
    ];
    for text in refused {
        assert!(!is_canonical(text), "{}", String::from_utf8_lossy(text));
        assert!(!is_canonical_by_rewriting(text), "{}", String::from_utf8_lossy(text));
    }
    for depth in [126, 127, 128, 129, 4_000] {
        let text = ["[".repeat(depth), "]".repeat(depth)].concat();
        assert_eq!(is_canonical(text.as_bytes()), is_canonical_by_rewriting(text.as_bytes()));
    }
}

#[test]
fn orders_keys_by_utf16_and_not_by_bytes() {
    assert!(is_canonical("{\"\u{1f600}\":1,\"\u{fb33}\":2}".as_bytes()));
    assert!(!is_canonical("{\"\u{fb33}\":1,\"\u{1f600}\":2}".as_bytes()));
    assert!(is_canonical(br#"{"\n":1,"\"":2,"a":3}"#));
}

#[test]
fn finds_the_members_with_their_commas() {
    let text = br#"{"a":{"x":[1]},"b":"c,","d":2}"#;
    let mut found = Vec::new();
    scan(text, &mut |member| found.push(member)).unwrap();
    let spans: Vec<&[u8]> = found.iter().map(|member| &text[member.span.clone()]).collect();
    let expected: [&[u8]; 3] = [br#""a":{"x":[1]}"#, br#","b":"c,""#, br#","d":2"#];
    assert_eq!(spans, expected);
    assert_eq!(string_of(found[1].value).unwrap(), b"c,".as_slice());
    assert!(string_of(found[2].value).is_none());
}

proptest! {
    #[test]
    fn accepts_what_canonical_writes(value in values()) {
        prop_assert!(is_canonical(&canonical(&value).unwrap()));
    }

    #[test]
    fn agrees_with_rewriting_on_damaged_text(value in values(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut text = canonical(&value).unwrap();
        let at = at.index(text.len());
        text[at] = byte;
        prop_assert_eq!(is_canonical(&text), is_canonical_by_rewriting(&text));
    }

    #[test]
    fn agrees_with_rewriting_on_json_like_text(text in "[\\[\\]{}:,\"\\\\a-bu0-1\\-]{0,12}") {
        prop_assert_eq!(is_canonical(text.as_bytes()), is_canonical_by_rewriting(text.as_bytes()));
    }
}
