//! The workspace as a command sees it: where its paths land, and what it finds there.

use gatewright_model::{RequestedPath, Resolution, TargetKind};

use super::notebook;
use super::shell::Tree;
use super::verdict::Door;

/// The files around the command of a hook call.
pub struct ShellFiles<'a, 'b> {
    /// The call.
    pub door: &'a Door<'b>,
}

impl Tree for ShellFiles<'_, '_> {
    fn home(&self) -> Option<String> {
        self.door.place.home().map(str::to_owned)
    }

    fn root(&self) -> String {
        self.door.engine.workspace().root().to_string_lossy().into_owned()
    }

    fn names(&self, directory: &str) -> Vec<String> {
        let entries = self.door.engine.workspace().read_dir(&self.landing(directory));
        entries.unwrap_or_default().into_iter().map(|entry| entry.name).collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        notebook::text_on_disk(self.door.engine, &self.landing(path))
    }
}

impl ShellFiles<'_, '_> {
    /// Where a path of the command lands. A shell takes `..` for the directory above; so does
    /// this, where no link is on the way. Everything else stays as it is and is refused.
    pub fn landing(&self, path: &str) -> RequestedPath {
        let requested = self.door.place.requested(path);
        let text = requested.as_str();
        if text.starts_with('/') {
            return requested;
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in text.split('/').filter(|part| !matches!(*part, "" | ".")) {
            if part != ".." {
                parts.push(part);
                continue;
            }
            if parts.is_empty() || !self.is_plain_directory(&parts.join("/")) {
                return requested;
            }
            parts.pop();
        }
        let joined = parts.join("/");
        RequestedPath::new(if joined.is_empty() { "." } else { &joined })
    }

    fn is_plain_directory(&self, path: &str) -> bool {
        match self.door.engine.workspace().facts(&RequestedPath::new(path)).resolution {
            Resolution::Inside(target) => {
                let may_be = matches!(target.kind, TargetKind::Directory | TargetKind::Absent);
                may_be && !target.through_link
            }
            Resolution::Failed(_) => false,
        }
    }

    /// Whether a directory is at a path.
    pub fn is_directory(&self, path: &RequestedPath) -> bool {
        match self.door.engine.workspace().facts(path).resolution {
            Resolution::Inside(target) => target.kind == TargetKind::Directory,
            Resolution::Failed(_) => path.as_str() == ".",
        }
    }

    /// The files that a copy makes: the target, or names below it where it is a directory.
    pub fn targets(&self, target: &str, names: &[String]) -> Vec<RequestedPath> {
        let path = self.landing(target);
        if !target.ends_with('/') && !self.is_directory(&path) {
            return vec![path];
        }
        let name = |name: &String| name.rsplit('/').next().unwrap_or(name).to_owned();
        names.iter().map(|text| self.landing(&format!("{target}/{}", name(text)))).collect()
    }

    /// What a removal touches: a file, or what stands below a directory.
    pub fn removed(&self, path: &str) -> Vec<RequestedPath> {
        let requested = self.landing(path);
        let shown = requested.as_str().trim_end_matches('/');
        if matches!(shown, "." | "") {
            return vec![RequestedPath::new(".git/config")];
        }
        if self.is_directory(&RequestedPath::new(shown)) {
            return vec![RequestedPath::new(format!("{shown}/file"))];
        }
        vec![RequestedPath::new(shown)]
    }
}
