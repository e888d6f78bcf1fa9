//! What `Cargo.toml` and `Cargo.lock` say: packages, targets and dependencies.
//!
//! Reads lines, not the whole of TOML: manifests are written by hand in few
//! shapes, and what is not understood makes a dependency declared, never missing.

use std::collections::HashMap;

/// One `Cargo.toml`.
#[derive(Debug, Default, Clone)]
pub(super) struct Manifest {
    pub(super) package: Option<String>,
    pub(super) lib_name: Option<String>,
    pub(super) lib_path: Option<String>,
    pub(super) has_edition: bool,
    /// The paths of targets that are written out.
    pub(super) targets: Vec<String>,
    /// By the name that code uses.
    pub(super) dependencies: HashMap<String, Dependency>,
    /// Those of `[workspace.dependencies]`.
    pub(super) shared: HashMap<String, Dependency>,
}

/// A declared dependency.
#[derive(Debug, Default, Clone)]
pub(super) struct Dependency {
    /// The name in the registry, where it is another.
    pub(super) package: Option<String>,
    pub(super) path: Option<String>,
    pub(super) version: Option<String>,
}

/// The name that code uses for a package.
pub(super) fn crate_name(package: &str) -> String {
    package.replace('-', "_")
}

impl Manifest {
    pub(super) fn read(text: &str) -> Self {
        let mut manifest = Self::default();
        let mut section = String::new();
        for line in text.lines() {
            let line = line.trim();
            if let Some(head) = line.strip_prefix('[') {
                let head = head.trim_start_matches('[').split(']').next().unwrap_or_default();
                section = head.trim().to_owned();
                if let Some((_, name)) = dependency_section(&section)
                    && let Some(name) = name
                {
                    manifest.dependency(&section, name);
                }
                continue;
            }
            let Some((key, value)) = line.split_once('=') else { continue };
            let (key, value) = (key.trim().trim_matches(['"', '\'']), value.trim());
            if !key.starts_with('#') {
                manifest.entry(&section, key, value);
            }
        }
        manifest
    }

    /// The name of its library, as code uses it.
    pub(super) fn library(&self) -> Option<String> {
        self.lib_name.clone().or_else(|| self.package.clone()).map(|name| crate_name(&name))
    }

    /// The same with the dependencies that only another one declares.
    pub(super) fn with_names_of(&self, other: &Self) -> Self {
        let mut whole = self.clone();
        for (name, dependency) in &other.dependencies {
            whole.dependencies.entry(name.clone()).or_insert_with(|| dependency.clone());
        }
        whole
    }

    fn entry(&mut self, section: &str, key: &str, value: &str) {
        let text = || unquoted(value).map(str::to_owned);
        match (section, key) {
            ("package" | "project", "name") => self.package = text(),
            ("package" | "project", "edition") => {
                self.has_edition = text().as_deref() != Some("2015")
            }
            ("package" | "project", "edition.workspace") => self.has_edition = true,
            ("lib", "name") => self.lib_name = text(),
            ("lib", "path") => self.lib_path = text(),
            ("bin" | "test" | "example" | "bench", "path") => self.targets.extend(text()),
            _ => self.dependency_entry(section, key, value),
        }
    }

    fn dependency_entry(&mut self, section: &str, key: &str, value: &str) {
        match dependency_section(section) {
            None => {}
            Some((_, Some(name))) => {
                let dependency = self.dependency(section, name);
                set(dependency, key, unquoted(value));
            }
            Some((_, None)) => {
                let (name, part) = key.split_once('.').unwrap_or((key, ""));
                let dependency = self.dependency(section, name);
                if !part.is_empty() {
                    set(dependency, part, unquoted(value));
                } else if let Some(version) = unquoted(value) {
                    set(dependency, "version", Some(version));
                } else {
                    for part in ["version", "path", "package"] {
                        set(dependency, part, inside(value, part));
                    }
                }
            }
        }
    }

    fn dependency(&mut self, section: &str, name: &str) -> &mut Dependency {
        let is_shared = section.starts_with("workspace.");
        let of = if is_shared { &mut self.shared } else { &mut self.dependencies };
        of.entry(crate_name(name)).or_insert_with(|| Dependency {
            package: Some(name.to_owned()),
            ..Dependency::default()
        })
    }
}

/// What comes before the dependencies in a section, and the one that it is about.
fn dependency_section(section: &str) -> Option<(&str, Option<&str>)> {
    let at = section.rfind("dependencies")?;
    let (before, after) = (&section[..at], &section[at + "dependencies".len()..]);
    if before.starts_with("patch") || before.contains("metadata") {
        return None;
    }
    match after {
        "" => Some((before, None)),
        _ => {
            let name = after.strip_prefix('.')?.trim_matches(['"', '\'']);
            Some((before, Some(name)))
        }
    }
}

fn set(dependency: &mut Dependency, key: &str, value: Option<&str>) {
    let Some(value) = value else { return };
    let place = match key {
        "version" => &mut dependency.version,
        "path" => &mut dependency.path,
        "package" => &mut dependency.package,
        _ => return,
    };
    *place = Some(value.to_owned());
}

fn unquoted(value: &str) -> Option<&str> {
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value[1..].split(quote).next()
}

/// The value of a key in an inline table.
fn inside<'a>(table: &'a str, key: &str) -> Option<&'a str> {
    table.match_indices(key).find_map(|(at, _)| {
        let before = table[..at].trim_end();
        let after = table[at + key.len()..].trim_start().strip_prefix('=')?;
        before.ends_with(['{', ',']).then(|| unquoted(after.trim_start()))?
    })
}

/// The versions of a package in `Cargo.lock`.
pub(super) fn locked<'a>(lock: &'a str, package: &str) -> Vec<&'a str> {
    let head = format!("name = \"{package}\"\nversion = \"");
    lock.match_indices(&head)
        .filter_map(|(at, _)| lock[at + head.len()..].split('"').next())
        .collect()
}

/// Whether an installed version can be what a requirement asks for.
pub(super) fn fits(requirement: &str, version: &str) -> bool {
    let wanted = requirement.trim_start_matches(['^', '~', '=', '>', ' ']);
    let mut wanted = wanted.split(['.', ',', ' ', '-', '+']);
    let mut have = version.split(['.', '-', '+']);
    loop {
        match (wanted.next(), have.next()) {
            (Some(a), Some(b)) if a == b && a == "0" => {}
            (Some(a), Some(b)) => return a == b || a == "*",
            (None, _) => return true,
            (Some(_), None) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_of_a_dependency_is_read() {
        let manifest = Manifest::read(
            "[package]\nname = \"my-tool\"\nedition = \"2021\"\n[lib]\npath = \"lib/a.rs\"\n\
             [dependencies]\na-b = \"1.2\"\nc = { path = \"../c\", version = \"2\" }\n\
             d.workspace = true\nold = { package = \"new-name\", version = \"3\" }\n\
             [target.'cfg(unix)'.dev-dependencies.e]\nversion = \"0.3\"\n\
             [workspace.dependencies]\nd = { path = \"crates/d\" }\n",
        );
        assert_eq!(manifest.library().as_deref(), Some("my_tool"));
        assert_eq!(manifest.lib_path.as_deref(), Some("lib/a.rs"));
        let mut names: Vec<&str> = manifest.dependencies.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["a_b", "c", "d", "e", "old"]);
        assert_eq!(manifest.dependencies["c"].path.as_deref(), Some("../c"));
        assert_eq!(manifest.dependencies["old"].package.as_deref(), Some("new-name"));
        assert_eq!(manifest.shared["d"].path.as_deref(), Some("crates/d"));
    }

    #[test]
    fn a_version_fits_by_its_first_number_that_counts() {
        assert!(fits("1.2", "1.9.0") && fits("0.4", "0.4.2") && fits("^0.4.1", "0.4.9"));
        assert!(!fits("1", "2.0.0") && !fits("0.4", "0.5.0"));
        assert_eq!(locked("[[package]]\nname = \"a\"\nversion = \"1.0\"\n", "a"), ["1.0"]);
    }
}
