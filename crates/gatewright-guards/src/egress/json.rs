//! Redaction inside JSON: only strings change, and the result stays JSON.
//!
//! A string is looked at as it reads, without its escapes, and together with
//! the key that it stands under, so that `{"password": "…"}` is understood in
//! any layout. Everything outside strings is kept byte for byte.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde_json::Value;

use super::json_strings::{Literal, literals};
use super::kind::{Counts, Kind};
use super::redacted::Redacted;
use super::redactor::{Redaction, Redactor, replace};

/// The longest text that is remembered as clean, and how many are for each name.
const SHORT: usize = 64;
const MOST_CLEAN: usize = 256;

impl Redactor {
    /// Hides what must not leave in every string of `value`, keys included.
    pub fn redact_json(&self, value: Value) -> Redacted<Value> {
        let mut pass =
            JsonPass { redactor: self, counts: Counts::default(), clean: HashMap::new() };
        let value = pass.value(value, None);
        Redacted::new(value, pass.counts)
    }

    /// Redacts a JSON text, or any text when it is no JSON, and keeps its layout.
    pub fn seal_json_text(&self, text: &str) -> Redacted<String> {
        let Some(literals) = literals(text).or_else(|| decoded_literals(text)) else {
            return self.seal(text);
        };
        let mut counts = Counts::default();
        let mut output = String::with_capacity(text.len());
        let mut from = 0;
        let mut key: Option<Cow<'_, str>> = None;
        for literal in literals {
            let under = if literal.is_key { None } else { key.as_deref() };
            if let Some(hidden) = self.redact_string(&literal.text, under, &mut counts) {
                output.push_str(&text[from..literal.range.start]);
                output.push_str(&Value::String(hidden).to_string());
                from = literal.range.end;
            }
            if literal.is_key {
                key = Some(literal.text);
            }
        }
        output.push_str(&text[from..]);
        Redacted::new(output, counts)
    }

    /// The redacted string, or `None` when nothing is hidden.
    fn redact_string(&self, text: &str, key: Option<&str>, counts: &mut Counts) -> Option<String> {
        let mut redactions = self.find(text.as_bytes());
        if let Some(key) = key {
            self.add_findings_under_key(text, key, &mut redactions);
        }
        if redactions.is_empty() {
            return None;
        }
        for redaction in &redactions {
            counts.add(redaction.kind);
        }
        String::from_utf8(replace(text.as_bytes(), &redactions)).ok()
    }

    fn add_findings_under_key(&self, text: &str, key: &str, redactions: &mut Vec<Redaction>) {
        if !redactions.is_empty()
            || text.len() < 4
            || text.len() > 4096
            || text.contains(['"', '\n', '\\'])
        {
            return;
        }
        let prefix = format!("\"{key}\": \"");
        let whole = format!("{prefix}{text}\"");
        let inside = self.find(whole.as_bytes()).into_iter().filter(|one| {
            one.start >= prefix.len()
                && one.end <= prefix.len() + text.len()
                && one.kind != Kind::Path
        });
        redactions.extend(inside.map(|one| Redaction {
            start: one.start - prefix.len(),
            end: one.end - prefix.len(),
            ..one
        }));
    }
}

/// One way through a JSON value.
///
/// The rows of a list have the same names, and often the same short texts: what was found clean
/// once in this value is not looked at again.
struct JsonPass<'a> {
    redactor: &'a Redactor,
    counts: Counts,
    /// Names in which nothing is hidden, each with such short texts that stood under it.
    clean: HashMap<String, HashSet<String>>,
}

impl JsonPass<'_> {
    fn value(&mut self, value: Value, key: Option<&str>) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text, key)),
            Value::Array(items) => items.into_iter().map(|item| self.value(item, key)).collect(),
            Value::Object(members) => {
                let members = members.into_iter().map(|(name, member)| {
                    let member = self.value(member, Some(&name));
                    (self.name(name), member)
                });
                Value::Object(members.collect())
            }
            other => other,
        }
    }

    fn name(&mut self, name: String) -> String {
        if self.clean.contains_key(&name) {
            return name;
        }
        if let Some(hidden) = self.redactor.redact_string(&name, None, &mut self.counts) {
            return hidden;
        }
        if self.clean.len() < MOST_CLEAN && name.len() <= SHORT {
            self.clean.insert(name.clone(), HashSet::new());
        }
        name
    }

    fn text(&mut self, text: String, key: Option<&str>) -> String {
        let known = key.and_then(|key| self.clean.get(key));
        if known.is_some_and(|known| known.contains(&text)) {
            return text;
        }
        if let Some(hidden) = self.redactor.redact_string(&text, key, &mut self.counts) {
            return hidden;
        }
        let known = key.and_then(|key| self.clean.get_mut(key));
        if let Some(known) = known.filter(|known| known.len() < MOST_CLEAN && text.len() <= SHORT) {
            known.insert(text.clone());
        }
        text
    }
}

/// The string literals of a JSON text that read as text, found the slow way; `None` when it is none.
///
/// Half of a character is allowed in JSON and stands for no text.
fn decoded_literals(text: &str) -> Option<Vec<Literal<'_>>> {
    let is_json = text.trim_start().starts_with(['{', '[', '"'])
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let decoded = |range: Range<usize>| {
        let decoded: String = serde_json::from_str(&text[range.clone()]).ok()?;
        let is_key = text[range.end..].trim_start().starts_with(':');
        Some(Literal { range, text: Cow::Owned(decoded), is_key })
    };
    is_json.then(|| string_literals(text.as_bytes()).into_iter().filter_map(decoded).collect())
}

/// The string literals of a valid JSON text, quotes included.
fn string_literals(text: &[u8]) -> Vec<Range<usize>> {
    let mut literals = Vec::new();
    let mut at = 0;
    while let Some(offset) = memchr::memchr(b'"', &text[at..]) {
        let start = at + offset;
        let mut end = start + 1;
        while let Some(&byte) = text.get(end) {
            match byte {
                b'\\' => end += 2,
                b'"' => break,
                _ => end += 1,
            }
        }
        at = (end + 1).min(text.len());
        literals.push(start..at);
    }
    literals
}
