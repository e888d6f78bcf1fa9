//! The MCP clients of Python that the tests drive, pinned, in an environment of their own.

use std::path::PathBuf;

use super::{Setup, Tool, apt, clear};
use crate::failure::Failure;
use crate::process;

const MCP: &str = "2.3.0";
const FASTMCP: &str = "4.1.2";

/// Python with the official SDK and with fastmcp.
pub fn tools(setup: &Setup) -> Vec<Tool> {
    let directory = setup.directory("python-clients", &format!("{MCP}-{FASTMCP}"));
    let mark = directory.join("bin/fastmcp");
    let clients = Tool {
        name: format!("mcp {MCP} and fastmcp {FASTMCP} (pip)"),
        check: Box::new(move |_| mark.is_file()),
        install: Box::new(move |setup| install(setup, &directory)),
        paths: Vec::new(),
    };
    vec![apt::tool("python3", "python3"), apt::tool("python3-venv", "python3"), clients]
}

fn install(setup: &Setup, directory: &PathBuf) -> Result<(), Failure> {
    clear(directory)?;
    let mut make = process::nice("python3");
    make.args(["-m", "venv"]).arg(directory).env("PATH", setup.path());
    process::run(&mut make)?;
    let mut pip = process::nice(directory.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]);
    pip.args([format!("mcp=={MCP}"), format!("fastmcp=={FASTMCP}")]);
    process::run(&mut pip)
}
