//! The leaves of a tree, with comments and strings told apart from code.

use gatewright_model::Span;

use super::kinds::{Kind, Kinds};
use super::parsed::Parsed;

/// What a token is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// A comment.
    Comment,
    /// The text of a string, a character, a regular expression or a heredoc.
    String,
    /// Code.
    Code,
}

/// One leaf of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Where it stands.
    pub span: Span,
    /// What it is part of.
    pub class: TokenClass,
    /// Whether the grammar spells it out, as it does keywords and signs.
    pub is_literal: bool,
    /// Whether the grammar leaves the code around it as loose tokens.
    pub in_opaque: bool,
}

/// The tokens that share a byte with a region.
pub(super) fn tokens(parsed: &Parsed, region: Span) -> Vec<Token> {
    let kinds = Kinds::of(parsed.language());
    let mut tokens = Vec::new();
    // The classes of the nodes on the way, as (depth, class) where it changes.
    let mut classes: Vec<(usize, TokenClass)> = Vec::new();
    let mut opaque_depth: Option<usize> = None;
    parsed.visit(|node, ancestors| {
        let depth = ancestors.len();
        if node.end_byte() <= region.start || region.end <= node.start_byte() {
            return false;
        }
        while classes.last().is_some_and(|(at, _)| *at >= depth) {
            classes.pop();
        }
        if opaque_depth.is_some_and(|at| at >= depth) {
            opaque_depth = None;
        }
        let kind = kinds.get(node);
        let is_comment = kind.is(Kind::COMMENT);
        if node.is_named() && is_comment {
            classes.push((depth, TokenClass::Comment));
        } else if node.is_named() && kind.is(Kind::STRING) {
            classes.push((depth, TokenClass::String));
        } else if kind.is(Kind::INTERPOLATION) {
            classes.push((depth, TokenClass::Code));
        }
        if opaque_depth.is_none() && kind.is(Kind::OPAQUE) {
            opaque_depth = Some(depth);
        }
        let is_leaf = is_comment || node.child_count() == 0;
        if is_leaf && node.start_byte() < node.end_byte() {
            tokens.push(Token {
                span: Span::new(node.start_byte(), node.end_byte()),
                class: classes.last().map_or(TokenClass::Code, |(_, class)| *class),
                is_literal: !node.is_named(),
                in_opaque: opaque_depth.is_some(),
            });
        }
        !is_leaf
    });
    tokens
}

impl Parsed {
    /// The tokens that share a byte with `span`.
    pub fn tokens_in(&self, span: Span) -> &[Token] {
        let tokens = self.tokens();
        let first = tokens.partition_point(|token| token.span.end <= span.start);
        let last = tokens.partition_point(|token| token.span.start < span.end);
        tokens.get(first..last).unwrap_or_default()
    }

    /// The tokens that share a byte with `span`, for one who asks once.
    pub(crate) fn tokens_around(&self, span: Span) -> Vec<Token> {
        tokens(self, span)
    }

    /// Whether a token of code, or a piece of a string in it, shares a byte with `span`.
    pub fn has_code_in(&self, span: Span) -> bool {
        self.tokens_in(span).iter().any(|token| token.class != TokenClass::Comment)
    }
}
