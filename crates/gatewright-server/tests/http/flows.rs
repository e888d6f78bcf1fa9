//! Whole reviews through the API: decide, edit, comment, apply, undo, verify.

use axum::http::StatusCode;
use gatewright_engine::{Base, Operation};
use gatewright_model::RequestedPath;
use serde_json::{Value, json};

use crate::page::Page;

const TEN: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n";

async fn page_with_three_hunks() -> (Page, String) {
    let page = Page::new().await;
    page.scratch.write("notes.txt", TEN);
    let id = page.propose_edit(
        "notes.txt",
        &[("1\n2\n", "one\n2\n"), ("\n10\n", "\nten\n"), ("20\n", "twenty\n")],
    );
    (page, id)
}

fn units(change: &Value) -> Vec<String> {
    let units = change["files"][0]["units"].as_array().expect("units");
    units.iter().map(|unit| unit["id"].as_str().expect("an id").to_owned()).collect()
}

fn unit(path: &str, unit: &str) -> Value {
    json!({ "of": "unit", "path": path, "unit": unit })
}

#[tokio::test]
async fn two_of_three_hunks_are_applied_and_the_undecided_one_stays() {
    let (page, id) = page_with_three_hunks().await;
    let change = page.get(&format!("/api/changes/{id}")).await.json();
    let ids = units(&change);
    assert_eq!(ids.len(), 3);
    let decide = format!("/api/changes/{id}/decide");
    let mut last = Value::Null;
    for (at, choice) in [(0, "accept"), (1, "reject")] {
        let body = json!({ "content": page.content(&id).await, "part": unit("notes.txt", &ids[at]), "choice": choice });
        last = page.post(&decide, &body).await.json();
    }
    assert_eq!(last["tally"], json!({"accepted": 1, "rejected": 1, "undecided": 1}));
    let version = last["version"].as_u64().expect("a version");
    assert_eq!(page.scratch.read_text("notes.txt"), TEN, "nothing is written before apply");
    let apply = format!("/api/changes/{id}/apply");
    let reply = page.post(&apply, &json!({ "version": version, "confirm": false })).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let text = page.scratch.read_text("notes.txt");
    assert!(text.starts_with("one\n") && text.contains("\n10\n") && text.ends_with("20\n"));
    let again = page.post(&apply, &json!({ "version": version, "confirm": false })).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "one use only: {}", again.text);
    let rest = page.get("/api/changes").await.json();
    assert_eq!(rest["changes"][0]["tally"]["undecided"], 1);
}

#[tokio::test]
async fn an_apply_for_another_version_writes_nothing() {
    let (page, id) = page_with_three_hunks().await;
    let seen = page.get(&format!("/api/changes/{id}")).await.json();
    let version = seen["summary"]["version"].as_u64().expect("a version");
    let body =
        json!({ "content": page.content(&id).await, "part": { "of": "all" }, "choice": "accept" });
    page.post(&format!("/api/changes/{id}/decide"), &body).await;
    let apply = json!({ "version": version, "confirm": true });
    let reply = page.post(&format!("/api/changes/{id}/apply"), &apply).await;
    assert_eq!(reply.status, StatusCode::CONFLICT);
    assert_eq!(page.scratch.read_text("notes.txt"), TEN);
}

#[tokio::test]
async fn single_lines_edits_and_comments_are_kept() {
    let (page, id) = page_with_three_hunks().await;
    let change = page.get(&format!("/api/changes/{id}")).await.json();
    let ids = units(&change);
    let lines = change["files"][0]["units"][0]["hunk"]["lines"].as_array().expect("lines");
    let added = lines.iter().position(|line| line["kind"] == "+").expect("an added line");
    let body = json!({ "content": page.content(&id).await, "part": unit("notes.txt", &ids[0]), "choice": "accept", "lines": [added] });
    page.post(&format!("/api/changes/{id}/decide"), &body).await;
    let comment = json!({ "content": page.content(&id).await, "path": "notes.txt", "unit": ids[1], "text": "line 10: keep digits" });
    let change = page.post(&format!("/api/changes/{id}/comment"), &comment).await.json();
    let second = &change["files"][0]["decisions"][ids[1].as_str()];
    assert_eq!(
        (&second["choice"], &second["comment"]),
        (&json!("reject"), &json!("line 10: keep digits"))
    );
    let edit = json!({ "content": page.content(&id).await, "path": "notes.txt", "unit": ids[2], "text": "17\n18\n19\nTWENTY\n" });
    let change = page.post(&format!("/api/changes/{id}/edit"), &edit).await.json();
    let version = change["summary"]["version"].as_u64().expect("a version");
    let apply = json!({ "version": version, "confirm": false });
    let reply = page.post(&format!("/api/changes/{id}/apply"), &apply).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let text = page.scratch.read_text("notes.txt");
    assert!(text.starts_with("1\none\n2\n") || text.starts_with("one\n1\n2\n"), "{text}");
    assert!(text.ends_with("19\nTWENTY\n"), "{text}");
}

#[tokio::test]
async fn a_second_window_cannot_decide_on_what_it_did_not_see() {
    let (page, id) = page_with_three_hunks().await;
    let seen = page.content(&id).await;
    let ids = units(&page.get(&format!("/api/changes/{id}")).await.json());
    let edit =
        json!({ "content": seen, "path": "notes.txt", "unit": ids[0], "text": "uno\n2\n3\n4\n" });
    let edited = page.post(&format!("/api/changes/{id}/edit"), &edit).await;
    assert_eq!(edited.status, StatusCode::OK, "{}", edited.text);
    // The other window still shows what was there before the edit.
    let all = json!({ "content": seen, "part": { "of": "all" }, "choice": "accept" });
    let comment = json!({ "content": seen, "path": "notes.txt", "unit": ids[1], "text": "no" });
    for (route, body) in [("decide", &all), ("comment", &comment), ("edit", &edit)] {
        let reply = page.post(&format!("/api/changes/{id}/{route}"), body).await;
        assert_eq!(reply.status, StatusCode::CONFLICT, "{route}: {}", reply.text);
        assert_eq!(reply.json()["error"]["code"], "stage-conflict");
    }
    let tally = page.get("/api/changes").await.json()["changes"][0]["tally"].clone();
    assert_eq!(tally, json!({"accepted": 1, "rejected": 0, "undecided": 2}));
    // Decisions alone change no content: both windows go on.
    let seen = page.content(&id).await;
    for at in [1, 2] {
        let body =
            json!({ "content": seen, "part": unit("notes.txt", &ids[at]), "choice": "reject" });
        let reply = page.post(&format!("/api/changes/{id}/decide"), &body).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    }
}

#[tokio::test]
async fn words_about_a_line_name_it_for_the_agent() {
    let (page, id) = page_with_three_hunks().await;
    let change = page.get(&format!("/api/changes/{id}")).await.json();
    let hunk = &change["files"][0]["units"][1];
    let at = |kind: &str| {
        let lines = hunk["hunk"]["lines"].as_array().expect("lines");
        lines.iter().position(|line| line["kind"] == kind).expect("such a line")
    };
    let mut last = Value::Null;
    for (line, text) in [(at("+"), "why words?"), (at("-"), "keep it")] {
        let body = json!({ "content": page.content(&id).await, "path": "notes.txt",
            "unit": hunk["id"], "line": line, "text": text });
        last = page.post(&format!("/api/changes/{id}/comment"), &body).await.json();
    }
    let decision = &last["files"][0]["decisions"][hunk["id"].as_str().expect("an id")];
    assert_eq!(decision["comment"], "line 10: why words?\nold line 10: keep it");
    let far = json!({ "content": page.content(&id).await, "path": "notes.txt",
        "unit": hunk["id"], "line": 999, "text": "x" });
    let reply = page.post(&format!("/api/changes/{id}/comment"), &far).await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{}", reply.text);
}

#[tokio::test]
async fn code_comes_with_its_colours() {
    let page = Page::new().await;
    page.scratch.write("a.py", "# one\n\n\n\n\n\ndef f():\n    return 1\n");
    let id = page.propose_edit("a.py", &[("return 1", "return \"two\"")]);
    let change = page.get(&format!("/api/changes/{id}")).await.json();
    let lines = change["files"][0]["units"][0]["hunk"]["lines"].as_array().expect("lines");
    let added = lines.iter().find(|line| line["kind"] == "+").expect("an added line");
    assert_eq!(added["spans"], "4 10 2 11 16 1", "{added}");
    let folded = page.get(&format!("/api/changes/{id}/lines?path=a.py&from=1&to=1")).await.json();
    assert_eq!(folded["lines"], json!([{ "text": "# one", "spans": "0 5 0" }]));
}

#[tokio::test]
async fn a_confirm_asks_and_undo_restores_what_was_there() {
    let page = Page::new().await;
    page.scratch.write(".github/workflows/ci.yml", "on: push\n");
    let id = page.propose(Operation::Write {
        path: RequestedPath::new(".github/workflows/ci.yml"),
        content: b"on: [push, pull_request]\n".to_vec(),
        base: Base::Current,
    });
    let body =
        json!({ "content": page.content(&id).await, "part": { "of": "all" }, "choice": "accept" });
    let change = page.post(&format!("/api/changes/{id}/decide"), &body).await.json();
    let seen = page.get(&format!("/api/changes/{id}")).await.json();
    assert_eq!(seen["verdict"], "confirm");
    let version = change["version"].as_u64().expect("a version");
    let apply = format!("/api/changes/{id}/apply");
    let refused = page.post(&apply, &json!({ "version": version, "confirm": false })).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);
    let applied = page.post(&apply, &json!({ "version": version, "confirm": true })).await;
    let receipt = applied.json()["receipt_id"].as_str().expect("a receipt").to_owned();
    let preview = page.get(&format!("/api/receipts/{receipt}/undo")).await.json();
    assert_eq!(preview["files"].as_array().map(Vec::len), Some(1), "{preview}");
    let undone = page.post(&format!("/api/receipts/{receipt}/rollback"), &json!({})).await;
    assert_eq!(undone.status, StatusCode::OK, "{}", undone.text);
    assert_eq!(page.scratch.read_text(".github/workflows/ci.yml"), "on: push\n");
    let verified = page.post("/api/receipts/verify", &json!({})).await.json();
    assert_eq!(verified["verdict"], "ok", "{verified}");
    let proof = page.get(&format!("/api/receipts/{receipt}/prove")).await.json();
    assert_eq!(proof["holds"], true);
    let export = page.get("/api/receipts/export").await;
    assert_eq!(export.text.lines().count() as u64, verified["receipts"].as_u64().expect("a count"));
}

#[tokio::test]
async fn no_secret_is_in_any_answer_and_an_edit_around_it_keeps_it() {
    let page = Page::new().await;
    let secret = "ghp_".to_owned() + "x8Kq2LmN4pR6sT9vW1yZ3bC5dF7gH03g21Ze";
    page.scratch.write("deploy.sh", format!("set -e\nexport T={secret}\nrun one\n"));
    let id = page.propose_edit("deploy.sh", &[("run one", "run two")]);
    let change = page.get(&format!("/api/changes/{id}")).await;
    assert!(!change.text.contains(&secret), "{}", change.text);
    assert!(change.text.contains("[REDACTED:"), "{}", change.text);
    let change = change.json();
    let unit = units(&change)[0].clone();
    let shown: String = change["files"][0]["units"][0]["hunk"]["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .filter(|line| line["kind"] != "-")
        .map(|line| format!("{}\n", line["text"].as_str().expect("text")))
        .collect();
    let edited = shown.replace("run two", "run three");
    let edit = json!({ "content": page.content(&id).await, "path": "deploy.sh", "unit": unit, "text": edited });
    let reply = page.post(&format!("/api/changes/{id}/edit"), &edit).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let version = reply.json()["summary"]["version"].as_u64().expect("a version");
    let apply = json!({ "version": version, "confirm": true });
    let reply = page.post(&format!("/api/changes/{id}/apply"), &apply).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let text = page.scratch.read_text("deploy.sh");
    assert_eq!(text, format!("set -e\nexport T={secret}\nrun three\n"));
}

#[tokio::test]
async fn a_file_that_changed_meanwhile_is_a_conflict_and_is_not_overwritten() {
    let (page, id) = page_with_three_hunks().await;
    page.scratch.write("notes.txt", format!("0\n{TEN}"));
    let body =
        json!({ "content": page.content(&id).await, "part": { "of": "all" }, "choice": "accept" });
    let change = page.post(&format!("/api/changes/{id}/decide"), &body).await.json();
    let seen = page.get(&format!("/api/changes/{id}")).await.json();
    assert!(seen["files"][0]["conflict"]["changed_since"].is_array(), "{seen}");
    let version = change["version"].as_u64().expect("a version");
    let apply = json!({ "version": version, "confirm": true });
    let reply = page.post(&format!("/api/changes/{id}/apply"), &apply).await;
    assert!(reply.status.is_client_error(), "{}", reply.text);
    assert_eq!(page.scratch.read_text("notes.txt"), format!("0\n{TEN}"));
}

#[tokio::test]
async fn suggest_only_cannot_be_applied_and_the_mode_is_shown() {
    let page = Page::new().await;
    page.scratch.write("notes.txt", TEN);
    let mode = json!({ "mode": "hybrid", "suggest_only": true });
    let set = page.post("/api/mode", &mode).await.json();
    assert_eq!((&set["mode"], &set["suggest_only"]), (&json!("hybrid"), &json!(true)));
    let id = page.propose_edit("notes.txt", &[("1\n2\n", "one\n2\n")]);
    let body =
        json!({ "content": page.content(&id).await, "part": { "of": "all" }, "choice": "accept" });
    let change = page.post(&format!("/api/changes/{id}/decide"), &body).await.json();
    let version = change["version"].as_u64().expect("a version");
    let apply = json!({ "version": version, "confirm": true });
    let reply = page.post(&format!("/api/changes/{id}/apply"), &apply).await;
    assert_eq!(reply.status, StatusCode::FORBIDDEN, "{}", reply.text);
    assert_eq!(page.scratch.read_text("notes.txt"), TEN);
}

#[tokio::test]
async fn rules_can_be_tried_without_leaving_a_trace() {
    let page = Page::new().await;
    let receipts = page.get("/api/state").await.json()["receipts"].clone();
    let tried = page.post("/api/rules/try", &json!({ "path": "../out.txt" })).await.json();
    assert_eq!(tried["verdict"], "refuse", "{tried}");
    let token = "ghp_".to_owned() + "x8Kq2LmN4pR6sT9vW1yZ3bC5dF7gH03g21Ze";
    let tried = page.post("/api/rules/try", &json!({ "text": format!("T={token}") })).await.json();
    assert!(!tried.to_string().contains(&token), "{tried}");
    assert_eq!(page.get("/api/state").await.json()["receipts"], receipts);
    let rules = page.get("/api/rules").await.json();
    assert!(rules["rules"].as_array().is_some_and(|rules| rules.len() > 100));
}

#[tokio::test]
async fn the_chart_counts_what_the_guards_said_once_for_each_proposal() {
    let page = Page::new().await;
    page.scratch.write("notes.txt", TEN);
    let id = page.propose_edit("notes.txt", &[("1\n2\n", "one\n2\n")]);
    let body =
        json!({ "content": page.content(&id).await, "part": { "of": "all" }, "choice": "accept" });
    let version =
        page.post(&format!("/api/changes/{id}/decide"), &body).await.json()["version"].clone();
    let apply = json!({ "version": version, "confirm": true });
    page.post(&format!("/api/changes/{id}/apply"), &apply).await;
    page.propose(Operation::Write {
        path: RequestedPath::new("package.json"),
        content: b"{}\n".to_vec(),
        base: Base::Current,
    });
    let chart = page.get("/api/receipts/chart").await.json();
    assert_eq!(chart["proposals"], 2, "{chart}");
    let counts = &chart["agents"][0]["counts"];
    assert_eq!((&counts["confirm"], &counts["fail"]), (&json!(1), &json!(0)), "{chart}");
    let times = chart["times"].as_array().expect("times").iter();
    let asked: u64 = times.filter_map(|row| row["counts"]["confirm"].as_u64()).sum();
    assert_eq!(asked, 1, "{chart}");
}

#[tokio::test]
async fn a_person_lists_a_path_that_needs_no_confirmation_and_takes_it_back() {
    let page = Page::new().await;
    page.scratch.write("package.json", "{}\n");
    let tried = async || {
        let body = json!({ "path": "package.json", "text": "{ }\n" });
        page.post("/api/rules/try", &body).await.json()["verdict"].clone()
    };
    assert_eq!(tried().await, "confirm");
    let set = json!({ "seen": [], "paths": ["package.json"] });
    let reply = page.post("/api/rules/allow", &set).await;
    assert_eq!(reply.json()["allow_paths"], json!(["package.json"]), "{}", reply.text);
    assert_eq!(tried().await, "pass");
    let late = page.post("/api/rules/allow", &set).await;
    assert_eq!(late.status, StatusCode::CONFLICT, "another window: {}", late.text);
    for wrong in [json!(["**"]), json!([""]), json!(["a{"]), json!(["x".repeat(1_000)])] {
        let body = json!({ "seen": ["package.json"], "paths": wrong });
        let reply = page.post("/api/rules/allow", &body).await;
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}: {}", reply.text);
    }
    // The hard floor does not move.
    let floor = json!({ "seen": ["package.json"], "paths": ["package.json", ".git/**", "../x"] });
    page.post("/api/rules/allow", &floor).await;
    for path in [".git/config", "../x"] {
        let tried = page.post("/api/rules/try", &json!({ "path": path })).await.json();
        assert_eq!(tried["verdict"], "refuse", "{path}: {tried}");
    }
    // A person shortens the list elsewhere: it holds here at once.
    let file = page.app.engine.layout().user_config.clone();
    std::fs::write(&file, "# empty\n").expect("written");
    assert_eq!(tried().await, "confirm");
    std::fs::write(&file, "this is = = no toml").expect("written");
    assert_eq!(tried().await, "confirm");
}
