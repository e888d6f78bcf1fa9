//! A file's bytes with their syntax tree.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use gatewright_model::{Digest, Span};
use tree_sitter::{InputEdit, Node, ParseOptions, Parser, Point, Tree};

use super::beside;
use super::budget::{Reader, Steps};
use super::carried::{self, Origin};
use super::kinds::{Kind, Kinds};
use super::language::LanguageId;
use super::lines::LineIndex;
use super::outline;
use super::recent;
use super::same_tree::Splice;
use super::symbol::Symbol;
use super::tokens::{self, Token};

/// How many signs and keywords may stand in a row where the grammar sees no sense in them.
///
/// A query looks for the next node with a name from each of them, so that a long row would take
/// the square of its length. Code has a handful.
const LONGEST_RUN: usize = 512;

/// Why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The grammar does not fit the parser library.
    #[error("the {language} grammar cannot be loaded")]
    Grammar {
        /// The language's name.
        language: &'static str,
    },
    /// The work grew beyond its bound.
    #[error("parsing {bytes} bytes would take too long")]
    TooLong {
        /// The size of the text.
        bytes: usize,
    },
    /// Nothing but signs for too long.
    #[error("more than {LONGEST_RUN} signs in a row make no sense here")]
    Tangled,
}

/// Bytes and the tree that was parsed from exactly them. A copy is a handle to the same.
#[derive(Debug, Clone)]
pub struct Parsed(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    language: LanguageId,
    source: Vec<u8>,
    tree: Tree,
    lines: LineIndex,
    digest: OnceLock<Digest>,
    outline: OnceLock<Vec<Symbol>>,
    tokens: OnceLock<Vec<Token>>,
    /// What this was made of, until the outline is asked for. It has its own outline, so that
    /// it has no origin any more: the way back is never longer than one step.
    origin: Mutex<Option<Origin>>,
}

/// One step of the way from the root to a visited node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<'tree> {
    pub(crate) node: Node<'tree>,
    /// Where the attributes start that stand before the child being visited.
    pub(crate) attributes_start: Option<usize>,
}

/// How many nodes stand around one at most where all of them are asked: what asks them takes so
/// many steps for each node.
const DEEPEST: usize = 2000;

impl Parsed {
    /// Parses `source`, unless that was done a moment ago. Syntax errors are part of the tree,
    /// not a failure.
    ///
    /// Where the language has a wider grammar beside its own, and that one finds fewer errors,
    /// its tree is taken: [`language`](Self::language) is then the wider one.
    pub fn new(language: LanguageId, source: &[u8]) -> Result<Self, ParseError> {
        Self::better(language, source, Self::strict)
    }

    /// The same for one of many texts that are looked at in passing: the tree goes with this value.
    pub fn passing(language: LanguageId, source: &[u8]) -> Result<Self, ParseError> {
        Self::better(language, source, Self::once)
    }

    fn better(
        language: LanguageId,
        source: &[u8],
        parse: fn(LanguageId, &[u8]) -> Result<Self, ParseError>,
    ) -> Result<Self, ParseError> {
        let parsed = parse(language, source)?;
        let wider = language.language().wider.filter(|_| parsed.0.tree.root_node().has_error());
        let Some(wider) = wider else { return Ok(parsed) };
        let Ok(other) = parse(wider, source) else { return Ok(parsed) };
        let is_better = count_errors(&other.0.tree) < count_errors(&parsed.0.tree);
        Ok(if is_better { other } else { parsed })
    }

    /// Parses `source` by the grammar of `language` and no other.
    pub fn strict(language: LanguageId, source: &[u8]) -> Result<Self, ParseError> {
        let parsed = Self::once(language, source)?;
        recent::keep(&parsed);
        Ok(parsed)
    }

    /// The same for a text that nobody else will ask for: the tree goes with this value.
    pub fn once(language: LanguageId, source: &[u8]) -> Result<Self, ParseError> {
        if let Some(known) = recent::find(language, source) {
            return Ok(known);
        }
        let tree = parse(language, source, None)?;
        let tree = relaxed(language, source, tree)?;
        Ok(Self::from_tree(language, source.to_vec(), LineIndex::new(source), tree, None))
    }

    /// The parse of a text that was looked at a moment ago.
    pub(crate) fn known(language: LanguageId, source: &[u8]) -> Option<Self> {
        recent::find(language, source)
    }

    /// Parses the text that results from replacing `replaced` by `new`, reusing this tree.
    pub fn edited(&self, replaced: Span, new: &[u8]) -> Result<Self, ParseError> {
        let end = replaced.end.min(self.0.source.len());
        let start = replaced.start.min(end);
        let mut source = Vec::with_capacity(self.0.source.len() + new.len());
        source.extend_from_slice(&self.0.source[..start]);
        source.extend_from_slice(new);
        source.extend_from_slice(&self.0.source[end..]);
        // What is taken back was parsed a moment ago.
        if let Some(known) = recent::find(self.0.language, &source) {
            return Ok(known);
        }
        let lines = LineIndex::new(&source);
        let old = self.tree_told(Span::new(start, end), (start + new.len(), &lines));
        let may_reuse = self.is_spelt_alike(&source, Span::new(start, end));
        let tree = parse(self.0.language, &source, may_reuse.then_some(&old))?;
        let tree = relaxed(self.0.language, &source, tree)?;
        let origin = self.0.outline.get().map(|_| {
            let (old, new) = (Span::new(start, end), Span::new(start, start + new.len()));
            Origin { before: self.clone(), splice: Splice { old, new } }
        });
        Ok(Self::from_tree(self.0.language, source, lines, tree, origin))
    }

    /// Whether the grammar is given the same bytes beside an edit as it was before: another
    /// spelling may reach beyond what was replaced.
    fn is_spelt_alike(&self, source: &[u8], replaced: Span) -> bool {
        let language = self.0.language.language();
        if language.relax.is_some() {
            return false;
        }
        let Some(respell) = language.respell else { return true };
        let (before, after) = (respell(&self.0.source), respell(source));
        let before = before.as_deref().unwrap_or(&self.0.source);
        let after = after.as_deref().unwrap_or(source);
        let behind = &before[replaced.end..];
        before[..replaced.start] == after[..replaced.start] && after.ends_with(behind)
    }

    /// The tree, told what is replaced and where in the new text that ends.
    ///
    /// It is told more than that, from the last byte of the code before to the first byte of the
    /// code behind: beside an edit the parser meets the signs without length that a scanner makes
    /// (the end of a line, of a block) in another state than before, and then passes by all of
    /// the old tree that starts at the same place, which may be the rest of the file.
    fn tree_told(&self, replaced: Span, (new_end, lines): (usize, &LineIndex)) -> Tree {
        let told = beside::with_code_around(&self.0.source, &self.0.tree, replaced);
        let new_end = new_end + (told.end - replaced.end);
        let mut tree = self.0.tree.clone();
        tree.edit(&InputEdit {
            start_byte: told.start,
            old_end_byte: told.end,
            new_end_byte: new_end,
            start_position: point(&self.0.lines, told.start),
            old_end_position: point(&self.0.lines, told.end),
            new_end_position: point(lines, new_end),
        });
        tree
    }

    /// Parses another version of this text by the same grammar, reusing this tree where that is
    /// sure to give what a new parse would: with errors on either side it may not.
    pub fn version(&self, source: &[u8]) -> Result<Self, ParseError> {
        if let Some(known) = recent::find(self.0.language, source) {
            return Ok(known);
        }
        if !self.0.tree.root_node().has_error() {
            let splice = Splice::between(&self.0.source, source);
            let version = self.edited(splice.old, &source[splice.new.range()])?;
            if version.keep() {
                return Ok(version);
            }
        }
        Self::strict(self.0.language, source)
    }

    fn from_tree(
        language: LanguageId,
        source: Vec<u8>,
        lines: LineIndex,
        tree: Tree,
        origin: Option<Origin>,
    ) -> Self {
        let (digest, outline, tokens) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let origin = Mutex::new(origin);
        Self(Arc::new(Inner { language, source, tree, lines, digest, outline, tokens, origin }))
    }

    /// Lets others find this parse, if it is sure to be what a new one would give.
    pub(crate) fn keep(&self) -> bool {
        let is_sure = !self.0.tree.root_node().has_error();
        if is_sure {
            recent::keep(self);
        }
        is_sure
    }

    /// The language.
    pub fn language(&self) -> LanguageId {
        self.0.language
    }

    /// The bytes that were parsed.
    pub fn source(&self) -> &[u8] {
        &self.0.source
    }

    /// The digest of the bytes.
    pub(crate) fn digest(&self) -> Digest {
        *self.0.digest.get_or_init(|| Digest::of(&self.0.source))
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.0.tree
    }

    /// The lines of the source.
    pub fn lines(&self) -> &LineIndex {
        &self.0.lines
    }

    /// The bytes of a span, shortened where it runs past the end.
    pub fn bytes(&self, span: Span) -> &[u8] {
        let end = span.end.min(self.0.source.len());
        &self.0.source[span.start.min(end)..end]
    }

    /// The text of a span; invalid UTF-8 is shown as replacement characters.
    pub fn text(&self, span: Span) -> String {
        String::from_utf8_lossy(self.bytes(span)).into_owned()
    }

    /// The definitions, in the order of the file, each after the one around it.
    pub fn outline(&self) -> &[Symbol] {
        self.0.outline.get_or_init(|| {
            let carried = self.take_origin().and_then(|origin| carried::outline(self, &origin));
            carried.unwrap_or_else(|| outline::outline(self))
        })
    }

    /// What this was made of, once.
    pub(super) fn take_origin(&self) -> Option<Origin> {
        self.0.origin.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The definitions that share a byte with `region`, without their parents and numbers.
    pub(crate) fn outline_around(&self, region: Span) -> Vec<Symbol> {
        outline::outline_around(self, region)
    }

    /// The leaves of the tree, each a comment, a piece of a string, or code.
    pub fn tokens(&self) -> &[Token] {
        let whole = Span::new(0, self.0.source.len());
        self.0.tokens.get_or_init(|| tokens::tokens(self, whole))
    }

    /// Visits every node before its children, with the way to it.
    ///
    /// `enter` says whether to go on below. The walk keeps its own stack, so
    /// depth costs memory and never the call stack.
    pub(crate) fn visit<'tree>(
        &'tree self,
        mut enter: impl FnMut(Node<'tree>, &[Frame<'tree>]) -> bool,
    ) {
        let kinds = Kinds::of(self.0.language);
        let mut cursor = self.0.tree.walk();
        let mut stack: Vec<Frame<'tree>> = Vec::new();
        loop {
            let node = cursor.node();
            note_attribute(kinds, &mut stack, node);
            let below = enter(node, &stack);
            if below && cursor.goto_first_child() {
                stack.push(Frame { node, attributes_start: None });
                continue;
            }
            loop {
                leave(kinds, &mut stack, cursor.node());
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
                stack.pop();
            }
        }
    }

    /// Visits every node with those around it, the outermost first; `enter` says whether to go
    /// below. Says whether nothing was passed by for being too deep.
    pub(crate) fn visit_inside<'tree>(
        &'tree self,
        mut enter: impl FnMut(Node<'tree>, &[Node<'tree>]) -> bool,
    ) -> bool {
        let mut around: Vec<Node<'tree>> = Vec::new();
        let mut is_whole = true;
        self.visit(|node, frames| {
            // The node before this one stood below the same ones, up to those of this one.
            around.truncate(frames.len());
            if frames.len() > DEEPEST {
                is_whole = false;
                return false;
            }
            let goes_below = enter(node, &around);
            around.push(node);
            goes_below
        });
        is_whole
    }
}

fn note_attribute(kinds: &Kinds, stack: &mut [Frame<'_>], node: Node<'_>) {
    if let Some(frame) = stack.last_mut()
        && kinds.get(node).is(Kind::ATTRIBUTE)
    {
        frame.attributes_start.get_or_insert(node.start_byte());
    }
}

fn leave(kinds: &Kinds, stack: &mut [Frame<'_>], node: Node<'_>) {
    if let Some(frame) = stack.last_mut()
        && frame.attributes_start.is_some()
        && !kinds.get(node).is(Kind::ATTRIBUTE)
        && !kinds.get(node).is(Kind::COMMENT)
    {
        frame.attributes_start = None;
    }
}

fn point(lines: &LineIndex, offset: usize) -> Point {
    let (line, column) = lines.position(offset);
    Point::new(line - 1, column - 1)
}

/// The tree of the relaxed spelling, where that one has fewer errors.
fn relaxed(language: LanguageId, source: &[u8], tree: Tree) -> Result<Tree, ParseError> {
    let Some(relax) = language.language().relax.filter(|_| tree.root_node().has_error()) else {
        return Ok(tree);
    };
    let other = parse(language, &relax(source), None)?;
    Ok(if count_errors(&other) < count_errors(&tree) { other } else { tree })
}

/// How many bytes lie in errors, and one for each thing missing.
fn count_errors(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut count = 0;
    loop {
        let node = cursor.node();
        let is_error = node.is_error() || node.is_missing();
        if is_error {
            count += node.byte_range().len().max(1);
        }
        if !is_error && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}

fn parse(language: LanguageId, source: &[u8], old: Option<&Tree>) -> Result<Tree, ParseError> {
    let declaration = language.language();
    let mut parser = Parser::new();
    parser
        .set_language(&(declaration.grammar)())
        .map_err(|_| ParseError::Grammar { language: declaration.name })?;
    let respelt = declaration.respell.and_then(|respell| respell(source));
    let source = respelt.as_deref().unwrap_or(source);
    let (mut steps, mut reader) = (Steps::new(source.len()), Reader::new(source));
    let mut progress = |_: &tree_sitter::ParseState| steps.report();
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |offset: usize, _: Point| reader.read(offset);
    let tree = parser.parse_with_options(&mut read, old, Some(options));
    let tree =
        tree.filter(|_| !reader.is_used_up()).ok_or(ParseError::TooLong { bytes: source.len() })?;
    if is_tangled(&tree) { Err(ParseError::Tangled) } else { Ok(tree) }
}

/// Whether an error has a long row of nodes without names.
fn is_tangled(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let may_be = node.has_error() && node.descendant_count() > LONGEST_RUN;
        if may_be && node.is_error() && has_long_run(node) {
            return true;
        }
        if may_be && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

fn has_long_run(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    let mut run = 0;
    node.children(&mut cursor).any(|child| {
        run = if child.is_named() { 0 } else { run + 1 };
        run > LONGEST_RUN
    })
}
