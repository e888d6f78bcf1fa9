//! Packages that are neither in the workspace nor installed: declared, in use, known, or invented.

use super::modules::Lookup;
use super::stdlib;
use crate::references::session::Session;
use crate::references::words;

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

/// The answer to an import whose package lies nowhere.
pub(super) fn unknown_package(session: &Session<'_>, top: &str) -> Lookup {
    if is_generated(session, top) {
        return Lookup::Unknown("generated file");
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

/// Whether a file of this module's name is usually made by a build, or ignored by git.
pub(super) fn is_generated(session: &Session<'_>, name: &str) -> bool {
    if name.ends_with("_pb2")
        || name.ends_with("_pb2_grpc")
        || name.ends_with("_version")
        || name == "version"
    {
        return true;
    }
    let file = format!("{name}.py");
    session.text(".gitignore").is_some_and(|text| text.contains(&file))
}

fn is_declared(session: &Session<'_>, top: &str) -> bool {
    let name = normalized(top);
    let Some(files) = session.all_files() else { return true };
    files.iter().filter(|path| is_manifest(path)).any(|path| {
        let text = session.text(path).unwrap_or_default();
        match path.ends_with(".py") {
            // Its own imports declare nothing.
            true => text
                .lines()
                .filter(|line| !line.starts_with("import ") && !line.starts_with("from "))
                .any(|line| declares(&normalized(line), &name)),
            false => declares(&normalized(&text), &name),
        }
    })
}

fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    MANIFESTS.iter().any(|manifest| name.starts_with(manifest)) || path.contains("requirements/")
}

fn normalized(text: &str) -> String {
    text.to_lowercase().replace(['_', '.'], "-")
}

/// Whether `name` stands in the text, by itself or as a part of a name with dashes.
fn declares(text: &str, name: &str) -> bool {
    let variants =
        [name.to_owned(), format!("py{name}"), format!("{name}py"), format!("python{name}")];
    variants.iter().any(|variant| words::contains(text.as_bytes(), variant))
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
