//! Runs a rule on its own examples and counter-examples.

use super::matching;
use super::rule::Rule;

/// One way in which a rule disagrees with its own file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The name of the rule.
    pub rule: String,
    /// The provider that it stands under.
    pub provider: String,
    /// What is wrong, with the text concerned.
    pub reason: String,
}

/// Every example that `rule` misses, every counter-example that it hits.
pub fn test_rule(rule: &Rule) -> Vec<Failure> {
    if rule.regex().is_none() {
        let error = rule.compile_error().unwrap_or_default();
        return vec![failure(rule, format!("the pattern does not compile: {error}"))];
    }
    let missed = rule
        .examples
        .iter()
        .filter(|example| matching::find_all(rule, example.as_bytes()).is_empty())
        .map(|example| failure(rule, format!("does not match its example {example:?}")));
    let wrong = rule
        .counter_examples
        .iter()
        .filter(|example| !matching::find_all(rule, example.as_bytes()).is_empty())
        .map(|example| failure(rule, format!("matches its counter-example {example:?}")));
    let documented = rule
        .documented
        .iter()
        .filter(|value| !matching::find_all(rule, value.as_bytes()).is_empty())
        .map(|value| failure(rule, format!("matches the documented value {value:?}")));
    missed.chain(wrong).chain(documented).collect()
}

fn failure(rule: &Rule, reason: String) -> Failure {
    Failure { rule: rule.name.clone(), provider: rule.provider.clone(), reason }
}
