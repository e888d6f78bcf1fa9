//! Calls that name the folder at which their relative paths start.

use gatewright_model::{Action, Mode};
use gatewright_server::hooks::run;
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::engine;
use crate::hooks::{at_once, foreign_event};

#[test]
fn a_path_of_another_server_starts_at_the_folder_that_its_call_names() {
    let scratch = Scratch::new();
    let lib = "pub fn one() -> u32 {\n    1\n}\n";
    scratch.write("sub/lib.rs", lib);
    scratch.write("top.rs", lib);
    let engine = engine(&scratch, Mode::Autonomous);
    let root = scratch.root().display().to_string();
    let sub = format!("{root}/sub");
    let body = json!([{"oldText": lib, "newText": "pub fn one() -> u64 {\n    2\n}\n"}]);
    let edit = |key: &str, folder: &str, path: &str| {
        let mut input = json!({"path": path, "edits": body});
        input[key] = json!(folder);
        ("mcp__files__edit_file", input)
    };
    let refused = [
        edit("repo", &sub, "lib.rs"),
        edit("repo_path", &sub, "lib.rs"),
        edit("projectRoot", &root, "sub/lib.rs"),
        edit("repo", "sub", "lib.rs"),
        edit("repo", ".", "top.rs"),
        edit("workspace", "./sub/", "lib.rs"),
        edit("directory", "sub", "sub/lib.rs"),
        (
            "mcp__git__apply_patch",
            json!({
                "repo": sub,
                "patch": "--- a/lib.rs\n+++ b/lib.rs\n@@ -1,3 +1,3 @@\n-pub fn one() -> u32 {\n-    1\n+pub fn one() -> u64 {\n+    2\n }\n",
            }),
        ),
    ];
    for (tool, input) in refused {
        let answer = run(&engine, &foreign_event(&scratch, tool, &input), &at_once());
        assert!(answer.stdout.contains("[S"), "{tool} {input}: {}", answer.stdout);
        assert!(!answer.stdout.contains("sub/sub"), "{tool} {input}: {}", answer.stdout);
    }
    let outside = [
        json!({"repo": sub, "path": "../../evil.txt", "content": "x"}),
        json!({"repo": format!("{root}/sub/.git/hooks"), "path": "x", "content": "x"}),
        json!({"owner": "o", "repo": sub, "path": ".git/hooks/x", "content": "x"}),
    ];
    for input in outside {
        let event = foreign_event(&scratch, "mcp__files__write_file", &input);
        let answer = run(&engine, &event, &at_once());
        assert!(answer.stdout.contains("[W"), "{input}: {}", answer.stdout);
    }
}

#[test]
fn a_folder_that_a_tool_may_not_know_does_not_hide_the_file_without_it() {
    let scratch = Scratch::new();
    let lib = "pub fn one() -> u32 {\n    1\n}\n";
    scratch.write("lib.rs", lib);
    scratch.write("docs/lib.rs", "// nothing yet\n");
    let engine = engine(&scratch, Mode::Autonomous);
    for folder in ["docs".to_owned(), scratch.root().join("docs").display().to_string()] {
        for key in ["cwd", "repo", "directory", "workspace"] {
            let mut input = json!({"path": "lib.rs", "content": "// gone\n"});
            input[key] = json!(folder);
            let event = foreign_event(&scratch, "mcp__files__write_file", &input);
            let answer = run(&engine, &event, &at_once()).stdout;
            assert!(answer.contains("[S") && answer.contains("absolute path"), "{input}: {answer}");
            let last = engine.ledger().get(engine.ledger().len().unwrap() - 1).unwrap().unwrap();
            assert_eq!(last.body.action, Action::Refuse, "{input}");
            assert!(last.body.note.is_some_and(|note| note.contains("absolute path")), "{input}");
        }
        let fine = json!({"cwd": folder, "path": "new.rs", "content": "pub fn two() {}\n"});
        let event = foreign_event(&scratch, "mcp__files__write_file", &fine);
        let answer = run(&engine, &event, &at_once()).stdout;
        assert!(answer.contains("\"allow\""), "{fine}: {answer}");
    }
}

#[test]
fn a_repository_of_a_forge_is_no_folder_although_one_has_its_name() {
    let scratch = Scratch::new();
    scratch.write("docs/a.rs", "pub fn one() {}\n");
    let engine = engine(&scratch, Mode::Hybrid);
    for input in [
        json!({"owner": "o", "repo": "docs", "path": "a.rs", "content": "x"}),
        json!({"repo": "docs", "branch": "main", "path": "a.rs", "content": "x"}),
        json!({"repo": "elsewhere", "path": "a.rs", "content": "x"}),
        json!({"repo": "/other/place", "path": "a.rs", "content": "x"}),
    ] {
        let event = foreign_event(&scratch, "mcp__github__create_or_update_file", &input);
        let answer = run(&engine, &event, &at_once());
        assert_eq!(answer.stdout, "", "{input}");
    }
    assert!(engine.open_changes().unwrap().is_empty());
}

#[test]
fn a_command_is_judged_where_its_call_says_that_it_runs() {
    let scratch = Scratch::new();
    scratch.write("sub/kept.txt", "x\n");
    let engine = engine(&scratch, Mode::Autonomous);
    let judged = |tool: &str, input: Value| {
        run(&engine, &foreign_event(&scratch, tool, &input), &at_once()).stdout
    };
    let into_git = json!({"command": "echo x > hooks/x", "workdir": ".git"});
    assert!(judged("Bash", into_git).contains("[W"));
    let plain = json!({"command": "echo x > hooks/x", "workdir": "sub"});
    assert!(!judged("Bash", plain).contains("[W"));
    let outside = json!({"command": "echo x > evil.txt", "cwd": scratch.outside()});
    assert!(judged("mcp__box__execute_command", outside).contains("[W"));
}
