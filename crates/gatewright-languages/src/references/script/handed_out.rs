//! Which names a module hands out, its own, those of other modules, and namespaces of them.

use std::sync::Arc;

use super::exports::WHOLE;
use super::facts::{Import, Name, ScriptFile};
use super::modules::{self, Found};
use super::{Checker, Member, STEPS, facts_of, installed, known, runtime};
use crate::references::session::Place;
use crate::references::words;

/// Larger declarations of a package are not read.
const LARGEST: usize = 1 << 20;
/// Of how many modules names are suggested.
const SUGGESTED: usize = 40;

impl Checker<'_> {
    /// The file that a specifier names, with its path.
    pub(super) fn load(
        &self,
        from: &str,
        source: &str,
    ) -> Result<(String, Arc<ScriptFile>), &'static str> {
        let path = match self.find(from, source) {
            Found::File(path) => path,
            Found::Package => return Err("package"),
            Found::Unknown(reason) => return Err(reason),
            Found::Missing { .. } => return Err("missing module"),
        };
        let is_of_package = installed::is_of_package(&path);
        if is_of_package {
            let left = self.declarations.get().checked_sub(1).ok_or("package of many files")?;
            self.declarations.set(left);
        }
        let place = Place::workspace(path.as_str());
        let bytes = self.session.read(&place).ok_or("file that cannot be read")?;
        if is_of_package && bytes.len() > LARGEST {
            return Err("package of large files");
        }
        let language = modules::language(&path).ok_or("file of another language")?;
        let facts = facts_of(self.session, language, &bytes).ok_or("file that cannot be parsed")?;
        Ok((path, facts))
    }

    pub(super) fn exported(&self, from: &str, import: &Import, steps: usize) -> Member {
        if steps == 0 {
            return Member::Unknown("too many steps");
        }
        let (path, file) = match self.load(from, &import.source) {
            Ok(loaded) => loaded,
            Err(reason) => {
                let known = self.of_runtime(import);
                let known = known.or_else(|| self.of_known(from, import, reason));
                return known.unwrap_or(Member::Unknown(reason));
            }
        };
        if matches!(&*import.name, "*" | WHOLE)
            || file.exports.contains_key(&import.name)
            || file.reexports.contains_key(&import.name)
        {
            return Member::Exists;
        }
        let mut unknown = file.open.or_else(|| installed::doubt(&path, &file, &import.name));
        let bytes = self.session.read(&Place::workspace(path.as_str())).unwrap_or_default();
        if file.loose.contains(&import.name) || self.is_spelt(&file, &bytes, &import.name) {
            unknown = Some("syntax error");
        }
        if file.is_common && file.stored.contains(&import.name) {
            unknown = Some("member set from outside");
        }
        if file.put_in.iter().any(|other| self.may_put_in(&path, other, &import.name)) {
            unknown = Some("declarations of several files");
        }
        for star in &file.stars {
            let import = Import { source: star.clone(), name: import.name.clone() };
            match self.exported(&path, &import, steps - 1) {
                Member::Exists => return Member::Exists,
                Member::Unknown(reason) => unknown = Some(reason),
                Member::Missing => {}
            }
        }
        if &*import.name == "default" && !path.ends_with(".ts") && !path.ends_with(".tsx") {
            unknown = Some("interop of default exports");
        }
        unknown.map_or(Member::Missing, Member::Unknown)
    }

    /// Whether a file that declarations put in spells a name, or cannot be read.
    fn may_put_in(&self, path: &str, other: &str, name: &str) -> bool {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let text = modules::normalized(folder, other)
            .and_then(|path| self.session.read(&Place::workspace(path)));
        text.is_none_or(|text| words::contains(&text, name))
    }

    /// Whether a file that does not parse whole spells a declaration of a name.
    pub(super) fn is_spelt(&self, file: &ScriptFile, text: &[u8], name: &str) -> bool {
        const WORDS: [&str; 8] =
            ["const", "let", "var", "function", "class", "type", "interface", "namespace"];
        !file.loose.is_empty()
            && words::occurrences(text, name).any(|start| {
                let before = text[..start].trim_ascii_end();
                WORDS.iter().any(|word| before.ends_with(word.as_bytes()))
            })
    }

    /// The module all of whose names a name of the file stands for, where another module hands
    /// them out as one (`export * as till from './till'`): the file that says so, and its word.
    pub(super) fn namespace(&self, root: &str) -> Option<(String, Name)> {
        let file = self.file;
        let import = file.imports.get(root).filter(|_| !file.values.contains_key(root))?;
        let mut from = self.path.to_owned();
        let mut import = import.clone();
        for _ in 0..STEPS {
            let (path, file) = self.load(&from, &import.source).ok()?;
            let inner = || file.imports.get(file.exports.get(&import.name)?);
            let next = file.reexports.get(&import.name).or_else(inner)?.clone();
            from = path;
            if &*next.name == "*" {
                return Some((from, next.source));
            }
            import = next;
        }
        None
    }

    /// The names that a module exports, for suggestions: its own, and those it hands on.
    pub(super) fn names_of(&self, from: &str, source: &str) -> Vec<Name> {
        let mut names = Vec::new();
        let mut modules = vec![(from.to_owned(), Name::from(source))];
        let mut left = SUGGESTED;
        while let Some((from, source)) = modules.pop().filter(|_| left > 0) {
            left -= 1;
            match (runtime::names(&source), self.load(&from, &source)) {
                (_, Ok((path, file))) => {
                    names.extend(file.exports.keys().chain(file.reexports.keys()).cloned());
                    modules.extend(file.stars.iter().map(|star| (path.clone(), star.clone())));
                }
                (Some(known), _) => names.extend(known.iter().map(|name| Name::from(*name))),
                _ => names.extend(known::names(&source).map(Name::from)),
            }
        }
        names
    }
}
