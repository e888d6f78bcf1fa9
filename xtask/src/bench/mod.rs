//! `cargo xtask bench <name>`: ours beside a peer, in one run, on one machine.
//!
//! A benchmark returns [`figures::Table`]; it is printed for people and kept as
//! JSON below `target/bench/`.

mod apply;
mod egress;
mod egress_instructions;
mod egress_peers;
mod figures;
mod hook;
mod mcp;
mod page;
mod references;
mod symbols;
mod symbols_case;
mod symbols_programs;
mod wire;

use std::fs;

use crate::failure::Failure;
use crate::setup::Setup;
use crate::{process, tree};

/// Runs one benchmark. `rest` may hold the number of repetitions.
pub fn run(name: &str, rest: &[&str]) -> Result<(), Failure> {
    let count = match rest {
        [] => None,
        [text] => Some(crate::parse_number(text)? as usize),
        _ => return Err(Failure::usage("bench takes a name and a count")),
    };
    if name == "egress" {
        return egress::run(count.unwrap_or(200));
    }
    if name == "page" {
        return page::run();
    }
    if name == "verify" {
        return verify(count.unwrap_or(1_000_000));
    }
    let table = match name {
        "apply" => apply::run(count.unwrap_or(apply::DEFAULT_COUNT))?,
        "hook" => hook::run(count.unwrap_or(hook::DEFAULT_COUNT))?,
        "mcp" => mcp::run(count.unwrap_or(mcp::DEFAULT_COUNT))?,
        _ => {
            return Err(Failure::usage(format!(
                "no benchmark {name:?}; there are: apply, egress, hook, mcp, page, references, \
                 symbols, verify"
            )));
        }
    };
    keep(name, &table)
}

/// Symbol questions and edits on a large project.
pub fn symbols(with_peers: bool) -> Result<(), Failure> {
    keep("symbols", &symbols::run(symbols::DEFAULT_COUNT, with_peers)?)
}

/// Prints the figures and keeps them.
fn keep(name: &str, table: &figures::Table) -> Result<(), Failure> {
    print!("\n{table}");
    let directory = tree::target().join("bench");
    fs::create_dir_all(&directory).map_err(Failure::io("make", &directory))?;
    let path = directory.join(format!("{name}.json"));
    let text = format!("{:#}\n", table.to_json());
    fs::write(&path, text).map_err(Failure::io("write", &path))?;
    println!("kept as bench/{name}.json in the target directory");
    Ok(())
}

/// The check of one write, on real projects.
pub fn references(with_peers: bool) -> Result<(), Failure> {
    references::run(with_peers)
}

/// A ledger of `count` receipts, made and verified on one core.
fn verify(count: usize) -> Result<(), Failure> {
    let mut command = process::cargo(&Setup::locate()?);
    command.args(["run", "--release", "--quiet", "--package", "gatewright-ledger"]);
    command.args(["--example", "verify_speed", "--", &count.to_string()]);
    process::run(&mut command)
}
