//! Packages that are installed as archives of compiled classes.
//!
//! Those that a build file names by group and artifact are looked for in the
//! caches of Maven and of Gradle. Their directories are read once for each
//! version, a class when it is asked for.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::class_file;
use super::facts::{Class, JvmFile, Name};
use crate::references::Ecosystem;
use crate::references::archive::{self, Entry};
use crate::references::record::{Keep, Reader, Writer};
use crate::references::session::{Place, Session};

/// How many archives are opened.
const MOST_JARS: usize = 400;
/// How many classes inside of one class are read.
const MOST_INNER: usize = 300;

/// The classes of one archive, by their paths without `.class`.
#[derive(Debug, Default)]
pub(super) struct Jar {
    classes: HashMap<Name, Entry>,
    packages: HashSet<Name>,
}

impl Keep for Jar {
    const TAG: u8 = 22;

    fn write(&self, to: &mut Writer) {
        to.list(self.classes.iter(), |to, (name, entry)| {
            to.text(name);
            entry.write(to);
        });
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let classes = from.map(|from| Some((from.name()?, Entry::read(from)?)))?;
        Some(Self::new(classes))
    }
}

impl Jar {
    fn new(classes: HashMap<Name, Entry>) -> Self {
        let of = |name: &Name| name.rsplit_once('/').map(|(package, _)| package.replace('/', "."));
        let packages = classes.keys().filter_map(of).map(Name::from).collect();
        Self { classes, packages }
    }

    fn open(session: &Session<'_>, place: &Place) -> Option<Self> {
        let entries = archive::entries(session, place, |name| {
            name.ends_with(".class") && !name.starts_with("META-INF/") && name.contains('/')
        })?;
        let name = |name: String| name.trim_end_matches(".class").into();
        Some(Self::new(entries.into_iter().map(|(path, entry)| (name(path), entry)).collect()))
    }
}

/// The archives that a workspace names and that are installed.
#[derive(Debug, Default)]
pub(super) struct Jars {
    found: Vec<(Place, Arc<Jar>)>,
    /// The groups of those that are named and not installed.
    lacking: BTreeSet<String>,
}

impl Jars {
    /// Those that these build files name.
    pub(super) fn of(session: &Session<'_>, builds: &[String]) -> Self {
        let mut declared = BTreeSet::new();
        for path in builds {
            let bytes = session.read_base(path).unwrap_or_default();
            declared.extend(coordinates(&String::from_utf8_lossy(&bytes)));
        }
        let (mut found, mut lacking) = (Vec::new(), BTreeSet::new());
        for wanted in &declared {
            let installed = wanted.installed(session);
            if installed.is_empty() {
                lacking.insert(wanted.group.clone());
            }
            for (place, stamp) in installed {
                if found.len() < MOST_JARS
                    && let Some(jar) =
                        session.index.kept(&place.path, stamp, || Jar::open(session, &place))
                {
                    found.push((place, jar));
                }
            }
        }
        Self { found, lacking }
    }

    /// Whether archives have all classes of a package: none that is named like it is lacking.
    pub(super) fn is_whole(&self, package: &str) -> bool {
        let root = |name: &str| name.split('.').take(2).map(str::to_owned).collect::<Vec<_>>();
        let own = root(package);
        self.has_package(package) && !self.lacking.iter().any(|group| root(group) == own)
    }

    /// All names that the classes of a package spell; `None` when they are too many to read.
    pub(super) fn spelt(&self, session: &Session<'_>, package: &str) -> Option<HashSet<Name>> {
        let folder = format!("{}/", package.replace('.', "/"));
        let mut names = HashSet::new();
        let mut left = MOST_INNER;
        for (place, jar) in self.found.iter().filter(|(_, jar)| jar.packages.contains(package)) {
            let own = |path: &str| {
                path.strip_prefix(&folder).is_some_and(|rest| !rest.contains(['/', '$']))
            };
            for (_, entry) in jar.classes.iter().filter(|(path, _)| own(path)) {
                left = left.checked_sub(1)?;
                names.extend(class_file::words(&entry.bytes(session, place)?)?);
            }
        }
        Some(names)
    }

    /// Whether an archive has classes of a package.
    pub(super) fn has_package(&self, package: &str) -> bool {
        self.found.iter().any(|(_, jar)| jar.packages.contains(package))
    }

    /// A class at the top of a package with all that stand inside of it, as a file of them.
    pub(super) fn class(
        &self,
        session: &Session<'_>,
        package: &str,
        name: &str,
    ) -> Option<JvmFile> {
        let path = format!("{}/{name}", package.replace('.', "/"));
        let (place, jar) = self.found.iter().find(|(_, jar)| jar.classes.contains_key(&*path))?;
        let inner = format!("{path}$");
        let mut all: Vec<&Name> = jar.classes.keys().filter(|it| it.starts_with(&inner)).collect();
        // The classes around come before those inside of them.
        all.sort_unstable_by_key(|path| (path.len(), *path));
        let read = |path: &str, name: &str| {
            let bytes = jar.classes.get(path)?.bytes(session, place)?;
            class_file::read(&bytes, name)
        };
        let mut file = JvmFile { package: package.into(), ..JvmFile::default() };
        let is_whole = all.len() <= MOST_INNER;
        let top = read(&path, name);
        file.classes.push(top.unwrap_or_else(|| unreadable(name)));
        if !is_whole {
            file.classes[0].open = Some(UNREADABLE);
        }
        let mut numbers: HashMap<&str, usize> = HashMap::from([(path.as_str(), 0)]);
        for path in all.into_iter().take(MOST_INNER) {
            let Some((around, name)) = path.rsplit_once('$') else { continue };
            let is_named = name.starts_with(|c: char| !c.is_ascii_digit());
            let Some(outer) = numbers.get(around).copied().filter(|_| is_named) else { continue };
            let class = read(path, name).unwrap_or_else(|| unreadable(name));
            numbers.insert(path, file.classes.len());
            // Kotlin calls what a companion has through the class around it.
            let lent: Vec<Name> = class.members.keys().cloned().collect();
            if file.classes[outer].members.contains_key("Companion") {
                let members = &mut file.classes[outer].members;
                lent.into_iter().for_each(|name| {
                    members.entry(name).or_default();
                });
            }
            file.classes.push(Class { outer: Some(outer), ..class });
        }
        Some(file)
    }
}

const UNREADABLE: &str = "class that cannot be read";

fn unreadable(name: &str) -> Class {
    Class { name: name.into(), open: Some(UNREADABLE), ..Class::default() }
}

/// What a build file names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Coordinate {
    group: String,
    artifact: String,
    /// The version where it is written out.
    version: Option<String>,
}

impl Coordinate {
    fn new(group: &str, artifact: &str, version: &str) -> Option<Self> {
        let is_plain = |text: &str| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
            !text.is_empty()
                && text.len() < 200
                && text.chars().all(is_part)
                && !text.contains("..")
        };
        let version = Some(version).filter(|version| is_plain(version)).map(str::to_owned);
        let (group, artifact) = (group.trim(), artifact.trim());
        (is_plain(group) && is_plain(artifact)).then(|| Self {
            group: group.to_owned(),
            artifact: artifact.to_owned(),
            version,
        })
    }

    /// Its archives: of the version that is written out, else of every version that is there.
    fn installed(&self, session: &Session<'_>) -> Vec<(Place, u128)> {
        let mut found = Vec::new();
        for root in session.roots(Ecosystem::Jvm) {
            let (maven, gradle) = (self.group.replace('.', "/"), self.group.clone());
            for group in BTreeSet::from([maven, gradle]) {
                let artifact = root.join(&group).join(&self.artifact);
                for version in &session.list(&artifact).folders {
                    if self.version.as_ref().is_none_or(|wanted| wanted == version) {
                        let name = format!("{}-{version}.jar", self.artifact);
                        found.extend(archives(session, &artifact.join(version), &name));
                    }
                }
            }
        }
        found
    }
}

/// The archive of a name in a folder, or one folder below it.
fn archives(session: &Session<'_>, folder: &Place, name: &str) -> Vec<(Place, u128)> {
    let below = session.list(folder).folders.iter().map(|it| folder.join(it)).collect::<Vec<_>>();
    let folders = std::iter::once(folder.clone()).chain(below);
    let archives = folders.filter(|folder| session.list(folder).files.contains(name));
    let archives = archives.map(|folder| folder.join(name));
    archives.filter_map(|place| Some((place.clone(), session.measure(&place)?.1))).collect()
}

/// The archives that a build file names: of Maven, or in strings `group:artifact:version`.
fn coordinates(text: &str) -> Vec<Coordinate> {
    let mut found = Vec::new();
    for part in text.split("<dependency>").skip(1) {
        let part = part.split("</dependency>").next().unwrap_or(part);
        let of = |tag: &str| {
            let (_, rest) = part.split_once(&format!("<{tag}>"))?;
            rest.split('<').next()
        };
        if let (Some(group), Some(artifact)) = (of("groupId"), of("artifactId")) {
            found.extend(Coordinate::new(group, artifact, of("version").unwrap_or_default()));
        }
    }
    for quoted in text.split(['"', '\'']).filter(|quoted| quoted.contains(':')) {
        let mut parts = quoted.split(':');
        if let (Some(group), Some(artifact)) = (parts.next(), parts.next()) {
            found.extend(Coordinate::new(group, artifact, parts.next().unwrap_or_default()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_files_name_archives_in_their_own_ways() {
        let of = |text: &str| {
            let found = coordinates(text).into_iter();
            let told = |it: Coordinate| {
                format!("{}:{}:{}", it.group, it.artifact, it.version.unwrap_or_default())
            };
            found.map(told).collect::<Vec<_>>()
        };
        let pom = "<dependency>\n<groupId>org.shop</groupId><artifactId>desk</artifactId>\n\
            <version>1.0</version></dependency><dependency><groupId>${own}</groupId>\
            <artifactId>x</artifactId></dependency><dependency><groupId>a</groupId>\
            <artifactId>b</artifactId><version>${b.version}</version></dependency>";
        assert_eq!(of(pom), ["org.shop:desk:1.0", "a:b:"]);
        let gradle = "implementation(\"org.shop:desk:1.0\")\napi 'a.b:c'\nurl 'https://x.y'\n";
        assert_eq!(of(gradle), ["org.shop:desk:1.0", "a.b:c:"]);
        assert_eq!(
            of("desk = { module = \"org.shop:desk\", version.ref = \"d\" }"),
            ["org.shop:desk:"]
        );
    }
}
