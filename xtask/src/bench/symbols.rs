//! `bench symbols`: symbol questions and edits on Django, beside Serena where it is installed.
//!
//! `--peers` also runs Serena 2.1 with pyright as its language server. It has to
//! be on the PATH with `pyright-langserver`; what is missing is said and left
//! out. Each edit is made and taken back, so the project is the same in the end.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::figures::{Series, Table};
use super::wire::Client;
use crate::failure::Failure;
use crate::setup::{self, Setup};
use crate::{eval, process, tree};

/// Calls of each kind.
pub const DEFAULT_COUNT: usize = 20;

const PROJECT: &str = "Django==5.2.19";
const FILE: &str = "django/db/models/query.py";
const OLD: &str = "def in_bulk(";
const NEW: &str = "def in_bulk_(";

/// One server with its way of saying things.
struct Program {
    name: &'static str,
    command: fn(&Path, &Path) -> Command,
    in_file: fn() -> (&'static str, Value),
    in_project: fn() -> (&'static str, Value),
    text_edit: fn(&str, &str) -> (&'static str, Value),
    replace: fn(&str) -> (&'static str, Value),
}

const OURS: Program = Program {
    name: "gatewright mcp",
    command: ours,
    in_file: || ("symbols", json!({ "path": FILE })),
    in_project: || ("symbols", json!({ "path": ".", "name": "get_or_create" })),
    text_edit: |old, new| {
        ("edit_file", json!({ "path": FILE, "old_string": old, "new_string": new }))
    },
    replace: |body| {
        let arguments = json!({ "symbol": "QuerySet/ordered", "path": FILE, "action": "replace", "body": body });
        ("edit_code", arguments)
    },
};

const SERENA: Program = Program {
    name: "serena",
    command: serena,
    in_file: || {
        (
            "find_symbol",
            json!({ "name_path_pattern": "QuerySet", "relative_path": FILE, "depth": 1 }),
        )
    },
    in_project: || ("find_symbol", json!({ "name_path_pattern": "get_or_create" })),
    text_edit: |old, new| {
        let arguments =
            json!({ "relative_path": FILE, "needle": old, "repl": new, "mode": "literal" });
        ("replace_content", arguments)
    },
    replace: |body| {
        let arguments =
            json!({ "name_path": "QuerySet/ordered", "relative_path": FILE, "body": body });
        ("replace_symbol_body", arguments)
    },
};

/// Runs the benchmark, with the peer if it is asked for and there.
pub fn run(count: usize, with_peers: bool) -> Result<Table, Failure> {
    let setup = Setup::locate()?;
    let fetched = eval::python_project(PROJECT, &setup)?;
    let base = tree::target().join("bench/symbols");
    let mut table = Table::default();
    let mut programs = Vec::new();
    if with_peers && setup::is_on_path(&setup.path(), "serena") {
        programs.push(SERENA);
    } else if with_peers {
        table.remarks.push("serena is not on the PATH and was left out".to_owned());
    }
    if with_peers {
        table.remarks.push("codescout is not measured here: it has to be built first".to_owned());
    }
    programs.push(OURS);
    let mut all = Vec::new();
    for program in &programs {
        setup::clear(&base)?;
        let (root, state) = (base.join("workspace"), base.join("state"));
        fs::create_dir_all(&state).map_err(Failure::io("make", &state))?;
        process::run(process::nice("cp").arg("-r").arg(&fetched).arg(&root))?;
        let root = only_folder(&root)?;
        all.extend(measure(program, &root, &state, count)?);
    }
    // Rows of one task stand together, the peer first.
    all.sort_by_key(|(order, _)| *order);
    table.rows = all.into_iter().map(|(_, row)| row).collect();
    table.remarks.push(format!("{PROJECT}, {FILE}; every edit is made and taken back"));
    Ok(table)
}

/// The folder that an archive unpacks into.
fn only_folder(root: &Path) -> Result<std::path::PathBuf, Failure> {
    let entries = fs::read_dir(root).map_err(Failure::io("list", root))?;
    let folder = entries.flatten().map(|entry| entry.path()).find(|path| path.is_dir());
    folder.ok_or_else(|| Failure::unexpected("the project has no folder"))
}

fn ours(root: &Path, state: &Path) -> Command {
    let mut process = Command::new(tree::target().join("release/gatewright"));
    process.arg("mcp").arg("--root").arg(root);
    process.env_clear().env("HOME", state).env("XDG_STATE_HOME", state);
    process
}

fn serena(root: &Path, state: &Path) -> Command {
    let mut process = Command::new("serena");
    process.args(["start-mcp-server", "--context", "ide", "--agent-interface", "tools"]);
    process.args(["--enable-web-dashboard", "false", "--project"]).arg(root);
    process.env("HOME", state);
    process
}

/// Serena's settings: one language, and the server that is on the PATH.
fn settle(program: &Program, root: &Path, state: &Path) -> Result<(), Failure> {
    if program.name == OURS.name {
        let mut mode = Command::new(tree::target().join("release/gatewright"));
        mode.args(["mode", "autonomous", "--root"]).arg(root);
        mode.env_clear().env("HOME", state).env("XDG_STATE_HOME", state);
        return process::run(&mut mode);
    }
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

fn measure(
    program: &Program,
    root: &Path,
    state: &Path,
    count: usize,
) -> Result<Vec<(usize, Series)>, Failure> {
    settle(program, root, state)?;
    let path = root.join(FILE);
    let before = fs::read(&path).map_err(Failure::io("read", &path))?;
    let start = Instant::now();
    let mut client = Client::start(&mut (program.command)(root, state))?;
    timed(&mut client, &(program.in_file)())?;
    let first = start.elapsed();
    let mut rows = vec![("start to first symbol", vec![first])];
    let mut repeat = |task, calls: &[(&'static str, Value)]| -> Result<(), Failure> {
        let mut times = Vec::new();
        for round in 0..count {
            times.push(timed(&mut client, &calls[round % calls.len()])?);
        }
        rows.push((task, times));
        Ok(())
    };
    repeat("lookup in file", &[(program.in_file)()])?;
    repeat("lookup in project", &[(program.in_project)()])?;
    repeat("text edit", &[(program.text_edit)(OLD, NEW), (program.text_edit)(NEW, OLD)])?;
    let (one, other) = bodies();
    repeat("symbol replace", &[(program.replace)(&one), (program.replace)(&other)])?;
    let after = fs::read(&path).map_err(Failure::io("read", &path))?;
    if count.is_multiple_of(2) && after != before && program.name == OURS.name {
        return Err(Failure::unexpected("the file is not what it was"));
    }
    let peak_kib = client.peak_kib();
    let row = |(order, (task, times)): (usize, (&str, Vec<Duration>))| {
        let program = program.name.to_owned();
        (order, Series { task: task.to_owned(), program, times, peak_kib })
    };
    Ok(rows.into_iter().enumerate().map(row).collect())
}

/// Two texts of one property: another one, and the one that it has.
fn bodies() -> (String, String) {
    let text = |last: &str| {
        format!(
            "    @property\n    def ordered(self):\n        \"\"\"\n        Return True if the \
             QuerySet is ordered -- i.e. has an order_by()\n        clause or a default ordering \
             on the model (or is empty).\n        \"\"\"\n        if isinstance(self, \
             EmptyQuerySet):\n            return True\n        if self.query.extra_order_by or \
             self.query.order_by:\n            return True\n        elif (\n            \
             self.query.default_ordering\n            and self.query.get_meta().ordering\n            \
             and\n            # A default ordering doesn't affect GROUP BY queries.\n            \
             not self.query.group_by\n        ):\n            return True\n        else:\n            \
             return {last}"
        )
    };
    (text("bool(0)"), text("False"))
}

fn timed(client: &mut Client, (tool, arguments): &(&str, Value)) -> Result<Duration, Failure> {
    let start = Instant::now();
    client.call(tool, arguments)?;
    Ok(start.elapsed())
}
