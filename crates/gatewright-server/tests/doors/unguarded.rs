//! What changes without passing a door: seen, recorded, and taken back.

use std::time::Duration;

use gatewright_engine::{Engine, Witness};
use gatewright_model::{Action, Door, GuardOutcome, Mode, Receipt};
use gatewright_server::hooks::{HookAnswer, Options, run};
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::engine;

fn look(engine: &Engine) -> Vec<Receipt> {
    engine.notice_changes(&Witness::nobody()).expect("the tree is looked at")
}

fn hook(engine: &Engine, scratch: &Scratch, event: Value) -> HookAnswer {
    let mut whole = json!({
        "session_id": "s1", "transcript_path": "/t", "cwd": scratch.root(),
        "permission_mode": "default",
    });
    let fields = event.as_object().expect("an object").clone();
    whole.as_object_mut().expect("an object").extend(fields);
    let options = Options { wait: Some(Duration::ZERO), ..Options::default() };
    run(engine, whole.to_string().as_bytes(), &options)
}

fn shell(engine: &Engine, scratch: &Scratch, name: &str, command: &str) {
    let event = json!({
        "hook_event_name": name, "tool_name": "Bash", "tool_input": {"command": command},
        "tool_use_id": "toolu_1", "tool_response": {"stdout": ""},
    });
    hook(engine, scratch, event);
}

fn write_event(scratch: &Scratch, name: &str, call: &str, content: &str) -> Value {
    json!({
        "hook_event_name": name, "tool_name": "Write", "tool_use_id": call,
        "tool_input": {"file_path": scratch.root().join("notes.txt"), "content": content},
        "tool_response": {"type": "update"},
    })
}

fn latest(engine: &Engine) -> Receipt {
    let query = gatewright_engine::ledger::ReceiptQuery { limit: Some(1), ..Default::default() };
    engine.ledger().list(&query).unwrap().remove(0)
}

#[test]
fn the_first_look_only_remembers() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let engine = engine(&scratch, Mode::Hybrid);
    assert!(look(&engine).is_empty());
    assert!(look(&engine).is_empty(), "nothing changed");
}

#[test]
fn what_a_command_did_is_recorded_once_and_can_be_taken_back() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    scratch.write("gone.txt", "was here\n");
    scratch.write("same.txt", "same\n");
    let engine = engine(&scratch, Mode::Autonomous);
    shell(&engine, &scratch, "PreToolUse", "make");
    scratch.write("a.txt", "two\n");
    scratch.write("new.txt", "new\n");
    scratch.write("same.txt", "same\n");
    std::fs::remove_file(scratch.root().join("gone.txt")).unwrap();
    shell(&engine, &scratch, "PostToolUse", "make");
    let receipt = latest(&engine);
    assert_eq!(receipt.body.action, Action::Unguarded);
    assert_eq!(receipt.body.agent.name, "claude-code");
    assert_eq!(receipt.body.agent.door, Door::Unguarded);
    assert_eq!(receipt.body.guards.write, GuardOutcome::NotChecked);
    assert!(receipt.body.note.as_deref().unwrap().contains("`make`"), "{:?}", receipt.body.note);
    let paths: Vec<&str> = receipt.body.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["a.txt", "new.txt", "gone.txt"]);
    assert!(receipt.body.files[0].before_hash.is_some());
    assert!(receipt.body.files[2].after_hash.is_none());
    assert!(look(&engine).is_empty(), "it is told once");
    engine.rollback(&receipt.body.receipt_id, "person").unwrap();
    assert_eq!(scratch.read_text("a.txt"), "one\n");
    assert_eq!(scratch.read_text("gone.txt"), "was here\n");
    assert!(!scratch.root().join("new.txt").exists());
    assert!(look(&engine).is_empty(), "taking back is no new change");
}

#[test]
fn what_passed_a_door_is_not_unguarded() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let engine = engine(&scratch, Mode::Autonomous);
    look(&engine);
    let request = gatewright_engine::Request {
        agent: gatewright_model::Agent {
            name: "test".to_owned(),
            version: String::new(),
            door: Door::Cli,
        },
        run_id: "r".to_owned(),
        autonomy: None,
        operations: vec![gatewright_engine::Operation::Write {
            path: gatewright_model::RequestedPath::new("a.txt"),
            content: b"two\n".to_vec(),
            base: gatewright_engine::Base::Current,
        }],
    };
    engine.propose(request).unwrap();
    assert!(look(&engine).is_empty());
    scratch.write("a.txt", "three\n");
    let found = look(&engine);
    assert_eq!(found.len(), 1);
    engine.rollback(&found[0].body.receipt_id, "person").unwrap();
    assert_eq!(scratch.read_text("a.txt"), "two\n", "back to what passed the door");
}

#[test]
fn an_edit_over_somebody_elses_change_records_that_change_first() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let engine = engine(&scratch, Mode::Autonomous);
    look(&engine);
    scratch.write("a.txt", "by hand\n");
    let before = engine.ledger().len().unwrap();
    let event = json!({
        "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_use_id": "toolu_1",
        "tool_input": {"file_path": scratch.root().join("a.txt"), "content": "agent\n"},
    });
    hook(&engine, &scratch, event);
    let first = engine.ledger().get(before).unwrap().unwrap();
    assert_eq!(first.body.action, Action::Unguarded);
}

#[test]
fn a_write_that_a_hook_allowed_is_confirmed_by_a_second_receipt() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\n");
    let engine = engine(&scratch, Mode::Autonomous);
    hook(&engine, &scratch, write_event(&scratch, "PreToolUse", "toolu_1", "two\n"));
    let allowed = latest(&engine);
    assert_eq!((allowed.body.action, allowed.body.applied), (Action::Apply, false));
    assert_eq!(allowed.body.agent.door, Door::Hook);
    // The host writes by itself.
    scratch.write("notes.txt", "two\n");
    hook(&engine, &scratch, write_event(&scratch, "PostToolUse", "toolu_1", "two\n"));
    let written = latest(&engine);
    assert_eq!((written.body.action, written.body.applied), (Action::Apply, true));
    assert_eq!(written.body.refers_to.as_deref(), Some(allowed.body.receipt_id.as_str()));
    engine.rollback(&written.body.receipt_id, "person").unwrap();
    assert_eq!(scratch.read_text("notes.txt"), "one\n");
}

#[test]
fn a_host_that_writes_something_else_than_was_allowed_is_unguarded() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\n");
    let engine = engine(&scratch, Mode::Autonomous);
    hook(&engine, &scratch, write_event(&scratch, "PreToolUse", "toolu_1", "two\n"));
    let allowed = latest(&engine);
    scratch.write("notes.txt", "something else\n");
    hook(&engine, &scratch, write_event(&scratch, "PostToolUse", "toolu_1", "two\n"));
    let found = latest(&engine);
    assert_eq!(found.body.action, Action::Unguarded);
    assert_eq!(found.body.refers_to.as_deref(), Some(allowed.body.receipt_id.as_str()));
}

#[test]
fn the_same_event_twice_allows_and_records_once() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\n");
    let engine = engine(&scratch, Mode::Autonomous);
    let event = write_event(&scratch, "PreToolUse", "toolu_1", "two\n");
    hook(&engine, &scratch, event.clone());
    let length = engine.ledger().len().unwrap();
    hook(&engine, &scratch, event);
    assert_eq!(engine.ledger().len().unwrap(), length);
}

#[test]
fn hooks_of_git_are_watched_and_ignored_files_are_not() {
    let scratch = Scratch::new();
    scratch.write(".gitignore", "target/\n*.log\n");
    scratch.write(".git/config", "[core]\n");
    scratch.write(".git/objects/aa/bb", "x");
    let engine = engine(&scratch, Mode::Hybrid);
    look(&engine);
    scratch.write("target/out.txt", "x");
    scratch.write("a.log", "x");
    scratch.write(".git/objects/aa/cc", "x");
    assert!(look(&engine).is_empty());
    scratch.write(".git/hooks/pre-commit", "#!/bin/sh\n");
    let found = look(&engine);
    assert_eq!(found[0].body.files[0].path, ".git/hooks/pre-commit");
}

#[test]
fn another_process_goes_on_where_this_one_stopped() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let first = engine(&scratch, Mode::Hybrid);
    look(&first);
    let second = engine(&scratch, Mode::Hybrid);
    scratch.write("a.txt", "two\n");
    assert_eq!(look(&second).len(), 1);
    assert!(look(&first).is_empty(), "the other one has told it");
    for round in 0..3 {
        scratch.write("a.txt", format!("round {round}\n"));
        let teller = if round % 2 == 0 { &first } else { &second };
        assert_eq!(look(teller).len(), 1, "round {round}");
    }
}

#[test]
fn a_log_that_a_crash_cut_short_loses_at_most_what_was_being_written() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    scratch.write("b.txt", "one\n");
    let log = engine(&scratch, Mode::Hybrid).layout().state.join("known.log");
    look(&engine(&scratch, Mode::Hybrid));
    let bytes = std::fs::read(&log).unwrap();
    std::fs::write(&log, &bytes[..bytes.len() - 20]).unwrap();
    let engine = engine(&scratch, Mode::Hybrid);
    let found = look(&engine);
    let paths: Vec<&str> =
        found.iter().flat_map(|receipt| &receipt.body.files).map(|file| &*file.path).collect();
    assert_eq!(paths, ["b.txt"], "found anew");
    scratch.write("a.txt", "two\n");
    assert_eq!(look(&engine).len(), 1);
    assert!(look(&engine).is_empty());
}

#[test]
fn many_changes_at_once_are_one_receipt_of_bounded_size() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let engine = engine(&scratch, Mode::Hybrid);
    look(&engine);
    for number in 0..500 {
        scratch.write(format!("many/{number:03}.txt"), "x\n");
    }
    let found = look(&engine);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].body.files.len(), 200);
    assert!(found[0].body.note.as_deref().unwrap().starts_with("500 files"));
    assert!(look(&engine).is_empty());
}
