//! The structural gate on the command line, and the call that it suggests.

use crate::gate::Gate;

const SOURCE: &str = "//! A crate.\n\n/// Adds.\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub struct Point {\n    pub x: i32,\n}\n";

/// A search path on which no language server is found.
const NO_SERVERS: (&str, &str) = ("PATH", "/var/empty");

#[test]
fn a_structural_edit_is_refused_and_its_suggested_call_lands() {
    let gate = Gate::autonomous();
    gate.scratch.write("lib.rs", SOURCE);
    let edits = serde_json::json!([{
        "old_string": "pub fn add(a: i32, b: i32) -> i32 {\n    a + b",
        "new_string": "pub fn add(a: i64, b: i64) -> i64 {\n    a + b",
    }]);
    let (outcome, code) = gate.json(&["edit-file", "lib.rs", "--edits", "-"], &edits.to_string());
    assert_eq!(code, Some(1), "{outcome}");
    assert_eq!(gate.scratch.read_text("lib.rs"), SOURCE);
    let message = outcome["findings"][0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("edit_file blocked: old_string contains a Rust definition keyword (\"fn \").\nStructural edits must use symbol tools — the LSP knows the exact range.\nUse: edit_code("),
        "{message}"
    );
    let call = &outcome["calls"][0]["arguments"];
    let run = gate.run(&[
        "edit-code",
        call["symbol"].as_str().unwrap(),
        call["path"].as_str().unwrap(),
        "--action",
        call["action"].as_str().unwrap(),
        "--body",
        call["body"].as_str().unwrap(),
    ]);
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(
        gate.scratch.read_text("lib.rs"),
        SOURCE.replace("i32, b: i32) -> i32", "i64, b: i64) -> i64")
    );
}

#[test]
fn the_steps_of_a_call_land_together() {
    let gate = Gate::autonomous();
    gate.scratch.write("lib.rs", SOURCE);
    let after = SOURCE.replace("i32", "i64").replace("//! A crate.", "//! Two things.");
    let (outcome, code) = gate.json(&["write", "lib.rs"], &after.replace("Point", "Place"));
    assert_eq!(code, Some(1), "{outcome}");
    let call = &outcome["call"]["arguments"];
    gate.scratch.write("then.json", call["then"].to_string());
    let asked = |key: &str| call[key].as_str().unwrap();
    let what = ["edit-code", asked("symbol"), asked("path"), "--action", asked("action")];
    gate.ok(&[&what[..], &["--body", asked("body"), "--then", "then.json"]].concat());
    assert_eq!(gate.scratch.read_text("lib.rs"), after.replace("Point", "Place"));
    let wrong = gate.run(&[&what[..], &["--body", "x", "--then", "lib.rs"]].concat());
    assert_eq!(wrong.code, Some(2), "{wrong}");
}

#[test]
fn a_single_line_edit_and_an_edit_inside_a_body_pass() {
    let gate = Gate::autonomous();
    gate.scratch.write("lib.rs", SOURCE);
    gate.ok(&["edit-file", "lib.rs", "--old", "a + b", "--new", "a.wrapping_add(b)"]);
    assert!(gate.scratch.read_text("lib.rs").contains("wrapping_add"));
}

#[test]
fn an_unknown_symbol_gets_suggestions() {
    let gate = Gate::autonomous();
    gate.scratch.write("lib.rs", SOURCE);
    let run = gate.run(&["edit-code", "ad", "lib.rs", "--action", "remove"]);
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("add"), "{run}");
    assert_eq!(gate.scratch.read_text("lib.rs"), SOURCE);
}

#[test]
fn rename_without_a_server_says_which_one_to_install() {
    let gate = Gate::autonomous();
    gate.scratch.write("a.kt", "fun add(a: Int, b: Int): Int {\n    return a + b\n}\n");
    let rename = ["edit-code", "add", "a.kt", "--action", "rename", "--body", "sum"];
    let run = gate.run_in(&rename, NO_SERVERS);
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("kotlin-lsp"), "{run}");
}

#[test]
fn a_long_file_is_read_in_parts() {
    let gate = Gate::autonomous();
    let text: String = (1..=2500).map(|number| format!("{number}\n")).collect();
    gate.scratch.write("long.txt", &text);
    let first = gate.ok(&["read", "long.txt"]);
    assert_eq!(first.stdout.lines().last(), Some("1000"), "{first}");
    assert!(first.stderr.contains("1 to 1000 of 2500; go on with --from 1001"), "{first}");
    let last = gate.ok(&["read", "long.txt", "--from", "2001"]);
    assert_eq!((last.stdout.lines().last(), last.stderr.as_str()), (Some("2500"), ""));
    assert_eq!(gate.ok(&["read", "long.txt", "--all"]).stdout, text);
    let (shown, _) = gate.json(&["read", "long.txt", "--lines", "2"], "");
    assert_eq!((&shown["content"], &shown["next_line"]), (&"1\n2\n".into(), &3.into()));
}

#[test]
fn a_secret_is_neither_shown_lost_nor_overwritten() {
    let gate = Gate::autonomous();
    let secret = "tr0ub4dor-and-3xQz";
    gate.scratch.write("app.ini", format!("password = \"{secret}\"\nport = 1\n"));
    let shown = gate.ok(&["read", "app.ini"]).stdout;
    assert!(!shown.contains(secret) && shown.contains("[REDACTED:"), "{shown}");
    let line = shown.lines().next().unwrap();
    let run = gate.run(&[
        "edit-file",
        "app.ini",
        "--old",
        line,
        "--new",
        &format!("{line}\nuser = \"ada\""),
    ]);
    assert_eq!(run.code, Some(0), "{run}");
    let expected = format!("password = \"{secret}\"\nuser = \"ada\"\nport = 1\n");
    assert_eq!(gate.scratch.read_text("app.ini"), expected);
    let run = gate.run(&[
        "edit-file",
        "app.ini",
        "--old",
        "port = 1",
        "--new",
        "port = [REDACTED:password]",
    ]);
    assert_eq!(run.code, Some(2), "{run}");
    assert_eq!(gate.scratch.read_text("app.ini"), expected);
}

#[test]
fn a_rename_through_a_server_changes_every_file_at_once() {
    if !gatewright_testkit::has_program("ty") {
        gatewright_testkit::skip!("ty is not installed");
    }
    let gate = Gate::autonomous();
    let (defining, using) =
        ("def total(x):\n    return x\n", "from a import total\n\nY = total(1)\n");
    gate.scratch.write("a.py", defining);
    gate.scratch.write("b.py", using);
    let rename = |new: &str| {
        gate.run(&["edit-code", "total", "a.py", "--action", "rename", "--new-name", new])
    };
    for taken in ["Y", "class", "1x", "total"] {
        let run = rename(taken);
        assert_eq!(run.code, Some(2), "{taken}: {run}");
        assert_eq!(gate.scratch.read_text("a.py"), defining);
    }
    let run = rename("add_up");
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.contains("3 places of 2 files"), "{run}");
    assert_eq!(gate.scratch.read_text("a.py"), defining.replace("total", "add_up"));
    assert_eq!(gate.scratch.read_text("b.py"), using.replace("total", "add_up"));
}

#[test]
fn uses_errors_and_symbols_are_listed_without_a_server() {
    let gate = Gate::autonomous();
    gate.scratch.write("a.kt", "fun total(a: Int): Int {\n    return a\n}\n");
    gate.scratch.write("b.kt", "// total\nval x = total(1)\n");
    let uses = gate.run_in(&["references", "total", "a.kt"], NO_SERVERS).stdout;
    assert!(uses.contains("a.kt:1") && uses.contains("b.kt:2"), "{uses}");
    assert!(!uses.contains("b.kt:1:") && uses.contains("no language server"), "{uses}");
    let wrong = gate.run_in(&["diagnostics", "b.kt"], NO_SERVERS).stdout;
    assert!(wrong.contains("only the syntax was looked at"), "{wrong}");
    let found = gate.ok(&["symbols", "--name", "tot"]).stdout;
    assert!(found.contains("a.kt:1") && found.contains("total"), "{found}");
    let lines = gate.ok(&["search", "total", "--glob", "*.kt"]).stdout;
    assert!(lines.contains("b.kt:1: // total"), "{lines}");
    assert!(gate.ok(&["list"]).stdout.contains("a.kt"));
}

#[test]
fn an_edit_without_a_server_says_that_the_parse_alone_was_asked() {
    let gate = Gate::autonomous();
    gate.scratch.write("a.kt", "fun total(a: Int): Int {\n    return a\n}\n");
    let run = gate.run_in(&["edit-code", "total", "a.kt", "--body", "return 2"], NO_SERVERS);
    assert_eq!(run.code, Some(0), "{run}");
    let said = "no language server for Kotlin was found; the parse alone says where";
    assert!(run.stdout.contains(said), "{run}");
    assert!(gate.scratch.read_text("a.kt").contains("    return 2\n"));
}

#[test]
fn a_new_name_means_a_rename_and_nothing_else() {
    let gate = Gate::new();
    gate.scratch.write("a.kt", "fun add() = 1\n");
    let run = gate.run_in(&["edit-code", "add", "a.kt", "--new-name", "sum"], NO_SERVERS);
    assert!(run.stderr.contains("language server"), "{}", run.stderr);
    for wrong in [
        &["--new-name", "sum", "--action", "replace", "--body", "fun b() = 2"][..],
        &["--new-name", "sum", "--body", "fun b() = 2"][..],
        &["--action", "rename"][..],
    ] {
        let run = gate.run(&[&["edit-code", "add", "a.kt"][..], wrong].concat());
        assert_eq!(run.code, Some(2), "{wrong:?}: {}", run.stdout);
        assert!(run.stderr.contains("name"), "{wrong:?}: {}", run.stderr);
    }
    assert_eq!(gate.scratch.read_text("a.kt"), "fun add() = 1\n");
}

#[test]
fn what_somebody_else_changed_meanwhile_is_never_written_over() {
    let gate = Gate::autonomous();
    gate.scratch.write("lib.rs", SOURCE);
    let (listed, _) = gate.json(&["symbols", "lib.rs"], "");
    let rows = listed["symbols"].as_array().or(listed.as_array()).unwrap();
    let digest = rows.iter().find(|row| row.to_string().contains("\"add\"")).unwrap();
    let digest = digest["digest"].as_str().unwrap().to_owned();
    let theirs = SOURCE.replace("a + b", "a.wrapping_add(b)");
    gate.scratch.write("lib.rs", &theirs);
    let body = "pub fn add(a: i32, b: i32) -> i32 {\n    b + a\n}";
    let run = gate.run(&["edit-code", "add", "lib.rs", "--expect", &digest, "--body", body]);
    assert_ne!(run.code, Some(0), "{run}");
    assert!(run.stderr.contains("wrapping_add"), "the current text is shown: {run}");
    assert_eq!(gate.scratch.read_text("lib.rs"), theirs);
    // An edit of another symbol is made on the text as it is now.
    gate.ok(&["edit-code", "Point", "lib.rs", "--action", "remove"]);
    assert!(gate.scratch.read_text("lib.rs").contains("wrapping_add"));
}

#[test]
fn two_worktrees_with_the_same_names_stay_apart() {
    let (one, other) = (Gate::autonomous(), Gate::autonomous());
    one.scratch.write("lib.rs", SOURCE);
    other.scratch.write("lib.rs", SOURCE);
    one.ok(&["edit-code", "Point", "lib.rs", "--action", "remove"]);
    assert!(!one.scratch.read_text("lib.rs").contains("Point"));
    assert_eq!(other.scratch.read_text("lib.rs"), SOURCE);
}

#[test]
fn a_symbol_edit_keeps_the_mode_of_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let gate = Gate::autonomous();
    gate.scratch.write("tool.py", "def a():\n    return 1\n");
    let path = gate.scratch.root().join("tool.py");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    gate.ok(&["edit-code", "a", "tool.py", "--body", "def a():\n    return 2"]);
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert_eq!(gate.scratch.read_text("tool.py"), "def a():\n    return 2\n");
}

#[test]
fn decorators_go_when_the_text_is_the_whole_symbol() {
    let gate = Gate::autonomous();
    gate.scratch.write("a.py", "@cache\ndef a():\n    return 1\n");
    gate.ok(&["edit-code", "a", "a.py", "--whole", "--body", "def a():\n    return 2"]);
    assert_eq!(gate.scratch.read_text("a.py"), "def a():\n    return 2\n");
}

/// Blank lines that no style has, comments that stand alone, and a word that the parser stumbles on.
const UNEVEN: &str = "import a from 'a';\n\n\n\n// One.\nexport function one(x) {\n  return x;\n}\n// A line of its own.\n\nfunction two(x: number): string { return ''; }\n\n\nfunction three() {}\n";

#[test]
fn what_was_removed_is_put_back_byte_by_byte() {
    let gate = Gate::autonomous();
    for symbol in ["one", "two", "three"] {
        gate.scratch.write("a.js", UNEVEN);
        let (removed, code) = gate.json(&["edit-code", symbol, "a.js", "--action", "remove"], "");
        assert_eq!(code, Some(0), "{removed}");
        assert_ne!(gate.scratch.read_text("a.js"), UNEVEN);
        let undo = &removed["undo"]["arguments"];
        assert_eq!((&undo["action"], &undo["position"]), (&"insert".into(), &"back".into()));
        let symbol = undo["symbol"].as_str().unwrap();
        let back = ["edit-code", symbol, "a.js", "--action", "insert", "--position", "back"];
        gate.ok(&back);
        assert_eq!(gate.scratch.read_text("a.js"), UNEVEN, "{symbol}");
        let again = gate.run(&back);
        assert!(again.code == Some(2) && again.stderr.contains("did not take"), "{again}");
    }
}

#[test]
fn the_text_of_a_removed_symbol_inserted_between_its_neighbours_restores_the_file() {
    let gate = Gate::autonomous();
    let two = "function two(x: number): string { return ''; }";
    for (anchor, position) in [("one", "after"), ("three", "before")] {
        gate.scratch.write("a.js", UNEVEN);
        gate.ok(&["edit-code", "two", "a.js", "--action", "remove"]);
        let insert = ["edit-code", anchor, "a.js", "--action", "insert", "--body", two];
        gate.ok(&[&insert[..], &["--position", position]].concat());
        assert_eq!(gate.scratch.read_text("a.js"), UNEVEN, "{position} {anchor}");
    }
    // Elsewhere it is an insert like any other, and its errors are new ones.
    gate.ok(&["edit-code", "two", "a.js", "--action", "remove"]);
    let elsewhere = ["edit-code", "three", "a.js", "--action", "insert", "--body", two];
    assert_eq!(gate.run(&elsewhere).code, Some(2));
}

#[test]
fn a_file_without_symbols_takes_the_first_one() {
    let gate = Gate::autonomous();
    gate.scratch.write("a.py", "import os\n");
    let body = "def a():\n    return os";
    gate.ok(&["edit-code", "", "a.py", "--action", "insert", "--position", "last", "--body", body]);
    assert_eq!(gate.scratch.read_text("a.py"), "import os\n\n\ndef a():\n    return os\n");
    gate.ok(&[
        "edit-code",
        "",
        "a.py",
        "--action",
        "insert",
        "--position",
        "first",
        "--body",
        "X = 1",
    ]);
    assert_eq!(
        gate.scratch.read_text("a.py"),
        "import os\n\n\nX = 1\n\n\ndef a():\n    return os\n"
    );
}
