//! What the text of a path says: whether it can be a path of the workspace at
//! all, and which protected names it spells under which alias.

use gatewright_model::{Finding, Guard, PathProblem, RepoPath, Severity};

use super::catalogue::{BUILTIN, RuleInfo};
use super::code_points::{describe, hidden_in_line, is_control, shown};
use super::floor;
use super::fold::{FoldedPath, fold_path};
use super::pattern::Component;
use super::rules::WriteRules;
use super::short_names::stands_for_any_name;

/// The most bytes of a path that are looked at; the kernel takes no more.
pub(super) const LONGEST_PATH: usize = 4095;

/// Judges whether the text can be a path of the workspace.
pub(super) fn judge_text(path: &FoldedPath<'_>) -> Vec<Finding> {
    let text = path.spelled;
    let mut findings = Vec::new();
    let mut add = |code: &str, what: &str| {
        findings.push(floor::finding(code, text, &what.replace("{}", &shown(text))))
    };
    if let Some(control) = text.chars().find(|character| breaks_a_line(*character)) {
        add(floor::CONTROL, &format!("\"{{}}\" holds {}", describe(control)));
    }
    if let Some(hidden) = hidden_in_line(text, false).first() {
        add(floor::SPOOFED, &format!("\"{{}}\" holds {}", describe(hidden.character)));
    }
    if steps_up(path) {
        add(floor::PARENT, "\"{}\" has a \"..\" component, or what some system takes for one");
    }
    if path.text.split('/').any(is_dots_only) {
        add(floor::DOTS_ONLY, "\"{}\" has a component of nothing but dots");
    }
    if is_absolute(&path.text) {
        add(floor::ABSOLUTE, "\"{}\" is an absolute path");
    }
    if is_home(&path.text) {
        add(floor::HOME, "\"{}\" names a home directory");
    }
    match RepoPath::parse(text) {
        Err(PathProblem::TooLong) => add(floor::TOO_LONG, "the path is too long"),
        Err(PathProblem::Empty | PathProblem::Directory) => {
            add(floor::NO_FILE_NAME, "\"{}\" ends without a name")
        }
        Err(PathProblem::Absolute | PathProblem::ParentComponent | PathProblem::Nul) | Ok(_) => {}
    }
    findings
}

fn breaks_a_line(character: char) -> bool {
    is_control(character) || matches!(character, '\u{2028}' | '\u{2029}')
}

/// Whether a folded component is three dots or more and nothing else but spaces.
fn is_dots_only(component: &str) -> bool {
    let dots = component.bytes().filter(|byte| *byte == b'.').count();
    dots > 2 && component.bytes().all(|byte| matches!(byte, b'.' | b' '))
}

/// Whether a component is `..`, in a folded or in a percent-encoded spelling.
fn steps_up(path: &FoldedPath<'_>) -> bool {
    let has_parent = |components: &[String]| components.iter().any(|component| component == "..");
    let is_encoded = path.text.contains('%');
    has_parent(&path.components)
        || (is_encoded && has_parent(&fold_path(&percent_decoded(&path.text))))
}

/// Decodes `%2e`, `%2f` and `%5c`, which is all that a step up is made of.
fn percent_decoded(text: &str) -> String {
    let mut decoded = text.to_owned();
    // A percent sign may itself be encoded, once or more often.
    while decoded.contains("%25") {
        decoded = decoded.replace("%25", "%");
    }
    decoded.replace("%2e", ".").replace("%2f", "/").replace("%5c", "/")
}

/// Whether some system takes the text for a path from a root: a leading
/// separator, a drive, or a file address.
fn is_absolute(folded: &str) -> bool {
    let mut start = folded.chars();
    let is_drive = start.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && start.next() == Some(':');
    folded.starts_with('/') || is_drive || folded.starts_with("file:/")
}

fn is_home(folded: &str) -> bool {
    let (first, is_directory) = match folded.split_once('/') {
        Some((first, _)) => (first, true),
        None => (folded, false),
    };
    let is_variable = matches!(
        first,
        "$home" | "${home}" | "%userprofile%" | "%homepath%" | "%appdata%" | "$env:userprofile"
    );
    first == "~" || is_variable || (is_directory && first.starts_with('~'))
}

/// Judges the protected names that a path spells.
///
/// `requested` is the path as it was asked for; where `folded` is what it
/// resolved to, the two differ and the message shows both.
pub(super) fn judge_names(
    folded: &FoldedPath<'_>,
    requested: &str,
    rules: &WriteRules,
) -> Vec<Finding> {
    let text = folded.spelled;
    let path = BUILTIN.components(&folded.components);
    let place = place_of(text, requested);
    let mut findings = Vec::new();
    if !BUILTIN.problems.is_empty() {
        findings.push(floor::finding(
            floor::BROKEN_CATALOGUE,
            requested,
            &BUILTIN.problems.join("; "),
        ));
    }
    if path.iter().any(is_git) {
        findings.push(floor::finding(
            floor::GIT,
            requested,
            &format!("{place} is inside git's own directory"),
        ));
    }
    if path.iter().any(is_own) {
        findings.push(floor::finding(
            floor::OWN,
            requested,
            &format!("{place} is Gatewright's own"),
        ));
    }
    if let Some(pattern) = rules.blocking_path(folded) {
        findings.push(floor::finding(
            floor::BLOCKED_PATH,
            requested,
            &format!("{place} matches {pattern:?}"),
        ));
    }
    let mut asking = matched_rules(&path, requested, &place);
    if asking.is_empty() && findings.is_empty() && BUILTIN.is_unknown_dotfile(&path) {
        asking.push(floor::finding(
            floor::DOTFILE,
            requested,
            &format!("{place} is a dotfile of the workspace root"),
        ));
    }
    if rules.allows(text) {
        asking.iter_mut().for_each(soften);
    }
    findings.append(&mut asking);
    findings
}

fn place_of(text: &str, requested: &str) -> String {
    if text == requested {
        shown(text)
    } else {
        format!("{} leads to {}, which", shown(requested), shown(text))
    }
}

fn matched_rules(path: &[Component<'_>], requested: &str, place: &str) -> Vec<Finding> {
    BUILTIN.matching(path).into_iter().map(|rule| rule_finding(rule, requested, place)).collect()
}

fn rule_finding(rule: &RuleInfo, requested: &str, place: &str) -> Finding {
    let message = format!("{place} is guarded ({}): {}", rule.group, rule.reason);
    let finding = Finding::new(Guard::Write, rule.severity, rule.code.as_str(), requested, message);
    match (&rule.hint, rule.severity) {
        (Some(hint), _) => finding.with_hint(hint.as_str()),
        (None, Severity::Confirm) => finding.with_hint(
            "a person confirms these bytes at this place, or the user lists it in write.allow_paths",
        ),
        (None, _) => finding,
    }
}

/// Turns a confirmation into a note, for a path that the user allows. Never touches a refusal.
fn soften(finding: &mut Finding) {
    if finding.severity == Severity::Confirm {
        finding.severity = Severity::Note;
        finding.message.push_str(" (allowed by write.allow_paths)");
        finding.hint = None;
    }
}

fn is_git(component: &Component<'_>) -> bool {
    component.names().any(|name| name == ".git") || stands_for_any_name(component.name)
}

fn is_own(component: &Component<'_>) -> bool {
    component.names().any(|name| matches!(name, "gatewright.toml" | ".gatewright"))
}
