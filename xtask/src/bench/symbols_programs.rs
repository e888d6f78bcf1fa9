//! The servers of `bench symbols`: how each is started and how it is asked.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::symbols_case::Case;
use crate::failure::Failure;
use crate::{process, tree};

/// A call of a tool.
pub type Call = (&'static str, Value);

/// One server with its way of saying things.
pub struct Program {
    /// Its name in the table; for a peer also the one on the PATH.
    pub name: &'static str,
    /// Starts it on a project, with a home of its own.
    pub command: fn(&Path, &Path) -> Command,
    /// What it needs to find before it starts.
    pub settle: fn(&Path, &Path) -> Result<(), Failure>,
    /// The symbols of a file.
    pub in_file: fn(&Case) -> Call,
    /// A name anywhere in the project.
    pub in_project: fn(&Case) -> Call,
    /// One text in place of another.
    pub text_edit: fn(&Case, &str, &str) -> Call,
    /// Another text for a symbol.
    pub replace: fn(&Case, &str) -> Call,
}

/// Ours.
pub const OURS: Program = Program {
    name: "gatewright mcp",
    command: |root, state| {
        let mut process = ours("mcp", root, state);
        process.arg("--root").arg(root);
        process
    },
    settle: |root, state| {
        process::run(ours("mode", root, state).args(["autonomous", "--root"]).arg(root))
    },
    in_file: |case| ("symbols", json!({ "path": case.file })),
    in_project: |case| ("symbols", json!({ "path": ".", "name": case.name })),
    text_edit: |case, old, new| {
        ("edit_file", json!({ "path": case.file, "old_string": old, "new_string": new }))
    },
    replace: |case, body| ("edit_code", replacement(case, body)),
};

/// Serena 2.1, with pyright as its language server.
pub const SERENA: Program = Program {
    name: "serena",
    command: |root, state| {
        let mut process = Command::new("serena");
        process.args(["start-mcp-server", "--context", "ide", "--agent-interface", "tools"]);
        process.args(["--enable-web-dashboard", "false", "--project"]).arg(root);
        process.env("HOME", state);
        process
    },
    settle: settle_serena,
    in_file: |case| {
        let arguments = json!({
            "name_path_pattern": case.container, "relative_path": case.file, "depth": 1,
        });
        ("find_symbol", arguments)
    },
    in_project: |case| ("find_symbol", json!({ "name_path_pattern": case.name })),
    text_edit: |case, old, new| {
        let arguments =
            json!({ "relative_path": case.file, "needle": old, "repl": new, "mode": "literal" });
        ("replace_content", arguments)
    },
    replace: |case, body| {
        let arguments =
            json!({ "name_path": case.symbol, "relative_path": case.file, "body": body });
        ("replace_symbol_body", arguments)
    },
};

/// codescout 0.15, with the language server that it finds on the PATH.
pub const CODESCOUT: Program = Program {
    name: "codescout",
    command: |root, state| {
        let mut process = Command::new("codescout");
        process.args(["start", "--project"]).arg(root).current_dir(root).env("HOME", state);
        process.env("XDG_DATA_HOME", state).env("XDG_CACHE_HOME", state);
        process
    },
    settle: |_, _| Ok(()),
    in_file: |case| ("symbols", json!({ "path": case.file })),
    in_project: |case| ("symbols", json!({ "name": case.name })),
    text_edit: |case, old, new| {
        ("edit_file", json!({ "path": case.file, "old_string": old, "new_string": new }))
    },
    replace: |case, body| ("edit_code", replacement(case, body)),
};

fn replacement(case: &Case, body: &str) -> Value {
    json!({ "symbol": case.symbol, "path": case.file, "action": "replace", "body": body })
}

fn ours(command: &str, root: &Path, state: &Path) -> Command {
    let mut process = Command::new(tree::target().join("release/gatewright"));
    process.arg(command).current_dir(root);
    process.env_clear().env("HOME", state).env("XDG_STATE_HOME", state);
    process
}

/// Serena's settings: one language, and the server that is on the PATH.
fn settle_serena(root: &Path, state: &Path) -> Result<(), Failure> {
    let server = process::capture(Command::new("which").arg("pyright-langserver"))?;
    let server = server.trim();
    let settings = format!("ls_specific_settings:\n  python:\n    ls_path: {server}\n");
    for (folder, name, text) in [
        (state.join(".serena"), "serena_config.yml", format!("projects: []\n{settings}")),
        (
            root.join(".serena"),
            "project.yml",
            "project_name: django\nlanguage_servers:\n- python\nencoding: utf-8\n".to_owned(),
        ),
    ] {
        fs::create_dir_all(&folder).map_err(Failure::io("make", &folder))?;
        fs::write(folder.join(name), text).map_err(Failure::io("write", &folder))?;
    }
    Ok(())
}
