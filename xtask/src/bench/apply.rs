//! `bench apply`: single writes and loops of a hundred, beside an unguarded server.
//!
//! The peer writes without guards, without durability and without receipts.
//! Both are driven over the same kind of pipe, in turns, so that both see the
//! same machine. Ours is `gatewright mcp` on a workspace in autonomous mode.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::figures::{Series, Table};
use super::wire::Client;
use crate::failure::Failure;
use crate::setup::npm::{self, Package};
use crate::setup::{self, Setup};
use crate::{process, tree};

/// Repetitions of the single write.
pub const DEFAULT_COUNT: usize = 500;

const FILES_IN_A_LOOP: usize = 100;
const WARM_UP: usize = 20;
const SIZE: usize = 8 * 1024;

const PEER: Package = Package {
    name: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
    program: "mcp-server-filesystem",
};

/// One server with the directory that it writes to.
struct Side {
    program: &'static str,
    root: PathBuf,
    absolute_paths: bool,
    client: Client,
}

/// Runs both and returns the figures.
pub fn run(count: usize) -> Result<Table, Failure> {
    let scratch = tree::target().join("bench/apply");
    setup::clear(&scratch)?;
    let mut sides = vec![start_peer(&scratch)?];
    let mut remarks = vec![
        "the peer writes without guards, fsync and receipts".to_owned(),
        format!("{SIZE}-byte files; a loop is {FILES_IN_A_LOOP} calls, one for each file"),
        "at once: one all-or-nothing call of ours, a call for each file of the peer's".to_owned(),
    ];
    build_ours()?;
    sides.push(start_ours(&scratch, "gatewright mcp", &[])?);
    sides.push(start_ours(&scratch, "gatewright mcp, no fsync", &["--unsynced"])?);
    remarks.push(
        "every guard, the snapshot, the journal and the signed receipt are in ours".to_owned(),
    );
    let mut table = Table { rows: Vec::new(), remarks };
    measure(&mut sides, "write 8 KB", count, &mut table, |side, round| {
        side.write(&format!("single-{}.txt", round % 10), round)
    })?;
    let loops = (count / FILES_IN_A_LOOP).max(5);
    measure(&mut sides, "100 writes of 8 KB", loops, &mut table, |side, round| {
        (0..FILES_IN_A_LOOP).try_for_each(|file| side.write(&format!("loop/{file}.txt"), round))
    })?;
    measure(&mut sides, "100 files of 8 KB at once", loops, &mut table, |side, round| {
        side.write_all("set", round)
    })?;
    measure(&mut sides, "edit 1 line of 8 KB", count, &mut table, |side, round| {
        side.edit("edited.txt", round)
    })?;
    for durability in ["full", "none"] {
        in_process(&scratch, durability, count, &mut table)?;
    }
    Ok(table)
}

/// Only the edits, of the peer and of ours with everything on.
pub fn run_edits(count: usize) -> Result<Table, Failure> {
    let scratch = tree::target().join("bench/edits");
    setup::clear(&scratch)?;
    let peer = start_peer(&scratch)?;
    build_ours()?;
    let mut sides = vec![peer, start_ours(&scratch, "gatewright mcp", &[])?];
    let remarks = vec!["the peer writes without guards, fsync and receipts".to_owned()];
    let mut table = Table { rows: Vec::new(), remarks };
    measure(&mut sides, "edit 1 line of 8 KB", count, &mut table, |side, round| {
        side.edit("edited.txt", round)
    })?;
    Ok(table)
}

/// Lets every side do the task in turns and adds a row for each.
fn measure(
    sides: &mut [Side],
    task: &str,
    count: usize,
    table: &mut Table,
    work: impl Fn(&mut Side, usize) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut times = vec![Vec::with_capacity(count); sides.len()];
    let warm_up = WARM_UP.min(count);
    for round in 0..count + warm_up {
        for (side, times) in sides.iter_mut().zip(&mut times) {
            let start = Instant::now();
            work(side, round)?;
            if round >= warm_up {
                times.push(start.elapsed());
            }
        }
    }
    for (side, times) in sides.iter().zip(times) {
        table.rows.push(Series {
            task: task.to_owned(),
            program: side.program.to_owned(),
            times,
            peak_kib: side.client.peak_kib(),
        });
    }
    Ok(())
}

impl Side {
    fn path(&self, relative: &str) -> String {
        if self.absolute_paths {
            self.root.join(relative).to_string_lossy().into_owned()
        } else {
            relative.to_owned()
        }
    }

    fn write(&mut self, relative: &str, round: usize) -> Result<(), Failure> {
        let arguments = json!({ "path": self.path(relative), "content": content(round) });
        self.client.call("write_file", &arguments)
    }

    /// A hundred files: one call, all or none, where the server takes several in one.
    fn write_all(&mut self, folder: &str, round: usize) -> Result<(), Failure> {
        let path = |file: usize| format!("{folder}/{file}.txt");
        if self.absolute_paths {
            return (0..FILES_IN_A_LOOP).try_for_each(|file| self.write(&path(file), round));
        }
        let files: Vec<_> = (0..FILES_IN_A_LOOP)
            .map(|file| json!({ "path": path(file), "content": content(round) }))
            .collect();
        self.client.call("write_file", &json!({ "files": files }))
    }

    fn edit(&mut self, relative: &str, round: usize) -> Result<(), Failure> {
        let (old, new) = (format!("round {round}\n"), format!("round {}\n", round + 1));
        if round == 0 {
            self.write(relative, round)?;
        }
        let path = self.path(relative);
        let arguments = if self.absolute_paths {
            json!({ "path": path, "edits": [{ "oldText": old, "newText": new }] })
        } else {
            json!({ "path": path, "old_string": old, "new_string": new })
        };
        self.client.call("edit_file", &arguments)
    }
}

/// Plain text of the size, different in every round.
fn content(round: usize) -> String {
    let mut text = format!("round {round}\n");
    while text.len() < SIZE {
        text.push_str("a line of plain text that no guard has anything to say about\n");
    }
    text.truncate(SIZE - 1);
    text.push('\n');
    text
}

fn start_peer(scratch: &Path) -> Result<Side, Failure> {
    let mut setup = Setup::locate()?;
    for tool in npm::node() {
        setup.ensure(&tool)?;
    }
    setup.ensure(&npm::tool(&setup, PEER))?;
    let root = make(&scratch.join("peer"))?;
    let mut command = Command::new(PEER.bin(&setup).join(PEER.program));
    command.arg(&root).env("PATH", setup.path());
    let client = Client::start(&mut command)?;
    Ok(Side { program: "server-filesystem", root, absolute_paths: true, client })
}

fn build_ours() -> Result<(), Failure> {
    let mut build = process::cargo(&Setup::locate()?);
    build.args(["build", "--release", "--quiet", "--package", "gatewright-cli"]);
    process::run(&mut build)?;
    let mut example = process::cargo(&Setup::locate()?);
    example.args(["build", "--release", "--quiet", "--package", "gatewright-engine"]);
    example.args(["--example", "apply_speed"]);
    process::run(&mut example)
}

fn start_ours(scratch: &Path, program: &'static str, flags: &[&str]) -> Result<Side, Failure> {
    let name = program.replace([' ', ','], "-");
    let root = make(&scratch.join(&name))?;
    let state = make(&scratch.join(format!("{name}-state")))?;
    let ours = |arguments: &[&str]| {
        let mut command = Command::new(tree::target().join("release/gatewright"));
        command.args(arguments).args(flags).arg("--root").arg(&root);
        // Shells of agents carry marks that stop them from changing the mode.
        command.env_clear().env("HOME", &state).env("XDG_STATE_HOME", &state);
        command
    };
    process::run(&mut ours(&["mode", "autonomous"]))?;
    let client = Client::start(&mut ours(&["mcp"]))?;
    Ok(Side { program, root, absolute_paths: false, client })
}

/// Judging alone, one write and one change set of a hundred files, without a pipe.
fn in_process(
    scratch: &Path,
    durability: &str,
    count: usize,
    table: &mut Table,
) -> Result<(), Failure> {
    let directory = make(&scratch.join(format!("in-process-{durability}")))?;
    let mut command = Command::new(tree::target().join("release/examples/apply_speed"));
    command.args([&count.to_string(), durability]).current_dir(&directory);
    let output = process::capture(&mut command)?;
    let times: BTreeMap<String, Vec<u64>> = serde_json::from_str(&output)
        .map_err(|error| Failure::unexpected(format!("apply_speed printed no figures: {error}")))?;
    for (key, task) in [
        ("check", "decision for 8 KB"),
        ("write", "write 8 KB, no pipe"),
        ("set", "100 writes of 8 KB"),
    ] {
        let times = times.get(key).cloned().unwrap_or_default();
        table.rows.push(Series {
            task: task.to_owned(),
            program: format!("gatewright in-process, fsync {durability}"),
            times: times.into_iter().map(Duration::from_nanos).collect(),
            peak_kib: None,
        });
    }
    Ok(())
}

/// Makes the directory and those that the loops write to.
fn make(directory: &Path) -> Result<PathBuf, Failure> {
    for inner in ["loop", "set"].map(|name| directory.join(name)) {
        fs::create_dir_all(&inner).map_err(Failure::io("make", &inner))?;
    }
    Ok(directory.to_owned())
}
