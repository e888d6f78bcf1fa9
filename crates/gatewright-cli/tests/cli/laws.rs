//! Laws on the whole binary, over many refusals.

use crate::gate::Gate;

#[test]
fn a_refused_change_leaves_every_byte_and_every_name() {
    let gate = Gate::autonomous();
    gate.scratch.write("a.txt", "one\n");
    gate.scratch.write("dir/b.txt", "two\n");
    std::fs::write(gate.scratch.outside().join("victim"), "mine\n").unwrap();
    gate.scratch.link(gate.scratch.outside().join("victim"), "link.txt");
    gate.scratch.link(gate.scratch.outside(), "out");
    gate.scratch.link("nowhere", "dangling");
    gate.scratch.link("loop", "loop");
    let (before, outside) = (gate.scratch.tree(), gate.scratch.outside_tree());
    for path in [
        "../x",
        "a/../../x",
        "/etc/x",
        "~/x",
        "link.txt",
        "out/x",
        "dangling",
        "loop",
        "dir",
        "a.txt/x",
        ".git/config",
        ".GIT/config",
        ".git./config",
        "git~1/config",
        ".g\u{200c}it/x",
        ".git::$INDEX_ALLOCATION/config",
        "．．/x",
        "C:\\x",
        "\\\\srv\\share\\x",
        "a\u{202e}b",
        "a\nb",
        "gatewright.toml",
        "x/",
        "sub/.git",
        "..\\x",
        ".git\\config",
    ] {
        let run = gate.write(path, "evil\n");
        assert_eq!(run.code, Some(1), "{path:?}: {run}");
    }
    assert_eq!(gate.scratch.tree(), before);
    assert_eq!(gate.scratch.outside_tree(), outside);
    let (report, _) = gate.json(&["receipts", "verify"], "");
    assert_eq!(report["verdict"], "ok");
}

#[test]
fn a_write_through_a_link_inside_the_tree_keeps_the_link() {
    let gate = Gate::autonomous();
    gate.scratch.write("docs/real.md", "old\n");
    gate.scratch.link("docs/real.md", "alias.md");
    let (outcome, code) = gate.json(&["write", "alias.md"], "new\n");
    assert_eq!(code, Some(0), "{outcome}");
    assert_eq!(outcome["files"][0]["path"], "docs/real.md");
    assert_eq!(outcome["files"][0]["requested"], "alias.md");
    assert_eq!(gate.scratch.read_text("docs/real.md"), "new\n");
    assert!(gate.scratch.path("alias.md").is_symlink());
}

#[test]
fn help_completions_and_man_pages_come_from_one_definition() {
    let gate = Gate::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(gate.ok(&["completions", shell]).stdout.contains("rollback"));
    }
    assert!(gate.ok(&["man"]).stdout.contains("rollback"));
    assert!(gate.ok(&["--help"]).stdout.contains("rollback"));
}

#[test]
fn no_escape_sequence_of_a_file_reaches_the_terminal() {
    let gate = Gate::new();
    gate.write("a.txt", "x\u{1b}[2J\u{1b}]0;title\u{7}y\n");
    let run = gate.ok(&["changes", &gate.staged()]);
    assert!(!run.stdout.contains('\u{1b}'), "{run}");
}
