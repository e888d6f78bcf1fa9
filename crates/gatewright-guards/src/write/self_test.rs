//! Whether every rule catches its examples and leaves its counter-examples alone.

use gatewright_model::{FileChange, FileMode, FileState, Finding, Intent, RequestedPath};

use super::catalogue::{BUILTIN, RuleInfo, RuleSubject, catalogue};
use super::content::judge_content;
use super::fold::FoldedPath;
use super::name::{judge_names, judge_text};
use super::rules::WriteRules;

/// Tests every rule against its own examples and counter-examples.
///
/// Rules about the disk have examples in words, which only the tests of the
/// whole can try.
pub fn self_test() -> Result<(), Vec<String>> {
    let mut problems = BUILTIN.problems.clone();
    let mut codes: Vec<&str> = catalogue().map(|rule| rule.code.as_str()).collect();
    codes.sort_unstable();
    for pair in codes.windows(2).filter(|pair| pair[0] == pair[1]) {
        problems.push(format!("{}: the code is used twice", pair[0]));
    }
    catalogue().for_each(|rule| test_rule(rule, &mut problems));
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn test_rule(rule: &RuleInfo, problems: &mut Vec<String>) {
    let findings_of: fn(&str) -> Vec<Finding> = match rule.subject {
        RuleSubject::Path => judge_example_path,
        RuleSubject::Content => judge_example_content,
        RuleSubject::Disk => return,
    };
    let matches = |example: &String| {
        findings_of(example)
            .iter()
            .any(|finding| finding.code == rule.code && finding.severity == rule.severity)
    };
    for example in rule.examples.iter().filter(|example| !matches(example)) {
        problems.push(format!("{}: does not match its example {example:?}", rule.code));
    }
    for example in rule.counter_examples.iter().filter(|example| matches(example)) {
        problems.push(format!("{}: matches its counter-example {example:?}", rule.code));
    }
}

fn judge_example_path(path: &str) -> Vec<Finding> {
    let folded = FoldedPath::new(path);
    let mut findings = judge_text(&folded);
    findings.extend(judge_names(&folded, path, &WriteRules::builtin()));
    findings
}

fn judge_example_content(text: &str) -> Vec<Finding> {
    let change = FileChange {
        requested: RequestedPath::new("example.txt"),
        before: None,
        after: Some(FileState::new(text.as_bytes(), FileMode::REGULAR)),
        renamed_from: None,
        intent: Intent::Create,
    };
    judge_content(&change, None, &WriteRules::builtin())
}
