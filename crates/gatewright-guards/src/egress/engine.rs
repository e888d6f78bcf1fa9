//! The engine: cuts text into units and collects what the rules and detectors find in each.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::anchors::{Anchors, Hit, Target};
use super::catalogue::{Catalogue, find_near};
use super::kind::Kind;
use super::redactor::{Redaction, RedactionContext};

/// Something that must not leave, in the text that is being looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it lies.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
    /// What found it.
    pub rule: Cow<'static, str>,
}

impl Found {
    /// The form that callers outside see.
    pub fn into_redaction(self) -> Redaction {
        Redaction { kind: self.kind, rule: self.rule, start: self.range.start, end: self.range.end }
    }
}

/// Rules, prefilter and context, ready to search.
#[derive(Debug)]
pub struct Engine {
    catalogue: Catalogue,
    anchors: Arc<Anchors>,
    context: RedactionContext,
}

impl Engine {
    /// An engine for these rules and this place.
    pub fn new(catalogue: &Catalogue, context: RedactionContext) -> Engine {
        let anchors = Arc::new(Anchors::of(catalogue));
        Engine { catalogue: catalogue.clone(), anchors, context }
    }

    /// The same rules for another place.
    pub fn with_context(&self, context: RedactionContext) -> Engine {
        Engine { catalogue: self.catalogue.clone(), anchors: self.anchors.clone(), context }
    }

    /// Everything that must not leave, in order and without overlaps.
    pub fn find(&self, text: &[u8]) -> Vec<Found> {
        let _ = &self.context;
        let mut found = Vec::new();
        self.anchors.scan(text, |hit| self.look(text, &hit, &mut found));
        disjoint(text, found)
    }

    fn look(&self, text: &[u8], hit: &Hit, found: &mut Vec<Found>) {
        for target in self.anchors.targets(hit) {
            match *target {
                Target::Detector(detector) => detector.look(text, hit.start, hit.end, found),
                Target::Rule(index) => {
                    let rule = &self.catalogue.rules()[index];
                    for range in find_near(rule, text, hit.start..hit.end) {
                        let name = Cow::Owned(rule.name.clone());
                        found.push(Found { range, kind: rule.kind, rule: name });
                    }
                }
            }
        }
    }
}

/// Sorts, merges what overlaps, and widens to whole characters.
fn disjoint(text: &[u8], mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
    let mut merged: Vec<Found> = Vec::with_capacity(found.len());
    for mut one in found {
        widen(text, &mut one.range);
        match merged.last_mut() {
            Some(last) if one.range.start < last.range.end => {
                last.range.end = last.range.end.max(one.range.end);
            }
            _ => merged.push(one),
        }
    }
    merged
}

fn widen(text: &[u8], range: &mut Range<usize>) {
    let inside = |at: usize| text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    while range.start > 0 && inside(range.start) {
        range.start -= 1;
    }
    while inside(range.end) {
        range.end += 1;
    }
}
