//! The kinds of nodes by their numbers: to compare the names of kinds takes longer than most of
//! what a walk does with a node.

use std::sync::OnceLock;

use tree_sitter::Node;

use crate::syntax::LanguageId;

/// What a node is, as far as the walk tells kinds apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A kind that the walk treats like any other.
    Other,
    AsPatternTarget,
    Assignment,
    Attribute,
    AugmentedAssignment,
    Call,
    CasePattern,
    ClassDefinition,
    Comprehension,
    DecoratedDefinition,
    DeleteStatement,
    Error,
    ExceptClause,
    ForClause,
    FunctionDefinition,
    GlobalStatement,
    Identifier,
    IfClause,
    Import,
    ImportFrom,
    KeywordArgument,
    Lambda,
    /// What refers to nothing.
    Leaf,
    MatchStatement,
    NamedExpression,
    /// Signs around names that stand for what stands inside, where a class is meant.
    Nest,
    ReturnStatement,
    TryStatement,
    Type,
    TypeAlias,
    WithItem,
    Yield,
}

/// As the grammar spells them.
const NAMES: [(&str, Kind); 53] = [
    ("as_pattern", Kind::Nest),
    ("as_pattern_target", Kind::AsPatternTarget),
    ("assignment", Kind::Assignment),
    ("attribute", Kind::Attribute),
    ("augmented_assignment", Kind::AugmentedAssignment),
    ("binary_operator", Kind::Nest),
    ("call", Kind::Call),
    ("case_pattern", Kind::CasePattern),
    ("class_definition", Kind::ClassDefinition),
    ("comment", Kind::Leaf),
    ("decorated_definition", Kind::DecoratedDefinition),
    ("delete_statement", Kind::DeleteStatement),
    ("dictionary_comprehension", Kind::Comprehension),
    ("elif_clause", Kind::IfClause),
    ("except_clause", Kind::ExceptClause),
    ("expression_list", Kind::Nest),
    ("false", Kind::Leaf),
    ("float", Kind::Leaf),
    ("for_in_clause", Kind::ForClause),
    ("for_statement", Kind::ForClause),
    ("function_definition", Kind::FunctionDefinition),
    ("future_import_statement", Kind::ImportFrom),
    ("generator_expression", Kind::Comprehension),
    ("generic_type", Kind::Type),
    ("global_statement", Kind::GlobalStatement),
    ("identifier", Kind::Identifier),
    ("if_statement", Kind::IfClause),
    ("import_from_statement", Kind::ImportFrom),
    ("import_statement", Kind::Import),
    ("integer", Kind::Leaf),
    ("keyword_argument", Kind::KeywordArgument),
    ("lambda", Kind::Lambda),
    ("list", Kind::Nest),
    ("list_comprehension", Kind::Comprehension),
    ("match_statement", Kind::MatchStatement),
    ("member_type", Kind::Type),
    ("named_expression", Kind::NamedExpression),
    ("none", Kind::Leaf),
    ("nonlocal_statement", Kind::GlobalStatement),
    ("parenthesized_expression", Kind::Nest),
    ("return_statement", Kind::ReturnStatement),
    ("set_comprehension", Kind::Comprehension),
    ("string_content", Kind::Leaf),
    ("subscript", Kind::Nest),
    ("true", Kind::Leaf),
    ("try_statement", Kind::TryStatement),
    ("tuple", Kind::Nest),
    ("type", Kind::Type),
    ("type_alias_statement", Kind::TypeAlias),
    ("type_parameter", Kind::Type),
    ("union_type", Kind::Type),
    ("with_item", Kind::WithItem),
    ("yield", Kind::Yield),
];

impl Kind {
    /// What a node is.
    pub(super) fn of(node: Node<'_>) -> Self {
        static KINDS: OnceLock<Box<[Kind]>> = OnceLock::new();
        let kinds = KINDS.get_or_init(|| {
            let grammar = (LanguageId::Python.language().grammar)();
            let number = |number: usize| u16::try_from(number).ok();
            let named = |number| Self::named(grammar.node_kind_for_id(number)?);
            let kind = |at| number(at).and_then(named).unwrap_or(Self::Other);
            (0..grammar.node_kind_count()).map(kind).collect()
        });
        // Errors have a number of their own beyond all kinds of a grammar.
        kinds
            .get(usize::from(node.kind_id()))
            .copied()
            .unwrap_or_else(|| if node.is_error() { Self::Error } else { Self::Other })
    }

    fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Parsed;

    #[test]
    fn every_kind_has_a_name_that_the_grammar_gives() {
        let grammar = (LanguageId::Python.language().grammar)();
        for (name, _) in NAMES {
            let is_known = (0..grammar.node_kind_count())
                .any(|number| grammar.node_kind_for_id(number as u16) == Some(name));
            assert!(is_known, "{name}");
        }
    }

    #[test]
    fn nodes_are_told_apart_by_number_as_by_name() {
        let text =
            b"@a.b\ndef f(x: int = (yield)) -> C:\n    global y\n    return [x for x in y]\n\
            class = = 3\nwith a as b: del c\n";
        let parsed = Parsed::new(LanguageId::Python, text).unwrap();
        let mut errors = 0;
        parsed.visit(|node, _| {
            let named = Kind::named(node.kind()).unwrap_or(Kind::Other);
            let named = if node.is_error() { Kind::Error } else { named };
            errors += usize::from(named == Kind::Error);
            assert_eq!(Kind::of(node), named, "{}", node.kind());
            true
        });
        assert!(errors > 0);
    }
}
