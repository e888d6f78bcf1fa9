//! The rules as data: formats of secrets, one small file for each provider.
//!
//! The files of `rules/egress/` are embedded when the crate is compiled and
//! parsed once, on first use. A pattern is compiled when a keyword of its rule
//! is first seen. Rules of the user come in the same form, pass the same
//! self-test before they are loaded, and can only be added.

mod checks;
mod matching;
mod rule;
mod self_test;

use std::sync::{Arc, LazyLock};

use include_dir::{Dir, include_dir};

pub use checks::{Check, dummy_reason, entropy, is_wordy};
pub(super) use matching::{find_near, may_start};
pub use rule::{Boundary, Rule, RuleError, Tier};
pub use self_test::Failure;

static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/rules/egress");

static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(Catalogue::from_embedded_files);

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
#[derive(Debug, Clone)]
pub struct Catalogue {
    rules: Arc<[Arc<Rule>]>,
    problems: Arc<[RuleError]>,
}

impl Catalogue {
    /// The rules that come with Gatewright.
    pub fn built_in() -> &'static Catalogue {
        &BUILT_IN
    }

    /// A catalogue of these rules alone; the hand-written detectors are apart.
    pub fn of(rules: impl IntoIterator<Item = Rule>) -> Catalogue {
        Catalogue { rules: rules.into_iter().map(Arc::new).collect(), problems: Arc::new([]) }
    }

    /// This catalogue with the rules of `extension`, each tested first.
    pub fn with(&self, extension: Extension) -> Result<Catalogue, ExtensionError> {
        let mut rules: Vec<Arc<Rule>> = self.rules.to_vec();
        for rule in extension.rules {
            if rules.iter().any(|known| known.name == rule.name) {
                return Err(ExtensionError::NameTaken { rule: rule.name });
            }
            if rule.examples.is_empty() {
                return Err(ExtensionError::NoExample { rule: rule.name });
            }
            if let Some(failure) = self_test::test_rule(&rule).into_iter().next() {
                return Err(ExtensionError::SelfTest(failure));
            }
            rules.push(Arc::new(rule));
        }
        Ok(Catalogue { rules: rules.into(), problems: self.problems.clone() })
    }

    /// The rules, in the order of their files.
    pub fn rules(&self) -> &[Arc<Rule>] {
        &self.rules
    }

    /// What could not be read. Empty for every released build; a test says so.
    pub fn problems(&self) -> &[RuleError] {
        &self.problems
    }

    /// Every example that a rule misses and every counter-example that it hits.
    pub fn self_test(&self) -> Vec<Failure> {
        self.rules.iter().flat_map(|rule| self_test::test_rule(rule)).collect()
    }

    fn from_embedded_files() -> Catalogue {
        let mut rules = Vec::new();
        let mut problems = Vec::new();
        for file in FILES.files() {
            let origin = file.path().to_string_lossy();
            if !origin.ends_with(".toml") {
                continue;
            }
            match rule::parse_file(file.contents_utf8().unwrap_or_default(), &origin) {
                Ok(parsed) => rules.extend(parsed.into_iter().map(Arc::new)),
                Err(problem) => problems.push(problem),
            }
        }
        Catalogue { rules: rules.into(), problems: problems.into() }
    }
}
