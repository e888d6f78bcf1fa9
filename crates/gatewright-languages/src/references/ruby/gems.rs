//! What installed gems bring: the names that their files define.
//!
//! The gems that the workspace names, and those that they need, are read once
//! for each version. One is known whole when its sources lie there, it has no
//! part in C and all that it needs is known whole too; of any other gem nobody
//! can tell what it has.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::facts::{Class, Defined, Name};
use super::scan::{self, plain};
use crate::references::Ecosystem;
use crate::references::record::{Keep, Reader, Writer};
use crate::references::session::{Place, Session};
use crate::references::words;

/// How many gems are read.
const MOST_GEMS: usize = 400;
/// How many files of one gem are read, and how deep folders are looked into.
const MOST_FILES: usize = 2_000;
const DEEPEST: usize = 24;

/// One version of a gem.
#[derive(Debug, Default)]
pub(super) struct Gem {
    defined: Defined,
    /// What can be required of it, without `.rb`.
    features: HashSet<Name>,
    /// The gems that it needs, by their plain names.
    needs: Vec<Name>,
    /// Whether nothing of it is left unread.
    is_whole: bool,
}

impl Keep for Gem {
    const TAG: u8 = 24;

    fn write(&self, to: &mut Writer) {
        self.defined.write(to);
        to.texts(self.features.iter());
        to.texts(self.needs.iter());
        to.number(u64::from(self.is_whole));
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (defined, features) = (Defined::read(from)?, from.set()?);
        Some(Self { defined, features, needs: from.names()?, is_whole: from.flag()? })
    }
}

/// The gems of a workspace.
#[derive(Debug, Default)]
pub(super) struct Gems {
    read: HashMap<String, Vec<Arc<Gem>>>,
    /// The plain names of those that are known whole.
    whole: HashSet<String>,
}

/// Where each gem lies, by its plain name: the folder with its version.
type Installed = HashMap<String, Vec<(String, Place)>>;

impl Gems {
    /// The gems of these plain names; a version that is wanted is the only one that counts.
    pub(super) fn read(
        session: &Session<'_>,
        names: &HashSet<String>,
        wanted: &HashMap<String, String>,
    ) -> Self {
        let installed = installed(session);
        let mut gems = Self::default();
        let mut waiting: Vec<String> = names.iter().cloned().collect();
        while let Some(name) = waiting.pop() {
            if gems.read.contains_key(&name) || gems.read.len() >= MOST_GEMS {
                continue;
            }
            let Some(versions) = installed.get(&name) else { continue };
            let is_wanted = |version: &str| wanted.get(&name).is_none_or(|it| it == version);
            let folders = versions.iter().filter(|(version, _)| is_wanted(version));
            let read: Vec<Arc<Gem>> =
                folders.filter_map(|(_, at)| of_folder(session, at)).collect();
            waiting.extend(read.iter().flat_map(|gem| &gem.needs).map(|need| need.to_string()));
            if !read.is_empty() {
                gems.read.insert(name, read);
            }
        }
        gems.whole = gems.known_whole();
        gems
    }

    /// Those that have everything they need, found by taking away those that have not.
    fn known_whole(&self) -> HashSet<String> {
        let is_whole = |gems: &Vec<Arc<Gem>>| gems.iter().all(|gem| gem.is_whole);
        let all = self.read.iter().filter(|(_, gems)| is_whole(gems));
        let mut whole: HashSet<String> = all.map(|(name, _)| name.clone()).collect();
        loop {
            let lacks = |name: &&String| {
                let needs = self.read[*name].iter().flat_map(|gem| &gem.needs);
                needs.into_iter().any(|need| !whole.contains(&**need))
            };
            let lacking: Vec<String> = whole.iter().filter(lacks).cloned().collect();
            if lacking.is_empty() {
                return whole;
            }
            lacking.iter().for_each(|name| {
                whole.remove(name);
            });
        }
    }

    fn all(&self) -> impl Iterator<Item = &Gem> {
        self.read.values().flatten().map(Arc::as_ref)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.read.is_empty()
    }

    /// Whether a gem is known whole.
    pub(super) fn is_whole(&self, name: &str) -> bool {
        self.whole.contains(name)
    }

    pub(super) fn has_method(&self, name: &str) -> bool {
        self.all().any(|gem| gem.defined.methods.contains(name))
    }

    pub(super) fn has_constant(&self, name: &str) -> bool {
        self.all().any(|gem| gem.defined.constants.contains(name))
    }

    pub(super) fn has_feature(&self, feature: &str) -> bool {
        self.all().any(|gem| gem.features.contains(feature))
    }

    /// The openings of a class in gems; whether all of these gems are known whole.
    pub(super) fn classes(&self, name: &str) -> (Vec<&Class>, bool) {
        let mut found = Vec::new();
        let mut is_whole = true;
        for (gem, versions) in &self.read {
            let count = found.len();
            let classes = versions.iter().flat_map(|gem| &gem.defined.classes);
            found.extend(classes.filter(|class| &*class.name == name));
            is_whole &= found.len() == count || self.whole.contains(gem);
        }
        (found, is_whole)
    }
}

/// Whether a gem lies there, named by the workspace or not.
pub(super) fn is_installed(session: &Session<'_>, name: &str) -> bool {
    installed(session).contains_key(&plain(name))
}

fn installed(session: &Session<'_>) -> Installed {
    let mut found = Installed::new();
    let roots = session.roots(Ecosystem::Ruby).into_iter();
    let gems = |root: Place| if root.path.ends_with("/gems") { root } else { root.join("gems") };
    for root in roots.map(gems) {
        for folder in &session.list(&root).folders {
            if let Some((name, version)) = named(folder) {
                let place = root.join(folder);
                found.entry(plain(name)).or_default().push((version.to_owned(), place));
            }
        }
    }
    found
}

/// The name and the version that a folder is called by.
fn named(folder: &str) -> Option<(&str, &str)> {
    let is_start = |at: &usize| folder.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit);
    let at = folder.match_indices('-').map(|(at, _)| at).find(is_start)?;
    Some((&folder[..at], &folder[at + 1..]))
}

/// The gem in a folder, read once while the same names lie on top of it.
fn of_folder(session: &Session<'_>, folder: &Place) -> Option<Arc<Gem>> {
    let library = folder.join("lib");
    let top = session.list(&library);
    let is_there = !top.files.is_empty() || !top.folders.is_empty();
    let names = top.files.iter().chain(&top.folders);
    let stamp = names.fold(u128::from(1u8), |sum, name| {
        sum.wrapping_mul(0x0100_0193).wrapping_add(u128::from(words::hash(name.as_bytes())))
    });
    let take = || Some(read(session, folder, &library));
    is_there.then(|| session.index.kept(&folder.path, stamp, take)).flatten()
}

fn read(session: &Session<'_>, folder: &Place, library: &Place) -> Gem {
    let mut gem = Gem { is_whole: true, ..Gem::default() };
    let mut folders = vec![(library.clone(), 0)];
    let mut count = 0;
    while let Some((current, depth)) = folders.pop() {
        let listing = session.list(&current);
        for file in &listing.files {
            let place = current.join(file);
            count += 1;
            gem.is_whole &= count < MOST_FILES && !is_compiled(file);
            if count >= MOST_FILES || !file.ends_with(".rb") {
                continue;
            }
            let feature = place.path[library.path.len()..].trim_start_matches('/');
            gem.features.insert(feature.trim_end_matches(".rb").into());
            match session.read(&place) {
                Some(bytes) => gem.defined.extend(scan::defined(&bytes)),
                None => gem.is_whole = false,
            }
        }
        gem.is_whole &= depth < DEEPEST;
        if depth < DEEPEST {
            let below = listing.folders.iter().map(|name| (current.join(name), depth + 1));
            folders.extend(below);
        }
    }
    let has_more = session.list(folder).folders.contains("ext");
    let needs = needs_of(session, folder);
    gem.is_whole &= !has_more && needs.is_some();
    gem.needs = needs.unwrap_or_default();
    gem
}

fn is_compiled(file: &str) -> bool {
    [".so", ".bundle", ".dll", ".jar"].iter().any(|end| file.ends_with(end))
}

/// The gems that a gem's description asks for; `None` where there is no description.
fn needs_of(session: &Session<'_>, folder: &Place) -> Option<Vec<Name>> {
    let gems = folder.parent()?;
    let name = folder.path.rsplit('/').next()?;
    let file = gems.parent()?.join("specifications").join(&format!("{name}.gemspec"));
    let bytes = session.read(&file)?;
    let text = String::from_utf8_lossy(&bytes);
    let needs = text.lines().filter_map(|line| {
        let asks = ["add_runtime_dependency(", "add_dependency("];
        let rest = asks.iter().find_map(|ask| line.split_once(ask))?.1;
        let rest = rest.trim_start_matches("%q<").trim_start_matches(['"', '\'']);
        let name = rest.split(['>', '"', '\'']).next()?;
        Some(plain(name).into())
    });
    Some(needs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_says_the_name_and_the_version_of_its_gem() {
        assert_eq!(named("net-http-0.2.0"), Some(("net-http", "0.2.0")));
        assert_eq!(named("aws-sdk-s3-1.2.3"), Some(("aws-sdk-s3", "1.2.3")));
        assert_eq!(
            named("nokogiri-1.15.0-x86_64-linux"),
            Some(("nokogiri", "1.15.0-x86_64-linux"))
        );
        assert_eq!(named("plain"), None);
    }
}
