//! What each tool answers: applied, staged, refused, read, found.

use gatewright_model::Mode;
use gatewright_testkit::{Scratch, cases};
use serde_json::{Value, json};

use crate::client::Client;

#[tokio::test(flavor = "multi_thread")]
async fn in_autonomous_mode_a_clean_edit_is_applied_at_once() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\ntwo\nthree\n");
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let read = client.ok("read_file", json!({"path": "notes.txt"})).await;
    let edited = client
        .ok("edit_file", json!({
            "path": "notes.txt", "old_string": "two", "new_string": "2", "expect": read["digest"],
        }))
        .await;
    assert_eq!(edited["outcome"], "applied");
    assert_eq!(scratch.read_text("notes.txt"), "one\n2\nthree\n");
    let again = client.ok("read_file", json!({"path": "notes.txt"})).await;
    assert_eq!(again["digest"], edited["files"][0]["digest"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_edits_land_together_or_not_at_all() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\ntwo\n");
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let edits = json!([
        {"old_string": "one", "new_string": "1"}, {"old_string": "nowhere", "new_string": "x"},
    ]);
    let refused = client.refused("edit_file", json!({"path": "notes.txt", "edits": edits})).await;
    assert_eq!(refused["code"], "edit-not-found");
    assert_eq!(refused["recoverable"], true);
    assert_eq!(scratch.read_text("notes.txt"), "one\ntwo\n");
    let edits = json!([
        {"old_string": "one", "new_string": "1"}, {"old_string": "two", "new_string": "2"},
    ]);
    client.ok("edit_file", json!({"path": "notes.txt", "edits": edits})).await;
    assert_eq!(scratch.read_text("notes.txt"), "1\n2\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_over_several_files_is_one_change_or_none() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    scratch.write("b.txt", "two\n");
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let edits = |second: &str| {
        json!([
            {"path": "a.txt", "old_string": "one", "new_string": "1"},
            {"path": "b.txt", "old_string": second, "new_string": "2"},
        ])
    };
    client.refused("edit_file", json!({"edits": edits("nowhere")})).await;
    assert_eq!(scratch.read_text("a.txt"), "one\n");
    let edited = client.ok("edit_file", json!({"edits": edits("two")})).await;
    assert_eq!(edited["files"].as_array().unwrap().len(), 2, "one receipt: {edited}");
    assert_eq!(
        (scratch.read_text("a.txt"), scratch.read_text("b.txt")),
        ("1\n".into(), "2\n".into())
    );
    let files = |second: &str| json!([{"path": "c.txt", "content": "c\n"}, {"path": second, "content": "d\n"}]);
    client.refused("write_file", json!({"files": files("../d.txt")})).await;
    assert!(!scratch.has("c.txt"));
    let written = client.ok("write_file", json!({"files": files("d.txt")})).await;
    assert_eq!(written["files"].as_array().unwrap().len(), 2, "{written}");
    assert_eq!(scratch.read_text("d.txt"), "d\n");
    client.refused("edit_file", json!({"edits": edits("x"), "expect": "absent"})).await;
    client.refused("write_file", json!({"path": "x", "content": "", "files": []})).await;
    client.refused("edit_file", json!({"old_string": "a", "new_string": "b"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_written_moved_and_deleted() {
    let scratch = Scratch::new();
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    client.ok("write_file", json!({"path": "d/a.txt", "content": "a\n", "expect": "absent"})).await;
    client.ok("write_file", json!({"path": "b.txt", "content_base64": "YgoK"})).await;
    assert_eq!(scratch.read_text("b.txt"), "b\n\n");
    client.ok("move_file", json!({"from": "d/a.txt", "to": "c.txt"})).await;
    assert_eq!(scratch.read_text("c.txt"), "a\n");
    client.ok("delete_file", json!({"path": "b.txt"})).await;
    assert!(!scratch.has("b.txt"));
    let refused = client
        .refused("write_file", json!({"path": "x", "content": "", "content_base64": ""}))
        .await;
    assert_eq!(refused["code"], "json");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_digest_is_refused_with_what_to_do() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\n");
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let read = client.ok("read_file", json!({"path": "notes.txt"})).await;
    scratch.write("notes.txt", "someone else was here\none\n");
    let refused = client
        .refused("edit_file", json!({
            "path": "notes.txt", "old_string": "one", "new_string": "1", "expect": read["digest"],
        }))
        .await;
    assert_eq!(refused["code"], "stale-base");
    assert!(refused["hint"].as_str().unwrap().contains("read the file again"), "{refused}");
    assert_eq!(scratch.read_text("notes.txt"), "someone else was here\none\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_that_leave_the_workspace_are_refused_before_disk() {
    let scratch = Scratch::new();
    let outside = scratch.outside_tree();
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let absolute = scratch.outside().join("x").display().to_string();
    for path in ["../outside/x", "a/../../outside/x", absolute.as_str(), ".git/hooks/pre-commit"] {
        let refused = client.refused("write_file", json!({"path": path, "content": "x\n"})).await;
        assert_eq!(refused["recoverable"], true, "{path}: {refused}");
        assert_eq!(refused["outcome"], "refused", "{path}: {refused}");
    }
    assert_eq!(scratch.outside_tree(), outside);
    let read = client.refused("read_file", json!({"path": "../outside/x"})).await;
    assert_eq!(read["code"], "path");
    client.refused("list_dir", json!({"path": "../outside"})).await;
    client.refused("search", json!({"pattern": "x", "path": "../outside"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_structural_edit_is_refused_and_the_named_call_lands() {
    let scratch = Scratch::new();
    scratch.write("lib.rs", "pub fn one() -> u32 {\n    1\n}\n\npub fn two() -> u32 {\n    2\n}\n");
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let refused = client
        .refused("edit_file", json!({
            "path": "lib.rs",
            "old_string": "pub fn one() -> u32 {\n    1\n}", "new_string": "pub fn one() -> u32 {\n    11\n}",
        }))
        .await;
    let shown = refused.to_string();
    assert!(shown.contains("edit_code"), "{shown}");
    for root in [json!({"name": "one"}), json!({"name": "one", "path": "."})] {
        let found = client.ok("symbols", root).await;
        assert_eq!(found["symbols"][0]["path"], "lib.rs", "{found}");
    }
    let symbols = client.ok("symbols", json!({"path": "lib.rs"})).await;
    assert_eq!(symbols["symbols"][0]["symbol"], "one", "{symbols}");
    let edited = client
        .ok(
            "edit_code",
            json!({
                "symbol": "one", "path": "lib.rs", "action": "replace",
                "body": "pub fn one() -> u32 {\n    11\n}",
            }),
        )
        .await;
    assert_eq!(edited["outcome"], "applied");
    assert!(scratch.read_text("lib.rs").contains("    11\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_calls_of_a_refusal_make_what_was_asked_for() {
    let scratch = Scratch::new();
    let before = "import os\n\n\n@cache\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n";
    let after = "import sys\n\n\ndef one():\n    return 11\n\n\ndef three():\n    return 3\n";
    scratch.write("a.py", before);
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let refused = client
        .refused("edit_file", json!({"path": "a.py", "old_string": before, "new_string": after}))
        .await;
    let mut first = refused["call"].clone();
    let then = first["arguments"].as_object_mut().unwrap().remove("then").unwrap();
    assert_eq!(first, refused["calls"][0], "{refused}");
    assert_eq!(then.as_array().unwrap().len() + 1, refused["calls"].as_array().unwrap().len());
    assert!(refused["symbol"].is_string() && refused["line"].is_u64(), "{refused}");
    for call in refused["calls"].as_array().unwrap() {
        client.ok(call["tool"].as_str().unwrap(), call["arguments"].clone()).await;
    }
    assert_eq!(scratch.read_text("a.py"), after);
    scratch.write("a.py", before);
    client.ok("edit_code", refused["call"]["arguments"].clone()).await;
    assert_eq!(scratch.read_text("a.py"), after);
}

#[tokio::test(flavor = "multi_thread")]
async fn manual_mode_refuses_writing_and_keeps_reading() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let mut client = Client::start(&scratch, Mode::Manual).await;
    let refused = client.refused("write_file", json!({"path": "a.txt", "content": "two\n"})).await;
    assert_eq!(refused["code"], "manual-mode");
    assert_eq!(scratch.read_text("a.txt"), "one\n");
    client.ok("read_file", json!({"path": "a.txt"})).await;
    let checked = client.ok("check", json!({"path": "a.txt", "content": "two\n"})).await;
    assert_eq!(checked["verdict"], "pass");
}

#[tokio::test(flavor = "multi_thread")]
async fn checking_judges_all_three_forms_and_writes_nothing() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let before = scratch.tree();
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let write = client.ok("check", json!({"path": "../x", "content": "x"})).await;
    assert_eq!(write["verdict"], "refuse");
    let edit =
        client.ok("check", json!({"path": "a.txt", "old_string": "one", "new_string": "1"})).await;
    assert_eq!(edit["verdict"], "pass");
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n";
    assert_eq!(client.ok("check", json!({"diff": diff})).await["verdict"], "pass");
    assert_eq!(scratch.tree(), before);
    assert!(client.engine.open_changes().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_range_of_lines_is_read_and_the_rest_is_named() {
    let scratch = Scratch::new();
    let text: String = (1..=20_000).map(|n| format!("line number {n}\n")).collect();
    scratch.write("long.txt", &text);
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let part =
        client.ok("read_file", json!({"path": "long.txt", "start_line": 3, "end_line": 4})).await;
    assert_eq!(part["content"], "line number 3\nline number 4\n");
    assert_eq!(part["total_lines"], 20_000);
    let first = client.ok("read_file", json!({"path": "long.txt"})).await;
    let next = first["next_start_line"].as_u64().expect("the file does not fit");
    let rest = client.ok("read_file", json!({"path": "long.txt", "start_line": next})).await;
    let begins = format!("line number {next}\n");
    assert!(rest["content"].as_str().unwrap().starts_with(&begins));
    let beyond = client.ok("read_file", json!({"path": "long.txt", "start_line": 99_999})).await;
    assert_eq!(beyond["content"], "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_is_longer_than_an_answer_is_cut_and_says_so() {
    let scratch = Scratch::new();
    scratch.write("one_line.txt", "é".repeat(500_000));
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let read = client.ok("read_file", json!({"path": "one_line.txt"})).await;
    let shown = read["content"].as_str().unwrap().len() as u64;
    assert!(shown <= 256 * 1024, "{shown} bytes");
    assert_eq!(shown + read["line_cut"].as_u64().unwrap(), 1_000_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_in_utf_16_is_read_and_edited_as_text() {
    let scratch = Scratch::new();
    let spelt = |text: &str| {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(units).collect::<Vec<u8>>()
    };
    scratch.write("a.txt", spelt("one\r\ntwo\r\n"));
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let read = client.ok("read_file", json!({"path": "a.txt"})).await;
    assert_eq!(read["content"], "one\r\ntwo\r\n");
    let edit = json!({"path": "a.txt", "old_string": "one\ntwo", "new_string": "one\nthree"});
    client.ok("edit_file", edit).await;
    assert_eq!(scratch.read("a.txt"), spelt("one\r\nthree\r\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_reads_utf_16_and_says_what_it_left_out() {
    let scratch = Scratch::new();
    let little = "x\na needle\n".encode_utf16().flat_map(u16::to_le_bytes);
    let big = "def needle():\n    pass\n".encode_utf16().flat_map(u16::to_be_bytes);
    scratch.write("little.txt", [0xff, 0xfe].into_iter().chain(little).collect::<Vec<u8>>());
    scratch.write("big.py", [0xfe, 0xff].into_iter().chain(big).collect::<Vec<u8>>());
    scratch.write("latin.txt", b"caf\xe9 needle\n");
    scratch.write("binary.dat", b"\0\x01needle\n");
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let found = client.ok("search", json!({"pattern": "needle"})).await;
    let matches = json!([
        {"path": "big.py", "line": 1, "text": "def needle():"},
        {"path": "little.txt", "line": 2, "text": "a needle"},
    ]);
    assert_eq!((&found["matches"], &found["left_out"]), (&matches, &json!(2)));
    let none = client.call("search", json!({"pattern": "needle", "path": "latin.txt"})).await;
    let text = none["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("1 left out, not text"), "{text}");
    let symbols = client.ok("symbols", json!({"name": "needle"})).await;
    assert_eq!(symbols["symbols"][0]["path"], "big.py", "{symbols}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_path_is_said_to_be_missing_with_the_nearest_names() {
    let scratch = Scratch::new();
    scratch.write("src/parser/lexer.rs", "fn a() {}\n");
    scratch.write("src/main.rs", "fn main() {}\n");
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let asked = [
        ("src/parser/lexr.rs", "did you mean \"src/parser/lexer.rs\"?"),
        ("src/parsr/lexer.rs", "did you mean \"src/parser/lexer.rs\"?"),
        ("lexer.rs", "did you mean \"src/parser/lexer.rs\"?"),
        ("src/Main.rs", "did you mean \"src/main.rs\"?"),
        ("zzz", "check the path, or create the file"),
    ];
    for (path, hint) in asked {
        let calls = [
            ("read_file", json!({"path": path})),
            ("list_dir", json!({"path": path})),
            ("search", json!({"path": path, "pattern": "fn"})),
            ("symbols", json!({"path": path})),
            ("edit_file", json!({"path": path, "old_string": "a", "new_string": "b"})),
            ("edit_code", json!({"path": path, "symbol": "a", "action": "remove"})),
        ];
        for (tool, arguments) in calls {
            let refused = client.refused(tool, arguments).await;
            let said = (refused["code"].as_str(), refused["hint"].as_str());
            assert_eq!(said, (Some("missing-file"), Some(hint)), "{tool} {path}");
        }
    }
    let not_listed = client.refused("list_dir", json!({"path": "src/main.rs"})).await;
    assert_eq!(not_listed["code"], "read", "{not_listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn symbols_of_a_file_are_found_by_a_part_of_their_name() {
    let scratch = Scratch::new();
    scratch.write("a.py", "def open_till():\n    pass\n\n\ndef close():\n    pass\n");
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let found = client.ok("symbols", json!({"path": "a.py", "name": "TILL"})).await;
    let names: Vec<&str> = found["symbols"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| row["symbol"].as_str())
        .collect();
    assert_eq!(names, ["open_till"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_source_file_is_answered_with_its_outline_first() {
    let scratch = Scratch::new();
    let text: String = (1..=600).map(|n| format!("def f{n}():\n    return {n}\n")).collect();
    scratch.write("long.py", &text);
    scratch.write("short.py", "def f():\n    return 1\n");
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let first = client.ok("read_file", json!({"path": "long.py"})).await;
    let outline: Vec<&str> = first["outline"].as_str().unwrap().lines().collect();
    assert_eq!(outline[1], "3-4 function f2");
    assert_eq!(outline[400], "200 more: symbols with offset=400");
    assert_eq!((&first["end_line"], &first["next_start_line"]), (&json!(100), &json!(101)));
    let range = json!({"path": "long.py", "start_line": 1, "end_line": 1200});
    let all = client.ok("read_file", range).await;
    assert_eq!((all["content"].as_str(), all.get("outline")), (Some(text.as_str()), None));
    let short = client.ok("read_file", json!({"path": "short.py"})).await;
    assert_eq!(short.get("outline"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn search_honours_ignore_files_and_pages() {
    let scratch = Scratch::new();
    scratch.write(".gitignore", "target/\n*.log\n");
    scratch.write("target/a.txt", "needle\n");
    scratch.write("b.log", "needle\n");
    scratch.write(".git/config", "needle\n");
    scratch.write("src/.gitignore", "!kept.log\n");
    scratch.write("src/kept.log", "needle in a kept file\n");
    scratch.write("src/c.txt", "a needle\nno\na Needle\n");
    scratch.link("c.txt", "src/link.txt");
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let found = client.ok("search", json!({"pattern": "needle"})).await;
    let places: Vec<String> = found["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{}:{}", one["path"].as_str().unwrap(), one["line"]))
        .collect();
    assert_eq!(places, ["src/c.txt:1", "src/kept.log:1"], "{found}");
    let any = json!({"pattern": "^a [nN]eedle$", "regex": true, "glob": "**/*.txt", "limit": 1});
    let first = client.ok("search", any.clone()).await;
    assert_eq!(first["next_offset"], 1);
    let mut next = any;
    next["offset"] = json!(1);
    let second = client.ok("search", next).await;
    assert_eq!(second["matches"][0]["line"], 3, "{second}");
    assert!(second.get("next_offset").is_none(), "{second}");
    let bad = client.refused("search", json!({"pattern": "(", "regex": true})).await;
    assert_eq!(bad["code"], "json");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_never_leaves_in_any_answer() {
    const CANARY: &str = "canary-5f1c9a7e3b2d4860-value";
    let scratch = Scratch::new();
    scratch.write(".env", format!("SERVICE_TOKEN={CANARY}\n"));
    scratch.write("notes.txt", format!("first\ntoken = {CANARY}\nlast\n"));
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let read = client.ok("read_file", json!({"path": "notes.txt"})).await;
    assert!(read["content"].as_str().unwrap().contains("[REDACTED:"), "{read}");
    client.ok("read_file", json!({"path": ".env"})).await;
    client.ok("search", json!({"pattern": "token", "ignore_case": true})).await;
    let guess = client.ok("search", json!({"pattern": &CANARY[..12]})).await;
    assert_eq!(guess["matches"], json!([]), "a pattern cannot be used to guess");
    client
        .call("edit_file", json!({"path": "notes.txt", "old_string": CANARY, "new_string": "x"}))
        .await;
    client.call("edit_file", json!({"path": CANARY, "old_string": "a", "new_string": "b"})).await;
    client.call("write_file", json!({"path": "copy.txt", "content": format!("{CANARY}\n")})).await;
    client.call("changes", json!({"diffs": true})).await;
    client.call("read_file", json!({"path": CANARY})).await;
    client.request("tools/call", json!({"name": CANARY, "arguments": {}})).await;
    client.call("read_file", json!({"path": "notes.txt", CANARY: 1})).await;
    assert!(!client.seen.contains(CANARY), "the canary went out");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_digest_and_the_ids_survive_the_redactor() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let read = client.ok("read_file", json!({"path": "a.txt"})).await;
    assert_eq!(read["digest"].as_str().unwrap().len(), 71, "{read}");
    let staged = client.ok("write_file", json!({"path": "a.txt", "content": "two\n"})).await;
    assert_eq!(staged["change_id"].as_str().unwrap().len(), 36, "{staged}");
    assert_eq!(staged["files"][0]["digest"].as_str().unwrap().len(), 71, "{staged}");
    assert!(!client.seen.contains("REDACTED:path"), "{}", client.seen);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_calls_at_once_are_all_answered_once() {
    let scratch = Scratch::new();
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let mut expected = std::collections::BTreeSet::new();
    let count = cases(40);
    for number in 0..count {
        let path = format!("file{number}.txt");
        let arguments = json!({"path": path, "content": "x\n", "expect": "absent"});
        let params = json!({"name": "write_file", "arguments": arguments});
        expected.insert(client.begin("tools/call", params).await);
    }
    while !expected.is_empty() {
        let answer = client.answer().await;
        assert_eq!(answer["result"]["structuredContent"]["outcome"], "applied", "{answer}");
        assert!(expected.remove(&answer["id"].as_u64().unwrap()), "answered twice: {answer}");
    }
    assert_eq!(scratch.tree().entries.len() as u64, count);
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_clients_at_once_lose_nothing_and_apply_nothing_twice() {
    let scratch = Scratch::new();
    let each = cases(5);
    let before = client_engine_receipts(&scratch);
    let mut clients = Vec::new();
    for name in 0..8 {
        let mut client = Client::start(&scratch, Mode::Autonomous).await;
        clients.push(tokio::spawn(async move {
            for number in 0..each {
                let path = format!("c{name}/f{number}.txt");
                let arguments = json!({"path": path, "content": "x\n", "expect": "absent"});
                let answer = client.ok("write_file", arguments).await;
                assert_eq!(answer["outcome"], "applied");
            }
        }));
    }
    for client in clients {
        client.await.expect("no client fails");
    }
    let files = scratch.tree().entries.keys().filter(|path| path.ends_with(".txt")).count();
    assert_eq!(files as u64, 8 * each);
    // Each client sets the mode once when it starts, which is a receipt of its own.
    assert_eq!(client_engine_receipts(&scratch) - before, 8 * each + 8 + 1);
}

fn client_engine_receipts(scratch: &Scratch) -> u64 {
    crate::client::engine(scratch, Mode::Autonomous).ledger().len().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_use_that_was_written_a_moment_ago_is_broken_by_what_takes_its_name_away() {
    let scratch = Scratch::new();
    scratch.write("other.py", "import one\n\none.missing_before()\n");
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let write = |path: &str, content: &str| json!({"path": path, "content": content});
    client.ok("write_file", write("one.py", "def first():\n    return 1\n")).await;
    // A look at the whole workspace, which the next writes make old.
    let calls = "import one\n\none.second()\n";
    client.ok("check", json!({"path": "three.py", "content": calls})).await;
    client.ok("write_file", write("two.py", "from one import first\n\nprint(first())\n")).await;
    let edit = json!({"path": "one.py", "old_string": "def first", "new_string": "def primary"});
    let answer = client.ok("edit_file", edit).await;
    let findings = answer["findings"].to_string();
    assert!(findings.contains("two.py") && findings.contains("H109"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_declared_is_not_answered() {
    let scratch = Scratch::new();
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let reference =
        json!({"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}});
    for (method, params) in [("prompts/list", json!({})), ("completion/complete", reference)] {
        let answer = client.request(method, params).await;
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_waits_for_a_language_server_says_so() {
    let scratch = Scratch::new();
    scratch.write("a.py", "print(1)\n");
    // A server that says nothing for a while, and then is gone.
    let server = scratch.outside().join("slow-server");
    std::fs::write(&server, "#!/bin/sh\nexec /bin/sleep 6\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&server, mode).unwrap();
    let config = scratch.config().join("gatewright");
    std::fs::create_dir_all(&config).unwrap();
    let text = format!("[languages.python]\nserver = [{:?}]\n", server.display().to_string());
    std::fs::write(config.join("config.toml"), text).unwrap();
    let mut client = Client::start(&scratch, Mode::Hybrid).await;
    let params = json!({
        "name": "diagnostics", "arguments": {"path": "a.py"}, "_meta": {"progressToken": 7},
    });
    let answer = client.request("tools/call", params).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let told: Vec<&Value> = client
        .notifications
        .iter()
        .filter(|told| told["method"] == "notifications/progress")
        .collect();
    assert!(told.len() >= 2, "{told:?} {answer}");
    assert_eq!(told[0]["params"]["progressToken"], 7);
    assert!(told.iter().any(|told| told.to_string().contains("is starting")), "{told:?}");
    let steps: Vec<f64> =
        told.iter().filter_map(|told| told["params"]["progress"].as_f64()).collect();
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
}
