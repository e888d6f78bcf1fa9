//! From the syntax tree of Kotlin to [`KotlinFile`]: declarations.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::Node;

use super::super::super::words;
use super::facts::{
    Around, Block, Id, Import, KotlinFile, Level, Member, Name, Reference, Scope, Shape, Target,
    note,
};
use crate::syntax::{LanguageId, Parsed};

/// How deep the reader goes into a tree.
pub(super) const DEEPEST: usize = 200;

/// What one file says; `None` when it cannot be parsed.
pub(super) fn read(source: &[u8]) -> Option<KotlinFile> {
    let parsed = Parsed::new(LanguageId::Kotlin, &without_keyword(source)).ok()?;
    let root = parsed.tree().root_node();
    let mut reader = Reader {
        source,
        file: KotlinFile::default(),
        locals: vec![HashMap::new()],
        casts: HashMap::new(),
        scope: None,
        class: None,
        depth: 0,
    };
    reader.survey(root);
    reader.file.has_contexts = has_contexts(source);
    for child in children(root) {
        match child.kind() {
            "package_header" => {
                let name =
                    children(child).into_iter().find(|it| it.kind() == "qualified_identifier");
                reader.file.package = name.map(|it| reader.plain(it)).unwrap_or_default();
            }
            "import" => reader.import(child),
            "file_annotation" => reader.types_below(child),
            _ => reader.top(child),
        }
    }
    if root.has_error() {
        reader.loosen_members();
    }
    Some(reader.file)
}

/// The text with `dynamic` as a plain name where it is none of a type; every offset stays.
///
/// It is a word of the language for one platform only, which the grammar takes it for everywhere.
fn without_keyword(source: &[u8]) -> Cow<'_, [u8]> {
    const WORD: &[u8] = b"dynamic";
    let mut text = Cow::Borrowed(source);
    for at in words::occurrences(source, "dynamic") {
        let before = source[..at].trim_ascii_end();
        let is_type = matches!(before.last(), None | Some(b':' | b'<'))
            || before.ends_with(b" as")
            || before.ends_with(b" is");
        if !is_type {
            text.to_mut()[at + WORD.len() - 1] = b'_';
        }
    }
    text
}

/// Whether a line starts with the receivers of the function below it.
fn has_contexts(source: &[u8]) -> bool {
    let mut places = memchr::memmem::find_iter(source, b"context(");
    places.any(|at| {
        let line = source[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |line| line + 1);
        source[line..at].trim_ascii().is_empty()
    })
}

/// The named children of a node, without comments.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let all = node.named_children(&mut cursor);
    all.filter(|child| !matches!(child.kind(), "line_comment" | "block_comment")).collect()
}

/// Whether a node has a token of a kind among its direct children.
pub(super) fn has_token(node: Node<'_>, token: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == token)
}

pub(super) fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "user_type"
            | "nullable_type"
            | "non_nullable_type"
            | "parenthesized_type"
            | "function_type"
            | "dynamic"
    )
}

/// Reads one file.
pub(super) struct Reader<'a> {
    pub(super) source: &'a [u8],
    pub(super) file: KotlinFile,
    /// Locals, innermost scope last.
    pub(super) locals: Vec<HashMap<&'a str, Id>>,
    /// Where a name is tested for its class, which its type does not tell.
    pub(super) casts: HashMap<&'a str, Vec<Range<usize>>>,
    pub(super) scope: Scope,
    /// The class around.
    pub(super) class: Option<usize>,
    pub(super) depth: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn text(&self, node: Node<'_>) -> &'a str {
        let bytes = self.source.get(node.byte_range()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default().trim_matches('`')
    }

    fn plain(&self, node: Node<'_>) -> Name {
        self.text(node)
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '`')
            .collect::<String>()
            .into()
    }

    /// Whether a name is a label, or a part of a word that the grammar tore apart (`!invalid`).
    pub(super) fn is_part(&self, node: Node<'_>) -> bool {
        let before = node.start_byte().checked_sub(1).and_then(|at| self.source.get(at));
        before.is_some_and(|byte| *byte == b'@' || words::is_word(*byte))
    }

    pub(super) fn is_before_dot(&self, node: Node<'_>) -> bool {
        self.source.get(node.end_byte()) == Some(&b'.')
    }

    pub(super) fn add(&mut self, shape: Shape) -> Id {
        self.file.add(shape)
    }

    pub(super) fn unknown(&mut self) -> Id {
        self.add(Shape::Unknown)
    }

    pub(super) fn refer(&mut self, target: Target, node: Node<'_>) {
        let (scope, offset) = (self.scope, node.start_byte());
        // Where the parser misses a name it makes an empty one.
        if node.start_byte() == node.end_byte() {
            return;
        }
        // What the parser takes for a call behind `fun` is a head that it could not read.
        let before = self.source.get(..offset).unwrap_or_default();
        if before.ends_with(b" fun ") {
            self.file.loose.insert(self.text(node).into());
            return;
        }
        let is_bare = matches!(target, Target::Call(_) | Target::Name { .. });
        // A receiver that is tested for its class has the members of that class.
        if is_bare && self.is_cast("this", offset) {
            return;
        }
        self.file.references.push(Reference { target, scope, offset });
    }

    /// Reads inside of another level, with locals of its own.
    pub(super) fn inside(&mut self, level: Option<Level>, read: impl FnOnce(&mut Self)) {
        let outer = self.scope;
        if let Some(level) = level {
            self.file.levels.push(Around { level, outer });
            self.scope = u32::try_from(self.file.levels.len() - 1).ok();
        }
        self.locals.push(HashMap::new());
        read(self);
        self.locals.pop();
        self.scope = outer;
    }

    pub(super) fn local(&self, name: &str) -> Option<Id> {
        self.locals.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    pub(super) fn declare(&mut self, name: &'a str, shape: Id) {
        if let Some(scope) = self.locals.last_mut() {
            scope.insert(name, shape);
        }
    }

    /// Whether a name is tested for its class around a place.
    pub(super) fn is_cast(&self, name: &str, at: usize) -> bool {
        self.casts.get(name).is_some_and(|ranges| ranges.iter().any(|range| range.contains(&at)))
    }

    /// Notes type parameters, tests of classes, and the words of what did not parse.
    fn survey(&mut self, root: Node<'a>) {
        let mut stack = vec![(root, root.byte_range())];
        while let Some((node, mut around)) = stack.pop() {
            match node.kind() {
                "type_parameter" => {
                    let name = children(node).into_iter().find(|it| it.kind() == "identifier");
                    self.file.parameters.extend(name.map(|name| Name::from(self.text(name))));
                }
                "function_declaration" | "property_declaration" | "anonymous_initializer"
                    if around == root.byte_range()
                        || node.parent().is_some_and(|it| it.kind().ends_with("class_body")) =>
                {
                    around = node.byte_range();
                }
                "is_expression" | "as_expression" => {
                    let left = node.child_by_field_name("left");
                    self.note_cast(left, &around);
                }
                "when_subject" => self.note_cast(children(node).pop(), &around),
                "call_expression" if has_kind(node, "type_arguments") => {
                    self.note_assertion(node, &around)
                }
                "ERROR" => self.note_words(node),
                _ => {}
            }
            stack.extend(children(node).into_iter().map(|child| (child, around.clone())));
        }
    }

    fn note_cast(&mut self, node: Option<Node<'a>>, around: &Range<usize>) {
        let Some(node) = node else { return };
        let name = match node.kind() {
            "navigation_expression" => children(node).pop().unwrap_or(node),
            "parenthesized_expression" | "unary_expression" => {
                return self.note_cast(children(node).pop(), around);
            }
            _ => node,
        };
        self.casts.entry(self.text(name)).or_default().push(around.clone());
    }

    /// A call such as `assertIs<Type>(value)` tells the class of its argument.
    fn note_assertion(&mut self, node: Node<'a>, around: &Range<usize>) {
        let arguments = children(node).into_iter().filter(|it| it.kind() == "value_arguments");
        for argument in arguments.flat_map(children) {
            self.note_cast(children(argument).pop(), around);
        }
    }

    /// Whether a word stands before a declaration that the grammar did not take for one.
    pub(super) fn is_modifier(&self, node: Node<'_>) -> bool {
        const DECLARING: [&[u8]; 4] = [b"class ", b"interface ", b"object ", b"fun "];
        let rest = self.source.get(node.end_byte()..).unwrap_or_default().trim_ascii_start();
        DECLARING.iter().any(|word| rest.starts_with(word))
    }

    pub(super) fn note_words(&mut self, node: Node<'_>) {
        let words = self.text(node).split(|c: char| !c.is_alphanumeric() && c != '_');
        self.file.loose.extend(words.filter(|word| !word.is_empty()).map(Name::from));
    }

    /// Where something did not parse, a class may have ended too early for its own functions.
    fn loosen_members(&mut self) {
        let members = self.file.classes.iter().flat_map(|class| class.members.keys());
        self.file.loose.extend(members.cloned());
    }

    fn import(&mut self, node: Node<'a>) {
        let parts = children(node);
        let Some(path) = parts.iter().find(|part| part.kind() == "qualified_identifier") else {
            return;
        };
        let last = children(*path).pop().unwrap_or(*path);
        let alias = parts.iter().find(|part| part.kind() == "identifier");
        let import = Import {
            path: self.plain(*path),
            alias: alias.map(|alias| self.text(*alias).into()),
            is_star: has_token(node, "*"),
            offset: last.start_byte(),
        };
        self.file.imports.push(import);
    }

    /// A declaration outside of every class.
    fn top(&mut self, node: Node<'a>) {
        match node.kind() {
            "function_declaration" => {
                let (name, member, has_receiver) = self.function(node);
                self.note_top(name, member, has_receiver);
            }
            "property_declaration" => {
                for (name, member, has_receiver) in self.property(node) {
                    self.note_top(name, member, has_receiver);
                }
            }
            "type_alias" => self.alias(node),
            _ => {
                self.statement(node);
            }
        }
    }

    fn note_top(&mut self, name: &str, member: Member, has_receiver: bool) {
        let to = if has_receiver { &mut self.file.extensions } else { &mut self.file.top };
        note(to, name, member);
    }

    pub(super) fn alias(&mut self, node: Node<'a>) {
        let Some(name) = node.child_by_field_name("type") else { return };
        let ty = children(node).into_iter().rfind(|it| is_type(it.kind()));
        let block = ty.map_or(Block::None, |ty| self.block_of(ty));
        let target = ty.map(|ty| self.ty(ty)).unwrap_or_default();
        self.file.aliases.insert(self.text(name).into(), (target, block));
    }
}

pub(super) fn has_kind(node: Node<'_>, kind: &str) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).any(|child| child.kind() == kind)
}

/// The name of a type without what stands in angles; empty when it is not plain.
pub(super) fn outer_name(text: &str) -> Name {
    let mut name = String::new();
    let mut depth = 0usize;
    for c in text.trim_start_matches("suspend ").replace("->", "").chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '`' | '?' => {}
            _ if depth == 0 && !c.is_whitespace() => name.push(c),
            _ => {}
        }
    }
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    if is_plain { name.into() } else { Name::default() }
}

/// What a sign stands before: the grammar binds it closer than a dot and a call.
pub(super) fn unsigned(node: Node<'_>) -> Node<'_> {
    let is_signed =
        node.kind() == "unary_expression" && node.child(0).is_some_and(|sign| !sign.is_named());
    if is_signed { node.named_child(0).map_or(node, unsigned) } else { node }
}

/// The function of a call with all of its arguments: a lambda behind arguments is one more.
pub(super) fn call_parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut parts = children(node);
    let is_lambda = parts.len() == 2 && parts[1].kind() == "annotated_lambda";
    if is_lambda && parts[0].kind() == "call_expression" && !has_kind(parts[0], "annotated_lambda")
    {
        let last = parts.pop();
        parts = children(parts[0]);
        parts.extend(last);
    }
    parts
}
