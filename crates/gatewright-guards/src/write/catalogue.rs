//! The rules of the write guard: the tables of `rules/write` and the hard floor.
//!
//! The tables are compiled once. Patterns are filed under their longest
//! literal component, so that judging a path looks up its components instead
//! of trying every rule. A table that cannot be read makes the guard refuse
//! everything; it never judges with a part of its rules.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use gatewright_model::{Guard, Severity};
use serde::Deserialize;

use super::floor;
use super::fold::fold_path;
use super::pattern::{Component, Pattern};
use super::short_names::ShortNames;

const TABLES: [(&str, &str); 12] = [
    ("agents", include_str!("../../rules/write/agents.toml")),
    ("builds", include_str!("../../rules/write/builds.toml")),
    ("ci", include_str!("../../rules/write/ci.toml")),
    ("credentials", include_str!("../../rules/write/credentials.toml")),
    ("editors", include_str!("../../rules/write/editors.toml")),
    ("environments", include_str!("../../rules/write/environments.toml")),
    ("git", include_str!("../../rules/write/git.toml")),
    ("hooks", include_str!("../../rules/write/hooks.toml")),
    ("interpreters", include_str!("../../rules/write/interpreters.toml")),
    ("packages", include_str!("../../rules/write/packages.toml")),
    ("shells", include_str!("../../rules/write/shells.toml")),
    ("tools", include_str!("../../rules/write/tools.toml")),
];
const HARMLESS: &str = include_str!("../../rules/write/harmless.toml");

/// The names that the hard floor protects: git's own directory, and ours.
const FLOOR_NAMES: [&str; 3] = [".git", "gatewright.toml", ".gatewright"];

/// What a rule looks at, and so what its examples are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RuleSubject {
    /// The text of a path; the examples are paths.
    Path,
    /// The bytes of the result; the examples are texts.
    Content,
    /// What the disk or the configuration says; the examples are in words.
    Disk,
}

/// One rule, as it is listed and explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleInfo {
    /// The stable code (`W210-ci-workflow`).
    pub code: String,
    /// The guard that it belongs to.
    pub guard: Guard,
    /// The group that it is listed under.
    pub group: String,
    /// What it looks at.
    pub subject: RuleSubject,
    /// How much a match weighs.
    pub severity: Severity,
    /// Why it exists.
    pub reason: String,
    /// What to do next.
    pub hint: Option<String>,
    /// Its path patterns; empty for rules of the hard floor.
    pub paths: Vec<String>,
    /// What it matches.
    pub examples: Vec<String>,
    /// What it leaves alone.
    pub counter_examples: Vec<String>,
}

/// Every rule of the write guard: the hard floor first, then the tables.
pub fn catalogue() -> impl Iterator<Item = &'static RuleInfo> {
    floor::RULES.iter().chain(&BUILTIN.rules)
}

pub(super) static BUILTIN: LazyLock<Catalogue> = LazyLock::new(Catalogue::load);

/// The compiled tables.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    pub(super) rules: Vec<RuleInfo>,
    /// What could not be read. Where this is not empty, everything is refused.
    pub(super) problems: Vec<String>,
    by_literal: HashMap<String, Vec<(usize, Pattern)>>,
    without_literal: Vec<(usize, Pattern)>,
    /// Built when the first name with a tilde is judged, which is seldom.
    short_names: OnceLock<ShortNames>,
    harmless_files: HashSet<String>,
    harmless_directories: HashSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    rule: Vec<TableRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableRule {
    code: String,
    severity: Severity,
    reason: String,
    hint: Option<String>,
    paths: Vec<String>,
    examples: Vec<String>,
    counter_examples: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Harmless {
    files: Vec<String>,
    directories: Vec<String>,
    examples: Vec<String>,
    counter_examples: Vec<String>,
}

impl Catalogue {
    fn load() -> Self {
        let mut catalogue = Self::default();
        for (group, text) in TABLES {
            match toml::from_str::<Table>(text) {
                Ok(table) => table.rule.into_iter().for_each(|rule| catalogue.add(group, rule)),
                Err(error) => catalogue.problems.push(format!("{group}.toml: {error}")),
            }
        }
        match toml::from_str::<Harmless>(HARMLESS) {
            Ok(harmless) => catalogue.add_harmless(harmless),
            Err(error) => catalogue.problems.push(format!("harmless.toml: {error}")),
        }
        catalogue
    }

    fn add(&mut self, group: &str, rule: TableRule) {
        let index = self.rules.len();
        for pattern in rule.paths.iter().map(|path| Pattern::new(path)) {
            match pattern.key().map(str::to_owned) {
                Some(key) => self.by_literal.entry(key).or_default().push((index, pattern)),
                None => self.without_literal.push((index, pattern)),
            }
        }
        self.rules.push(RuleInfo {
            code: rule.code,
            guard: Guard::Write,
            group: group.to_owned(),
            subject: RuleSubject::Path,
            severity: rule.severity,
            reason: rule.reason,
            hint: rule.hint,
            paths: rule.paths,
            examples: rule.examples,
            counter_examples: rule.counter_examples,
        });
    }

    fn add_harmless(&mut self, harmless: Harmless) {
        self.harmless_files.extend(harmless.files);
        self.harmless_directories.extend(harmless.directories);
        for example in harmless.examples {
            if self.is_unknown_dotfile(&self.components(&fold_path(&example))) {
                self.problems.push(format!("harmless.toml: {example} is not harmless"));
            }
        }
        for example in harmless.counter_examples {
            if !self.is_unknown_dotfile(&self.components(&fold_path(&example))) {
                self.problems.push(format!("harmless.toml: {example} is harmless"));
            }
        }
    }

    /// The folded components with what each may be a short name of.
    pub(super) fn components<'a>(&'a self, folded: &'a [String]) -> Vec<Component<'a>> {
        let aliases = |name: &str| match name.contains('~') {
            true => self.short_names.get_or_init(|| self.list_short_names()).aliased_by(name),
            false => &[],
        };
        folded.iter().map(|name| Component { name, aliases: aliases(name) }).collect()
    }

    fn list_short_names(&self) -> ShortNames {
        let mut short_names = ShortNames::default();
        FLOOR_NAMES.iter().for_each(|name| short_names.insert(name));
        let patterns = self.by_literal.values().flatten().chain(&self.without_literal);
        for (_, pattern) in patterns {
            pattern.literals().for_each(|literal| short_names.insert(literal));
        }
        short_names
    }

    /// The rules that match, each once, in the order of the tables.
    pub(super) fn matching(&self, path: &[Component<'_>]) -> Vec<&RuleInfo> {
        let mut matched: Vec<usize> = Vec::new();
        let filed =
            path.iter().flat_map(Component::names).filter_map(|name| self.by_literal.get(name));
        for (index, pattern) in filed.flatten().chain(&self.without_literal) {
            if !matched.contains(index) && pattern.matches(path) {
                matched.push(*index);
            }
        }
        matched.sort_unstable();
        matched.into_iter().filter_map(|index| self.rules.get(index)).collect()
    }

    /// Whether the path is, or lies in, a dotfile at the root that is not known to be harmless.
    pub(super) fn is_unknown_dotfile(&self, path: &[Component<'_>]) -> bool {
        let Some(first) = path.first().filter(|first| first.name.starts_with('.')) else {
            return false;
        };
        let harmless =
            if path.len() == 1 { &self.harmless_files } else { &self.harmless_directories };
        first.name != ".." && !harmless.contains(first.name)
    }
}
