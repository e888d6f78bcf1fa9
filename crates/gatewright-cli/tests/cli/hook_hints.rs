//! What a hook's refusal prints for an agent without our tools runs in a shell as it stands.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::gate::Gate;

/// Where the binary is, for a shell that finds it by its name.
fn with_binary() -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_gatewright")).parent().unwrap();
    format!("{}:/usr/bin:/bin", folder.display())
}

/// Runs a line in a shell, where the gate would run its binary.
fn in_shell(gate: &Gate, line: &str, folder: &Path, path: &str) -> Output {
    let base = gate.command();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).env_clear().current_dir(folder);
    shell.envs(base.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.env("PATH", path).output().unwrap()
}

/// The reason for which a hook refuses an edit, and the command lines in it.
fn refused(gate: &Gate, hook: &str, folder: &Path, input: Value) -> (String, String) {
    let event = json!({
        "session_id": "s1", "cwd": folder, "permission_mode": "default", "tool_name": "Edit",
        "hook_event_name": "PreToolUse", "tool_use_id": "toolu_1", "tool_input": input,
    });
    let event_file = gate.scratch.base().join("event.json");
    std::fs::write(&event_file, event.to_string()).unwrap();
    let line = format!("{hook} hook < '{}'", event_file.display());
    let path = if hook == "gatewright" { with_binary() } else { "/usr/bin:/bin".to_owned() };
    let run = in_shell(gate, &line, &gate.scratch.root(), &path);
    let answer = String::from_utf8_lossy(&run.stdout).into_owned();
    let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{e}: {run:?}"));
    let reason = &answer["hookSpecificOutput"]["permissionDecisionReason"];
    let reason = reason.as_str().unwrap_or_else(|| panic!("{run:?}")).to_owned();
    let line = reason.split_once("run:\n").unwrap_or_else(|| panic!("{reason}")).1.to_owned();
    (reason, line)
}

const FILE: &str = "def first():\n    return 1\n\n\ndef second(a):\n    return a\n";

#[test]
fn the_command_line_of_a_refusal_makes_the_edit_as_printed() {
    let bodies = [
        "def second(a):\n    return 'it''s' + \"q\"\n",
        "def second(a):\n    return f\"${a} $HOME `ls` \\\\n \\t !\"\n",
        "def second(a):\n    # \u{e4} EOF\n    return \"\"\"\nEOF\n'''\n\"\"\"\n",
    ];
    for body in bodies {
        let gate = Gate::autonomous();
        gate.scratch.write("it's a dir/mod file.py", FILE);
        let root = gate.scratch.root();
        let path = root.join("it's a dir/mod file.py");
        let old = "def second(a):\n    return a\n";
        let input = json!({"file_path": path, "old_string": old, "new_string": body});
        let (reason, line) = refused(&gate, "gatewright", &root, input);
        let output = in_shell(&gate, &line, &root, &with_binary());
        assert!(output.status.success(), "{reason}\n{output:?}");
        let after = gate.scratch.read_text("it's a dir/mod file.py");
        assert_eq!(after, FILE.replace(old, body), "{reason}");
    }
}

#[test]
fn the_command_line_of_a_refusal_works_from_a_folder_below() {
    let gate = Gate::autonomous();
    gate.scratch.write("sub/mod.py", FILE);
    let folder = gate.scratch.root().join("sub");
    let old = "def second(a):\n    return a\n";
    let new = "def second(a):\n    return a + 1\n";
    let input = json!({"file_path": "mod.py", "old_string": old, "new_string": new});
    let (reason, line) = refused(&gate, "gatewright", &folder, input);
    let output = in_shell(&gate, &line, &folder, &with_binary());
    assert!(output.status.success(), "{reason}\n{output:?}");
    assert_eq!(gate.scratch.read_text("sub/mod.py"), FILE.replace(old, new));
}

#[test]
fn a_removal_is_printed_without_a_body() {
    let gate = Gate::autonomous();
    gate.scratch.write("mod.py", FILE);
    let root = gate.scratch.root();
    let old = "def first():\n    return 1\n\n\n";
    let input = json!({"file_path": root.join("mod.py"), "old_string": old, "new_string": ""});
    let (reason, line) = refused(&gate, "gatewright", &root, input);
    let output = in_shell(&gate, &line, &root, &with_binary());
    assert!(output.status.success(), "{reason}\n{output:?}");
    assert!(!gate.scratch.read_text("mod.py").contains("first"), "{reason}");
}

/// A binary below the home that no search path leads to, as an installer may leave it.
#[test]
fn a_program_that_is_not_on_the_path_is_named_so_that_a_shell_finds_it() {
    let gate = Gate::autonomous();
    gate.scratch.write("mod.py", FILE);
    let root = gate.scratch.root();
    let folder = gate.scratch.home().join("bin");
    std::fs::create_dir_all(&folder).unwrap();
    let binary = folder.join("gatewright");
    let built = env!("CARGO_BIN_EXE_gatewright");
    std::fs::hard_link(built, &binary)
        .or_else(|_| std::fs::copy(built, &binary).map(drop))
        .unwrap();
    let old = "def second(a):\n    return a\n";
    let new = "def second(a):\n    return a * 2\n";
    let input = json!({"file_path": root.join("mod.py"), "old_string": old, "new_string": new});
    let (reason, line) = refused(&gate, &binary.display().to_string(), &root, input);
    assert!(!reason.contains("[REDACTED:"), "{reason}");
    let output = in_shell(&gate, &line, &root, "/usr/bin:/bin");
    assert!(output.status.success(), "{reason}\n{output:?}");
    assert_eq!(gate.scratch.read_text("mod.py"), FILE.replace(old, new));
}
