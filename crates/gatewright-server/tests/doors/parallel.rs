//! Many calls at once from eight clients: each is answered, and applied exactly once.

use std::collections::BTreeSet;

use gatewright_model::Mode;
use gatewright_testkit::{Scratch, cases};
use serde_json::{Value, json};

use crate::client::Client;

const CLIENTS: u64 = 8;

fn slot(number: u64) -> String {
    format!("slot {number} is free\n")
}

fn taken(number: u64) -> String {
    format!("slot {number} is taken\n")
}

/// All calls of one client, sent before the first answer is read.
async fn call_all(scratch: &Scratch, calls: BTreeSet<u64>) -> Vec<Value> {
    let mut client = Client::start(scratch, Mode::Autonomous).await;
    for number in &calls {
        // One file for everybody: an update that overwrites another one shows.
        let arguments =
            json!({"path": "slots.txt", "old_string": slot(*number), "new_string": taken(*number)});
        client.begin("tools/call", json!({"name": "edit_file", "arguments": arguments})).await;
    }
    let mut answers = Vec::new();
    for _ in &calls {
        answers.push(client.answer().await);
    }
    client.hang_up().await.expect("a clean end");
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_call_is_lost_and_none_is_applied_twice() {
    // The full size is a thousand.
    let total = cases(80).min(1000);
    let scratch = Scratch::new();
    let text: String = (0..total).map(slot).collect();
    scratch.write("slots.txt", text);
    let calls = |client: u64| (0..total).filter(|number| number % CLIENTS == client).collect();
    let clients = (0..CLIENTS).map(|client| call_all(&scratch, calls(client)));
    let answers: Vec<Value> = join_all(clients).await;
    assert_eq!(answers.len() as u64, total);
    for answer in &answers {
        assert_eq!(answer["result"]["structuredContent"]["outcome"], "applied", "{answer}");
    }
    let expected: String = (0..total).map(taken).collect();
    assert_eq!(scratch.read_text("slots.txt"), expected);
    let receipts: BTreeSet<String> = answers
        .iter()
        .filter_map(|answer| answer["result"]["structuredContent"]["receipt_id"].as_str())
        .map(str::to_owned)
        .collect();
    assert_eq!(receipts.len() as u64, total, "one receipt for each call");
    let client = Client::start(&scratch, Mode::Autonomous).await;
    let engine = &client.engine;
    let applied = (0..engine.ledger().len().unwrap())
        .filter_map(|seq| engine.ledger().get(seq).unwrap())
        .filter(|receipt| receipt.body.action.as_str() == "apply" && receipt.body.applied)
        .count();
    assert_eq!(applied as u64, total);
}

async fn join_all(clients: impl Iterator<Item = impl Future<Output = Vec<Value>>>) -> Vec<Value> {
    let mut clients: Vec<_> = clients.map(Box::pin).collect();
    let mut done: Vec<Option<Vec<Value>>> = clients.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (client, done) in clients.iter_mut().zip(&mut done) {
            if done.is_none()
                && let std::task::Poll::Ready(answers) = client.as_mut().poll(context)
            {
                *done = Some(answers);
            }
        }
        match done.iter().all(Option::is_some) {
            true => std::task::Poll::Ready(()),
            false => std::task::Poll::Pending,
        }
    })
    .await;
    done.into_iter().flatten().flatten().collect()
}
