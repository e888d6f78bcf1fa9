//! Malformed, oversized, unknown and half-sent: an answer each, and the server stays up.

use gatewright_model::Mode;
use gatewright_testkit::{Random, Scratch, cases, seed};
use serde_json::{Value, json};

use crate::client::Client;
use crate::fuzzed;

async fn is_up(client: &mut Client) {
    let read = client.ok("read_file", json!({"path": "kept.txt"})).await;
    assert_eq!(read["content"], "kept\n");
}

async fn started(scratch: &Scratch) -> Client {
    scratch.write("a.txt", "one\n");
    scratch.write("kept.txt", "kept\n");
    Client::start(scratch, Mode::Hybrid).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_json_is_a_parse_error() {
    let scratch = Scratch::new();
    let mut client = started(&scratch).await;
    let deep = "[".repeat(100_000);
    for line in ["{", "not json", "\u{0}", "{\"jsonrpc\":\"2.0\",\"id\":1,", deep.as_str()] {
        client.send_raw(format!("{line}\n").as_bytes()).await;
        let answer = client.answer().await;
        assert_eq!(answer["error"]["code"], -32700, "{answer}");
        assert!(answer["id"].is_null());
    }
    client.send_raw(b"\xff\xfe{}\n").await;
    assert_eq!(client.answer().await["error"]["code"], -32700);
    client.send_raw(b"\n\r\n").await;
    is_up(&mut client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn json_that_is_no_request_is_a_protocol_error() {
    let scratch = Scratch::new();
    let mut client = started(&scratch).await;
    for line in ["[]", "42", "\"text\"", "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]"] {
        client.send_raw(format!("{line}\n").as_bytes()).await;
        let answer = client.answer().await;
        assert_eq!(answer["error"]["code"], -32600, "{line}: {answer}");
    }
    is_up(&mut client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_megabytes_in_one_line_are_refused_by_id() {
    let scratch = Scratch::new();
    let mut client = started(&scratch).await;
    let head = r#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"big","content":""#;
    client.send_raw(head.as_bytes()).await;
    let piece = vec![b'a'; 1024 * 1024];
    for _ in 0..50 {
        client.send_raw(&piece).await;
    }
    client.send_raw(b"\"}}}\n").await;
    let answer = client.answer().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(77), &json!(-32600)), "{answer}");
    assert!(!scratch.has("big"));
    is_up(&mut client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_tools_and_methods_are_protocol_errors() {
    let scratch = Scratch::new();
    let mut client = started(&scratch).await;
    let unknown = client.request("tools/call", json!({"name": "approve", "arguments": {}})).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let method = client.request("no/such/method", json!({})).await;
    assert_eq!(method["error"]["code"], -32601, "{method}");
    is_up(&mut client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_types_are_refusals_that_a_model_can_read() {
    let scratch = Scratch::new();
    let mut client = started(&scratch).await;
    let wrong = [
        ("read_file", json!({"path": 5})),
        ("read_file", json!({})),
        ("read_file", json!({"path": "a.txt", "root": "/"})),
        ("edit_file", json!({"path": "a.txt", "edits": "none"})),
        ("write_file", json!({"path": "a.txt", "content": ["x"]})),
        ("write_file", json!({"path": "a.txt", "content": "x", "expect": "sha256:zz"})),
        ("search", json!({"pattern": ""})),
        ("wait_for_review", json!({"change_id": "x", "timeout_seconds": -1})),
    ];
    for (tool, arguments) in wrong {
        let refused = client.refused(tool, arguments.clone()).await;
        assert_eq!(refused["recoverable"], true, "{tool} {arguments}: {refused}");
    }
    is_up(&mut client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn words_before_the_opening_do_not_end_the_server() {
    let scratch = Scratch::new();
    scratch.write("kept.txt", "kept\n");
    let mut client = Client::connect(&scratch, Mode::Hybrid);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    client.send(&json!({"jsonrpc": "2.0", "id": 5, "result": {}})).await;
    let early = client.request("tools/list", json!({})).await;
    assert!(early["error"]["code"].is_i64(), "{early}");
    client.initialize("2025-06-18").await;
    is_up(&mut client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_vanishes_leaves_nothing_half_written() {
    let scratch = Scratch::new();
    let content = "x\n".repeat(200_000);
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    for number in 0..8 {
        let arguments = json!({"path": format!("f{number}.txt"), "content": content});
        client.begin("tools/call", json!({"name": "write_file", "arguments": arguments})).await;
    }
    client.hang_up().await.expect("a clean end");
    for path in scratch.tree().entries.keys() {
        assert_eq!(scratch.read_text(path), content, "{path}");
    }
    let mut again = Client::start(&scratch, Mode::Autonomous).await;
    again.ok("list_dir", json!({})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_half_sent_request_and_an_early_end_are_no_failure() {
    let scratch = Scratch::new();
    let mut client = started(&scratch).await;
    client.send_raw(b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/ca").await;
    client.hang_up().await.expect("a clean end");
    Client::connect(&scratch, Mode::Hybrid).hang_up().await.expect("a clean end");
}

#[tokio::test(flavor = "multi_thread")]
async fn mangled_messages_never_bring_the_server_down() {
    let seed = seed();
    println!("GATEWRIGHT_SEED={seed}");
    let mut random = Random::new(seed);
    let scratch = Scratch::new();
    let mut client = started(&scratch).await;
    let before = scratch.tree();
    for round in 0..cases(200) {
        let message = fuzzed::request(&mut random, 900_000 + round);
        client.send_raw(&fuzzed::mangled(&message, &mut random)).await;
        if round % 20 == 19 {
            catch_up(&mut client).await;
        }
    }
    catch_up(&mut client).await;
    assert_eq!(scratch.tree(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_with_something_wrong_in_it_gets_its_own_answer() {
    let seed = seed();
    println!("GATEWRIGHT_SEED={seed}");
    let mut random = Random::new(seed);
    let scratch = Scratch::new();
    let mut older = started(&scratch).await;
    let mut newer = Client::connect(&scratch, Mode::Hybrid);
    let before = scratch.tree();
    for round in 0..cases(200) {
        let id = 900_000 + round;
        let (client, message) = match round % 2 {
            0 => (&mut older, fuzzed::request(&mut random, id)),
            _ => (&mut newer, fuzzed::newer_request(&mut random, id)),
        };
        client.send(&message).await;
        let answer = client.answer().await;
        assert_eq!(answer["id"], id, "{message}\n{answer}");
        assert_is_answer(&answer, &message);
    }
    is_up(&mut older).await;
    assert_eq!(scratch.tree(), before);
}

/// A protocol error, a refusal that says why, or a result.
fn assert_is_answer(answer: &Value, message: &Value) {
    let is_error = answer["error"]["code"].is_i64() && answer["error"]["message"].is_string();
    let result = &answer["result"];
    let refuses = result["isError"] == true && result["structuredContent"]["code"].is_string();
    let answers = result.is_object() && result["isError"] != true;
    assert!(is_error || refuses || answers, "{message}\n{answer}");
}

/// Answers to what was understood by chance come first; then the server answers this.
async fn catch_up(client: &mut Client) {
    let params = json!({"name": "read_file", "arguments": {"path": "kept.txt"}});
    let marker = client.begin("tools/call", params).await;
    loop {
        let answer: Value = client.answer().await;
        if answer["id"] == marker && answer["result"]["structuredContent"]["content"] == "kept\n" {
            return;
        }
    }
}
