//! References of which more than the text of the crate decides.
//!
//! What an attribute rewrites, what the crate takes over from a package that is not
//! installed, and what such a package is asked for: nothing of it is missing for certain.

use super::Checker;
use super::crates::NOT_INSTALLED;
use super::facts::{Path, Reference, Segment};
use super::modules::ModuleRef;
use super::resolver::Answer;

/// Why what a module has cannot be known.
const ATTRIBUTE: &str = "attribute macro";
/// Why a path in the own crate may lead somewhere.
pub(super) const TAKEN_OVER: &str = "names of the crate taken over from an unknown package";

impl Checker<'_> {
    /// A reference in a module that an attribute rewrites: it may have what its text lacks.
    pub(super) fn rewritten(&mut self, from: &ModuleRef, reference: &Reference) {
        let around = std::mem::take(&mut self.found);
        self.target(from, reference);
        let inside = std::mem::replace(&mut self.found, around);
        if inside.missing.is_empty() && inside.doubtful.is_empty() {
            return self.found.unknown(ATTRIBUTE);
        }
        for one in inside.missing {
            self.found.doubtful(&one.name, one.kind, one.offset, ATTRIBUTE);
        }
        for one in inside.doubtful {
            self.found.doubtful(&one.name, one.kind, one.offset, ATTRIBUTE);
        }
    }

    /// The name of a path in the own crate that only a package whose names are all taken over
    /// can give.
    pub(super) fn taken_over<'p>(
        &mut self,
        from: &ModuleRef,
        path: &'p Path,
        is_use: bool,
    ) -> Option<&'p Segment> {
        if !matches!(&*path.first()?.name, "crate" | "self" | "super") {
            return None;
        }
        for length in 2..=path.len() {
            match self.answer(from, &path[..length], is_use) {
                Answer::Found(_) => {}
                Answer::Unknown(NOT_INSTALLED) => return path.get(length - 1),
                _ => return None,
            }
        }
        None
    }

    /// Notes a `use` of which cannot be told whether it leads anywhere.
    pub(super) fn untold(&mut self, path: &[Segment], reason: &'static str) {
        let Some((last, owner @ [_, ..])) = path.split_last() else {
            return self.found.unknown(reason);
        };
        let owner: Vec<&str> = owner.iter().map(|segment| &*segment.name).collect();
        self.found.untold((&owner.join("::"), &last.name), last.offset, reason);
    }
}
