//! The same bad input over HTTP: an answer each, `up` stays up, nothing is half-written.

use std::io::Write;

use gatewright_model::Mode;
use gatewright_testkit::{Random, Scratch, cases, seed};
use serde_json::{Value, json};

use crate::fuzzed;
use crate::http_client::{Up, answer_on, meta, newer_headers};

fn started(scratch: &Scratch, mode: Mode) -> Up {
    scratch.write("a.txt", "one\n");
    scratch.write("kept.txt", "kept\n");
    Up::start(scratch, mode)
}

fn call(name: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {
        "name": name, "arguments": arguments, "_meta": meta("2026-07-28", &json!({}))}})
}

fn is_up(up: &Up) {
    let headers = newer_headers("tools/call", "read_file");
    let read = up.send(&headers, "/mcp", &call("read_file", &json!({"path": "kept.txt"})));
    assert!(read.contains("\"content\":\"kept\\n\""), "{read}");
}

#[test]
fn what_is_no_message_is_a_refused_request() {
    let scratch = Scratch::new();
    let up = started(&scratch, Mode::Hybrid);
    let session = up.session();
    let older = [("Mcp-Session-Id", &*session), ("MCP-Protocol-Version", "2025-11-25")];
    let newer = newer_headers("tools/call", "read_file");
    let deep = "[".repeat(100_000);
    let bodies: [&[u8]; 7] = [b"", b"{", b"not json", b"\xff\xfe{}", b"42", b"[]", deep.as_bytes()];
    for body in bodies {
        for headers in [&older[..], &newer[..], &[]] {
            let answer = up.send_raw(headers, "/mcp", body);
            assert!((400..500).contains(&answer.status), "{body:.40?}: {}", answer.text);
        }
    }
    is_up(&up);
}

#[test]
fn fifty_megabytes_in_one_body_are_refused() {
    let scratch = Scratch::new();
    let up = started(&scratch, Mode::Autonomous);
    let content = "a".repeat(50 * 1024 * 1024);
    let body = call("write_file", &json!({"path": "big", "content": content})).to_string();
    let headers = newer_headers("tools/call", "write_file");
    let answer = up.send_raw(&headers, "/mcp", body.as_bytes());
    // The connection may be closed before the answer is read.
    assert!(matches!(answer.status, 0 | 413), "{}", answer.text);
    assert!(!scratch.has("big"));
    is_up(&up);
}

#[test]
fn unknown_names_and_wrong_types_are_answered_in_words() {
    let scratch = Scratch::new();
    let up = started(&scratch, Mode::Hybrid);
    let send = |name: &str, arguments: &Value| {
        up.send(&newer_headers("tools/call", name), "/mcp", &call(name, arguments))
    };
    let unknown = send("approve", &json!({}));
    assert!(unknown.contains("-32602"), "{unknown}");
    let wrong = send("read_file", &json!({"path": 5}));
    assert!(wrong.contains("bad-arguments") && wrong.contains("\"isError\":true"), "{wrong}");
    is_up(&up);
}

#[test]
fn a_revision_that_does_not_exist_is_refused() {
    let scratch = Scratch::new();
    let up = started(&scratch, Mode::Hybrid);
    let mut message = call("read_file", &json!({"path": "a.txt"}));
    message["params"]["_meta"] = meta("2031-01-01", &json!({}));
    let headers = [
        ("MCP-Protocol-Version", "2031-01-01"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "read_file"),
    ];
    let answer = up.send_raw(&headers, "/mcp", message.to_string().as_bytes());
    assert!((400..500).contains(&answer.status), "{}", answer.text);
    let unknown = [("Mcp-Session-Id", "no-such-session"), ("MCP-Protocol-Version", "2025-11-25")];
    let listing = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let answer = up.send_raw(&unknown, "/mcp", listing.to_string().as_bytes());
    assert!((400..500).contains(&answer.status), "{}", answer.text);
    is_up(&up);
}

#[test]
fn a_client_that_vanishes_leaves_nothing_half_written() {
    let scratch = Scratch::new();
    let up = started(&scratch, Mode::Autonomous);
    let content = "x\n".repeat(200_000);
    let headers = newer_headers("tools/call", "write_file");
    for number in 0..8 {
        let arguments = json!({"path": format!("f{number}.txt"), "content": content});
        let body = call("write_file", &arguments).to_string();
        let mut stream = up.begin(&headers, "/mcp", body.len());
        // Some leave in the middle of the message, some while it is worked on.
        let sent = if number % 2 == 0 { body.len() } else { body.len() / 2 };
        stream.write_all(&body.as_bytes()[..sent]).expect("bytes");
        drop(stream);
    }
    is_up(&up);
    // A change after all of those waits for them.
    let last = call("write_file", &json!({"path": "last.txt", "content": content}));
    let mut stream = up.begin(&headers, "/mcp", last.to_string().len());
    stream.write_all(last.to_string().as_bytes()).expect("a request");
    let answer = answer_on(stream);
    assert!(answer.text.contains("applied"), "{}", answer.text);
    for path in
        scratch.tree().entries.keys().filter(|path| !matches!(&***path, "a.txt" | "kept.txt"))
    {
        assert_eq!(scratch.read_text(path), content, "{path}");
        assert!(!["f1.txt", "f3.txt", "f5.txt", "f7.txt"].contains(&&**path), "{path}");
    }
}

#[test]
fn every_fuzzed_request_is_answered() {
    let seed = seed();
    println!("GATEWRIGHT_SEED={seed}");
    let mut random = Random::new(seed);
    let scratch = Scratch::new();
    let up = started(&scratch, Mode::Hybrid);
    let session = up.session();
    let before = scratch.tree();
    for round in 0..cases(200) {
        let is_newer = random.one_in(2);
        let message = match is_newer {
            true => fuzzed::newer_request(&mut random, round),
            false => fuzzed::request(&mut random, round),
        };
        let is_mangled = random.one_in(3);
        let body = match is_mangled {
            true => fuzzed::mangled(&message, &mut random),
            false => message.to_string().into_bytes(),
        };
        let method = message["method"].as_str().filter(|text| is_plain(text)).unwrap_or("x");
        let name = message["params"]["name"].as_str().filter(|text| is_plain(text)).unwrap_or("x");
        let older = [("Mcp-Session-Id", &*session), ("MCP-Protocol-Version", "2025-11-25")];
        let newer = newer_headers(method, name);
        let headers = if is_newer { &newer[..] } else { &older[..] };
        let answer = up.send_raw(headers, "/mcp", &body);
        let is_answered = match answer.status {
            200 => answer.text.contains(&format!("\"id\":{round}")) || is_mangled,
            202 => is_mangled,
            status => (400..500).contains(&status),
        };
        assert!(is_answered, "{}\n{}", String::from_utf8_lossy(&body), answer.text);
    }
    is_up(&up);
    assert_eq!(scratch.tree(), before);
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}
