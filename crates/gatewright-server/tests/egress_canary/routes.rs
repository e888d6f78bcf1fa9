//! Every route of the review page, its errors, its receipts and its event stream.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use gatewright_engine::{Base, Operation};
use gatewright_model::RequestedPath;
use gatewright_server::http::{describe, watch_for_events};
use serde_json::{Value, json};
use tokio_stream::StreamExt;
use tower::ServiceExt;

use crate::canary::{assert_silent, canaries, every_text};
use crate::fill::Filling;
use crate::page::{HOST, Page};

/// Everything that the page was sent.
#[derive(Default)]
struct Heard(String);

impl Heard {
    async fn get(&mut self, page: &Page, path: &str) {
        let reply = page.get(path).await;
        self.0.push_str(&format!("GET {} {:?} {}\n", reply.status, reply.headers, reply.text));
    }

    async fn post(&mut self, page: &Page, path: &str, body: &Value) {
        let reply = page.post(path, body).await;
        self.0.push_str(&format!("POST {} {:?} {}\n", reply.status, reply.headers, reply.text));
    }
}

/// A page with a staged change, one applied receipt and one refusal, canaries in all of them.
async fn busy_page() -> (Page, Vec<String>) {
    let page = Page::new().await;
    page.scratch.write("config.txt", format!("one\n{}two\n", every_text()));
    page.scratch.write("plain.txt", "one\ntwo\n");
    let applied = page.propose_edit("plain.txt", &[("one", &every_text())]);
    let all = json!({
        "content": page.content(&applied).await, "part": { "of": "all" }, "choice": "accept",
    });
    let decided = page.post(&format!("/api/changes/{applied}/decide"), &all).await.json();
    let apply = json!({ "version": decided["version"], "confirm": true });
    let done = page.post(&format!("/api/changes/{applied}/apply"), &apply).await.json();
    let receipt = done["receipt_id"].as_str().expect("applied").to_owned();
    let staged = page.propose_edit("config.txt", &[("two", "three")]);
    let written = page.propose(Operation::Write {
        path: RequestedPath::new("new.txt"),
        content: every_text().into_bytes(),
        base: Base::Current,
    });
    (page, vec![staged, written, receipt])
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

async fn walk(page: &Page, ids: &[String], heard: &mut Heard) -> usize {
    let description = describe();
    let mut count = 0;
    for (path, operations) in description["paths"].as_object().expect("paths") {
        if path == "/api/events" {
            continue;
        }
        let ids: Vec<String> = match path.contains("{id}") {
            true => ids.iter().cloned().chain([encoded(&canaries()[0].text)]).collect(),
            false => vec![String::new()],
        };
        for id in &ids {
            let path = path.replace("{id}", id);
            if let Some(operation) = operations.get("get") {
                count += 1;
                heard.get(page, &format!("{path}{}", query(operation, "config.txt"))).await;
                heard.get(page, &format!("{path}{}", query(operation, &every_text()))).await;
            }
            if let Some(operation) = operations.get("post") {
                count += 1;
                let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
                let text = |name: &str| match name {
                    "path" => Some("config.txt".to_owned()),
                    _ => Some(every_text()),
                };
                let filling = Filling { document: &description, text: &text, optional: true };
                heard.post(page, &path, &filling.value(schema, "", 0)).await;
                let odd = |_: &str| Some(every_text());
                let filling = Filling { document: &description, text: &odd, optional: true };
                heard.post(page, &path, &filling.value(schema, "", 0)).await;
                heard
                    .post(page, &path, &json!({ (canaries()[0].text.clone()): every_text() }))
                    .await;
            }
        }
    }
    count
}

fn query(operation: &Value, path: &str) -> String {
    let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
    let pairs: Vec<String> = parameters
        .iter()
        .filter(|parameter| parameter["in"] == "query")
        .filter_map(|parameter| parameter["name"].as_str())
        .map(|name| match name {
            "from" | "before" => format!("{name}=1"),
            "to" | "limit" => format!("{name}=20"),
            _ => format!("{name}={}", encoded(path)),
        })
        .collect();
    if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
}

#[tokio::test]
async fn no_route_shows_a_canary() {
    let (page, ids) = busy_page().await;
    let mut heard = Heard::default();
    for id in &ids[..2] {
        heard.get(&page, &format!("/api/changes/{id}")).await;
    }
    heard.get(&page, &format!("/api/changes/{}/lines?path=config.txt&from=1&to=20", ids[0])).await;
    assert!(heard.0.contains("[REDACTED:private-key]"), "the walk reached the changes");
    assert!(walk(&page, &ids, &mut heard).await > 30);
    heard.get(&page, "/api/receipts").await;
    heard.get(&page, "/api/receipts/export").await;
    heard.get(&page, "/home/canaryuser/private/notes.txt").await;
    assert_silent("the review page", &heard.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_event_shows_a_canary() {
    let page = Page::new().await;
    tokio::spawn(watch_for_events(Arc::clone(&page.app)));
    let request = Request::get("/api/events").header("host", HOST).header("cookie", &page.cookie);
    let request = request.body(Body::empty()).expect("a request");
    let response = page.router.clone().oneshot(request).await.expect("infallible");
    let mut body = response.into_body().into_data_stream();
    let mut text = String::new();
    let name = "notes-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.txt";
    page.scratch.write(name, "one\n");
    let id = page.propose_edit(name, &[("one", &every_text())]);
    while !text.contains(&id) {
        let next = tokio::time::timeout(Duration::from_secs(20), body.next()).await;
        let bytes = next.expect("in time").expect("open").expect("no error");
        text.push_str(&String::from_utf8_lossy(&bytes));
    }
    assert_silent("the event stream", &text);
    let mut heard = Heard::default();
    heard.get(&page, "/api/changes").await;
    assert_silent("the list of changes", &heard.0);
}
