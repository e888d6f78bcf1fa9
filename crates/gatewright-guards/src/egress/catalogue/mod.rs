//! The rules as data: formats of secrets, one small file for each provider.
//!
//! The files of `rules/egress/` are embedded when the crate is compiled and
//! parsed once, on first use. A pattern is compiled when a keyword of its rule
//! is first seen. Rules of the user come in the same form, pass the same
//! self-test before they are loaded, and can only be added.

mod checks;
mod claims;
mod index;
mod matching;
mod rule;
mod self_test;
mod wordy;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, LazyLock, OnceLock};

use include_dir::{Dir, include_dir};

use self::index::Indexed;

pub use checks::{Check, dummy_reason, entropy};
pub(super) use claims::{claims, may_claim};
pub(super) use matching::{find_near, finds_near, fits, is_documented, may_start};
pub use rule::{Boundary, MAX_MATCH, Rule, RuleError, Tier};
pub use self_test::Failure;
pub use wordy::is_wordy;

static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/rules/egress");

static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::from_embedded_files(1));

/// Rules that configuration adds, in the form of a rule file.
#[derive(Debug, Clone, Default)]
pub struct Extension {
    /// The rules, parsed but not yet tested.
    pub rules: Vec<Rule>,
}

impl Extension {
    /// Reads the rules of one file. `origin` names it in errors.
    pub fn parse(text: &str, origin: &str) -> Result<Extension, RuleError> {
        Ok(Extension { rules: rule::parse_file(text, origin)? })
    }
}

/// Why an extension is not loaded.
#[derive(Debug, thiserror::Error)]
pub enum ExtensionError {
    /// A rule does not pass its own examples.
    #[error("egress rule {} fails its own test: {}", .0.rule, .0.reason)]
    SelfTest(Failure),
    /// A rule has no example, so nothing shows that it works.
    #[error("egress rule {rule} has no example")]
    NoExample {
        /// The name of the rule.
        rule: String,
    },
    /// A name is taken.
    #[error("egress rule {rule} exists already; rules can be added, not replaced")]
    NameTaken {
        /// The name of the rule.
        rule: String,
    },
}

/// A set of rules. Cheap to clone.
///
/// The built-in files are indexed by their keywords when first needed, and each
/// is parsed when one of its keywords is first seen.
#[derive(Debug, Clone)]
pub struct Catalogue {
    files: Arc<[LazyFile]>,
    /// For each rule of the files its file and its place there.
    places: Arc<[(usize, usize)]>,
    added: Arc<[Arc<Rule>]>,
    /// All of them, parsed when first asked for.
    all: Arc<OnceLock<Vec<Arc<Rule>>>>,
}

impl Catalogue {
    /// The rules that come with Gatewright.
    pub fn built_in() -> &'static Catalogue {
        &BUILT_IN
    }

    /// The rules of one of so many files that come with Gatewright: what they all cost shows
    /// beside what these do. It guards less, so it is for measuring alone.
    #[doc(hidden)]
    pub fn share_of_built_in(one_of: usize) -> Catalogue {
        Catalogue::from_embedded_files(one_of)
    }

    /// The rules that come with Gatewright, and as many keywords again of which no rule knows:
    /// what twice the rules would cost. For measuring alone.
    #[doc(hidden)]
    pub fn doubled_built_in() -> Catalogue {
        let files = embedded_files().chain(embedded_files().map(LazyFile::with_other_keywords));
        Catalogue::of_files(files.collect())
    }

    /// A catalogue of these rules alone; the hand-written detectors are apart.
    pub fn of(rules: impl IntoIterator<Item = Rule>) -> Catalogue {
        Catalogue {
            files: Arc::new([]),
            places: Arc::new([]),
            added: rules.into_iter().map(Arc::new).collect(),
            all: Arc::default(),
        }
    }

    /// This catalogue with the rules of `extension`, each tested first.
    pub fn with(&self, extension: Extension) -> Result<Catalogue, ExtensionError> {
        let mut names: BTreeSet<String> =
            self.rules().iter().map(|rule| rule.name.clone()).collect();
        let mut added: Vec<Arc<Rule>> = self.added.to_vec();
        for rule in extension.rules {
            if !names.insert(rule.name.clone()) {
                return Err(ExtensionError::NameTaken { rule: rule.name });
            }
            if rule.examples.is_empty() {
                return Err(ExtensionError::NoExample { rule: rule.name });
            }
            if let Some(failure) = self_test::test_rule(&rule).into_iter().next() {
                return Err(ExtensionError::SelfTest(failure));
            }
            added.push(Arc::new(rule));
        }
        Ok(Catalogue { added: added.into(), all: Arc::default(), ..self.clone() })
    }

    /// The rules, in the order of their files.
    pub fn rules(&self) -> &[Arc<Rule>] {
        self.all.get_or_init(|| {
            self.files.iter().flat_map(LazyFile::rules).chain(self.added.iter()).cloned().collect()
        })
    }

    /// What could not be read. Empty for every released build; a test says so.
    pub fn problems(&self) -> Vec<RuleError> {
        self.files.iter().filter_map(LazyFile::problem).collect()
    }

    /// Every example that a rule misses and every counter-example that it hits.
    pub fn self_test(&self) -> Vec<Failure> {
        self.rules().iter().flat_map(|rule| self_test::test_rule(rule)).collect()
    }

    /// The keywords of each rule, in lower case, in the order of [`Catalogue::rule`].
    pub(super) fn keywords(&self) -> impl Iterator<Item = &[String]> {
        let files = self.files.iter().flat_map(|file| &file.index);
        let files = files.map(|indexed| indexed.keywords.as_slice());
        files.chain(self.added.iter().map(|rule| rule.keywords.as_slice()))
    }

    /// The keywords that must be searched for, since a value alone does not show the rule.
    pub(super) fn anchored_keywords(&self) -> impl Iterator<Item = &str> {
        let files = self.files.iter().flat_map(|file| &file.index);
        let files = files.filter(|indexed| indexed.by_keyword).flat_map(|one| &one.keywords);
        files.chain(self.added.iter().flat_map(|rule| &rule.keywords)).map(String::as_str)
    }

    /// The rule at `index`; `None` when its file cannot be read.
    pub(super) fn rule(&self, index: usize) -> Option<&Arc<Rule>> {
        match self.places.get(index) {
            Some((file, place)) => self.files.get(*file)?.rules().get(*place),
            None => self.added.get(index - self.places.len()),
        }
    }

    fn from_embedded_files(one_of: usize) -> Catalogue {
        Catalogue::of_files(embedded_files().step_by(one_of.max(1)).collect())
    }

    fn of_files(files: Vec<LazyFile>) -> Catalogue {
        let places = files
            .iter()
            .enumerate()
            .flat_map(|(file, lazy)| (0..lazy.index.len()).map(move |place| (file, place)))
            .collect();
        Catalogue { files: files.into(), places, added: Arc::new([]), all: Arc::default() }
    }
}

/// The rule files that come with Gatewright.
fn embedded_files() -> impl Iterator<Item = LazyFile> {
    let files = FILES.files();
    files
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "toml"))
        .map(|file| LazyFile::new(file.path(), file.contents_utf8().unwrap_or_default()))
}

/// A rule file whose keywords are known and whose rules are parsed on first need.
#[derive(Debug)]
struct LazyFile {
    path: &'static Path,
    text: &'static str,
    index: Vec<Indexed>,
    parsed: OnceLock<Result<Vec<Arc<Rule>>, RuleError>>,
}

impl LazyFile {
    fn new(path: &'static Path, text: &'static str) -> LazyFile {
        LazyFile { path, text, index: index::index(text), parsed: OnceLock::new() }
    }

    /// The same file with each letter of its keywords as far as half of the alphabet away.
    ///
    /// They do not agree with its rules then, which are not parsed.
    fn with_other_keywords(mut self) -> LazyFile {
        let moved = |letter: char| match letter {
            'a'..='m' => (letter as u8 + 13) as char,
            'n'..='z' => (letter as u8 - 13) as char,
            other => other,
        };
        for keyword in self.index.iter_mut().flat_map(|rule| &mut rule.keywords) {
            *keyword = keyword.chars().map(moved).collect();
        }
        self
    }

    fn parsed(&self) -> &Result<Vec<Arc<Rule>>, RuleError> {
        self.parsed.get_or_init(|| {
            let origin = self.path.to_string_lossy();
            let rules = rule::parse_file(self.text, &origin)?;
            if rules.iter().map(Rule::indexed).ne(self.index.iter().cloned()) {
                return Err(RuleError::Syntax {
                    origin: origin.into_owned(),
                    message: "keywords and by_keyword stand on one line each".to_owned(),
                });
            }
            Ok(rules.into_iter().map(Arc::new).collect())
        })
    }

    fn rules(&self) -> &[Arc<Rule>] {
        self.parsed().as_deref().unwrap_or_default()
    }

    fn problem(&self) -> Option<RuleError> {
        self.parsed().as_ref().err().cloned()
    }
}
