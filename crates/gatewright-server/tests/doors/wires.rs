//! Both families of revisions, and the list of tools as a golden file.

use gatewright_model::Mode;
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::Client;

pub fn meta(version: &str) -> Value {
    crate::http_client::meta(version, &json!({}))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_revision_with_initialize_is_spoken() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let scratch = Scratch::new();
        scratch.write("a.txt", "one\n");
        let mut client = Client::connect(&scratch, Mode::Hybrid);
        let answer = client.initialize(version).await;
        assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
        assert_eq!(answer["result"]["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        let read = client.ok("read_file", json!({"path": "a.txt"})).await;
        assert_eq!(read["content"], "one\n");
        client.hang_up().await.expect("a clean end");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revision_that_does_not_exist_is_answered_with_one_that_does() {
    let scratch = Scratch::new();
    let mut client = Client::connect(&scratch, Mode::Hybrid);
    let answer = client.initialize("1999-01-01").await;
    let version = answer["result"]["protocolVersion"].as_str().expect("a version");
    assert!(version.starts_with("20"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wire_without_sessions_is_spoken() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let mut client = Client::connect(&scratch, Mode::Hybrid);
    let found = client.request("server/discover", json!({"_meta": meta("2026-07-28")})).await;
    let versions = found["result"]["supportedVersions"].to_string();
    assert!(versions.contains("2026-07-28") && versions.contains("2024-11-05"), "{found}");
    let list = client.request("tools/list", json!({"_meta": meta("2026-07-28")})).await;
    assert_eq!(list["result"]["cacheScope"], "private", "{list}");
    assert_eq!(list["result"]["resultType"], "complete");
    let params = json!({
        "_meta": meta("2026-07-28"), "name": "write_file",
        "arguments": {"path": "a.txt", "content": "two\n"},
    });
    let staged = client.request("tools/call", params).await;
    assert_eq!(staged["result"]["structuredContent"]["outcome"], "staged", "{staged}");
    let change = &client.engine.open_changes().unwrap()[0];
    assert_eq!(change.agent.name, "Newer Client");
    assert!(change.run_id.starts_with("newer-client-"), "{}", change.run_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_revision_in_a_request_is_a_protocol_error() {
    let scratch = Scratch::new();
    let mut client = Client::connect(&scratch, Mode::Hybrid);
    let answer = client.request("tools/list", json!({"_meta": meta("2031-01-01")})).await;
    assert!(answer["error"]["code"].is_i64(), "{answer}");
    client.initialize("2025-06-18").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_tools_is_the_golden_one() {
    let scratch = Scratch::new();
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let list = client.request("tools/list", json!({})).await;
    let tools = list["result"]["tools"].clone();
    assert!(tools.to_string().len() <= 12_000, "{} bytes", tools.to_string().len());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/tools.json");
    if std::env::var_os("GATEWRIGHT_BLESS").is_some() {
        let text = serde_json::to_string_pretty(&tools).unwrap();
        std::fs::write(path, format!("{text}\n")).unwrap();
    }
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(tools, golden, "GATEWRIGHT_BLESS=1 rewrites the golden list");
}
