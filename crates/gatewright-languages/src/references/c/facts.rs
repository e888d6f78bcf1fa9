//! What one C or C++ file says: the names that it declares and those that it refers to.

use std::collections::{HashMap, HashSet};

use tree_sitter::Node;

use super::{constants, declarations};
use crate::references::words::is_word;
use crate::syntax::{LanguageId, Parsed};

/// A name.
pub(super) type Name = Box<str>;

/// Parts of the names by which code asks for a system or a compiler.
const OTHER_SYSTEMS: [&str; 23] = [
    "WIN",
    "MSC",
    "MSVC",
    "MINGW",
    "CYGWIN",
    "APPLE",
    "MACH",
    "MAC",
    "BSD",
    "DRAGONFLY",
    "SUN",
    "SOLARIS",
    "SVR4",
    "HPUX",
    "AIX",
    "SGI",
    "VMS",
    "OS2",
    "HAIKU",
    "BEOS",
    "ANDROID",
    "QNX",
    "TANDEM",
];

/// Everything of one file.
#[derive(Debug, Default)]
pub(super) struct CFile {
    /// Every name in a place where it is not a reference.
    pub(super) declared: HashSet<Name>,
    /// The functions that have a body here.
    pub(super) functions: HashSet<Name>,
    /// The types and namespaces that have a body here.
    pub(super) types: HashSet<Name>,
    /// The types of variables, parameters and fields; `None` where one is not plain.
    pub(super) variables: HashMap<Name, HashSet<Option<Name>>>,
    /// What it hands to macros, which may make names of it.
    pub(super) handed: Vec<Name>,
    pub(super) includes: Vec<Include>,
    pub(super) references: Vec<Reference>,
}

/// One `#include`.
#[derive(Debug, Clone)]
pub(super) struct Include {
    pub(super) path: Name,
    pub(super) is_system: bool,
    pub(super) condition: Condition,
    pub(super) offset: usize,
}

/// One reference.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) name: Name,
    pub(super) role: Role,
    pub(super) offset: usize,
    pub(super) condition: Condition,
}

/// Which conditions of the preprocessor choose the code around a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Condition {
    /// None.
    Always,
    /// One of the project's own.
    Feature,
    /// One that asks which system or compiler this is.
    System,
}

/// How a name is used.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Role {
    Call,
    Type,
    /// What follows `struct`, `union` or `enum`.
    Tag,
    /// A value that is spelt like a macro or a member of an enumeration: `MAX_DEPTH`.
    Constant,
    /// A member, of a variable where that is plain.
    Member(Option<Name>),
    /// A member of a member, with the variable where it begins.
    Below(Name),
    /// A name in a namespace or class.
    Scoped(Name),
}

/// What one file says; `None` when it cannot be parsed, or nests too deep to be asked.
pub(super) fn read(language: LanguageId, source: &[u8]) -> Option<CFile> {
    let parsed = Parsed::new(language, source).ok()?;
    let mut walker = Walker { source, file: CFile::default(), guards: HashMap::new() };
    if !parsed.visit_inside(|node, around| walker.node(node, around)) {
        return None;
    }
    walker.file.handed = declarations::handed(source);
    Some(walker.file)
}

struct Walker<'a> {
    source: &'a [u8],
    file: CFile,
    /// What was found of the conditions, each in its one and in its other branch.
    guards: HashMap<(usize, bool), Condition>,
}

impl<'a> Walker<'a> {
    fn text(&self, node: Node<'_>) -> &'a str {
        std::str::from_utf8(self.source.get(node.byte_range()).unwrap_or_default())
            .unwrap_or_default()
    }

    fn node(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
        match node.kind() {
            "preproc_def"
            | "preproc_function_def"
            | "preproc_call"
            | "preproc_defined"
            | "gnu_asm_expression" => {
                self.declare_words(node);
                false
            }
            "comment" | "string_literal" | "raw_string_literal" => false,
            "preproc_include" => {
                self.include(node, ancestors);
                false
            }
            "declaration"
            | "parameter_declaration"
            | "optional_parameter_declaration"
            | "field_declaration" => {
                self.variable(node);
                true
            }
            "function_definition" => {
                self.function(node);
                true
            }
            "struct_specifier"
            | "class_specifier"
            | "union_specifier"
            | "enum_specifier"
            | "namespace_definition" => {
                self.type_with_body(node);
                true
            }
            "identifier" | "field_identifier" | "type_identifier" | "namespace_identifier" => {
                self.name(node, ancestors);
                true
            }
            _ => true,
        }
    }

    fn declare_words(&mut self, node: Node<'_>) {
        let bytes = self.source.get(node.byte_range()).unwrap_or_default();
        for word in bytes.split(|byte| !is_word(*byte)) {
            if let Ok(word) = std::str::from_utf8(word) {
                self.file.declared.insert(word.into());
            }
        }
    }

    fn include(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(path) = node.child_by_field_name("path") else { return };
        let is_system = path.kind() == "system_lib_string";
        if !is_system && path.kind() != "string_literal" {
            return self.declare_words(node);
        }
        let text = self.text(path).trim_matches(['<', '>', '"']);
        let condition = self.condition(ancestors);
        self.file.includes.push(Include {
            path: text.into(),
            is_system,
            condition,
            offset: path.start_byte() + 1,
        });
    }

    /// Whether a condition only keeps a header from being read twice.
    fn is_guard(&self, node: Node<'_>) -> bool {
        let Some(name) = node.child_by_field_name("name") else { return false };
        let name = self.text(name);
        let text = self.source.get(node.byte_range()).unwrap_or_default();
        let head = String::from_utf8_lossy(&text[..text.len().min(300)]);
        head.starts_with("#ifndef") && head.contains(&format!("define {name}"))
            // Every build of a project with such a header has it.
            || matches!(name, "__cplusplus" | "HAVE_CONFIG_H") && !head.starts_with("#ifndef")
    }

    fn variable(&mut self, node: Node<'_>) {
        let of = node.child_by_field_name("type").and_then(|of| self.type_name(of));
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let mut inner = Some(declarator);
            while let Some(node) = inner {
                if matches!(node.kind(), "identifier" | "field_identifier") {
                    let known = self.file.variables.entry(self.text(node).into()).or_default();
                    known.insert(of.map(Into::into));
                    break;
                }
                inner = match node.kind() {
                    "reference_declarator" => node.named_child(0),
                    "function_declarator" => None,
                    _ => node.child_by_field_name("declarator"),
                };
            }
        }
    }

    /// The name of a type; `std` for all of that namespace; `None` when it is not plain.
    fn type_name(&self, of: Node<'_>) -> Option<&'a str> {
        match of.kind() {
            "type_identifier" | "primitive_type" => Some(self.text(of)),
            "struct_specifier" | "union_specifier" | "class_specifier" => {
                of.child_by_field_name("name").map(|name| self.text(name))
            }
            "template_type" => of.child_by_field_name("name").map(|name| self.text(name)),
            "qualified_identifier" => {
                let scope = of.child_by_field_name("scope").map(|scope| self.text(scope));
                if scope == Some("std") {
                    return scope;
                }
                self.type_name(of.child_by_field_name("name")?)
            }
            _ => None,
        }
    }

    fn function(&mut self, node: Node<'_>) {
        let mut inner = node.child_by_field_name("declarator");
        while let Some(node) = inner {
            if matches!(node.kind(), "identifier" | "field_identifier") {
                let name = self.text(node).into();
                self.file.functions.insert(name);
                break;
            }
            inner =
                node.child_by_field_name("declarator").or_else(|| node.child_by_field_name("name"));
        }
    }

    fn type_with_body(&mut self, node: Node<'_>) {
        if let (Some(name), Some(_)) =
            (node.child_by_field_name("name"), node.child_by_field_name("body"))
        {
            let name = self.text(name).into();
            self.file.types.insert(name);
        }
    }

    fn condition(&mut self, ancestors: &[Node<'_>]) -> Condition {
        let mut worst = Condition::Always;
        let mut is_other_branch = false;
        for node in ancestors.iter().rev() {
            match node.kind() {
                "preproc_else" => is_other_branch = true,
                "preproc_ifdef" | "preproc_if" | "preproc_elif" | "preproc_elifdef" => {
                    let key = (node.id(), is_other_branch);
                    let known = self.guards.get(&key).copied();
                    let of_it = known.unwrap_or_else(|| match self.is_guard(*node) {
                        true => Condition::Always,
                        false => self.condition_of(*node, is_other_branch),
                    });
                    self.guards.insert(key, of_it);
                    worst = worst.max(of_it);
                    is_other_branch = node.kind().starts_with("preproc_elif");
                }
                _ => {}
            }
        }
        worst
    }

    fn condition_of(&self, node: Node<'_>, is_other_branch: bool) -> Condition {
        let asked =
            node.child_by_field_name("name").or_else(|| node.child_by_field_name("condition"));
        let asked = asked.map(|asked| self.text(asked)).unwrap_or_default();
        let start = self.source.get(node.start_byte()..).unwrap_or_default();
        let is_negated = start.starts_with(b"#ifndef") || asked.trim_start().starts_with('!');
        let asked = asked.to_uppercase();
        let is_other_system = OTHER_SYSTEMS.iter().any(|word| asked.contains(word));
        let is_dead = asked == "0" || asked.contains("HAVE_");
        let is_taken = is_negated == is_other_branch;
        // Code that is shared with the C library, and code for compilers that hardly anyone has.
        let is_other_build = asked.contains("_LIBC") && is_taken
            || ["__GNUC__", "__CLANG__"].iter().any(|word| asked.contains(word)) && !is_taken;
        if (is_other_system && is_taken) || is_other_build || is_dead {
            Condition::System
        } else {
            Condition::Feature
        }
    }

    fn name(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let name = self.text(node);
        match self.role(node, ancestors) {
            Some(role) => {
                let condition = self.condition(ancestors);
                let (name, offset) = (name.into(), node.start_byte());
                self.file.references.push(Reference { name, role, offset, condition });
            }
            None => drop(self.file.declared.insert(name.into())),
        }
    }

    /// How a name is used; `None` when it declares, or is a mere value.
    fn role(&self, node: Node<'_>, ancestors: &[Node<'_>]) -> Option<Role> {
        let parent = ancestors.last()?;
        let is = |field: &str| {
            parent.child_by_field_name(field).is_some_and(|child| child.id() == node.id())
        };
        match (node.kind(), parent.kind()) {
            (_, "qualified_identifier") if is("name") => {
                let is_definition =
                    ancestors.iter().rev().skip(1).find_map(|around| match around.kind() {
                        "qualified_identifier" | "template_type" => None,
                        kind => Some(kind.ends_with("declarator") || kind == "field_initializer"),
                    });
                let scope = parent.child_by_field_name("scope").map(|scope| self.text(scope));
                (is_definition == Some(false))
                    .then(|| Role::Scoped(scope.unwrap_or_default().into()))
            }
            (_, "template_type" | "template_function") if is("name") && is_qualified(ancestors) => {
                let around = ancestors.iter().rev().nth(1)?;
                let scope = around.child_by_field_name("scope").map(|scope| self.text(scope));
                Some(Role::Scoped(scope.unwrap_or_default().into()))
            }
            ("namespace_identifier", "qualified_identifier") if is("scope") => {
                Some(self.scope_role(ancestors))
            }
            // Outside of bodies a call is rather a head that macros hide.
            ("identifier", "call_expression") if is("function") => {
                let is_line_start = node.start_position().column == 0;
                let is_call = is_in_body(ancestors) && !is_line_start;
                (is_call && !constants::is_macro_of_macro(self.source, node, ancestors))
                    .then_some(Role::Call)
            }
            ("identifier", "template_function") => Some(Role::Call),
            ("field_identifier", "field_expression") if is("field") => {
                Some(self.member(parent.child_by_field_name("argument")?))
            }
            ("field_identifier", "field_designator") => Some(self.designated(ancestors)),
            ("field_identifier", "field_initializer") => Some(Role::Member(Some("this".into()))),
            ("field_identifier", "template_method") => Some(Role::Member(None)),
            ("type_identifier", "struct_specifier" | "union_specifier" | "enum_specifier") => {
                constants::is_tag_reference(ancestors).then_some(Role::Tag)
            }
            ("type_identifier", _) => self.is_type_reference(node, ancestors).then_some(Role::Type),
            ("identifier", _) => {
                let is_one =
                    is_in_body(ancestors) && constants::is_constant(self.source, node, ancestors);
                is_one.then_some(Role::Constant)
            }
            _ => None,
        }
    }

    /// How the first part of a qualified name is used: as a type, or in a part before it.
    fn scope_role(&self, ancestors: &[Node<'_>]) -> Role {
        let mut around = ancestors.iter().rev();
        let (inner, outer) = (around.next(), around.next());
        let before = inner.zip(outer).and_then(|(inner, outer)| {
            let name = outer.child_by_field_name("name")?;
            (outer.kind() == "qualified_identifier" && name.id() == inner.id())
                .then(|| outer.child_by_field_name("scope"))?
        });
        before.map_or(Role::Type, |scope| Role::Scoped(self.text(scope).into()))
    }

    /// The field of `{ .name = 1 }`: of the variable that gets all of it, or of a part of that.
    fn designated(&self, ancestors: &[Node<'_>]) -> Role {
        let lists = ancestors.iter().filter(|node| node.kind() == "initializer_list").count();
        let around = ancestors.iter().rev().find(|node| node.kind() == "init_declarator");
        let mut inner = around.and_then(|around| around.child_by_field_name("declarator"));
        while let Some(node) = inner {
            match node.kind() {
                "identifier" if lists == 1 => return Role::Member(Some(self.text(node).into())),
                "identifier" => return Role::Below(self.text(node).into()),
                _ => inner = node.child_by_field_name("declarator"),
            }
        }
        Role::Member(None)
    }

    fn member(&self, argument: Node<'_>) -> Role {
        let (mut node, mut is_below) = (argument, false);
        loop {
            let inner = match node.kind() {
                "identifier" | "this" if is_below => return Role::Below(self.text(node).into()),
                "identifier" | "this" => return Role::Member(Some(self.text(node).into())),
                "subscript_expression" | "pointer_expression" => {
                    node.child_by_field_name("argument")
                }
                "parenthesized_expression" => node.named_child(0),
                "field_expression" => {
                    is_below = true;
                    node.child_by_field_name("argument")
                }
                _ => None,
            };
            match inner {
                Some(inner) => node = inner,
                None => return Role::Member(None),
            }
        }
    }

    fn is_type_reference(&self, node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
        let Some(parent) = ancestors.last() else { return false };
        // Two words side by side begin a sentence as well, which only some other build reads.
        let is_broken = parent.kind() == "declaration"
            && (0..parent.child_count())
                .any(|at| parent.child(at).is_some_and(|it| it.is_error() || it.is_missing()));
        if is_broken || constants::is_handed_to_macro(self.source, node) {
            return false;
        }
        let is_type =
            parent.child_by_field_name("type").is_some_and(|child| child.id() == node.id());
        let around = ancestors.iter().rev().nth(1).map_or("", |around| around.kind());
        match parent.kind() {
            "type_descriptor" if around == "macro_type_specifier" => false,
            // `TEST(Group, Name) {` reads like a function with types for parameters.
            "parameter_declaration" if parent.child_by_field_name("declarator").is_none() => false,
            "declaration"
            | "parameter_declaration"
            | "field_declaration"
            | "function_definition"
            | "type_descriptor"
            | "new_expression"
            | "optional_parameter_declaration" => is_type,
            "base_class_clause" => true,
            "type_definition" => is_type,
            "template_type" => true,
            _ => false,
        }
    }
}

fn is_in_body(ancestors: &[Node<'_>]) -> bool {
    let bodies = ["compound_statement", "field_initializer_list"];
    ancestors.iter().any(|node| bodies.contains(&node.kind()))
}

/// Whether the innermost ancestor is the name of a qualified one.
fn is_qualified(ancestors: &[Node<'_>]) -> bool {
    let mut around = ancestors.iter().rev();
    let (inner, outer) = (around.next(), around.next());
    inner.zip(outer).is_some_and(|(inner, outer)| {
        outer.kind() == "qualified_identifier"
            && outer.child_by_field_name("name").is_some_and(|name| name.id() == inner.id())
    })
}
