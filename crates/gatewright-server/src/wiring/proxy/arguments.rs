//! What the arguments of a foreign tool say: paths, whole texts, edits.

use gatewright_model::TextEdit;
use serde_json::{Map, Value};

const PATHS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "destination",
    "dest",
    "target",
    "source",
    "src",
    "uri",
    "dir",
    "directory",
    "folder",
    "to",
    "from",
];
const CONTENT: &[&str] = &["content", "contents", "text", "file_text", "data", "body"];
const OLD: &[&str] = &["old_string", "oldText", "old_text", "oldString", "old_str", "search"];
const NEW: &[&str] = &["new_string", "newText", "new_text", "newString", "new_str", "replace"];

/// The content of a file, where the arguments hold one.
pub fn content_of(arguments: &Map<String, Value>) -> Option<&str> {
    text_of(arguments, CONTENT)
}

/// The words of a name, whatever its case.
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        let starts_word = !c.is_alphanumeric() || (c.is_uppercase() && was_lower);
        if starts_word {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    words
}

fn is_path_key(key: &str) -> bool {
    let words = words(key);
    let is_plain = words.iter().any(|word| PATHS.contains(&word.as_str()));
    is_plain && !words.iter().any(|word| CONTENT.contains(&word.as_str()))
        || words.iter().any(|word| word.ends_with("path") || word.ends_with("filename"))
}

/// The paths in the arguments; `named` are keys that the user says hold one.
pub fn paths_of(arguments: &Map<String, Value>, named: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in arguments {
        collect(key, value, named, &mut found);
    }
    found
}

fn collect(key: &str, value: &Value, named: &[String], found: &mut Vec<String>) {
    let is_path = || named.iter().any(|name| name == key) || is_path_key(key);
    match value {
        Value::String(text) if is_path() && !text.contains('\n') => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(key, item, named, found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(key, item)| collect(key, item, named, found));
        }
        _ => {}
    }
}

fn text_of<'a>(fields: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| fields.get(*key)?.as_str())
}

/// The edits, where the arguments hold some.
pub fn edits_of(arguments: &Map<String, Value>) -> Vec<TextEdit> {
    let one = |fields: &Map<String, Value>| {
        let (old, new) = (text_of(fields, OLD)?, text_of(fields, NEW)?);
        Some(TextEdit { old: old.to_owned(), new: new.to_owned(), replace_all: false })
    };
    match arguments.get("edits").and_then(Value::as_array) {
        Some(edits) => edits.iter().filter_map(|edit| one(edit.as_object()?)).collect(),
        None => one(arguments).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_are_found_at_any_depth() {
        let arguments = json!({
            "filePath": "a", "destination": "b", "content": "c", "nested": [{ "new_path": "d" }],
            "paths": ["e", "f"], "count": 3, "title": "g",
        });
        let arguments = arguments.as_object().unwrap();
        let found = |named: &[String]| {
            let mut found = paths_of(arguments, named);
            found.sort();
            found
        };
        assert_eq!(found(&[]), ["a", "b", "d", "e", "f"]);
        assert_eq!(found(&["title".to_owned()]), ["a", "b", "d", "e", "f", "g"]);
    }
}
