//! Change sets in all three forms, every kind of change, all or nothing.

use std::io::{BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use crate::gate::Gate;

fn propose(gate: &Gate, change: &str) -> gatewright_testkit::Run {
    gate.run_with(&["propose"], change)
}

#[test]
fn json_creates_writes_edits_deletes_renames_and_chmods_in_one_set() {
    let gate = Gate::autonomous();
    gate.scratch.write("edit.txt", "one two\n");
    gate.scratch.write("old.txt", "old\n");
    gate.scratch.write("gone.txt", "gone\n");
    gate.scratch.write("run.sh", "echo\n");
    gate.scratch.write("whole.txt", "before\n");
    let change = r#"{"changes":[
        {"op":"create","path":"new/deep/file.txt","content":"new\n"},
        {"op":"write","path":"whole.txt","content_base64":"YWZ0ZXIK"},
        {"op":"edit","path":"edit.txt","edits":[{"old":"two","new":"three"}]},
        {"op":"delete","path":"gone.txt"},
        {"op":"rename","from":"old.txt","to":"moved/new.txt"},
        {"op":"chmod","path":"run.sh","executable":true}]}"#;
    let run = propose(&gate, change);
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(gate.scratch.read_text("new/deep/file.txt"), "new\n");
    assert_eq!(gate.scratch.read_text("whole.txt"), "after\n");
    assert_eq!(gate.scratch.read_text("edit.txt"), "one three\n");
    assert_eq!(gate.scratch.read_text("moved/new.txt"), "old\n");
    assert!(!gate.scratch.has("gone.txt") && !gate.scratch.has("old.txt"));
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(gate.scratch.path("run.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0o111, "{mode:o}");
}

#[test]
fn undoing_that_set_restores_the_whole_tree() {
    let gate = Gate::autonomous();
    gate.scratch.write("a.txt", "a\r\nb\r\n");
    gate.scratch.write("b.sh", "b");
    gate.scratch.chmod("b.sh", 0o750);
    let before = gate.scratch.tree();
    let change = r#"{"changes":[
        {"op":"write","path":"a.txt","content":"x"},
        {"op":"delete","path":"b.sh"},
        {"op":"create","path":"c/d.txt","content":"y"}]}"#;
    assert_eq!(propose(&gate, change).code, Some(0));
    assert_ne!(gate.scratch.tree(), before);
    gate.ok(&["rollback"]);
    assert_eq!(gate.scratch.tree(), before);
}

#[test]
fn a_git_diff_with_extended_headers_is_applied() {
    let gate = Gate::autonomous();
    gate.scratch.write("a.txt", "one\ntwo\nthree\n");
    gate.scratch.write("dir/old.txt", "same\n");
    let diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n\
        diff --git a/dir/old.txt b/dir/new.txt\nsimilarity index 100%\nrename from dir/old.txt\nrename to dir/new.txt\n\
        diff --git a/tool.sh b/tool.sh\nnew file mode 100755\n--- /dev/null\n+++ b/tool.sh\n@@ -0,0 +1 @@\n+echo\n";
    let run = propose(&gate, diff);
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(gate.scratch.read_text("a.txt"), "one\n2\nthree\n");
    assert_eq!(gate.scratch.read_text("dir/new.txt"), "same\n");
    assert!(!gate.scratch.has("dir/old.txt"));
    assert_eq!(gate.scratch.read_text("tool.sh"), "echo\n");
}

#[test]
fn the_begin_patch_form_is_applied() {
    let gate = Gate::autonomous();
    gate.scratch.write("a.txt", "one\ntwo\nthree\n");
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n three\n\
        *** Add File: b.txt\n+new\n*** End Patch\n";
    let run = propose(&gate, patch);
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(gate.scratch.read_text("a.txt"), "one\n2\nthree\n");
    assert_eq!(gate.scratch.read_text("b.txt"), "new\n");
}

#[test]
fn a_diff_that_makes_a_link_or_a_gitlink_is_refused() {
    for mode in ["120000", "160000"] {
        let gate = Gate::autonomous();
        let before = gate.scratch.tree();
        let diff = format!(
            "diff --git a/l b/l\nnew file mode {mode}\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n"
        );
        let run = propose(&gate, &diff);
        assert_ne!(run.code, Some(0), "{run}");
        assert_eq!(gate.scratch.tree(), before);
    }
}

#[test]
fn one_refused_file_stops_the_whole_set() {
    let gate = Gate::autonomous();
    let before = gate.scratch.tree();
    let change = r#"{"changes":[
        {"op":"create","path":"good.txt","content":"x"},
        {"op":"create","path":".git/hooks/post-checkout","content":"x"}]}"#;
    let run = propose(&gate, change);
    assert_eq!(run.code, Some(1), "{run}");
    assert_eq!(gate.scratch.tree(), before);
}

#[test]
fn check_judges_a_diff_from_standard_input_and_applies_nothing() {
    let gate = Gate::autonomous();
    gate.scratch.write("a.txt", "one\n");
    let before = gate.scratch.tree();
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
    let run = gate.run_with(&["check", "--diff", "-"], diff);
    assert_eq!((run.code, run.stdout.trim()), (Some(0), "pass"), "{run}");
    let outside = "--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+two\n";
    assert_eq!(gate.run_with(&["check", "--diff", "-"], outside).code, Some(1));
    assert_eq!(gate.scratch.tree(), before);
    assert!(gate.ok(&["receipts", "list", "--action", "apply"]).stdout.contains("no receipts"));
}

#[test]
fn check_answers_lines_in_order_and_independently() {
    let gate = Gate::new();
    let input = concat!(
        r#"{"id":"a","path":"ok.txt","content":"x"}"#,
        "\n",
        r#"{"id":7,"path":"../no","content":"x"}"#,
        "\n",
        r#"{"id":"c","path":".github/workflows/ci.yml","content":"on: push"}"#,
        "\n",
        r#"{"id":"d","path":"ok.txt","content":"y"}"#,
        "\n",
    );
    let run = gate.run_with(&["check", "--jsonl"], input);
    let answers: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let verdicts: Vec<_> = answers.iter().map(|a| a["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["pass", "refuse", "confirm", "pass"]);
    assert_eq!(answers[1]["id"], 7);
    assert_eq!(answers[1]["guards"]["write"], "fail");
    assert!(answers.iter().all(|a| a["missing"].is_array() && a["findings"].is_array()));
    assert!(!gate.scratch.has("ok.txt"));
}

#[test]
fn a_server_outlives_an_input_that_has_nothing_yet() {
    let gate = Gate::autonomous();
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    let mut command = gate.command();
    command.arg("mcp").stdin(OwnedFd::from(theirs)).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let requests = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
    ];
    for (index, request) in requests.iter().enumerate() {
        writeln!(ours, "{request}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.contains(&format!("\"id\":{}", index + 1)), "{line:?}");
    }
    drop((ours, command));
    child.wait().unwrap();
}
