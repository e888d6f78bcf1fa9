//! Projects as they are published, fetched with the tools of their ecosystem.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::setup::{self, Setup};
use crate::{process, tree};

/// Where a project comes from.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// The source distribution of a Python package, `name==version`.
    Pip,
    /// A package of npm, `name@version`.
    Npm,
    /// The source of a package of the distribution, in its present version.
    Apt,
    /// A crate with what it needs, `name@version`.
    Crate,
}

/// Fetches and unpacks a project, unless it is there.
pub fn fetch(source: Source, project: &str, setup: &Setup) -> Result<PathBuf, Failure> {
    let folder = tree::target().join("eval").join(project.replace(['=', '@', '/'], "-"));
    if folder.join(".fetched").is_file() {
        return Ok(folder);
    }
    setup::clear(&folder)?;
    fs::create_dir_all(&folder).map_err(Failure::io("make", &folder))?;
    let mut command = match source {
        Source::Pip => pip(project, setup),
        Source::Npm => npm(project, setup),
        Source::Apt => apt(project)?,
        Source::Crate => crates(project, &folder, setup)?,
    };
    let fetched = process::run(command.current_dir(&folder));
    if matches!(source, Source::Crate) {
        fetched?;
        return marked(folder, project);
    }
    // Of a package of the distribution the source is enough, without what was changed for it.
    let archive = match (fetched, archive(&folder)) {
        (Ok(()), archive) => archive?,
        (Err(_), Ok(archive)) => archive,
        (Err(failure), Err(_)) => return Err(failure),
    };
    process::run(process::nice("tar").arg("-xf").arg(&archive).arg("-C").arg(&folder))?;
    let _ = fs::remove_file(&archive);
    marked(folder, project)
}

fn marked(folder: PathBuf, project: &str) -> Result<PathBuf, Failure> {
    let mark = folder.join(".fetched");
    fs::write(&mark, project).map_err(Failure::io("write", &mark))?;
    Ok(folder)
}

/// A package of our own that wants the crate, and the command that puts the source beside it.
fn crates(project: &str, folder: &Path, setup: &Setup) -> Result<Command, Failure> {
    let (name, version) = project
        .split_once('@')
        .ok_or_else(|| Failure::unexpected(format!("{project} names no version")))?;
    let manifest = folder.join("Cargo.toml");
    let text = format!(
        "[package]\nname = \"wanted\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [workspace]\n\n[dependencies]\n{name} = \"={version}\"\n"
    );
    fs::write(&manifest, text).map_err(Failure::io("write", &manifest))?;
    let source = folder.join("src");
    fs::create_dir_all(&source).map_err(Failure::io("make", &source))?;
    let library = source.join("lib.rs");
    fs::write(&library, "").map_err(Failure::io("write", &library))?;
    let mut command = process::cargo(setup);
    command.args(["vendor", "--quiet"]);
    Ok(command)
}

fn pip(project: &str, setup: &Setup) -> Command {
    let mut command = process::nice("python3");
    command.args(["-m", "pip", "download", "--quiet", "--no-deps"]);
    command.args(["--no-binary", ":all:", project]).env("PATH", setup.path());
    command
}

fn npm(project: &str, setup: &Setup) -> Command {
    let mut command = process::nice("npm");
    command.args(["pack", "--silent", project]).env("PATH", setup.path());
    command
}

/// Fetches with lists and settings of its own: those of the machine have no sources.
fn apt(project: &str) -> Result<Command, Failure> {
    let home = tree::target().join("eval/apt");
    let mut options = Vec::new();
    for (name, below) in [("Dir::State::lists", "lists"), ("Dir::Cache", "cache")] {
        let folder = home.join(below).join("partial");
        fs::create_dir_all(&folder).map_err(Failure::io("make", &folder))?;
        options.push(format!("{name}={}", home.join(below).display()));
    }
    let list = home.join("sources.list");
    options.push(format!("Dir::Etc::sourcelist={}", list.display()));
    options.push("Dir::Etc::sourceparts=-".to_owned());
    let with = |command: &mut Command| {
        for option in &options {
            command.args(["-o", option]);
        }
    };
    if !list.is_file() {
        fs::write(&list, sources()?).map_err(Failure::io("write", &list))?;
        let mut update = process::nice("apt-get");
        update.args(["-qq", "update"]);
        with(&mut update);
        process::run(&mut update)?;
    }
    let mut command = process::nice("apt-get");
    command.args(["-qq", "source", "--download-only", project]);
    with(&mut command);
    Ok(command)
}

/// The sources of the releases from which the machine installs.
fn sources() -> Result<String, Failure> {
    let mut command = process::nice("apt-get");
    command.args(["indextargets", "--format", "$(SITE) $(RELEASE) $(COMPONENT)"]);
    let listed = process::capture(command.arg("Identifier: Packages"))?;
    let keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
    let key =
        if Path::new(keys).is_file() { format!("[signed-by={keys}] ") } else { String::new() };
    let mut lines: Vec<String> = listed
        .lines()
        .filter(|line| line.ends_with(" main") && line.contains("debian"))
        .filter(|line| !line.contains("-security"))
        .map(|line| format!("deb-src {key}{line}\n"))
        .collect();
    lines.sort();
    lines.dedup();
    Ok(lines.concat())
}

/// The one archive that was fetched.
fn archive(folder: &Path) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::io("list", folder))?;
    let is_archive = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let ends = [".tar.gz", ".tgz", ".tar.xz", ".tar.bz2"];
        ends.iter().any(|end| name.ends_with(end)) && !name.contains(".debian.")
    };
    let mut found: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_archive).collect();
    found.sort();
    found.into_iter().next().ok_or_else(|| Failure::unexpected("nothing was fetched"))
}
