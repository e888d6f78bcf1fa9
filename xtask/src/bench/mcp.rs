//! `bench mcp`: the round trip of `edit_file` beside an unguarded server, and many at once.
//!
//! Eight clients, each with a server of its own on one workspace, make calls at
//! the same time. Every call appends a line of its own to its own file: a call
//! that was lost or applied twice shows in the files and in the receipts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::figures::{Series, Table};
use super::wire::Client;
use crate::failure::Failure;
use crate::setup;
use crate::{process, tree};

/// Calls over all clients.
pub const DEFAULT_COUNT: usize = 1000;

const CLIENTS: usize = 8;

/// Runs both parts and returns the figures.
pub fn run(count: usize) -> Result<Table, Failure> {
    let mut table = super::apply::run_edits(count.min(500))?;
    let base = tree::target().join("bench/mcp");
    setup::clear(&base)?;
    let (root, state) = (base.join("workspace"), base.join("state"));
    for directory in [&root, &state] {
        fs::create_dir_all(directory).map_err(Failure::io("make", directory))?;
    }
    process::run(&mut ours(&root, &state, "mode", &["autonomous"]))?;
    let each = count / CLIENTS;
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (root, state) = (root.clone(), state.clone());
            thread::spawn(move || work(&root, &state, client, each))
        })
        .collect();
    let (mut times, mut peaks) = (Vec::new(), Vec::new());
    for client in clients {
        let done = client.join().map_err(|_| Failure::unexpected("a client came to grief"))??;
        times.extend(done.0);
        peaks.push(done.1);
    }
    table.rows.push(Series {
        task: format!("edit_file, {CLIENTS} clients"),
        program: "gatewright mcp".to_owned(),
        times,
        peak_kib: peaks.iter().filter_map(|(_, last)| *last).max(),
    });
    table.remarks.push(format!(
        "{} calls at once: {}",
        each * CLIENTS,
        counted(&root, &state, each)?
    ));
    let grown = peaks.iter().filter_map(|(first, last)| Some(last.as_ref()? - first.as_ref()?));
    let grown = grown.max().unwrap_or_default();
    table.remarks.push(format!("the most that one server grew over its calls: {grown} KiB"));
    Ok(table)
}

fn ours(root: &Path, state: &Path, command: &str, more: &[&str]) -> Command {
    let mut process = Command::new(tree::target().join("release/gatewright"));
    process.arg(command).args(more).arg("--root").arg(root);
    process.env_clear().env("HOME", state).env("XDG_STATE_HOME", state);
    process
}

type Done = (Vec<Duration>, (Option<u64>, Option<u64>));

/// The calls of one client: each replaces the last line by itself and one more.
fn work(root: &Path, state: &Path, client: usize, count: usize) -> Result<Done, Failure> {
    let mut server = Client::start(&mut ours(root, state, "mcp", &[]))?;
    let path = format!("client-{client}.txt");
    server.call("write_file", &json!({ "path": path, "content": "call 0 end\n" }))?;
    let mut times = Vec::with_capacity(count);
    let mut first_peak = None;
    for call in 1..=count {
        let old = format!("call {} end\n", call - 1);
        let new = format!("{old}call {call} end\n");
        let start = Instant::now();
        server.call("edit_file", &json!({ "path": path, "old_string": old, "new_string": new }))?;
        times.push(start.elapsed());
        if call == count.div_ceil(5) {
            first_peak = server.peak_kib();
        }
    }
    Ok((times, (first_peak, server.peak_kib())))
}

/// Compares the files and the receipts with what was asked for.
fn counted(root: &Path, state: &Path, each: usize) -> Result<String, Failure> {
    let expected: String = (0..=each).map(|call| format!("call {call} end\n")).collect();
    for client in 0..CLIENTS {
        let path: PathBuf = root.join(format!("client-{client}.txt"));
        let found = fs::read_to_string(&path).map_err(Failure::io("read", &path))?;
        if found != expected {
            return Err(Failure::unexpected(format!("{} is not as asked for", path.display())));
        }
    }
    let export = process::capture(&mut ours(root, state, "receipts", &["export"]))?;
    let applied = export.lines().filter(|line| line.contains("\"action\":\"apply\"")).count();
    let wanted = CLIENTS * (each + 1);
    if applied != wanted {
        return Err(Failure::unexpected(format!("{applied} receipts for {wanted} writes")));
    }
    Ok("none lost, none applied twice".to_owned())
}
