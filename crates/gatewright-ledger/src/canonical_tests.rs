//! Tests of `canonical.rs`: the examples of RFC 8785 that have no floats, and
//! a naive version to compare with.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn text_of(value: &Value) -> String {
    String::from_utf8(canonical(value).unwrap()).unwrap()
}

#[test]
fn sorts_as_the_rfc_shows() {
    // RFC 8785, 3.2.3.
    let value = json!({
        "\u{20ac}": "Euro Sign",
        "\r": "Carriage Return",
        "\u{fb33}": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\u{1f600}": "Emoji: Grinning Face",
        "\u{80}": "Control",
        "\u{f6}": "Latin Small Letter O With Diaeresis",
    });
    let Value::Object(read) = serde_json::from_str::<Value>(&text_of(&value)).unwrap() else {
        unreachable!("an object was written");
    };
    assert_eq!(read.len(), 7);
    let text = text_of(&value);
    let places: Vec<usize> = [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ]
    .iter()
    .map(|name| text.find(name).unwrap())
    .collect();
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn escapes_as_the_rfc_shows() {
    // RFC 8785, 3.2.2.2 and 3.2.4.
    let value = json!({
        "string": "\u{20ac}$\u{f}\nA'\u{42}\u{22}\u{5c}\\\"/",
        "literals": [null, true, false],
    });
    let expected = "{\"literals\":[null,true,false],\
        \"string\":\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
    assert_eq!(text_of(&value), expected);
    assert_eq!(text_of(&json!("\u{8}\t\n\u{c}\r\u{7f}\u{1f}")), "\"\\b\\t\\n\\f\\r\u{7f}\\u001f\"");
}

#[test]
fn floats_and_large_integers_have_no_form() {
    let largest = MAX_INTEGER;
    assert_eq!(
        text_of(&json!([largest, -(largest as i64), 0])),
        format!("[{largest},-{largest},0]")
    );
    for number in [json!(0.5), json!(1.0), json!(largest + 1), json!(u64::MAX), json!(i64::MIN)] {
        assert!(canonical(&number).is_err(), "{number}");
    }
}

#[test]
fn strict_parsing_refuses_what_others_read_differently() {
    let refused: [&[u8]; 14] = [
        br#"{"a":1,"a":1}"#,
        br#"{"a":1,"\u0061":2}"#,
        br#"{"b":{"a":1,"a":2}}"#,
        br#"[{"a":1,"a":2}]"#,
        b"1.0",
        b"1e3",
        b"-0",
        b"9007199254740992",
        b"-9007199254740992",
        b"18446744073709551616",
        br#""\ud800""#,
        b"\"\xff\"",
        b"[1,]",
        b"1 2",
    ];
    for text in refused {
        let name = String::from_utf8_lossy(text).into_owned();
        assert!(parse_strict(text).is_err(), "{name}");
    }
    assert!(parse_strict("[".repeat(5_000).as_bytes()).is_err(), "deep nesting is an error");
    assert_eq!(parse_strict(br#" {"a": [1, "\u00e9"]} "#).unwrap(), json!({"a": [1, "é"]}));
}

/// Any value that has a canonical form.
pub(crate) fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-(MAX_INTEGER as i64)..=MAX_INTEGER as i64).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[\\x00-\\x7f\"\\\\]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(".{0,4}", inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The canonical form, written as plainly as possible.
fn naive(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(naive).collect::<Vec<_>>().join(","))
        }
        Value::Object(members) => {
            let mut members: Vec<(Vec<u16>, String)> = members
                .iter()
                .map(|(key, value)| {
                    let key_text = naive(&Value::from(key.as_str()));
                    (key.encode_utf16().collect(), format!("{key_text}:{}", naive(value)))
                })
                .collect();
            members.sort();
            let members: Vec<String> = members.into_iter().map(|(_, text)| text).collect();
            format!("{{{}}}", members.join(","))
        }
        Value::String(text) => format!("\"{}\"", text.chars().map(naive_char).collect::<String>()),
        other => other.to_string(),
    }
}

fn naive_char(c: char) -> String {
    match c {
        '"' => "\\\"".into(),
        '\\' => "\\\\".into(),
        '\u{8}' => "\\b".into(),
        '\t' => "\\t".into(),
        '\n' => "\\n".into(),
        '\u{c}' => "\\f".into(),
        '\r' => "\\r".into(),
        c if c < ' ' => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    }
}

proptest! {
    #[test]
    fn agrees_with_the_naive_version_and_reads_back(value in values()) {
        let text = text_of(&value);
        prop_assert_eq!(&text, &naive(&value));
        prop_assert_eq!(parse_strict(text.as_bytes()).unwrap(), value);
    }
}
