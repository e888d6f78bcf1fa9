//! From the syntax tree to [`RustFile`]: modules, items and types.

use std::collections::HashSet;

use tree_sitter::Node;

use super::facts::{Child, Item, Module, Name, Path, Reference, RustFile, Segment, Target, Type};
use super::uses::{self, Leaf};
use super::{attributes, facts, plain};
use crate::syntax::Parsed;

/// What one file says; `None` when it cannot be parsed, or nests too deep to be asked.
pub(super) fn read(source: &[u8]) -> Option<RustFile> {
    let parsed = plain::parse(source)?;
    let mut walker = Walker::new(source, &parsed);
    if !parsed.visit_inside(|node, around| walker.node(node, around)) {
        return None;
    }
    walker.file.forget_parameters();
    Some(walker.file)
}

pub(super) struct Walker<'a> {
    /// The text as it was written; macros that were made plain differ.
    pub(super) original: &'a [u8],
    pub(super) source: &'a [u8],
    pub(super) file: RustFile,
    /// The modules around the current node, with their ends.
    modules: Vec<(usize, usize)>,
    /// What `Self` is around the current node, with the end.
    owners: Vec<(usize, Option<Path>)>,
    /// The attributes that stand before the current node.
    attributes: Vec<String>,
}

impl<'a> Walker<'a> {
    fn new(original: &'a [u8], parsed: &'a Parsed) -> Self {
        let file = RustFile { modules: vec![Module::default()], ..RustFile::default() };
        Self {
            original,
            source: parsed.source(),
            file,
            modules: vec![(usize::MAX, 0)],
            owners: Vec::new(),
            attributes: Vec::new(),
        }
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'a str {
        uses::text(node, self.source)
    }

    fn name(&self, node: Node<'_>) -> Name {
        let name = node.child_by_field_name("name").map(|name| self.text(name)).unwrap_or_default();
        name.strip_prefix("r#").unwrap_or(name).into()
    }

    /// What `Self` is here.
    pub(super) fn owner(&self) -> Option<&Path> {
        self.owners.last().and_then(|(_, path)| path.as_ref())
    }

    fn module(&mut self) -> &mut Module {
        let number = self.number();
        &mut self.file.modules[number]
    }

    fn number(&self) -> usize {
        self.modules.last().map_or(0, |(_, number)| *number)
    }

    pub(super) fn refer(&mut self, target: Target) {
        let module = self.number();
        self.file.references.push(Reference { module, target });
    }

    /// Notes one node; whether to go below.
    fn node(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
        let start = node.start_byte();
        while self.modules.len() > 1 && self.modules.last().is_some_and(|(end, _)| *end <= start) {
            self.modules.pop();
        }
        while self.owners.last().is_some_and(|(end, _)| *end <= start) {
            self.owners.pop();
        }
        match node.kind() {
            "attribute_item" => {
                let text = self.text(node);
                if text.contains("project") || text.contains("proc_macro_derive") {
                    self.loosen(node);
                }
                self.module().has_macros |= attributes::may_define(text);
                self.derives(text, node.start_byte());
                self.attributes.push(text.to_owned());
                return false;
            }
            "inner_attribute_item" | "visibility_modifier" | "line_comment" | "block_comment" => {
                return false;
            }
            _ => {}
        }
        let below = self.item(node, ancestors);
        if node.is_named() {
            self.attributes.clear();
        }
        below.unwrap_or_else(|| self.code(node, ancestors))
    }

    /// Notes an item; `None` when the node is none.
    fn item(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) -> Option<bool> {
        match node.kind() {
            "ERROR" => {
                self.loosen(node);
                return Some(false);
            }
            "mod_item" => self.module_item(node),
            "function_item" | "function_signature_item" => self.function(node, ancestors),
            "const_item" | "static_item" => self.value(node, ancestors),
            "type_item" | "associated_type" => self.type_item(node, ancestors),
            "struct_item" | "union_item" | "enum_item" => self.structure(node),
            "trait_item" => self.trait_item(node),
            "impl_item" => self.implementation(node),
            "macro_definition" => {
                let name = self.name(node);
                self.module().items.insert(name, Item::Macro);
                self.loosen(node);
                return Some(false);
            }
            "macro_invocation" => {
                self.invocation(node, ancestors);
                return Some(false);
            }
            "use_declaration" => {
                self.use_declaration(node);
                return Some(false);
            }
            "extern_crate_declaration" => {
                self.extern_crate(node);
                return Some(false);
            }
            _ => return None,
        }
        Some(true)
    }

    /// Notes the macros that a plain `#[derive(...)]` names.
    fn derives(&mut self, attribute: &str, start: usize) {
        for (at, path) in attributes::derived(attribute) {
            let mut offset = start + at;
            let mut segments = Path::new();
            for part in path.split("::") {
                segments.push(Segment { name: part.into(), offset });
                offset += part.len() + "::".len();
            }
            self.refer(Target::Path(segments, facts::Role::Derive));
        }
    }

    /// Takes every word below a node for a possible definition.
    fn loosen(&mut self, node: Node<'_>) {
        for word in self.words(node) {
            self.file.loose.insert(word);
        }
    }

    fn words(&self, node: Node<'_>) -> Vec<Name> {
        let is_word = |byte: &u8| crate::references::words::is_word(*byte);
        let bytes = self.source.get(node.byte_range()).unwrap_or_default();
        bytes
            .split(|byte| !is_word(byte))
            .filter(|word| word.first().is_some_and(|byte| !byte.is_ascii_digit()))
            .filter_map(|word| std::str::from_utf8(word).ok().map(Name::from))
            .collect()
    }

    fn module_item(&mut self, node: Node<'_>) {
        let name = self.name(node);
        let is_private = node.child(0).is_some_and(|first| first.kind() != "visibility_modifier");
        if is_private && !self.module().children.contains_key(&name) {
            self.module().private.insert(name.clone());
        } else if !is_private {
            self.module().private.remove(&name);
        }
        if node.child_by_field_name("body").is_none() {
            let path = attributes::path(&self.attributes);
            let child = match self.module().children.get(&name) {
                Some(Child::File(known)) if *known != path => Child::Several,
                _ => Child::File(path),
            };
            self.module().children.insert(name, child);
            return;
        }
        let parent = self.number();
        let known = match self.module().children.get(&name) {
            Some(Child::Inline(number)) => Some(*number),
            _ => None,
        };
        let number = known.unwrap_or(self.file.modules.len());
        if known.is_none() {
            let is_rewritten = attributes::rewrites(&self.attributes) || self.module().is_rewritten;
            let module = Module {
                name: name.clone(),
                parent: Some(parent),
                is_rewritten,
                ..Module::default()
            };
            self.file.modules.push(module);
            self.module().children.insert(name, Child::Inline(number));
        }
        self.modules.push((node.end_byte(), number));
    }

    /// The name of the type whose body an item stands in.
    fn holder(&self, ancestors: &[Node<'_>]) -> Option<Name> {
        let around = ancestors.iter().rev().nth(1)?;
        if !matches!(around.kind(), "impl_item" | "trait_item") {
            return None;
        }
        self.owner().and_then(|path| path.last()).map(|last| last.name.clone())
    }

    fn is_in_type(ancestors: &[Node<'_>]) -> bool {
        let around = ancestors.iter().rev().nth(1);
        around.is_some_and(|around| matches!(around.kind(), "impl_item" | "trait_item"))
    }

    pub(super) fn type_named(&mut self, name: &str) -> &mut Type {
        self.file.types.entry(name.into()).or_default()
    }

    fn function(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let name = self.name(node);
        let gives = self.result_of(node);
        let Some(holder) = self.holder(ancestors) else {
            if !Self::is_in_type(ancestors) {
                self.module().results.extend(gives.map(|gives| (name.clone(), gives)));
                self.module().items.insert(name, Item::Value);
            }
            return;
        };
        let facts = self.type_named(&holder);
        facts.results.extend(gives.map(|gives| (name.clone(), gives)));
        facts.members.insert(name);
    }

    fn value(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let name = self.name(node);
        match self.holder(ancestors) {
            Some(holder) => drop(self.type_named(&holder).members.insert(name)),
            None if Self::is_in_type(ancestors) => {}
            None => drop(self.module().items.insert(name, Item::Value)),
        }
    }

    fn type_item(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let name = self.name(node);
        if Self::is_in_type(ancestors) {
            if let Some(holder) = self.holder(ancestors) {
                self.type_named(&holder).members.insert(name);
            }
            return;
        }
        let target = node.child_by_field_name("type").and_then(|node| self.plain_type(node));
        let facts = self.type_named(&name);
        // Each platform or feature may have one of its own.
        let is_other = facts.is_defined && facts.alias != target;
        facts.is_defined = true;
        match target.filter(|_| !is_other) {
            Some(path) => facts.alias = Some(path),
            None => (facts.alias, facts.open) = (None, Some("type alias")),
        }
        self.module().items.insert(name, Item::Type);
    }

    fn structure(&mut self, node: Node<'_>) {
        let name = self.name(node);
        let (derives, open) = attributes::of_type(&self.attributes);
        let (mut fields, mut members) = (Vec::new(), Vec::new());
        let (mut field_types, mut variants) = (Vec::new(), Vec::new());
        if let Some(body) = node.child_by_field_name("body") {
            let mut cursor = body.walk();
            for child in body.named_children(&mut cursor) {
                match child.kind() {
                    "field_declaration" => {
                        let of = child.child_by_field_name("type");
                        let of = of.and_then(|of| self.written(of));
                        field_types.extend(of.map(|of| (self.name(child), of)));
                        fields.push(self.name(child));
                    }
                    "enum_variant" => {
                        variants.extend(self.variant_fields(child));
                        members.push(self.name(child));
                    }
                    "ERROR" | "macro_invocation" => members.extend(self.words(child)),
                    _ => {}
                }
            }
        }
        self.file.loose.extend(attributes::made_beside(&name, &derives));
        self.file.loose.extend(attributes::made_of_variants(&members, &derives));
        let facts = self.type_named(&name);
        facts.is_defined = true;
        facts.fields.extend(fields);
        facts.field_types.extend(field_types);
        facts.variants.extend(variants);
        facts.members.extend(members);
        facts.traits.extend(derives);
        facts.open = facts.open.or(open);
        self.module().items.insert(name, Item::Type);
    }

    /// The fields of a variant that names them.
    fn variant_fields(&self, variant: Node<'_>) -> Option<(Name, HashSet<Name>)> {
        let body = variant.child_by_field_name("body")?;
        let mut cursor = body.walk();
        let fields = body.named_children(&mut cursor);
        let named = fields.filter(|child| child.kind() == "field_declaration");
        let named: HashSet<Name> = named.map(|field| self.name(field)).collect();
        let is_plain = body.kind() == "field_declaration_list" && !body.has_error();
        is_plain.then(|| (self.name(variant), named))
    }

    fn trait_item(&mut self, node: Node<'_>) {
        let name = self.name(node);
        let (_, open) = attributes::of_trait(&self.attributes);
        let bounds = node.child_by_field_name("bounds").map(|bounds| self.words(bounds));
        let facts = self.type_named(&name);
        (facts.is_defined, facts.is_trait) = (true, true);
        facts.open = facts.open.or(open);
        facts.traits.extend(bounds.unwrap_or_default());
        self.module().items.insert(name.clone(), Item::Type);
        let path = vec![Segment { name, offset: node.start_byte() }];
        self.owners.push((node.end_byte(), Some(path)));
    }

    fn implementation(&mut self, node: Node<'_>) {
        let of = node.child_by_field_name("type");
        let path = of.and_then(|of| self.plain_path(of));
        if let Some(last) = path.as_ref().and_then(|path| path.last()) {
            let of_trait = node
                .child_by_field_name("trait")
                .map(|of_trait| uses::segments(of_trait, self.source).pop().map(|last| last.name));
            let facts = self.type_named(&last.name.clone());
            facts.traits.extend(of_trait.flatten());
        }
        self.owners.push((node.end_byte(), path));
    }

    /// The path of a type that is plainly one, references aside.
    pub(super) fn plain_path(&self, node: Node<'_>) -> Option<Path> {
        let mut node = node;
        while node.kind() == "reference_type" {
            node = node.child_by_field_name("type")?;
        }
        let is_path = matches!(
            node.kind(),
            "type_identifier" | "scoped_type_identifier" | "generic_type" | "primitive_type"
        );
        let path = is_path.then(|| uses::segments(node, self.source))?;
        self.without_self(path)
    }

    pub(super) fn plain_type(&self, node: Node<'_>) -> Option<Vec<Name>> {
        self.plain_path(node).map(|path| facts::names(&path))
    }

    /// A path with `Self` replaced; `None` when it cannot be.
    pub(super) fn without_self(&self, path: Path) -> Option<Path> {
        if path.first().is_none_or(|first| &*first.name != "Self") {
            let is_plain = |segment: &Segment| !segment.name.contains(['<', '$', '(', ' ']);
            return path.iter().all(is_plain).then_some(path);
        }
        let mut whole = self.owner()?.clone();
        whole.extend(path.into_iter().skip(1));
        Some(whole)
    }

    fn invocation(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(name) = node.child_by_field_name("macro") else { return };
        let path = uses::segments(name, self.source);
        let is_item = ancestors.iter().rev().find(|node| node.kind() != "expression_statement");
        let is_item = is_item
            .is_none_or(|parent| matches!(parent.kind(), "source_file" | "declaration_list"));
        if is_item {
            if path.last().is_some_and(|last| matches!(&*last.name, "include" | "include_proto")) {
                self.module().open = Some("included file");
            }
            self.module().has_macros = true;
            let words = self.words(node);
            self.file.loose.extend(words);
        } else {
            self.tokens(node, &path);
        }
        if let Some(path) = self.without_self(path) {
            self.refer(Target::Path(path, facts::Role::Macro));
        }
    }

    fn use_declaration(&mut self, node: Node<'_>) {
        let Some(argument) = node.child_by_field_name("argument") else { return };
        let is_shown = node.child(0).is_some_and(|first| first.kind() == "visibility_modifier");
        for leaf in uses::leaves(argument, self.source) {
            let path = match leaf {
                Leaf::Named(path, alias) => {
                    let names = facts::names(&path);
                    if is_shown {
                        self.module().shown.insert(alias.clone());
                    }
                    self.module().uses.entry(alias).or_default().push(names);
                    path
                }
                Leaf::Glob(path) => {
                    let names = facts::names(&path);
                    self.module().globs.push(names);
                    path
                }
            };
            if let Some(path) = self.without_self(path) {
                self.refer(Target::Use(path));
            }
        }
    }

    fn extern_crate(&mut self, node: Node<'_>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let segment = Segment { name: self.text(name).into(), offset: name.start_byte() };
        let alias = node.child_by_field_name("alias").map(|alias| self.text(alias));
        let alias: Name = alias.map_or_else(|| segment.name.clone(), Name::from);
        let target = if &*segment.name == "self" {
            vec!["crate".into()]
        } else {
            vec!["".into(), segment.name.clone()]
        };
        self.module().shown.insert(alias.clone());
        self.module().uses.entry(alias).or_default().push(target);
        if &*segment.name != "self" {
            self.refer(Target::Crate(segment));
        }
    }
}
