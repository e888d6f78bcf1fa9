//! The packages of the workspace: folders whose ends spell a package.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::super::record::{Keep, Reader, Writer};
use super::super::session::{Place, Session};
use super::builds::is_build;
use super::facts::{JvmFile, Name};
use super::jars::Jars;
use super::read;

/// Files above this size are data.
const LARGEST: usize = 3 << 20;
/// How many words of files are counted.
const SEARCHED: usize = 1 << 26;
/// Under which name the folders are remembered.
const KEY: &str = "jvm folders";
/// Under which name the words are remembered.
const WORDS: &str = "jvm words";

/// Under which name the installed archives are remembered.
const JARS: &str = "jvm jars";
const OF_FILES: &str = "jvm jars of files";

/// How many files name a word, by its hash.
type Words = HashMap<u64, u8>;

/// Folders with sources, by their last part.
type Folders = HashMap<Box<str>, Vec<Box<str>>>;

/// The folders of one package.
type Places = Rc<[Box<str>]>;

/// A file with the folder in which it lies.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) file: Arc<JvmFile>,
    pub(crate) folder: Box<str>,
    /// The other files of the workspace that declare the same classes.
    pub(crate) twins: OnceCell<Vec<String>>,
}

impl Source {
    /// Whether other files of the workspace declare the same classes.
    pub(crate) fn has_twins(&self) -> bool {
        self.twins.get().is_some_and(|twins| !twins.is_empty())
    }
}

/// The workspace of one check.
pub(crate) struct Project<'a> {
    pub(crate) session: &'a Session<'a>,
    folders: RefCell<Option<Arc<Folders>>>,
    /// The folders of the packages that were asked for.
    packages: RefCell<HashMap<Box<str>, Places>>,
    /// Whether nothing of an earlier check is used.
    is_fresh: bool,
    /// Whether the folders are those of an earlier check.
    pub(crate) is_stale: Cell<bool>,
    sources: RefCell<HashMap<Box<str>, Option<Rc<Source>>>>,
    /// The installed archives, where they are asked at all.
    jars: OnceCell<Option<Arc<Jars>>>,
    /// What the classes of installed packages spell; `None` where that is too much.
    spelt: RefCell<HashMap<Box<str>, Option<HashSet<Name>>>>,
}

impl<'a> Project<'a> {
    pub(crate) fn new(session: &'a Session<'a>) -> Self {
        let (folders, packages, sources, spelt) = Default::default();
        let jars = OnceCell::from(None);
        let is_stale = Cell::new(false);
        Self { session, folders, packages, is_fresh: false, is_stale, sources, jars, spelt }
    }

    /// The same with the installed archives.
    pub(crate) fn with_jars(self) -> Self {
        Self { jars: OnceCell::new(), ..self }
    }

    fn jars(&self) -> Option<&Jars> {
        let find = || {
            let known = self.session.index.remembered::<Jars>(JARS).filter(|_| !self.is_fresh);
            self.is_stale.set(self.is_stale.get() || known.is_some());
            known.or_else(|| {
                let jars = self.session.of_files(OF_FILES, || self.find_jars())?;
                self.session.index.remember(JARS, Arc::clone(&jars));
                Some(jars)
            })
        };
        self.jars.get_or_init(find).as_deref()
    }

    fn find_jars(&self) -> Option<Jars> {
        let files = self.session.disk_files()?;
        let builds: Vec<String> = files.iter().filter(|path| is_build(path)).cloned().collect();
        Some(Jars::of(self.session, &builds))
    }

    /// Whether an installed archive has a package.
    pub(crate) fn is_packaged(&self, package: &str) -> bool {
        self.jars().is_some_and(|jars| jars.has_package(package))
    }

    /// Whether installed archives have all classes of a package.
    pub(crate) fn is_packaged_whole(&self, package: &str) -> bool {
        self.jars().is_some_and(|jars| jars.is_whole(package))
    }

    /// Whether a class of an installed package spells a name, as a function outside of classes
    /// or as an alias: neither can be told from the rest.
    pub(crate) fn is_packaged_word(&self, package: &str, name: &str) -> bool {
        let Some(jars) = self.jars().filter(|jars| jars.has_package(package)) else { return false };
        let mut spelt = self.spelt.borrow_mut();
        let names =
            spelt.entry(package.into()).or_insert_with(|| jars.spelt(self.session, package));
        names.as_ref().is_none_or(|names| names.contains(name))
    }

    /// A class of an installed archive, with its package.
    pub(crate) fn packaged(&self, package: &str, name: &str) -> Option<Rc<Source>> {
        let key = format!("{package}:{name}");
        if let Some(known) = self.sources.borrow().get(key.as_str()) {
            return known.clone();
        }
        let file = self.jars()?.class(self.session, package, name).map(Arc::new);
        let of = |file| Source { file, folder: Box::default(), twins: OnceCell::new() };
        let source = file.map(|file| Rc::new(of(file)));
        self.sources.borrow_mut().insert(key.into(), source.clone());
        source
    }

    /// A workspace whose folders are looked up anew.
    pub(crate) fn fresh(session: &'a Session<'a>) -> Self {
        let project = Self { is_fresh: true, ..Self::new(session) };
        project.gather();
        project
    }

    fn gather(&self) -> Arc<Folders> {
        let mut folders = Folders::new();
        for path in self.session.all_files().iter().flat_map(|files| files.iter()) {
            if is_source(path) {
                insert(&mut folders, path);
            }
        }
        let folders = Arc::new(folders);
        self.session.index.remember(KEY, Arc::clone(&folders));
        *self.folders.borrow_mut() = Some(Arc::clone(&folders));
        folders
    }

    fn folders(&self) -> Arc<Folders> {
        if let Some(known) = self.folders.borrow().as_ref() {
            return Arc::clone(known);
        }
        let Some(known) = self.session.index.remembered::<Folders>(KEY) else {
            return self.gather();
        };
        self.is_stale.set(true);
        let mut known = known;
        for path in self.session.changed().filter(|path| is_source(path)) {
            if !has(&known, path) {
                insert(Arc::make_mut(&mut known), path);
            }
        }
        *self.folders.borrow_mut() = Some(Arc::clone(&known));
        known
    }

    /// The folders of a package.
    pub(crate) fn package(&self, package: &str) -> Places {
        if let Some(known) = self.packages.borrow().get(package) {
            return Rc::clone(known);
        }
        let path = package.replace('.', "/");
        let last = path.rsplit('/').next().unwrap_or_default();
        let folders = self.folders();
        let of_last = folders.get(last).into_iter().flatten();
        let found: Places = of_last.filter(|folder| ends_with(folder, &path)).cloned().collect();
        self.packages.borrow_mut().insert(package.into(), Rc::clone(&found));
        found
    }

    /// The classes that the files of a package are called after.
    pub(crate) fn classes_of(&self, package: &str) -> Vec<String> {
        let folders = self.package(package);
        let lists = folders.iter().map(|folder| self.session.list(&Place::workspace(&**folder)));
        let stem = |file: &String| Some(file.strip_suffix(".java")?.to_owned());
        lists.flat_map(|list| list.files.iter().filter_map(stem).collect::<Vec<_>>()).collect()
    }

    /// Whether some package of the workspace lies below a prefix.
    pub(crate) fn owns(&self, prefix: &str) -> bool {
        let path = format!("{}/", prefix.replace('.', "/"));
        let inner = format!("/{path}");
        let folders = self.folders();
        let mut all = folders.values().flatten();
        all.any(|folder| folder.starts_with(&path) || folder.contains(&inner))
            || !self.package(prefix).is_empty()
    }

    /// The facts of a Java file.
    pub(crate) fn source(&self, path: &str) -> Option<Rc<Source>> {
        if let Some(known) = self.sources.borrow().get(path) {
            return known.clone();
        }
        let bytes = self.session.read(&Place::workspace(path));
        let bytes = bytes.filter(|bytes| bytes.len() <= LARGEST);
        let file = bytes.and_then(|bytes| self.facts(&bytes));
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).into();
        let source = file.map(|file| Rc::new(Source { file, folder, twins: OnceCell::new() }));
        self.sources.borrow_mut().insert(path.into(), source.clone());
        source
    }

    /// The facts of the file that is checked.
    pub(crate) fn facts_of_checked(&self, bytes: &[u8]) -> Option<Arc<JvmFile>> {
        let facts = self.session.checked_facts("java", bytes, || read::read(bytes).map(Arc::new));
        facts.as_ref().clone()
    }

    /// What other files ask of a file.
    fn facts(&self, bytes: &[u8]) -> Option<Arc<JvmFile>> {
        let read = || read::read(bytes).map(|file| Arc::new(file.for_others()));
        self.session.index.facts("java", bytes, read).as_ref().clone()
    }

    /// Whether a class or a package is named anywhere else than in the changed files.
    pub(crate) fn is_known_word(&self, word: &str) -> bool {
        let Some(words) = self.words() else { return true };
        if self.session.is_lost(word) {
            return false;
        }
        let count = words.get(&hash(word)).copied().unwrap_or(0);
        let spells = |path: &&str| {
            let bytes = self.session.read_base(path);
            bytes.is_some_and(|bytes| memchr::memmem::find(&bytes, word.as_bytes()).is_some())
        };
        let own = self.session.changed().filter(spells);
        let is_other = |path: &&str| !self.session.is_changed(path) && is_text(path);
        usize::from(count) > own.count()
            || self.session.touched().filter(is_other).any(|path| spells(&path))
    }

    /// In how many files each class and package was named at the last look, counted once.
    fn words(&self) -> Option<Arc<Words>> {
        self.session.of_look(WORDS, |files| self.count_words(files))
    }

    fn count_words(&self, files: &[String]) -> Option<Words> {
        let mut words = Words::new();
        let mut left = SEARCHED;
        for path in files.iter().filter(|path| is_text(path)) {
            let Some(named) = self.session.kept(path, Named::of) else { continue };
            left = left.checked_sub(named.0.len())?;
            for word in &named.0 {
                let count = words.entry(*word).or_insert(0u8);
                *count = count.saturating_add(1);
            }
        }
        Some(words)
    }
}

pub(super) fn hash(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The hashes of the classes and packages that a file names.
#[derive(Debug)]
pub(super) struct Named(Vec<u64>);

impl Named {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self(words_of(bytes).into_iter().collect())
    }
}

impl Keep for Named {
    const TAG: u8 = 5;

    fn write(&self, to: &mut Writer) {
        to.list(self.0.iter(), |to, hash| to.number(*hash));
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self(from.list(Reader::number)?))
    }
}

/// The hashes of the class names, and of the imports and their packages, of a text.
fn words_of(bytes: &[u8]) -> HashSet<u64> {
    let text = String::from_utf8_lossy(bytes);
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let classes = words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()));
    let mut found: HashSet<u64> = classes.map(hash).collect();
    for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("import ")) {
        let path = line.trim_start_matches("static ").split([';', ' ']).next().unwrap_or_default();
        found.insert(hash(path));
        let mut rest = path;
        for _ in 0..2 {
            rest = rest.rsplit_once('.').map_or("", |(package, _)| package);
            found.insert(hash(rest));
        }
    }
    found
}

fn insert(folders: &mut Folders, path: &str) {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let last = folder.rsplit('/').next().unwrap_or_default();
    let of_last = folders.entry(last.into()).or_default();
    if of_last.last().is_none_or(|it| &**it != folder) && !of_last.iter().any(|it| &**it == folder)
    {
        of_last.push(folder.into());
    }
}

fn has(folders: &Folders, path: &str) -> bool {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let last = folder.rsplit('/').next().unwrap_or_default();
    folders.get(last).is_some_and(|of_last| of_last.iter().any(|it| &**it == folder))
}

fn ends_with(folder: &str, path: &str) -> bool {
    folder.strip_suffix(path).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

pub(crate) fn is_source(path: &str) -> bool {
    [".java", ".kt", ".groovy", ".scala"].iter().any(|end| path.ends_with(end))
}

fn is_text(path: &str) -> bool {
    const ENDS: [&str; 19] = [
        ".java", ".kt", ".kts", ".groovy", ".gradle", ".scala", ".xml", ".proto", ".g4", ".g",
        ".jj", ".jjt", ".ftl", ".vm", ".avsc", ".avdl", ".fbs", ".thrift", ".toml",
    ];
    ENDS.iter().any(|end| path.ends_with(end))
}
