//! Text that only adds, through every door: a new definition passes, one that is there already
//! and one that tears another apart do not. And the one call of a refusal does all of it.

use gatewright_model::Mode;
use gatewright_server::hooks::{HookExit, run};
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::{Client, engine};
use crate::hooks::at_once;

const BASE: &str =
    "def first(a):\n    b = a\n    return b\n\n\ndef last(a):\n    c = a\n    return c\n";

/// What is put behind the file, or into it, and whether that passes.
struct Addition {
    text: &'static str,
    /// The line that it stands behind.
    line: usize,
    passes: bool,
}

const ADDITIONS: &[Addition] = &[
    Addition { text: "\n\ndef newest(a):\n    return a\n", line: 8, passes: true },
    Addition { text: "\n\ndef first(a):\n    return 0\n", line: 8, passes: false },
    Addition { text: "\n\ndef torn(b):\n", line: 2, passes: false },
];

impl Addition {
    fn result(&self) -> String {
        let at: usize = BASE.split_inclusive('\n').take(self.line).map(str::len).sum();
        format!("{}{}{}", &BASE[..at], self.text, &BASE[at..])
    }

    fn line_above(&self) -> &'static str {
        BASE.lines().nth(self.line - 1).unwrap()
    }

    fn diff(&self) -> String {
        let text: String = self.text.lines().map(|line| format!("+{line}\n")).collect();
        let count = self.text.lines().count();
        let (start, above) = (self.line, self.line_above());
        format!("--- a/m.py\n+++ b/m.py\n@@ -{start},1 +{start},{} @@\n {above}\n{text}", count + 1)
    }

    fn patch(&self) -> String {
        let text: String = self.text.lines().map(|line| format!("+{line}\n")).collect();
        let above = self.line_above();
        format!("*** Begin Patch\n*** Update File: m.py\n@@\n {above}\n{text}*** End Patch\n")
    }
}

fn is_code(body: &Value) -> bool {
    body["code"].as_str().is_some_and(|code| code.starts_with("S10"))
}

#[tokio::test(flavor = "multi_thread")]
async fn additions_through_the_tools() {
    for addition in ADDITIONS {
        let above = addition.line_above();
        let new = format!("{above}\n{}", addition.text.trim_end_matches('\n'));
        let calls = [
            ("edit_file", json!({"path": "m.py", "old_string": above, "new_string": new})),
            ("write_file", json!({"path": "m.py", "content": addition.result()})),
        ];
        for (tool, arguments) in calls {
            let scratch = Scratch::new();
            scratch.write("m.py", BASE);
            let mut client = Client::start(&scratch, Mode::Autonomous).await;
            let answer = client.call(tool, arguments).await;
            let body = &answer["structuredContent"];
            assert_eq!(answer["isError"], !addition.passes, "{tool}: {answer}");
            assert_eq!(is_code(body), !addition.passes, "{tool}: {body}");
        }
        let scratch = Scratch::new();
        scratch.write("m.py", BASE);
        let mut client = Client::start(&scratch, Mode::Autonomous).await;
        let checked = client.ok("check", json!({"diff": addition.diff()})).await;
        assert_eq!(checked["verdict"] == "refuse", !addition.passes, "{checked}");
    }
}

#[test]
fn additions_through_the_hooks_of_every_host() {
    for addition in ADDITIONS {
        let above = addition.line_above();
        let new = format!("{above}\n{}", addition.text.trim_end_matches('\n'));
        for event in events(addition, above, &new) {
            let scratch = Scratch::new();
            scratch.write("m.py", BASE);
            let engine = engine(&scratch, Mode::Autonomous);
            let root = scratch.root().display().to_string();
            let event = event.to_string().replace("@ROOT@", &root);
            let answer = run(&engine, event.as_bytes(), &at_once());
            let words = ["\"deny\"", "\"block\"", "\"cancel\":true"];
            let is_denied = answer.exit == HookExit::Blocked
                || words.iter().any(|word| answer.stdout.contains(word));
            assert_eq!(is_denied, !addition.passes, "{event}: {} {}", answer.stdout, answer.stderr);
        }
    }
}

fn events(addition: &Addition, above: &str, new: &str) -> Vec<Value> {
    let claude = |tool: &str, input: Value| {
        json!({
            "session_id": "s", "transcript_path": "/t", "cwd": "@ROOT@",
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": tool,
            "tool_input": input, "tool_use_id": "t1",
        })
    };
    let edit = json!({"file_path": "@ROOT@/m.py", "old_string": above, "new_string": new});
    let quoted = addition.text.replace('\n', "\\n");
    let mut events = vec![
        claude("Edit", edit.clone()),
        claude("Write", json!({"file_path": "@ROOT@/m.py", "content": addition.result()})),
        json!({
            "session_id": "s", "turn_id": "t", "transcript_path": null, "cwd": "@ROOT@",
            "hook_event_name": "PreToolUse", "model": "m", "permission_mode": "default",
            "tool_name": "apply_patch", "tool_input": {"command": addition.patch()},
            "tool_use_id": "t1",
        }),
        json!({
            "session_id": "s", "cwd": "@ROOT@", "hook_event_name": "BeforeTool", "timestamp": "t",
            "tool_name": "replace", "tool_input": edit,
        }),
        json!({
            "host": "opencode", "event": "tool.execute.before", "cwd": "@ROOT@", "tool": "edit",
            "sessionID": "s", "callID": "c",
            "args": {"filePath": "@ROOT@/m.py", "oldString": above, "newString": new},
        }),
        json!({
            "conversation_id": "c", "generation_id": "g", "hook_event_name": "preToolUse",
            "cursor_version": "3.1.0", "workspace_roots": ["@ROOT@"], "tool_name": "Write",
            "tool_input": edit,
        }),
        json!({
            "sessionId": "s", "timestamp": 1, "cwd": "@ROOT@", "toolName": "str_replace_editor",
            "toolArgs": {
                "command": "insert", "path": "@ROOT@/m.py", "insert_line": addition.line,
                "new_str": addition.text,
            },
        }),
    ];
    if addition.line == BASE.lines().count() {
        let command = format!("printf '{quoted}' >> m.py");
        events.push(claude("Bash", json!({"command": command})));
        let append = json!({"path": "@ROOT@/m.py", "content": addition.text});
        events.push(claude("mcp__files__append_to_file", append));
    }
    events.extend(editors(above, new));
    events
}

/// The hooks of editors.
fn editors(above: &str, new: &str) -> [Value; 3] {
    let diff = format!("------- SEARCH\n{above}\n=======\n{new}\n+++++++ REPLACE\n");
    [
        json!({
            "timestamp": "t", "cwd": "@ROOT@", "sessionId": "s", "hookEventName": "PreToolUse",
            "transcript_path": "/t", "tool_name": "replace_string_in_file", "tool_use_id": "v",
            "tool_input": {"filePath": "@ROOT@/m.py", "oldString": above, "newString": new},
        }),
        json!({
            "agent_action_name": "pre_write_code", "trajectory_id": "s", "execution_id": "e",
            "timestamp": "t",
            "tool_info": {
                "file_path": "@ROOT@/m.py",
                "edits": [{"old_string": above, "new_string": new}],
            },
        }),
        json!({
            "clineVersion": "3.30", "hookName": "PreToolUse", "timestamp": "t", "taskId": "s",
            "workspaceRoots": ["@ROOT@"], "userId": "u",
            "preToolUse": {
                "toolName": "replace_in_file", "parameters": {"path": "m.py", "diff": diff},
            },
        }),
    ]
}

const TWO: &str = "import os\n\n\ndef first(a):\n    b = a\n    return b\n\n\ndef last(a):\n    c = a\n    return c\n";

#[tokio::test(flavor = "multi_thread")]
async fn one_call_does_what_an_edit_of_several_definitions_wanted() {
    let scratch = Scratch::new();
    scratch.write("m.py", TWO);
    let wanted = TWO.replace("import os", "import sys").replace(" = a", " = a + 1");
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let edit = json!({"path": "m.py", "old_string": TWO, "new_string": wanted});
    let refused = client.refused("edit_file", edit).await;
    assert_eq!(refused["recoverable"], true, "{refused}");
    let call = refused["call"].clone();
    assert!(call["arguments"]["then"].as_array().is_some_and(|then| !then.is_empty()), "{call}");
    let made = client.ok(call["tool"].as_str().unwrap(), call["arguments"].clone()).await;
    assert_eq!(made["outcome"], "applied", "{made}");
    assert_eq!(scratch.read_text("m.py"), wanted);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_further_step_is_judged_like_an_edit_of_its_own() {
    let scratch = Scratch::new();
    scratch.write("m.py", TWO);
    let mut client = Client::start(&scratch, Mode::Autonomous).await;
    let with = |then: Value| {
        json!({
            "path": "m.py", "symbol": "first", "action": "replace", "body": "return a",
            "then": then,
        })
    };
    let line = |old: &str, new: &str| json!({"old_string": old, "new_string": new});
    let head = json!({
        "old_string": "def last(a):\n    c = a", "new_string": "def last(z):\n    c = z",
    });
    let steps = [
        json!([head]),
        json!([{"symbol": "nowhere", "action": "remove"}]),
        json!([{"symbol": "last", "action": "rename"}]),
        json!([{"symbol": "last"}]),
        // Line by line they rewrite a definition, with or without a step between them that
        // changes nothing.
        json!([line("def last(a):", "def last(z):"), line("c = a", "c = z")]),
        json!([
            line("def last(a):", "def last(z):"),
            {"symbol": "first", "action": "replace", "body": "return a"},
            line("c = a", "c = z"),
        ]),
        // A symbol edit leaves no new syntax error, and nor do its further steps.
        json!([line("import os", "import os (")]),
    ];
    for then in steps {
        client.refused("edit_code", with(then)).await;
        assert_eq!(scratch.read_text("m.py"), TWO);
    }
    let last = json!([{"symbol": "last", "action": "remove"}]);
    client.ok("edit_code", with(last)).await;
    assert_eq!(scratch.read_text("m.py"), "import os\n\n\ndef first(a):\n    return a\n");
}
