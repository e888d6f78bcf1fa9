//! The public classes of the JDK, of Android, of test libraries and of some small ones, as tables.

use std::collections::HashMap;
use std::sync::OnceLock;

/// A class of the JDK or of Android: its package and its line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JdkClass {
    pub(crate) package: &'static str,
    line: &'static str,
}

/// The classes of the JDK and of Android, with their members.
pub(super) const TABLES: [&str; 6] = [
    include_str!("jdk_a.txt"),
    include_str!("jdk_b.txt"),
    include_str!("jdk_c.txt"),
    include_str!("android_a.txt"),
    include_str!("android_b.txt"),
    include_str!("android_c.txt"),
];

type Packages = HashMap<&'static str, HashMap<&'static str, &'static str>>;

fn packages() -> &'static Packages {
    static PACKAGES: OnceLock<Packages> = OnceLock::new();
    PACKAGES.get_or_init(|| read(&TABLES))
}

/// Test libraries that hardly any project is without, and small libraries that hardly change.
fn tests() -> &'static Packages {
    static PACKAGES: OnceLock<Packages> = OnceLock::new();
    PACKAGES.get_or_init(|| read(&[include_str!("tests.txt"), include_str!("libraries.txt")]))
}

fn read(texts: &[&'static str]) -> Packages {
    let mut packages = Packages::new();
    for part in texts.iter().flat_map(|text| text.split("\n== ").skip(1)) {
        let mut lines = part.lines();
        let Some(package) = lines.next() else { continue };
        let classes = packages.entry(package).or_default();
        classes.extend(lines.filter_map(|line| Some((line.split(' ').next()?, line))));
    }
    packages
}

/// Whether a test library has a package.
pub(crate) fn is_test_package(package: &str) -> bool {
    tests().contains_key(package)
}

/// A class of a test library by its package and its name there.
pub(crate) fn test_class(package: &str, name: &str) -> Option<JdkClass> {
    let (package, classes) = tests().get_key_value(package)?;
    classes.get(name).map(|line| JdkClass { package, line })
}

/// Whether the JDK has a package.
pub(crate) fn has_package(package: &str) -> bool {
    packages().contains_key(package)
}

/// Whether a package that is not there would have to be one of the JDK or of Android, of which
/// all others are known.
pub(crate) fn is_platform(package: &str) -> bool {
    /// What comes apart from the platform, was part of it once, or is not in the table.
    const APART: [&str; 22] = [
        "android.app.job",
        "android.arch",
        "android.car",
        "android.databinding",
        "android.debug",
        "android.ext",
        "android.hardware",
        "android.internal",
        "android.media.browse",
        "android.media.session",
        "android.metrics",
        "android.permission",
        "android.print",
        "android.service",
        "android.support",
        "android.system",
        "android.telephony",
        "android.test",
        "android.util.apk",
        "android.uwb",
        "android.view.textclassifier",
        "java.rmi.activation",
    ];
    let is_plain = package.split('.').all(|part| part.starts_with(char::is_lowercase));
    let is_below = |apart: &&str| {
        package.strip_prefix(*apart).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    is_plain
        && (package.starts_with("java.") || package.starts_with("android."))
        && !has_package(package)
        && !APART.iter().any(is_below)
}

/// A class by its package and its name there, `Outer.Inner` for one inside of another.
pub(crate) fn class(package: &str, name: &str) -> Option<JdkClass> {
    let (package, classes) = packages().get_key_value(package)?;
    classes.get(name).map(|line| JdkClass { package, line })
}

/// The names of a package's classes.
pub(crate) fn names(package: &str) -> impl Iterator<Item = &'static str> {
    packages().get(package).into_iter().flat_map(|classes| classes.keys().copied())
}

impl JdkClass {
    /// Its name in its package.
    pub(crate) fn name(self) -> &'static str {
        self.line.split(' ').next().unwrap_or_default()
    }

    /// Whether its members are in the table.
    pub(crate) fn is_closed(self) -> bool {
        self.line.contains(' ')
    }

    /// The classes that it extends.
    pub(crate) fn bases(self) -> impl Iterator<Item = Option<JdkClass>> {
        let bases = self.line.split(' ').nth(1).unwrap_or("-").split(',');
        bases.filter(|base| *base != "-").map(move |base| self.resolve(base))
    }

    /// Its own members.
    pub(crate) fn members(self) -> impl Iterator<Item = &'static str> {
        self.line.split(' ').skip(2).map(|member| member.split(':').next().unwrap_or_default())
    }

    /// What a member gives: the spelling of a type, empty when it is not plain.
    pub(crate) fn member(self, name: &str) -> Option<&'static str> {
        self.line.split(' ').skip(2).find_map(|member| {
            let (own, ty) = member.split_once(':').unwrap_or((member, ""));
            (own == name).then_some(ty)
        })
    }

    /// A class by the name that the table uses inside of this one's line.
    pub(crate) fn resolve(self, name: &str) -> Option<JdkClass> {
        let own = class(self.package, name).or_else(|| test_class(self.package, name));
        own.or_else(|| class("java.lang", name)).or_else(|| qualified(name))
    }
}

/// A class by its whole name.
pub(crate) fn qualified(name: &str) -> Option<JdkClass> {
    let mut end = name.len();
    while let Some(dot) = name[..end].rfind('.') {
        if let Some(found) = class(&name[..dot], &name[dot + 1..]) {
            return Some(found);
        }
        end = dot;
    }
    None
}
