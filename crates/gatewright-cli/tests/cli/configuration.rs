//! Configuration tightens, a broken one stops the start, and nothing turns a guard off.

use crate::gate::Gate;

#[test]
fn a_broken_file_stops_the_start_with_the_place() {
    for (text, words) in [
        ("[write\n", "gatewright.toml"),
        ("[write]\nblocked_path = []\n", "blocked_path"),
        ("[write]\nblocked_patterns = [\"(\"]\n", "("),
        ("[autonomy]\nmode = \"yolo\"\n", "yolo"),
        ("[write]\nallow_paths = [\"*\"]\n", "config.toml"),
        ("[guards]\nwrite = false\n", "guards"),
    ] {
        let gate = Gate::new();
        gate.scratch.write("gatewright.toml", text);
        let run = gate.write("a.txt", "x");
        assert_eq!(run.code, Some(2), "{text}: {run}");
        assert!(run.stderr.contains(words), "{text}: {run}");
        assert!(!gate.scratch.has("a.txt"));
        assert_eq!(gate.run(&["--help"]).code, Some(0), "help works all the same");
    }
}

#[test]
fn blocked_paths_and_patterns_refuse() {
    let gate = Gate::autonomous();
    gate.scratch.write(
        "gatewright.toml",
        "[write]\nblocked_paths = [\"vendor/**\"]\nblocked_patterns = [\"DO NOT [A-Z]+\"]\n",
    );
    assert_eq!(gate.write("vendor/x.txt", "x").code, Some(1));
    assert_eq!(gate.write("VENDOR/x.txt", "x").code, Some(1));
    let run = gate.write("a.txt", "one\nDO NOT SHIP\n");
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stdout.contains("a.txt:2"), "{run}");
    assert_eq!(gate.write("b.txt", "fine\n").code, Some(0));
}

#[test]
fn the_users_own_file_lifts_a_confirmation_and_never_a_refusal() {
    let gate = Gate::autonomous();
    let root = std::fs::canonicalize(gate.scratch.root()).unwrap();
    let config = gate.scratch.config().join("gatewright");
    std::fs::create_dir_all(&config).unwrap();
    let text = format!(
        "[[workspace]]\nroot = {:?}\nallow_paths = [\"package.json\", \".git/**\", \"**\"]\n",
        root.display().to_string()
    );
    std::fs::write(config.join("config.toml"), text).unwrap();
    assert_eq!(gate.write("package.json", "{}\n").code, Some(0));
    assert!(gate.scratch.has("package.json"));
    assert_eq!(gate.write(".git/config", "x").code, Some(1));
    assert_eq!(gate.write("../x", "x").code, Some(1));
    assert!(!gate.scratch.has(".git/config"));
}

#[test]
fn a_workspace_file_caps_the_mode() {
    let gate = Gate::autonomous();
    gate.scratch.write("gatewright.toml", "[autonomy]\nmode = \"hybrid\"\n");
    let run = gate.ok(&["mode", "autonomous"]);
    assert!(run.stdout.starts_with("hybrid") && run.stdout.contains("stricter"), "{run}");
    gate.write("a.txt", "x");
    assert!(!gate.scratch.has("a.txt"));
}

#[test]
fn an_agent_cannot_change_the_guards_own_files() {
    let gate = Gate::autonomous();
    assert_eq!(gate.write("gatewright.toml", "[autonomy]\n").code, Some(1));
    assert!(!gate.scratch.has("gatewright.toml"));
}

#[test]
fn a_workspace_that_holds_the_state_is_not_guarded_at_all() {
    let gate = Gate::new();
    let base = gate.scratch.base().display().to_string();
    let run = gate.run(&["mode", "autonomous", "--root", &base]);
    assert_eq!(run.code, Some(3), "{run}");
    assert!(run.stderr.contains("XDG_STATE_HOME"), "{run}");
}

#[test]
fn no_variable_flag_or_key_turns_a_guard_off() {
    for name in [
        "GATEWRIGHT_DISABLE",
        "GATEWRIGHT_OFF",
        "GATEWRIGHT_GUARDS",
        "GATEWRIGHT_UNSAFE",
        "GATEWRIGHT_ALLOW",
        "GATEWRIGHT_MODE",
        "GATEWRIGHT_SKIP",
        "CI",
        "DEBUG",
    ] {
        for value in ["0", "off"] {
            let gate = Gate::new();
            let mut command = gate.command();
            command.args(["write", "../x"]).env(name, value).stdin(std::process::Stdio::null());
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{name}={value}");
        }
    }
    for flag in
        ["--force", "--no-guard", "--unsafe", "--yes", "--skip-guards", "--acknowledge-risk"]
    {
        let gate = Gate::autonomous();
        let run = gate.run_with(&["write", flag, "../x"], "x");
        assert_eq!(run.code, Some(2), "{run}");
    }
}

#[test]
fn an_egress_rule_is_loaded_only_when_its_own_examples_hold() {
    let rule = |example: &str| {
        format!(
            "[[egress.rules]]\nname = \"acme\"\nkind = \"api-key\"\nregex = \"acme-[a-z]{{16}}\"\nkeywords = [\"acme-\"]\nexamples = [\"{example}\"]\n"
        )
    };
    let gate = Gate::autonomous();
    gate.scratch.write("gatewright.toml", rule("acme-qzkvtrwmxbnplhcd"));
    gate.scratch.write("a.txt", "x acme-wvhtkzqmbxrdnpcl y\n");
    assert_eq!(gate.ok(&["read", "a.txt"]).stdout, "x [REDACTED:api-key] y\n");
    gate.scratch.write("gatewright.toml", rule("nothing like it"));
    let run = gate.run(&["read", "a.txt"]);
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("acme"), "{run}");
}

#[test]
fn the_schema_accepts_what_the_parser_accepts() {
    let gate = Gate::new();
    for args in [
        &["config", "schema"][..],
        &["config", "schema", "--user"],
        &["config", "schema", "--change"],
    ] {
        let run = gate.ok(args);
        let schema: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(schema["properties"].is_object() || schema["oneOf"].is_array(), "{schema}");
    }
    assert!(gate.ok(&["config", "show"]).stdout.contains("policy_hash"));
}
