//! Staging in hybrid mode: the run sees its own changes, and hears what people said.

use gatewright_engine::{Choice, Part, UnitDecision};
use gatewright_model::Mode;
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::Client;

fn decision(choice: Choice, comment: Option<&str>) -> Option<UnitDecision> {
    Some(UnitDecision { choice, lines: None, comment: comment.map(str::to_owned) })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_staged_change_is_no_error_and_the_run_sees_it() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let result = client.call("write_file", json!({"path": "a.txt", "content": "two\n"})).await;
    assert_eq!(result["isError"], false);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("staged, waiting for review"), "{text}");
    let id = result["structuredContent"]["change_id"].as_str().unwrap();
    assert!(text.contains(id));
    let next = result["structuredContent"]["next"].as_str().unwrap();
    assert!(next.contains("wait_for_review") && next.contains("nothing is written yet"), "{next}");
    assert_eq!(scratch.read_text("a.txt"), "one\n");
    let read = client.ok("read_file", json!({"path": "a.txt"})).await;
    assert_eq!((&read["content"], &read["staged"]), (&json!("two\n"), &json!(true)));
    client.ok("write_file", json!({"path": "new/b.txt", "content": "needle\n"})).await;
    let listed = client.ok("list_dir", json!({})).await;
    assert_eq!(listed["entries"][1]["name"], "new", "{listed}");
    let inside = client.ok("list_dir", json!({"path": "new"})).await;
    assert_eq!(inside["entries"][0]["name"], "b.txt", "{inside}");
    let found = client.ok("search", json!({"pattern": "needle"})).await;
    assert_eq!(found["matches"][0]["path"], "new/b.txt", "{found}");
    client.ok("delete_file", json!({"path": "a.txt"})).await;
    let listed = client.ok("list_dir", json!({})).await;
    assert!(!listed.to_string().contains("a.txt"), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_ends_when_a_person_has_decided() {
    let scratch = Scratch::new();
    let base: String = (1..=40).map(|n| format!("line {n}\n")).collect();
    scratch.write("a.txt", &base);
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let edits = json!([
        {"old_string": "line 2\n", "new_string": "LINE 2\n"},
        {"old_string": "line 20\n", "new_string": "LINE 20\n"},
        {"old_string": "line 39\n", "new_string": "LINE 39\n"},
    ]);
    let staged = client.ok("edit_file", json!({"path": "a.txt", "edits": edits})).await;
    let id = staged["change_id"].as_str().unwrap().to_owned();
    let params = json!({
        "name": "wait_for_review", "arguments": {"change_id": id, "timeout_seconds": 60},
        "_meta": {"progressToken": "t-1"},
    });
    let request = client.begin("tools/call", params).await;
    let first = client.receive().await;
    assert_eq!(first["method"], "notifications/progress", "{first}");
    assert_eq!(first["params"]["progressToken"], "t-1");
    let change = &client.engine.open_changes().unwrap()[0];
    let units: Vec<String> =
        change.files[0].units().iter().map(|unit| unit.id().0.clone()).collect();
    assert_eq!(units.len(), 3);
    let part = |unit: &String| Part::Unit { path: "a.txt".to_owned(), unit: unit.clone() };
    let engine = client.engine.clone();
    engine.decide(&id, &part(&units[0]), decision(Choice::Accept, None)).unwrap();
    engine.decide(&id, &part(&units[1]), decision(Choice::Reject, Some("not that one"))).unwrap();
    engine.decide(&id, &part(&units[2]), decision(Choice::Accept, None)).unwrap();
    engine.apply_staged(&id, "person", false).unwrap();
    let answer = client.answer().await;
    assert_eq!(answer["id"], request);
    let body = &answer["result"]["structuredContent"];
    assert_eq!((&body["decided"], &body["accepted"]), (&json!(true), &json!(2)), "{body}");
    assert!(body.to_string().contains("not that one"), "{body}");
    let expected = base.replace("line 2\n", "LINE 2\n").replace("line 39\n", "LINE 39\n");
    assert_eq!(scratch.read_text("a.txt"), expected);
    let changes = client.ok("changes", json!({"change_id": id, "diffs": true})).await;
    assert_eq!(changes["changes"][0]["state"], "applied", "{changes}");
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_is_bounded_and_says_that_nothing_is_decided() {
    let scratch = Scratch::new();
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let staged = client.ok("write_file", json!({"path": "a.txt", "content": "two\n"})).await;
    let arguments = json!({"change_id": staged["change_id"], "timeout_seconds": 0});
    let waited = client.ok("wait_for_review", arguments).await;
    assert_eq!(waited["decided"], false);
    assert_eq!(waited["change"]["state"], "open");
    let unknown = client.refused("wait_for_review", json!({"change_id": "nope"})).await;
    assert_eq!(unknown["code"], "no-such-change");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_run_sees_neither_the_change_nor_its_list() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let mut first = Client::start(&scratch, Mode::Hybrid).await;
    let staged = first.ok("write_file", json!({"path": "a.txt", "content": "two\n"})).await;
    let mut second = Client::start(&scratch, Mode::Hybrid).await;
    let read = second.ok("read_file", json!({"path": "a.txt"})).await;
    assert_eq!(read["content"], "one\n");
    assert_eq!(second.ok("changes", json!({})).await["changes"], Value::Array(Vec::new()));
    second.refused("wait_for_review", json!({"change_id": staged["change_id"]})).await;
}
