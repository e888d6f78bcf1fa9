//! Messages that are almost right: valid requests with a value, a field or a byte changed.

use gatewright_testkit::Random;
use serde_json::{Map, Value, json};

use crate::http_client::meta;

/// A message of the wire with sessions: valid JSON with this id, and something wrong in it.
pub fn request(random: &mut Random, id: u64) -> Value {
    let sample = sample_params(random);
    let params = twisted(random, sample);
    let method = if random.one_in(12) { word(random) } else { sample_method(&params) };
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// The same for the wire without sessions.
pub fn newer_request(random: &mut Random, id: u64) -> Value {
    let mut message = request(random, id);
    let version = if random.one_in(8) { word(random) } else { "2026-07-28".to_owned() };
    if let Some(params) = message["params"].as_object_mut() {
        params.insert("_meta".to_owned(), meta(&version, &json!({})));
    }
    message
}

/// Bytes of a message with some of them changed; never a line feed but at the end.
pub fn mangled(message: &Value, random: &mut Random) -> Vec<u8> {
    let mut bytes = message.to_string().into_bytes();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(3) {
            0 => bytes[at] = random.bytes(1)[0],
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, b"{}[]\",:0\\"[random.below(9)]),
        }
    }
    bytes.retain(|byte| *byte != b'\n');
    bytes.push(b'\n');
    bytes
}

fn sample_method(params: &Value) -> String {
    let method = if params.get("uri").is_some() { "resources/read" } else { "tools/call" };
    method.to_owned()
}

fn sample_params(random: &mut Random) -> Value {
    let samples = [
        ("read_file", json!({"path": "a.txt", "start_line": 1})),
        ("list_dir", json!({"path": "."})),
        ("search", json!({"pattern": "one", "glob": "*.txt"})),
        ("edit_file", json!({"path": "a.txt", "old_string": "one", "new_string": "two"})),
        ("edit_file", json!({"edits": [{"path": "a.txt", "old_string": "o", "new_string": "p"}]})),
        ("write_file", json!({"path": "b.txt", "content": "b\n", "expect": "absent"})),
        ("write_file", json!({"path": "b.txt", "content_base64": "YQ=="})),
        ("delete_file", json!({"path": "a.txt"})),
        ("move_file", json!({"from": "a.txt", "to": "c.txt"})),
        ("check", json!({"path": "a.txt", "content": "x"})),
        ("changes", json!({"diffs": true})),
    ];
    if random.one_in(10) {
        return json!({"uri": "gatewright://receipts/1"});
    }
    let (name, arguments) = random.pick(&samples);
    json!({"name": name, "arguments": arguments})
}

/// The value with one place in it changed, dropped or added.
fn twisted(random: &mut Random, value: Value) -> Value {
    match value {
        Value::Object(mut object) if !object.is_empty() && !random.one_in(10) => {
            let keys: Vec<String> = object.keys().cloned().collect();
            let key = random.pick(&keys).clone();
            match random.below(5) {
                0 => drop(object.remove(&key)),
                1 => drop(object.insert(word(random), odd(random))),
                2 => rename(random, &mut object, &key),
                _ => {
                    let inner = object.remove(&key).unwrap_or_default();
                    object.insert(key, twisted(random, inner));
                }
            }
            Value::Object(object)
        }
        Value::Array(mut items) if !items.is_empty() && !random.one_in(3) => {
            let at = random.below(items.len());
            let inner = items[at].take();
            items[at] = twisted(random, inner);
            Value::Array(items)
        }
        _ => odd(random),
    }
}

fn rename(random: &mut Random, object: &mut Map<String, Value>, key: &str) {
    let value = object.remove(key).unwrap_or_default();
    object.insert(word(random), value);
}

fn odd(random: &mut Random) -> Value {
    match random.below(11) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(1e300),
        4 => json!(u64::MAX),
        5 => json!([]),
        6 => json!({}),
        7 => json!([[["deep"]], {"x": [null]}]),
        8 => json!("x".repeat(random.below(70_000))),
        9 => json!("../../etc/passwd"),
        _ => Value::String(word(random)),
    }
}

fn word(random: &mut Random) -> String {
    let words = ["", "\u{0}", "ü\u{202e}x", "a/../../b", "/etc/passwd", ".git/config", "\r\n", "*"];
    if random.one_in(2) {
        return (*random.pick(&words)).to_owned();
    }
    let length = 1 + random.below(9);
    String::from_utf8_lossy(&random.bytes(length)).into_owned()
}
