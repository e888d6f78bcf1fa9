//! A search for literals of three bytes and more, whatever their case.
//!
//! Of each literal three neighbouring bytes are searched for, its window: those that are
//! rarest in text and that other literals share. The vector pass of [`masks`](super::masks)
//! shows where a window may be, a table of all windows where one is, and only there are
//! literals compared.

use std::collections::HashMap;

use super::super::anchors::{QuickState, Start, folded_head};
use super::masks::{WINDOW, WindowTable};

/// The shortest literal that the search can find.
pub const SHORTEST: usize = WINDOW;

/// The low five bits of four bytes, which tell letters apart whatever their case.
const CLASSES: u32 = 0x1f1f_1f1f;
/// The low five bits of three bytes, the first lowest: a window.
const WINDOWS: u32 = 0x001f_1f1f;

/// The literals, ready to be searched for.
#[derive(Debug)]
pub struct Literals {
    table: WindowTable,
    is_window: Bitmap,
    /// Windows with the byte behind them, or where a literal ends with its window the byte before.
    forward: Bitmap,
    backward: Bitmap,
    /// The literals by their window, how they go on from it, and its place in them.
    places: HashMap<u32, Vec<(Start, usize)>, QuickState>,
    literals: Vec<Box<[u8]>>,
}

impl Literals {
    /// A search for these literals, in lower case.
    pub fn new(literals: impl IntoIterator<Item = Box<[u8]>>) -> Literals {
        let literals: Vec<Box<[u8]>> =
            literals.into_iter().filter(|literal| literal.len() >= SHORTEST).collect();
        let mut search = Literals {
            table: WindowTable::default(),
            is_window: Bitmap::default(),
            forward: Bitmap::default(),
            backward: Bitmap::default(),
            places: HashMap::default(),
            literals: Vec::new(),
        };
        for (index, at) in rarest_windows(&literals).into_iter().enumerate() {
            search.register(&literals[index], index, at);
        }
        search.table = grouped(search.places.keys().copied().collect());
        search.literals = literals;
        search
    }

    fn register(&mut self, literal: &[u8], index: usize, at: usize) {
        let word = word_at(literal, at);
        let window = word & WINDOWS;
        self.is_window.set(window);
        self.places.entry(window).or_default().push((Start::of(&literal[at..], index), at));
        if at + WINDOW < literal.len() {
            self.forward.set(word);
        } else if at > 0 {
            self.backward.set(word_at(literal, at - 1));
        } else {
            (0..32).for_each(|class| self.forward.set(window | class << 24));
        }
    }

    /// What the vector pass searches for.
    pub fn windows(&self) -> &WindowTable {
        &self.table
    }

    /// Calls `found` with the place of each literal whose window one of the `candidates`
    /// begins; their bits begin at `at`.
    #[inline]
    pub fn look(
        &self,
        text: &[u8],
        mut candidates: u64,
        at: usize,
        mut found: impl FnMut(usize, usize),
    ) {
        while candidates != 0 {
            let at = at + candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let word = word_at(text, at);
            if self.is_window.holds(word & WINDOWS) {
                self.confirm(text, at, word, &mut found);
            }
        }
    }

    #[inline(never)]
    fn confirm(&self, text: &[u8], at: usize, word: u32, found: &mut dyn FnMut(usize, usize)) {
        let is_before = || at > 0 && self.backward.holds(word_at(text, at - 1));
        if !self.forward.holds(word) && !is_before() {
            return;
        }
        let Some(places) = self.places.get(&(word & WINDOWS)) else { return };
        let head = folded_head(&text[at..]);
        for (start, place) in places.iter().filter(|(start, _)| start.may_be(head)) {
            let literal = &self.literals[start.entry];
            let Some(start) = at.checked_sub(*place) else { continue };
            let end = start + literal.len();
            if text.get(start..end).is_some_and(|found| found.eq_ignore_ascii_case(literal)) {
                found(start, end);
            }
        }
    }
}

/// A set of words by their classes, with a few that happen to share a bit.
#[derive(Debug)]
struct Bitmap(Box<[u64; 1 << (Bitmap::BITS - 6)]>);

impl Default for Bitmap {
    fn default() -> Bitmap {
        Bitmap(Box::new([0; 1 << (Bitmap::BITS - 6)]))
    }
}

impl Bitmap {
    const BITS: u32 = 16;

    fn set(&mut self, word: u32) {
        let slot = Bitmap::slot(word);
        self.0[slot >> 6] |= 1 << (slot & 63);
    }

    #[inline]
    fn holds(&self, word: u32) -> bool {
        let slot = Bitmap::slot(word);
        self.0[slot >> 6] >> (slot & 63) & 1 == 1
    }

    #[inline]
    fn slot(word: u32) -> usize {
        ((word & CLASSES).wrapping_mul(0x9E37_79B1) >> (32 - Bitmap::BITS)) as usize
    }
}

/// The four bytes from `at` on, those behind the end zero.
#[inline]
fn word_at(text: &[u8], at: usize) -> u32 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk::<4>() {
        Some(four) => u32::from_le_bytes(*four),
        None => rest.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)),
    }
}

/// The low five bits of each byte of a window.
fn classes(window: u32) -> [u8; WINDOW] {
    let [first, second, third, _] = window.to_le_bytes();
    [first & 31, second & 31, third & 31]
}

/// For each literal the place of its window.
fn rarest_windows(literals: &[Box<[u8]>]) -> Vec<usize> {
    let places = |literal: &[u8]| 0..=literal.len() - WINDOW;
    let mut shared: HashMap<u32, u64, QuickState> = HashMap::default();
    for literal in literals {
        for at in places(literal) {
            *shared.entry(word_at(literal, at) & WINDOWS).or_default() += 1;
        }
    }
    let cost = |literal: &[u8], at: usize| {
        let shared = shared.get(&(word_at(literal, at) & WINDOWS)).copied().unwrap_or(1);
        commonness(&literal[at..at + WINDOW]) / shared
    };
    let rarest = |literal: &[u8]| places(literal).min_by_key(|at| cost(literal, *at)).unwrap_or(0);
    literals.iter().map(|literal| rarest(literal)).collect()
}

/// The windows in groups, such that bytes of one group's windows mixed up are rare.
fn grouped(mut windows: Vec<u32>) -> WindowTable {
    // The order of a map is no order.
    windows.sort_unstable();
    windows.sort_by_key(|window| {
        std::cmp::Reverse(classes(*window).iter().map(|class| share(*class)).product::<u64>())
    });
    let mut groups = [[0u32; WINDOW]; WindowTable::GROUPS];
    let mut table = WindowTable::default();
    for window in windows {
        let classes = classes(window);
        let with = |group: &[u32; WINDOW]| -> [u32; WINDOW] {
            std::array::from_fn(|place| group[place] | 1 << classes[place])
        };
        let costs = groups.iter().map(|group| chance(&with(group)) - chance(group));
        let best = costs.enumerate().min_by_key(|(_, cost)| *cost).map_or(0, |(index, _)| index);
        groups[best] = with(&groups[best]);
        for (place, class) in classes.into_iter().enumerate() {
            table.allow(place, class, best);
        }
    }
    table
}

/// How often a group has all bytes of a window.
fn chance(group: &[u32; WINDOW]) -> u64 {
    let shares = |classes: u32| -> u64 {
        (0..32).filter(|class| classes >> class & 1 == 1).map(share).sum()
    };
    group.iter().map(|classes| shares(*classes)).product()
}

/// The windows that are most common in source, in order.
const COMMON: &str = "\
    _bi _co _eq _in _lo _ma _mu _no _pa _pr _re _se _st _sy _ty _vo abl ace ack act \
    add afe age ags ail ali all alu ame and ang ant app ara are arg ars art as_ ase \
    ass at_ ata atc ate ath ati att atu aul bin bit ble boo buf byt c_i c_l c_v cal \
    cat ces cfg cha che clo cod com con cop cor cra cti cur dat ddr def den der dis \
    dll doc dow e_t ead eat eco ect ed_ efi eld ele elf en_ enc end ent epr equ er_ \
    era ere erf eri ern err ers ert erv ese ess est esu et_ ets etu eve exp ext fac \
    fea fer fff ffi fie fil fin fla for fou fro gen get gui han har has her his hre \
    ial ica ice id_ ide iel ign ile ime imp ind ine inf ing ini ink inp ins int ion \
    ire is_ isi ist ite ith iti its ity ive ize key lag len let lic lin lit llo loc \
    lon lt_ lue map mat mem men met mod mpl mut nam nce nda nde ndi ndo ned ner new \
    nfo nit non not npu nsa nst nt_ nte nti nto num nwr ock ode off oid om_ ome omp \
    on_ one ong ons ont ool ope opt opy ore orm ort oth oun out ove ows pac par pat \
    per ple por pre pro pti pub put ram ran rap rat raw rea rec red ref ren rep req \
    res ret rfa rge ria rin rit riv rma rom rop ror rou rro rse rt_ ruc s_c s_s saf \
    sec sel ser set sig sio sit siz spa sse st_ sta std ste str sul sup sys t_e t_i \
    t_p tab tar tat tch te_ ted tem ter tes tex tha the thi tia tic tim tin tio to_ \
    tor tra tre tri tru tte ttr tur ty_ typ uct uid ull ult und uni uns unw upe ure \
    urn use usi ust ute val ven ver vis voi win wit wra wri ws_ xte xxh ype yst yte \
";

/// How common a window is in text and source, roughly.
fn commonness(window: &[u8]) -> u64 {
    let (known, _) = COMMON.as_bytes().as_chunks::<4>();
    let is_common = known.binary_search_by(|known| known[..3].cmp(window)).is_ok();
    let letters: u64 = window.iter().map(|byte| share(byte & 31)).product();
    if is_common { letters * 20 } else { letters }
}

/// How many of a thousand bytes of source have these low five bits.
fn share(class: u8) -> u64 {
    const SHARES: [u8; 32] = [
        188, 41, 22, 24, 22, 73, 19, 11, 24, 72, 33, 5, 42, 19, 57, 41, 28, 7, 46, 42, 59, 26, 7,
        6, 9, 9, 10, 13, 7, 21, 5, 11,
    ];
    u64::from(SHARES[usize::from(class & 31)])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::LazyLock;

    use super::*;
    use crate::egress::catalogue::Catalogue;
    use crate::egress::detect::Detector;
    use crate::egress::sparks::masks;

    fn search_for(literals: &[&str]) -> Literals {
        Literals::new(literals.iter().map(|literal| literal.as_bytes().into()))
    }

    fn found(search: &Literals, text: &[u8]) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        masks::scan(text, search.windows(), |masks, at| {
            search.look(text, masks.window, at, |start, end| places.push((start, end)));
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

    static SEARCH: LazyLock<Literals> =
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
