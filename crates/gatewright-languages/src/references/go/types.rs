//! The types that a file spells.

use tree_sitter::Node;

use super::facts::{Fields, Id, Shape, Target, Use};
use super::read::{DEEPEST, Reader};

impl Reader<'_> {
    /// The shape of a type, its names noted as references.
    pub(super) fn ty(&mut self, node: Node<'_>) -> Id {
        if self.depth > DEEPEST {
            self.file.is_deep = true;
            return self.add(Shape::Unknown("too deep"));
        }
        self.depth += 1;
        let shape = self.type_of(node);
        self.depth -= 1;
        shape
    }

    fn type_of(&mut self, node: Node<'_>) -> Id {
        let inner = |field: &str| node.child_by_field_name(field);
        match node.kind() {
            "type_identifier" | "identifier" => self.type_name(node),
            "qualified_type" => self.qualified(inner("package"), inner("name")),
            "generic_type" => {
                if let Some(arguments) = inner("type_arguments") {
                    self.types_below(arguments);
                }
                self.type_in(inner("type"))
            }
            "pointer_type" => {
                let target = self.type_in(node.named_child(0));
                self.add(Shape::Pointer(target))
            }
            "slice_type" | "array_type" | "implicit_length_array_type" => {
                if let Some(length) = inner("length") {
                    self.expression(length);
                }
                let element = self.type_in(inner("element"));
                self.add(Shape::Slice(element))
            }
            "map_type" => {
                let (key, value) = (self.type_in(inner("key")), self.type_in(inner("value")));
                self.add(Shape::Map(key, value))
            }
            "channel_type" => {
                let element = self.type_in(inner("value"));
                self.add(Shape::Chan(element))
            }
            "function_type" => {
                self.push_scope();
                let shape = self.signature(node);
                self.pop_scope();
                shape
            }
            "struct_type" => self.structure(node),
            "interface_type" => self.interface(node),
            "parenthesized_type" => self.type_in(node.named_child(0)),
            "type_elem" | "type_constraint" if node.named_child_count() == 1 => {
                self.type_in(node.named_child(0))
            }
            _ => {
                self.types_below(node);
                self.add(Shape::Unknown("constraint"))
            }
        }
    }

    fn type_in(&mut self, node: Option<Node<'_>>) -> Id {
        match node {
            Some(node) => self.ty(node),
            None => self.add(Shape::Unknown("type that cannot be read")),
        }
    }

    fn types_below(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        for child in children {
            if child.kind() != "comment" {
                self.ty(child);
            }
        }
    }

    fn type_name(&mut self, node: Node<'_>) -> Id {
        let name = self.text(node);
        if let Some(local) = self.local(name) {
            return local;
        }
        self.refer(Target::Name(name.into(), Use::Type), node);
        self.add(Shape::Named(name.into()))
    }

    fn qualified(&mut self, package: Option<Node<'_>>, name: Option<Node<'_>>) -> Id {
        let (Some(package), Some(name)) = (package, name) else {
            return self.add(Shape::Unknown("type that cannot be read"));
        };
        let (root, member) = (self.text(package), self.text(name));
        // `x.f[i](y)` reads like a conversion to a generic type.
        if let Some(local) = self.local(root) {
            self.refer(Target::Member(local, member.into()), name);
            return self.add(Shape::Member(local, member.into()));
        }
        self.refer(Target::Qualified(root.into(), member.into()), name);
        self.add(Shape::Qualified(root.into(), member.into()))
    }

    fn structure(&mut self, node: Node<'_>) -> Id {
        let mut fields = Fields::default();
        let Some(list) = node.named_child(0) else { return self.add(Shape::Struct(fields.into())) };
        if list.has_error() {
            fields.open = Some("syntax error");
        }
        let mut cursor = list.walk();
        let declarations: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        for field in declarations.into_iter().filter(|field| field.kind() == "field_declaration") {
            let Some(ty) = field.child_by_field_name("type") else { continue };
            let shape = self.ty(ty);
            let mut cursor = field.walk();
            let mut is_embedded = true;
            for name in field.children_by_field_name("name", &mut cursor) {
                is_embedded = false;
                fields.members.insert(self.text(name).into(), shape);
            }
            if is_embedded {
                fields.embedded.push(shape);
                let last = self.text(ty).split('[').next().unwrap_or_default();
                let last = last.rsplit('.').next().unwrap_or_default();
                fields.members.insert(last.trim_start_matches('*').into(), shape);
            }
        }
        self.add(Shape::Struct(fields.into()))
    }

    fn interface(&mut self, node: Node<'_>) -> Id {
        let mut fields = Fields::default();
        let mut cursor = node.walk();
        let elements: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        for element in elements {
            match element.kind() {
                "method_elem" => {
                    self.push_scope();
                    let shape = self.signature(element);
                    self.pop_scope();
                    if let Some(name) = element.child_by_field_name("name") {
                        fields.members.insert(self.text(name).into(), shape);
                    }
                }
                "type_elem" => {
                    let shape = self.ty(element);
                    fields.embedded.push(shape);
                }
                "comment" => {}
                _ => fields.open = Some("interface that cannot be read"),
            }
        }
        self.add(Shape::Interface(fields.into()))
    }
}
