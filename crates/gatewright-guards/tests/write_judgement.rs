//! The write guard on single changes: place, kind of target, links, bytes, mode, configuration.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod write_support;

use gatewright_guards::write::{self, MAX_FILE_BYTES, WriteExtension, WriteRuleError, WriteRules};
use gatewright_model::{
    FileMode, FileState, Finding, Intent, LinkFacts, PathProblem, RepoPath, Resolution,
    ResolutionFailure, Severity, TargetKind,
};
use write_support::*;

fn has(findings: &[Finding], code: &str, severity: Severity) -> bool {
    findings.iter().any(|finding| finding.code == code && finding.severity == severity)
}

fn edit(path: &str, before: &str, after: &str) -> Vec<Finding> {
    let change = change(path, Some(before.as_bytes()), Some(after.as_bytes()));
    write::judge(&change, &facts(path), &WriteRules::builtin())
}

#[test]
fn an_ordinary_change_has_no_findings() {
    assert_eq!(create("src/lib.rs", "fn main() {}\n"), []);
    assert_eq!(edit("docs/ärger.md", "a\n", "é ✓ 日本語 👩‍💻 🏳️‍🌈\n"), []);
}

#[test]
fn every_failure_of_resolution_is_refused_by_its_own_rule() {
    let failures = [
        (ResolutionFailure::Escapes, "W001-outside"),
        (ResolutionFailure::BadLink, "W003-bad-link"),
        (ResolutionFailure::CrossesMount, "W004-crosses-mount"),
        (ResolutionFailure::NotADirectory, "W005-not-a-directory"),
        (ResolutionFailure::Denied, "W006-permission-denied"),
        (ResolutionFailure::Unsupported, "W007-unsupported-system"),
        (ResolutionFailure::NotUtf8, "W008-name-not-utf8"),
        (ResolutionFailure::Other { message: "io".to_owned() }, "W009-unresolved"),
        (text_failure(PathProblem::ParentComponent), "W010-parent-component"),
        (text_failure(PathProblem::TooLong), "W015-path-too-long"),
    ];
    for (failure, code) in failures {
        let change = change("a.txt", None, Some(b"x"));
        let findings = write::judge(&change, &failed("a.txt", failure), &WriteRules::builtin());
        assert!(has(&findings, code, Severity::Refuse), "{code}: {findings:?}");
    }
}

#[test]
fn a_path_that_is_too_long_is_refused() {
    assert!(has(&create(&"a".repeat(256), ""), "W015-path-too-long", Severity::Refuse));
    assert!(has(&create(&"a/".repeat(2000), ""), "W016-no-file-name", Severity::Refuse));
    assert!(has(
        &create(&format!("{}b", "a/".repeat(2500)), ""),
        "W015-path-too-long",
        Severity::Refuse
    ));
}

#[test]
fn a_message_shows_no_raw_control_character() {
    for path in ["a\u{1b}[2Jb", "x\u{202e}y", "a\nb", ".g\u{200c}it/x"] {
        for finding in create(path, "") {
            let raw = finding
                .message
                .chars()
                .any(|c| c.is_control() || c == '\u{202e}' || c == '\u{200c}');
            assert!(!raw, "{:?}", finding.message);
        }
    }
}

#[test]
fn what_is_not_a_regular_file_is_refused() {
    for (kind, code) in
        [(TargetKind::Directory, "W020-directory"), (TargetKind::Special, "W021-special-file")]
    {
        let mut facts = facts("src/a");
        if let Resolution::Inside(target) = &mut facts.resolution {
            target.kind = kind;
        }
        let findings =
            write::judge(&change("src/a", None, Some(b"x")), &facts, &WriteRules::builtin());
        assert!(has(&findings, code, Severity::Refuse), "{findings:?}");
    }
}

#[test]
fn hard_links_ask_inside_and_are_refused_outside() {
    let cases = [
        (LinkFacts::AllInside { count: 2 }, "W023-hard-link-inside", Severity::Confirm),
        (LinkFacts::SomeOutside { count: 2, found: 1 }, "W022-hard-link-outside", Severity::Refuse),
    ];
    for (links, code, severity) in cases {
        let mut facts = facts("a.txt");
        if let Resolution::Inside(target) = &mut facts.resolution {
            target.links = links;
        }
        let rules = WriteRules::with(WriteExtension {
            allow_paths: vec!["**".to_owned()],
            ..WriteExtension::default()
        });
        let findings = write::judge(&change("a.txt", None, Some(b"x")), &facts, &rules.unwrap());
        assert!(has(&findings, code, severity), "{findings:?}");
    }
}

#[test]
fn own_files_and_bare_repositories_are_refused_by_what_the_disk_says() {
    let mut facts = facts("x/config");
    if let Resolution::Inside(target) = &mut facts.resolution {
        target.is_own_file = true;
        target.in_bare_repository = true;
    }
    let findings =
        write::judge(&change("x/config", None, Some(b"x")), &facts, &WriteRules::builtin());
    assert!(has(&findings, "W103-own-file", Severity::Refuse), "{findings:?}");
    assert!(has(&findings, "W102-bare-repository", Severity::Refuse), "{findings:?}");
}

#[test]
fn the_head_of_a_repository_is_refused_and_other_files_of_that_name_pass() {
    assert!(has(
        &create("x/HEAD", "ref: refs/heads/main\n"),
        "W102-bare-repository",
        Severity::Refuse
    ));
    assert!(has(&create("x/head", &"0a".repeat(20)), "W102-bare-repository", Severity::Refuse));
    assert_eq!(create("x/HEAD", "the head of the page\n"), []);
}

#[test]
fn a_link_is_judged_on_both_ends_and_shows_both() {
    let change = change("docs/video.mp4", None, Some(b"x"));
    let facts = facts_to("docs/video.mp4", ".cursor/mcp.json");
    let findings = write::judge(&change, &facts, &WriteRules::builtin());
    assert_eq!(strictest(&findings), Some(Severity::Confirm));
    assert!(
        findings[0].message.contains("docs/video.mp4 leads to .cursor/mcp.json"),
        "{findings:?}"
    );

    let facts = facts_to("docs/video.mp4", "sub/.git/config");
    assert_eq!(
        strictest(&write::judge(&change, &facts, &WriteRules::builtin())),
        Some(Severity::Refuse)
    );

    let change = write_support::change(".vscode/settings.json", None, Some(b"x"));
    let facts = facts_to(".vscode/settings.json", "shared/editor.json");
    assert_eq!(
        strictest(&write::judge(&change, &facts, &WriteRules::builtin())),
        Some(Severity::Confirm)
    );
}

#[test]
fn a_removal_is_judged_for_its_name() {
    let judge = |path: &str| {
        let change = change(path, Some(b"\0binary"), None);
        strictest(&write::judge(&change, &facts(path), &WriteRules::builtin()))
    };
    assert_eq!(judge(".git/config"), Some(Severity::Refuse));
    assert_eq!(judge(".github/workflows/ci.yml"), Some(Severity::Confirm));
    assert_eq!(judge("src/logo.png"), None);
}

#[test]
fn the_size_limit_is_one_binary_megabyte() {
    assert_eq!(create("a.txt", &"x".repeat(MAX_FILE_BYTES)), []);
    let findings = create("a.txt", &"x".repeat(MAX_FILE_BYTES + 1));
    assert!(has(&findings, "W030-too-large", Severity::Refuse));
}

#[test]
fn binary_is_a_nul_byte_and_utf16_with_a_mark_is_text() {
    let judge = |bytes: &[u8]| create_with("a.txt", bytes, &WriteRules::builtin());
    let utf16 = |text: &str, big: bool| -> Vec<u8> {
        let unit = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect()
    };
    assert!(has(&judge(b"a\0b"), "W031-binary", Severity::Refuse));
    assert!(has(&judge(b"\xff\xfe\0\0a\0\0\0"), "W031-binary", Severity::Refuse));
    assert!(has(&judge(b"\xff\xfea\0b"), "W031-binary", Severity::Refuse));
    assert_eq!(judge(b"latin \xe9\xe8"), []);
    for big in [false, true] {
        assert_eq!(judge(&utf16("plain text\n", big)), []);
        let findings = judge(&utf16("a\nb \u{202e} c\n", big));
        assert!(has(&findings, "W050-bidirectional-control", Severity::Confirm));
        assert_eq!(findings[0].line, Some(2));
    }
}

#[test]
fn a_finding_about_a_hidden_character_names_its_line_and_code_point() {
    let findings = create("a.rs", "one\ntwo\n  x\u{202e}y\nz\u{2066}\n");
    assert_eq!(codes(&findings), ["W050-bidirectional-control"]);
    assert_eq!((findings[0].line, findings[0].column), (Some(3), Some(4)));
    assert!(findings[0].message.contains("U+202E"), "{}", findings[0].message);
    assert!(findings[0].message.contains("lines 4"), "{}", findings[0].message);
}

#[test]
fn a_hostile_text_gives_a_short_message() {
    for text in
        ["\u{430}a".repeat(100_000), "\u{202e}".repeat(100_000), "\u{200e}\n".repeat(50_000)]
    {
        let findings = create("a.txt", &text);
        assert!(!findings.is_empty());
        assert!(findings.iter().all(|finding| finding.message.len() < 1000));
    }
}

#[test]
fn only_hidden_characters_that_the_change_adds_count() {
    let old = "keep \u{202e} this\nother\n";
    assert_eq!(edit("a.rs", old, "new line\nkeep \u{202e} this\n"), []);
    let twice = edit("a.rs", old, "keep \u{202e} this\nkeep \u{202e} this\n");
    assert!(has(&twice, "W050-bidirectional-control", Severity::Confirm));
    let changed = edit("a.rs", old, "keep \u{202e} that\n");
    assert!(has(&changed, "W050-bidirectional-control", Severity::Confirm));
}

#[test]
fn modes_that_hand_out_rights_are_refused() {
    let judge = |before: Option<u32>, after: u32, text: &[u8]| {
        let mut change = change("a.sh", None, None);
        change.before = before.map(|bits| FileState::new(&b"x"[..], FileMode::from_bits(bits)));
        change.after = Some(FileState::new(text, FileMode::from_bits(after)));
        write::judge(&change, &facts("a.sh"), &WriteRules::builtin())
    };
    for bits in [0o4755, 0o2755, 0o1644, 0o666, 0o777] {
        assert!(has(&judge(None, bits, b"x"), "W032-dangerous-mode", Severity::Refuse), "{bits:o}");
        assert!(
            has(&judge(Some(0o644), bits, b"x"), "W032-dangerous-mode", Severity::Refuse),
            "{bits:o}"
        );
    }
    assert_eq!(judge(Some(0o666), 0o666, b"y"), []);
    assert!(has(&judge(Some(0o4755), 0o4755, b"y"), "W032-dangerous-mode", Severity::Refuse));
    assert_eq!(strictest(&judge(Some(0o644), 0o755, b"x")), Some(Severity::Note));
    assert_eq!(judge(Some(0o644), 0o600, b"x"), []);
}

#[test]
fn an_undo_is_judged_for_its_place_and_not_for_the_bytes_that_it_brings_back() {
    let mut change = change("logo.png", None, Some(b"\0\x01"));
    change.intent = Intent::Undo;
    assert_eq!(write::judge(&change, &facts("logo.png"), &WriteRules::builtin()), []);
    change.requested = ".git/x".into();
    let findings = write::judge(&change, &facts(".git/x"), &WriteRules::builtin());
    assert_eq!(strictest(&findings), Some(Severity::Refuse));
}

fn extended(blocked_paths: &[&str], blocked_patterns: &[&str], allow_paths: &[&str]) -> WriteRules {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    WriteRules::with(WriteExtension {
        blocked_paths: owned(blocked_paths),
        blocked_patterns: owned(blocked_patterns),
        allow_paths: owned(allow_paths),
    })
    .unwrap()
}

#[test]
fn blocked_paths_are_refused_under_every_alias() {
    let rules = extended(&["Secrets/**", "*.pem", "legal"], &[], &["**"]);
    for path in [
        "secrets/a",
        "SECRETS/a",
        "ſecrets /b/c",
        "Secrets\\x",
        "a/b.pem",
        "b.PEM.",
        "legal/x/y",
        "a/legal/z",
    ] {
        let findings = create_with(path, b"x", &rules);
        assert!(has(&findings, "W040-blocked-path", Severity::Refuse), "{path}: {findings:?}");
    }
    for path in ["secret/a", "src/secrets.rs", "a.pemx", "legally/x"] {
        assert_eq!(create_with(path, b"x", &rules), [], "{path}");
    }
}

#[test]
fn blocked_patterns_are_refused_with_their_line() {
    let rules = extended(&[], &[r"^DROP\s+TABLE"], &[]);
    let findings = create_with("a.sql", b"select 1;\nDROP TABLE x;\n", &rules);
    assert!(has(&findings, "W041-blocked-pattern", Severity::Refuse));
    assert_eq!(findings[0].line, Some(2));
    assert_eq!(create_with("a.sql", b"-- DROP TABLE x;\n", &rules), []);
}

#[test]
fn allowed_paths_lift_confirmations_for_names_and_nothing_else() {
    let rules = extended(&[], &[], &[".vscode/**", ".git/**", "notes.md", ".newtoolrc"]);
    let severity = |path: &str, text: &str| strictest(&create_with(path, text.as_bytes(), &rules));
    assert_eq!(severity(".vscode/settings.json", ""), Some(Severity::Note));
    assert_eq!(severity(".newtoolrc", ""), Some(Severity::Note));
    assert_eq!(severity(".VSCODE/settings.json", ""), Some(Severity::Confirm));
    assert_eq!(severity("sub/.vscode/settings.json", ""), Some(Severity::Confirm));
    assert_eq!(severity(".git/config", ""), Some(Severity::Refuse));
    assert_eq!(severity("notes.md", "a\u{202e}b"), Some(Severity::Confirm));

    let change = change("notes.md", None, Some(b"x"));
    let findings = write::judge(&change, &facts_to("notes.md", ".mcp.json"), &rules);
    assert_eq!(strictest(&findings), Some(Severity::Confirm), "the link's end is not allowed");
}

#[test]
fn an_unsound_pattern_is_named_in_the_error() {
    let one = |pattern: &str| vec![pattern.to_owned()];
    let none = WriteExtension::default;
    let cases = [
        WriteExtension { blocked_paths: one("a[b"), ..none() },
        WriteExtension { allow_paths: one("a[b"), ..none() },
        WriteExtension { blocked_patterns: one("a(b"), ..none() },
        WriteExtension { blocked_patterns: one("a*"), ..none() },
    ];
    for extension in cases {
        let error = WriteRules::with(extension).unwrap_err();
        assert!(error.to_string().contains("\"a"), "{error}");
    }
    let error = WriteRules::with(WriteExtension { blocked_paths: one(""), ..none() }).unwrap_err();
    assert!(matches!(error, WriteRuleError::MatchesEverything { .. }));
}

#[test]
fn every_refusal_says_what_to_do_next() {
    let paths = ["../x", "/x", "~/x", "a\nb", ".git/x", "gatewright.toml", "", "a\u{202e}"];
    for finding in paths.iter().flat_map(|path| create(path, "a\0")) {
        assert!(finding.hint.is_some(), "{finding:?}");
        assert!(finding.message.len() > 20, "{finding:?}");
    }
}

#[test]
fn a_resolved_path_that_only_drops_dots_is_the_same_place() {
    let resolved = RepoPath::parse("./src//a.rs").unwrap();
    let change = change("./src//a.rs", None, Some(b"x"));
    let findings =
        write::judge(&change, &facts_to("./src//a.rs", resolved.as_str()), &WriteRules::builtin());
    assert_eq!(findings, []);
}
