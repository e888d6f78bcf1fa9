//! `cargo xtask dist`: one archive with the program and everything that belongs to it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::failure::Failure;
use crate::setup::Setup;
use crate::{process, tree};

const SHELLS: [(&str, &str); 3] =
    [("bash", "gatewright.bash"), ("zsh", "_gatewright"), ("fish", "gatewright.fish")];
const DOCUMENTS: [&str; 5] =
    ["README.md", "CHANGELOG.md", "LICENSE", "LICENSE-APACHE", "LICENSE-MIT"];

/// Builds, packs and prints the digest.
pub fn run() -> Result<(), Failure> {
    let mut build = process::cargo(&Setup::locate()?);
    build.args(["build", "--release", "--locked", "--package", "gatewright-cli"]);
    process::run(&mut build)?;
    let program = tree::target().join("release/gatewright");
    let name = archive_name(&program)?;
    let directory = tree::target().join("dist").join(&name);
    crate::setup::clear(&directory)?;
    fill(&directory, &program)?;
    let archive = pack(&directory, &name)?;
    print_digest(&archive)
}

fn archive_name(program: &Path) -> Result<String, Failure> {
    let version = process::capture(Command::new(program).arg("--version"))?;
    let number = version.split_whitespace().nth(1).unwrap_or("unknown").to_owned();
    Ok(format!("gatewright-{number}-{}-{}", std::env::consts::ARCH, std::env::consts::OS))
}

fn fill(directory: &Path, program: &Path) -> Result<(), Failure> {
    for part in ["bin", "completions", "man"] {
        let path = directory.join(part);
        fs::create_dir_all(&path).map_err(Failure::io("make", &path))?;
    }
    let packed = directory.join("bin/gatewright");
    fs::copy(program, &packed).map_err(Failure::io("copy to", &packed))?;
    process::run(Command::new("strip").arg(&packed))?;
    for document in DOCUMENTS {
        let from = tree::root().join(document);
        fs::copy(&from, directory.join(document)).map_err(Failure::io("copy", &from))?;
    }
    for (shell, file) in SHELLS {
        let text = process::capture(Command::new(&packed).args(["completions", shell]))?;
        write(&directory.join("completions").join(file), &text)?;
    }
    process::run(Command::new(&packed).arg("man").arg(directory.join("man")))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(Failure::io("write", path))
}

/// The archive depends on its content only: sorted names, no owner, no time.
fn pack(directory: &Path, name: &str) -> Result<PathBuf, Failure> {
    let parent = directory.parent().unwrap_or(directory);
    let archive = parent.join(format!("{name}.tar.gz"));
    let mut tar = process::nice("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"])
        .args(["--use-compress-program=gzip -n -9", "--create", "--file"])
        .arg(&archive)
        .arg(name)
        .current_dir(parent);
    process::run(&mut tar)?;
    Ok(archive)
}

fn print_digest(archive: &Path) -> Result<(), Failure> {
    let bytes = fs::read(archive).map_err(Failure::io("read", archive))?;
    let digest = Sha256::digest(&bytes).iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    });
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let line = format!("{digest}  {name}\n");
    write(&archive.with_extension("gz.sha256"), &line)?;
    print!("{line}");
    Ok(())
}
