//! One side of a check: the workspace as it was, or as the change would leave it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use super::Ecosystem;
use super::base::Base;
use super::change::ChangedFile;
use super::files::{Files, Source};
use super::index::{Content, Index};
use super::record::Keep;
use super::words;

/// Where a path starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Area {
    /// At the root of the workspace.
    Workspace,
    /// At the root of the machine.
    Installed,
}

/// A file or folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub(crate) area: Area,
    pub(crate) path: String,
}

impl Place {
    pub(crate) fn workspace(path: impl Into<String>) -> Self {
        Self { area: Area::Workspace, path: path.into() }
    }

    pub(crate) fn installed(path: impl Into<String>) -> Self {
        Self { area: Area::Installed, path: path.into() }
    }

    /// What lies below this folder under `name`.
    pub(crate) fn join(&self, name: &str) -> Self {
        let path = match self.path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}/{name}"),
        };
        Self { area: self.area, path }
    }

    /// The folder around it; `None` for a root.
    pub(crate) fn parent(&self) -> Option<Self> {
        if self.path.is_empty() {
            return None;
        }
        let path = self.path.rsplit_once('/').map_or("", |(parent, _)| parent);
        Some(Self { area: self.area, path: path.to_owned() })
    }
}

/// The names in a folder.
#[derive(Debug, Default, Clone)]
pub(crate) struct Listing {
    pub(crate) files: BTreeSet<String>,
    pub(crate) folders: BTreeSet<String>,
}

/// What was made of the files of a workspace.
struct OfFiles<T> {
    files: Arc<Files>,
    touches: u64,
    value: Arc<T>,
}

/// The workspace as a change leaves it, and the packages around it.
pub(crate) struct Session<'a> {
    overlay: BTreeMap<&'a str, Option<Arc<[u8]>>>,
    changes: &'a [ChangedFile],
    base: &'a Base<'a>,
    pub(crate) index: &'a Index,
    listings: RefCell<HashMap<String, Rc<Listing>>>,
    files: RefCell<Option<Rc<Vec<String>>>>,
    lost: BTreeSet<String>,
    /// The names that alone are asked about; `None` for all.
    only: Option<BTreeSet<String>>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        changes: &'a [ChangedFile],
        side: impl Fn(&'a ChangedFile) -> Option<Arc<[u8]>>,
        base: &'a Base<'a>,
        index: &'a Index,
    ) -> Self {
        let overlay = changes.iter().map(|change| (change.path.as_str(), side(change))).collect();
        let (listings, files, lost, only) = Default::default();
        Self { overlay, changes, base, index, listings, files, lost, only }
    }

    /// The same side, to ask files that the change leaves alone about these names and no others.
    pub(crate) fn about(&self, names: &BTreeSet<String>) -> Self {
        let (listings, files, lost) = Default::default();
        Self {
            overlay: self.overlay.clone(),
            changes: self.changes,
            base: self.base,
            index: self.index,
            listings,
            files,
            lost,
            only: Some(names.clone()),
        }
    }

    /// The same, knowing that the change takes the definitions of these names away.
    pub(crate) fn losing(&self, names: &BTreeSet<String>) -> Self {
        Self { lost: names.clone(), ..self.about(names) }
    }

    /// Whether this is about files that the change leaves alone.
    pub(crate) fn is_about_others(&self) -> bool {
        self.only.is_some()
    }

    /// Whether a reference is asked about that spells these names.
    pub(crate) fn is_asked<'n>(&self, mut spelt: impl Iterator<Item = &'n str>) -> bool {
        let is_meant = |name: &str| {
            self.only.iter().flatten().any(|only| words::contains(name.as_bytes(), only))
        };
        self.only.is_none() || spelt.any(is_meant)
    }

    /// The facts of a file that is checked, with all of its references.
    pub(crate) fn checked_facts<T: Send + Sync + 'static>(
        &self,
        salt: &str,
        text: &[u8],
        build: impl FnOnce() -> T,
    ) -> Arc<T> {
        match self.only {
            None => self.index.recent(salt, text, build),
            Some(_) => self.index.beside(salt, text, build),
        }
    }

    /// Whether the change takes a definition of that name away: then a mere use proves nothing.
    pub(crate) fn is_lost(&self, name: &str) -> bool {
        self.lost.contains(name)
    }

    /// The folders in which packages lie.
    pub(crate) fn roots(&self, ecosystem: Ecosystem) -> Vec<Place> {
        self.base.dependencies.roots(ecosystem).into_iter().map(Place::installed).collect()
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, place: &Place) -> Option<Arc<[u8]>> {
        if place.area == Area::Workspace
            && let Some(changed) = self.overlay.get(place.path.as_str())
        {
            return changed.clone();
        }
        self.base.read(place)
    }

    /// A part of an installed file; `None` when it ends before.
    pub(crate) fn read_part(&self, place: &Place, from: u64, length: u64) -> Option<Vec<u8>> {
        self.base.dependencies.read_part(&place.path, from, length)
    }

    /// The length of an installed file, and a number that changes with it.
    pub(crate) fn measure(&self, place: &Place) -> Option<(u64, u128)> {
        self.base.dependencies.measure(&place.path)
    }

    /// The bytes of a file of the workspace as they are on disk, whatever the change.
    pub(crate) fn read_base(&self, path: &str) -> Option<Arc<[u8]>> {
        self.base.read(&Place::workspace(path))
    }

    /// The bytes that a changed file had before; `None` for a new one.
    pub(crate) fn before(&self, path: &str) -> Option<&'a Arc<[u8]>> {
        self.changes.iter().find(|change| change.path == path)?.before.as_ref()
    }

    /// The bytes that a file had before, where it is all that changes.
    pub(crate) fn alone_before(&self, path: &str) -> Option<&'a Arc<[u8]>> {
        match self.changes {
            [change] if change.path == path && self.only.is_none() => change.before.as_ref(),
            _ => None,
        }
    }

    /// The paths that the change set touches.
    pub(crate) fn changed(&self) -> impl Iterator<Item = &str> {
        self.overlay.keys().copied()
    }

    /// Whether a file is not as it was when all files were looked at.
    fn is_touched(&self, path: &str) -> bool {
        self.base.touched().binary_search_by(|touched| touched.as_str().cmp(path)).is_ok()
    }

    /// Whether the change set touches a file.
    pub(crate) fn is_changed(&self, path: &str) -> bool {
        self.overlay.contains_key(path)
    }

    /// The text of a file of the workspace, invalid bytes replaced.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let bytes = self.read(&Place::workspace(path))?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The names in a folder, read once.
    pub(crate) fn list(&self, folder: &Place) -> Rc<Listing> {
        if folder.area == Area::Installed || !self.touches(&folder.path) {
            return self.base.list(folder);
        }
        if let Some(known) = self.listings.borrow().get(&folder.path) {
            return Rc::clone(known);
        }
        let mut listing = self.base.list(folder).as_ref().clone();
        self.overlay_listing(&folder.path, &mut listing);
        let listing = Rc::new(listing);
        self.listings.borrow_mut().insert(folder.path.clone(), Rc::clone(&listing));
        listing
    }

    /// Whether the change set has a path below a folder.
    fn touches(&self, folder: &str) -> bool {
        self.overlay.keys().any(|path| is_below(path, folder))
    }

    fn overlay_listing(&self, folder: &str, listing: &mut Listing) {
        for (path, state) in &self.overlay {
            let below = match folder {
                "" => Some(*path),
                _ => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
            };
            let Some(below) = below else { continue };
            match (below.split_once('/'), state) {
                (Some((first, _)), Some(_)) => {
                    listing.folders.insert(first.to_owned());
                }
                (None, Some(_)) => {
                    listing.files.insert(below.to_owned());
                }
                (None, None) => {
                    listing.files.remove(below);
                }
                (Some(_), None) => {}
            }
        }
    }

    /// What is taken of a file of the workspace as it is on disk, whatever the change.
    ///
    /// A file whose stamp is known is not read for it. `take` must follow from the bytes alone.
    pub(crate) fn kept<T: Keep>(&self, path: &str, take: impl Fn(&[u8]) -> T) -> Option<Arc<T>> {
        let files = self.base.all_files().filter(|_| !self.is_touched(path));
        match files.and_then(|files| files.stamp(path)) {
            Some(stamp) => self.index.kept(path, stamp, || {
                let read = self.base.budget.spend().then(|| self.read_base(path));
                Some(take(&read.flatten()?))
            }),
            None => self.read_base(path).map(|bytes| Arc::new(take(&bytes))),
        }
    }

    /// The facts that follow from the bytes of a file, which a later process may have too.
    ///
    /// A file of the workspace whose stamp is known is neither read nor summed for them.
    pub(crate) fn lasting<T: Keep>(
        &self,
        place: &Place,
        salt: &str,
        build: impl Fn(&[u8]) -> T,
    ) -> Option<Arc<T>> {
        let mut read = None;
        if let Some(stamp) = self.stamp(place) {
            let content = self.index.content_of(&place.path, stamp, || {
                let bytes = read.insert(self.read(place)?);
                Some(Content::of(bytes))
            })?;
            if let Some(known) = self.index.known(salt, content) {
                return Some(known);
            }
        }
        let bytes = read.map_or_else(|| self.read(place), Some)?;
        Some(self.index.lasting(salt, &bytes, || build(&bytes)))
    }

    /// The stamp of a file of the workspace that is as it is on disk, once its folder was listed.
    fn stamp(&self, place: &Place) -> Option<u128> {
        let is_other = place.area != Area::Workspace
            || self.is_changed(&place.path)
            || self.is_touched(&place.path);
        if is_other { None } else { self.base.stamp(&place.path) }
    }

    /// What follows from the files of the workspace as they are on disk, made once for all
    /// checks while no file changes.
    pub(crate) fn of_files<T: Send + Sync + 'static>(
        &self,
        key: &'static str,
        build: impl FnOnce() -> Option<T>,
    ) -> Option<Arc<T>> {
        self.made_of((key, self.base.touches()), build)
    }

    /// What follows from the files as they were at the last look. It is not made again for every
    /// file that is written: whoever asks it asks those in [`Session::touched`] as well.
    pub(crate) fn of_look<T: Send + Sync + 'static>(
        &self,
        key: &'static str,
        build: impl FnOnce(&[String]) -> Option<T>,
    ) -> Option<Arc<T>> {
        let files = self.base.all_files()?;
        self.made_of((key, 0), || build(files.paths()))
    }

    fn made_of<T: Send + Sync + 'static>(
        &self,
        (key, touches): (&'static str, u64),
        build: impl FnOnce() -> Option<T>,
    ) -> Option<Arc<T>> {
        let files = self.base.all_files()?;
        let is_same =
            |known: &OfFiles<T>| known.touches == touches && Arc::ptr_eq(&known.files, &files);
        let known = self.index.remembered::<OfFiles<T>>(key);
        if let Some(known) = known.filter(|known| is_same(known)) {
            return Some(Arc::clone(&known.value));
        }
        let value = Arc::new(build().filter(|_| !self.base.budget.is_spent())?);
        let made = OfFiles { files, touches, value: Arc::clone(&value) };
        self.index.remember(key, Arc::new(made));
        Some(value)
    }

    /// The files that were written, made or removed since the last look at all of them.
    pub(crate) fn touched(&self) -> impl Iterator<Item = &str> {
        self.base.touched().iter().map(String::as_str)
    }

    /// Whether a file of the workspace may hold a name as a whole; asked of many files before
    /// any of them is read.
    pub(crate) fn may_hold(&self, path: &str, name: &str) -> bool {
        let is_other = self.is_changed(path) || self.is_touched(path);
        let Some(files) = self.base.all_files().filter(|_| !is_other) else { return true };
        let (read, is_asked) = (|path: &str| self.read_base(path), |_: &str| true);
        files.may_hold(path, name, &self.source(&read, &is_asked))
    }

    /// Visits the files that the change leaves alone, are asked, and may hold one of these names,
    /// until one breaks off; none when there are too many files.
    ///
    /// All files are passed by for it, so nothing is looked up by its path.
    pub(crate) fn each_unchanged_holding(
        &self,
        names: &BTreeSet<String>,
        is_asked: &dyn Fn(&str) -> bool,
        visit: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) {
        let Some(files) = self.base.all_files() else { return };
        let read = |path: &str| self.read_base(path);
        let source = self.source(&read, is_asked);
        let is_as_looked_at = |path: &str| !self.is_changed(path) && !self.is_touched(path);
        for (number, path) in files.paths().iter().enumerate() {
            let may_hold = || names.iter().any(|name| files.holds(number, name, &source));
            if is_asked(path) && is_as_looked_at(path) && may_hold() && visit(path).is_break() {
                return;
            }
        }
        let touched = self.base.touched().iter().filter(|path| !self.is_changed(path));
        let mut there = touched.filter(|path| is_asked(path) && read(path).is_some());
        let _ = there.try_for_each(|path| visit(path));
    }

    /// Whether a file of the workspace other than `path` answers a question about a name with
    /// yes; also when there are too many to ask.
    ///
    /// `is_asked` says which files are asked, `is_it` what one answers, told whether the change
    /// writes it. Both must follow from the question, the name and the file alone.
    pub(crate) fn any_other(
        &self,
        asked: (&'static str, &str),
        path: &str,
        is_asked: impl Fn(&str) -> bool,
        is_it: impl Fn(&str, &[u8], bool) -> bool,
    ) -> bool {
        let Some(files) = self.base.all_files() else { return true };
        let written = self.overlay.iter().filter(|(other, _)| **other != path && is_asked(other));
        let mut written = written.filter_map(|(other, state)| Some((*other, state.as_ref()?)));
        if written.any(|(other, text)| is_it(other, text, true)) {
            return true;
        }
        let read = |path: &str| self.read_base(path);
        let is_left = |other: &str| other != path && !self.is_changed(other);
        let mut touched = self.base.touched().iter().filter(|other| is_left(other));
        if touched.any(|other| {
            is_asked(other) && read(other).is_some_and(|text| is_it(other, &text, false))
        }) {
            return true;
        }
        let source = self.source(&read, &is_asked);
        let is_meant = |other: &str| is_left(other) && !self.is_touched(other);
        files.any(asked, &source, is_meant, |other, text| is_it(other, text, false))
    }

    /// Files of the workspace that answer a question about a name with yes, a few at most; `None`
    /// when not all could be asked.
    ///
    /// `is_it` must follow from the question, the name and the file alone.
    pub(crate) fn answering(
        &self,
        asked: (&'static str, &str),
        is_asked: impl Fn(&str) -> bool,
        is_it: impl Fn(&str, &[u8]) -> bool,
    ) -> Option<Vec<String>> {
        let files = self.base.all_files()?;
        let read = |path: &str| self.read_base(path);
        let known = files.answering(asked, &self.source(&read, &is_asked), &is_it);
        let is_as_looked_at = |path: &&String| !self.is_changed(path) && !self.is_touched(path);
        let on_disk = known.iter().filter_map(|number| files.paths().get(*number as usize));
        let mut found: Vec<String> = on_disk.filter(is_as_looked_at).cloned().collect();
        let newer = self.changed().chain(self.touched().filter(|path| !self.is_changed(path)));
        found.extend(newer.filter(|path| is_asked(path)).filter_map(|path| {
            let text = self.read(&Place::workspace(path))?;
            is_it(path, &text).then(|| path.to_owned())
        }));
        (!self.base.budget.is_spent()).then_some(found)
    }

    /// Whether a file that is too large to be parsed, and is asked, holds a name.
    pub(crate) fn is_in_large(&self, name: &str, is_asked: impl Fn(&str) -> bool) -> bool {
        let Some(files) = self.base.all_files() else { return true };
        let read = |path: &str| self.read_base(path);
        let is_asked = |path: &str| is_asked(path) && !self.is_changed(path);
        files.is_in_large(name, &self.source(&read, &is_asked))
    }

    /// Where the workspace's files come from as they are on disk.
    fn source<'s>(
        &'s self,
        read: &'s dyn Fn(&str) -> Option<Arc<[u8]>>,
        is_asked: &'s dyn Fn(&str) -> bool,
    ) -> Source<'s> {
        let (index, budget, tree) = (self.index, &self.base.budget, self.base.tree);
        Source { index, read, look_through: None, tree, is_asked, budget }
    }

    /// The paths of the workspace's files as they are on disk, whatever the change; `None` when
    /// there are too many.
    pub(crate) fn disk_files(&self) -> Option<Vec<String>> {
        let on_disk = self.base.all_files()?;
        let is_kept = |path: &&String| !self.is_touched(path);
        let mut files: Vec<String> = on_disk.paths().iter().filter(is_kept).cloned().collect();
        let touched = self.base.touched().iter();
        files.extend(touched.filter(|path| self.read_base(path).is_some()).cloned());
        Some(files)
    }

    /// The paths of the workspace's files, up to a bound; `None` past it.
    ///
    /// Only asked for before a warning, never on the way of a clean change.
    pub(crate) fn all_files(&self) -> Option<Rc<Vec<String>>> {
        if let Some(files) = self.files.borrow().as_ref() {
            return Some(Rc::clone(files));
        }
        let mut files = self.disk_files()?;
        files.retain(|path| !self.is_changed(path));
        let written = self.overlay.iter().filter(|(_, state)| state.is_some());
        files.extend(written.map(|(path, _)| (*path).to_owned()));
        let files = Rc::new(files);
        *self.files.borrow_mut() = Some(Rc::clone(&files));
        Some(files)
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}
