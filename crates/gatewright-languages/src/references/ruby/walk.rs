//! From the syntax tree of a file to the names that it uses.

use std::collections::HashMap;

use tree_sitter::Node;

use super::facts::{Name, Reference, Target, Used};
use super::names::Names;
use crate::syntax::{LanguageId, Parsed};

/// A symbol as short as this, with its sign, says too little of the methods made of it.
const SHORTEST: usize = 3;

/// What a file uses; `None` when it cannot be parsed, or nests too deep to be asked.
pub(super) fn read(source: &[u8]) -> Option<Used> {
    let parsed = Parsed::new(LanguageId::Ruby, source).ok()?;
    let mut walker = Walker { source, used: Used::default(), values: HashMap::new() };
    if !parsed.visit_inside(|node, around| walker.node(node, around)) {
        return None;
    }
    Some(walker.used)
}

struct Walker<'a> {
    source: &'a [u8],
    used: Used,
    /// Variables by method and name, each with the class of its object.
    values: HashMap<(usize, Name), Option<Name>>,
}

impl<'a> Walker<'a> {
    fn text(&self, node: Node<'_>) -> &'a str {
        let bytes = self.source.get(node.byte_range()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    fn refer(&mut self, target: Target, node: Node<'_>) {
        self.used.references.push(Reference { target, offset: node.start_byte() });
    }

    /// Notes one node; whether to go below.
    fn node(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
        match node.kind() {
            "ERROR" => return false,
            "assignment" => self.assignment(node, ancestors),
            "method_parameters"
            | "block_parameters"
            | "lambda_parameters"
            | "left_assignment_list"
            | "exception_variable" => self.locals(node),
            "optional_parameter"
            | "keyword_parameter"
            | "splat_parameter"
            | "block_parameter"
            | "hash_splat_parameter"
            | "destructured_parameter" => self.locals(node),
            "call" => self.call(node, ancestors),
            "constant" => self.constant(node, ancestors),
            "scope_resolution" => self.scoped(node, ancestors),
            _ => {}
        }
        true
    }

    fn locals(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let below: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        for child in below.into_iter().filter(|child| child.kind() == "identifier") {
            self.used.locals.insert(self.text(child).into());
        }
    }

    fn assignment(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let (Some(left), Some(right)) =
            (node.child_by_field_name("left"), node.child_by_field_name("right"))
        else {
            return;
        };
        if left.kind() != "identifier" {
            return;
        }
        let name: Name = self.text(left).into();
        self.used.locals.insert(name.clone());
        let class = self.created(right);
        let known = self.values.entry((scope(ancestors), name)).or_insert_with(|| class.clone());
        if *known != class {
            *known = None;
        }
    }

    /// The class of `Class.new(…)`.
    fn created(&self, node: Node<'_>) -> Option<Name> {
        if node.kind() != "call" || self.text(node.child_by_field_name("method")?) != "new" {
            return None;
        }
        let receiver = node.child_by_field_name("receiver")?;
        let is_constant = matches!(receiver.kind(), "constant" | "scope_resolution");
        is_constant.then(|| self.text(receiver).into())
    }

    fn call(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(method) = node.child_by_field_name("method") else { return };
        if !matches!(method.kind(), "identifier" | "constant") {
            return;
        }
        let name = self.text(method);
        let Some(receiver) = node.child_by_field_name("receiver") else {
            if node.child_by_field_name("arguments").is_some() && method.kind() == "identifier" {
                self.bare(node, method, ancestors);
            }
            return;
        };
        match receiver.kind() {
            "self" => {
                let (class, is_open) = self.around(ancestors);
                let outer = self.outermost(ancestors);
                self.refer(Target::Own { class, outer, name: name.into(), is_open }, method);
            }
            "constant" | "scope_resolution" => {
                let class = self.text(receiver).into();
                self.refer(Target::Of { class, name: name.into() }, method);
            }
            "identifier" => {
                let key = (scope(ancestors), self.text(receiver).into());
                if let Some(Some(class)) = self.values.get(&key).cloned() {
                    self.refer(Target::Of { class, name: name.into() }, method);
                }
            }
            "call" => {
                if let Some(class) = self.created(receiver) {
                    self.refer(Target::Of { class, name: name.into() }, method);
                }
            }
            _ => {}
        }
    }

    fn bare(&mut self, node: Node<'_>, method: Node<'_>, ancestors: &[Node<'_>]) {
        let name = self.text(method);
        if matches!(name, "require" | "require_relative" | "load" | "autoload") {
            let path = node.child_by_field_name("arguments").and_then(|list| list.named_child(0));
            let Some(path) =
                path.filter(|path| path.kind() == "string" && path.named_child_count() == 1)
            else {
                return;
            };
            let guarded = ancestors.iter().any(|node| may_be_left_out(*node));
            let file: Name = self.text(path).trim_matches(['"', '\'']).into();
            match name {
                "require_relative" if !guarded => self.refer(Target::Relative(file), path),
                "require" if !guarded => self.refer(Target::Feature(file), path),
                _ => {}
            }
            return;
        }
        self.note_macro(node, name, ancestors);
        let (class, is_open) = self.around(ancestors);
        let outer = self.outermost(ancestors);
        self.refer(Target::Own { class, outer, name: name.into(), is_open }, method);
    }

    /// Notes the symbols that a class hands to a method of its own making, which may make
    /// methods that are named after them.
    fn note_macro(&mut self, node: Node<'_>, name: &str, ancestors: &[Node<'_>]) {
        let mut around = ancestors.iter().rev().map(|node| node.kind());
        let is_in_body = around.find(|kind| *kind != "body_statement");
        if !matches!(is_in_body, Some("class" | "module")) || Names::get().methods.contains(name) {
            return;
        }
        let Some(arguments) = node.child_by_field_name("arguments") else { return };
        let mut cursor = arguments.walk();
        for symbol in arguments.named_children(&mut cursor) {
            let text = self.text(symbol);
            if symbol.kind() == "simple_symbol" && text.len() > SHORTEST {
                self.used.macros.insert(text.trim_start_matches(':').into());
            }
        }
    }

    /// The first part of the name of the outermost class around a place.
    fn outermost(&self, ancestors: &[Node<'_>]) -> Option<Name> {
        let outer = ancestors.iter().find(|node| matches!(node.kind(), "class" | "module"))?;
        let name = self.text(outer.child_by_field_name("name")?);
        Some(name.trim_start_matches("::").split("::").next().unwrap_or(name).into())
    }

    /// The class around a place, and whether a block of unknown effect lies between.
    fn around(&self, ancestors: &[Node<'_>]) -> (Option<Name>, bool) {
        let (mut is_open, mut in_method) = (false, false);
        for (index, node) in ancestors.iter().enumerate().rev() {
            match node.kind() {
                "class" | "module" => {
                    let name = node.child_by_field_name("name");
                    return (name.map(|name| last(self.text(name)).into()), is_open);
                }
                "singleton_class" => {
                    let value = node.child_by_field_name("value").map(|value| self.text(value));
                    is_open |= value != Some("self");
                }
                "block" | "do_block" => {
                    let call = index.checked_sub(1).map(|index| ancestors[index]);
                    is_open |= !call.is_some_and(|call| self.keeps_self(call, in_method));
                    in_method = false;
                }
                "method" => in_method = true,
                "singleton_method" => {
                    let object = node.child_by_field_name("object").map(|object| self.text(object));
                    is_open |= object != Some("self");
                    in_method = true;
                }
                _ => {}
            }
        }
        (None, is_open || !in_method)
    }

    /// Whether the object is the same inside of a call's block as around it.
    fn keeps_self(&self, call: Node<'_>, holds_method: bool) -> bool {
        let Some(method) = call.child_by_field_name("method") else { return !holds_method };
        let name = self.text(method);
        let changes = name.ends_with("_eval") || name.ends_with("_exec") || name == "new";
        let is_inside = self.is_inside_method(call);
        !changes && !holds_method && (is_inside || Names::get().methods.contains(name))
    }

    fn is_inside_method(&self, node: Node<'_>) -> bool {
        let mut current = node.parent();
        while let Some(node) = current {
            match node.kind() {
                "method" | "singleton_method" => return true,
                "class" | "module" => return false,
                _ => current = node.parent(),
            }
        }
        false
    }

    fn constant(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(parent) = ancestors.last() else { return };
        let is = |field: &str| {
            parent.child_by_field_name(field).is_some_and(|child| child.id() == node.id())
        };
        let is_defined = match parent.kind() {
            "class" | "module" | "scope_resolution" => is("name"),
            "assignment" | "operator_assignment" => is("left"),
            "call" => is("method"),
            "left_assignment_list" | "keyword_pattern" | "hash_pattern" => true,
            "pair" => is("key"),
            _ => false,
        };
        if !is_defined && !self.is_guarded(node, ancestors) {
            let is_root = parent.kind() == "scope_resolution";
            self.refer(Target::Constant { name: self.text(node).into(), is_root }, node);
        }
    }

    fn scoped(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let (Some(scope), Some(name)) =
            (node.child_by_field_name("scope"), node.child_by_field_name("name"))
        else {
            return;
        };
        let is_defined = ancestors.last().is_some_and(|parent| {
            let field = match parent.kind() {
                "class" | "module" => "name",
                "assignment" | "operator_assignment" => "left",
                _ => return false,
            };
            parent.child_by_field_name(field).is_some_and(|child| child.id() == node.id())
        });
        let is_constant = matches!(scope.kind(), "constant" | "scope_resolution");
        if is_constant && !is_defined && !self.is_guarded(node, ancestors) {
            let scope = self.text(scope).into();
            self.refer(Target::Scoped { scope, name: self.text(name).into() }, name);
        }
    }

    /// Whether a constant is asked for with care, as in `defined?(X)`.
    fn is_guarded(&self, node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
        let _ = node;
        ancestors.iter().rev().take(12).any(|node| match node.kind() {
            "unary" => self.text(*node).starts_with("defined?"),
            "if" | "elsif" | "if_modifier" | "unless" | "unless_modifier" | "conditional"
            | "binary" => {
                let asked = node.child_by_field_name("condition");
                let asked = asked.or_else(|| node.child_by_field_name("left"));
                let text = asked.map(|asked| self.text(asked)).unwrap_or_default();
                text.contains("defined?")
                    || text.contains("const_defined?")
                    || text.contains("VERSION")
            }
            "rescue_modifier" => true,
            _ => false,
        })
    }
}

/// Where the method starts in which variables are known to each other.
fn scope(ancestors: &[Node<'_>]) -> usize {
    let methods = ["method", "singleton_method", "class", "module"];
    let around = ancestors.iter().rev().find(|node| methods.contains(&node.kind()));
    around.map_or(0, |node| node.start_byte())
}

/// The last part of a constant's path.
fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// Whether what stands in a node may never be run, or may fail without harm.
fn may_be_left_out(node: Node<'_>) -> bool {
    match node.kind() {
        "begin" | "if" | "unless" | "if_modifier" | "unless_modifier" | "rescue_modifier"
        | "case" | "rescue" | "then" | "else" => true,
        "body_statement" => {
            let is_of_class = node
                .parent()
                .is_some_and(|it| matches!(it.kind(), "class" | "module" | "singleton_class"));
            let mut cursor = node.walk();
            !is_of_class || node.named_children(&mut cursor).any(|it| it.kind() == "rescue")
        }
        _ => false,
    }
}
