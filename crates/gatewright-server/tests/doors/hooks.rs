//! Recorded events of every host, and what happens around a held call.

use std::path::Path;
use std::time::Duration;

use gatewright_engine::{Choice, Engine, Part, UnitDecision};
use gatewright_model::Mode;
use gatewright_server::hooks::{HookAnswer, HookExit, Options, refuse_all, run};
use gatewright_testkit::{Case, Random, Scratch, cases, check_cases, seed};
use serde_json::{Value, json};

use crate::client::engine;

const HOSTS: &[&str] = &[
    "claude-code",
    "codex",
    "gemini",
    "opencode",
    "copilot",
    "vscode",
    "cursor",
    "windsurf",
    "cline",
];

#[test]
fn every_recorded_event_is_answered_in_the_hosts_form() {
    for host in HOSTS {
        let area = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/hooks").join(host);
        check_cases(area, answer_of);
    }
}

fn answer_of(case: &Case, scratch: &Scratch) -> String {
    let mode = case.file("mode").unwrap_or_else(|| "autonomous".to_owned());
    let engine = engine(scratch, mode.trim().parse().expect("a mode"));
    let event = case.file("event.json").expect("an event");
    let event = event.replace("@ROOT@", &scratch.root().display().to_string());
    let answer = run(&engine, event.as_bytes(), &at_once());
    show(&answer, &engine)
}

pub fn at_once() -> Options {
    Options { wait: Some(Duration::ZERO), ..Options::default() }
}

/// The answer as text, ids named by what they are.
fn show(answer: &HookAnswer, engine: &Engine) -> String {
    let exit = if answer.exit == HookExit::Blocked { 2 } else { 0 };
    let stdout = match serde_json::from_str::<Value>(&answer.stdout) {
        Ok(value) => serde_json::to_string_pretty(&value).unwrap(),
        Err(_) => answer.stdout.clone(),
    };
    let mut text = format!("exit {exit}\n{stdout}\n{}", answer.stderr);
    for change in engine.open_changes().unwrap() {
        text = text.replace(&change.id, "CHANGE");
    }
    text
}

fn write_event(scratch: &Scratch, call: &str, content: &str) -> Vec<u8> {
    let path = scratch.root().join("notes.txt").display().to_string();
    json!({
        "session_id": "s1", "transcript_path": "/t", "cwd": scratch.root(),
        "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Write",
        "tool_input": {"file_path": path, "content": content}, "tool_use_id": call,
    })
    .to_string()
    .into_bytes()
}

fn fields(answer: &HookAnswer) -> Value {
    let value: Value = serde_json::from_str(&answer.stdout).expect("JSON");
    value["hookSpecificOutput"].clone()
}

/// Runs an event while a person accepts everything but the second part.
fn held(engine: &Engine, event: &[u8]) -> HookAnswer {
    let options = Options { wait: Some(Duration::from_secs(30)), ..Options::default() };
    std::thread::scope(|scope| {
        let held = scope.spawn(|| run(engine, event, &options));
        let change = loop {
            if let Some(change) = engine.open_changes().unwrap().into_iter().next() {
                break change;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        // No person is as fast as this; the hook has to say first that it holds.
        let lease = format!("held/{}", change.id);
        while engine.ledger().setting_get(&lease).unwrap().is_none() && !held.is_finished() {
            std::thread::sleep(Duration::from_millis(20));
        }
        let file = &change.files[0];
        for (index, unit) in file.units().iter().enumerate() {
            let (choice, comment) = match index {
                1 => (Choice::Reject, Some("keep this line".to_owned())),
                _ => (Choice::Accept, None),
            };
            let path = file.requested.to_string();
            let part = Part::Unit { path, unit: unit.id().0.clone() };
            let decision = UnitDecision { choice, lines: None, comment };
            engine.decide(&change.id, &part, Some(decision)).unwrap();
        }
        engine.apply_staged(&change.id, "person", false).unwrap();
        let answer = held.join().expect("an answer");
        for key in ["held", "handed"] {
            let left = engine.ledger().setting_get(&format!("{key}/{}", change.id)).unwrap();
            assert_eq!(left, None, "a settled change leaves no setting behind");
        }
        answer
    })
}

#[test]
fn a_held_write_lands_as_accepted_and_the_model_hears_what_was_dropped() {
    let scratch = Scratch::new();
    let base: String = (1..=40).map(|n| format!("line {n}\n")).collect();
    scratch.write("notes.txt", &base);
    let proposed = base
        .replace("line 2\n", "LINE 2\n")
        .replace("line 20\n", "LINE 20\n")
        .replace("line 39\n", "LINE 39\n");
    let engine = engine(&scratch, Mode::Hybrid);
    let answer = held(&engine, &write_event(&scratch, "toolu_1", &proposed));
    let expected = base.replace("line 2\n", "LINE 2\n").replace("line 39\n", "LINE 39\n");
    assert_eq!(scratch.read_text("notes.txt"), base, "the host writes it");
    let fields = fields(&answer);
    assert_eq!(fields["permissionDecision"], "allow", "{fields}");
    assert_eq!(fields["updatedInput"]["content"], expected);
    let note = fields["additionalContext"].as_str().unwrap();
    assert!(note.contains("2 of 3 parts") && note.contains("keep this line"), "{note}");
    // The host does, and says so.
    scratch.write("notes.txt", &expected);
    let event = String::from_utf8(write_event(&scratch, "toolu_1", &expected)).unwrap();
    run(&engine, event.replace("PreToolUse", "PostToolUse").as_bytes(), &at_once());
    let newest = engine.ledger().get(engine.ledger().len().unwrap() - 1).unwrap().unwrap();
    assert_eq!((newest.body.action.as_str(), newest.body.applied), ("apply", true));
}

/// The calls that carry what was accepted, for each form of tool.
#[test]
fn a_held_edit_of_any_form_goes_on_with_the_accepted_hunks() {
    let base: String = (1..=40).map(|n| format!("line {n}\n")).collect();
    let new = base
        .replace("line 2\n", "LINE 2\n")
        .replace("line 20\n", "LINE 20\n")
        .replace("line 39\n", "LINE 39\n");
    let expected = base.replace("line 2\n", "LINE 2\n").replace("line 39\n", "LINE 39\n");
    let patch = "*** Begin Patch\n*** Update File: notes.txt\n@@\n line 1\n-line 2\n+LINE 2\n\
                 @@\n line 19\n-line 20\n+LINE 20\n@@\n line 38\n-line 39\n+LINE 39\n*** End Patch\n";
    let edits = json!([
        {"old_string": "line 2\n", "new_string": "LINE 2\n"},
        {"old_string": "line 20\n", "new_string": "LINE 20\n"},
        {"old_string": "line 39\n", "new_string": "LINE 39\n"},
    ]);
    let forms = [
        json!({"hook_event_name": "PreToolUse", "tool_name": "Edit", "permission_mode": "default",
               "tool_input": {"file_path": "notes.txt", "old_string": base, "new_string": new}}),
        json!({"hook_event_name": "PreToolUse", "tool_name": "MultiEdit",
               "tool_input": {"file_path": "notes.txt", "edits": edits}}),
        json!({"hook_event_name": "BeforeTool", "tool_name": "replace",
               "tool_input": {"file_path": "notes.txt", "old_string": base, "new_string": new}}),
        json!({"hook_event_name": "PreToolUse", "tool_name": "apply_patch", "turn_id": "t",
               "tool_input": {"command": patch}}),
        json!({"host": "opencode", "event": "tool.execute.before", "tool": "edit",
               "args": {"filePath": "notes.txt", "oldString": base, "newString": new}}),
    ];
    for (number, mut event) in forms.into_iter().enumerate() {
        let scratch = Scratch::new();
        scratch.write("notes.txt", &base);
        let engine = engine(&scratch, Mode::Hybrid);
        event["session_id"] = json!("s1");
        event["tool_use_id"] = json!("toolu_1");
        event["cwd"] = json!(scratch.root());
        let answer = held(&engine, event.to_string().as_bytes());
        assert_eq!(scratch.read_text("notes.txt"), base, "form {number}: {}", answer.stdout);
        let value: Value = serde_json::from_str(&answer.stdout).expect("JSON");
        let input = ["/hookSpecificOutput/updatedInput", "/hookSpecificOutput/tool_input", "/args"]
            .iter()
            .find_map(|pointer| value.pointer(pointer));
        let input = input.unwrap_or_else(|| panic!("form {number}: {}", answer.stdout));
        event["session_id"] = json!("s2");
        let key = if event.get("args").is_some() { "args" } else { "tool_input" };
        event[key] = input.clone();
        engine.set_autonomy(autonomous()).unwrap();
        let checked = run(&engine, event.to_string().as_bytes(), &at_once());
        assert_eq!(checked.exit, HookExit::Answered, "form {number}");
        let allowed = engine.ledger().get(engine.ledger().len().unwrap() - 1).unwrap().unwrap();
        let after = allowed.body.files[0].after_hash.unwrap();
        assert_eq!(after, gatewright_model::Digest::of(expected.as_bytes()), "form {number}");
    }
}

fn autonomous() -> gatewright_model::Autonomy {
    gatewright_model::Autonomy { mode: Mode::Autonomous, suggest_only: false }
}

#[test]
fn a_hook_that_stopped_holding_loses_no_approval() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\n");
    let engine = engine(&scratch, Mode::Hybrid);
    run(&engine, &write_event(&scratch, "toolu_1", "two\n"), &at_once());
    let change = engine.open_changes().unwrap().remove(0);
    // A hook that was killed while it held: its word is still there and nobody answers.
    engine.hold_change(&change.id).unwrap();
    let accept = UnitDecision { choice: Choice::Accept, lines: None, comment: None };
    engine.decide(&change.id, &Part::All, Some(accept)).unwrap();
    engine.apply_staged(&change.id, "person", false).unwrap();
    assert_eq!(scratch.read_text("notes.txt"), "two\n");
}

#[test]
fn a_held_new_file_goes_on_with_what_was_accepted() {
    let scratch = Scratch::new();
    let engine = engine(&scratch, Mode::Hybrid);
    let answer = held(&engine, &write_event(&scratch, "toolu_1", "one\ntwo\n"));
    let fields = fields(&answer);
    assert_eq!(fields["permissionDecision"], "allow", "{fields}");
    assert_eq!(fields["updatedInput"]["content"], "one\ntwo\n");
    assert!(!scratch.has("notes.txt"), "the host writes it");
}

#[test]
fn a_secret_that_the_file_holds_is_not_handed_out_with_the_input() {
    const CANARY: &str = "canary-5f1c9a7e3b2d4860-value";
    let scratch = Scratch::new();
    scratch.write(".env", format!("TOKEN={CANARY}\n"));
    scratch.write("notes.txt", format!("token {CANARY}\nlast\n"));
    let engine = engine(&scratch, Mode::Hybrid);
    let event = write_event(&scratch, "toolu_1", "token [REDACTED:password]\nLAST\n");
    let options = Options { wait: Some(Duration::from_secs(30)), ..Options::default() };
    let answer = std::thread::scope(|scope| {
        let held = scope.spawn(|| run(&engine, &event, &options));
        loop {
            if let Some(change) = engine.open_changes().unwrap().into_iter().next() {
                let accept = UnitDecision { choice: Choice::Accept, lines: None, comment: None };
                engine.decide(&change.id, &Part::All, Some(accept)).unwrap();
                engine.apply_staged(&change.id, "person", true).unwrap();
                break;
            }
            if held.is_finished() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        held.join().expect("an answer")
    });
    assert!(!answer.stdout.contains(CANARY), "{}", answer.stdout);
    assert_eq!(fields(&answer)["permissionDecision"], "deny", "{}", answer.stdout);
    assert!(scratch.read_text("notes.txt").contains(CANARY), "the secret is not lost");
}

#[test]
fn a_placeholder_is_never_written_over_the_value_that_it_hides() {
    const CANARY: &str = "canary-5f1c9a7e3b2d4860-value";
    let scratch = Scratch::new();
    scratch.write(".env", format!("TOKEN={CANARY}\n"));
    scratch.write("notes.txt", format!("token {CANARY}\nlast\n"));
    let engine = engine(&scratch, Mode::Autonomous);
    let view = engine.egress().seal(&scratch.read_text("notes.txt")).into_inner();
    let event = write_event(&scratch, "toolu_1", &view.replace("last", "LAST"));
    for _ in 0..2 {
        let answer = run(&engine, &event, &at_once());
        assert_eq!(fields(&answer)["permissionDecision"], "deny", "{}", answer.stdout);
        assert!(answer.stdout.contains("on disk already"), "{}", answer.stdout);
        assert_eq!(scratch.read_text("notes.txt"), format!("token {CANARY}\nLAST\n"));
    }
    let shell = json!({
        "session_id": "s1", "cwd": scratch.root(), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_use_id": "toolu_2",
        "tool_input": {"command": format!("echo '{}' > notes.txt", view.trim())},
    });
    let answer = run(&engine, shell.to_string().as_bytes(), &at_once());
    assert_eq!(fields(&answer)["permissionDecision"], "deny", "{}", answer.stdout);
}

/// An event of Claude Code before a tool of another MCP server runs.
pub fn foreign_event(scratch: &Scratch, tool: &str, input: &Value) -> Vec<u8> {
    json!({
        "session_id": "s1", "cwd": scratch.root(), "hook_event_name": "PreToolUse",
        "tool_name": tool, "tool_input": input, "tool_use_id": format!("toolu_{tool}_{input}"),
    })
    .to_string()
    .into_bytes()
}

#[test]
fn a_write_by_another_server_passes_the_same_gates() {
    let scratch = Scratch::new();
    let lib = "pub fn one() -> u32 {\n    1\n}\n";
    scratch.write("lib.rs", lib);
    let engine = engine(&scratch, Mode::Autonomous);
    let at = |name: &str| scratch.root().join(name).display().to_string();
    let body = json!([{"oldText": lib, "newText": "pub fn one() -> u64 {\n    2\n}\n"}]);
    let refused = [
        ("mcp__files__write_file", json!({"path": "../evil.txt", "content": "x"}), "[W"),
        ("mcp__files__write_file", json!({"path": at(".git/hooks/x"), "content": "x"}), "[W"),
        ("mcp_files_write_file", json!({"path": "../evil.txt", "content": "x"}), "[W"),
        ("mcp__files__edit_file", json!({"path": at("lib.rs"), "edits": body}), "[S"),
        ("mcp__files__move_file", json!({"source": "lib.rs", "destination": "../x"}), "[W"),
        ("mcp__ide__create_new_file", json!({"pathInProject": "../x", "text": "x"}), "[W"),
        (
            "mcp__files__write_file",
            json!({"path": at(".git/x"), "content": "x", "repo": "r"}),
            "[W",
        ),
        ("mcp__box__execute_command", json!({"command": "echo x > ../evil.txt"}), "[W"),
    ];
    for (tool, input, code) in refused {
        let answer = run(&engine, &foreign_event(&scratch, tool, &input), &at_once());
        assert_eq!(fields(&answer)["permissionDecision"], "deny", "{tool} {input}");
        assert!(answer.stdout.contains(code), "{tool} {input}: {}", answer.stdout);
    }
}

#[test]
fn other_servers_keep_what_is_not_a_file_of_the_workspace() {
    let scratch = Scratch::new();
    let engine = engine(&scratch, Mode::Hybrid);
    let left_alone = [
        (
            "mcp__github__create_or_update_file",
            json!({"owner": "o", "repo": "r", "path": "a.rs", "content": "x"}),
        ),
        ("mcp__notes__create_note", json!({"title": "t", "content": "x"})),
        ("mcp__files__read_file", json!({"path": "a.rs"})),
        ("mcp__files__search", json!({"path": ".", "text": "x"})),
        ("mcp__files__edit_file", json!({"path": "a.rs", "edits": [], "dryRun": true})),
        ("mcp__tracker__move", json!({"from": "todo", "to": "done"})),
        ("mcp__mail__delete", json!({"path": "inbox/1"})),
        (
            "mcp__box__write_file",
            json!({"sandbox_id": "s", "path": "/home/user/a", "content": "x"}),
        ),
        ("mcp__gatewright__write_file", json!({"path": "a.rs", "content": "x"})),
        ("mcp__plugin_gatewright_gatewright__write_file", json!({"path": "a.rs", "content": "x"})),
    ];
    for (tool, input) in left_alone {
        let answer = run(&engine, &foreign_event(&scratch, tool, &input), &at_once());
        assert_eq!(answer.stdout, "", "{tool} {input}");
        assert_eq!(answer.exit, HookExit::Answered, "{tool} {input}");
    }
    assert!(engine.open_changes().unwrap().is_empty());
}

#[test]
fn a_rejected_write_is_denied_with_the_persons_words() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\n");
    let engine = engine(&scratch, Mode::Hybrid);
    let event = write_event(&scratch, "toolu_1", "two\n");
    let options = Options { wait: Some(Duration::from_secs(30)), ..Options::default() };
    let answer = std::thread::scope(|scope| {
        let held = scope.spawn(|| run(&engine, &event, &options));
        let change = loop {
            if let Some(change) = engine.open_changes().unwrap().into_iter().next() {
                break change;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        engine.reject_staged(&change.id, "person", Some("wrong file")).unwrap();
        held.join().expect("an answer")
    });
    let fields = fields(&answer);
    assert_eq!(fields["permissionDecision"], "deny");
    assert!(
        fields["permissionDecisionReason"].as_str().unwrap().contains("wrong file"),
        "{fields}"
    );
    assert_eq!(scratch.read_text("notes.txt"), "one\n");
}

#[test]
fn the_same_event_twice_is_staged_and_recorded_once() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\n");
    let engine = engine(&scratch, Mode::Hybrid);
    let event = write_event(&scratch, "toolu_1", "two\n");
    let first = run(&engine, &event, &at_once());
    let receipts = engine.ledger().len().unwrap();
    let second = run(&engine, &event, &at_once());
    assert_eq!(first, second);
    assert_eq!(engine.open_changes().unwrap().len(), 1);
    assert_eq!(engine.ledger().len().unwrap(), receipts);
}

#[test]
fn the_same_event_at_the_same_time_is_allowed_by_one_receipt() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\n");
    let engines = [engine(&scratch, Mode::Autonomous), engine(&scratch, Mode::Autonomous)];
    let event = write_event(&scratch, "toolu_1", "two\n");
    let before = engines[0].ledger().len().unwrap();
    let answers: Vec<_> = std::thread::scope(|scope| {
        let event = &event;
        let ask = |engine| scope.spawn(move || run(engine, event, &at_once()));
        let asked: Vec<_> = engines.iter().map(ask).collect();
        asked.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].stdout.contains("allow"), "{}", answers[0].stdout);
    assert_eq!(engines[0].ledger().len().unwrap(), before + 1);
}

#[test]
fn a_refusal_leaves_one_receipt_of_the_hook() {
    let scratch = Scratch::new();
    let engine = engine(&scratch, Mode::Autonomous);
    let event = json!({
        "session_id": "s1", "cwd": scratch.root(), "hook_event_name": "PreToolUse",
        "tool_name": "Write", "tool_input": {"file_path": "/etc/x", "content": "x"},
        "tool_use_id": "toolu_9",
    })
    .to_string();
    let before = engine.ledger().len().unwrap();
    run(&engine, event.as_bytes(), &at_once());
    run(&engine, event.as_bytes(), &at_once());
    assert_eq!(engine.ledger().len().unwrap(), before + 1);
    let receipt = engine.ledger().get(before).unwrap().or(engine.ledger().get(before + 1).unwrap());
    let body = receipt.expect("a receipt").body;
    assert_eq!((body.action.as_str(), body.agent.name.as_str()), ("refuse", "claude-code"));
}

#[test]
fn without_an_engine_nothing_is_written_and_reading_goes_on() {
    let write = json!({"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {}});
    let answer = refuse_all(write.to_string().as_bytes(), "the configuration is broken");
    assert_eq!(fields(&answer)["permissionDecision"], "deny");
    let read = json!({"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {}});
    assert_eq!(refuse_all(read.to_string().as_bytes(), "x").stdout, "");
    assert_eq!(refuse_all(b"{", "x").exit, HookExit::Blocked);
}

/// The recorded events of a host.
pub fn events_of(host: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/hooks");
    let cases = std::fs::read_dir(root.join(host)).expect("cases");
    let event = |case: std::io::Result<std::fs::DirEntry>| {
        let event = case.expect("a case").path().join("event.json");
        std::fs::read_to_string(event).expect("an event")
    };
    cases.map(event).collect()
}

/// Every recorded event, with its host.
fn recorded_events() -> Vec<String> {
    let mut events: Vec<String> = HOSTS.iter().flat_map(|host| events_of(host)).collect();
    events.sort();
    events
}

#[test]
fn fifty_megabytes_in_one_event_are_refused() {
    let scratch = Scratch::new();
    let engine = engine(&scratch, Mode::Autonomous);
    let before = scratch.tree();
    let large = "x".repeat(50 * 1024 * 1024);
    let write = run(&engine, &write_event(&scratch, "toolu_1", &large), &at_once());
    assert_eq!(fields(&write)["permissionDecision"], "deny");
    assert!(write.stdout.len() < 4096, "the answer does not repeat it");
    let command = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": format!("cat > ../x <<'EOF'\n{large}\nEOF\n")}});
    let shell = run(&engine, command.to_string().as_bytes(), &at_once());
    assert_eq!(fields(&shell)["permissionDecision"], "deny");
    let garbage = run(&engine, large.as_bytes(), &at_once());
    assert_eq!(garbage.exit, HookExit::Blocked);
    assert_eq!(scratch.tree(), before);
}

#[test]
fn mangled_events_are_answered_and_never_bring_the_hook_down() {
    let seed = seed();
    println!("GATEWRIGHT_SEED={seed}");
    let mut random = Random::new(seed);
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\ntwo\nthree\n");
    let engine = engine(&scratch, Mode::Autonomous);
    let root = scratch.root().display().to_string();
    let events = recorded_events();
    let before = scratch.tree();
    for _ in 0..cases(10_000) {
        let mut bytes = random.pick(&events).replace("@ROOT@", &root).into_bytes();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.bytes(1)[0],
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"{}[]\",:0\\"[random.below(9)]),
            }
        }
        let answer = run(&engine, &bytes, &at_once());
        assert!(!answer.stderr.contains("came to grief"), "{}", String::from_utf8_lossy(&bytes));
        let is_json = serde_json::from_str::<Value>(&answer.stdout).is_ok();
        assert!(answer.stdout.is_empty() || is_json, "{}", answer.stdout);
        assert!(answer.exit == HookExit::Answered || !answer.stderr.is_empty());
    }
    assert_eq!(scratch.tree(), before);
}

#[test]
fn no_answer_holds_a_field_that_its_host_rejects() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\ntwo\nthree\n");
    let engine = engine(&scratch, Mode::Autonomous);
    let root = scratch.root().display().to_string();
    for event in recorded_events().iter().filter(|event| event.contains("\"turn_id\"")) {
        let answer = run(&engine, event.replace("@ROOT@", &root).as_bytes(), &at_once());
        assert!(!answer.stdout.contains("\"ask\""), "{}", answer.stdout);
        let allows = answer.stdout.contains("\"allow\"");
        assert!(!allows || answer.stdout.contains("updatedInput"), "{}", answer.stdout);
        assert!(!answer.stdout.contains("additionalContext"), "{}", answer.stdout);
    }
}
