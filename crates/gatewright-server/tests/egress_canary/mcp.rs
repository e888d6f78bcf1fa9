//! Every tool, resource and error of the MCP door.

use gatewright_model::Mode;
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::canary::{assert_silent, canaries, every_text};
use crate::client::Client;
use crate::fill::Filling;
use crate::records::assert_silent_records;

fn workspace() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("config.txt", format!("one\n{}two\n", every_text()));
    let body: String = canaries().iter().map(|one| format!("    # {}\n", one.text)).collect();
    let body =
        body.replace("\nM", "\n    # M").replace("\nQ", "\n    # Q").replace("\n-", "\n    # -");
    scratch.write("lib.py", format!("def connect():\n{body}    return 1\n"));
    scratch.write(".env", "DB_PASSWORD=Tr0ubCanary3xQ\n");
    scratch
}

/// What a member is most likely to want.
fn likely(name: &str) -> Option<String> {
    let file = match name {
        "symbol" | "name" => "connect",
        "old_string" => "one",
        "action" => "replace",
        "pattern" | "query" => "Canary|PRIVATE|=",
        "expect" | "content_base64" | "files" | "edits" | "diff" | "body" => return None,
        _ if name.contains("path") || name == "from" => "config.txt",
        "to" => "moved.txt",
        _ => return Some(every_text()),
    };
    Some(file.to_owned())
}

async fn call(client: &mut Client, tool: &str, arguments: Value) {
    let params = json!({"name": tool, "arguments": arguments});
    client.request("tools/call", params).await;
}

async fn walk_tools(client: &mut Client) -> usize {
    let listed = client.request("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().expect("tools").clone();
    for tool in &tools {
        let name = tool["name"].as_str().expect("a name");
        let schema = &tool["inputSchema"];
        let odd = |_: &str| Some(every_text());
        for text in [&likely as &dyn Fn(&str) -> Option<String>, &odd] {
            for optional in [false, true] {
                let filling = Filling { document: schema, text, optional };
                call(client, name, filling.value(schema, "", 0)).await;
            }
        }
        // Errors name what was sent.
        for canary in canaries() {
            call(client, name, json!({ (canary.text.clone()): 1 })).await;
            call(client, name, json!({"path": canary.text, "pattern": [canary.text]})).await;
            call(client, &canary.text, json!({})).await;
        }
    }
    tools.len()
}

async fn walk_resources(client: &mut Client) {
    let listed = client.request("resources/list", json!({})).await;
    for resource in listed["result"]["resources"].as_array().into_iter().flatten() {
        client.request("resources/read", json!({"uri": resource["uri"]})).await;
    }
    client.request("resources/templates/list", json!({})).await;
    for canary in canaries() {
        client.request("resources/read", json!({"uri": canary.text})).await;
        client.request(&canary.text, json!({})).await;
    }
    client
        .request("resources/read", json!({"uri": "file:///home/canaryuser/private/notes.txt"}))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_tool_shows_a_canary_in_any_mode() {
    for mode in [Mode::Manual, Mode::Hybrid, Mode::Autonomous] {
        let scratch = workspace();
        let mut client = Client::start(&scratch, mode).await;
        client.ok("read_file", json!({"path": "config.txt"})).await;
        client.ok("read_file", json!({"path": "lib.py"})).await;
        client.ok("search", json!({"pattern": "Canary"})).await;
        client.ok("search", json!({"pattern": "."})).await;
        let edit = json!({"path": "config.txt", "old_string": "one", "new_string": every_text()});
        client.call("edit_file", edit).await;
        assert!(walk_tools(&mut client).await >= 8);
        walk_resources(&mut client).await;
        client.call("read_file", json!({"path": "config.txt"})).await;
        assert!(client.seen.contains("[REDACTED:private-key]"), "the walk reached the files");
        assert_silent(&format!("the MCP door in {mode:?} mode"), &client.seen);
        let records = assert_silent_records(&format!("records in {mode:?} mode"), &scratch);
        assert!(records > 0, "a session leaves records");
    }
}
