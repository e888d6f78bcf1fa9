//! Bad input gets a clear error each; nothing is written and nothing is lost.

use crate::gate::Gate;

/// Each is refused with exactly this exit code and these words, and the tree stays.
fn refuses(stdin: impl Into<Vec<u8>>, args: &[&str], code: i32, words: &str) {
    let gate = Gate::autonomous();
    gate.scratch.write("a.txt", "one\ntwo\n");
    let before = gate.scratch.tree();
    let run = gate.run_with(args, stdin);
    assert_eq!(run.code, Some(code), "{run}");
    let said = format!("{}{}", run.stdout, run.stderr);
    assert!(said.contains(words), "{words:?} not in {run}");
    assert_eq!(gate.scratch.tree(), before);
}

#[test]
fn a_malformed_diff_names_the_line() {
    refuses("--- a/a.txt\n+++ b/a.txt\n@@ nonsense @@\n-one\n", &["propose"], 2, "line 3");
}

#[test]
fn a_hunk_that_does_not_fit_is_not_guessed() {
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-three\n+3\n";
    refuses(diff, &["propose"], 2, "a.txt");
}

#[test]
fn a_wrong_base_shows_both_digests() {
    let digest = format!("sha256:{}", "0".repeat(64));
    refuses("x", &["write", "a.txt", "--base", &digest], 1, "changed since it was read");
}

#[test]
fn an_unknown_field_is_named() {
    let json = r#"{"changes":[{"op":"write","path":"a.txt","content":"x","force":true}]}"#;
    refuses(json, &["propose"], 2, "force");
}

#[test]
fn a_patch_over_the_limit_is_refused_by_size() {
    let mut patch = b"--- a/a.txt\n+++ b/a.txt\n".to_vec();
    patch.resize(11 * 1024 * 1024, b'x');
    refuses(patch, &["propose"], 2, "10 MB");
}

#[test]
fn a_path_of_five_thousand_bytes_is_refused() {
    refuses("x", &["write", &"d/".repeat(2500)], 1, "refused");
    refuses("x", &["write", &"d".repeat(5000)], 1, "refused");
}

#[test]
fn invalid_utf8_in_a_text_edit_is_refused() {
    let gate = Gate::autonomous();
    gate.scratch.write("bin.txt", b"\xff\xfe\xfd one");
    let run = gate.run(&["edit-file", "bin.txt", "--old", "one", "--new", "two"]);
    assert_eq!(run.code, Some(2), "{run}");
    assert_eq!(gate.scratch.read("bin.txt"), b"\xff\xfe\xfd one");
}

#[test]
fn content_over_one_megabyte_and_binary_content_are_refused() {
    refuses("x".repeat(1_048_577), &["write", "big.txt"], 1, "refused");
    refuses(b"a\0b".to_vec(), &["write", "b.txt"], 1, "refused");
}

#[test]
fn a_creation_never_overwrites() {
    refuses("x", &["write", "--create", "a.txt"], 1, "exists already");
}

#[test]
fn an_ambiguous_or_missing_place_is_never_guessed() {
    refuses("", &["edit-file", "a.txt", "--old", "o", "--new", "0"], 2, "occurs 2 times");
    refuses("", &["edit-file", "a.txt", "--old", "zzz", "--new", "0"], 2, "not found");
}

#[test]
fn an_empty_request_says_so() {
    refuses("", &["propose"], 2, "changes nothing");
    refuses(r#"{"changes":[]}"#, &["propose"], 2, "changes nothing");
}

#[test]
fn a_missing_root_and_a_root_that_is_a_file_are_named() {
    let gate = Gate::new();
    gate.scratch.write("file", "x");
    for root in ["nowhere", "file"] {
        let run = gate.run(&["doctor", "--root", root]);
        assert_eq!(run.code, Some(3), "{run}");
        assert!(run.stderr.contains(root), "{run}");
    }
}

#[test]
fn a_corrupt_database_stops_everything_and_is_left_alone() {
    let gate = Gate::autonomous();
    gate.write("a.txt", "x");
    let database = database_of(&gate);
    std::fs::write(&database, b"this is no database at all, is it?").unwrap();
    for side in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{side}", database.display()));
    }
    let run = gate.write("b.txt", "y");
    assert_eq!(run.code, Some(3), "{run}");
    assert!(!gate.scratch.has("b.txt"));
    assert_eq!(std::fs::read(&database).unwrap(), b"this is no database at all, is it?");
}

#[test]
fn a_lost_key_is_not_replaced_in_silence() {
    let gate = Gate::autonomous();
    gate.write("a.txt", "x");
    std::fs::remove_file(gate.scratch.state().join("gatewright/signing.key")).unwrap();
    let run = gate.write("b.txt", "y");
    assert_eq!(run.code, Some(3), "{run}");
    assert!(!gate.scratch.has("b.txt"));
}

#[test]
fn a_key_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let gate = Gate::autonomous();
    let key = gate.scratch.state().join("gatewright/signing.key");
    assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(gate.write("b.txt", "y").code, Some(3));
    assert!(!gate.scratch.has("b.txt"));
}

#[test]
fn parallel_writers_take_turns_and_the_chain_stays_whole() {
    let gate = Gate::autonomous();
    let children: Vec<_> = (0..8)
        .map(|number| {
            let mut command = gate.command();
            let path = format!("file-{number}.txt");
            command.args(["propose"]).stdin(std::process::Stdio::piped());
            command.stdout(std::process::Stdio::null());
            let mut child = command.spawn().unwrap();
            let change =
                format!(r#"{{"changes":[{{"op":"create","path":"{path}","content":"x"}}]}}"#);
            use std::io::Write;
            child.stdin.take().unwrap().write_all(change.as_bytes()).unwrap();
            child
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert!((0..8).all(|number| gate.scratch.has(format!("file-{number}.txt"))));
    let (report, code) = gate.json(&["receipts", "verify"], "");
    assert_eq!((report["verdict"].as_str(), code), (Some("ok"), Some(0)), "{report}");
}

pub fn database_of(gate: &Gate) -> std::path::PathBuf {
    let workspaces = gate.scratch.state().join("gatewright/workspaces");
    let entry = std::fs::read_dir(workspaces).unwrap().next().unwrap().unwrap();
    entry.path().join("ledger.sqlite")
}
