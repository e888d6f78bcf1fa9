//! The Ruby files of a workspace, read once and remembered.
//!
//! What was read before is used as long as nothing is missing; before anything
//! is called missing, the workspace is read anew.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::facts::{Class, Defined, Name, ends};
use super::gems::Gems;
use super::scan::{self, plain};
use crate::references::session::{Place, Session};
use crate::references::words::{self, WordSet};

/// How the folders end in which Ruby looks for what is required.
const LOAD_PATHS: [&str; 3] = ["lib/", "vendor_ruby/", "site_ruby/"];

/// What the workspace holds on disk.
#[derive(Debug, Default)]
pub(super) struct Project {
    files: HashMap<String, Arc<Defined>>,
    methods: HashMap<Name, Vec<u32>>,
    constants: HashMap<Name, Vec<u32>>,
    classes: HashMap<Name, Vec<u32>>,
    paths: Vec<String>,
    /// The gems that the workspace names, in lower case without `-` and `_`.
    gems: HashSet<String>,
    /// The versions that are locked, by the same names.
    locked: HashMap<String, String>,
    /// What files require, spelt the same way.
    required: HashSet<Name>,
    /// In how many files each word stands, by its hash.
    words: HashMap<u32, u8>,
    /// Whether anything says which gems are needed.
    has_manifest: bool,
}

/// The gems that a workspace names.
struct OfProject {
    project: Arc<Project>,
    gems: Arc<Gems>,
}

/// The workspace as a change leaves it.
#[derive(Debug)]
pub(super) struct View {
    project: Arc<Project>,
    changed: HashMap<String, Arc<Defined>>,
    /// What installed gems bring; nothing before they are asked for.
    gems: Arc<Gems>,
}

impl View {
    /// The workspace with what is remembered of it; read anew when `is_fresh`.
    pub(super) fn new(
        session: &Session<'_>,
        path: &str,
        text: &[u8],
        is_fresh: bool,
    ) -> Option<Self> {
        let known = session.index.remembered::<Project>("ruby").filter(|_| !is_fresh);
        let project = match known {
            Some(project) => project,
            None => {
                let project = session.of_files("ruby of files", || Project::read(session))?;
                session.index.remember("ruby", Arc::clone(&project));
                project
            }
        };
        let mut changed = HashMap::new();
        for path in session.changed().filter(|path| is_ruby(path)) {
            let bytes = session.read(&Place::workspace(path)).unwrap_or_default();
            changed.insert(path.to_owned(), defined(session, &bytes));
        }
        changed.insert(path.to_owned(), defined(session, text));
        Some(Self { project, changed, gems: Arc::default() })
    }

    /// The same with the installed gems; `None` when the workspace names none of them.
    pub(super) fn with_gems(mut self, session: &Session<'_>) -> Option<Self> {
        let known = session.index.remembered::<OfProject>("ruby gems");
        let known = known.filter(|known| Arc::ptr_eq(&known.project, &self.project));
        let gems = known.map_or_else(
            || {
                let gems = Gems::read(session, &self.project.gems, &self.project.locked);
                let (project, gems) = (Arc::clone(&self.project), Arc::new(gems));
                session.index.remember(
                    "ruby gems",
                    Arc::new(OfProject { project, gems: Arc::clone(&gems) }),
                );
                gems
            },
            |known| Arc::clone(&known.gems),
        );
        self.gems = gems;
        (!self.gems.is_empty()).then_some(self)
    }

    /// Whether more files than this one have a word.
    pub(super) fn is_word_elsewhere(&self, word: &str, is_on_disk: bool) -> bool {
        let hash = words::hash(word.trim_end_matches(['?', '!']).as_bytes());
        let count = self.project.words.get(&hash).copied().unwrap_or(0);
        count > u8::from(is_on_disk)
    }

    fn is_known(&self, numbers: Option<&Vec<u32>>) -> bool {
        numbers
            .into_iter()
            .flatten()
            .any(|number| !self.changed.contains_key(&self.project.paths[*number as usize]))
    }

    /// Whether anything defines a method of that name.
    pub(super) fn has_method(&self, name: &str) -> bool {
        self.is_known(self.project.methods.get(name))
            || self.changed.values().any(|file| file.methods.contains(name))
            || self.gems.has_method(name)
    }

    /// Whether anything defines a constant of that name.
    pub(super) fn has_constant(&self, name: &str) -> bool {
        self.has_own_constant(name) || self.gems.has_constant(name)
    }

    /// Whether the workspace itself defines a constant of that name.
    pub(super) fn has_own_constant(&self, name: &str) -> bool {
        self.is_known(self.project.constants.get(name))
            || self.changed.values().any(|file| file.constants.contains(name))
    }

    /// All openings of classes and modules of that name.
    pub(super) fn classes(&self, name: &str) -> Vec<&Class> {
        let files = self.project.classes.get(name).into_iter().flatten();
        let paths = files.map(|number| &self.project.paths[*number as usize]);
        let base = paths
            .filter(|path| !self.changed.contains_key(*path))
            .filter_map(|path| self.project.files.get(path));
        let all = base.chain(self.changed.values()).flat_map(|file| &file.classes);
        all.filter(|class| &*class.name == name).collect()
    }

    /// The classes and modules that include a module of that name.
    pub(super) fn includers(&self, module: &str) -> BTreeSet<Name> {
        let on_disk = self.project.files.iter();
        let on_disk = on_disk.filter(|(path, _)| !self.changed.contains_key(*path));
        let files = on_disk.map(|(_, file)| file).chain(self.changed.values());
        let includes = |class: &&Class| {
            let mixed_in = class.ancestors.iter().skip(usize::from(class.has_base));
            mixed_in.map(|path| ends(path).1).any(|last| last == module)
        };
        let classes = files.flat_map(|file| &file.classes).filter(includes);
        classes.map(|class| class.name.clone()).collect()
    }

    /// Whether a changed file opens a class or module of that name.
    pub(super) fn opens(&self, path: &str, name: &str) -> bool {
        let file = self.changed.get(path);
        file.is_some_and(|file| file.classes.iter().any(|class| &*class.name == name))
    }

    /// Whether a gem that the workspace names is known whole.
    pub(super) fn is_whole_gem(&self, name: &str) -> bool {
        self.gems.is_whole(&plain(name))
    }

    /// All openings in installed gems; whether these gems are known whole.
    pub(super) fn of_gems(&self, name: &str) -> (Vec<&Class>, bool) {
        self.gems.classes(name)
    }

    /// Whether a constant at the top is one of a gem that is known whole, and of none that is not.
    pub(super) fn is_of_known_gem(&self, root: &str) -> bool {
        let (classes, is_whole) = self.gems.classes(root);
        !classes.is_empty() && is_whole && !self.is_gem(root)
    }

    /// Whether a file is on a load path of the workspace.
    pub(super) fn has_feature(&self, session: &Session<'_>, feature: &str) -> bool {
        let file = format!("{}.rb", feature.trim_end_matches(".rb"));
        let ends = |path: &str| {
            path.strip_suffix(&file).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        self.gems.has_feature(feature.trim_end_matches(".rb"))
            || self.project.paths.iter().any(|path| ends(path))
            || self
                .changed
                .keys()
                .any(|path| ends(path) && session.read(&Place::workspace(path.as_str())).is_some())
    }

    /// Whether a name may belong to a gem that the workspace names, and that is not known.
    pub(super) fn is_gem(&self, name: &str) -> bool {
        let first = name.split(['/', ':']).next().unwrap_or(name);
        let (first, whole) = (plain(first), plain(name));
        let is_rails = ["active", "action", "rails"].iter().any(|word| first.starts_with(word));
        let mut unknown = self.project.gems.iter().filter(|gem| !self.gems.is_whole(gem));
        unknown.any(|gem| {
            *gem == whole
                || gem.starts_with(&first) && first.len() > 2
                || first.starts_with(gem.as_str()) && gem.len() > 3
                || is_rails && (gem.starts_with("rail") || gem.starts_with("active"))
        })
    }

    /// Whether files of the workspace lie in the folder of a feature.
    pub(super) fn has_beside(&self, feature: &str) -> bool {
        let Some((folder, _)) = feature.rsplit_once('/') else { return false };
        let mut paths = self.project.paths.iter().chain(self.changed.keys());
        paths.any(|path| {
            let around = path.rsplit_once('/').map_or("", |(around, _)| around);
            let before = around.strip_suffix(folder);
            let is_root = |before: &str| LOAD_PATHS.iter().any(|end| before.ends_with(end));
            before.is_some_and(is_root)
        })
    }

    /// Whether a gem that is not known is called like a feature or a folder above it, beyond the
    /// first part, which the workspace shares with it.
    pub(super) fn is_part_of_gem(&self, feature: &str) -> bool {
        let shared = plain(feature.split('/').next().unwrap_or(feature)).len();
        let feature = plain(feature);
        let mut unknown = self.project.gems.iter().filter(|gem| !self.gems.is_whole(gem));
        unknown.any(|gem| gem.len() > shared && feature.starts_with(gem.as_str()))
    }

    /// Whether a build of the workspace names what it makes like the last part of a feature.
    pub(super) fn is_built(&self, session: &Session<'_>, feature: &str) -> bool {
        let last = feature.rsplit('/').next().unwrap_or(feature);
        let mut builds = self.project.paths.iter().filter(|path| path.ends_with("extconf.rb"));
        builds.any(|path| {
            let text = session.text(path).unwrap_or_default();
            path.contains(last) || words::contains(text.as_bytes(), last)
        })
    }

    /// Whether anything says which gems the workspace needs.
    pub(super) fn has_manifest(&self) -> bool {
        self.project.has_manifest
    }

    /// What a file mixes into every object.
    pub(super) fn included(&self, path: &str) -> &[Name] {
        self.changed.get(path).map_or(&[], |file| &file.included)
    }

    /// Whether a constant may come with something that the workspace requires.
    pub(super) fn is_required(&self, name: &str) -> bool {
        let name = plain(name);
        let files = self.changed.values().map(|file| &file.required);
        let mut all = files.flatten().map(|required| &**required);
        all.any(|required| required.starts_with(&name))
            || self.project.required.iter().any(|required| required.starts_with(&name))
    }

    /// Whether the workspace is where a constant at the top comes from.
    pub(super) fn is_own(&self, root: &str) -> bool {
        let file = format!("lib/{}.rb", snake(root));
        let flat = format!("lib/{}.rb", root.to_lowercase());
        let mut paths = self.project.paths.iter().chain(self.changed.keys());
        !self.classes(root).is_empty()
            && (paths.any(|path| path.ends_with(&file) || path.ends_with(&flat))
                || !self.is_gem(root) && !self.is_required(root)
                || self.is_beside_its_folder(&snake(root)))
    }

    /// Whether a file has its own folder beside it, as the entry of a library does.
    fn is_beside_its_folder(&self, name: &str) -> bool {
        let file = format!("{name}.rb");
        let paths = || self.project.paths.iter().chain(self.changed.keys());
        let before = |path: &'_ String| path.strip_suffix(&file).map(str::to_owned);
        let is_whole = |before: &String| before.is_empty() || before.ends_with('/');
        let mut roots = paths().filter_map(before).filter(is_whole);
        roots.any(|root| {
            let folder = format!("{root}{name}/");
            paths().any(|path| path.starts_with(&folder))
        })
    }

    pub(super) fn constants(&self) -> impl Iterator<Item = &str> {
        self.project.constants.keys().map(|name| &**name)
    }

    pub(super) fn methods(&self) -> impl Iterator<Item = &str> {
        self.project.methods.keys().map(|name| &**name)
    }
}

/// A constant's name as a file spells it.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for (index, c) in name.char_indices() {
        if c.is_uppercase() && index > 0 && !text.ends_with('_') {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    text
}

/// Whether a file is Ruby by its name.
fn is_ruby(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    [".rb", ".rake", ".ru", ".gemspec", ".rbi", ".erb", ".haml", ".slim", ".thor", ".jbuilder"]
        .iter()
        .any(|end| name.ends_with(end))
        || matches!(name, "Rakefile" | "Gemfile" | "Thorfile" | "Guardfile" | "Capfile")
}

fn defined(session: &Session<'_>, bytes: &[u8]) -> Arc<Defined> {
    session.index.facts("ruby defined", bytes, || scan::defined(bytes))
}

/// The gem that a description is of, whatever its file is called.
fn described(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let name = text.lines().find_map(|line| {
        let (field, value) = line.split_once('=')?;
        field.trim().ends_with(".name").then(|| value.split(['"', '\'']).nth(1).map(plain))
    });
    name.flatten()
}

impl Project {
    fn read(session: &Session<'_>) -> Option<Self> {
        let mut project = Self::default();
        let mut own: Vec<String> = Vec::new();
        for path in session.disk_files()?.iter() {
            let name = path.rsplit('/').next().unwrap_or(path);
            let is_manifest = name.starts_with("Gemfile")
                || name.ends_with(".gemspec")
                || name.ends_with(".gemfile")
                || name == "gems.rb";
            if !is_manifest && !is_ruby(path) {
                continue;
            }
            // What an installer wrote names what is needed to run, not what may be used.
            project.has_manifest |= is_manifest && !path.contains("specifications/");
            if is_manifest && let Some(bytes) = session.read_base(path) {
                if let Some(stem) = name.strip_suffix(".gemspec") {
                    own.push(plain(stem));
                    own.extend(described(&bytes));
                }
                project.manifest(&bytes, name.ends_with(".lock"));
            }
            let words = session.kept(path, WordSet::of);
            let Some((words, file)) = words.zip(session.kept(path, scan::defined)) else {
                continue;
            };
            project.count(&words);
            project.add(path, file);
        }
        project.gems.retain(|gem| !own.contains(gem));
        Some(project)
    }

    fn count(&mut self, words: &WordSet) {
        for word in words.hashes() {
            let count = self.words.entry(*word).or_default();
            *count = count.saturating_add(1);
        }
    }

    fn add(&mut self, path: &str, file: Arc<Defined>) {
        let number = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
        for name in &file.methods {
            self.methods.entry(name.clone()).or_default().push(number);
        }
        for name in &file.constants {
            self.constants.entry(name.clone()).or_default().push(number);
        }
        for class in &file.classes {
            let files = self.classes.entry(class.name.clone()).or_default();
            if files.last() != Some(&number) {
                files.push(number);
            }
        }
        self.required.extend(file.required.iter().cloned());
        self.paths.push(path.to_owned());
        self.files.insert(path.to_owned(), file);
    }

    /// Notes every quoted word and every first word of a line as a gem.
    fn manifest(&mut self, bytes: &[u8], is_lock: bool) {
        let text = String::from_utf8_lossy(bytes);
        for line in text.lines() {
            let exact = line.strip_prefix("    ").filter(|line| is_lock && !line.starts_with(' '));
            if let Some((name, rest)) = exact.and_then(|line| line.split_once(" (")) {
                self.locked.insert(plain(name), rest.trim_end_matches(')').to_owned());
            }
            let quoted = line.split(['"', '\'']).skip(1).step_by(2);
            let first = line.split_whitespace().next();
            // `%q<name>`, as gems write their own descriptions.
            let other = line.split("%q<").skip(1).filter_map(|rest| rest.split('>').next());
            for word in quoted.chain(first).chain(other) {
                if !word.is_empty() && word.len() < 60 {
                    self.gems.insert(plain(word));
                }
            }
        }
    }
}

/// Takes out of `names` what stands as a word in another file of the workspace.
pub(super) fn named_elsewhere(session: &Session<'_>, path: &str, names: &mut Vec<String>) {
    let Some(files) = session.all_files() else {
        names.clear();
        return;
    };
    const NOT: [&str; 8] = [".png", ".jpg", ".gif", ".ico", ".zip", ".svg", ".woff", ".gem"];
    let others = files.iter().filter(|file| file.as_str() != path);
    for file in others.filter(|file| !NOT.iter().any(|end| file.ends_with(end))) {
        if names.is_empty() {
            return;
        }
        let plain = |name: &String| name.trim_end_matches(['?', '!']).to_owned();
        if !names.iter().any(|name| session.may_hold(file, &plain(name))) {
            continue;
        }
        let Some(bytes) = session.read(&Place::workspace(file.as_str())) else { continue };
        names.retain(|name| {
            let is_lost = session.is_lost(name) && is_ruby(file);
            is_lost || !words::contains(&bytes, name.trim_end_matches(['?', '!']))
        });
    }
}
