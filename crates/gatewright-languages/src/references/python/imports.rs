//! Imports, and the conditions under which one is expected to fail.

use tree_sitter::Node;

use super::facts::{Binding, MODULE, Target};
use super::fields::Field;
use super::walk::{Context, Walker, module_path};

/// What a condition mentions when the code below it is for another interpreter or machine.
const CONDITIONS: [&str; 14] = [
    "version",
    "platform",
    "PY2",
    "PY3",
    "IS_PY",
    "os.name",
    "HAS_",
    "has_",
    "find_spec",
    "WIN",
    "pypy",
    "PyPy",
    "PYPY",
    "hasattr",
];

/// What a condition mentions when the attributes below it depend on a version.
const VERSIONS: [&str; 8] =
    ["version_info", "__version__", "VERSION", "PY2", "PY3", "PyPy", "pypy", "sys.platform"];

/// What an import may raise, or catches it with everything else.
const IMPORT_ERRORS: [&str; 5] =
    ["ImportError", "ModuleNotFoundError", "Exception", "BaseException", "OSError"];

impl<'a> Walker<'a> {
    pub(super) fn import(&mut self, node: Node<'a>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let (module, alias) = match child.kind() {
                "aliased_import" => {
                    let Some(name) = Field::Name.of(child) else { continue };
                    (name, Field::Alias.of(child))
                }
                "dotted_name" => (child, None),
                _ => continue,
            };
            let path = module_path(0, self.text(module));
            match alias {
                Some(alias) => {
                    let alias = self.text(alias);
                    self.bind(alias, Binding::Module(path.dotted.clone()));
                }
                None => {
                    let top = path.dotted.split('.').next().unwrap_or_default().to_owned();
                    self.bind(&top, Binding::Module(top.as_str().into()));
                }
            }
            self.refer(Target::Module(path), module.start_byte());
        }
    }

    pub(super) fn import_from(&mut self, node: Node<'a>) {
        let is_future = node.kind() == "future_import_statement";
        let source = Field::ModuleName.of(node);
        let source = if is_future { node.child(1) } else { source };
        let Some(source) = source else { return };
        let text = self.text(source);
        let level = text.chars().take_while(|c| *c == '.' || c.is_whitespace());
        let level = level.filter(|c| *c == '.').count();
        let module =
            module_path(level, text.trim_start_matches(|c: char| c == '.' || c.is_whitespace()));
        self.refer(Target::Module(module.clone()), source.start_byte());
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            if child.kind() == "wildcard_import" {
                if self.context.scope == MODULE {
                    self.file.stars.push(module.clone());
                }
                continue;
            }
            if child.start_byte() <= source.start_byte() || !child.is_named() {
                continue;
            }
            let (name, alias) = match child.kind() {
                "aliased_import" => {
                    let Some(name) = Field::Name.of(child) else { continue };
                    (name, Field::Alias.of(child).unwrap_or(name))
                }
                "dotted_name" => (child, child),
                _ => continue,
            };
            let imported = self.name(name);
            let bound = self.text(alias);
            self.bind(bound, Binding::From(module.clone(), imported.clone()));
            self.refer(Target::Import(module.clone(), imported), name.start_byte());
        }
    }

    pub(super) fn try_statement(&mut self, node: Node<'a>) {
        let mut imports_guarded = self.context.imports_guarded;
        let mut names_guarded = self.context.names_guarded;
        let mut attributes_guarded = self.context.attributes_guarded;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if matches!(child.kind(), "except_clause" | "except_group_clause") {
                let caught = self.caught(child);
                imports_guarded |= caught.iter().any(|error| IMPORT_ERRORS.contains(error));
                names_guarded |= caught.contains(&"NameError");
                attributes_guarded |= caught.contains(&"AttributeError");
            }
        }
        let outside = Context { imports_guarded, ..self.context };
        let inside = Context { names_guarded, attributes_guarded, ..outside };
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let context = match child.kind() {
                "block" => inside,
                "finally_clause" => self.context,
                _ => outside,
            };
            self.within(context, |walker| walker.visit(child));
        }
    }

    /// The names of the errors that an except clause catches.
    fn caught(&self, clause: Node<'a>) -> Vec<&'a str> {
        let mut cursor = clause.walk();
        let mut heads = clause.named_children(&mut cursor);
        match heads.find(|child| !matches!(child.kind(), "block" | "comment")) {
            Some(head) => self.text(head).split(|c: char| !c.is_alphanumeric()).collect(),
            None => vec!["Exception"],
        }
    }

    pub(super) fn if_statement(&mut self, node: Node<'a>) {
        let condition = Field::Condition.of(node).map(|node| self.text(node)).unwrap_or_default();
        let is_special = CONDITIONS.iter().any(|mark| condition.contains(mark))
            || matches!(condition, "False" | "0");
        let is_version = VERSIONS.iter().any(|mark| condition.contains(mark));
        let context = Context {
            imports_guarded: self.context.imports_guarded || is_special,
            attributes_guarded: self.context.attributes_guarded || is_version,
            ..self.context
        };
        self.within(context, |walker| walker.children(node));
    }
}
