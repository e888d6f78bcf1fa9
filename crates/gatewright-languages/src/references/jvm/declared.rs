//! Which file of the workspace declares a class, by the folders of its package.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::super::session::Place;
use super::super::words;
use super::project::{Source, hash, is_source};
use super::resolve::{Answer, ClassRef, Lookup, Resolver};

/// The folders of files by what they are called, and whether each is one of Java.
pub(super) type Homes = HashMap<Box<str>, Vec<(Box<str>, bool)>>;
/// The first and the last of some folders, and how many they are.
pub(super) type HomesKey = (Box<str>, Box<str>, usize);
/// Files with what they spell.
pub(super) type SpeltFiles = Rc<[(String, Arc<Spelt>)]>;

impl Resolver<'_> {
    /// A class in the file that has its name.
    pub(super) fn in_file(&self, folders: &[Box<str>], name: &str) -> Option<Lookup> {
        let files = self.files_in(folders);
        let homes = files.get(name)?;
        let path = |folder: &str| Place::workspace(folder).join(&format!("{name}.java")).path;
        for (folder, is_java) in homes {
            if !is_java {
                return Some(Lookup::Unknown("class of another language"));
            }
            if let Some(source) = self.project.source(&path(folder))
                && let Some(number) = source.file.class(None, name)
            {
                let others = homes.iter().filter(|(other, is_java)| *is_java && other != folder);
                source.twins.get_or_init(|| others.map(|(other, _)| path(other)).collect());
                return Some(Lookup::Found(ClassRef::Source(source, number)));
            }
        }
        None
    }

    /// The files of some folders by what they are called, gathered once: hundreds of folders
    /// may share one package, and every name is looked for in all of them.
    fn files_in(&self, folders: &[Box<str>]) -> Rc<Homes> {
        let (Some(first), Some(last)) = (folders.first(), folders.last()) else {
            return Rc::default();
        };
        let key = (first.clone(), last.clone(), folders.len());
        if let Some(known) = self.homes.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut homes = Homes::new();
        for folder in folders {
            for file in &self.session().list(&Place::workspace(&**folder)).files {
                let java = file.strip_suffix(".java");
                if let Some(name) = java.or_else(|| file.strip_suffix(".kt")) {
                    homes.entry(name.into()).or_default().push((folder.clone(), java.is_some()));
                }
            }
        }
        let homes = Rc::new(homes);
        self.homes.borrow_mut().insert(key, Rc::clone(&homes));
        homes
    }

    /// Whether a package has a file of Java.
    pub(crate) fn has_java(&self, package: &str) -> bool {
        let files = self.files_in(&self.project.package(package));
        files.values().flatten().any(|(_, is_java)| *is_java)
    }

    /// A class at the top of some file of these folders.
    pub(super) fn in_folders(&self, folders: &[Box<str>], name: &str) -> Lookup {
        if let Some(found) = self.in_file(folders, name) {
            return found;
        }
        let key = (folders.first().cloned().unwrap_or_default(), Box::from(name));
        if let Some(known) = self.scanned.borrow().get(&key) {
            return known.clone();
        }
        let found = self.scan(folders, name);
        self.scanned.borrow_mut().insert(key, found.clone());
        found
    }

    /// A class that some file of these folders declares beside the one it is named after.
    fn scan(&self, folders: &[Box<str>], name: &str) -> Lookup {
        let mut unknown = None;
        let files = self.spelt_in(folders);
        for (path, _) in files.iter().filter(|(_, spelt)| spelt.has(name)) {
            if !path.ends_with(".java") {
                unknown = Some("class of another language");
                continue;
            }
            let Some(source) = self.project.source(path) else { continue };
            match source.file.class(None, name) {
                Some(number) => return Lookup::Found(ClassRef::Source(source, number)),
                None if source.file.loose.contains(name) => unknown = Some("syntax error"),
                None => {}
            }
        }
        unknown.map_or(Lookup::Missing, Lookup::Unknown)
    }

    /// What the files of some folders declare, read once for all names.
    fn spelt_in(&self, folders: &[Box<str>]) -> SpeltFiles {
        let (Some(first), Some(last)) = (folders.first(), folders.last()) else {
            return Rc::from([]);
        };
        let key = (first.clone(), last.clone(), folders.len());
        if let Some(known) = self.spelt.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut spelt = Vec::new();
        for folder in folders {
            let folder = Place::workspace(&**folder);
            for file in self.session().list(&folder).files.iter().filter(|file| is_source(file)) {
                let place = folder.join(file);
                let bytes = self.session().read(&place).unwrap_or_default();
                let salt = if file.ends_with(".java") { "java spelt" } else { "other spelt" };
                let of = || Spelt::of(&bytes, file.ends_with(".java"));
                spelt.push((place.path, self.session().index.facts(salt, &bytes, of)));
            }
        }
        let spelt: SpeltFiles = spelt.into();
        self.spelt.borrow_mut().insert(key, Rc::clone(&spelt));
        spelt
    }

    /// Whether another declaration of a class may have a member, itself or through its bases.
    ///
    /// Of the copies of those only the words are asked, so that copies of copies end.
    pub(super) fn is_in_twin(
        &self,
        source: &Rc<Source>,
        number: usize,
        name: &str,
        depth: usize,
    ) -> bool {
        let class = &source.file.classes[number].name;
        let spells = |path: &String| {
            let text = self.session().read(&Place::workspace(path.as_str()));
            text.is_none_or(|text| words::contains(&text, name))
        };
        let has = |path: &String| {
            let Some(twin) = self.project.source(path) else { return true };
            let Some(number) = twin.file.classes.iter().position(|it| it.name == *class) else {
                return false;
            };
            let twin = ClassRef::Source(twin, number);
            !matches!(self.member_at(&twin, name, depth - 1), Answer::Missing)
        };
        let is_inner = self.in_twin.replace(true);
        let mut twins = source.twins.get().into_iter().flatten();
        let found = twins.any(|path| spells(path) || !is_inner && has(path));
        self.in_twin.set(is_inner);
        found
    }
}

/// The classes that a file of Java declares, as far as words tell, or all words of a file in
/// another language; their hashes, in order.
#[derive(Debug)]
pub(super) struct Spelt(Vec<u64>);

impl Spelt {
    fn of(bytes: &[u8], is_java: bool) -> Self {
        const HEADS: [&str; 4] = ["class", "interface", "enum", "record"];
        let text = String::from_utf8_lossy(bytes);
        let mut spelt = Vec::new();
        let mut is_head = false;
        for word in text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
            let name = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
            if (!is_java || is_head) && !name.is_empty() {
                spelt.push(hash(name));
            }
            // Only white space may stand between the two.
            is_head = word[name.len()..].chars().all(char::is_whitespace)
                && (HEADS.contains(&name) || name.is_empty() && is_head);
        }
        spelt.sort_unstable();
        spelt.dedup();
        spelt.shrink_to_fit();
        Self(spelt)
    }

    fn has(&self, name: &str) -> bool {
        self.0.binary_search(&hash(name)).is_ok()
    }
}
