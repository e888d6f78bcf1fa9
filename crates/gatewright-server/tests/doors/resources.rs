//! Staged changes and receipts as resources, and the word that there are new ones.

use gatewright_model::Mode;
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::Client;
use crate::wires::meta;

#[tokio::test(flavor = "multi_thread")]
async fn a_staged_change_and_its_receipt_can_be_read() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\n");
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let edit = json!({"path": "notes.txt", "old_string": "one", "new_string": "two"});
    let staged = client.ok("edit_file", edit).await;
    let listed = client.request("resources/list", json!({})).await;
    let uris: Vec<&str> = listed["result"]["resources"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|resource| resource["uri"].as_str().expect("an address"))
        .collect();
    let change = format!("gatewright://changes/{}", staged["change_id"].as_str().unwrap());
    assert!(uris.contains(&change.as_str()), "{uris:?}");
    let read = client.request("resources/read", json!({"uri": change})).await;
    let text = read["result"]["contents"][0]["text"].as_str().expect("a text");
    let value: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(value["state"], "open");
    let receipt = uris.iter().find(|uri| uri.starts_with("gatewright://receipts/")).unwrap();
    let read = client.request("resources/read", json!({"uri": receipt})).await;
    assert!(read["result"]["contents"][0]["text"].as_str().unwrap().contains("receipt_id"));
    for uri in ["gatewright://changes/none", "gatewright://receipts/9999", "file:///etc/passwd"] {
        let refused = client.request("resources/read", json!({"uri": uri})).await;
        assert!(refused["error"]["code"].is_number(), "{uri}: {refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_hears_that_the_list_has_changed() {
    let scratch = Scratch::new();
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let told = |client: &Client| {
        let mut told = client.notifications.iter();
        told.find(|told| told["method"] == "notifications/resources/list_changed").cloned()
    };
    // What is staged before the server has looked for the first time is no news to it.
    for round in 0..30 {
        let name = format!("notes-{round}.txt");
        scratch.write(&name, "one\n");
        let edit = json!({"path": name, "old_string": "one", "new_string": "two"});
        client.ok("edit_file", edit).await;
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        client.ok("list_dir", json!({})).await;
        if let Some(told) = told(&client) {
            assert!(told.get("id").is_none());
            return;
        }
    }
    panic!("the client was never told: {:?}", client.notifications);
}

/// Without sessions the word comes on a stream that the client asks for.
#[tokio::test(flavor = "multi_thread")]
async fn the_wire_without_sessions_hears_it_on_its_own_stream() {
    let scratch = Scratch::new();
    let mut client = Client::connect(&scratch, Mode::Hybrid);
    let wanted = json!({"resourcesListChanged": true});
    let listen = json!({"_meta": meta("2026-07-28"), "notifications": wanted});
    client.begin("subscriptions/listen", listen).await;
    for round in 0..30 {
        let name = format!("notes-{round}.txt");
        let arguments = json!({"path": name, "content": "one\n"});
        let call =
            json!({"_meta": meta("2026-07-28"), "name": "write_file", "arguments": arguments});
        client.request("tools/call", call).await;
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        client.request("tools/list", json!({"_meta": meta("2026-07-28")})).await;
        let is_word = |told: &&Value| told["method"] == "notifications/resources/list_changed";
        if client.notifications.iter().any(|told| is_word(&told)) {
            return;
        }
    }
    panic!("the client was never told: {:?}", client.notifications);
}
