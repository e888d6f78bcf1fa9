//! What the project files of a workspace name: packages, assemblies, projects, usings.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::facts::Name;
use super::framework::Framework;

/// What stands before the name of a package in a project file, in lower case.
const PACKAGE_KEYS: [&str; 8] = [
    "<packagereference include=\"",
    "<packagereference update=\"",
    "<packageversion include=\"",
    "<globalpackagereference include=\"",
    "<reference include=\"",
    "<package id=\"",
    "<dependency id=\"",
    "nuget ",
];

/// What the project files of a workspace name.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// Packages and assemblies in lower case, with the versions that are written out.
    pub(super) packages: HashMap<String, HashSet<String>>,
    /// The projects and assemblies of the workspace, in lower case.
    pub(super) projects: HashSet<String>,
    pub(super) global_usings: Vec<Name>,
    /// Assemblies in the workspace, by their paths.
    pub(super) assemblies: Vec<String>,
    /// The folders of projects.
    pub(super) folders: HashSet<String>,
    /// Whether a project has windows.
    pub(super) is_desktop: bool,
}

impl Named {
    /// Reads one project file.
    pub(super) fn read(&mut self, path: &str, bytes: &[u8]) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.global_usings.extend(values(bytes, "<Using Include=\"", b'"').map(Into::into));
        let hints = values(bytes, "<HintPath>", b'<').filter_map(|hint| inside(folder, hint));
        self.assemblies.extend(hints);
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        self.projects.insert(stem.to_lowercase());
        self.projects.extend(values(text.as_bytes(), "<assemblyname>", b'<').map(str::to_owned));
        self.is_desktop |= text.contains("<usewpf>true") || text.contains("<usewindowsforms>true");
        if name.ends_with("proj") {
            self.folders.insert(folder.to_owned());
        }
        if name.ends_with(".sln") {
            return;
        }
        let is_json = name.ends_with(".json") || name.ends_with(".asmdef");
        let keys: &[&str] = if is_json { &["\""] } else { &PACKAGE_KEYS };
        for key in keys {
            self.packages_after(&text, key);
        }
    }

    fn packages_after(&mut self, text: &str, key: &str) {
        let end = if key == "nuget " { ' ' } else { '"' };
        for (start, _) in text.match_indices(key) {
            let rest = &text[start + key.len()..];
            let Some((id, rest)) = rest.split_once(end) else { continue };
            let id = id.split(',').next().unwrap_or(id).trim();
            if is_identity(id) && !is_framework(id) {
                let versions = self.packages.entry(id.to_owned()).or_default();
                versions.extend(version(rest));
            }
        }
    }
}

/// The version that the rest of an element names.
fn version(rest: &str) -> Option<String> {
    let until = rest.find(['\n', '<']).unwrap_or(rest.len());
    let (_, version) = rest[..until].split_once("version=\"")?;
    let version = version.split('"').next()?.trim_matches(['[', ']', ' ']);
    is_identity(version).then(|| version.to_owned())
}

/// A path that a project file in `folder` names; `None` when it leaves the workspace.
fn inside(folder: &str, hint: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in hint.trim().split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part if part.contains(['$', '%', ':']) => return None,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether a file names packages or projects.
pub(super) fn is_manifest(name: &str) -> bool {
    const ENDS: [&str; 6] = ["proj", ".props", ".targets", ".nuspec", ".asmdef", ".sln"];
    ENDS.iter().any(|end| name.ends_with(end))
        || name.starts_with("packages.")
        || name.starts_with("paket.")
        || matches!(name, "project.json" | "manifest.json" | "global.json")
}

/// What stands between a key and an end.
fn values<'a>(text: &'a [u8], key: &'a str, end: u8) -> impl Iterator<Item = &'a str> {
    memchr::memmem::find_iter(text, key.as_bytes()).filter_map(move |start| {
        let rest = &text[start + key.len()..];
        let rest = &rest[..rest.len().min(200)];
        let length = memchr::memchr(end, rest)?;
        std::str::from_utf8(&rest[..length]).ok()
    })
}

/// Whether an assembly comes with .NET.
pub(super) fn is_framework(id: &str) -> bool {
    static NAMES: OnceLock<HashSet<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        Framework::get().namespaces.iter().map(|name| name.to_lowercase()).collect()
    });
    matches!(id, "mscorlib" | "netstandard") || names.contains(id) && id.starts_with("system")
}

/// Whether a text can be the name or the version of a package: never a way out of a folder.
pub(super) fn is_identity(id: &str) -> bool {
    !id.is_empty()
        && !id.starts_with('.')
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_files_name_packages_with_their_versions() {
        let mut named = Named::default();
        let text = "<PackageReference Include=\"Shop.Core\" Version=\"[1.2.0]\" />\n\
            <PackageReference Include=\"Desk\">\n<Reference Include=\"Old, Version=1.0\">\
            <HintPath>..\\lib\\Old.dll</HintPath></Reference>\
            <Reference Include=\"..\\up\" /><HintPath>..\\..\\out.dll</HintPath>\
            <HintPath>$(Home)\\x.dll</HintPath>";
        named.read("src/App.csproj", text.as_bytes());
        let versions = |id: &str| named.packages.get(id).map(|it| it.iter().cloned().collect());
        assert_eq!(versions("shop.core"), Some(vec!["1.2.0".to_owned()]));
        assert_eq!(versions("desk"), Some(Vec::new()));
        assert_eq!(versions("old"), Some(Vec::new()));
        assert_eq!(named.packages.len(), 3);
        assert_eq!(named.assemblies, ["lib/Old.dll"]);
    }
}
