//! What must hold with each agent.

use std::time::{Duration, Instant};

use gatewright_testkit::{Scratch, skip};
use serde_json::{Value, json};

use crate::agent::{Agent, binary, gatewright};
use crate::model_server::{ModelServer, Step, step};

const CANARY: &str = "canary-41d09a7e3b2d4860-value";
const LIB: &str = "pub fn one() -> u32 {\n    1\n}\n\npub fn two() -> u32 {\n    2\n}\n";

/// The workspace of a scenario, in a mode.
fn workspace(agent: Agent, mode: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("lib.rs", LIB);
    scratch.write(".env", format!("TOKEN={CANARY}\n"));
    scratch.write("notes.txt", notes());
    let run = gatewright(&scratch, &["mode", mode]);
    assert_eq!(run.code, Some(0), "{run}");
    agent.wire_up(&scratch);
    scratch
}

fn notes() -> String {
    (1..=40).map(|number| format!("line {number}\n")).collect()
}

fn shouted(text: &str, numbers: &[u32]) -> String {
    numbers.iter().fold(text.to_owned(), |text, number| {
        text.replace(&format!("line {number}\n"), &format!("LINE {number}\n"))
    })
}

/// The agent's own way to write a whole file.
fn write(agent: Agent, scratch: &Scratch, path: &str, content: &str) -> Step {
    let absolute = scratch.root().join(path);
    match agent {
        Agent::ClaudeCode => step("Write", json!({"file_path": absolute, "content": content})),
        Agent::Gemini => step("write_file", json!({"file_path": absolute, "content": content})),
        Agent::OpenCode => step("write", json!({"filePath": absolute, "content": content})),
        Agent::Codex => {
            let lines: String = content.lines().map(|line| format!("+{line}\n")).collect();
            let patch = format!("*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n");
            step("apply_patch", json!(patch))
        }
    }
}

/// The agent's own way to replace text, after it has read the file.
fn edit(agent: Agent, scratch: &Scratch, path: &str, old: &str, new: &str) -> Vec<Step> {
    let absolute = scratch.root().join(path);
    match agent {
        Agent::ClaudeCode => vec![
            step("Read", json!({"file_path": absolute})),
            step("Edit", json!({"file_path": absolute, "old_string": old, "new_string": new})),
        ],
        Agent::Gemini => vec![
            step("read_file", json!({"file_path": absolute})),
            step(
                "replace",
                json!({"file_path": absolute, "instruction": "change it", "old_string": old, "new_string": new}),
            ),
        ],
        Agent::OpenCode => vec![
            step("read", json!({"filePath": absolute})),
            step("edit", json!({"filePath": absolute, "oldString": old, "newString": new})),
        ],
        Agent::Codex => {
            let part = |sign: char, text: &str| -> String {
                text.lines().map(|line| format!("{sign}{line}\n")).collect()
            };
            let (old, new) = (part('-', old), part('+', new));
            let patch =
                format!("*** Begin Patch\n*** Update File: {path}\n@@\n{old}{new}*** End Patch\n");
            vec![step("apply_patch", json!(patch))]
        }
    }
}

/// The agent's name for a tool of our MCP server.
fn ours(agent: Agent, tool: &str) -> String {
    match agent {
        Agent::ClaudeCode => format!("mcp__gatewright__{tool}"),
        Agent::Codex => format!("mcp__gatewright::{tool}"),
        Agent::Gemini => format!("mcp_gatewright_{tool}"),
        Agent::OpenCode => format!("gatewright_{tool}"),
    }
}

/// The agent's own way to run a command.
pub fn shell(agent: Agent, command: &str) -> Step {
    match agent {
        Agent::ClaudeCode => step("Bash", json!({"command": command, "description": "d"})),
        Agent::Codex => step("exec_command", json!({"cmd": command})),
        Agent::Gemini => step("run_shell_command", json!({"command": command, "description": "d"})),
        Agent::OpenCode => step("bash", json!({"command": command, "description": "d"})),
    }
}

/// The receipts of a workspace, oldest first.
fn receipts(scratch: &Scratch) -> Vec<Value> {
    let run = gatewright(scratch, &["receipts", "export"]);
    run.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn guarded_by_itself(agent: Agent) {
    if agent.program().is_none() {
        skip!("{} is not installed; run `cargo xtask setup`", agent.name());
    }
    let scratch = workspace(agent, "autonomous");
    let body = "pub fn one() -> u64 {\n    11\n}";
    // Some hosts refuse the first by themselves; the second is ours to refuse.
    let mut steps = vec![
        write(agent, &scratch, "../evil.txt", "x\n"),
        shell(agent, "echo x > ../evil-too.txt"),
    ];
    steps.extend(edit(agent, &scratch, "lib.rs", "pub fn one() -> u32 {\n    1\n}", body));
    steps.push(step(
        &ours(agent, "edit_code"),
        json!({"symbol": "one", "path": "lib.rs", "action": "replace", "body": body}),
    ));
    steps.push(shell(agent, "cat .env"));
    steps.push(write(agent, &scratch, "ok.txt", "fine\n"));
    let count = steps.len();
    let server = ModelServer::start(agent.wire(), steps);
    let said = agent.run(&scratch, &server);
    let heard = server.heard();
    assert_eq!(server.said(), count, "{said}");
    assert!(!scratch.root().join("../evil.txt").exists(), "{said}");
    assert!(!scratch.root().join("../evil-too.txt").exists(), "{said}");
    assert!(heard.contains("[W0"), "the model gets the reason with its code: {said}");
    assert!(heard.contains("edit_code("), "the model is told which call to make: {said}");
    let changed = LIB.replace("one() -> u32", "one() -> u64").replace("    1\n", "    11\n");
    assert_eq!(scratch.read_text("lib.rs"), changed, "{said}");
    assert!(!heard.contains(CANARY), "the secret has reached the model");
    assert!(heard.contains("[REDACTED:"), "{said}");
    assert_eq!(scratch.read_text("ok.txt"), "fine\n", "{said}");
    let confirmed = receipts(&scratch).iter().any(|receipt| {
        receipt["action"] == "apply"
            && receipt["applied"] == true
            && receipt["files"][0]["path"] == "ok.txt"
    });
    assert!(confirmed, "the host's own write has its receipt: {:#?}", receipts(&scratch));
}

/// Accepts the first and the third hunk of the first change that appears.
fn review_two_of_three(scratch: &Scratch) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(300) {
        let run = gatewright(scratch, &["--json", "changes"]);
        let listed: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
        let changes = listed.as_array().cloned().or_else(|| listed["changes"].as_array().cloned());
        let Some(id) =
            changes.unwrap_or_default().first().and_then(|c| c["id"].as_str().map(str::to_owned))
        else {
            std::thread::sleep(Duration::from_millis(200));
            continue;
        };
        let run = gatewright(scratch, &["--json", "changes", &id]);
        let shown: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let mut hunks = Vec::new();
        collect_hunks(&shown, &mut hunks);
        assert_eq!(hunks.len(), 3, "{shown:#}");
        let named: Vec<String> = hunks.iter().map(|hunk| format!("notes.txt:{hunk}")).collect();
        let run = gatewright(
            scratch,
            &[
                "apply",
                &id,
                "--accept",
                &named[0],
                "--accept",
                &named[2],
                "--reject",
                &named[1],
                "--comment",
                "keep line 20",
            ],
        );
        assert_eq!(run.code, Some(0), "{run}");
        return true;
    }
    false
}

fn collect_hunks(value: &Value, hunks: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect_hunks(value, hunks)),
        Value::Object(fields) => {
            let id = fields.get("id").and_then(Value::as_str).unwrap_or_default();
            if id.starts_with('h') && id[1..].chars().all(|c| c.is_ascii_hexdigit()) && id.len() > 6
            {
                hunks.push(id.to_owned());
            }
            fields.values().for_each(|value| collect_hunks(value, hunks));
        }
        _ => {}
    }
}

fn two_of_three_hunks_land(agent: Agent) {
    if agent.program().is_none() {
        skip!("{} is not installed; run `cargo xtask setup`", agent.name());
    }
    let scratch = workspace(agent, "hybrid");
    let proposed = shouted(&notes(), &[2, 20, 39]);
    let steps = edit(agent, &scratch, "notes.txt", &notes(), &proposed);
    let server = ModelServer::start(agent.wire(), steps);
    let said = std::thread::scope(|scope| {
        let reviewed = scope.spawn(|| review_two_of_three(&scratch));
        let said = agent.run(&scratch, &server);
        assert!(reviewed.join().expect("a review"), "nothing was staged: {said}");
        said
    });
    assert_eq!(scratch.read_text("notes.txt"), shouted(&notes(), &[2, 39]), "{said}");
    let heard = server.heard();
    assert!(heard.contains("keep line 20"), "the model hears what was dropped: {said}");
    let last = receipts(&scratch).pop().expect("a receipt");
    assert_eq!((&last["action"], &last["applied"]), (&json!("apply"), &json!(true)), "{last:#}");
}

/// What a host does when the hook's program fails.
fn a_failing_hook(agent: Agent, lands: bool) {
    if agent.program().is_none() {
        skip!("{} is not installed; run `cargo xtask setup`", agent.name());
    }
    let scratch = workspace(agent, "autonomous");
    for path in agent.hook_files(&scratch) {
        let text = std::fs::read_to_string(&path).expect("a wired file");
        let broken = match agent {
            Agent::OpenCode => text
                .replace("process.env.GATEWRIGHT_BIN", "\"/bin/false\"")
                .replace(binary(), "/bin/false"),
            _ => text.replace(binary(), "/bin/false"),
        };
        assert_ne!(text, broken, "the file names the binary: {text}");
        std::fs::write(&path, broken).expect("a wired file");
    }
    let server = ModelServer::start(agent.wire(), vec![write(agent, &scratch, "ok.txt", "fine\n")]);
    let said = agent.run(&scratch, &server);
    assert_eq!(server.said(), 1, "{said}");
    assert_eq!(scratch.has("ok.txt"), lands, "{said}");
}

#[test]
fn claude_code_is_guarded() {
    guarded_by_itself(Agent::ClaudeCode);
}

#[test]
fn codex_is_guarded() {
    guarded_by_itself(Agent::Codex);
}

#[test]
fn gemini_is_guarded() {
    guarded_by_itself(Agent::Gemini);
}

#[test]
fn opencode_is_guarded() {
    guarded_by_itself(Agent::OpenCode);
}

#[test]
fn claude_code_writes_the_accepted_hunks_only() {
    two_of_three_hunks_land(Agent::ClaudeCode);
}

#[test]
fn codex_writes_the_accepted_hunks_only() {
    two_of_three_hunks_land(Agent::Codex);
}

#[test]
fn gemini_writes_the_accepted_hunks_only() {
    two_of_three_hunks_land(Agent::Gemini);
}

#[test]
fn opencode_writes_the_accepted_hunks_only() {
    two_of_three_hunks_land(Agent::OpenCode);
}

#[test]
fn claude_code_blocks_when_the_hook_fails() {
    a_failing_hook(Agent::ClaudeCode, false);
}

/// Codex goes on when a hook fails; the documentation says so.
#[test]
fn codex_goes_on_when_the_hook_fails() {
    a_failing_hook(Agent::Codex, true);
}

/// Gemini takes an exit code other than 2 for a warning; the documentation says so.
#[test]
fn gemini_goes_on_when_the_hook_fails() {
    a_failing_hook(Agent::Gemini, true);
}

#[test]
fn opencode_blocks_when_the_hook_fails() {
    a_failing_hook(Agent::OpenCode, false);
}
