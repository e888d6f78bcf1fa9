//! The servers of `bench symbols`: how each is started and how it is asked.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::symbols_case::Case;
use crate::failure::Failure;
use crate::{process, tree};

/// A call of a tool.
pub type Call = (&'static str, Value);

/// Where a program works.
#[derive(Debug)]
pub struct Place {
    /// The project.
    pub root: PathBuf,
    /// A home of its own.
    pub state: PathBuf,
    /// Where a peer and its language server are looked for.
    pub path: OsString,
}

/// One server with its way of saying things.
pub struct Program {
    /// Its name in the table; for a peer also that of its program.
    pub name: &'static str,
    /// Starts it.
    pub command: fn(&Place) -> Command,
    /// What it needs to find before it starts.
    pub settle: fn(&Place) -> Result<(), Failure>,
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
    command: |place| {
        let mut process = ours("mcp", place);
        process.arg("--root").arg(&place.root);
        process
    },
    settle: |place| {
        process::run(ours("mode", place).args(["autonomous", "--root"]).arg(&place.root))
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
    command: |place| {
        let mut process = peer("serena", place);
        process.args(["start-mcp-server", "--context", "ide", "--agent-interface", "tools"]);
        process.args(["--enable-web-dashboard", "false", "--project"]).arg(&place.root);
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
    command: |place| {
        let mut process = peer("codescout", place);
        process.args(["start", "--project"]).arg(&place.root).current_dir(&place.root);
        process.env("XDG_DATA_HOME", &place.state).env("XDG_CACHE_HOME", &place.state);
        process
    },
    settle: |_| Ok(()),
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

fn ours(command: &str, place: &Place) -> Command {
    let mut process = Command::new(tree::target().join("release/gatewright"));
    process.arg(command).current_dir(&place.root);
    process.env_clear().env("HOME", &place.state).env("XDG_STATE_HOME", &place.state);
    process
}

fn peer(program: &str, place: &Place) -> Command {
    let mut process = Command::new(program);
    process.env("PATH", &place.path).env("HOME", &place.state);
    process
}

/// Serena's settings: one language, and the server that the peers share.
fn settle_serena(place: &Place) -> Result<(), Failure> {
    let find = &mut Command::new("which");
    let server = process::capture(find.arg("pyright-langserver").env("PATH", &place.path))?;
    let server = server.trim();
    let settings = format!("ls_specific_settings:\n  python:\n    ls_path: {server}\n");
    for (folder, name, text) in [
        (place.state.join(".serena"), "serena_config.yml", format!("projects: []\n{settings}")),
        (
            place.root.join(".serena"),
            "project.yml",
            "project_name: django\nlanguage_servers:\n- python\nencoding: utf-8\n".to_owned(),
        ),
    ] {
        fs::create_dir_all(&folder).map_err(Failure::io("make", &folder))?;
        fs::write(folder.join(name), text).map_err(Failure::io("write", &folder))?;
    }
    Ok(())
}
