//! Where the trees of two versions of a text differ, proven node by node.
//!
//! An incremental parse shares between the trees what it leaves alone. What is
//! shared is known by its place in memory; everything else is compared: kind,
//! field, size, place, and the same of all that is below. The parser's own word
//! about what changed is not taken.

use std::num::NonZeroU16;

use gatewright_model::Span;
use tree_sitter::Node;

use super::kinds::{Kind, Kinds};
use super::parsed::Parsed;

/// How many nodes are compared at most: what is not shared costs as much as a new outline.
const MOST_COMPARED: usize = 20_000;
/// How many pieces of code beside the difference are looked at for the comments between them.
const NEIGHBOURS: usize = 3;

/// How many bytes of two texts are compared at once.
const CHUNK: usize = 64;

/// The bytes that made way and the bytes that came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Splice {
    pub(crate) old: Span,
    pub(crate) new: Span,
}

impl Splice {
    /// The one stretch in which two texts differ.
    pub(crate) fn between(one: &[u8], other: &[u8]) -> Self {
        let chunks = one.chunks(CHUNK).zip(other.chunks(CHUNK));
        let equal = CHUNK * chunks.take_while(|(one, other)| one == other).count();
        let equal = equal.min(one.len()).min(other.len());
        let bytes = one[equal..].iter().zip(&other[equal..]);
        let start = equal + bytes.take_while(|(one, other)| one == other).count();
        let (one_rest, other_rest) = (&one[start..], &other[start..]);
        let chunks = one_rest.rchunks(CHUNK).zip(other_rest.rchunks(CHUNK));
        let equal = CHUNK * chunks.take_while(|(one, other)| one == other).count();
        let equal = equal.min(one_rest.len()).min(other_rest.len());
        let upto = |text: &[u8]| text.len() - equal;
        let (one_head, other_head) = (&one_rest[..upto(one_rest)], &other_rest[..upto(other_rest)]);
        let bytes = one_head.iter().rev().zip(other_head.iter().rev());
        let tail = equal + bytes.take_while(|(one, other)| one == other).count();
        let old = Span::new(start, one.len() - tail);
        Self { old, new: Span::new(start, other.len() - tail) }
    }

    /// Where an offset behind the old bytes lies now.
    pub(crate) fn moved(self, offset: usize) -> usize {
        (offset + self.new.end).saturating_sub(self.old.end)
    }

    /// Where a stretch outside of the old bytes lies now.
    pub(super) fn moved_span(self, span: Span) -> Option<Span> {
        if span.end <= self.old.start {
            return Some(span);
        }
        let is_behind = span.start >= self.old.end;
        is_behind.then(|| Span::new(self.moved(span.start), self.moved(span.end)))
    }
}

/// A stretch in which two trees may differ, in each of the texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Difference {
    /// The difference with one piece of code on each side.
    pub(super) old: Span,
    pub(super) new: Span,
    /// The same with a few pieces more.
    pub(super) new_around: Span,
}

#[derive(Clone, Copy)]
struct Child<'tree> {
    node: Node<'tree>,
    field: Option<NonZeroU16>,
}

/// The children of a node in both trees, of which the first and the last few are the same.
struct Level<'tree> {
    old: Vec<Child<'tree>>,
    new: Vec<Child<'tree>>,
    first: usize,
    last: usize,
}

/// Where two trees differ; `None` where it takes too long to tell.
pub(super) fn difference(before: &Parsed, after: &Parsed, splice: Splice) -> Option<Difference> {
    let mut left = MOST_COMPARED;
    let kinds = Kinds::of(after.language());
    let wrappers = after.language().language().wrappers;
    let (mut old, mut new) = (before.tree().root_node(), after.tree().root_node());
    let mut levels: Vec<Level<'_>> = Vec::new();
    loop {
        let level = Level::new(old, new, splice, &mut left);
        // What a wrapper belongs to depends on all that is in it.
        if wrappers.contains(&new.kind()) && level.has_members_beside(kinds) {
            break;
        }
        let between = level.between();
        levels.push(level);
        let Some((one, other)) = between else { break };
        if !is_alike_at_its_place(one, other) || left == 0 {
            break;
        }
        (old, new) = (one.node, other.node);
    }
    (left > 0 && !levels.is_empty()).then(|| around(after, &levels, splice))
}

/// Whether two trees are the same but for what is below one node of the old one.
pub(crate) fn differ_only_in(before: &Parsed, after: &Parsed, place: Span) -> bool {
    let mut left = MOST_COMPARED;
    let splice = Splice::between(before.source(), after.source());
    let (mut old, mut new) = (before.tree().root_node(), after.tree().root_node());
    while old.start_byte() != place.start || old.end_byte() != place.end {
        let level = Level::new(old, new, splice, &mut left);
        match level.between() {
            Some((one, other)) if left > 0 && is_alike_at_its_place(one, other) => {
                (old, new) = (one.node, other.node);
            }
            _ => return false,
        }
    }
    true
}

/// Whether the children of two nodes can be compared, so that only they differ.
fn is_alike_at_its_place(one: Child<'_>, other: Child<'_>) -> bool {
    one.node.kind_id() == other.node.kind_id()
        && one.field == other.field
        && one.node.is_extra() == other.node.is_extra()
        && one.node.is_error() == other.node.is_error()
        && one.node.child_count() > 0
        && other.node.child_count() > 0
}

impl<'tree> Level<'tree> {
    fn new(old: Node<'tree>, new: Node<'tree>, splice: Splice, left: &mut usize) -> Self {
        let (old, new) = (children(old), children(new));
        let shortest = old.len().min(new.len());
        let mut first = 0;
        while first < shortest
            && old[first].node.end_byte() <= splice.old.start
            && old[first].node.start_byte() == new[first].node.start_byte()
            && is_same(old[first], new[first], left)
        {
            first += 1;
        }
        let mut last = 0;
        while last < shortest - first {
            let (one, other) = (old[old.len() - 1 - last], new[new.len() - 1 - last]);
            let is_behind = one.node.start_byte() >= splice.old.end
                && splice.moved(one.node.start_byte()) == other.node.start_byte();
            if !is_behind || !is_same(one, other, left) {
                break;
            }
            last += 1;
        }
        Self { old, new, first, last }
    }

    /// The one child that differs, if it is one.
    fn between(&self) -> Option<(Child<'tree>, Child<'tree>)> {
        let middle =
            |children: &[Child<'tree>]| match &children[self.first..children.len() - self.last] {
                [one] => Some(*one),
                _ => None,
            };
        middle(&self.old).zip(middle(&self.new))
    }

    fn has_members_beside(&self, kinds: &Kinds) -> bool {
        let same = self.old[..self.first].iter().chain(&self.old[self.old.len() - self.last..]);
        same.into_iter().any(|child| {
            let kind = kinds.get(child.node);
            child.node.is_named() && !kind.is(Kind::COMMENT) && !kind.is(Kind::ANNOTATION)
        })
    }
}

fn children(node: Node<'_>) -> Vec<Child<'_>> {
    let mut cursor = node.walk();
    let mut children = Vec::new();
    let mut is_there = cursor.goto_first_child();
    while is_there {
        children.push(Child { node: cursor.node(), field: cursor.field_id() });
        is_there = cursor.goto_next_sibling();
    }
    children
}

/// Whether two nodes are the same all the way down.
fn is_same(one: Child<'_>, other: Child<'_>, left: &mut usize) -> bool {
    if one.node.id() == other.node.id() {
        // Most are shared, and no way down is needed to see it.
        return one.field == other.field;
    }
    let (start, other_start) = (one.node.start_byte(), other.node.start_byte());
    let (mut here, mut there) = (one.node.walk(), other.node.walk());
    let (mut fields, mut depth) = ((one.field, other.field), 0_usize);
    loop {
        let (one, other) = (here.node(), there.node());
        if fields.0 != fields.1 || one.start_byte() - start != other.start_byte() - other_start {
            return false;
        }
        // The place of a node is one in the list of its parent's children: the parent is shared.
        let is_shared = one.id() == other.id();
        if !is_shared {
            if *left == 0 || !is_alike(one, other) {
                return false;
            }
            *left -= 1;
        }
        if !is_shared && here.goto_first_child() && there.goto_first_child() {
            depth += 1;
        } else {
            loop {
                if depth == 0 {
                    return true;
                }
                match (here.goto_next_sibling(), there.goto_next_sibling()) {
                    (true, true) => break,
                    (false, false) => depth -= 1,
                    _ => return false,
                }
                here.goto_parent();
                there.goto_parent();
            }
        }
        fields = (here.field_id(), there.field_id());
    }
}

/// Whether two nodes are alike, their children and their places aside.
fn is_alike(one: Node<'_>, other: Node<'_>) -> bool {
    one.kind_id() == other.kind_id()
        && one.byte_range().len() == other.byte_range().len()
        && one.child_count() == other.child_count()
        && (one.is_extra(), one.is_error(), one.is_missing(), one.has_error())
            == (other.is_extra(), other.is_error(), other.is_missing(), other.has_error())
}

/// The difference with what stands beside it.
fn around(after: &Parsed, levels: &[Level<'_>], splice: Splice) -> Difference {
    let kinds = Kinds::of(after.language());
    let is_code = |child: &&Child<'_>| {
        let kind = kinds.get(child.node);
        let is_between = matches!(child.node.kind(), ";" | ",");
        let is_empty = child.node.start_byte() == child.node.end_byte();
        !is_between && !is_empty && !kind.is(Kind::COMMENT) && !kind.is(Kind::ATTRIBUTE)
    };
    let upwards = || levels.iter().rev();
    let starts: Vec<usize> = upwards()
        .flat_map(|level| level.old[..level.first].iter().rev())
        .filter(is_code)
        .map(|child| child.node.start_byte())
        .take(NEIGHBOURS)
        .collect();
    let ends: Vec<usize> = upwards()
        .flat_map(|level| level.old[level.old.len() - level.last..].iter())
        .filter(is_code)
        .map(|child| child.node.end_byte())
        .take(NEIGHBOURS)
        .collect();
    let whole = splice.old.end + (after.source().len() - splice.new.end);
    let span = |number: usize| {
        let start = starts.get(number).copied().unwrap_or(0);
        Span::new(start, ends.get(number).copied().unwrap_or(whole))
    };
    let new = |old: Span| Span::new(old.start, splice.moved(old.end));
    let (near, far) = (span(0), span(NEIGHBOURS - 1));
    Difference { old: near, new: new(near), new_around: new(far) }
}
