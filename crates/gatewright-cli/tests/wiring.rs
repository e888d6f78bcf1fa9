//! `init`, `doctor` and `proxy`, as a person or a script runs them, in a scratch home.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "tests build real trees and run real processes"
)]

use gatewright_testkit::{Binary, Run, Scratch, Tree};
use serde_json::Value;

fn run(scratch: &Scratch, args: &[&str]) -> Run {
    Binary::new(env!("CARGO_BIN_EXE_gatewright")).run(scratch, args.iter().copied())
}

#[test]
fn without_agents_the_folder_is_set_up_and_the_way_on_is_shown() {
    let scratch = Scratch::new();
    let run = run(&scratch, &["init"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.contains("guarding [ROOT]"), "{run}");
    assert!(run.stdout.contains("--agent NAME"), "{run}");
    assert!(scratch.tree().entries.is_empty());
}

#[test]
fn a_dry_run_shows_the_diff_and_writes_nothing() {
    let scratch = Scratch::new();
    let before = (scratch.tree(), Tree::read(&scratch.home()));
    let run = run(&scratch, &["init", "--agent", "claude-code", "--agent", "codex", "--dry-run"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.contains("+            \"onFailure\": \"block\""), "{run}");
    assert!(run.stdout.contains("+[mcp_servers.gatewright]"), "{run}");
    assert_eq!((scratch.tree(), Tree::read(&scratch.home())), before);
}

#[test]
fn nothing_is_written_before_somebody_says_yes() {
    let scratch = Scratch::new();
    let run = run(&scratch, &["init", "--agent", "cursor"]);
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stdout.contains("failClosed"), "{run}");
    assert!(run.stderr.contains("--yes"), "{run}");
    assert!(scratch.tree().entries.is_empty());
}

#[test]
fn an_agents_shell_does_not_wire() {
    let scratch = Scratch::new();
    let run = Binary::new(env!("CARGO_BIN_EXE_gatewright"))
        .env("CLAUDECODE", "1")
        .run(&scratch, ["init", "--agent", "cursor", "--yes"]);
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("for a person"), "{run}");
    assert!(scratch.tree().entries.is_empty());
}

#[test]
fn every_wired_agent_is_proved_and_taken_out_again() {
    let scratch = Scratch::new();
    let names = "claude-code codex gemini opencode copilot vscode cursor windsurf cline";
    let mut args = vec!["init", "--yes"];
    args.extend(names.split(' ').flat_map(|name| ["--agent", name]));
    let home = Tree::read(&scratch.home());
    let first = run(&scratch, &args);
    assert_eq!(first.code, Some(0), "{first}");
    let again = run(&scratch, &args);
    assert!(again.stdout.contains("nothing to do"), "{again}");
    // A proxy of rustup's that is asked for its version makes this folder where it is missing.
    let doctor = Binary::new(env!("CARGO_BIN_EXE_gatewright"))
        .env("RUSTUP_HOME", &scratch.cache().join("rustup").to_string_lossy())
        .run(&scratch, ["doctor", "--json"]);
    let report: Value = serde_json::from_str(&doctor.stdout).unwrap();
    let agents = report["agents"].as_array().unwrap();
    let project = agents.iter().filter(|agent| agent["scope"] == "project");
    assert_eq!(project.clone().count(), 9, "{doctor}");
    for agent in project {
        assert_eq!(agent["hook"]["ok"], true, "{agent}");
        assert_eq!(agent["mcp"]["ok"], true, "{agent}");
        assert!(agent["complaint"].is_null(), "{agent}");
        assert!(agent["fails_open"].as_str().is_some_and(|text| !text.is_empty()));
    }
    assert!(report["language_servers"].as_array().is_some_and(|servers| servers.len() >= 9));
    let out = run(&scratch, &["init", "--uninstall", "--yes"]);
    assert_eq!(out.code, Some(0), "{out}");
    assert!(scratch.tree().entries.is_empty(), "{}", scratch.tree());
    assert_eq!(Tree::read(&scratch.home()), home);
}

#[test]
fn a_wiring_that_was_spoilt_is_found() {
    let scratch = Scratch::new();
    assert_eq!(run(&scratch, &["init", "--agent", "claude-code", "--yes"]).code, Some(0));
    let text = scratch.read_text(".claude/settings.json");
    scratch.write(".claude/settings.json", text.replace("\"block\"", "\"continue\""));
    let doctor = run(&scratch, &["doctor"]);
    assert_eq!(doctor.code, Some(1), "{doctor}");
    assert!(doctor.stdout.contains("run gatewright init --agent claude-code"), "{doctor}");
    scratch.write(".claude/settings.json", "{ broken");
    let doctor = run(&scratch, &["doctor"]);
    assert_eq!(doctor.code, Some(1), "{doctor}");
    assert!(doctor.stdout.contains("cannot be understood"), "{doctor}");
}

#[test]
fn an_unknown_agent_is_a_mistake_in_the_call() {
    let run = run(&Scratch::new(), &["init", "--agent", "nobody"]);
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("claude-code"), "{run}");
}

#[test]
fn the_exit_code_of_a_proxied_server_is_passed_on() {
    let scratch = Scratch::new();
    let ended = run(&scratch, &["proxy", "--", "sh", "-c", "echo '{}'; exit 42"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(42), "{}\n"), "{ended}");
    assert_eq!(run(&scratch, &["proxy"]).code, Some(2));
}

#[test]
fn the_configuration_tells_the_proxy_which_tools_write() {
    let scratch = Scratch::new();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_there","arguments":{"whither":"../outside"}}}"#;
    let proxied = || {
        Binary::new(env!("CARGO_BIN_EXE_gatewright")).stdin(format!("{call}\n")).run(
            &scratch,
            ["proxy", "--", "sh", "-c", "read line && echo '{\"id\":1,\"result\":{}}'"],
        )
    };
    let before = proxied();
    assert!(before.stdout.contains("\"result\":{}"), "{before}");
    scratch.write(
        "gatewright.toml",
        "[proxy]\nwrites = [\"get_there\"]\npath_arguments = [\"whither\"]\n",
    );
    let after = proxied();
    assert!(after.stdout.contains("\"isError\":true"), "{after}");
}
