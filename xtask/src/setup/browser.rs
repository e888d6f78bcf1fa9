//! What the review page's tests need: a browser, Node, and the packages of `web/`.
//!
//! The packages are those of a lock file, with their digests, and lie in the
//! cache under the digest of that file; the tree stays as it is.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{Setup, Tool, apt, clear, npm};
use crate::failure::Failure;
use crate::{process, tree};

/// The page and what tests it.
pub const WEB: &str = "web";

/// The browser, Node, and the packages of the page.
pub fn tools(setup: &Setup) -> Result<Vec<Tool>, Failure> {
    let mut tools = vec![apt::tool("chromium", "chromium")];
    tools.extend(npm::node());
    tools.push(locked(setup, WEB)?);
    Ok(tools)
}

/// The packages that the lock file of a directory of the tree names.
pub fn locked(setup: &Setup, directory: &'static str) -> Result<Tool, Failure> {
    let place = packages(setup, directory)?;
    let mark = place.join("node_modules/.package-lock.json");
    Ok(Tool {
        name: format!("packages of {directory} (npm)"),
        check: Box::new(move |_| mark.is_file()),
        install: Box::new(move |setup| install(setup, directory, &place)),
        paths: Vec::new(),
    })
}

/// Where the packages of a directory lie; another lock file is another place.
pub fn packages(setup: &Setup, directory: &str) -> Result<PathBuf, Failure> {
    let path = tree::root().join(directory).join("package-lock.json");
    let lock = fs::read(&path).map_err(Failure::io("read", &path))?;
    let digest = Sha256::digest(&lock);
    let short: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    Ok(setup.directory(directory, &short))
}

fn install(setup: &Setup, directory: &str, place: &Path) -> Result<(), Failure> {
    clear(place)?;
    fs::create_dir_all(place).map_err(Failure::io("make", place))?;
    for name in ["package.json", "package-lock.json"] {
        let from = tree::root().join(directory).join(name);
        fs::copy(&from, place.join(name)).map_err(Failure::io("copy", &from))?;
    }
    // Not `npm ci`: that wants the builds for every other system in the lock file as well.
    let mut command = process::nice("npm");
    command
        .args([
            "install",
            "--no-save",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
        ])
        .env("PATH", setup.path())
        .current_dir(place);
    process::run(&mut command)
}
