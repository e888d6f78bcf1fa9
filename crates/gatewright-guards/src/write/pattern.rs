//! The path patterns of rules: `/` between components, `*` inside one, `**` for any number.
//!
//! A pattern is anchored at the workspace root unless it starts with `**/`. A
//! trailing `/**` also matches the directory's own name, so that a file cannot
//! take its place. Patterns match folded components, under every alias.

use super::fold::fold_text;

/// A compiled path pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Any,
    Literal(String),
    Wildcard(String),
}

/// A folded component with the protected names that it may be a short name of.
#[derive(Debug, Clone)]
pub(super) struct Component<'a> {
    /// The folded name.
    pub(super) name: &'a str,
    /// Other names that it may stand for.
    pub(super) aliases: &'a [String],
}

impl Component<'_> {
    /// The folded name and its aliases.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name).chain(self.aliases.iter().map(String::as_str))
    }

    fn matches(&self, part: &Part) -> bool {
        self.names().any(|name| part_matches(part, name))
    }
}

impl Pattern {
    /// Compiles a pattern. Every text is one.
    pub(super) fn new(text: &str) -> Self {
        let parts = fold_text(text)
            .split('/')
            .filter(|part| !part.is_empty())
            .map(|part| match part {
                "**" => Part::Any,
                part if part.contains('*') => Part::Wildcard(part.to_owned()),
                part => Part::Literal(part.to_owned()),
            })
            .collect();
        Self { parts }
    }

    /// The literal component that says most; what patterns are filed under.
    pub(super) fn key(&self) -> Option<&str> {
        self.literals().max_by_key(|literal| literal.len())
    }

    /// The literal components.
    pub(super) fn literals(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Literal(literal) => Some(literal.as_str()),
            Part::Any | Part::Wildcard(_) => None,
        })
    }

    /// Whether the path matches.
    pub(super) fn matches(&self, path: &[Component<'_>]) -> bool {
        match (self.parts.as_slice(), path.last()) {
            // The commonest shape looks at the last component alone.
            ([Part::Any, part], Some(last)) if *part != Part::Any => last.matches(part),
            (parts, _) => matches_from(parts, path),
        }
    }
}

fn matches_from(parts: &[Part], path: &[Component<'_>]) -> bool {
    let Some((part, rest)) = parts.split_first() else { return path.is_empty() };
    if *part == Part::Any {
        return rest.is_empty() || (0..=path.len()).any(|skip| matches_from(rest, &path[skip..]));
    }
    path.split_first()
        .is_some_and(|(component, below)| component.matches(part) && matches_from(rest, below))
}

fn part_matches(part: &Part, name: &str) -> bool {
    match part {
        Part::Any => true,
        Part::Literal(literal) => literal == name,
        Part::Wildcard(wildcard) => wildcard_matches(wildcard, name),
    }
}

/// Matches `*` against any run of characters.
fn wildcard_matches(wildcard: &str, name: &str) -> bool {
    let mut pieces = wildcard.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(start) => rest = &rest[start + piece.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::fold::fold_path;

    fn matches(pattern: &str, path: &str) -> bool {
        let folded = fold_path(path);
        let path: Vec<Component<'_>> =
            folded.iter().map(|name| Component { name, aliases: &[] }).collect();
        Pattern::new(pattern).matches(&path)
    }

    #[test]
    fn anchors_a_pattern_at_the_root() {
        assert!(matches("pom.xml", "pom.xml"));
        assert!(!matches("pom.xml", "a/pom.xml"));
        assert!(matches("**/pom.xml", "pom.xml"));
        assert!(matches("**/pom.xml", "a/b/POM.xml"));
    }

    #[test]
    fn covers_a_directory_and_its_own_name() {
        assert!(matches("**/.husky/**", ".husky"));
        assert!(matches("**/.husky/**", "a/.husky/b/c"));
        assert!(!matches("**/.husky/**", ".huskyrc"));
    }

    #[test]
    fn matches_a_star_inside_one_component() {
        assert!(matches("**/requirements*.txt", "requirements.txt"));
        assert!(matches("**/requirements*.txt", "a/requirements-dev.txt"));
        assert!(!matches("**/requirements*.txt", "requirements/a.txt"));
        assert!(matches("a*b*c", "aXbYbc"));
        assert!(!matches("a*b*c", "acb"));
        assert!(!matches("ab*bc", "abc"));
    }
}
