//! Packages that are neither in the workspace nor installed: declared, in use, known, or invented.

use std::sync::Arc;

use super::modules::Lookup;
use super::{built, stdlib};
use crate::references::record::{Keep, Reader, Writer};
use crate::references::session::Session;
use crate::references::words::{self, WordSet};

/// Import names of packages that certainly exist. They may be undeclared, but they are not invented.
static KNOWN: &str = include_str!("known_packages.txt");

/// Files that declare dependencies, by name or by how the name starts.
const MANIFESTS: [&str; 17] = [
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "requirements",
    "Pipfile",
    "environment",
    "tox.ini",
    "noxfile.py",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "conda",
    "dev-requirements",
    "test-requirements",
    "constraints",
    "meta.yaml",
    "pixi.",
];

/// Why nothing is said of a file that a build makes.
pub(super) const GENERATED: &str = "generated file";

/// The answer to an import whose package lies nowhere.
pub(super) fn unknown_package(session: &Session<'_>, top: &str) -> Lookup {
    if is_generated(session, top) {
        return Lookup::Unknown(GENERATED);
    }
    if is_known(top) {
        return Lookup::Unknown("package not installed");
    }
    if is_declared(session, top) {
        return Lookup::Unknown("package declared but not installed");
    }
    if is_imported(session, top) {
        return Lookup::Unknown("package used elsewhere but not installed");
    }
    let known = KNOWN.split_whitespace().chain(stdlib::top_modules()).map(str::to_owned);
    Lookup::Missing { name: top.to_owned(), is_package: true, nearest: known.collect() }
}

/// Whether a package of this import name certainly exists.
pub(super) fn is_known(top: &str) -> bool {
    KNOWN.split_whitespace().any(|known| known == top)
}

/// Whether a file of this module's name is usually made by a build, or named by one.
pub(super) fn is_generated(session: &Session<'_>, name: &str) -> bool {
    if name.ends_with("_pb2")
        || name.ends_with("_pb2_grpc")
        || name.ends_with("_version")
        || name == "version"
    {
        return true;
    }
    built::is_built(session, name)
}

/// Whether a manifest names a package.
pub(super) fn is_declared(session: &Session<'_>, top: &str) -> bool {
    let names = variants(&normalized(top));
    let Some(manifests) = manifests(session) else { return true };
    let on_disk = manifests.iter().map(String::as_str).filter(|path| !session.is_changed(path));
    let changed = session.changed().filter(|path| is_manifest(path));
    let is_other = |path: &&str| is_manifest(path) && !session.is_changed(path);
    let touched = session.touched().filter(is_other);
    on_disk.chain(changed).chain(touched).any(|path| {
        let may_name = || {
            let words = session.kept(path, ManifestWords::of);
            words.is_some_and(|words| names.iter().any(|name| words.0.may_hold(name)))
        };
        (session.is_changed(path) || may_name()) && is_declared_in(session, path, &names)
    })
}

fn is_declared_in(session: &Session<'_>, path: &str, names: &[String; 4]) -> bool {
    let text = session.text(path).unwrap_or_default();
    match path.ends_with(".py") {
        // Its own imports declare nothing.
        true => text
            .lines()
            .filter(|line| !line.starts_with("import ") && !line.starts_with("from "))
            .any(|line| declares(&normalized(line), names)),
        false => declares(&normalized(&text), names),
    }
}

/// The files that declared dependencies at the last look; `None` when there are too many files.
fn manifests(session: &Session<'_>) -> Option<Arc<Vec<String>>> {
    session.of_look("python manifests", |files| {
        Some(files.iter().filter(|path| is_manifest(path)).cloned().collect())
    })
}

/// The words of a manifest as names of packages are compared.
pub(super) struct ManifestWords(WordSet);

impl ManifestWords {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self(WordSet::of(normalized(&String::from_utf8_lossy(bytes)).as_bytes()))
    }
}

impl Keep for ManifestWords {
    const TAG: u8 = 25;

    fn write(&self, to: &mut Writer) {
        self.0.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        WordSet::read(from).map(Self)
    }
}

pub(super) fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    MANIFESTS.iter().any(|manifest| name.starts_with(manifest)) || path.contains("requirements/")
}

fn normalized(text: &str) -> String {
    text.to_lowercase().replace(['_', '.'], "-")
}

/// The names under which a package may be declared.
fn variants(name: &str) -> [String; 4] {
    [name.to_owned(), format!("py{name}"), format!("{name}py"), format!("python{name}")]
}

/// Whether one of the names stands in the text, by itself or as a part of a name with dashes.
fn declares(text: &str, names: &[String; 4]) -> bool {
    names.iter().any(|name| words::contains(text.as_bytes(), name))
}

/// Whether another file imports it, or any file spells it as one that is made at run time.
fn is_imported(session: &Session<'_>, top: &str) -> bool {
    let is_python = |path: &str| path.ends_with(".py");
    session.any_other(("python imports", top), "", is_python, |_, bytes, is_changed| {
        words::occurrences(bytes, top).any(|start| {
            let end = start + top.len();
            let is_quoted = matches!(bytes.get(end), Some(b'"' | b'\''))
                && start > 0
                && matches!(bytes[start - 1], b'"' | b'\'');
            is_quoted
                || bytes[end..].starts_with(b".py")
                || (!is_changed && follows_import(&bytes[..start]))
        })
    })
}

fn follows_import(before: &[u8]) -> bool {
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    matches!(line.trim(), "import" | "from") || line.trim().starts_with("import ")
}
