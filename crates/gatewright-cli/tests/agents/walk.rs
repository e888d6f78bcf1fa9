//! A stranger's walk: a folder with files of its own, `init`, the real agent, `doctor`,
//! and `init --uninstall`, after which every file is as it was, byte for byte.

use gatewright_testkit::{EntryKind, Scratch, skip};
use serde_json::{Value, json};

use crate::agent::{Agent, gatewright};
use crate::model_server::ModelServer;
use crate::scenarios::shell;

/// What the project has of the agent's files before, comments and odd spacing included.
fn files_of(agent: Agent) -> &'static [(&'static str, &'static str)] {
    match agent {
        Agent::ClaudeCode => &[
            (".claude/settings.json", "{\t\"env\": {\"A\":\"1\"},\r\n\t\"hooks\": {}\r\n}"),
            (".mcp.json", "{\"mcpServers\":{}}"),
        ],
        Agent::Codex => &[(".codex/config.toml", "# ours\n[tools]\nweb_search = false # no\n")],
        Agent::Gemini => &[(".gemini/settings.json", "{\n  // ours\n  \"ui\": {}\n}\n")],
        Agent::OpenCode => &[("opencode.jsonc", "{\n  // ours\n  \"share\": \"disabled\",\n}\n")],
    }
}

/// The files of the project that the agent's own run has no business with.
fn kept(scratch: &Scratch, agent: Agent) -> Vec<(String, Option<Vec<u8>>)> {
    let tree = scratch.tree();
    let bytes = |path: &str| match tree.entries.get(path).map(|entry| &entry.kind) {
        Some(EntryKind::File(bytes)) => Some(bytes.clone()),
        _ => None,
    };
    let own = files_of(agent).iter().map(|(path, _)| (*path).to_owned());
    let ours = [".codex/hooks.json", ".opencode/plugins/gatewright.js", ".claude/settings.json"];
    own.chain(ours.map(str::to_owned)).map(|path| (path.clone(), bytes(&path))).collect()
}

/// The agents were used before: each has its place, and Codex trusts the folder.
fn settle_in(scratch: &Scratch) {
    let home = scratch.home();
    for folder in [".claude", ".codex", ".gemini", ".config/opencode"] {
        std::fs::create_dir_all(home.join(folder)).expect("a folder");
    }
    std::fs::write(home.join(".claude/settings.json"), "{}").expect("settings");
    let trust = format!("\n[projects.{:?}]\ntrust_level = \"trusted\"\n", scratch.root());
    std::fs::write(home.join(".codex/config.toml"), trust).expect("a configuration");
}

fn walk(agent: Agent) {
    if agent.program().is_none() {
        skip!("{} is not installed; run `cargo xtask setup`", agent.name());
    }
    let scratch = Scratch::new();
    for (path, text) in files_of(agent) {
        scratch.write(path, text);
    }
    settle_in(&scratch);
    let before = kept(&scratch, agent);
    assert_eq!(gatewright(&scratch, &["mode", "autonomous"]).code, Some(0));
    let wired = gatewright(&scratch, &["init", "--agent", agent.name(), "--yes"]);
    assert_eq!(wired.code, Some(0), "{wired}");
    assert_ne!(kept(&scratch, agent), before);
    let doctor = gatewright(&scratch, &["doctor", "--json"]);
    let report: Value = serde_json::from_str(&doctor.stdout).expect("JSON");
    let one = &report["agents"][0];
    assert_eq!((&one["hook"]["ok"], &one["mcp"]["ok"]), (&json!(true), &json!(true)), "{one}");
    if agent != Agent::OpenCode {
        is_refused(agent, &scratch);
    }
    let out = gatewright(&scratch, &["init", "--uninstall", "--yes"]);
    assert_eq!(out.code, Some(0), "{out}");
    assert_eq!(kept(&scratch, agent), before, "every byte as before");
}

/// The agent itself, with the project's own files: what it may not do is refused.
fn is_refused(agent: Agent, scratch: &Scratch) {
    let steps = vec![shell(agent, "echo x > ../evil.txt")];
    let server = ModelServer::start(agent.wire(), steps);
    let said = agent.run(scratch, &server);
    assert_eq!(server.said(), 1, "{said}");
    assert!(!scratch.root().join("../evil.txt").exists(), "{said}");
    assert!(server.heard().contains("[W0"), "{said}");
}

#[test]
fn claude_code_can_be_tried_and_left() {
    walk(Agent::ClaudeCode);
}

#[test]
fn codex_can_be_tried_and_left() {
    walk(Agent::Codex);
}

#[test]
fn gemini_can_be_tried_and_left() {
    walk(Agent::Gemini);
}

/// Not run here: opencode fetches what a project's plugins need before it starts. The
/// scenarios run it with the user's files.
#[test]
fn opencode_can_be_wired_and_left() {
    walk(Agent::OpenCode);
}
