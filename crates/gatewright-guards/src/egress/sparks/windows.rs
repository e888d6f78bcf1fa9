//! Which bytes of a literal are searched for: its window.
//!
//! A window has four bytes. Behind a literal of three bytes any byte may stand.

use super::tables::{WINDOW, WindowTable};

/// For each literal the place of its rarest window.
pub fn rarest_windows(literals: &[Box<[u8]>]) -> Vec<usize> {
    let mut crowd = Crowd::default();
    let mut places = vec![0; literals.len()];
    for index in by_length(literals) {
        let literal = &literals[index];
        let all = 0..=literal.len().saturating_sub(WINDOW);
        places[index] = all.min_by_key(|at| crowd.cost(&literal[*at..])).unwrap_or(0);
        crowd.add(&literal[places[index]..]);
    }
    places
}

/// The literals by index, those with the least choice of windows first.
fn by_length(literals: &[Box<[u8]>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..literals.len()).collect();
    order.sort_by_key(|index| literals[*index].len());
    order
}

/// How many literals have a window already: all of them are looked at where it stands.
struct Crowd(Vec<u64>);

impl Default for Crowd {
    fn default() -> Crowd {
        Crowd(vec![0; 1 << Crowd::BITS])
    }
}

impl Crowd {
    const BITS: u32 = 12;
    /// To look at a window at all costs as much as to look at so many literals.
    const LOOK: u64 = 4;

    /// What it costs that one more literal has the window at the start of `literal`.
    fn cost(&self, literal: &[u8]) -> u64 {
        let window = &literal[..literal.len().min(WINDOW)];
        commonness(window) * (Crowd::LOOK + self.0[Crowd::slot(window)])
    }

    fn add(&mut self, literal: &[u8]) {
        self.0[Crowd::slot(&literal[..literal.len().min(WINDOW)])] += 1;
    }

    fn slot(window: &[u8]) -> usize {
        let word = window.iter().fold(0u32, |word, byte| word << 8 | u32::from(byte & 31));
        (word.wrapping_mul(0x9E37_79B1) >> (32 - Crowd::BITS)) as usize
    }
}

/// For each literal the place of its window, and the windows in groups.
///
/// Of all its windows a literal takes the one that adds least to what a group allows, so that
/// bytes of one group's windows mixed up are rare, and that is not common itself: to look at
/// a window costs more than to see that there is none.
pub fn alike_windows(literals: &[Box<[u8]>]) -> (Vec<usize>, WindowTable) {
    let mut crowd = Crowd::default();
    let mut places = vec![0; literals.len()];
    let mut groups = [Group::default(); WindowTable::GROUPS];
    for index in by_length(literals) {
        let literal = &literals[index];
        let mut best: Option<(u64, usize, usize, [u32; WINDOW])> = None;
        for at in 0..=literal.len().saturating_sub(WINDOW) {
            let classes = classes(&literal[at..]);
            let common = crowd.cost(&literal[at..]);
            // What a group allows only grows.
            if best.is_some_and(|(least, ..)| common >= least) {
                continue;
            }
            for (number, group) in groups.iter().enumerate() {
                let added = group.chance_with(classes) - group.chance + common;
                if best.is_none_or(|(least, ..)| added < least) {
                    best = Some((added, at, number, classes));
                }
            }
        }
        if let Some((_, at, number, classes)) = best {
            places[index] = at;
            groups[number].add(classes);
            crowd.add(&literal[at..]);
        }
    }
    (places, table_of(&groups))
}

fn table_of(groups: &[Group]) -> WindowTable {
    let mut table = WindowTable::default();
    for (index, group) in groups.iter().enumerate() {
        for (place, classes) in group.classes.iter().enumerate() {
            let allowed = (0..32).filter(|class| classes >> class & 1 == 1);
            allowed.for_each(|class| table.allow(place, class, index));
        }
    }
    table
}

/// Windows that share the bits of a table.
#[derive(Debug, Default, Clone, Copy)]
struct Group {
    /// The classes that may stand at each place, one bit for each.
    classes: [u32; WINDOW],
    /// How many of a thousand bytes of source are of these classes.
    shares: [u64; WINDOW],
    /// How often all bytes of a window are there.
    chance: u64,
}

impl Group {
    /// How often all bytes of a window are there once these classes are added.
    fn chance_with(&self, classes: [u32; WINDOW]) -> u64 {
        (0..WINDOW).map(|place| self.share_with(place, classes[place])).product()
    }

    fn share_with(&self, place: usize, classes: u32) -> u64 {
        let mut added = classes & !self.classes[place];
        let mut shares = self.shares[place];
        while added != 0 {
            shares += share(added.trailing_zeros() as usize);
            added &= added - 1;
        }
        shares
    }

    fn add(&mut self, classes: [u32; WINDOW]) {
        for (place, classes) in classes.into_iter().enumerate() {
            self.shares[place] = self.share_with(place, classes);
            self.classes[place] |= classes;
        }
        self.chance = self.shares.iter().product();
    }
}

/// The classes that may stand at each place of a window, one bit for each.
fn classes(literal: &[u8]) -> [u32; WINDOW] {
    let class = |place: usize| literal.get(place).map_or(u32::MAX, |byte| 1 << (byte & 31));
    std::array::from_fn(class)
}

/// The three neighbouring bytes that are most common in source, in order.
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

/// One bit for each three classes, set for those of [`COMMON`].
static IS_COMMON: [u64; 512] = is_common();

const fn is_common() -> [u64; 512] {
    let mut bits = [0; 512];
    let (known, _) = COMMON.as_bytes().as_chunks::<4>();
    let mut index = 0;
    while index < known.len() {
        let [first, second, third, _] = known[index];
        let slot = slot_of([first, second, third]);
        bits[slot >> 6] |= 1 << (slot & 63);
        index += 1;
    }
    bits
}

const fn slot_of(three: [u8; 3]) -> usize {
    let [first, second, third] = three;
    (first & 31) as usize | ((second & 31) as usize) << 5 | ((third & 31) as usize) << 10
}

/// How often a window stands in text and source, roughly: as often as a group's chance says.
fn commonness(window: &[u8]) -> u64 {
    let is_common = |three: &[u8; 3]| IS_COMMON[slot_of(*three) >> 6] >> (slot_of(*three) & 63) & 1;
    let letters: u64 = window.iter().map(|byte| share(usize::from(byte & 31))).product();
    let missing = WINDOW.saturating_sub(window.len()) as u32;
    let all = letters * 1000u64.pow(missing);
    window.array_windows().fold(all, |all, three| all * (1 + 19 * is_common(three)))
}

/// How many of a thousand bytes of source have these low five bits.
fn share(class: usize) -> u64 {
    const SHARES: [u8; 32] = [
        188, 41, 22, 24, 22, 73, 19, 11, 24, 72, 33, 5, 42, 19, 57, 41, 28, 7, 46, 42, 59, 26, 7,
        6, 9, 9, 10, 13, 7, 21, 5, 11,
    ];
    u64::from(SHARES[class & 31])
}
