//! Which crate a file belongs to, and where the crates that it names lie.

use std::sync::Arc;

use super::listed::{self, OfList};
use super::manifest::{Dependency, Manifest, crate_name, fits, locked};
use crate::references::Ecosystem;
use crate::references::session::{Area, Place, Session};

/// Why what a package has is not known.
pub(super) const NOT_INSTALLED: &str = "package that is not installed";

/// The package around a file.
#[derive(Debug)]
pub(super) struct Home {
    /// The folder of its manifest.
    pub(super) folder: Place,
    pub(super) manifest: Arc<Manifest>,
}

/// Where a crate is.
#[derive(Debug, Clone)]
pub(super) enum Located {
    /// The file of its root, and the folder of its manifest.
    At(Place, Place),
    /// Not installed, but its names are known.
    Listed(OfList),
    Unknown(&'static str),
    Missing,
}

/// The package around a file; `None` when no manifest is above it.
pub(super) fn home(session: &Session<'_>, file: &Place) -> Option<Home> {
    let mut folder = file.parent();
    while let Some(here) = folder {
        if let Some(manifest) = manifest(session, &here)
            && manifest.package.is_some()
        {
            return Some(Home { folder: here, manifest });
        }
        folder = here.parent();
    }
    None
}

fn manifest(session: &Session<'_>, folder: &Place) -> Option<Arc<Manifest>> {
    let file = folder.join("Cargo.toml");
    let bytes = session.read(&file)?;
    let read = |bytes: &[u8]| Manifest::read(&String::from_utf8_lossy(bytes));
    let manifest = session.index.facts("cargo manifest", &bytes, || read(&bytes));
    // What is published lacks the packages that only its own tests use.
    let Some(written) = session.read(&folder.join("Cargo.toml.orig")) else {
        return Some(manifest);
    };
    let written = session.index.facts("cargo manifest", &written, || read(&written));
    Some(Arc::new(manifest.with_names_of(&written)))
}

/// Where the crate lies that the code of a package calls `name`.
pub(super) fn locate(session: &Session<'_>, home: &Home, name: &str) -> Located {
    if home.manifest.library().as_deref() == Some(name)
        && let Some(root) = library(session, &home.folder, &home.manifest)
    {
        return Located::At(root, home.folder.clone());
    }
    let Some(dependency) = home.manifest.dependencies.get(name) else {
        return undeclared(session, home, name);
    };
    let shared = shared(session, home, name);
    for (folder, dependency) in [(Some(home.folder.clone()), Some(dependency.clone())), shared] {
        if let (Some(folder), Some(path)) = (folder, dependency.and_then(|it| it.path))
            && let Some(folder) = joined(&folder, &path)
            && let Some(found) = package(session, &folder)
        {
            return found;
        }
    }
    installed(session, home, dependency, name)
}

/// What the manifest of the whole workspace says about a dependency.
fn shared(session: &Session<'_>, home: &Home, name: &str) -> (Option<Place>, Option<Dependency>) {
    let mut folder = Some(home.folder.clone());
    while let Some(here) = folder {
        if let Some(manifest) = manifest(session, &here)
            && let Some(dependency) = manifest.shared.get(name)
        {
            return (Some(here), Some(dependency.clone()));
        }
        folder = here.parent();
    }
    (None, None)
}

fn undeclared(session: &Session<'_>, home: &Home, name: &str) -> Located {
    if home.folder.area == Area::Installed {
        return Located::Unknown("package of a package");
    }
    let is_member = session.all_files().is_none_or(|files| {
        files.iter().filter(|file| file.ends_with("Cargo.toml")).any(|file| {
            let folder = Place::workspace(file.as_str()).parent();
            let manifest = folder.and_then(|folder| manifest(session, &folder));
            manifest.is_some_and(|manifest| manifest.library().as_deref() == Some(name))
        })
    });
    if is_member {
        return Located::Unknown("package of the workspace");
    }
    // A library may have another name than its package, mostly a part of it.
    let is_part = |package: &String| {
        package.split(['-', '_']).any(|part| part == name)
            && matches!(
                locate(session, home, package),
                Located::Unknown(NOT_INSTALLED) | Located::Listed(_)
            )
    };
    match home.manifest.dependencies.keys().any(is_part) {
        true => Located::Unknown(NOT_INSTALLED),
        false => Located::Missing,
    }
}

/// The crate of a package folder.
fn package(session: &Session<'_>, folder: &Place) -> Option<Located> {
    let manifest = manifest(session, folder)?;
    let root = library(session, folder, &manifest)?;
    Some(Located::At(root, folder.clone()))
}

fn library(session: &Session<'_>, folder: &Place, manifest: &Manifest) -> Option<Place> {
    let path = manifest.lib_path.as_deref().unwrap_or("src/lib.rs");
    let root = joined(folder, path)?;
    session.read(&root).map(|_| root)
}

fn installed(session: &Session<'_>, home: &Home, dependency: &Dependency, name: &str) -> Located {
    let of_all = shared(session, home, name).1;
    let package_name = dependency.package.clone().unwrap_or_else(|| name.to_owned());
    let package_name = match &of_all {
        Some(shared) if crate_name(&package_name) == name => {
            shared.package.clone().unwrap_or(package_name)
        }
        _ => package_name,
    };
    let requirement = dependency.version.clone().or_else(|| of_all.and_then(|it| it.version));
    if let Some(found) = vendored(session, &package_name) {
        return found;
    }
    let versions = lock_versions(session, home, &package_name);
    for root in session.roots(Ecosystem::Rust) {
        for version in &versions {
            if let Some(found) = package(session, &root.join(&format!("{package_name}-{version}")))
            {
                return found;
            }
        }
        if versions.is_empty()
            && let Some(found) =
                fitting(session, &root, &package_name, requirement.as_deref().unwrap_or("*"))
        {
            return found;
        }
    }
    let listed = listed::find(&package_name, &versions, requirement.as_deref());
    listed.map_or(Located::Unknown(NOT_INSTALLED), Located::Listed)
}

fn vendored(session: &Session<'_>, package_name: &str) -> Option<Located> {
    let folder = Place::workspace("vendor");
    let is_there = session.list(&folder).folders.contains(package_name);
    is_there.then(|| package(session, &folder.join(package_name)))?
}

/// The newest installed version that a requirement allows.
fn fitting(
    session: &Session<'_>,
    root: &Place,
    package_name: &str,
    requirement: &str,
) -> Option<Located> {
    let listing = session.list(root);
    let from = format!("{package_name}-");
    let of_package = listing
        .folders
        .range(from.clone()..)
        .take_while(|folder| folder.starts_with(&from))
        .filter(|folder| folder[from.len()..].starts_with(|first: char| first.is_ascii_digit()));
    let newest = of_package.filter(|folder| fits(requirement, &folder[from.len()..])).last()?;
    package(session, &root.join(newest))
}

fn lock_versions(session: &Session<'_>, home: &Home, package_name: &str) -> Vec<String> {
    let mut folder = Some(home.folder.clone());
    while let Some(here) = folder {
        if let Some(bytes) = session.read(&here.join("Cargo.lock")) {
            let lock = String::from_utf8_lossy(&bytes);
            return locked(&lock, package_name).into_iter().map(str::to_owned).collect();
        }
        if here.area == Area::Installed {
            break;
        }
        folder = here.parent();
    }
    Vec::new()
}

/// A relative path below a folder, `..` resolved; `None` when it leaves the workspace.
pub(super) fn joined(folder: &Place, path: &str) -> Option<Place> {
    let mut here = folder.clone();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => here = here.parent()?,
            name => here = here.join(name),
        }
    }
    Some(here)
}
