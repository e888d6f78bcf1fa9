//! The hallucination guard: what a change refers to and does not exist is warned of.
//!
//! The facts say which references are missing and what stands near them; this
//! file gives each a code and the words. It never blocks by itself, and a file
//! that could not be looked at is said so instead of passing.

use gatewright_model::{Finding, Guard, MissingReference, ReferenceFacts, Severity};

/// The longest name that a message repeats whole.
const SHOWN: usize = 120;

/// The findings on one file change: a warning for each missing reference.
///
/// ```
/// use gatewright_guards::hallucination::judge;
/// use gatewright_model::ReferenceFacts;
/// assert!(judge("app.py", &ReferenceFacts::default()).is_empty());
/// assert_eq!(judge("app.py", &ReferenceFacts::not_checked())[0].code, "H000-not-checked");
/// ```
pub fn judge(path: &str, facts: &ReferenceFacts) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        facts.missing.iter().map(|missing| warning(path, missing)).collect();
    if !facts.complete {
        let message = "the references of this file were not all looked up";
        let code = "H000-not-checked";
        findings.push(Finding::new(Guard::Hallucination, Severity::Note, code, path, message));
    }
    findings
}

/// The stable code of a kind of reference.
pub fn code(kind: &str) -> &'static str {
    match kind {
        "module" => "H101-missing-module",
        "attribute" => "H103-missing-attribute",
        "call" => "H104-undefined-call",
        "class" => "H105-unknown-class",
        "member" => "H106-missing-member",
        "package" => "H107-invented-package",
        "argument" => "H108-unknown-argument",
        "broken" => "H109-broken-reference",
        _ => "H102-missing-name",
    }
}

fn warning(path: &str, missing: &MissingReference) -> Finding {
    let code = code(&missing.kind);
    let mut finding =
        Finding::new(Guard::Hallucination, Severity::Warn, code, path, message(missing));
    // The line of a broken use is a line of another file; the words name it.
    if missing.path == path || missing.kind != "broken" {
        finding = finding.at(missing.line, missing.col);
    }
    match hint(missing) {
        Some(hint) => finding.with_hint(hint),
        None => finding,
    }
}

fn message(missing: &MissingReference) -> String {
    let name: String = missing.name.chars().take(SHOWN).collect();
    match missing.kind.as_str() {
        "module" => format!("there is no module {name:?} in the workspace or its dependencies"),
        "package" => format!(
            "the package {name:?} is neither installed nor declared nor part of the workspace"
        ),
        "attribute" => format!("{name:?} does not exist in the module that it is asked of"),
        "call" => format!("{name:?} is called here but defined in no scope that is visible"),
        "class" => format!("there is no class or type {name:?} visible here"),
        "member" => format!("the class has no member {name:?}, nor has any of its bases"),
        "argument" => format!("the function takes no argument named {name:?}"),
        "broken" => format!(
            "{name:?} is no longer there, but {}:{} still uses it",
            missing.path, missing.line
        ),
        "import" => format!("{name:?} does not exist in the module that it is imported from"),
        _ => format!("{name:?} is defined in no scope that is visible here"),
    }
}

/// What to do next: the import that is lacking, or the names that are near.
fn hint(missing: &MissingReference) -> Option<String> {
    let place_of = |name: &str| missing.places.iter().find(|place| place.name == name);
    if let Some(place) = place_of(&missing.name) {
        let (path, line) = (&place.path, place.line);
        return Some(format!("it is defined at {path}:{line}; import it from there"));
    }
    let shown = |name: &String| match place_of(name) {
        Some(place) => format!("{name:?} ({}:{})", place.path, place.line),
        None => format!("{name:?}"),
    };
    let names: Vec<String> = missing.suggestions.iter().map(shown).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

#[cfg(test)]
mod tests {
    use gatewright_model::DefinitionPlace;

    use super::*;

    fn missing(kind: &str, suggestions: &[&str]) -> MissingReference {
        MissingReference {
            name: "fetch_all".to_owned(),
            path: "app.py".to_owned(),
            line: 3,
            col: 9,
            kind: kind.to_owned(),
            suggestions: suggestions.iter().map(|name| (*name).to_owned()).collect(),
            places: Vec::new(),
        }
    }

    fn at(name: &str, line: u32) -> DefinitionPlace {
        DefinitionPlace { name: name.to_owned(), path: "lib/all.py".to_owned(), line }
    }

    #[test]
    fn the_hint_says_where_a_near_name_lives() {
        let mut missing = missing("import", &["fetch", "fetch_one"]);
        missing.places = vec![at("fetch_one", 7)];
        let text = hint(&missing).unwrap();
        assert_eq!(text, "did you mean \"fetch\" or \"fetch_one\" (lib/all.py:7)?");
    }

    #[test]
    fn a_name_that_only_lacks_its_import_is_said_to() {
        let mut missing = missing("call", &["fetch"]);
        missing.places = vec![at("fetch_all", 7)];
        let text = hint(&missing).unwrap();
        assert_eq!(text, "it is defined at lib/all.py:7; import it from there");
    }

    #[test]
    fn a_missing_reference_is_a_warning_at_its_place_with_the_nearest_names() {
        let facts = ReferenceFacts {
            missing: vec![missing("attribute", &["fetch", "fetch_one"])],
            ..ReferenceFacts::default()
        };
        let findings = judge("app.py", &facts);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].severity, Severity::Warn);
        assert_eq!(findings[0].code, "H103-missing-attribute");
        assert_eq!((findings[0].line, findings[0].column), (Some(3), Some(9)));
        let hint = findings[0].hint.as_deref();
        assert_eq!(hint, Some("did you mean \"fetch\" or \"fetch_one\"?"));
    }

    #[test]
    fn a_broken_use_is_said_of_the_file_that_breaks_it_with_the_place_of_the_use() {
        let facts =
            ReferenceFacts { missing: vec![missing("broken", &[])], ..ReferenceFacts::default() };
        let finding = &judge("lib.py", &facts)[0];
        assert_eq!((finding.path.as_str(), finding.line), ("lib.py", None));
        assert!(finding.message.contains("app.py:3"), "{}", finding.message);
    }

    #[test]
    fn every_kind_has_a_code_of_its_own() {
        let kinds = [
            "module",
            "import",
            "attribute",
            "call",
            "class",
            "member",
            "package",
            "argument",
            "broken",
        ];
        let mut codes: Vec<_> = kinds.iter().map(|kind| code(kind)).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), kinds.len());
    }
}
