//! Which places in a syntax tree declare the name that stands there.

use tree_sitter::Node;

/// What declares names without saying what they stand for.
pub(super) const UNTYPED: [&str; 9] = [
    "for_in_statement",
    "catch_clause",
    "arrow_function",
    "formal_parameters",
    "array_pattern",
    "rest_pattern",
    "pair_pattern",
    "assignment_pattern",
    "object_assignment_pattern",
];

/// Whether an identifier declares the name that it is.
pub(super) fn is_declaration(node: Node<'_>, parent: Node<'_>, ancestors: &[Node<'_>]) -> bool {
    let is = |field: &str| {
        parent.child_by_field_name(field).is_some_and(|child| child.id() == node.id())
    };
    match parent.kind() {
        "variable_declarator"
        | "function_declaration"
        | "function_expression"
        | "generator_function"
        | "generator_function_declaration"
        | "class_declaration"
        | "class"
        | "abstract_class_declaration"
        | "interface_declaration"
        | "type_alias_declaration"
        | "enum_declaration"
        | "type_parameter"
        | "mapped_type_clause"
        | "internal_module"
        | "module"
        | "function_signature"
        | "index_signature"
        | "tuple_parameter"
        | "optional_tuple_parameter"
        | "namespace_import" => is("name") || parent.kind() == "namespace_import",
        "import_alias" => parent.named_child(0).is_some_and(|first| first.id() == node.id()),
        "required_parameter" | "optional_parameter" => is("pattern") || is("name"),
        "catch_clause" | "arrow_function" => is("parameter"),
        "formal_parameters"
        | "array_pattern"
        | "rest_pattern"
        | "infer_type"
        | "import_clause"
        | "import_require_clause"
        | "type_predicate"
        | "asserts" => parent.kind() != "type_predicate" || is("name"),
        "pair_pattern" => is("value"),
        "assignment_pattern" | "object_assignment_pattern" => is("left"),
        "for_in_statement" => is("left"),
        "nested_identifier" => {
            ancestors.iter().any(|node| matches!(node.kind(), "internal_module" | "module"))
        }
        "import_specifier" => {
            is("alias") || is("name") && parent.child_by_field_name("alias").is_none()
        }
        _ => false,
    }
}
