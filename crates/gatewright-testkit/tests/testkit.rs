//! The test support, tested: a runner that cannot fail proves nothing.

#![allow(clippy::disallowed_methods, clippy::expect_used, reason = "tests build real trees")]

use std::fs;
use std::panic::catch_unwind;
use std::process::Command;

use gatewright_testkit::{Binary, Case, Random, Scratch, Tree, cases, check_cases, has_program};

fn sample(case: &Case, scratch: &Scratch) -> String {
    let change = case.change_text();
    let (verb, path) = change.trim().split_once(' ').expect("a verb and a path");
    if verb == "refuse" {
        return format!("refused: {path} holds {} bytes", scratch.read(path).len());
    }
    scratch.write(path, "new\n");
    String::new()
}

#[test]
fn sample_cases_hold() {
    check_cases("tests/cases/sample", sample);
}

#[test]
fn a_wrong_text_fails_its_case() {
    let outcome = catch_unwind(|| {
        check_cases("tests/cases/sample", |case, scratch| sample(case, scratch) + "x");
    });
    assert!(outcome.is_err());
}

#[test]
fn a_stray_write_fails_its_case() {
    let outcome = catch_unwind(|| {
        check_cases("tests/cases/sample", |case, scratch| {
            scratch.write("stray.txt", "");
            sample(case, scratch)
        });
    });
    assert!(outcome.is_err());
}

#[test]
fn an_area_without_cases_fails() {
    let scratch = Scratch::new();
    assert!(catch_unwind(|| check_cases(scratch.root(), sample)).is_err());
}

#[test]
fn a_tree_sees_bytes_modes_links_and_names() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\r\ntwo");
    scratch.chmod("a.txt", 0o644);
    scratch.link("a.txt", "link");
    let before = scratch.tree();
    assert_eq!(
        before.to_string(),
        "0644 a.txt (8 bytes)\n    one\\r\\n\n    two\n0777 link -> a.txt\n"
    );
    scratch.chmod("a.txt", 0o600);
    assert_ne!(scratch.tree(), before);
    scratch.chmod("a.txt", 0o644);
    assert_eq!(scratch.tree(), before);
    scratch.write("a.txt", "one\ntwo");
    assert_ne!(scratch.tree(), before);
    scratch.write("a.txt", "one\r\ntwo");
    fs::create_dir(scratch.path("empty")).expect("a directory can be made");
    assert_ne!(scratch.tree(), before);
    assert_eq!(scratch.tree().without_empty_directories(), before);
}

#[test]
fn a_scratch_workspace_vanishes_with_its_value() {
    let scratch = Scratch::new();
    let base = scratch.base().to_owned();
    scratch.write("a", "a");
    drop(scratch);
    assert!(!base.exists());
}

#[test]
fn a_program_sees_only_the_scratch_environment() {
    let scratch = Scratch::new();
    let run = Binary::new("/bin/sh").env("EXTRA", "1").stdin("from stdin").run(
        &scratch,
        ["-c", "cat; echo; pwd; echo $EXTRA $CARGO_MANIFEST_DIR; echo $XDG_STATE_HOME >&2; exit 3"],
    );
    assert_eq!(
        run.to_string(),
        "exit: 3\n--- stdout\nfrom stdin\n[ROOT]\n1\n--- stderr\n[STATE]\n"
    );
}

#[test]
fn a_skipped_test_says_so_past_the_capture() {
    let me = std::env::current_exe().expect("the test program has a path");
    let output = Command::new(me)
        .args(["skips_when_it_is_told_to", "--exact"])
        .env("TESTKIT_SKIP", "1")
        .output()
        .expect("the test program runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success());
    assert!(stderr.starts_with("SKIPPED: no reason but 1 ("), "{stderr:?}");
}

#[test]
fn skips_when_it_is_told_to() {
    if let Ok(value) = std::env::var("TESTKIT_SKIP") {
        gatewright_testkit::skip!("no reason but {value}");
    }
}

#[test]
fn random_numbers_repeat_and_stay_in_bounds() {
    let mut random = Random::new(1);
    let first: Vec<usize> = (0..cases(100)).map(|_| random.below(7)).collect();
    let mut again = Random::new(1);
    assert!(first.iter().all(|number| *number < 7 && *number == again.below(7)));
    assert_ne!(Random::new(1).bytes(16), Random::new(2).bytes(16));
}

#[test]
fn programs_are_found_on_the_path() {
    assert!(has_program("sh"));
    assert!(!has_program("no-such-program-anywhere"));
    assert_eq!(Tree::default().to_string(), "");
}
