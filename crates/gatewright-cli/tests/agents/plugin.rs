//! The Claude Code plugin of this repository, loaded by Claude Code itself: its hooks guard,
//! its MCP server answers, and its language server speaks of what was written.

use std::path::Path;

use gatewright_testkit::{Scratch, skip};
use serde_json::json;

use crate::agent::{Agent, gatewright};
use crate::model_server::{ModelServer, step};
use crate::scenarios::shell;

const TOOL: &str = "mcp__plugin_gatewright_gatewright__read_file";

#[test]
fn the_plugin_guards_reads_and_speaks_of_missing_names() {
    let agent = Agent::ClaudeCode;
    if agent.program().is_none() {
        skip!("{} is not installed; run `cargo xtask setup`", agent.name());
    }
    let scratch = Scratch::new();
    scratch.write("shop.py", "def total():\n    return 1\n");
    std::fs::create_dir_all(scratch.home().join(".claude")).expect("a folder");
    std::fs::write(scratch.home().join(".claude/settings.json"), "{}").expect("settings");
    assert_eq!(gatewright(&scratch, &["mode", "autonomous"]).code, Some(0));
    scratch.write("app.py", "from shop import totl\n\nprint(totl())  # one\n");
    let file = scratch.root().join("app.py");
    let log = scratch.home().join("debug.log").display().to_string();
    let registered = "Registered .* diagnostic file";
    let wait =
        format!("for i in $(seq 300); do grep -q '{registered}' {log} && break; sleep 0.2; done");
    let steps = vec![
        shell(agent, "echo x > ../evil.txt"),
        step(TOOL, json!({"path": "shop.py"})),
        step("Read", json!({"file_path": file})),
        step("Edit", json!({"file_path": file, "old_string": "# one", "new_string": "# two"})),
        // The agent speaks with the language server on the side.
        shell(agent, &wait),
        shell(agent, "true"),
    ];
    let count = steps.len();
    let server = ModelServer::start(agent.wire(), steps);
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/claude-code");
    let plugin = plugin.display().to_string();
    let more = ["--plugin-dir", &plugin, "--allowedTools", TOOL, "--debug-file", &log];
    let said = agent.run_with(&scratch, &server, &more);
    let heard = server.heard();
    assert_eq!(server.said(), count, "{said}");
    assert!(!scratch.root().join("../evil.txt").exists(), "{said}");
    assert!(heard.contains("[W0"), "the hook refuses: {heard}");
    assert!(heard.contains("def total()"), "the server reads: {heard}");
    assert!(heard.contains("Did you mean `total` (shop.py:"), "the language server warns: {heard}");
}
