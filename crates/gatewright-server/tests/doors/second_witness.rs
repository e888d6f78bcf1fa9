//! A real language server as the second witness of what an agent proposes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gatewright_engine::Engine;
use gatewright_engine::ledger::ReceiptQuery;
use gatewright_model::{Action, Mode, RequestedPath};
use gatewright_server::up::{ask, servers_of};
use gatewright_testkit::{Scratch, skip};
use serde_json::{Value, json};

use crate::client::{Client, engine};
use crate::hook_socket;

/// The server on `PATH`.
fn ty() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("ty")).find(|file| file.is_file())
}

fn configure(scratch: &Scratch, server: &Path) {
    let config = scratch.config().join("gatewright");
    std::fs::create_dir_all(&config).expect("a folder");
    let text =
        format!("[languages.python]\nserver = [{:?}, \"server\"]\n", server.display().to_string());
    std::fs::write(config.join("config.toml"), text).expect("a configuration");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_server_is_heard_after_the_first_answer() {
    let Some(server) = ty() else { skip!("ty is not installed") };
    let scratch = Scratch::new();
    scratch.write("shop.py", "def total() -> int:\n    return 1\n");
    configure(&scratch, &server);
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    client.ok("diagnostics", json!({"path": "shop.py"})).await;
    // On a slow machine the server may not be ready in time; then it is not heard.
    for round in 0..20 {
        let text = "from shop import totl, total\n\n\ndef run():\n    return total().frob()\n";
        let path = format!("app{round}.py");
        let input = json!({"path": path, "content": text});
        let answer = client.ok("write_file", input).await;
        let id = answer["change_id"].as_str().expect("it is staged").to_owned();
        for _ in 0..40 {
            let changes = client.ok("changes", json!({"change_id": id})).await;
            if let Some(word) = changes["changes"][0]["second_witness"].as_str() {
                return check(word, &path, &client);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    panic!("the server was never heard");
}

/// The hook allows what the host writes itself; the server of `up` is heard of it all the same.
#[test]
fn a_running_server_is_heard_of_what_a_hook_allowed() {
    let Some(server) = ty() else { skip!("ty is not installed") };
    let scratch = Scratch::new();
    scratch.write("shop.py", "def total() -> int:\n    return 1\n");
    configure(&scratch, &server);
    let engine = engine(&scratch, Mode::Autonomous);
    hook_socket::serve(&scratch);
    engine.language_servers().ask_first(servers_of(engine.layout()));
    let path = RequestedPath::new("shop.py");
    // On a slow machine the server may not be ready in time; then it is not heard.
    for round in 0..20 {
        let warmed = engine.diagnostics(&path, "warming").expect("an answer");
        assert!(warmed.server.is_some(), "{:?}", warmed.notes);
        let text = "from shop import total\n\n\ndef run():\n    return total().frob()\n";
        let file = scratch.root().join(format!("app{round}.py"));
        let input = json!({"file_path": file, "content": text});
        let mut event = hook_socket::event(&scratch, "PreToolUse", "Write", input);
        event["tool_use_id"] = json!(format!("toolu_{round}"));
        let request = hook_socket::request(&scratch, &event, Duration::ZERO);
        let answer = hook_socket::answered(ask(&hook_socket::layout(&scratch), &request));
        assert!(answer.stdout.contains("allow"), "{}", answer.stdout);
        for _ in 0..40 {
            if let Some(word) = word_of_witness(&engine) {
                // It may be about an earlier round.
                assert!(word.contains("second witness ty: adds app"), "{word}");
                assert!(word.contains(".py:5") && word.contains("frob"), "{word}");
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    panic!("the server was never heard");
}

fn word_of_witness(engine: &Engine) -> Option<String> {
    let query = ReceiptQuery { action: Some(Action::Notice), ..ReceiptQuery::default() };
    let notices = engine.ledger().list(&query).expect("receipts");
    let notes = notices.into_iter().filter_map(|receipt| receipt.body.note);
    notes.into_iter().find(|note| note.starts_with("second witness"))
}

fn check(word: &str, path: &str, client: &Client) {
    assert!(word.contains("second witness ty"), "{word}");
    assert!(word.contains(&format!("confirms {path}:1 totl")), "{word}");
    assert!(word.contains(&format!("adds {path}:5")) && word.contains("frob"), "{word}");
    let receipts = client.engine.ledger();
    let last = receipts.get(receipts.len().unwrap() - 1).unwrap().expect("a receipt");
    let last = serde_json::to_value(&last).unwrap();
    assert_eq!(last["action"], "notice", "{last}");
    assert!(last["refers_to"].is_string() && last["applied"] == Value::Bool(false), "{last}");
    assert_eq!(last["findings"][0]["code"], "H110-second-witness", "{last}");
}
