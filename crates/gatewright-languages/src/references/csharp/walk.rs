//! From the syntax tree of a file to the names that it uses.

use tree_sitter::Node;

use super::branches;
use super::facts::{Called, Name, Reference, Target, Used};
use crate::syntax::{LanguageId, Parsed};

/// What a file uses; `None` when it cannot be parsed, or nests too deep to be asked.
pub(super) fn read(source: &[u8]) -> Option<Used> {
    let source = &branches::without_marks(source);
    let (kept, left_out) = branches::first(source);
    let source = kept.as_deref().unwrap_or(source);
    let parsed = Parsed::new(LanguageId::CSharp, source).ok()?;
    let mut walker = Walker { source, used: Used::default() };
    walker.used.declared.extend(left_out);
    if !parsed.visit_inside(|node, around| walker.node(node, around)) {
        return None;
    }
    Some(walker.used)
}

struct Walker<'a> {
    source: &'a [u8],
    used: Used,
}

/// Words that look like the name of a type and are none.
const NO_TYPES: [&str; 12] = [
    "var",
    "dynamic",
    "nint",
    "nuint",
    "notnull",
    "unmanaged",
    "managed",
    "_",
    "field",
    "value",
    "default",
    "global",
];

impl<'a> Walker<'a> {
    fn text(&self, node: Node<'_>) -> &'a str {
        let bytes = self.source.get(node.byte_range()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default().trim_start_matches('@')
    }

    fn refer(&mut self, target: Target, offset: usize) {
        self.used.references.push(Reference { target, offset });
    }

    /// Notes one node; whether to go below.
    fn node(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
        match node.kind() {
            "using_directive" | "explicit_interface_specifier" | "extern_alias_directive" => {
                return false;
            }
            "ERROR" => return self.spoilt(node),
            "type_parameter" => self.declare(node, "name"),
            "local_function_statement" | "from_clause" => self.declare(node, "name"),
            "foreach_statement" => self.for_each(node, ancestors),
            "variable_declarator" => self.variable(node, ancestors),
            "parameter"
            | "catch_declaration"
            | "declaration_expression"
            | "declaration_pattern"
            | "recursive_pattern"
            | "var_pattern"
            | "tuple_element"
            | "list_pattern" => {
                self.typed(node, ancestors);
            }
            "implicit_parameter" => self.used.value(scope(ancestors), self.text(node), None),
            "parenthesized_variable_designation"
            | "tuple_pattern"
            | "let_clause"
            | "join_clause"
            | "join_into_clause"
            | "query_expression"
            | "bracketed_parameter_list"
            | "parameter_list" => self.names(node, ancestors),
            "member_access_expression" => self.member(node, ancestors),
            "member_binding_expression" => self.binding(node, ancestors),
            "qualified_name" => return self.qualified(node, ancestors),
            "argument" => self.argument(node, ancestors),
            "identifier" => self.identifier(node, ancestors),
            _ => {}
        }
        true
    }

    /// An argument that is passed by name.
    fn argument(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let Some(call) = ancestors.iter().rev().nth(1) else { return };
        let of = match call.kind() {
            "object_creation_expression" => {
                let class = call.child_by_field_name("type").and_then(|class| self.plain(class));
                class.map(|class| Called::Type(class.into()))
            }
            "invocation_expression" => {
                call.child_by_field_name("function").and_then(|function| match function.kind() {
                    "identifier" | "generic_name" => Some(Called::Own(self.last_name(function))),
                    "member_access_expression" => {
                        let method = function.child_by_field_name("name")?;
                        Some(Called::Of(self.last_name(method)))
                    }
                    _ => None,
                })
            }
            _ => None,
        };
        if let Some(of) = of {
            let name_of = self.text(name).into();
            self.refer(Target::Argument { of, name: name_of }, name.start_byte());
        }
    }

    /// What cannot be parsed declares whatever it names.
    fn spoilt(&mut self, node: Node<'_>) -> bool {
        let text = self.source.get(node.byte_range()).unwrap_or_default();
        for word in String::from_utf8_lossy(text).split(|c: char| !c.is_alphanumeric() && c != '_')
        {
            if !word.is_empty() {
                self.used.declared.insert(word.into());
            }
        }
        false
    }

    fn declare(&mut self, node: Node<'_>, field: &str) {
        if let Some(name) = node.child_by_field_name(field) {
            self.used.declared.insert(self.text(name).into());
        }
    }

    /// Declares every plain name directly below a node.
    fn names(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let scope = scope(ancestors);
        let mut cursor = node.walk();
        let below: Vec<Node<'_>> =
            node.children(&mut cursor).filter(|child| child.kind() == "identifier").collect();
        for child in below {
            self.used.value(scope, self.text(child), None);
        }
    }

    fn typed(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let class = node.child_by_field_name("type").and_then(|class| self.plain(class));
        self.used.value(scope(ancestors), self.text(name), class);
    }

    /// `foreach (Type name in values)`
    fn for_each(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(left) = node.child_by_field_name("left") else { return };
        if left.kind() != "identifier" {
            return self.declare(node, "left");
        }
        let class = node.child_by_field_name("type").and_then(|class| self.plain(class));
        self.used.value(scope(ancestors), self.text(left), class);
    }

    fn variable(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let class = ancestors.last().and_then(|parent| parent.child_by_field_name("type"));
        let class = match class {
            Some(class) if class.kind() == "implicit_type" => self.initial(node, name),
            Some(class) => self.plain(class),
            None => None,
        };
        let is_field = ancestors.iter().rev().nth(1).is_some_and(|node| {
            matches!(node.kind(), "field_declaration" | "event_field_declaration")
        });
        if !is_field {
            self.used.value(scope(ancestors), self.text(name), class);
        }
    }

    /// The type of what a variable starts with.
    fn initial(&self, node: Node<'_>, name: Node<'_>) -> Option<&'a str> {
        let count = u32::try_from(node.named_child_count()).ok()?;
        let value = node.named_child(count.checked_sub(1)?)?;
        if value.id() == name.id() {
            return None;
        }
        match value.kind() {
            "object_creation_expression" | "cast_expression" => {
                self.plain(value.child_by_field_name("type")?)
            }
            "as_expression" => self.plain(value.child_by_field_name("right")?),
            "string_literal" | "interpolated_string_expression" | "verbatim_string_literal" => {
                Some("String")
            }
            _ => None,
        }
    }

    /// The last name of a type that is nothing but a name.
    fn plain(&self, class: Node<'_>) -> Option<&'a str> {
        match class.kind() {
            "identifier" => Some(self.text(class)).filter(|name| !NO_TYPES.contains(name)),
            "generic_name" => Some(self.text(class.named_child(0)?)),
            "qualified_name" => self.plain(class.child_by_field_name("name")?),
            "nullable_type" => self.plain(class.child_by_field_name("type")?),
            "predefined_type" => predefined(self.text(class)),
            _ => None,
        }
    }

    fn member(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let (Some(object), Some(name)) =
            (node.child_by_field_name("expression"), node.child_by_field_name("name"))
        else {
            return;
        };
        let member = self.last_name(name);
        self.access(object, member, name.start_byte(), ancestors);
    }

    /// `object?.name`
    fn binding(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let access =
            ancestors.iter().rev().find(|node| node.kind() == "conditional_access_expression");
        let (Some(access), Some(name)) = (access, node.child_by_field_name("name")) else { return };
        let Some(object) = access.child_by_field_name("condition") else { return };
        let member = self.last_name(name);
        self.access(object, member, name.start_byte(), ancestors);
    }

    fn access(&mut self, object: Node<'_>, member: Name, offset: usize, ancestors: &[Node<'_>]) {
        let scope = scope(ancestors);
        match object.kind() {
            "this" | "this_expression" | "base" | "base_expression" => {
                self.refer(Target::This(member), offset);
            }
            "identifier" | "generic_name" => {
                let root = self.last_name(object);
                let root_offset = object.start_byte();
                self.refer(Target::Member { root, member, scope, root_offset }, offset);
            }
            "predefined_type" => {
                let Some(root) = predefined(self.text(object)) else { return };
                let root_offset = object.start_byte();
                self.refer(
                    Target::Member { root: root.into(), member, scope, root_offset },
                    offset,
                );
            }
            "object_creation_expression" => {
                let class = object.child_by_field_name("type").and_then(|class| self.plain(class));
                if let Some(class) = class {
                    self.refer(Target::Of { class: class.into(), member }, offset);
                }
            }
            "parenthesized_expression" => {
                if let Some(inner) = object.named_child(0)
                    && matches!(inner.kind(), "this" | "cast_expression" | "as_expression")
                {
                    let field = if inner.kind() == "as_expression" { "right" } else { "type" };
                    let class =
                        inner.child_by_field_name(field).and_then(|class| self.plain(class));
                    if let Some(class) = class {
                        self.refer(Target::Of { class: class.into(), member }, offset);
                    }
                }
            }
            "member_access_expression" => {
                let (Some(inner), Some(name)) =
                    (object.child_by_field_name("expression"), object.child_by_field_name("name"))
                else {
                    return;
                };
                let field = self.last_name(name);
                if matches!(inner.kind(), "this" | "this_expression") {
                    self.refer(Target::Field { field, member }, offset);
                } else if let Some(root) = self.dotted(inner) {
                    self.refer(Target::Chain { root, field, member, scope }, offset);
                }
            }
            _ => {}
        }
    }

    /// A plain name, or several that dots join.
    fn dotted(&self, node: Node<'_>) -> Option<Name> {
        let mut current = node;
        while current.kind() == "member_access_expression" {
            let name = current.child_by_field_name("name")?;
            current = current.child_by_field_name("expression").filter(|_| is_name(name))?;
        }
        let text = self.text(node);
        (is_name(current) && !text.contains(char::is_whitespace)).then(|| text.into())
    }

    /// A name without its type arguments.
    fn last_name(&self, node: Node<'_>) -> Name {
        let name =
            if node.kind() == "generic_name" { node.named_child(0).unwrap_or(node) } else { node };
        self.text(name).into()
    }

    /// `a.b.c` where a type is wanted; whether to go below.
    fn qualified(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
        let parent = ancestors.last().map_or("", |parent| parent.kind());
        if matches!(parent, "namespace_declaration" | "file_scoped_namespace_declaration") {
            return false;
        }
        if parent != "qualified_name"
            && let Some(name) = node.child_by_field_name("name")
        {
            let mut path = String::new();
            let mut depth = 0_usize;
            for c in self.text(node).chars() {
                match c {
                    '<' => depth += 1,
                    '>' => depth = depth.saturating_sub(1),
                    c if depth == 0 && !c.is_whitespace() => path.push(c),
                    _ => {}
                }
            }
            let is_attribute = parent == "attribute";
            let path = path.replace("::", ".");
            let path = path.strip_prefix("global.").unwrap_or(&path).into();
            self.refer(Target::Qualified { path, is_attribute }, name.start_byte());
        }
        true
    }

    fn identifier(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(mut parent) = ancestors.last().copied() else { return };
        let mut place = node;
        if parent.kind() == "generic_name" {
            place = parent;
            let Some(outer) = ancestors.iter().rev().nth(1).copied() else { return };
            parent = outer;
        }
        let name = self.text(node);
        if NO_TYPES.contains(&name) {
            return;
        }
        let is = |field: &str| {
            parent.child_by_field_name(field).is_some_and(|child| child.id() == place.id())
        };
        let offset = node.start_byte();
        match parent.kind() {
            "invocation_expression" if is("function") && name != "nameof" => {
                self.refer(Target::Call(name.into()), offset);
            }
            "attribute" if is("name") => {
                self.refer(Target::Type { name: name.into(), is_attribute: true }, offset);
            }
            "base_list" | "type_argument_list" | "primary_constructor_base_type" => {
                self.refer(Target::Type { name: name.into(), is_attribute: false }, offset);
            }
            "as_expression" if is("right") => {
                self.refer(Target::Type { name: name.into(), is_attribute: false }, offset);
            }
            _ if is("type") || is("returns") => {
                self.refer(Target::Type { name: name.into(), is_attribute: false }, offset);
            }
            _ => {}
        }
    }
}

fn is_name(node: Node<'_>) -> bool {
    node.kind() == "identifier"
}

/// Where the declaration starts in which locals are known to each other.
fn scope(ancestors: &[Node<'_>]) -> usize {
    let mut start = 0;
    for node in ancestors.iter().rev() {
        match node.kind() {
            "class_declaration"
            | "struct_declaration"
            | "interface_declaration"
            | "record_declaration" => break,
            "method_declaration"
            | "constructor_declaration"
            | "property_declaration"
            | "indexer_declaration"
            | "operator_declaration"
            | "conversion_operator_declaration"
            | "event_declaration"
            | "destructor_declaration"
            | "field_declaration"
            | "delegate_declaration" => start = node.start_byte(),
            _ => {}
        }
    }
    start
}

/// The type behind a keyword.
pub(super) fn predefined(word: &str) -> Option<&'static str> {
    Some(match word {
        "string" => "String",
        "object" => "Object",
        "int" => "Int32",
        "uint" => "UInt32",
        "long" => "Int64",
        "ulong" => "UInt64",
        "short" => "Int16",
        "ushort" => "UInt16",
        "byte" => "Byte",
        "sbyte" => "SByte",
        "bool" => "Boolean",
        "char" => "Char",
        "double" => "Double",
        "float" => "Single",
        "decimal" => "Decimal",
        _ => return None,
    })
}
