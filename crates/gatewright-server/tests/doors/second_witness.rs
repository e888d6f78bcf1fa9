//! A real language server as the second witness of what an agent proposes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gatewright_model::Mode;
use gatewright_testkit::{Scratch, skip};
use serde_json::{Value, json};

use crate::client::Client;

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
