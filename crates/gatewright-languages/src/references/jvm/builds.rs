//! What the build files of a workspace say about packages.

use super::project::Project;
use crate::references::session::Place;

impl Project<'_> {
    /// Whether a build file names a part of what a package is called; `None` without build files.
    pub(crate) fn is_declared(&self, package: &str) -> Option<bool> {
        if is_brought_along(package) {
            return None;
        }
        let parts: Vec<&str> = package.split('.').collect();
        if parts.iter().any(|part| self.is_artifact(part)) {
            return Some(true);
        }
        let prefix = parts.iter().take(2).copied().collect::<Vec<_>>().join(".");
        let telling = parts.into_iter().filter(|part| is_telling(part));
        self.is_built_with(&std::iter::once(&*prefix).chain(telling).collect::<Vec<_>>())
    }

    /// Whether a build file asks for an artifact of a name that is too short to tell by itself.
    fn is_artifact(&self, part: &str) -> bool {
        const ROOTS: [&str; 8] = ["com", "org", "net", "io", "de", "me", "dev", "api"];
        if !(2..4).contains(&part.len()) || ROOTS.contains(&part) {
            return false;
        }
        let forms = [('>', '<'), (':', ':'), (':', '"'), (':', '\'')];
        let forms = forms.map(|(open, close)| format!("{open}{part}{close}"));
        let Some(files) = self.session.all_files() else { return false };
        files.iter().filter(|path| is_build(path)).any(|path| {
            let text = self.session.read(&Place::workspace(path.as_str())).unwrap_or_default();
            forms.iter().any(|form| memchr::memmem::find(&text, form.as_bytes()).is_some())
        })
    }

    /// Whether a build file names one of some words, in any case; `None` without build files.
    pub(crate) fn is_built_with(&self, words: &[&str]) -> Option<bool> {
        let files = self.session.all_files()?;
        let mut builds = files.iter().filter(|path| is_build(path)).peekable();
        builds.peek()?;
        let words: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
        Some(builds.any(|path| {
            let bytes = self.session.read(&Place::workspace(path.as_str())).unwrap_or_default();
            let bytes = bytes.to_ascii_lowercase();
            words.iter().any(|word| is_named_in(&bytes, word))
        }))
    }
}

/// Whether a build file has a word that is no part of one that such files are written in.
fn is_named_in(text: &[u8], word: &str) -> bool {
    const VOCABULARY: &str = "transitive transitivity implementation dependencies repositories \
configuration configurations extension extensions properties publishing publication publications \
artifact artifacts classpath allprojects subprojects buildscript namespace signing shadow variant \
variants packaging manifest toolchain languageversion compatibility application consumer";
    memchr::memmem::find_iter(text, word.as_bytes()).any(|at| {
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
        let start = text[..at].iter().rposition(|byte| !is_letter(byte)).map_or(0, |it| it + 1);
        let end =
            text[at..].iter().position(|byte| !is_letter(byte)).map_or(text.len(), |it| at + it);
        !VOCABULARY.split_whitespace().any(|known| known.as_bytes() == &text[start..end])
    })
}

/// Whether a part of a package says whose it is; others stand in every build file.
fn is_telling(part: &str) -> bool {
    const COMMON: &str = "java github apache google util utils core client server common commons \
api test tests testing http https json model models service services config data type types text \
main tools base internal impl support annotation annotations plugin plugins module modules build \
source sources project version name parent release compiler encoding license resource resources \
report site deploy repository repositories scope library libs event events format parser runtime \
generated android kotlin gradle maven spring";
    part.len() >= 4 && !COMMON.split_whitespace().any(|common| common == part)
}

/// Whether a package is one that build tools and other packages bring without being told.
fn is_brought_along(package: &str) -> bool {
    const KNOWN: [&str; 35] = [
        "android",
        "androidx",
        "dalvik",
        "javax",
        "jakarta",
        "kotlin",
        "kotlinx",
        "scala",
        "groovy",
        "javafx",
        "junit",
        "org.junit",
        "org.hamcrest",
        "org.slf4j",
        "org.gradle",
        "org.jetbrains",
        "org.intellij",
        "com.intellij",
        "com.android",
        "okhttp3",
        "okio",
        "reactor",
        "rx",
        "io.reactivex",
        "io.netty",
        "com.google.common",
        "com.google.gson",
        "com.google.protobuf",
        "com.fasterxml.jackson",
        "org.apache.commons",
        "org.json",
        "org.w3c",
        "org.xml",
        "org.xmlpull",
        "org.jspecify",
    ];
    KNOWN.iter().any(|known| {
        package.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// Whether a file says how the workspace is built.
pub(super) fn is_build(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    ["pom.xml", "libs.versions.toml", "ivy.xml", "build.xml", "BUILD", "MODULE.bazel"]
        .contains(&name)
        || [".gradle", ".gradle.kts", ".bazel", ".sbt", ".bnd", "versions.properties"]
            .iter()
            .any(|end| name.ends_with(end))
}
