//! Names in capitals, and what follows `struct`: which of them refer to something.

use tree_sitter::Node;

use crate::references::words::is_word;

/// Whether a name stands for a value that only a macro or an enumeration can give.
pub(super) fn is_constant(source: &[u8], node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
    is_loud(text(source, node)) && is_value(source, node, ancestors)
}

/// Whether a name stands where a value does; what a macro gets may be anything.
fn is_value(source: &[u8], node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
    let Some(parent) = ancestors.last() else { return false };
    let is = |field: &str| {
        parent.child_by_field_name(field).is_some_and(|child| child.id() == node.id())
    };
    match parent.kind() {
        "argument_list" => {
            let call = ancestors.iter().rev().nth(1);
            let function = call.and_then(|call| call.child_by_field_name("function"));
            function.is_some_and(|function| {
                text(source, function).contains(|c: char| c.is_ascii_lowercase())
            })
        }
        "init_declarator" | "case_statement" | "subscript_argument_list" => is("value"),
        "assignment_expression" => is("right"),
        "binary_expression"
        | "return_statement"
        | "conditional_expression"
        | "parenthesized_expression"
        | "unary_expression" => true,
        _ => false,
    }
}

fn text<'a>(source: &'a [u8], node: Node<'_>) -> &'a str {
    std::str::from_utf8(source.get(node.byte_range()).unwrap_or_default()).unwrap_or_default()
}

/// Whether what is called is spelt like a macro and is handed to another: what that makes of it is
/// anybody's guess.
pub(super) fn is_macro_of_macro(source: &[u8], node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
    let is_macro = |name: &str| !name.contains(|c: char| c.is_ascii_lowercase());
    let mut around = ancestors.iter().rev().skip(1);
    let (Some(list), Some(call)) = (around.next(), around.next()) else { return false };
    let is_handed = list.kind() == "argument_list" && call.kind() == "call_expression";
    let function = call.child_by_field_name("function").filter(|_| is_handed);
    is_macro(text(source, node))
        && function.is_some_and(|function| is_macro(text(source, function)))
}

/// Whether a name is in capitals and has more than one word.
fn is_loud(name: &str) -> bool {
    name.contains('_')
        && name.starts_with(|first: char| first.is_ascii_uppercase())
        && !name.contains(|c: char| c.is_ascii_lowercase())
}

/// Whether the innermost ancestor only names a structure: it has no body, declares none by
/// standing alone, and makes none a friend.
pub(super) fn is_tag_reference(ancestors: &[Node<'_>]) -> bool {
    let mut around = ancestors.iter().rev();
    let (Some(of), Some(outer)) = (around.next(), around.next()) else { return false };
    let is_used = match outer.kind() {
        "declaration" | "field_declaration" => outer.child_by_field_name("declarator").is_some(),
        // What a template gets may be a tag that only tells types apart, and is declared by this.
        "type_descriptor" => around.next().is_none_or(|it| it.kind() != "template_argument_list"),
        "parameter_declaration" | "function_definition" => true,
        _ => false,
    };
    is_used && of.child_by_field_name("body").is_none()
}

/// Whether a name is the first that something in capitals gets: `TAILQ_HEAD(name, type) held;`
pub(super) fn is_handed_to_macro(source: &[u8], node: Node<'_>) -> bool {
    let before = source.get(..node.start_byte()).unwrap_or_default().trim_ascii_end();
    let Some(before) = before.strip_suffix(b"(") else { return false };
    let start = before.iter().rposition(|byte| !is_word(*byte)).map_or(0, |at| at + 1);
    std::str::from_utf8(&before[start..]).is_ok_and(is_loud)
}
