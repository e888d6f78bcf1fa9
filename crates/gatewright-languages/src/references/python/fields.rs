//! The fields of the grammar by their numbers: to look a number up by its name takes longer than
//! to follow the field.

use std::sync::OnceLock;

use tree_sitter::Node;

use crate::syntax::LanguageId;

/// A field of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Alias,
    Arguments,
    Attribute,
    Body,
    Condition,
    Definition,
    Function,
    Left,
    ModuleName,
    Name,
    Object,
    Parameters,
    ReturnType,
    Right,
    Subject,
    Superclasses,
    Type,
    TypeParameters,
    Value,
}

/// As the grammar spells them, in the order of [`Field`].
const NAMES: [&str; 19] = [
    "alias",
    "arguments",
    "attribute",
    "body",
    "condition",
    "definition",
    "function",
    "left",
    "module_name",
    "name",
    "object",
    "parameters",
    "return_type",
    "right",
    "subject",
    "superclasses",
    "type",
    "type_parameters",
    "value",
];

impl Field {
    /// What a node has in this field.
    pub(super) fn of<'tree>(self, node: Node<'tree>) -> Option<Node<'tree>> {
        static NUMBERS: OnceLock<[u16; NAMES.len()]> = OnceLock::new();
        let numbers = NUMBERS.get_or_init(|| {
            let grammar = (LanguageId::Python.language().grammar)();
            // No field has the number 0.
            NAMES.map(|name| grammar.field_id_for_name(name).map_or(0, |number| number.get()))
        });
        node.child_by_field_id(numbers[self as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_the_name_that_the_grammar_gives_it() {
        let grammar = (LanguageId::Python.language().grammar)();
        for name in NAMES {
            assert!(grammar.field_id_for_name(name).is_some(), "{name}");
        }
        assert_eq!(NAMES[Field::Value as usize], "value");
        assert_eq!(NAMES[Field::ModuleName as usize], "module_name");
        assert_eq!(NAMES[Field::ReturnType as usize], "return_type");
    }
}
