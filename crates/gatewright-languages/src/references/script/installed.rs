//! The declarations that an installed package comes with, as [`super::resolver`] finds them.
//!
//! Only TypeScript is held to declarations: what a script may take of a package is what the
//! package does, which its declarations may lag behind. Where a manifest says something that is
//! not followed here, the package is there and no more is known of it.

use serde_json::Value;

use super::aliases::manifest;
use super::facts::ScriptFile;
use super::modules::{Found, has_file, language};
use super::resolver::Resolver;
use crate::references::session::{Place, Session};
use crate::syntax::LanguageId;

/// Whether a path of the workspace is that of a package which is installed in it.
pub(super) fn is_of_package(path: &str) -> bool {
    path.starts_with("node_modules/") || path.contains("/node_modules/")
}

/// The package that holds the types of another.
pub(super) fn types_of(name: &str) -> String {
    format!("@types/{}", name.trim_start_matches('@').replace('/', "__"))
}

/// What a specifier of a package in `modules` leads to, for the file `from`.
pub(super) fn declarations(
    (session, resolver): (&Session<'_>, &Resolver),
    from: &str,
    modules: &Place,
    (name, source): (&str, &str),
) -> Found {
    if language(from) == Some(LanguageId::JavaScript) {
        return Found::Package;
    }
    let package = modules.join(name);
    let path = source.strip_prefix(name).unwrap_or_default();
    // What a pattern of `exports` leads to need not be there.
    let led_to = |source: &str| {
        resolver.declarations(session, from, source).filter(|file| has_file(session, file))
    };
    let types = types_of(name);
    // A package that hands out scripts alone has its types beside it.
    let beside = || led_to(&format!("{types}{path}")).filter(|file| is_declaration(file));
    let found = led_to(source);
    if let Some(file) = found.as_ref().filter(|file| is_declaration(file)) {
        return told(session, &package, file.clone());
    }
    match (beside(), found) {
        (Some(file), _) => told(session, &modules.join(&types), file),
        (None, Some(_)) => Found::Package,
        (None, None) => below(session, &package, path),
    }
}

fn told(session: &Session<'_>, package: &Place, file: String) -> Found {
    match is_told(session, package, &file) {
        true => Found::File(file),
        false => Found::Package,
    }
}

/// A path below a package to which nothing leads: missing when the package names what it hands
/// out, and nothing lies there.
fn below(session: &Session<'_>, package: &Place, path: &str) -> Found {
    let path = path.trim_start_matches('/');
    let names_all = || manifest(session, package).is_some_and(|it| it.get("exports").is_some());
    if path.is_empty() || !names_all() {
        return Found::Package;
    }
    let place = package.join(path);
    let listing = session.list(place.parent().as_ref().unwrap_or(package));
    let name = place.path.rsplit('/').next().unwrap_or_default();
    let is_it = |file: &String| file.split('.').next() == name.split('.').next();
    if listing.files.iter().chain(&listing.folders).any(is_it) {
        return Found::Package;
    }
    let nearest = listing.files.iter().filter_map(|file| file.split('.').next());
    Found::Missing { is_package: false, nearest: nearest.map(str::to_owned).collect() }
}

fn is_declaration(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| path.ends_with(end))
}

/// Whether a file is the one that a compiler of today takes: where `typesVersions` lead to a
/// folder that is not there, it is not.
fn is_told(session: &Session<'_>, package: &Place, file: &str) -> bool {
    let versions = manifest(session, package).and_then(|it| it.get("typesVersions").cloned());
    let Some(versions) = versions else { return true };
    let ranges = versions.as_object().into_iter().flatten();
    let of_today = ranges.filter(|(range, _)| !range.starts_with('<'));
    let paths = of_today.flat_map(|(_, paths)| paths.as_object().into_iter().flatten());
    let targets = paths.flat_map(|(_, targets)| targets.as_array().into_iter().flatten());
    let heads = targets.filter_map(Value::as_str).map(|target| {
        let target = target.trim_start_matches("./");
        target.split('*').next().unwrap_or(target)
    });
    let heads: Vec<&str> = heads.collect();
    let inside = file.strip_prefix(&package.path).unwrap_or(file).trim_start_matches('/');
    heads.is_empty() || heads.iter().any(|head| inside.starts_with(head))
}

/// Why a name that declarations of a package do not export may be there all the same.
pub(super) fn doubt(path: &str, file: &ScriptFile, name: &str) -> Option<&'static str> {
    if !is_of_package(path) {
        return None;
    }
    let is_module =
        !file.exports.is_empty() || !file.reexports.is_empty() || !file.stars.is_empty();
    match name {
        "default" => Some("interop of default exports"),
        _ if !is_module => Some("declarations that export nothing"),
        // All that declarations declare is exported, unless they say otherwise.
        _ if file.declared.contains(name) => Some("name that declarations do not export"),
        _ => None,
    }
}
