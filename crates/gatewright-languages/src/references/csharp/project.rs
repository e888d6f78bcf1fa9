//! The C# files of a workspace, read once and remembered.
//!
//! Namespaces are not bound to paths, so a name can be declared in any file.
//! What was read before is used as long as nothing is missing; before anything
//! is called missing, the workspace is read anew (unchanged files are known by
//! their content).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::facts::{Declared, Name, Type};
use super::framework::Framework;
use super::manifests::{self, Named};
use super::packages::Packages;
use super::scan;
use crate::references::session::{Place, Session};
use crate::references::words;

/// What the workspace holds on disk.
#[derive(Debug, Default)]
pub(super) struct Project {
    files: HashMap<String, Arc<Declared>>,
    types: HashMap<Name, Vec<(String, usize)>>,
    namespaces: HashMap<Name, Vec<String>>,
    extensions: HashMap<Name, Vec<String>>,
    global_usings: Vec<Name>,
    /// The packages that are named or needed and not known whole, in lower case.
    open: HashSet<String>,
    /// The projects and assemblies of the workspace, in lower case.
    projects: HashSet<String>,
    packages: Packages,
}

/// The workspace as a change leaves it.
#[derive(Debug)]
pub(super) struct View {
    project: Arc<Project>,
    changed: HashMap<String, Arc<Declared>>,
}

const SALT: &str = "csharp declared";

impl View {
    /// The workspace with what is remembered of it; read anew when `is_fresh`.
    pub(super) fn new(
        session: &Session<'_>,
        path: &str,
        text: &[u8],
        is_fresh: bool,
    ) -> Option<Self> {
        let known = session.index.remembered::<Project>("csharp").filter(|_| !is_fresh);
        let project = match known {
            Some(project) => project,
            None => {
                let project = session.of_files("csharp of files", || Project::read(session))?;
                session.index.remember("csharp", Arc::clone(&project));
                project
            }
        };
        let mut changed = HashMap::new();
        for path in session.changed().filter(|path| path.ends_with(".cs")) {
            let bytes = session.read(&Place::workspace(path)).unwrap_or_default();
            changed.insert(path.to_owned(), declared(session, &bytes));
        }
        changed.insert(path.to_owned(), declared(session, text));
        Some(Self { project, changed })
    }

    /// The declarations of a type, as their files and numbers.
    pub(super) fn types(&self, name: &str) -> Vec<&Type> {
        let known = self.project.types.get(name).into_iter().flatten();
        let mut found: Vec<&Type> = known
            .filter(|(path, _)| !self.changed.contains_key(path))
            .filter_map(|(path, number)| self.project.files.get(path)?.types.get(*number))
            .collect();
        for file in self.changed.values() {
            found.extend(file.types.iter().filter(|class| &*class.name == name));
        }
        found
    }

    /// Whether any type has a member of that name.
    pub(super) fn declares_member(&self, name: &str) -> bool {
        let on_disk = self.project.files.iter();
        let on_disk = on_disk.filter(|(path, _)| !self.changed.contains_key(*path));
        let files = on_disk.map(|(_, file)| file).chain(self.changed.values());
        let mut types = files.flat_map(|file| &file.types);
        types.any(|class| class.members.contains_key(name))
    }

    /// Whether a namespace is declared, or one below it.
    pub(super) fn has_namespace(&self, name: &str) -> bool {
        let below = |file: &Declared| {
            file.namespaces.iter().any(|known| {
                known
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        let known = self.project.namespaces.get(name).into_iter().flatten();
        known.into_iter().any(|path| !self.changed.contains_key(path))
            || self.changed.values().any(|file| below(file))
    }

    /// Whether some file declares a namespace itself, not only one below it.
    pub(super) fn declares(&self, name: &str) -> bool {
        let is_in = |file: &Declared| file.namespaces.iter().any(|known| **known == *name);
        let known = self.project.namespaces.get(name).into_iter().flatten();
        let mut known = known.filter(|path| !self.changed.contains_key(*path));
        known.any(|path| self.project.files.get(path).is_some_and(|file| is_in(file)))
            || self.changed.values().any(|file| is_in(file))
    }

    /// What the packages bring that are installed.
    pub(super) fn packages(&self) -> &Packages {
        &self.project.packages
    }

    /// Whether a method extends types other than its own.
    pub(super) fn is_extension(&self, name: &str) -> bool {
        let known = self.project.extensions.get(name).into_iter().flatten();
        known.into_iter().any(|path| !self.changed.contains_key(path))
            || self
                .changed
                .values()
                .any(|file| file.extensions.iter().any(|known| &**known == name))
    }

    /// The namespaces that every file uses.
    pub(super) fn global_usings(&self) -> impl Iterator<Item = &str> {
        let changed = self.changed.values().flat_map(|file| &file.usings);
        let own = changed.filter(|using| using.is_global && using.alias.is_none());
        self.project.global_usings.iter().map(|name| &**name).chain(own.map(|using| &*using.name))
    }

    /// Names that are near enough to be meant.
    pub(super) fn type_names(&self) -> impl Iterator<Item = &str> {
        let changed = self.changed.values().flat_map(|file| &file.types).map(|class| &*class.name);
        self.project.types.keys().map(|name| &**name).chain(changed)
    }

    /// Whether the workspace names a package to which a namespace may belong.
    ///
    /// Names that begin like those of .NET have to share more than their beginning.
    pub(super) fn is_declared_package(&self, namespace: &str) -> bool {
        let namespace = namespace.to_lowercase();
        let (first, rest) = namespace.split_once('.').unwrap_or((&namespace, ""));
        let second = rest.split('.').next().unwrap_or_default();
        self.project.open.iter().any(|package| match first {
            // The packages of tests are known by their names.
            "nunit" | "xunit" if Framework::get().has_root(first) => false,
            "system" => is_below(&namespace, package) || is_below(package, &namespace),
            "microsoft" => is_below(package, &format!("{first}.{second}")),
            _ => is_below(package, first) || package.starts_with(first),
        })
    }

    /// Whether a package that is not known may put types into a namespace of the workspace: one
    /// that is called like it, or like a part of it or around it.
    pub(super) fn may_grow(&self, namespace: &str) -> bool {
        let namespace = namespace.to_lowercase();
        let mut open = self.project.open.iter();
        open.any(|package| is_below(&namespace, package) || is_below(package, &namespace))
    }

    pub(super) fn has_manifest(&self) -> bool {
        !self.project.projects.is_empty()
    }

    /// Whether types of a namespace may come from a package of the same name.
    pub(super) fn is_shared(&self, namespace: &str) -> bool {
        !Framework::get().namespaces.contains(namespace) && {
            let name = namespace.to_lowercase();
            self.project.open.contains(&name) && !self.project.projects.contains(&name)
        }
    }
}

/// Whether a dotted name is another or lies below it.
fn is_below(name: &str, above: &str) -> bool {
    name.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn declared(session: &Session<'_>, bytes: &[u8]) -> Arc<Declared> {
    session.index.facts(SALT, bytes, || scan::declared(bytes))
}

impl Project {
    fn read(session: &Session<'_>) -> Option<Self> {
        let (mut project, mut named) = (Self::default(), Named::default());
        for path in session.disk_files()?.iter() {
            let name = path.rsplit('/').next().unwrap_or(path);
            if name.ends_with(".cs") {
                let Some(file) = session.kept(path, scan::declared) else { continue };
                project.add(path, file);
            } else if manifests::is_manifest(name)
                && let Some(bytes) = session.read_base(path)
            {
                named.read(path, &bytes);
            }
        }
        project.global_usings.append(&mut named.global_usings);
        project.packages = Packages::read(session, &named);
        project.open = project.packages.open(&named);
        project.projects = named.projects;
        Some(project)
    }

    fn add(&mut self, path: &str, file: Arc<Declared>) {
        for (number, class) in file.types.iter().enumerate() {
            self.types.entry(class.name.clone()).or_default().push((path.to_owned(), number));
        }
        for namespace in &file.namespaces {
            let ends = namespace.match_indices('.').map(|(index, _)| index);
            for end in ends.chain([namespace.len()]) {
                self.namespaces.entry(namespace[..end].into()).or_default().push(path.to_owned());
            }
        }
        for name in &file.extensions {
            self.extensions.entry(name.clone()).or_default().push(path.to_owned());
        }
        let global = file.usings.iter().filter(|using| using.is_global && using.alias.is_none());
        self.global_usings.extend(global.map(|using| using.name.clone()));
        self.files.insert(path.to_owned(), file);
    }
}

/// Files from which a build makes code.
const MODELS: [&str; 8] = [".ice", ".proto", ".thrift", ".fbs", ".g4", ".g", ".xsd", ".avdl"];
/// What such builds put behind the names that they find there.
const MADE: [&str; 9] =
    ["Disp_", "Prx", "PrxHelper", "Client", "Base", "Reflection", "Parser", "Lexer", "Visitor"];

/// Takes out of `names` what stands as a word in another file of the workspace.
pub(super) fn named_elsewhere(session: &Session<'_>, path: &str, names: &mut Vec<String>) {
    let Some(files) = session.all_files() else {
        names.clear();
        return;
    };
    for file in files.iter().filter(|file| file.as_str() != path && may_name(file)) {
        if names.is_empty() {
            return;
        }
        let is_model = MODELS.iter().any(|end| file.ends_with(end));
        if !is_model && !names.iter().any(|name| session.may_hold(file, name)) {
            continue;
        }
        let Some(bytes) = session.read(&Place::workspace(file.as_str())) else { continue };
        names.retain(|name| {
            // What stands for a part of a model is called `Model_Part`.
            let whole = name.split_once('_').map(|(whole, _)| whole).filter(|it| !it.is_empty());
            let mut made = MADE.iter().filter_map(|end| name.strip_suffix(end)).chain(whole);
            let is_made = is_model && made.any(|stem| words::contains(&bytes, stem));
            let is_lost = session.is_lost(name) && file.ends_with(".cs");
            is_lost || !is_made && !words::contains(&bytes, name)
        });
    }
}

fn may_name(path: &str) -> bool {
    const NOT: [&str; 12] = [
        ".png", ".jpg", ".gif", ".dll", ".exe", ".ico", ".zip", ".md", ".txt", ".snk", ".pdb",
        ".html",
    ];
    !NOT.iter().any(|end| path.ends_with(end))
}

/// Whether a namespace comes with .NET and all its types are known.
pub(super) fn is_closed_framework(namespace: &str) -> bool {
    let is_desktop =
        namespace.starts_with("System.Windows") && !namespace.starts_with("System.Windows.Forms");
    Framework::get().namespaces.contains(namespace) && !is_desktop
}
