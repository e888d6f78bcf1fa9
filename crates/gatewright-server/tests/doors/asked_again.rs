//! The same question twice: the answer is the one that a fresh look at the file gives.

use gatewright_model::Mode;
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::Client;

/// A value that the workspace's own settings name as a secret.
const CANARY: &str = "canary-7d2c9a7e3b2d4860-value";

/// A workspace with the secret in its settings and in a head of a source file.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write(".env", format!("SERVICE_TOKEN={CANARY}\n"));
    scratch.write("a.py", source("alpha"));
    scratch
}

/// A file whose outline is long, with the secret in a head.
fn source(name: &str) -> String {
    let functions: String = (0..80)
        .map(|number| format!("def {name}_{number:02}(a, b):\n    return a\n\n\n"))
        .collect();
    format!("{functions}def last(token=\"{CANARY}\"):\n    return token\n")
}

fn names(answer: &Value) -> Vec<&str> {
    let rows = answer["symbols"].as_array().map(Vec::as_slice).unwrap_or_default();
    rows.iter().filter_map(|row| row["symbol"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_answer_is_the_same_and_redacted() {
    let scratch = scratch();
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let question = || json!({"path": "a.py"});
    let first = client.ok("symbols", question()).await;
    assert_eq!(names(&first).len(), 81);
    for _ in 0..3 {
        assert_eq!(client.ok("symbols", question()).await, first);
    }
    assert!(first.to_string().contains("[REDACTED:"), "{first}");
    assert!(!client.seen.contains(CANARY));
}

#[tokio::test(flavor = "multi_thread")]
async fn other_bytes_of_the_same_size_and_time_get_another_answer() {
    let scratch = scratch();
    let path = scratch.root().join("a.py");
    let modified = std::fs::metadata(&path).and_then(|found| found.modified()).expect("a time");
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let question = || json!({"path": "a.py"});
    client.ok("symbols", question()).await;
    for name in ["gamma", "delta", "alpha"] {
        std::fs::write(&path, source(name)).expect("written");
        let file = std::fs::File::options().write(true).open(&path).expect("opened");
        file.set_modified(modified).expect("the time is set back");
        let answer = client.ok("symbols", question()).await;
        assert!(names(&answer)[0].starts_with(name), "{name}: {:?}", names(&answer).first());
    }
    assert!(!client.seen.contains(CANARY));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_in_between_is_seen_at_once() {
    let scratch = scratch();
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    for round in 0..6 {
        let before = client.ok("symbols", json!({"path": "a.py"})).await;
        let body = format!("def added_{round}():\n    return {round}");
        let edit = json!({
            "symbol": "last", "path": "a.py", "action": "insert", "position": "before", "body": body,
        });
        client.ok("edit_code", edit).await;
        let after = client.ok("symbols", json!({"path": "a.py"})).await;
        assert_eq!(names(&after).len(), names(&before).len() + 1);
        assert!(names(&after).contains(&format!("added_{round}").as_str()));
    }
}
