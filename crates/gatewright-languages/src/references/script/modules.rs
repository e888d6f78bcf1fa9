//! From a module specifier to a file of the workspace, a package, or nothing.

use super::resolver::Resolver;
use super::{aliases, installed};
use crate::references::Ecosystem;
use crate::references::session::{Place, Session};
use crate::references::words;
use crate::syntax::{LanguageId, detect};

/// Extensions in the order in which they are tried.
const EXTENSIONS: [&str; 12] =
    ["ts", "tsx", "d.ts", "mts", "cts", "d.mts", "d.cts", "js", "jsx", "mjs", "cjs", "json"];

/// Modules that come with the runtime.
const BUILTIN: &str = "assert async_hooks bufferfs buffer child_process cluster console constants crypto dgram \
diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process \
punycode querystring readline repl stream string_decoder sys test timers tls trace_events tty url util v8 vm \
wasi worker_threads zlib bun electron vscode";

/// Why nothing is known of a package that a manifest names.
pub(super) const DECLARED: &str = "package declared but not installed";

/// What a specifier names.
#[derive(Debug, Clone)]
pub(super) enum Found {
    /// A file of the workspace, or of declarations below its `node_modules`.
    File(String),
    /// A package that is there.
    Package,
    Missing {
        is_package: bool,
        nearest: Vec<String>,
    },
    Unknown(&'static str),
}

/// The language of a file that can be followed.
pub(super) fn language(path: &str) -> Option<LanguageId> {
    let language = detect(path, b"")?;
    let is_script =
        matches!(language, LanguageId::TypeScript | LanguageId::Tsx | LanguageId::JavaScript);
    is_script.then_some(language)
}

/// What a specifier in a file names.
pub(super) fn find(session: &Session<'_>, resolver: &Resolver, from: &str, source: &str) -> Found {
    let source = source.split(['?', '!']).next().unwrap_or(source);
    if source.starts_with('.') {
        return relative(session, from, source);
    }
    package((session, resolver), from, source)
}

fn relative(session: &Session<'_>, from: &str, source: &str) -> Found {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let Some(path) = normalized(folder, source) else {
        return Found::Unknown("path beyond the root");
    };
    // What is run is the file of exactly this name; declarations beside it are for TypeScript.
    let is_script = |path: &str| language(path) == Some(LanguageId::JavaScript);
    if is_script(from) && is_script(&path) && has_file(session, &path) {
        return Found::File(path);
    }
    match at(session, &path) {
        Found::File(file) if is_script(from) => Found::File(run_instead(session, file)),
        found => found,
    }
}

/// What is run where a file of declarations stands beside it.
fn run_instead(session: &Session<'_>, file: String) -> String {
    let Some(stem) = file.strip_suffix(".d.ts") else { return file };
    let mut run = ["js", "cjs", "mjs", "jsx"].iter().map(|end| format!("{stem}.{end}"));
    run.find(|path| has_file(session, path)).unwrap_or(file)
}

pub(super) fn has_file(session: &Session<'_>, path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    session.list(&Place::workspace(folder)).files.contains(name)
}

/// What a path of the workspace, without its extension, leads to.
pub(super) fn at(session: &Session<'_>, path: &str) -> Found {
    if let Some(file) = file_at(session, path) {
        return Found::File(file);
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let listing = session.list(&Place::workspace(folder));
    // Another kind of file, or one that a build makes.
    let stem = name.split('.').next().unwrap_or(name);
    let is_source = listing.files.iter().any(|file| language(file).is_some());
    // A grammar, say, of which the build makes the source.
    let is_beside = |file: &String| file.rsplit_once('.').is_some_and(|(stem, _)| stem == name);
    if listing.files.contains(name)
        || listing.files.iter().any(is_beside)
        || is_generated(session, stem, path, is_source)
    {
        return Found::Unknown("file that is not source");
    }
    if name.is_empty() || listing.folders.contains(name) {
        return Found::Unknown("folder");
    }
    let nearest =
        listing.files.iter().map(|file| file.split('.').next().unwrap_or(file).to_owned());
    Found::Missing { is_package: false, nearest: nearest.collect() }
}

/// Whether the build makes a file, as far as its name and the ignore rules tell.
///
/// A folder that has sources in it (`is_source`) was not left for the build to make.
fn is_generated(session: &Session<'_>, stem: &str, path: &str, is_source: bool) -> bool {
    let made = ["generated", ".gen", "_pb", "proto", "node_modules"];
    let folders = ["dist/", "build/", "lib/", "out/"];
    made.iter().any(|mark| stem.contains(mark) || path.contains(mark) && !is_source)
        || !is_source && folders.iter().any(|folder| path.contains(folder))
        || session.text(".gitignore").is_some_and(|text| words::contains(text.as_bytes(), stem))
}

pub(super) fn normalized(folder: &str, source: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in source.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The source file that a path without its extension stands for.
pub(super) fn file_at(session: &Session<'_>, path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let place = Place::workspace(folder);
    let listing = session.list(&place);
    let at = |name: &str| place.join(name).path;
    let stem = [".js", ".jsx", ".mjs", ".cjs"].iter().find_map(|end| name.strip_suffix(end));
    for base in stem.into_iter().chain([name]) {
        for extension in EXTENSIONS {
            let file = format!("{base}.{extension}");
            if listing.files.contains(&file) {
                return Some(at(&file));
            }
        }
    }
    if listing.files.contains(name) {
        return Some(at(name));
    }
    if !listing.folders.contains(name) && !name.is_empty() {
        return None;
    }
    let below = if name.is_empty() { place } else { place.join(name) };
    let inside = session.list(&below);
    let index = EXTENSIONS
        .iter()
        .map(|extension| format!("index.{extension}"))
        .find(|file| inside.files.contains(file));
    index.map(|file| below.join(&file).path).or_else(|| main_of(session, &below))
}

/// The file that the manifest in a folder calls its main one.
fn main_of(session: &Session<'_>, folder: &Place) -> Option<String> {
    let manifest = aliases::manifest(session, folder)?;
    let named =
        ["types", "typings", "main"].iter().find_map(|field| manifest.get(*field)?.as_str());
    let path = normalized(&folder.path, named?)?;
    // A folder that names itself is not asked again.
    (path != folder.path).then(|| file_at(session, &path))?
}

fn package((session, resolver): (&Session<'_>, &Resolver), from: &str, source: &str) -> Found {
    let name = package_name(source);
    let top = name.strip_prefix("node:").unwrap_or(name);
    if source.contains(':')
        || BUILTIN.split_whitespace().any(|builtin| builtin == top.split('/').next().unwrap_or(top))
    {
        return Found::Package;
    }
    if name.starts_with('#') && name.len() > 1 {
        return imported((session, resolver), from, source);
    }
    if let Some(found) = led_to((session, resolver), from, (name, source)) {
        return found;
    }
    if name.starts_with(['~', '#', '$', '/'])
        || name == "@"
        || name.starts_with("@/")
        || name.is_empty()
    {
        return Found::Unknown("path alias");
    }
    let mut folder = Place::workspace(from).parent();
    while let Some(current) = folder {
        let listing = session.list(&current);
        let modules = current.join("node_modules");
        if listing.folders.contains("node_modules") && is_installed(session, &modules, name) {
            return installed::declarations((session, resolver), from, &modules, (name, source));
        }
        for file in listing.files.iter().filter(|file| is_manifest(file)) {
            let text = session.text(&current.join(file).path).unwrap_or_default();
            if text.contains(&format!("\"{name}\""))
                || text.contains(&format!("\"{name}/"))
                || text.contains(&format!("'{name}"))
            {
                return Found::Unknown(DECLARED);
            }
        }
        // A base folder of the project may stand before the first part.
        if file_at(session, &current.join(source).path).is_some() || listing.folders.contains(name)
        {
            return Found::Unknown("path alias");
        }
        for below in ["src", "app", "lib", "packages"] {
            if listing.folders.contains(below)
                && session.list(&current.join(below)).folders.contains(name)
            {
                return Found::Unknown("path alias");
            }
        }
        folder = current.parent();
    }
    if session.roots(Ecosystem::Node).iter().any(|root| is_installed(session, root, name)) {
        return Found::Package;
    }
    if is_used_elsewhere(session, from, name) {
        return Found::Unknown("package used elsewhere but not installed");
    }
    Found::Missing { is_package: true, nearest: Vec::new() }
}

/// What the `imports` of the package around a file make of a specifier.
fn imported((session, resolver): (&Session<'_>, &Resolver), from: &str, source: &str) -> Found {
    let found = resolver.declarations(session, from, source);
    // What is not there may be what a build makes.
    found.map_or(Found::Unknown("path alias"), |file| match language(&file) {
        Some(_) => Found::File(file),
        None => Found::Unknown("file that is not source"),
    })
}

/// What a configuration in a folder around makes of a specifier.
fn led_to(
    (session, resolver): (&Session<'_>, &Resolver),
    from: &str,
    (name, source): (&str, &str),
) -> Option<Found> {
    let mut folder = Place::workspace(from).parent();
    while let Some(current) = folder {
        let found = aliases::of_configuration((session, resolver), &current, source)
            .or_else(|| aliases::of_workspace(session, &current, (name, source)));
        if found.is_some() {
            return found;
        }
        folder = current.parent();
    }
    None
}

fn is_manifest(file: &str) -> bool {
    file == "package.json"
        || file == "deno.json"
        || file.starts_with("tsconfig")
        || file.starts_with("jsconfig")
        || file.starts_with("vite")
        || file.starts_with("webpack")
        || file.starts_with("jest")
        || file.starts_with("rollup")
        || file.starts_with("import_map")
        || file.starts_with("babel")
        || file.starts_with("pnpm-")
        || file == "jsr.json"
}

/// The name of the package of a specifier: one part, or two behind an `@`.
pub(super) fn package_name(source: &str) -> &str {
    let parts = if source.starts_with('@') { 2 } else { 1 };
    let end = source.match_indices('/').nth(parts - 1).map_or(source.len(), |(index, _)| index);
    &source[..end]
}

pub(super) fn is_installed(session: &Session<'_>, root: &Place, name: &str) -> bool {
    let types = installed::types_of(name);
    let has = |path: &str| {
        let place = root.join(path);
        place.parent().is_some_and(|parent| {
            let last = place.path.rsplit('/').next().unwrap_or_default().to_owned();
            session.list(&parent).folders.contains(&last)
        })
    };
    has(name) || has(&types)
}

fn is_used_elsewhere(session: &Session<'_>, from: &str, name: &str) -> bool {
    let is_asked = |file: &str| language(file).is_some() || file.ends_with(".json");
    session.any_other(("script quotes", name), from, is_asked, |_, text, _| {
        words::occurrences(text, name)
            .any(|start| start > 0 && matches!(text[start - 1], b'"' | b'\''))
    })
}
