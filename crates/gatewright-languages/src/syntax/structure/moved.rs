//! Code of a function that an edit hands over to a new one.
//!
//! `return a`, the head of another function and then the rest of the body as it was: the edit
//! names no definition, and yet it cuts one in two. New functions beside the code that stays are
//! an addition and none of this.

use std::collections::HashMap;

use gatewright_model::Span;

use super::Versions;
use super::aftermath::{added, difference, function_around, places, twin};
use super::cut::trimmed;
use super::regions::{Regions, is_multiline};

/// Whether at least half of the replaced lines of a function stand in another, new one.
pub(super) fn hands_over(versions: &Versions<'_>, regions: &Regions<'_>) -> bool {
    if added(versions).is_empty() {
        return false;
    }
    let mut shift = 0isize;
    places(versions, regions).into_iter().any(|(base, length)| {
        let start = base.start.checked_add_signed(shift).unwrap_or(0);
        shift += difference(base, length);
        is_multiline(&versions.before.text(base))
            && is_handed_over(versions, base, Span::new(start, start + length))
    })
}

fn is_handed_over(versions: &Versions<'_>, base: Span, new: Span) -> bool {
    let (before, after) = (&versions.before, &versions.after);
    let Some(function) = function_around(before, trimmed(before, base)) else { return false };
    let Some(twin) = twin(after, function) else { return false };
    let here = Span::new(new.start, twin.full.end.clamp(new.start, new.end));
    let elsewhere = Span::new(here.end, new.end);
    let (old, here) = (before.text(base), after.text(here));
    let mut left: HashMap<&str, isize> = HashMap::new();
    for line in code_lines(&old) {
        *left.entry(line).or_insert(0) += 1;
    }
    for line in code_lines(&here) {
        left.entry(line).and_modify(|count| *count -= 1);
    }
    let elsewhere = after.text(elsewhere);
    let mut moved = 0;
    for line in code_lines(&elsewhere) {
        if let Some(count) = left.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            moved += 1;
        }
    }
    moved > 0 && moved * 2 >= code_lines(&old).count()
}

/// Lines with a word in them, without their indentation.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| line.contains(char::is_alphanumeric))
}
