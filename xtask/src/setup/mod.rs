//! Installing what the tests need: by name, pinned, once, outside of the tree.
//!
//! One module for each tool, each giving [`Tool`] values; [`tools`] lists them.
//! A tool is installed only when its check fails, so a second run is quick.
//! Two runs at the same time wait for each other.

mod agents;
mod apt;
pub mod browser;
pub mod cargo_tool;
mod language_servers;
pub mod npm;
mod python;
pub mod symbol_peers;

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::failure::Failure;

const ATTEMPTS: u32 = 3;

/// Says whether a tool is here.
pub type Check = Box<dyn Fn(&Setup) -> bool>;

/// Puts a tool where its check finds it.
pub type Install = Box<dyn Fn(&Setup) -> Result<(), Failure>>;

/// One thing to install.
pub struct Tool {
    /// Its name with its pin, for people.
    pub name: String,
    /// Whether it is here already, in the pinned version.
    pub check: Check,
    /// Installs it. Tried again when it fails, so it must bear being repeated.
    pub install: Install,
    /// The directories that the tests need on `PATH` to find it.
    pub paths: Vec<PathBuf>,
}

/// Every tool that `cargo xtask test` sets up, in order.
pub fn tools(setup: &Setup) -> Result<Vec<Tool>, Failure> {
    let mut tools = apt::tools();
    tools.push(cargo_tool::cargo_deny(setup));
    tools.push(cargo_tool::mdbook(setup));
    tools.extend(browser::tools(setup)?);
    tools.extend(language_servers::tools(setup));
    tools.extend(agents::tools(setup));
    tools.extend(python::tools(setup));
    Ok(tools)
}

/// Where tools live, and what the children get to see of them.
#[derive(Debug, Clone)]
pub struct Setup {
    cache: PathBuf,
    paths: Vec<PathBuf>,
}

impl Setup {
    /// Finds the cache: `$XDG_CACHE_HOME/gatewright-dev`, else `~/.cache/gatewright-dev`.
    pub fn locate() -> Result<Self, Failure> {
        let base = std::env::var_os("XDG_CACHE_HOME")
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
            .or_else(|| std::env::home_dir().map(|home| home.join(".cache")))
            .ok_or_else(|| Failure::unexpected("neither XDG_CACHE_HOME nor a home is known"))?;
        Ok(Self { cache: base.join("gatewright-dev"), paths: Vec::new() })
    }

    /// The directory of one pinned tool; a new pin is a new directory.
    pub fn directory(&self, name: &str, version: &str) -> PathBuf {
        self.cache.join(format!("{}-{version}", name.replace('/', "-").replace('@', "")))
    }

    /// `PATH` for children: the tools first, then what was there.
    pub fn path(&self) -> OsString {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let all = self.paths.iter().cloned().chain(std::env::split_paths(&inherited));
        std::env::join_paths(all).unwrap_or(inherited)
    }

    /// Installs one tool unless it is here. The caller holds no lock.
    pub fn ensure(&mut self, tool: &Tool) -> Result<(), Failure> {
        let _lock = self.lock()?;
        self.paths.extend(tool.paths.iter().cloned());
        if (tool.check)(self) {
            println!("{}: here", tool.name);
            return Ok(());
        }
        println!("{}: installing", tool.name);
        self.install(tool)?;
        if (tool.check)(self) {
            return Ok(());
        }
        Err(Failure::unexpected(format!("{} was installed but is not found", tool.name)))
    }

    fn install(&self, tool: &Tool) -> Result<(), Failure> {
        let mut attempt = 1;
        loop {
            match (tool.install)(self) {
                Ok(()) => return Ok(()),
                Err(failure) if attempt == ATTEMPTS => return Err(failure),
                Err(failure) => {
                    println!("{}: attempt {attempt}: {}", tool.name, failure.with_causes());
                    thread::sleep(Duration::from_secs(u64::from(3 * attempt)));
                    attempt += 1;
                }
            }
        }
    }

    fn lock(&self) -> Result<File, Failure> {
        fs::create_dir_all(&self.cache).map_err(Failure::io("make", &self.cache))?;
        let path = self.cache.join("lock");
        let file = File::create(&path).map_err(Failure::io("open", &path))?;
        file.lock().map_err(Failure::io("lock", &path))?;
        Ok(file)
    }
}

/// Sets up every tool. The first that cannot be had stops it.
pub fn run() -> Result<Setup, Failure> {
    let mut setup = Setup::locate()?;
    for tool in tools(&setup)? {
        setup.ensure(&tool)?;
    }
    Ok(setup)
}

/// Whether one of the directories of `path` holds a file of that name.
pub fn is_on_path(path: &OsString, program: &str) -> bool {
    std::env::split_paths(path).any(|directory| directory.join(program).is_file())
}

/// Removes what a broken installation left, so that the next one starts clean.
pub fn clear(directory: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::io("remove", directory)(error))
        }
        _ => Ok(()),
    }
}
