//! The literals of a view, carried over from its text wherever the view stands there as it is.
//!
//! A view is mostly the text itself, and a text has many views. A literal that lies
//! inside of what both have is in both; so only what is near a change is searched again.

use std::ops::Range;

use super::anchors::{Anchors, Hit};
use super::shadow::View;

/// A text with its literals.
#[derive(Debug)]
pub struct Shown<'a> {
    /// The text.
    pub text: &'a [u8],
    /// Where something was left out of it, when it is a view of another one.
    pub seams: &'a [usize],
    /// Its literals, in order.
    pub hits: Vec<Hit>,
}

impl<'a> Shown<'a> {
    /// A text that is a view of no other.
    pub fn of(anchors: &Anchors, text: &'a [u8]) -> Shown<'a> {
        let mut hits = Vec::new();
        anchors.scan(text, |hit| hits.push(hit));
        Shown { text, seams: &[], hits }
    }

    /// A view of this text.
    pub fn seen_as<'v>(&self, anchors: &Anchors, view: &'v View) -> Shown<'v> {
        let hits = carried(anchors, &self.hits, view);
        Shown { text: view.bytes(), seams: view.seams(), hits }
    }
}

/// The literals of `view`, in the order in which a search of it finds them.
///
/// `known` are all literals of the text of which it is a view.
fn carried(anchors: &Anchors, known: &[Hit], view: &View) -> Vec<Hit> {
    let mut hits = Vec::with_capacity(known.len());
    let mut near = Vec::new();
    let mut changed = 0;
    for (here, source) in view.standing() {
        let inner = inner_of(anchors, &here);
        if inner.is_empty() {
            continue;
        }
        near.push(changed..inner.start);
        changed = inner.end;
        let first = known.partition_point(|hit| hit.start < source);
        let inside = known[first..].iter().take_while(|hit| hit.start < source + here.len());
        let inside = inside.map(|hit| hit.moved(source, here.start));
        hits.extend(inside.filter(|hit| is_inside(hit, &here)));
    }
    near.push(changed..view.bytes().len());
    search_again(anchors, view, &near, &mut hits);
    hits.sort_by_key(|hit| anchors.rank(hit));
    hits
}

/// Adds the literals that lie in `near` and were not carried over.
fn search_again(anchors: &Anchors, view: &View, near: &[Range<usize>], hits: &mut Vec<Hit>) {
    let mut standing = view.standing().filter(|(here, _)| !inner_of(anchors, here).is_empty());
    let mut piece = standing.next();
    anchors.scan_regions(view.bytes(), near, |hit| {
        while piece.as_ref().is_some_and(|(here, _)| here.end <= hit.start) {
            piece = standing.next();
        }
        if !piece.as_ref().is_some_and(|(here, _)| is_inside(&hit, here)) {
            hits.push(hit);
        }
    });
}

/// True when a hit and the bytes beside it that matter lie in `here`.
///
/// Before its first byte a literal may have a line break, and whether it repeats the byte
/// before that counts.
fn is_inside(hit: &Hit, here: &Range<usize>) -> bool {
    here.start + 2 <= hit.start && hit.end <= here.end
}

/// The part of `here` in which nothing can lie that is not all inside of `here`.
fn inner_of(anchors: &Anchors, here: &Range<usize>) -> Range<usize> {
    let margin = anchors.longest() + 2;
    here.start + margin..here.end.saturating_sub(margin)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::super::catalogue::Catalogue;
    use super::super::shadow::{assembled, concatenated, plain};
    use super::*;

    const PARTS: [&str; 24] = [
        "\\n",
        "\\u0041",
        "\" + \"",
        "\",\"",
        "ab",
        "ghp_",
        "gh\" + \"p_",
        "password",
        "pass\\u0077ord",
        "\n/home/",
        "\\n/home/",
        "://",
        "key=",
        "-----BEGIN PRIVATE KEY-----",
        "%3D",
        "token",
        "\x1b[0m",
        "=====",
        "~/",
        "\n",
        "'a', ",
        "eyJ",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ",
        "the quick brown fox jumps over the lazy dog and its secret: nothing at all to be seen here ",
    ];

    static ANCHORS: LazyLock<Anchors> = LazyLock::new(|| Anchors::of(Catalogue::built_in()));

    proptest::proptest! {
        #[test]
        fn what_is_carried_over_is_what_a_search_of_the_view_finds(
            parts in proptest::collection::vec(proptest::sample::select(&PARTS[..]), 0..40),
        ) {
            let anchors = &*ANCHORS;
            let text = parts.concat();
            let view = View::of(text.as_bytes());
            let whole = Shown::of(anchors, text.as_bytes());
            let once = plain(&view);
            let views = [once.as_ref().and_then(concatenated), concatenated(&view), assembled(&view), once, Some(view)];
            for view in views.into_iter().flatten() {
                let expected = Shown::of(anchors, view.bytes()).hits;
                proptest::prop_assert_eq!(whole.seen_as(anchors, &view).hits, expected);
            }
        }
    }
}
