//! Packages of NuGet that are installed, and assemblies that project files point at.
//!
//! Those that the workspace names, and those that they need, are read once for each
//! version: every assembly for whatever platform, so that a name which exists in any
//! of them is never called missing. A package that makes code while it is compiled is
//! read and stays open.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::assembly::{self, Assembly, Offered};
use super::facts::Name;
use super::manifests::{Named, is_framework, is_identity};
use crate::references::Ecosystem;
use crate::references::session::{Place, Session};

/// How many packages and assemblies are read.
const MOST_PACKAGES: usize = 600;
const MOST_ASSEMBLIES: usize = 3_000;
/// The largest assembly that is read.
const LARGEST: u64 = 32 << 20;
/// The major version of .NET whose own names are known without it.
const KNOWN_VERSION: u32 = 10;

/// What the installed packages bring.
#[derive(Debug, Default)]
pub(super) struct Packages {
    assemblies: Vec<Arc<Assembly>>,
    types: HashMap<Name, Vec<(usize, usize)>>,
    /// Namespaces and all their prefixes.
    namespaces: HashSet<Name>,
    /// Packages that are known whole, and those that are needed and are not.
    whole: HashSet<String>,
    lacking: HashSet<String>,
}

impl Packages {
    /// The packages that project files name.
    pub(super) fn read(session: &Session<'_>, named: &Named) -> Self {
        let mut found = Self::default();
        let mut waiting: Vec<(String, HashSet<String>)> =
            named.packages.iter().map(|(id, versions)| (id.clone(), versions.clone())).collect();
        waiting.extend(named.folders.iter().flat_map(|folder| restored(session, folder)));
        let mut seen = HashSet::new();
        while let Some((id, versions)) = waiting.pop() {
            if !seen.insert(id.clone()) {
                continue;
            }
            let folders = folders(session, &id, &versions);
            if folders.is_empty() || seen.len() > MOST_PACKAGES {
                found.lacking.insert(id);
                continue;
            }
            let is_whole = folders.iter().map(|folder| found.package(session, folder));
            match is_whole.collect::<Vec<bool>>().contains(&false) {
                true => found.lacking.insert(id.clone()),
                false => found.whole.insert(id.clone()),
            };
            for folder in &folders {
                waiting.extend(
                    needs(session, folder, &id).into_iter().filter(|(id, _)| is_counted(id)),
                );
            }
        }
        found.pointed_at(session, named);
        found.packs(session, named);
        found
    }

    /// The packages that are named or needed and not known whole.
    pub(super) fn open(&self, named: &Named) -> HashSet<String> {
        let all = named.packages.keys().chain(&self.lacking);
        all.filter(|id| !self.whole.contains(*id)).cloned().collect()
    }

    /// All types of a name; those that are only passed on when there is no other.
    pub(super) fn types(&self, name: &str) -> Vec<&Offered> {
        let places = self.types.get(name).into_iter().flatten();
        let all = places.filter_map(|(at, number)| self.assemblies.get(*at)?.types.get(*number));
        let (full, passed): (Vec<&Offered>, Vec<&Offered>) =
            all.partition(|offered| offered.members.is_some());
        if full.is_empty() { passed } else { full }
    }

    pub(super) fn has_type(&self, name: &str) -> bool {
        self.types.contains_key(name)
    }

    pub(super) fn has_namespace(&self, name: &str) -> bool {
        self.namespaces.contains(name)
    }

    pub(super) fn is_extension(&self, name: &str) -> bool {
        self.assemblies.iter().any(|assembly| assembly.extensions.contains(name))
    }

    pub(super) fn type_names(&self) -> impl Iterator<Item = &str> {
        self.types.keys().map(|name| &**name)
    }

    /// Reads one version of a package; whether it is known whole.
    fn package(&mut self, session: &Session<'_>, folder: &Place) -> bool {
        let parts = session.list(folder);
        let has = |name: &str| parts.folders.contains(name);
        let makes_code = has("analyzers") || has("contentFiles");
        let is_only_tools = !has("lib") && !has("ref") && (has("build") || has("tools"));
        let is_read = ["ref", "lib"].iter().filter(|part| has(part)).all(|part| {
            let part = folder.join(part);
            let below =
                session.list(&part).folders.iter().map(|it| part.join(it)).collect::<Vec<_>>();
            std::iter::once(part).chain(below).all(|folder| self.folder(session, &folder))
        });
        is_read && !makes_code && !is_only_tools
    }

    /// Reads the assemblies in a folder; whether all could be read.
    fn folder(&mut self, session: &Session<'_>, folder: &Place) -> bool {
        let listing = session.list(folder);
        let mut is_whole = true;
        for name in listing.files.iter().filter(|name| name.ends_with(".dll")) {
            let place = folder.join(name);
            let read = || {
                let (length, stamp) = session.measure(&place).filter(|it| it.0 <= LARGEST)?;
                let take = || assembly::read(&session.read_part(&place, 0, length)?);
                session.index.kept(&place.path, stamp, take)
            };
            match read().filter(|_| self.assemblies.len() < MOST_ASSEMBLIES) {
                Some(assembly) => self.add(assembly),
                None => is_whole = false,
            }
        }
        is_whole
    }

    /// Assemblies that lie in the workspace.
    fn pointed_at(&mut self, session: &Session<'_>, named: &Named) {
        for path in named.assemblies.iter().take(MOST_ASSEMBLIES) {
            let Some(bytes) = session.read_base(path) else { continue };
            let found =
                session.index.facts("assembly", &bytes, || assembly::read(&bytes).map(Arc::new));
            let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
            if let Some(assembly) = found.as_ref() {
                self.add(Arc::clone(assembly));
                self.whole.insert(name.trim_end_matches(".dll").to_owned());
            }
        }
    }

    /// The reference assemblies of .NET, where they know more than is known without them.
    fn packs(&mut self, session: &Session<'_>, named: &Named) {
        let desktop = "Microsoft.WindowsDesktop.App.Ref";
        let own = ["Microsoft.NETCore.App.Ref", "Microsoft.AspNetCore.App.Ref"];
        for root in session.roots(Ecosystem::DotNet) {
            for pack in own.iter().chain([&desktop]) {
                let folder = root.join(pack);
                let newest =
                    session.list(&folder).folders.iter().max_by_key(|it| major(it)).cloned();
                let Some(newest) = newest else { continue };
                let is_new = major(&newest) > KNOWN_VERSION;
                if is_new || *pack == desktop && named.is_desktop {
                    let _ = self.package(session, &folder.join(&newest));
                }
            }
        }
    }

    fn add(&mut self, assembly: Arc<Assembly>) {
        let at = self.assemblies.len();
        for (number, offered) in assembly.types.iter().enumerate() {
            self.types.entry(offered.name.clone()).or_default().push((at, number));
        }
        for namespace in &assembly.namespaces {
            let ends = namespace.match_indices('.').map(|(end, _)| end).chain([namespace.len()]);
            self.namespaces.extend(ends.map(|end| Name::from(&namespace[..end])));
        }
        self.assemblies.push(assembly);
    }
}

fn major(version: &str) -> u32 {
    version.split('.').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Whether a package brings names that do not come with .NET.
fn is_counted(id: &str) -> bool {
    const PARTS: [&str; 4] = ["runtime.", "microsoft.netcore.", "microsoft.net.", "netstandard."];
    !is_framework(id) && !PARTS.iter().any(|part| id.starts_with(part))
}

/// The folders of a package: of the versions that are asked for, else of all that are there.
fn folders(session: &Session<'_>, id: &str, versions: &HashSet<String>) -> Vec<Place> {
    let mut found: Vec<(String, Place)> = Vec::new();
    for root in session.roots(Ecosystem::DotNet) {
        let package = root.join(id);
        let of = session.list(&package);
        found.extend(of.folders.iter().map(|version| (version.clone(), package.join(version))));
    }
    let is_wanted = |version: &String| versions.contains(&version.to_lowercase());
    let is_there = found.iter().any(|(version, _)| is_wanted(version));
    let wanted = found.into_iter().filter(|(version, _)| !is_there || is_wanted(version));
    wanted.map(|(_, place)| place).collect()
}

/// The packages that the description of a package needs.
fn needs(session: &Session<'_>, folder: &Place, id: &str) -> HashMap<String, HashSet<String>> {
    let bytes = session.read(&folder.join(&format!("{id}.nuspec"))).unwrap_or_default();
    let mut named = Named::default();
    named.read("package.nuspec", &bytes);
    named.packages
}

/// The packages of a project as they were last restored, with their versions.
fn restored(session: &Session<'_>, folder: &str) -> Vec<(String, HashSet<String>)> {
    let path = Place::workspace(folder).join("obj/project.assets.json").path;
    let Some(bytes) = session.read_base(&path) else { return Vec::new() };
    let Ok(all) = serde_json::from_slice::<serde_json::Value>(&bytes) else { return Vec::new() };
    let Some(libraries) = all.get("libraries").and_then(|it| it.as_object()) else {
        return Vec::new();
    };
    let packages = libraries.iter().filter(|(_, it)| it["type"] == "package");
    let split = packages.filter_map(|(key, _)| key.split_once('/'));
    let lower = split.map(|(id, version)| (id.to_lowercase(), version.to_lowercase()));
    let plain = lower.filter(|(id, version)| is_identity(id) && is_identity(version));
    plain
        .filter(|(id, _)| is_counted(id))
        .map(|(id, version)| (id, HashSet::from([version])))
        .collect()
}
