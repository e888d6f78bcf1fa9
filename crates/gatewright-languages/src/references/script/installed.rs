//! The declarations that an installed package comes with: `exports`, `types`, or `@types` beside it.
//!
//! Only TypeScript is held to declarations: what a script may take of a package is what the
//! package does, which its declarations may lag behind. Where a manifest says something that is
//! not followed here, the package is there and no more is known of it.

use serde_json::Value;

use super::aliases::manifest;
use super::facts::ScriptFile;
use super::modules::{Found, file_at, has_file, language, normalized};
use crate::references::session::{Place, Session};
use crate::syntax::LanguageId;

/// The conditions of `exports` that are met, best first; the order of a manifest is not kept.
const CONDITIONS: [&str; 6] = ["types", "import", "module", "node", "require", "default"];
/// How deep conditions may lie in one another.
const DEEPEST: usize = 8;
/// How declarations end, and the code that they are for.
const ENDS: [(&str, &str); 3] = [(".mjs", ".d.mts"), (".cjs", ".d.cts"), (".js", ".d.ts")];

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
    session: &Session<'_>,
    from: &str,
    modules: &Place,
    (name, source): (&str, &str),
) -> Found {
    let is_typed = !matches!(language(from), Some(LanguageId::JavaScript));
    let below = source.strip_prefix(name).unwrap_or_default().trim_start_matches('/');
    let in_package = |package: &str| declared(session, &modules.join(package), below);
    let found = || in_package(name).or_else(|| in_package(&types_of(name)));
    is_typed.then(found).flatten().map_or(Found::Package, Found::File)
}

/// The file of declarations of a package, or of a path below it.
fn declared(session: &Session<'_>, package: &Place, below: &str) -> Option<String> {
    let manifest = manifest(session, package)?;
    if manifest.get("typesVersions").is_some_and(leads_elsewhere) {
        return None;
    }
    let by_exports = manifest.get("exports").and_then(|exports| exported(exports, below));
    let fields = ["types", "typings", "main"].iter();
    let by_field = fields.filter_map(|field| manifest.get(*field)?.as_str()).next();
    // Compilers that know nothing of `exports` go by the path.
    let by_path = if below.is_empty() { by_field.unwrap_or("index") } else { below };
    let mut named = by_exports.into_iter().chain([by_path]);
    named.find_map(|named| declaration_at(session, &normalized(&package.path, named)?))
}

/// Whether a compiler of today takes other files than those that are named: not where the others
/// are for older compilers, nor where each stands for itself.
fn leads_elsewhere(versions: &Value) -> bool {
    let stays = |paths: &Value| {
        let mut pairs = paths.as_object().into_iter().flatten();
        pairs.all(|(path, others)| {
            let others = others.as_array().into_iter().flatten().filter_map(Value::as_str);
            others.into_iter().all(|other| other == path)
        })
    };
    let mut ranges = versions.as_object().into_iter().flatten();
    ranges.any(|(range, paths)| !range.starts_with('<') && !stays(paths))
}

/// The declarations at a path, or beside the code at it.
fn declaration_at(session: &Session<'_>, path: &str) -> Option<String> {
    if is_declaration(path) {
        return has_file(session, path).then(|| path.to_owned());
    }
    for (code, declarations) in ENDS {
        if let Some(stem) = path.strip_suffix(code) {
            let beside = format!("{stem}{declarations}");
            return has_file(session, &beside).then_some(beside);
        }
    }
    file_at(session, path).filter(|file| is_declaration(file))
}

fn is_declaration(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| path.ends_with(end))
}

/// The file that `exports` names for a path below the package; patterns are not followed.
fn exported<'m>(exports: &'m Value, below: &str) -> Option<&'m str> {
    let paths = exports.as_object().filter(|map| map.keys().any(|key| key.starts_with('.')));
    let target = match paths {
        Some(paths) if below.is_empty() => paths.get(".")?,
        Some(paths) => paths.get(&format!("./{below}"))?,
        None => Some(exports).filter(|_| below.is_empty())?,
    };
    chosen(target, DEEPEST)
}

/// The file behind the first condition that is met.
fn chosen(target: &Value, depth: usize) -> Option<&str> {
    match target {
        Value::String(file) => Some(file),
        Value::Object(conditions) if depth > 0 => {
            CONDITIONS.iter().find_map(|it| chosen(conditions.get(*it)?, depth - 1))
        }
        _ => None,
    }
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
