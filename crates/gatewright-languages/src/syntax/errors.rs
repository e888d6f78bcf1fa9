//! Syntax errors as a multiset without positions, so that two versions can be compared.

use std::collections::BTreeMap;

use gatewright_model::Span;
use tree_sitter::Node;

use super::parsed::Parsed;

/// How often each kind of syntax error occurs.
///
/// The key says what the parser stumbled over and where in the grammar, never
/// at which line, so moving code does not make an error new.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ErrorSignature {
    /// Counts by description.
    pub counts: BTreeMap<String, usize>,
}

impl ErrorSignature {
    /// How many errors there are.
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }
}

/// The errors of `after` that `before` does not have, with how many more there are.
pub fn new_errors(before: &ErrorSignature, after: &ErrorSignature) -> Vec<(String, usize)> {
    after
        .counts
        .iter()
        .filter_map(|(error, count)| {
            let known = before.counts.get(error).copied().unwrap_or(0);
            (*count > known).then(|| (error.clone(), count - known))
        })
        .collect()
}

/// Whether a node lacks something of which the tree shows nothing: the end of a line that parts
/// two statements has no node where the grammar hides it. The lines of a preprocessor end in ways
/// that grammars do not follow.
fn lacks_what_has_no_node(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.has_error()
        && !node.is_error()
        && !node.is_missing()
        && !node.kind().starts_with("preproc_")
        && node.children(&mut cursor).all(|child| !child.has_error() && !child.is_missing())
}

impl Parsed {
    /// Where the first syntax error starts.
    pub fn first_error(&self) -> Option<usize> {
        let mut first = None;
        self.visit(|node, _| {
            if first.is_none()
                && (node.is_error() || node.is_missing() || lacks_what_has_no_node(node))
            {
                first = Some(node.start_byte());
            }
            first.is_none() && node.has_error()
        });
        first.or_else(|| self.strays().first().map(|stray| stray.start))
    }

    /// The syntax errors of the tree.
    pub fn error_signature(&self) -> ErrorSignature {
        let mut signature = ErrorSignature::default();
        let mut add = |error: String| *signature.counts.entry(error).or_insert(0) += 1;
        self.visit(|node, ancestors| {
            if !node.has_error() && !node.is_missing() {
                return false;
            }
            let around = ancestors.last().map_or("file", |frame| frame.node.kind());
            if node.is_missing() {
                add(format!("missing {} in {around}", node.kind()));
            } else if node.is_error() {
                let first = node.child(0).map_or("text", |child| child.kind());
                add(format!("unexpected {first} in {around}"));
            } else if lacks_what_has_no_node(node) {
                add(format!("missing end of a line in {}", node.kind()));
            }
            true
        });
        self.strays()
            .into_iter()
            .for_each(|stray| add(format!("unexpected {} in file", self.text(stray))));
        signature
    }

    /// Words at the top of the file that close a block where none is open.
    fn strays(&self) -> Vec<Span> {
        let closers = self.language().language().closers;
        let mut strays = Vec::new();
        self.visit(|node, ancestors| {
            let span = Span::new(node.start_byte(), node.end_byte());
            let is_closer =
                || closers.iter().any(|it| it.as_bytes() == &self.source()[span.range()]);
            if ancestors.len() == 1 && is_closer() {
                strays.push(span);
            }
            ancestors.is_empty() && !closers.is_empty()
        });
        strays
    }
}
