//! Specifiers that a configuration leads to files of the workspace: `paths` of a `tsconfig.json`,
//! and packages that live in the workspace themselves.
//!
//! Where a configuration names what only a build makes, the source it is made of is taken when
//! its name says so plainly; else nothing is said.

use serde_json::Value;

use super::modules::{Found, at, file_at, language, normalized};
use super::resolver::Resolver;
use crate::references::session::{Place, Session};

/// How many folders that are called like a package are asked whether they are it.
const ASKED: usize = 30;
/// Configurations that may hold `paths`.
const CONFIGURATIONS: [&str; 3] = ["tsconfig.json", "tsconfig.base.json", "jsconfig.json"];

/// What a `tsconfig.json` in a folder, or one that it builds on, makes of a specifier.
pub(super) fn of_configuration(
    (session, resolver): (&Session<'_>, &Resolver),
    folder: &Place,
    source: &str,
) -> Option<Found> {
    let listing = session.list(folder);
    let names = CONFIGURATIONS.into_iter().filter(|name| listing.files.contains(*name));
    let mut answers = names.filter_map(|name| {
        let places = resolver.led_to(session, &folder.join(name), source)?;
        of_places(session, &places, source)
    });
    answers.next()
}

/// What the places that a configuration names for a specifier hold; `None` where it names none.
fn of_places(session: &Session<'_>, places: &[String], source: &str) -> Option<Found> {
    if let Some(file) = places.iter().find_map(|place| file_at(session, place)) {
        return Some(Found::File(file));
    }
    // A base folder, or a pattern that matches everything, says nothing of what it does not lead to.
    let is_spelt_out = |place: &&String| place.ends_with(source);
    if places.iter().all(|place| is_spelt_out(&place)) {
        return places.first().and_then(|place| below_base(session, place, source));
    }
    let [place] = places else { return Some(Found::Unknown("path alias")) };
    let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder);
    match session.list(&Place::workspace(folder)).files.is_empty() {
        true => Some(Found::Unknown("path alias")),
        false => Some(at(session, place)),
    }
}

/// What lies at the path that a specifier spells out below a base folder: nothing, in a folder
/// that has sources. `None` where no such folder is there.
fn below_base(session: &Session<'_>, path: &str, source: &str) -> Option<Found> {
    let (folder, _) = path.rsplit_once('/').filter(|_| source.contains('/'))?;
    let is_source = |file: &String| language(file).is_some();
    let is_folder = session.list(&Place::workspace(folder)).files.iter().any(is_source);
    (is_folder && !folder.contains("node_modules")).then(|| at(session, path))
}

/// A file of a package that lives in the workspace whose root a folder is, in a folder that is
/// called like it.
pub(super) fn of_workspace(
    session: &Session<'_>,
    root: &Place,
    (name, source): (&str, &str),
) -> Option<Found> {
    let last = name.rsplit('/').next().unwrap_or(name);
    let is_called = |folder: &Place| {
        let own = folder.path.rsplit('/').next().unwrap_or_default();
        !own.is_empty() && (own.ends_with(last) || last.ends_with(own))
    };
    let is_it = |folder: &Place| {
        let manifest = manifest(session, folder);
        manifest.is_some_and(|it| it.get("name").and_then(Value::as_str) == Some(name))
    };
    let called = folders(session, root).into_iter().filter(is_called);
    let folder = called.take(ASKED).find(is_it)?;
    let below = source.strip_prefix(name).unwrap_or_default().trim_start_matches('/');
    let found = match below {
        "" => entry(session, &folder),
        _ => ["", "src"].iter().find_map(|inner| {
            file_at(session, &normalized(&folder.path, &format!("{inner}/{below}"))?)
        }),
    };
    Some(found.map_or(Found::Unknown("package of the workspace that is not built"), Found::File))
}

/// The folders of the packages of a workspace.
fn folders(session: &Session<'_>, root: &Place) -> Vec<Place> {
    let mut found = Vec::new();
    for pattern in patterns(session, root) {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        match pattern.strip_suffix("/*").or_else(|| pattern.strip_suffix("/**")) {
            Some(above) if !above.contains('*') => {
                let above = root.join(above);
                found.extend(session.list(&above).folders.iter().map(|name| above.join(name)));
            }
            None if !pattern.contains('*') && !pattern.starts_with('!') => {
                found.push(root.join(pattern));
            }
            _ => {}
        }
    }
    found
}

/// Where a workspace says that its packages are.
fn patterns(session: &Session<'_>, root: &Place) -> Vec<String> {
    let listing = session.list(root);
    if listing.files.contains("pnpm-workspace.yaml") {
        let text = session.text(&root.join("pnpm-workspace.yaml").path).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix("- "));
        return lines.map(|line| line.trim().trim_matches(['"', '\'']).to_owned()).collect();
    }
    let Some(manifest) = manifest(session, root) else { return Vec::new() };
    let listed = manifest.get("workspaces");
    let listed = listed.map(|it| it.get("packages").unwrap_or(it)).and_then(Value::as_array);
    let listed = listed.into_iter().flatten().filter_map(Value::as_str);
    listed.map(str::to_owned).collect()
}

pub(super) fn manifest(session: &Session<'_>, folder: &Place) -> Option<Value> {
    let is_there = session.list(folder).files.contains("package.json");
    let text = is_there.then(|| session.text(&folder.join("package.json").path)).flatten()?;
    serde_json::from_str(&text).ok()
}

/// The source file that a package without a path stands for.
fn entry(session: &Session<'_>, folder: &Place) -> Option<String> {
    let manifest = manifest(session, folder)?;
    let exported = manifest.get("exports").and_then(first_file);
    let fields = ["source", "types", "typings", "module", "main"];
    let named = fields.iter().find_map(|field| manifest.get(*field)?.as_str().map(str::to_owned));
    let named = named.or(exported).unwrap_or_else(|| "index".to_owned());
    let there = normalized(&folder.path, &named).and_then(|path| file_at(session, &path));
    let is_source = |path: &String| path.ends_with("ts") || path.ends_with(".tsx");
    if let Some(file) = there.filter(is_source) {
        return Some(file);
    }
    let last = named.rsplit('/').next()?;
    let stem = last.split('.').next()?;
    ["src", "", "source", "lib"].iter().find_map(|inner| {
        file_at(session, &normalized(&folder.path, &format!("{inner}/{stem}"))?).filter(is_source)
    })
}

/// The first file that the main entry of `exports` names, whatever its conditions.
fn first_file(exports: &Value) -> Option<String> {
    match exports {
        Value::String(file) => Some(file.clone()),
        Value::Object(map) => match map.get(".") {
            Some(main) => first_file(main),
            None => map.values().find_map(first_file),
        },
        _ => None,
    }
}
