//! The rules of Node and TypeScript, asked of `oxc_resolver`: `exports`, `imports`, `types`,
//! `typesVersions`, `@types`, and the `paths`, `baseUrl` and `extends` of a configuration.
//!
//! The crate wants files that outlive it, a session does not. So it is asked on a [`View`]: what it
//! misses there is shown, and it is asked again, a few times at most.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oxc_resolver::{ExtendsField, ResolveError, ResolveOptions, ResolverGeneric, TsConfig};
use serde_json::{Map, Value, json};

use super::modules::{self, has_file, normalized, package_name};
use super::view::View;
use crate::references::session::{Place, Session};

/// How often the crate is asked about one specifier.
const ROUNDS: usize = 12;
/// The conditions of `exports` and `imports` that are met.
const CONDITIONS: [&str; 6] = ["types", "import", "module", "node", "require", "default"];

/// `oxc_resolver` on the files that one check has shown to it, made when it is first asked.
#[derive(Default)]
pub(super) struct Resolver {
    view: View,
    resolver: OnceCell<ResolverGeneric<View>>,
}

impl Resolver {
    fn resolver(&self) -> &ResolverGeneric<View> {
        self.resolver.get_or_init(|| {
            let options = ResolveOptions {
                condition_names: CONDITIONS.map(str::to_owned).to_vec(),
                symlinks: false,
                node_path: false,
                ..ResolveOptions::default()
            };
            ResolverGeneric::new_with_file_system(self.view.clone(), options)
        })
    }

    /// The file with the types of what a specifier of a package, or one of `imports`, names.
    pub(super) fn declarations(
        &self,
        session: &Session<'_>,
        from: &str,
        source: &str,
    ) -> Option<String> {
        let file = absolute(from);
        let found = self.asked(session, |it| it.resolve_dts(&file, source));
        relative(found.ok()?.path())
    }

    /// The paths, without a look at the disk, that a configuration makes of a specifier; `None`
    /// where it cannot be read.
    pub(super) fn led_to(
        &self,
        session: &Session<'_>,
        configuration: &Place,
        source: &str,
    ) -> Option<Vec<String>> {
        let file = absolute(&configuration.path);
        let config = self.asked(session, |it| it.resolve_tsconfig(&file)).ok()?;
        let paths = config.resolve_path_alias_or_base_url(source);
        Some(paths.iter().filter_map(|path| relative(path)).collect())
    }

    /// The answer of the crate once it has seen all that it asked for.
    fn asked<T>(
        &self,
        session: &Session<'_>,
        ask: impl Fn(&ResolverGeneric<View>) -> Result<T, ResolveError>,
    ) -> Result<T, ResolveError> {
        let resolver = self.resolver();
        let mut answer = ask(resolver);
        for _ in 0..ROUNDS {
            if !self.show_wanted(session) {
                break;
            }
            resolver.clear_cache();
            answer = ask(resolver);
        }
        answer
    }

    /// Shows what was asked for; whether there was any.
    fn show_wanted(&self, session: &Session<'_>) -> bool {
        let wanted = self.view.take_wanted();
        let is_any = !wanted.is_empty();
        for folder in wanted.folders {
            let listing = relative(&folder).map(|path| session.list(&Place::workspace(path)));
            let listing = listing.map(|listing| Arc::new(listing.as_ref().clone()));
            self.view.show_folder(folder, listing.unwrap_or_default());
        }
        for file in wanted.texts {
            let text = relative(&file).and_then(|path| session.text(&path));
            let text = text.map(|text| told(session, &file, text));
            self.view.show_text(file, text);
        }
        is_any
    }
}

/// A path of the workspace as the crate knows it.
fn absolute(path: &str) -> PathBuf {
    Path::new("/").join(path)
}

/// The same back.
fn relative(path: &Path) -> Option<String> {
    path.to_str()?.strip_prefix('/').map(str::to_owned)
}

/// A manifest or a configuration, without what the crate would trip over.
fn told(session: &Session<'_>, file: &Path, text: String) -> String {
    let told = match file.file_name().and_then(|name| name.to_str()) {
        Some("package.json") => without_old_types(&text),
        _ => without_absent_bases(session, file, &text),
    };
    told.unwrap_or(text)
}

/// A manifest without `typesVersions` for compilers that nobody has any more: the crate takes the
/// first one, whatever its range.
fn without_old_types(text: &str) -> Option<String> {
    if !text.contains("\"typesVersions\"") {
        return None;
    }
    let mut manifest: Value = serde_json::from_str(text).ok()?;
    let versions = manifest.get_mut("typesVersions")?.as_object_mut()?;
    versions.retain(|range, _| !range.starts_with('<'));
    Some(manifest.to_string())
}

/// A configuration without the ones that it extends and that are not there: the crate says nothing
/// at all of it then.
fn without_absent_bases(session: &Session<'_>, file: &Path, text: &str) -> Option<String> {
    if !text.contains("\"extends\"") {
        return None;
    }
    let config = TsConfig::parse(true, file, file, text.to_owned()).ok()?;
    let bases = match config.extends? {
        ExtendsField::Single(base) => vec![base],
        ExtendsField::Multiple(bases) => bases,
    };
    let is_there = |base: &String| match base.starts_with('.') {
        true => is_beside(session, file, base),
        false => is_installed(session, file, base),
    };
    if bases.iter().all(is_there) {
        return None;
    }
    let bases: Vec<&String> = bases.iter().filter(|base| is_there(base)).collect();
    let options = config.compiler_options;
    let mut compiler = Map::new();
    compiler.extend(options.base_url.map(|base| ("baseUrl".to_owned(), json!(base))));
    compiler.extend(options.paths.map(|paths| ("paths".to_owned(), json!(paths))));
    Some(json!({ "extends": bases, "compilerOptions": compiler }).to_string())
}

/// Whether a configuration is there that another one names by its path.
fn is_beside(session: &Session<'_>, file: &Path, source: &str) -> bool {
    let folder = relative(file).and_then(|path| Place::workspace(path).parent());
    let path = folder.and_then(|folder| normalized(&folder.path, source));
    path.is_some_and(|path| {
        ["", ".json", "/tsconfig.json"].iter().any(|end| has_file(session, &format!("{path}{end}")))
    })
}

/// Whether a package lies in a `node_modules` around a file.
fn is_installed(session: &Session<'_>, file: &Path, source: &str) -> bool {
    let name = package_name(source);
    let mut folder = relative(file).and_then(|path| Place::workspace(path).parent());
    while let Some(current) = folder {
        if modules::is_installed(session, &current.join("node_modules"), name) {
            return true;
        }
        folder = current.parent();
    }
    false
}
