//! A search for literals of three bytes and more, whatever their case.
//!
//! Of each literal four neighbouring bytes are searched for, its window. A vector pass of
//! [`masks`](super::masks) shows where a window may be, and only there are literals compared.

use super::super::quick::{Start, folded_head};
use super::tables::WordSet;

/// The shortest literal that the search can find: behind it any byte ends its window.
pub const SHORTEST: usize = 3;

/// The literals, ready to be searched for, with a set of windows of so many times 32 bits.
#[derive(Debug)]
pub struct Literals<const WORDS: usize> {
    windows: WordSet<WORDS>,
    buckets: Buckets<WORDS>,
    literals: Vec<Box<[u8]>>,
}

impl<const WORDS: usize> Literals<WORDS> {
    /// A search for these literals, in lower case, whose windows are at these places.
    ///
    /// Those that are too short are not found.
    pub fn new(literals: Vec<Box<[u8]>>, places: &[usize]) -> Literals<WORDS> {
        let mut windows = WordSet::default();
        for (literal, place) in literals.iter().zip(places) {
            windows.add(&literal[*place..]);
        }
        Literals { windows, buckets: Buckets::of(&literals, places), literals }
    }

    /// The first bytes of every window.
    pub fn windows(&self) -> &WordSet<WORDS> {
        &self.windows
    }

    /// The literal with this index.
    pub fn literal(&self, index: usize) -> &[u8] {
        &self.literals[index]
    }

    /// Calls `found` with each literal whose window begins at `at`.
    #[inline]
    pub fn confirm(&self, text: &[u8], at: usize, found: &mut dyn FnMut(usize, usize)) {
        let head = folded_head(text.get(at..).unwrap_or_default());
        let bucket = self.buckets.of_head(head);
        let before = Before::of(text, at);
        // Most often none goes on so, or begins so.
        if !bucket.start.may_be(head) || !before.may_be(&bucket.before) {
            return;
        }
        let places = self.buckets.places_of(bucket);
        let may_be = |place: &Place| place.start.may_be(head) && before.may_be(&place.before);
        if places.iter().any(may_be) {
            self.compare(text, at, places.iter().filter(|place| may_be(place)), found);
        }
    }

    #[inline(never)]
    fn compare<'a>(
        &self,
        text: &[u8],
        at: usize,
        places: impl Iterator<Item = &'a Place>,
        found: &mut dyn FnMut(usize, usize),
    ) {
        for place in places {
            if let Some(start) = at.checked_sub(place.at as usize)
                && stands_at(text, start, &self.literals[place.literal as usize])
            {
                found(start, place.literal as usize);
            }
        }
    }
}

/// True when `literal` stands at `start`, whatever its case.
fn stands_at(text: &[u8], start: usize, literal: &[u8]) -> bool {
    text.get(start..start + literal.len()).is_some_and(|there| there.eq_ignore_ascii_case(literal))
}

/// A literal with the place of its window.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// How it goes on from there.
    start: Start,
    /// What stands before its window.
    before: Before,
    at: u32,
    literal: u32,
}

/// The last four bytes before a window, folded, and zero before the start.
#[derive(Debug, Clone, Copy)]
struct Before {
    bytes: u32,
    /// All bits of the bytes that are there.
    mask: u32,
}

impl Before {
    #[inline]
    fn of(text: &[u8], at: usize) -> Before {
        const FOLD: u32 = 0x2020_2020;
        match text.get(..at).and_then(<[u8]>::last_chunk) {
            Some(four) => Before { bytes: u32::from_le_bytes(*four) | FOLD, mask: u32::MAX },
            None => {
                let known = &text[..at.min(text.len())];
                let mut four = [0; 4];
                four[4 - known.len()..].copy_from_slice(known);
                let mask = u32::MAX.checked_shl(32 - 8 * known.len() as u32).unwrap_or_default();
                Before { bytes: (u32::from_le_bytes(four) | FOLD) & mask, mask }
            }
        }
    }

    /// False when a literal before whose window this stands is not there.
    #[inline]
    fn may_be(&self, literal: &Before) -> bool {
        (self.bytes ^ literal.bytes) & literal.mask == 0
    }

    /// What both have.
    fn shared(&self, other: &Before) -> Before {
        Before { bytes: self.bytes, mask: self.mask & other.mask & !(self.bytes ^ other.bytes) }
    }
}

/// The literals by the first three bytes of their windows.
#[derive(Debug)]
struct Buckets<const WORDS: usize> {
    buckets: Vec<Bucket>,
    places: Vec<Place>,
}

/// The literals whose windows begin with the same three bytes, or with others that happen to
/// share a bucket with them.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// How all of them go on.
    start: Start,
    /// What stands before the windows of all of them.
    before: Before,
    /// The first of their places, and how many there are.
    first: u32,
    count: u32,
}

impl Bucket {
    /// The bucket of some places, the first of which has this index.
    fn of(places: &[Place], first: usize) -> Bucket {
        let shared = |one: (Start, Before), place: &Place| {
            (one.0.shared(&place.start), one.1.shared(&place.before))
        };
        let (start, before) = match places {
            [one, others @ ..] => others.iter().fold((one.start, one.before), shared),
            [] => (Start::default(), Before { bytes: 0, mask: 0 }),
        };
        Bucket { start, before, first: first as u32, count: places.len() as u32 }
    }
}

impl<const WORDS: usize> Buckets<WORDS> {
    fn of(literals: &[Box<[u8]>], places: &[usize]) -> Buckets<WORDS> {
        let windows = literals.iter().zip(places).map(|(literal, at)| &literal[*at..]);
        let slots: Vec<Option<usize>> = windows
            .map(|window| (window.len() >= SHORTEST).then(|| slot_of::<WORDS>(folded_head(window))))
            .collect();
        // Counted first, so that each bucket has its place before it is filled.
        let mut borders = vec![0; WORDS + 1];
        slots.iter().flatten().for_each(|slot| borders[slot + 1] += 1);
        (1..borders.len()).for_each(|slot| borders[slot] += borders[slot - 1]);
        let mut order: Vec<usize> =
            (0..literals.len()).filter(|index| slots[*index].is_some()).collect();
        order.sort_unstable_by_key(|index| (slots[*index], *index));
        let place = |literal: usize| {
            let text = &literals[literal];
            Place {
                start: Start::of(&text[places[literal]..]),
                before: Before::of(text, places[literal]),
                at: places[literal] as u32,
                literal: literal as u32,
            }
        };
        let places: Vec<Place> = order.into_iter().map(place).collect();
        let bucket = |ends: &[usize; 2]| Bucket::of(&places[ends[0]..ends[1]], ends[0]);
        Buckets { buckets: borders.array_windows().map(bucket).collect(), places }
    }

    /// The literals whose window a text with this head may begin.
    #[inline]
    fn of_head(&self, head: u64) -> &Bucket {
        &self.buckets[slot_of::<WORDS>(head)]
    }

    /// The places of a bucket.
    #[inline]
    fn places_of(&self, bucket: &Bucket) -> &[Place] {
        &self.places[bucket.first as usize..(bucket.first + bucket.count) as usize]
    }
}

/// The bucket of a window with this head.
#[inline]
fn slot_of<const WORDS: usize>(head: u64) -> usize {
    WordSet::<WORDS>::word_of((head as u32).to_le_bytes())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::LazyLock;

    use super::*;
    use crate::egress::catalogue::Catalogue;
    use crate::egress::detect::Detector;
    use crate::egress::sparks::masks;
    use crate::egress::sparks::tables::WindowTable;
    use crate::egress::sparks::windows::alike_windows;

    /// The literals and where their windows may be.
    type Search = (Literals<1024>, WindowTable);

    fn search_for(literals: &[&str]) -> Search {
        let literals: Vec<Box<[u8]>> =
            literals.iter().map(|literal| literal.as_bytes().into()).collect();
        let (places, table) = alike_windows(&literals);
        (Literals::new(literals, &places), table)
    }

    fn found((search, table): &Search, text: &[u8]) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        masks::scan(text, (table, search.windows()), |shown, at| {
            for place in shown.windows {
                search.confirm(text, at + usize::from(*place), &mut |start, index| {
                    places.push((start, start + search.literal(index).len()));
                });
            }
        });
        places.sort_unstable();
        places
    }

    #[test]
    fn every_spelling_is_found_wherever_it_stands() {
        const LITERALS: [&str; 8] =
            ["pwd", "_pw", "sk_", ":*:", "password", "gitlab_token", "\" + \"", "7z "];
        let search = search_for(&LITERALS);
        for literal in LITERALS {
            for before in 0..140 {
                let text = [&b"x ".repeat(before)[..before], literal.as_bytes(), b"yz"].concat();
                let upper = text.to_ascii_uppercase();
                for text in [&text, &upper] {
                    let place = (before, before + literal.len());
                    assert!(found(&search, text).contains(&place), "{literal} behind {before}");
                }
            }
        }
    }

    #[test]
    fn what_only_begins_like_a_literal_is_none() {
        let search = search_for(&["password", "token"]);
        assert_eq!(found(&search, b"passwor d passport Tokem toke"), []);
    }

    /// Every literal that the guard searches for.
    static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
        let keywords = Catalogue::built_in().anchored_keywords().map(str::to_owned);
        let all = keywords.chain(Detector::sparks()).filter(|literal| literal.len() >= SHORTEST);
        all.collect::<BTreeSet<String>>().into_iter().collect()
    });

    static SEARCH: LazyLock<Search> =
        LazyLock::new(|| search_for(&ALL.iter().map(String::as_str).collect::<Vec<_>>()));

    proptest::proptest! {
        #[test]
        fn what_is_found_is_what_comparing_every_place_finds(
            parts in proptest::collection::vec(
                (proptest::sample::select(ALL.as_slice()), "[a-zA-Z_ .:\"+=-]{0,9}", 0..24usize),
                0..24,
            ),
        ) {
            let cut = |literal: &str, length: usize| -> String { literal.chars().take(length).collect() };
            let text: String = parts
                .iter()
                .map(|(literal, between, length)| cut(literal, *length) + between)
                .collect();
            let mut expected = Vec::new();
            for literal in ALL.iter().map(String::as_bytes) {
                let places = text.as_bytes().windows(literal.len()).enumerate();
                let places = places.filter(|(_, part)| part.eq_ignore_ascii_case(literal));
                expected.extend(places.map(|(start, _)| (start, start + literal.len())));
            }
            expected.sort_unstable();
            proptest::prop_assert_eq!(found(&SEARCH, text.as_bytes()), expected);
        }
    }
}
