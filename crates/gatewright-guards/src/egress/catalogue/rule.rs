//! One rule: what a rule file says, validated, with its pattern compiled on first need.

use std::sync::OnceLock;

use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_syntax::hir::literal::{ExtractKind, Extractor};
use regex_syntax::hir::{Hir, HirKind};
use serde::Deserialize;

use super::checks::{Check, CheckError};
use super::index::Indexed;
use crate::egress::Kind;

/// The longest match that a rule may have, so that no rule holds a stream back further.
pub const MAX_MATCH: usize = 16 * 1024;

/// How much besides the format is needed for proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// The format alone is proof; a keyword stands inside the match.
    Proof,
    /// A keyword must stand near: on the same line, or shortly before.
    Context,
    /// A keyword must stand before, with an assignment between, and the value must look random.
    Generic,
}

/// What may stand beside a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Boundary {
    /// No letter, digit or underscore beside the match.
    #[default]
    Token,
    /// Anything.
    None,
}

/// Why a rule file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// The file is not in the form of rule files.
    #[error("{origin}: {message}")]
    Syntax {
        /// The file.
        origin: String,
        /// What the parser says, with the place.
        message: String,
    },
    /// A rule says something that cannot be.
    #[error("{origin}: rule {rule}: {reason}")]
    Invalid {
        /// The file.
        origin: String,
        /// The rule.
        rule: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The format of one secret.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its name, unique in a catalogue.
    pub name: String,
    /// The provider or family.
    pub provider: String,
    /// What it finds.
    pub kind: Kind,
    /// How much besides the format is needed.
    pub tier: Tier,
    /// Literals of which one must be seen, in lower case.
    pub keywords: Vec<String>,
    /// True when a value may have no run of letters and digits that shows it.
    pub by_keyword: bool,
    /// True when the provider gives nothing else that begins so: what does not
    /// match is no secret of anybody.
    pub exact: bool,
    /// The pattern as written.
    pub pattern: String,
    /// What may stand beside a match.
    pub boundary: Boundary,
    /// What a match must also satisfy.
    pub checks: Vec<Check>,
    /// The longest match in bytes, and so the hold-back in a stream.
    pub max_len: usize,
    /// Texts in which it matches.
    pub examples: Vec<String>,
    /// Texts in which it does not.
    pub counter_examples: Vec<String>,
    /// Values that are published as examples and left alone.
    pub documented: Vec<String>,
    regex: OnceLock<Option<Regex>>,
    prefixes: OnceLock<Vec<Vec<u8>>>,
    begins_with_keyword: OnceLock<bool>,
    min_len: OnceLock<usize>,
    needed_sign: OnceLock<Option<u8>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    provider: String,
    #[serde(default)]
    rule: Vec<RawRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    name: String,
    kind: Kind,
    tier: Tier,
    keywords: Vec<String>,
    #[serde(default)]
    by_keyword: bool,
    #[serde(default)]
    exact: bool,
    pattern: String,
    #[serde(default)]
    boundary: Boundary,
    #[serde(default)]
    checks: Vec<String>,
    max_len: Option<usize>,
    #[serde(default)]
    examples: Vec<String>,
    #[serde(default)]
    counter_examples: Vec<String>,
    #[serde(default)]
    documented: Vec<String>,
}

/// Reads a rule file.
pub fn parse_file(text: &str, origin: &str) -> Result<Vec<Rule>, RuleError> {
    let file: RawFile = toml::from_str(text).map_err(|error| RuleError::Syntax {
        origin: origin.to_owned(),
        message: error.to_string(),
    })?;
    let provider = file.provider;
    file.rule
        .into_iter()
        .map(|raw| {
            let rule = raw.name.clone();
            Rule::from_raw(raw, &provider).map_err(|reason| RuleError::Invalid {
                origin: origin.to_owned(),
                rule,
                reason,
            })
        })
        .collect()
}

impl Rule {
    fn from_raw(raw: RawRule, provider: &str) -> Result<Rule, String> {
        if raw.keywords.is_empty() || raw.keywords.iter().any(|keyword| keyword.len() < 2) {
            return Err("it needs keywords of two bytes or more".to_owned());
        }
        if !raw.keywords.iter().all(|keyword| keyword.is_ascii()) {
            return Err("keywords are plain ASCII".to_owned());
        }
        let checks = raw
            .checks
            .iter()
            .map(|check| check.parse())
            .collect::<Result<Vec<Check>, CheckError>>()
            .map_err(|error| error.to_string())?;
        let max_len = match raw.max_len {
            Some(length) => length,
            None => longest_match(&raw.pattern)?,
        };
        if max_len == 0 || max_len > MAX_MATCH {
            return Err(format!("max_len must lie between 1 and {MAX_MATCH}"));
        }
        Ok(Rule {
            name: raw.name,
            provider: provider.to_owned(),
            kind: raw.kind,
            tier: raw.tier,
            keywords: raw.keywords.iter().map(|keyword| keyword.to_ascii_lowercase()).collect(),
            by_keyword: raw.by_keyword,
            exact: raw.exact,
            pattern: raw.pattern,
            boundary: raw.boundary,
            checks,
            max_len,
            examples: raw.examples,
            counter_examples: raw.counter_examples,
            documented: raw.documented,
            regex: OnceLock::new(),
            prefixes: OnceLock::new(),
            begins_with_keyword: OnceLock::new(),
            min_len: OnceLock::new(),
            needed_sign: OnceLock::new(),
        })
    }

    /// What the index of its file should say.
    pub(super) fn indexed(&self) -> Indexed {
        Indexed { keywords: self.keywords.clone(), by_keyword: self.by_keyword }
    }

    /// The compiled pattern; `None` when it does not compile, which the self-test reports.
    pub(super) fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| compile(&self.pattern, self.boundary).ok()).as_ref()
    }

    /// True when every match begins with a keyword, as far as the pattern says so.
    pub(super) fn begins_with_keyword(&self) -> bool {
        let begins = |prefix: &Vec<u8>| {
            self.keywords.iter().any(|keyword| {
                let head = prefix.get(..keyword.len());
                head.is_some_and(|head| head.eq_ignore_ascii_case(keyword.as_bytes()))
            })
        };
        *self
            .begins_with_keyword
            .get_or_init(|| !self.prefixes().is_empty() && self.prefixes().iter().all(begins))
    }

    /// The literals of which one begins every match; none when the pattern does not say.
    pub(super) fn prefixes(&self) -> &[Vec<u8>] {
        self.prefixes.get_or_init(|| prefixes(&self.pattern).unwrap_or_default())
    }

    /// The shortest match in bytes.
    pub(super) fn min_len(&self) -> usize {
        *self.min_len.get_or_init(|| shortest_match(&self.pattern).unwrap_or_default())
    }

    /// A sign that stands in every match and in no keyword, if there is one.
    pub(super) fn needed_sign(&self) -> Option<u8> {
        *self.needed_sign.get_or_init(|| {
            let needed = needed_in(&self.pattern).unwrap_or_default();
            let is_in_keyword =
                |sign: u8| self.keywords.iter().any(|keyword| keyword.as_bytes().contains(&sign));
            SIGNS.iter().copied().find(|sign| needed >> sign & 1 == 1 && !is_in_keyword(*sign))
        })
    }

    /// Why the pattern does not compile, if it does not.
    pub(super) fn compile_error(&self) -> Option<String> {
        compile(&self.pattern, self.boundary).err()
    }
}

/// Compiles with the boundary inside the pattern, so that the search itself respects it.
fn compile(pattern: &str, boundary: Boundary) -> Result<Regex, String> {
    let bounded = match boundary {
        Boundary::Token => format!(r"\b{{start-half}}(?:{pattern})\b{{end-half}}"),
        Boundary::None => format!("(?:{pattern})"),
    };
    Regex::builder()
        .configure(Regex::config().nfa_size_limit(Some(8 << 20)).dfa(false).utf8_empty(false))
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .build(&bounded)
        .map_err(|error| match error.syntax_error() {
            Some(syntax_error) => syntax_error.to_string(),
            None => error.to_string(),
        })
}

/// The literals of which one begins every match of `pattern`.
fn prefixes(pattern: &str) -> Option<Vec<Vec<u8>>> {
    let config = syntax::Config::new().unicode(false).utf8(false);
    let hir = syntax::parse_with(pattern, &config).ok()?;
    let mut extractor = Extractor::new();
    extractor.kind(ExtractKind::Prefix).limit_class(10).limit_total(512);
    let prefixes = extractor.extract(&hir);
    Some(prefixes.literals()?.iter().map(|literal| literal.as_bytes().to_vec()).collect())
}

/// Signs that a pattern may need, those first that are rare in text.
const SIGNS: &[u8] = b"@|&;~%{}<>+=$#?![]():/.,'\"-_";

/// The bytes of ASCII that stand in every match of `pattern`, one bit each.
fn needed_in(pattern: &str) -> Option<u128> {
    let config = syntax::Config::new().unicode(false).utf8(false);
    syntax::parse_with(pattern, &config).ok().map(|hir| needed_by(&hir))
}

fn needed_by(hir: &Hir) -> u128 {
    match hir.kind() {
        HirKind::Literal(literal) => {
            let ascii = literal.0.iter().filter(|byte| byte.is_ascii());
            ascii.fold(0, |needed, byte| needed | 1 << byte)
        }
        HirKind::Repetition(repetition) if repetition.min > 0 => needed_by(&repetition.sub),
        HirKind::Capture(capture) => needed_by(&capture.sub),
        HirKind::Concat(parts) => parts.iter().map(needed_by).fold(0, |all, one| all | one),
        HirKind::Alternation(parts) => {
            parts.iter().map(needed_by).fold(u128::MAX, |all, one| all & one)
        }
        HirKind::Repetition(_) | HirKind::Empty | HirKind::Class(_) | HirKind::Look(_) => 0,
    }
}

/// The lower bound of a match.
fn shortest_match(pattern: &str) -> Option<usize> {
    let config = syntax::Config::new().unicode(false).utf8(false);
    syntax::parse_with(pattern, &config).ok()?.properties().minimum_len()
}

/// The upper bound of a match when the pattern itself states one.
fn longest_match(pattern: &str) -> Result<usize, String> {
    let config = syntax::Config::new().unicode(false).utf8(false);
    let hir = syntax::parse_with(pattern, &config).map_err(|error| error.to_string())?;
    hir.properties()
        .maximum_len()
        .ok_or_else(|| "the pattern has no upper bound; state max_len".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egress::catalogue::Catalogue;

    #[test]
    fn the_needed_sign_stands_in_every_match() {
        let mut count = 0;
        for rule in Catalogue::built_in().rules() {
            let Some(sign) = rule.needed_sign() else { continue };
            for example in &rule.examples {
                for found in rule.regex().unwrap().find_iter(example.as_bytes()) {
                    count += 1;
                    assert!(example.as_bytes()[found.range()].contains(&sign), "{}", rule.name);
                }
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn what_may_be_left_out_is_not_needed() {
        let bits = |signs: &[u8]| signs.iter().fold(0, |bits, sign| bits | 1u128 << sign);
        for (pattern, signs) in [
            ("a=b", &b"ab="[..]),
            ("(?:=|a=)b?", b"="),
            ("(?P<secret>x){2}", b"x"),
            ("a*=+", b"="),
            ("[=:]|;", b""),
        ] {
            assert_eq!(needed_in(pattern), Some(bits(signs)), "{pattern}");
        }
    }
}
