//! Servers that only a later Debian has, unpacked beside the system and never installed.
//!
//! The machine's own mirror and keyring are asked for other suites, with an
//! empty package database, so nothing of the machine's own packages changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{forward, put};
use crate::failure::Failure;
use crate::process;
use crate::setup::{Setup, Tool, clear};

const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
const SUITES: [&str; 3] = ["trixie-backports", "forky", "sid"];

/// One server from a Debian package.
struct Packaged {
    name: &'static str,
    package: &'static str,
    version: &'static str,
    suite: &'static str,
    /// The script that starts it in its own tree; none where the host's libraries will do.
    script: Option<&'static str>,
}

const PACKAGES: [Packaged; 3] = [
    Packaged {
        name: "rust-analyzer",
        package: "rust-analyzer",
        version: "1.97.1+dfsg1-1",
        suite: "forky",
        script: Some(include_str!("rust-analyzer.sh")),
    },
    Packaged {
        name: "gopls",
        package: "gopls",
        version: "2:0.24.0+ds-1",
        suite: "sid",
        script: None,
    },
    Packaged {
        name: "ruby-lsp",
        package: "ruby-ruby-lsp",
        version: "0.26.11-1",
        suite: "forky",
        script: Some(include_str!("ruby-lsp.sh")),
    },
];

/// One tool for each.
pub fn tools(setup: &Setup) -> Vec<Tool> {
    PACKAGES.iter().map(|packaged| tool(setup, packaged)).collect()
}

fn tool(setup: &Setup, packaged: &'static Packaged) -> Tool {
    let home = setup.directory(packaged.name, &packaged.version.replace(':', "-"));
    let bin = home.join("shown");
    let script = bin.join(packaged.name);
    Tool {
        name: format!("{} {} (Debian {})", packaged.name, packaged.version, packaged.suite),
        check: Box::new(move |_| script.is_file()),
        install: Box::new(move |setup| install(setup, packaged, &home)),
        paths: vec![bin],
    }
}

fn install(setup: &Setup, packaged: &Packaged, home: &Path) -> Result<(), Failure> {
    let world = World::new(setup)?;
    let tree = home.join("tree");
    clear(&tree)?;
    let pinned = format!("{}={}", packaged.package, packaged.version);
    // A suite that moves on keeps no old version; the current one is better than none.
    for wanted in [pinned.as_str(), packaged.package] {
        let fetched = match packaged.script {
            Some(_) => world.fetch_closure(packaged.suite, wanted),
            None => world.fetch_one(wanted),
        };
        if fetched.is_ok() {
            break;
        }
        println!("{wanted} is not there any more");
    }
    world.unpack(&tree)?;
    if packaged.name == "rust-analyzer" {
        library_sources(&world, home)?;
    }
    let text = match packaged.script {
        Some(script) => script.replace("{home}", &home.display().to_string()),
        None => forward(&tree.join("usr/bin").join(packaged.name)),
    };
    put(&home.join("shown"), packaged.name, &text)
}

/// The sources of the standard library of the rustc in use, and what they need, for later.
///
/// Without them every use inside of a macro call is missed.
fn library_sources(world: &World, home: &Path) -> Result<(), Failure> {
    let version = process::capture(Command::new("rustc").arg("--version"))?;
    let version = version.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let known = process::capture(world.apt("apt-cache").args(["madison", "rust-src"]))?;
    let is_it = |text: &&str| text.starts_with(&format!("{version}+"));
    let found = known.lines().filter_map(|line| line.split('|').nth(1).map(str::trim)).find(is_it);
    let Some(found) = found else {
        println!("no sources of the standard library {version}: uses in macros will be missed");
        return Ok(());
    };
    world.fetch_one(&format!("rust-src={found}"))?;
    let tree = home.join("rust-src");
    world.unpack(&tree)?;
    let sources = home.join("sources");
    clear(&sources)?;
    let from = tree.join(format!("usr/src/rustc-{version}"));
    fs::rename(&from, &sources).map_err(Failure::io("move", &from))?;
    clear(&tree)?;
    // Once fetched, they are found without a network.
    let mut fetch = process::nice("cargo");
    fetch
        .args(["fetch", "--quiet", "--locked", "--manifest-path"])
        .arg(sources.join("library/Cargo.toml"))
        .env("RUSTC_BOOTSTRAP", "1");
    process::run(&mut fetch)
}

/// A private package world.
struct World {
    directory: PathBuf,
}

impl World {
    fn new(setup: &Setup) -> Result<Self, Failure> {
        let directory = setup.directory("debian", "world");
        for part in ["lists/partial", "cache/archives/partial"] {
            let path = directory.join(part);
            fs::create_dir_all(&path).map_err(Failure::io("make", &path))?;
        }
        let world = Self { directory };
        let mirror = mirror()?;
        let line = |suite: &str| format!("deb [signed-by={KEYRING}] {mirror} {suite} main\n");
        world.write("sources.list", &SUITES.map(line).concat())?;
        world.write("status", "")?;
        if !world.has_lists() {
            process::run(world.apt("apt-get").args(["update", "-qq"]))?;
        }
        Ok(world)
    }

    /// Whether the lists of packages were fetched for a server before this one.
    fn has_lists(&self) -> bool {
        let entries = fs::read_dir(self.directory.join("lists")).into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().contains("Packages")).count()
            >= SUITES.len()
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.directory.join(name);
        fs::write(&path, text).map_err(Failure::io("write", &path))
    }

    fn archives(&self) -> PathBuf {
        self.directory.join("cache/archives")
    }

    fn apt(&self, program: &str) -> Command {
        let mut command = process::nice(program);
        let place = |part: &str| self.directory.join(part).display().to_string();
        for option in [
            format!("Dir::Etc::SourceList={}", place("sources.list")),
            "Dir::Etc::SourceParts=/dev/null".to_owned(),
            format!("Dir::State::Lists={}", place("lists")),
            format!("Dir::Cache={}", place("cache")),
            format!("Dir::State::status={}", place("status")),
            format!("Dir::State::extended_states={}", place("extended")),
            "APT::Sandbox::User=root".to_owned(),
            "Acquire::Languages=none".to_owned(),
        ] {
            command.args(["-o", &option]);
        }
        command
    }

    /// Fetches a package with everything that it needs.
    fn fetch_closure(&self, suite: &str, wanted: &str) -> Result<(), Failure> {
        self.empty()?;
        let mut command = self.apt("apt-get");
        command
            .args(["-o", &format!("APT::Default-Release={suite}")])
            .args(["--yes", "-qq", "--download-only", "--no-install-recommends", "install", wanted])
            .stdout(std::process::Stdio::null());
        process::run(&mut command)
    }

    /// Fetches a package alone.
    fn fetch_one(&self, wanted: &str) -> Result<(), Failure> {
        self.empty()?;
        let mut command = self.apt("apt-get");
        command.args(["-qq", "download", wanted]).current_dir(self.archives());
        process::run(&mut command)
    }

    fn empty(&self) -> Result<(), Failure> {
        clear(&self.archives())?;
        let partial = self.archives().join("partial");
        fs::create_dir_all(&partial).map_err(Failure::io("make", &partial))
    }

    /// Unpacks what was fetched, and forgets it.
    fn unpack(&self, tree: &Path) -> Result<(), Failure> {
        fs::create_dir_all(tree).map_err(Failure::io("make", tree))?;
        let archives = self.archives();
        let entries = fs::read_dir(&archives).map_err(Failure::io("list", &archives))?;
        let mut count = 0;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "deb") {
                let mut command = process::nice("dpkg-deb");
                process::run(command.arg("-x").arg(&path).arg(tree))?;
                count += 1;
            }
        }
        if count == 0 {
            return Err(Failure::unexpected("the package could not be fetched"));
        }
        self.empty()
    }
}

/// The mirror that the machine itself uses.
fn mirror() -> Result<String, Failure> {
    let look = || {
        let format = ["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"];
        process::capture(Command::new("apt-get").args(format))
    };
    let first = |text: String| {
        let is_archive = |line: &&str| line.contains("/debian") && !line.contains("security");
        text.lines().map(str::trim).find(is_archive).map(str::to_owned)
    };
    if let Some(mirror) = first(look()?) {
        return Ok(mirror);
    }
    process::run(process::nice("apt-get").args(["update", "-qq"]))?;
    first(look()?).ok_or_else(|| Failure::unexpected("no Debian mirror is configured"))
}
