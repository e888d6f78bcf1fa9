//! What can be said without a server: uses by name alone, and syntax errors.

use super::project::Project;
use super::questions::{Diagnostic, Use};
use super::verify::places_of;
use crate::syntax::{Parsed, TokenClass};

/// The most syntax errors that are listed.
const ERRORS: usize = 100;

/// Every place in code that has a name, whatever it stands for there.
pub fn uses_by_name(project: &Project, name: &str) -> Vec<Use> {
    let mut uses = Vec::new();
    for (path, file) in project.naming(name) {
        let Ok(parsed) = Parsed::new(file.language, file.text.as_bytes()) else { continue };
        let places = places_of(&parsed, &file.text, name);
        for place in places.into_iter().filter(|place| place.class == TokenClass::Code) {
            let (line, column) = parsed.lines().position(place.offset);
            uses.push(Use { path: path.to_owned(), line, column });
        }
    }
    uses
}

/// The syntax errors of a file, where the parser stumbled.
pub fn syntax_errors(parsed: &Parsed) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    parsed.visit(|node, _| {
        if errors.len() >= ERRORS || (!node.has_error() && !node.is_missing()) {
            return false;
        }
        let message = if node.is_missing() {
            format!("{} is missing", node.kind())
        } else if node.is_error() {
            "this does not parse".to_owned()
        } else {
            return true;
        };
        let (line, column) = parsed.lines().position(node.start_byte());
        let code = Some("syntax".to_owned());
        errors.push(Diagnostic { line, column, severity: "error", code, message });
        // What lies in an error is part of it.
        !node.is_error()
    });
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::project::ProjectFile;
    use crate::syntax::LanguageId;

    #[test]
    fn uses_are_found_in_code_alone() {
        let text = "# total\ntotal = 'total'\nprint(total)\n";
        let file = ProjectFile { language: LanguageId::Python, text: text.into() };
        let project = Project { files: [("a.py".to_owned(), file)].into() };
        let lines: Vec<usize> = uses_by_name(&project, "total").iter().map(|u| u.line).collect();
        assert_eq!(lines, [2, 3]);
    }

    #[test]
    fn syntax_errors_have_places() {
        let parsed = Parsed::new(LanguageId::Python, b"x = 1\ny = (\n").expect("a parse");
        let errors = syntax_errors(&parsed);
        assert!(errors.iter().any(|error| error.line >= 2), "{errors:?}");
        let clean = Parsed::new(LanguageId::Python, b"x = 1\n").expect("a parse");
        assert_eq!(syntax_errors(&clean), []);
    }
}
