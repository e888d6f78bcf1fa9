//! Classes of Kotlin with what they declare.

use tree_sitter::Node;

use super::facts::{Block, Callee, Class, Given, Level, Member, Name, Shape, note};
use super::read::{Reader, children, has_kind, has_token, is_type, outer_name};

impl<'a> Reader<'a> {
    /// Reads a class, an interface, an enum or an object with its body.
    pub(super) fn class(&mut self, node: Node<'a>) {
        let name = node.child_by_field_name("name").map(|name| self.text(name));
        let number = self.new_class(name.unwrap_or("Companion"));
        if let (Some(outer), "companion_object") = (self.class, node.kind()) {
            self.file.companions.entry(outer).or_insert(number);
        }
        self.file.classes[number].is_object = node.kind() != "class_declaration";
        for child in children(node) {
            match child.kind() {
                "modifiers" => self.class_modifiers(child, number),
                "delegation_specifiers" => self.bases(child, number),
                "type_parameters" | "type_constraints" => self.types_below(child),
                _ => {}
            }
        }
        self.class_inside(node, number);
    }

    pub(super) fn class_modifiers(&mut self, modifiers: Node<'a>, number: usize) {
        self.types_below(modifiers);
        let text = self.text(modifiers);
        let has = |word: &str| text.split(|c: char| !c.is_alphanumeric()).any(|it| it == word);
        let mut implied: Vec<&str> = Vec::new();
        if has("data") {
            implied.extend([
                "copy",
                "component1",
                "component2",
                "component3",
                "component4",
                "component5",
            ]);
        }
        if has("enum") {
            implied.extend(["values", "valueOf", "entries"]);
            self.file.classes[number].bases.push("kotlin.Enum".into());
        }
        if has("annotation") {
            self.file.classes[number].bases.push("kotlin.Annotation".into());
        }
        if has("Serializable") {
            implied.push("serializer");
        }
        if ["external", "expect"].iter().any(|word| has(word)) {
            self.file.classes[number].open = Some("declared for each platform");
        }
        for name in implied {
            self.note_member(number, name, Given::Unknown);
        }
    }

    pub(super) fn note_member(&mut self, class: usize, name: &str, given: Given) {
        let scope = self.scope;
        let member =
            Member { given, is_function: false, block: Block::None, scope, takes: Vec::new() };
        note(&mut self.file.classes[class].members, name, member);
    }

    pub(super) fn class_inside(&mut self, node: Node<'a>, number: usize) {
        let outer = self.class.replace(number);
        self.inside(Some(Level::Class(number)), |reader| {
            reader.file.classes[number].inside = reader.scope;
            for child in children(node) {
                match child.kind() {
                    "primary_constructor" => reader.primary(child, number),
                    "class_body" | "enum_class_body" => reader.body(child, number),
                    _ => {}
                }
            }
            // Arguments of the bases see the parameters of the constructor.
            for child in
                children(node).into_iter().filter(|it| it.kind() == "delegation_specifiers")
            {
                reader.base_arguments(child);
            }
        });
        self.class = outer;
    }

    pub(super) fn new_class(&mut self, name: &str) -> usize {
        let mut class =
            Class { name: name.into(), outer: self.class, scope: self.scope, ..Class::default() };
        let number = self.file.classes.len();
        let first = *self.file.class_names.entry((self.class, name.into())).or_insert(number);
        // Functions may each have one of their own by the same name.
        if let Some(first) = self.file.classes.get_mut(first).filter(|_| !name.is_empty()) {
            class.open = first.open.or(Some("classes of one name"));
            first.open = class.open;
        }
        self.file.classes.push(class);
        number
    }

    /// The body of a class without a name.
    pub(super) fn anonymous(&mut self, node: Node<'a>, base: Option<Name>) {
        let number = self.new_class("");
        self.file.classes[number].bases.extend(base);
        for child in children(node).into_iter().filter(|it| it.kind() == "delegation_specifiers") {
            self.bases(child, number);
        }
        self.class_inside(node, number);
    }

    pub(super) fn bases(&mut self, node: Node<'a>, number: usize) {
        for specifier in children(node) {
            for part in children(specifier) {
                let ty = match part.kind() {
                    "constructor_invocation" | "explicit_delegation" => {
                        children(part).into_iter().find(|it| is_type(it.kind()))
                    }
                    "annotation" => {
                        self.types_below(part);
                        None
                    }
                    _ => Some(part),
                };
                if let Some(ty) = ty {
                    let is_function = ty.kind() == "function_type";
                    let name = self.ty(ty);
                    let name = if is_function { "kotlin.Function".into() } else { name };
                    if is_function {
                        self.note_member(number, "invoke", Given::Unknown);
                    }
                    self.file.classes[number].bases.push(name);
                }
            }
        }
    }

    pub(super) fn base_arguments(&mut self, node: Node<'a>) {
        for part in children(node).into_iter().flat_map(children) {
            match part.kind() {
                "constructor_invocation" => {
                    let parts = children(part);
                    for arguments in parts.iter().filter(|it| it.kind() == "value_arguments") {
                        self.arguments(*arguments);
                    }
                    if let Some(base) = parts.iter().find(|it| is_type(it.kind())) {
                        let base = outer_name(self.text(*base));
                        self.note_arguments(|| Callee::Bare(base.clone(), None), &parts);
                    }
                }
                "explicit_delegation" => {
                    for value in children(part).into_iter().filter(|it| !is_type(it.kind())) {
                        self.expression(value);
                    }
                }
                _ => {}
            }
        }
    }

    /// The parameters of the primary constructor, some of which are properties.
    pub(super) fn primary(&mut self, node: Node<'a>, number: usize) {
        let mut block = Block::None;
        for list in children(node) {
            if list.kind() == "modifiers" {
                self.types_below(list);
            }
            for parameter in children(list).into_iter().filter(|it| it.kind() == "class_parameter")
            {
                block = self.class_parameter(parameter, number, block);
            }
        }
        self.file.classes[number].block = Some(block);
    }

    pub(super) fn class_parameter(&mut self, node: Node<'a>, number: usize, block: Block) -> Block {
        let is_property = has_token(node, "val") || has_token(node, "var");
        let (mut name, mut ty, mut next) = (None, Name::default(), block);
        let mut is_many = false;
        for child in children(node) {
            match child.kind() {
                "modifiers" => {
                    is_many = self.text(child).contains("vararg");
                    self.types_below(child);
                }
                "identifier" if name.is_none() => name = Some(self.text(child)),
                kind if is_type(kind) => {
                    next = self.block_of(child);
                    ty = self.ty(child);
                }
                _ => {
                    self.expression(child);
                }
            }
        }
        if is_many {
            ty = Name::default();
        }
        if let Some(name) = name {
            self.file.classes[number].takes.push(name.into());
            let shape = self.of(ty.clone());
            self.declare(name, shape);
            if is_property {
                let given = if ty.is_empty() { Given::Unknown } else { Given::Named(ty) };
                self.note_member(number, name, given);
            }
        }
        next
    }

    pub(super) fn body(&mut self, body: Node<'a>, number: usize) {
        // Declarations inside of other errors are kept as loose words.
        if children(body).iter().any(Node::is_error) {
            self.file.classes[number].open = Some("syntax error");
        }
        self.hide_locals(body);
        for node in children(body) {
            match node.kind() {
                "property_declaration" => {
                    for (name, member, has_receiver) in self.property(node) {
                        self.note_in_class(number, name, member, has_receiver);
                    }
                }
                "function_declaration" => {
                    let (name, member, has_receiver) = self.function(node);
                    self.note_in_class(number, name, member, has_receiver);
                }
                "secondary_constructor" => self.constructor(node, number),
                "enum_entry" => self.entry(node, number),
                "anonymous_initializer" => self.inside(None, |reader| {
                    for child in children(node) {
                        reader.statement(child);
                    }
                }),
                _ => {
                    self.statement(node);
                }
            }
        }
    }

    pub(super) fn note_in_class(
        &mut self,
        number: usize,
        name: &str,
        member: Member,
        has_receiver: bool,
    ) {
        if has_receiver {
            note(&mut self.file.extensions, name, member.clone());
        }
        note(&mut self.file.classes[number].members, name, member);
    }

    /// Properties hide the locals of the functions around their class.
    pub(super) fn hide_locals(&mut self, body: Node<'a>) {
        if self.locals.len() < 3 {
            return;
        }
        for node in children(body).into_iter().filter(|it| it.kind() == "property_declaration") {
            for variable in
                children(node).into_iter().filter(|it| it.kind() == "variable_declaration")
            {
                if let Some(name) =
                    children(variable).into_iter().find(|it| it.kind() == "identifier")
                {
                    let name = self.text(name);
                    let shape = Shape::Name(name.into(), self.scope);
                    let shape = self.add(shape);
                    self.declare(name, shape);
                }
            }
        }
    }

    pub(super) fn constructor(&mut self, node: Node<'a>, number: usize) {
        let mut block = Block::None;
        self.inside(None, |reader| {
            for child in children(node) {
                match child.kind() {
                    "modifiers" => reader.types_below(child),
                    "function_value_parameters" => {
                        reader.note_taken(child, number);
                        block = reader.parameters(child);
                    }
                    "constructor_delegation_call" => {
                        for arguments in children(child) {
                            reader.arguments(arguments);
                        }
                    }
                    _ => reader.statement(child),
                }
            }
        });
        let known = self.file.classes[number].block.take().unwrap_or(Block::None);
        self.file.classes[number].block = Some(known.or(block));
    }

    pub(super) fn entry(&mut self, node: Node<'a>, number: usize) {
        let own = self.file.classes[number].name.clone();
        let mut name = None;
        for child in children(node) {
            match child.kind() {
                "modifiers" => self.types_below(child),
                "identifier" => name = Some(self.text(child)),
                "value_arguments" => self.arguments(child),
                _ => {}
            }
        }
        let parts = children(node);
        self.note_arguments(|| Callee::Bare(own.clone(), None), &parts);
        if let Some(name) = name {
            self.note_member(number, name, Given::Named(own.clone()));
        }
        if has_kind(node, "class_body") {
            self.anonymous(node, Some(own));
        }
    }
}
