//! A file that is changed inside of one function: only what that function refers to is looked up.
//!
//! What the rest of the file refers to is there, or missing, as it was before, as long as the
//! function does the same to all around it: then the scopes and classes of the file are those
//! that are known. The function is walked as it was and as it is, each time alone, and what both
//! did is compared. Where anything of it differs, and where a reference of the function is not
//! plainly there, nothing is said, and the whole file is looked up.

use std::collections::HashMap;
use std::sync::Arc;

use gatewright_model::Span;
use tree_sitter::{Node, Tree};

use super::facts::{Counts, MODULE, PyFile, Scope, ScopeKind};
use super::fields::Field;
use super::kinds::Kind;
use super::walk::{Context, Walker, What};
use crate::references::collector::Collector;
use crate::references::index::Content;
use crate::references::session::Session;
use crate::syntax::{LanguageId, Parsed, Splice, decode, differ_only_in};

/// The facts of a file with the references of one function.
const OF_ONE: &str = "python, one function";

/// The answers about the one function in whose body a file is changed, which are those about what
/// the change adds; `None` where the whole file must be looked up.
pub(crate) fn check_edited(session: &Session<'_>, path: &str, text: &[u8]) -> Option<Collector> {
    let (old, _) = decode(session.alone_before(path)?).ok()?;
    let before = Parsed::known(LanguageId::Python, &old)?;
    let after = Parsed::new(LanguageId::Python, text).ok()?;
    let (was, is) = edited_function(&before, &after)?;
    let known =
        session.index.recalled::<PyFile>(&[super::ALL, OF_ONE], Content::of_parse(&before))?;
    let file = Arc::new(read(&known, (&old, &was), (text, &is))?);
    let content = (Content::of_parse(&after), text.len());
    session.index.remember_recent(OF_ONE, content, &file);
    let found = super::answers(session, path, file);
    let is_plain = found.missing.is_empty() && found.doubtful.is_empty() && found.untold.is_empty();
    (is_plain && !found.incomplete).then_some(found)
}

/// The outermost function around a place, with the way to it.
struct Site<'t> {
    function: Node<'t>,
    decorated: Option<Node<'t>>,
    classes: Vec<Node<'t>>,
}

/// The function in whose body alone two texts differ, in each of them.
fn edited_function<'t>(before: &'t Parsed, after: &'t Parsed) -> Option<(Site<'t>, Site<'t>)> {
    let splice = Splice::between(before.source(), after.source());
    if [before, after].iter().any(|parsed| parsed.tree().root_node().has_error()) {
        return None;
    }
    let (was, is) = (site(before.tree(), splice.old)?, site(after.tree(), splice.new)?);
    let place = Span::new(was.function.start_byte(), was.function.end_byte());
    let is_same = place.start == is.function.start_byte()
        && splice.moved(place.end) == is.function.end_byte()
        && was.classes.len() == is.classes.len();
    (is_same && differ_only_in(before, after, place)).then_some((was, is))
}

/// The outermost function that has a stretch inside of its body; nothing but classes stand around.
fn site(tree: &Tree, span: Span) -> Option<Site<'_>> {
    let mut cursor = tree.walk();
    let (mut classes, mut decorated) = (Vec::new(), None);
    loop {
        cursor.goto_first_child_for_byte(span.start)?;
        let node = cursor.node();
        if span.start < node.start_byte() || node.end_byte() < span.end {
            return None;
        }
        match Kind::of(node) {
            Kind::FunctionDefinition => {
                let body = Field::Body.of(node)?;
                let is_inside = body.start_byte() < span.start && span.end < body.end_byte();
                return is_inside.then_some(Site { function: node, decorated, classes });
            }
            Kind::ClassDefinition => {
                classes.push(node);
                decorated = None;
            }
            Kind::DecoratedDefinition => decorated = Some(node),
            _ if node.kind() == "block" => {}
            _ => return None,
        }
    }
}

/// The facts of the new text with the references of the function; `None` where the function does
/// something else to the rest of the file than it did.
fn read(known: &PyFile, was: (&[u8], &Site<'_>), is: (&[u8], &Site<'_>)) -> Option<PyFile> {
    let around = around(known);
    if around.hooked || around.incomplete {
        return None;
    }
    let was = walked(bare(&around), was)?;
    let is = walked(bare(&around), is)?;
    let is_same = effects(&was) == effects(&is) && was.outer?.bound == 1 && is.outer?.bound == 1;
    is_same.then(|| joined(around, is))
}

/// What all of a file shares: no references, and no names inside of functions.
fn around(known: &PyFile) -> PyFile {
    let whole = Counts {
        scopes: known.scopes.len(),
        classes: known.classes.len(),
        functions: known.functions.len(),
        bound: 0,
    };
    let counts = known.outer.map_or(whole, |counts| Counts { bound: 0, ..counts });
    let shared = |scope: &Scope| match scope.kind {
        ScopeKind::Function => Scope { bindings: HashMap::new(), ..*scope },
        _ => scope.clone(),
    };
    PyFile {
        scopes: known.scopes.iter().take(counts.scopes).map(shared).collect(),
        classes: known.classes.iter().take(counts.classes).cloned().collect(),
        functions: known.functions.iter().take(counts.functions).cloned().collect(),
        references: Vec::new(),
        stars: known.stars.clone(),
        all: known.all.clone(),
        spelled: known.spelled.clone(),
        stored: known.stored.clone(),
        loose: known.loose.clone(),
        outer: Some(counts),
        ..*known
    }
}

/// The same without what functions have done to it.
fn bare(around: &PyFile) -> PyFile {
    let mut file = self::around(around);
    for class in &mut file.classes {
        class.attributes.clear();
        class.held.clear();
        class.open = None;
    }
    file.stored.clear();
    (file.open, file.hook, file.makes_modules) = (None, None, false);
    file
}

/// A file with what the walk through one function adds to it.
fn walked(file: PyFile, (source, site): (&[u8], &Site<'_>)) -> Option<PyFile> {
    let mut walker = Walker::new(source, What::References, file);
    let mut scope = MODULE;
    for class in &site.classes {
        let name = walker.name(Field::Name.of(*class)?);
        let mut classes = walker.file.classes.iter();
        let found = classes.find(|class| class.outer == scope && class.name == name)?;
        if classes.any(|class| class.outer == scope && class.name == name) {
            return None;
        }
        scope = found.scope;
    }
    let mut decorators = Vec::new();
    if let Some(decorated) = site.decorated {
        let mut cursor = decorated.walk();
        for child in decorated.named_children(&mut cursor).filter(|it| it.kind() == "decorator") {
            decorators.push(child.named_child(0).and_then(|inner| walker.decorator(inner)));
        }
    }
    let context = Context { scope, ..Context::default() };
    walker.within(context, |walker| walker.function(site.function, &decorators));
    Some(walker.file)
}

/// What a function does to the file around it. It bound no name there but its own, once.
fn effects(file: &PyFile) -> impl PartialEq {
    let classes = file.outer.map_or(0, |outer| outer.classes);
    let classes = &file.classes[..classes.min(file.classes.len())];
    let flags = (file.open, file.hook, file.hooked, file.makes_modules, file.incomplete);
    let names = (&file.stored, &file.spelled, &file.loose, &file.all, &file.stars);
    (classes, file.functions.last(), flags, names)
}

/// What is known of a file, with the inside of the function and its references.
fn joined(mut around: PyFile, is: PyFile) -> PyFile {
    let Some(outer) = around.outer else { return around };
    around.scopes.extend(is.scopes.into_iter().skip(outer.scopes));
    around.classes.extend(is.classes.into_iter().skip(outer.classes));
    around.functions.extend(is.functions.into_iter().skip(outer.functions));
    around.references = is.references;
    around
}
