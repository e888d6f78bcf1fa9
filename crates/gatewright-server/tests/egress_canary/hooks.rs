//! Every hook answer, for every recorded event with canaries in all that it says.

use std::path::Path;
use std::time::Duration;

use gatewright_model::Mode;
use gatewright_server::hooks::{Options, run};
use gatewright_testkit::Scratch;
use serde_json::Value;

use crate::canary::{assert_silent, every_text};
use crate::client::engine;

/// Members that say what an event is, and so must stay as they are.
const CONTROLS: [&str; 12] = [
    "hook_event_name",
    "hookEventName",
    "hookName",
    "tool_name",
    "toolName",
    "tool",
    "cwd",
    "workspaceRoots",
    "workspace_roots",
    "agent_action_name",
    "event",
    "type",
];

/// Puts the canaries behind every text that is no control.
fn poison(value: &mut Value, poison_text: &str) {
    match value {
        Value::String(text) => {
            text.push('\n');
            text.push_str(poison_text);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| poison(item, poison_text)),
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                let is_control = CONTROLS.contains(&name.as_str()) || name.ends_with("_path");
                if !is_control && !name.ends_with("Path") && name != "path" {
                    poison(member, poison_text);
                }
            }
        }
        _ => {}
    }
}

fn events() -> Vec<(String, Value)> {
    let area = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/hooks");
    let list = |path: &Path| -> Vec<_> {
        let entries = std::fs::read_dir(path).expect("a folder").flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
    };
    let mut events = Vec::new();
    for host in list(&area) {
        for case in list(&host) {
            let Ok(text) = std::fs::read_to_string(case.join("event.json")) else { continue };
            if let Ok(event) = serde_json::from_str(&text) {
                events.push((case.display().to_string(), event));
            }
        }
    }
    events.sort_by(|left, right| left.0.cmp(&right.0));
    events
}

fn walk(mode: Mode) -> usize {
    let scratch = Scratch::new();
    scratch.write("config.txt", format!("one\n{}two\n", every_text()));
    scratch.write(".env", "DB_PASSWORD=Tr0ubCanary3xQ\n");
    let engine = engine(&scratch, mode);
    let options = Options { wait: Some(Duration::ZERO), ..Options::default() };
    let events = events();
    for (case, event) in &events {
        let mut event = event.clone();
        poison(&mut event, &every_text());
        let event = event.to_string().replace("@ROOT@", &scratch.root().display().to_string());
        let answer = run(&engine, event.as_bytes(), &options);
        assert_silent(case, &answer.stdout);
        assert_silent(case, &answer.stderr);
    }
    events.len()
}

#[test]
fn no_hook_answer_shows_a_canary() {
    assert!(walk(Mode::Hybrid) > 20);
    walk(Mode::Autonomous);
}

#[test]
fn an_event_that_cannot_be_read_is_not_repeated() {
    let scratch = Scratch::new();
    let engine = engine(&scratch, Mode::Hybrid);
    let options = Options { wait: Some(Duration::ZERO), ..Options::default() };
    for event in [every_text(), format!("{{\"tool_name\": {:?}}}", every_text())] {
        let answer = run(&engine, event.as_bytes(), &options);
        assert_silent("the answer to nonsense", &format!("{}{}", answer.stdout, answer.stderr));
    }
}
