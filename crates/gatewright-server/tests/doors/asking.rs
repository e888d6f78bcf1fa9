//! Asking the person at the client: the page, a form, or neither; and no answer approves.

use gatewright_engine::{Choice, Engine, Part, UnitDecision};
use gatewright_model::{Autonomy, Mode};
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::Client;
use crate::http_client::{Up, meta};

fn forms() -> Value {
    json!({"elicitation": {"form": {}}})
}

fn both() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}})
}

fn write() -> Value {
    json!({"name": "write_file", "arguments": {"path": "a.txt", "content": "two\n"}})
}

fn workspace() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    scratch
}

/// A person accepts everything in the page.
fn accept(engine: &Engine, id: &str) {
    let decision = UnitDecision { choice: Choice::Accept, lines: None, comment: None };
    engine.decide(id, &Part::All, Some(decision)).expect("decided");
    engine.apply_staged(id, "a person", false).expect("applied");
}

fn only_change(client: &Client) -> String {
    let open = client.engine.open_changes().expect("a stage");
    assert_eq!(open.len(), 1, "one call stages one change");
    open[0].id.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_can_turn_a_change_down_with_words_for_the_agent() {
    let scratch = workspace();
    let mut client = Client::start_with(&scratch, Mode::Hybrid, forms()).await;
    let id = client.begin("tools/call", write()).await;
    let question = client.question().await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    assert_eq!(question["params"]["mode"], "form", "{question}");
    assert!(question["params"]["message"].as_str().unwrap().contains("a.txt"), "{question}");
    let change = only_change(&client);
    let content = json!({"decision": "reject", "comment": "not this file"});
    client.reply(&question, json!({"action": "accept", "content": content})).await;
    let answer = client.answer().await;
    assert_eq!(answer["id"], id);
    let body = &answer["result"]["structuredContent"];
    assert_eq!(
        (&answer["result"]["isError"], &body["code"]),
        (&json!(true), &json!("rejected-by-person"))
    );
    assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains("not this file"));
    assert_eq!(body["change_id"], *change, "{body}");
    assert_eq!(scratch.read_text("a.txt"), "one\n");
    let last = client.engine.ledger().len().unwrap() - 1;
    let receipt = client.engine.ledger().get(last).unwrap().unwrap();
    assert_eq!(receipt.body.reviewer.as_deref(), Some("form of Test Client"));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_to_a_form_approves() {
    let replies = [
        json!({"action": "accept", "content": {"decision": "accept"}}),
        json!({"action": "accept", "content": {"decision": "leave", "approve": true}}),
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
        json!({"action": "approve"}),
        json!({"unknown": 1}),
    ];
    for reply in replies {
        let scratch = workspace();
        let mut client = Client::start_with(&scratch, Mode::Hybrid, forms()).await;
        client.begin("tools/call", write()).await;
        let question = client.question().await;
        client.reply(&question, reply.clone()).await;
        let answer = client.answer().await;
        let body = &answer["result"]["structuredContent"];
        assert_eq!(body["outcome"], "staged", "{reply}: {answer}");
        assert_eq!(scratch.read_text("a.txt"), "one\n");
        only_change(&client);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_opens_addresses_is_shown_the_page_and_hears_the_decision() {
    let scratch = workspace();
    let up = Up::start(&scratch, Mode::Hybrid);
    let mut client = Client::start_with(&scratch, Mode::Hybrid, both()).await;
    client.begin("tools/call", write()).await;
    let question = client.question().await;
    assert_eq!(question["params"]["mode"], "url", "{question}");
    // Without a code: who follows it has to be signed in already.
    assert_eq!(question["params"]["url"], format!("http://127.0.0.1:{}/", up.port));
    client.reply(&question, json!({"action": "accept"})).await;
    let change = only_change(&client);
    accept(&client.engine, &change);
    let answer = loop {
        let message = client.receive().await;
        if message["method"] == "notifications/elicitation/complete" {
            assert_eq!(message["params"]["elicitationId"], *change);
            continue;
        }
        if message.get("id").is_some() {
            break message;
        }
    };
    let body = &answer["result"]["structuredContent"];
    assert_eq!((&body["outcome"], &body["review"]["accepted"]), (&json!("applied"), &json!(1)));
    assert_eq!(scratch.read_text("a.txt"), "two\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_page_to_show_the_form_is_asked_and_without_either_nothing() {
    let scratch = workspace();
    let mut client = Client::start_with(&scratch, Mode::Hybrid, both()).await;
    client.begin("tools/call", write()).await;
    let question = client.question().await;
    assert_eq!(question["params"]["mode"], "form", "no `up` runs: {question}");
    client.reply(&question, json!({"action": "decline"})).await;
    client.answer().await;
    let only_pages = json!({"elicitation": {"url": {}}});
    let mut client = Client::start_with(&scratch, Mode::Hybrid, only_pages).await;
    let answer = client.request("tools/call", write()).await;
    assert_eq!(answer["result"]["structuredContent"]["outcome"], "staged", "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_can_apply_is_asked_of_nobody() {
    let scratch = workspace();
    let mut client = Client::start_with(&scratch, Mode::Hybrid, forms()).await;
    let autonomy = Autonomy { mode: Mode::Hybrid, suggest_only: true };
    client.engine.set_autonomy(autonomy).expect("the mode is set");
    let answer = client.request("tools/call", write()).await;
    assert_eq!(answer["result"]["structuredContent"]["outcome"], "staged", "{answer}");
    let read = json!({"name": "read_file", "arguments": {"path": "a.txt"}});
    client.request("tools/call", read).await;
}

fn newer(capabilities: &Value) -> Value {
    let mut params = write();
    params["_meta"] = meta("2026-07-28", capabilities);
    params
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wire_without_sessions_asks_in_the_result() {
    let scratch = workspace();
    let mut client = Client::connect(&scratch, Mode::Hybrid);
    let first = client.request("tools/call", newer(&forms())).await;
    let asked = &first["result"];
    assert_eq!(asked["resultType"], "input_required", "{first}");
    let question = &asked["inputRequests"]["review"];
    assert_eq!(question["method"], "elicitation/create", "{question}");
    assert_eq!(question["params"]["mode"], "form", "{question}");
    let change = only_change(&client);
    let mut again = newer(&forms());
    again["requestState"] = asked["requestState"].clone();
    // An answer that is not there leaves the change as it is, and stages no second one.
    let waiting = client.request("tools/call", again.clone()).await;
    assert_eq!(waiting["result"]["structuredContent"]["outcome"], "staged", "{waiting}");
    only_change(&client);
    again["inputResponses"] = json!({"another": {"action": "accept"}});
    let asked_again = client.request("tools/call", again.clone()).await;
    assert_eq!(asked_again["result"]["resultType"], "input_required", "{asked_again}");
    only_change(&client);
    let content = json!({"decision": "reject", "comment": "no"});
    again["inputResponses"] = json!({"review": {"action": "accept", "content": content}});
    let done = client.request("tools/call", again.clone()).await;
    let body = &done["result"]["structuredContent"];
    assert_eq!((&body["outcome"], &body["change_id"]), (&json!("rejected"), &json!(change)));
    assert_eq!(scratch.read_text("a.txt"), "one\n");
    again["requestState"] = json!("change:forged");
    let forged = client.request("tools/call", again.clone()).await;
    assert_eq!(forged["result"]["isError"], true, "{forged}");
    again["requestState"] = json!("nonsense");
    let forged = client.request("tools/call", again).await;
    assert_eq!(forged["result"]["isError"], true, "{forged}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wire_without_sessions_shows_the_page() {
    let scratch = workspace();
    let up = Up::start(&scratch, Mode::Hybrid);
    let mut client = Client::connect(&scratch, Mode::Hybrid);
    let first = client.request("tools/call", newer(&both())).await;
    let question = &first["result"]["inputRequests"]["review"]["params"];
    assert_eq!(question["url"], format!("http://127.0.0.1:{}/", up.port), "{first}");
    accept(&client.engine, &only_change(&client));
    let mut again = newer(&both());
    again["requestState"] = first["result"]["requestState"].clone();
    again["inputResponses"] = json!({"review": {"action": "accept"}});
    let done = client.request("tools/call", again).await;
    assert_eq!(done["result"]["structuredContent"]["outcome"], "applied", "{done}");
    assert_eq!(scratch.read_text("a.txt"), "two\n");
}
