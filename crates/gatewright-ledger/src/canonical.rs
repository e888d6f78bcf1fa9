//! Canonical JSON (RFC 8785), for values without floats.
//!
//! Integers stay within 2^53 − 1 and floats are refused, so that every JSON
//! implementation agrees on the text. With that restriction the whole of the
//! RFC is: members sorted by UTF-16 code units, shortest string escapes, no
//! white space.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The largest integer, in either direction, that every implementation keeps.
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

/// A value that has no canonical form here, or a text that is not one value.
#[derive(Debug, thiserror::Error)]
pub enum CanonicalError {
    /// The value cannot be JSON at all.
    #[error("the value cannot be written as JSON")]
    NotJson {
        /// What the serialiser said.
        #[source]
        source: serde_json::Error,
    },
    /// A float, or an integer past 2^53 − 1.
    #[error("the number {number} is not an integer within 2^53 - 1")]
    Number {
        /// The number as written.
        number: String,
    },
    /// The text is not strict JSON: syntax, a duplicate key, or such a number.
    #[error("not strict JSON")]
    NotStrict {
        /// What is wrong, and where.
        #[source]
        source: serde_json::Error,
    },
}

/// The canonical form of `value`.
///
/// ```
/// let value = serde_json::json!({"b": [1, "\u{20ac}\n"], "a": null});
/// let text = gatewright_ledger::canonical(&value).unwrap();
/// assert_eq!(String::from_utf8(text).unwrap(), "{\"a\":null,\"b\":[1,\"€\\n\"]}");
/// ```
pub fn canonical(value: &impl Serialize) -> Result<Vec<u8>, CanonicalError> {
    let value = serde_json::to_value(value).map_err(|source| CanonicalError::NotJson { source })?;
    canonical_value(&value)
}

/// The canonical form of a value that is JSON already.
pub(crate) fn canonical_value(value: &Value) -> Result<Vec<u8>, CanonicalError> {
    let mut out = Vec::with_capacity(1024);
    write_value(value, &mut out)?;
    Ok(out)
}

/// Reads one JSON value; refuses duplicate keys, floats and large integers.
///
/// ```
/// assert!(gatewright_ledger::parse_strict(br#"{"a":1}"#).is_ok());
/// assert!(gatewright_ledger::parse_strict(br#"{"a":1,"a":2}"#).is_err());
/// ```
pub fn parse_strict(text: &[u8]) -> Result<Value, CanonicalError> {
    serde_json::from_slice::<Strict>(text)
        .map(|strict| strict.0)
        .map_err(|source| CanonicalError::NotStrict { source })
}

fn write_value(value: &Value, out: &mut Vec<u8>) -> Result<(), CanonicalError> {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(number) => write_number(number, out)?,
        Value::String(text) => write_string(text, out)?,
        Value::Array(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                separate(index, out);
                write_value(item, out)?;
            }
            out.push(b']');
        }
        Value::Object(members) => write_object(members, out)?,
    }
    Ok(())
}

fn write_object(members: &Map<String, Value>, out: &mut Vec<u8>) -> Result<(), CanonicalError> {
    let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
    sorted.sort_by(|(left, _), (right, _)| left.encode_utf16().cmp(right.encode_utf16()));
    out.push(b'{');
    for (index, (key, value)) in sorted.into_iter().enumerate() {
        separate(index, out);
        write_string(key, out)?;
        out.push(b':');
        write_value(value, out)?;
    }
    out.push(b'}');
    Ok(())
}

fn separate(index: usize, out: &mut Vec<u8>) {
    if index > 0 {
        out.push(b',');
    }
}

fn write_number(number: &Number, out: &mut Vec<u8>) -> Result<(), CanonicalError> {
    if !is_safe(number) {
        return Err(CanonicalError::Number { number: number.to_string() });
    }
    out.extend_from_slice(number.to_string().as_bytes());
    Ok(())
}

fn is_safe(number: &Number) -> bool {
    let magnitude = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
    magnitude.is_some_and(|magnitude| magnitude <= MAX_INTEGER)
}

/// Strings as serde_json writes them: its escapes are those of RFC 8785.
fn write_string(text: &str, out: &mut Vec<u8>) -> Result<(), CanonicalError> {
    serde_json::to_writer(out, text).map_err(|source| CanonicalError::NotJson { source })
}

/// A value read without leniency.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Strict;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON without duplicate keys, floats and integers past 2^53 - 1")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Strict, E> {
        Ok(Strict(Value::Null))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Strict, E> {
        Ok(Strict(Value::Bool(value)))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Strict, E> {
        safe(Number::from(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Strict, E> {
        safe(Number::from(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Strict, E> {
        Ok(Strict(Value::String(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Strict, A::Error> {
        let mut values = Vec::new();
        while let Some(Strict(value)) = items.next_element()? {
            values.push(value);
        }
        Ok(Strict(Value::Array(values)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Strict, A::Error> {
        let mut seen = BTreeMap::new();
        while let Some(key) = members.next_key::<String>()? {
            if seen.contains_key(&key) {
                return Err(de::Error::custom(format_args!("the key {key:?} appears twice")));
            }
            let Strict(value) = members.next_value()?;
            seen.insert(key, value);
        }
        Ok(Strict(Value::Object(seen.into_iter().collect())))
    }
}

fn safe<E: de::Error>(number: Number) -> Result<Strict, E> {
    if !is_safe(&number) {
        return Err(E::custom(format_args!("the number {number} is past 2^53 - 1")));
    }
    Ok(Strict(Value::Number(number)))
}

#[cfg(test)]
#[path = "canonical_tests.rs"]
mod tests;

#[cfg(test)]
pub(crate) use tests::values as canonical_tests_values;
