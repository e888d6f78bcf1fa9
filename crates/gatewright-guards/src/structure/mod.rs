//! The structural gate: a text edit that is really a structural edit is refused.
//!
//! The facts say what an edit cuts, loses or tears apart; this file gives it a
//! code, the words, and the call to make instead. There is no bypass.

use gatewright_model::{
    EditShape, Finding, Guard, LostDefinition, Severity, Structural, StructureFacts,
    StructureProblem,
};

/// How many lost definitions a message lists before it counts the rest.
const LISTED: usize = 8;

/// The findings on one file change. No problem, no finding.
///
/// ```
/// use gatewright_guards::structure::judge;
/// use gatewright_model::StructureFacts;
/// assert!(judge("notes.md", &StructureFacts::default()).is_empty());
/// ```
pub fn judge(path: &str, facts: &StructureFacts) -> Vec<Finding> {
    let language = facts.language.as_deref().unwrap_or("source");
    facts.problems.iter().map(|problem| finding(path, language, problem)).collect()
}

fn finding(path: &str, language: &str, problem: &StructureProblem) -> Finding {
    if let Structural::AnnotationsLost { annotations } = &problem.found {
        return told(path, problem, annotations);
    }
    let hint = hint(path, problem);
    let first = first_line(language, problem);
    let message = match is_text(problem) {
        true => format!("{first}\n{hint}"),
        false => format!(
            "{first}\nStructural edits must use symbol tools — the LSP knows the exact range.\n{hint}"
        ),
    };
    let code = code(&problem.found);
    let finding =
        Finding::new(Guard::Structure, Severity::Refuse, code, path, message).with_hint(hint);
    match problem.line {
        Some(line) => finding.at_line(line),
        None => finding,
    }
}

/// What a symbol edit takes off a definition: told, because nobody may have meant it.
fn told(path: &str, problem: &StructureProblem, annotations: &[String]) -> Finding {
    let name = problem.symbol.as_deref().unwrap_or("the symbol");
    let message = format!("{name:?} is no longer under {}.", annotations.join(", "));
    let code = code(&problem.found);
    let finding = Finding::new(Guard::Structure, Severity::Note, code, path, message);
    match problem.line {
        Some(line) => finding.at_line(line),
        None => finding,
    }
}

/// The stable code of what was found.
pub fn code(found: &Structural) -> &'static str {
    match found {
        Structural::NotParsed { .. } => "S100-not-parsed",
        Structural::Keyword { .. } => "S101-definition-keyword",
        Structural::HeadCut { .. } => "S102-head-cut",
        Structural::Vanish { .. } => "S103-definitions-vanish",
        Structural::Elision { .. } => "S104-elision",
        Structural::Batch { .. } => "S105-batch",
        Structural::Splice { .. } => "S106-splice",
        Structural::Redefinition => "S107-redefinition",
        Structural::SwappedHeads { .. } => "S108-swapped-heads",
        Structural::AnnotationsLost { .. } => "S109-annotations-lost",
        Structural::SpeltLineBreaks => "S110-spelt-line-breaks",
    }
}

fn first_line(language: &str, problem: &StructureProblem) -> String {
    let name = problem.symbol.as_deref().map(|symbol| format!(" ({symbol:?})")).unwrap_or_default();
    match &problem.found {
        Structural::Keyword { keyword } => format!(
            "edit_file blocked: old_string contains a {language} definition keyword (\"{keyword} \")."
        ),
        Structural::HeadCut { kind } => format!(
            "edit_file blocked: old_string cuts through the head of a {language} {kind}{name}."
        ),
        Structural::Batch { lines } => format!(
            "edit_file blocked: these edits together rewrite one {language} definition{name}, its head included (lines {}).",
            numbers(lines)
        ),
        Structural::SwappedHeads { other } => format!(
            "edit_file blocked: these edits put the body of a {language} definition{name} under the head of {other:?}."
        ),
        Structural::Vanish { definitions } => format!(
            "overwrite blocked: {} of this {language} file would vanish: {}.",
            counted(definitions.len()),
            list(definitions)
        ),
        Structural::Elision { text } => format!(
            "overwrite blocked: the new {language} text leaves code out ({text:?}); write all of it, or change one symbol."
        ),
        Structural::Splice { definitions } if definitions.is_empty() => format!(
            "edit_file blocked: new_string puts a definition into a {language} function{name} and breaks its syntax."
        ),
        Structural::Splice { definitions } => format!(
            "edit_file blocked: new_string would move or lose {} of this {language} file: {}.",
            counted(definitions.len()),
            list(definitions)
        ),
        Structural::Redefinition => format!(
            "edit_file blocked: new_string defines a {language} symbol{name} that is defined already."
        ),
        Structural::SpeltLineBreaks => format!(
            "edit_file blocked: new_string spells line breaks as two characters (\"\\n\"), which breaks this {language} file; send real line breaks."
        ),
        Structural::AnnotationsLost { annotations } => annotations.join(", "),
        Structural::NotParsed { reason } => {
            format!("edit_file blocked: the {language} file cannot be parsed: {reason}.")
        }
    }
}

/// Whether the edit would be none of structure if it were sent as it was meant.
fn is_text(problem: &StructureProblem) -> bool {
    problem.found == Structural::SpeltLineBreaks && problem.call.is_none()
}

fn numbers(lines: &[u32]) -> String {
    let lines: Vec<String> = lines.iter().take(LISTED).map(u32::to_string).collect();
    lines.join(", ")
}

fn counted(count: usize) -> String {
    if count == 1 { "1 definition".to_owned() } else { format!("{count} definitions") }
}

fn list(definitions: &[LostDefinition]) -> String {
    let mut text: Vec<String> = definitions
        .iter()
        .take(LISTED)
        .map(|lost| format!("{} {} (line {})", lost.kind, lost.symbol, lost.line))
        .collect();
    if definitions.len() > LISTED {
        text.push(format!("and {} more", definitions.len() - LISTED));
    }
    text.join(", ")
}

/// The shape that the hint names. What takes a part of a definition out does not take the
/// definition out: there the call says what to do.
fn shape(problem: &StructureProblem) -> EditShape {
    match &problem.call {
        Some(call) if problem.shape == EditShape::Remove => call.action,
        _ => problem.shape,
    }
}

/// The last line: the call to make, by the shape of the edit, with the symbol where it is known.
fn hint(path: &str, problem: &StructureProblem) -> String {
    if is_text(problem) {
        return format!(
            "Use: edit_file(path={path:?}, old_string=..., new_string=...) with real line breaks"
        );
    }
    let known = problem.call.as_ref().map(|call| call.symbol.as_str());
    let target = match known.or(problem.symbol.as_deref()) {
        Some(symbol) => format!("symbol={symbol:?}, path={path:?}"),
        None => "symbol, path".to_owned(),
    };
    match shape(problem) {
        EditShape::Replace => format!(
            "Use: edit_code({target}, action=\"replace\", body=...) — replaces the symbol body via LSP"
        ),
        EditShape::Insert => format!(
            "Use: edit_code({target}, action=\"insert\", body=...) — inserts beside the symbol via LSP"
        ),
        EditShape::Remove => {
            format!("Use: edit_code({target}, action=\"remove\") — removes the symbol via LSP")
        }
    }
}

#[cfg(test)]
mod tests {
    use gatewright_model::SymbolCall;

    use super::*;

    fn problem(found: Structural, symbol: Option<&str>, shape: EditShape) -> StructureProblem {
        StructureProblem {
            found,
            line: Some(3),
            symbol: symbol.map(str::to_owned),
            shape,
            call: None,
        }
    }

    fn judged(problem: StructureProblem) -> Finding {
        let facts = StructureFacts {
            language: Some("Rust".to_owned()),
            problems: vec![problem],
            calls: Vec::new(),
        };
        judge("src/lib.rs", &facts).remove(0)
    }

    fn keyword() -> Structural {
        Structural::Keyword { keyword: "fn".to_owned() }
    }

    #[test]
    fn a_keyword_without_a_known_symbol_gives_the_text_of_the_design() {
        let finding = judged(problem(keyword(), None, EditShape::Replace));
        assert_eq!(
            finding.message,
            "edit_file blocked: old_string contains a Rust definition keyword (\"fn \").\n\
             Structural edits must use symbol tools — the LSP knows the exact range.\n\
             Use: edit_code(symbol, path, action=\"replace\", body=...) — replaces the symbol body via LSP"
        );
        assert_eq!(finding.code, "S101-definition-keyword");
        assert_eq!(finding.severity, Severity::Refuse);
        assert_eq!(finding.line, Some(3));
    }

    #[test]
    fn the_hint_follows_the_shape_and_names_the_symbol() {
        let insert = judged(problem(keyword(), Some("Widget/label"), EditShape::Insert));
        assert!(insert.hint.unwrap().contains(
            "edit_code(symbol=\"Widget/label\", path=\"src/lib.rs\", action=\"insert\", body=...)"
        ));
        let remove = judged(problem(keyword(), Some("add"), EditShape::Remove));
        assert!(remove.hint.unwrap().contains("action=\"remove\")"));
    }

    #[test]
    fn no_hint_removes_a_symbol_that_the_call_keeps() {
        let part = SymbolCall {
            symbol: "outer".to_owned(),
            overload: None,
            path: "src/lib.rs".to_owned(),
            action: EditShape::Replace,
            position: None,
            whole: false,
            body: Some("fn outer() {}".to_owned()),
        };
        let cut = problem(keyword(), Some("outer/inner"), EditShape::Remove);
        let finding = judged(StructureProblem { call: Some(part), ..cut });
        let hint = finding.hint.unwrap();
        assert!(hint.contains("symbol=\"outer\"") && hint.contains("\"replace\""), "{hint}");
    }

    #[test]
    fn lost_definitions_are_listed_and_the_rest_counted() {
        let lost = |number: u32| LostDefinition {
            symbol: format!("f{number}"),
            kind: "function".to_owned(),
            line: number,
        };
        let found = Structural::Vanish { definitions: (1..=10).map(lost).collect() };
        let message = judged(problem(found, None, EditShape::Remove)).message;
        assert!(message.starts_with("overwrite blocked: 10 definitions of this Rust file"));
        assert!(message.contains("function f1 (line 1), function f2 (line 2)"));
        assert!(message.contains("and 2 more"));
    }

    #[test]
    fn annotations_that_go_are_told_and_nothing_is_refused() {
        let found = Structural::AnnotationsLost { annotations: vec!["@cache".to_owned()] };
        let finding = judged(problem(found, Some("a"), EditShape::Replace));
        assert_eq!(
            (finding.severity, finding.code.as_str()),
            (Severity::Note, "S109-annotations-lost")
        );
        assert_eq!(finding.message, "\"a\" is no longer under @cache.");
    }

    #[test]
    fn spelt_line_breaks_name_the_tool_that_does_it() {
        let text = judged(problem(Structural::SpeltLineBreaks, None, EditShape::Replace));
        assert_eq!(
            (text.severity, text.code.as_str()),
            (Severity::Refuse, "S110-spelt-line-breaks")
        );
        assert!(text.hint.unwrap().starts_with("Use: edit_file("));
        assert!(!text.message.contains("symbol tools"), "{}", text.message);
    }

    #[test]
    fn a_parse_that_could_not_run_is_refused() {
        let found = Structural::NotParsed { reason: "too long".to_owned() };
        let finding = judged(problem(found, None, EditShape::Replace));
        assert_eq!(finding.severity, Severity::Refuse);
        assert_eq!(finding.code, "S100-not-parsed");
    }
}
