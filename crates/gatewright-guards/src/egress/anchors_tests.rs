//! The prefilter against a comparison of every literal at every place.

use proptest::prelude::*;

use super::*;

static ANCHORS: std::sync::LazyLock<Anchors> =
    std::sync::LazyLock::new(|| Anchors::of(Catalogue::built_in()));

/// Every hit in a part of `text`, by comparing all literals at all places.
fn expected(text: &[u8], region: &Range<usize>) -> Vec<(usize, usize, usize)> {
    let mut hits = Vec::new();
    for entry in 0..ANCHORS.key_lines {
        let literal = ANCHORS.literals.literal(entry);
        let Some(first) = literal.first() else { continue };
        let is_same = literal.iter().all(|byte| byte == first);
        let skipped = usize::from(*first == b'\n');
        for start in region.clone() {
            let rest = &text[start..region.end];
            let is_there =
                rest.get(..literal.len()).is_some_and(|it| it.eq_ignore_ascii_case(literal));
            let repeats = is_same && start > 0 && text[start - 1].eq_ignore_ascii_case(first);
            if is_there && !repeats {
                hits.push((start + skipped, start + literal.len(), entry));
            }
        }
        if skipped == 1 && region.start == 0 && text.starts_with(&literal[1..]) {
            hits.push((0, literal.len() - 1, entry));
        }
    }
    hits.sort_unstable();
    hits
}

fn found(text: &[u8], regions: &[Range<usize>]) -> Vec<(usize, usize, usize)> {
    let mut hits = Vec::new();
    ANCHORS.scan_regions(text, regions, |hit| hits.push((hit.start, hit.end, hit.entry)));
    let starts: Vec<usize> = hits.iter().map(|hit| hit.0).collect();
    assert!(starts.is_sorted(), "{starts:?}");
    hits.sort_unstable();
    hits
}

proptest! {
    #[test]
    fn what_is_found_is_what_comparing_every_place_finds(
        parts in proptest::collection::vec(
            (any::<prop::sample::Index>(), "[a-zA-Z_ .:\"+=/~\\\\\n-]{0,9}", 0..24usize),
            0..24,
        ),
        cut in (0..40usize, 0..40usize),
        gaps in proptest::collection::vec((0..60usize, 1..90usize), 0..4),
    ) {
        let mut text = Vec::new();
        for (index, between, length) in &parts {
            let literal = ANCHORS.literals.literal(index.index(ANCHORS.key_lines));
            text.extend_from_slice(&literal[..literal.len().min(*length)]);
            text.extend_from_slice(between.as_bytes());
        }
        let start = cut.0.min(text.len());
        let end = text.len().saturating_sub(cut.1).max(start);
        let mut regions: Vec<Range<usize>> = std::iter::once(start..end).collect();
        for (length, gap) in gaps {
            let Some(last) = regions.last_mut().filter(|last| last.len() > length + gap) else {
                break;
            };
            last.end = last.start + length;
            let next = last.end + gap..end;
            regions.push(next);
        }
        let mut all: Vec<_> = regions.iter().flat_map(|region| expected(&text, region)).collect();
        all.sort_unstable();
        prop_assert_eq!(found(&text, &regions), all);
    }
}
