//! A skipping search for literals of four bytes and more, whatever their case.
//!
//! Every second position is looked at: three bytes, folded and hashed, index a
//! table of 32 KiB, which says whether a literal may be near. Each literal is registered by the two neighbouring blocks of
//! it that are rarest in text, one of which falls on such a position.

use std::collections::HashMap;

use super::super::anchors::QuickState;

/// The shortest literal that the search can find.
pub const SHORTEST: usize = 4;
const FOLD: u32 = 0x0020_2020;
const BITMAP_BITS: u32 = 16;

const TABLE_BITS: u32 = 15;
/// What spreads blocks over the table. The block's fourth byte falls out at the top.
const SPREAD: u32 = 0x9E37_79B1 << 8;
/// How many blocks are looked at together.
const TOGETHER: usize = 6;

type Bitmap = Box<[u64; 1 << (BITMAP_BITS - 6)]>;
type Table = Box<[u8; 1 << TABLE_BITS]>;

/// The literals, ready to be searched for.
#[derive(Debug)]
pub struct Literals {
    /// Not zero for the blocks of a literal.
    table: Table,
    /// Blocks with the byte behind them, or for the last block of a literal the byte before.
    forward: Bitmap,
    backward: Bitmap,
    /// The literals by a block of theirs, with its place in them.
    blocks: HashMap<u32, Vec<(usize, usize)>, QuickState>,
    literals: Vec<Box<[u8]>>,
}

impl Literals {
    /// A search for these literals, which have four bytes or more.
    pub fn new(literals: impl IntoIterator<Item = Box<[u8]>>) -> Literals {
        let mut search = Literals {
            table: Box::new([0; 1 << TABLE_BITS]),
            forward: Box::new([0; 1 << (BITMAP_BITS - 6)]),
            backward: Box::new([0; 1 << (BITMAP_BITS - 6)]),
            blocks: HashMap::default(),
            literals: Vec::new(),
        };
        for literal in literals {
            if literal.len() >= SHORTEST {
                search.register(literal);
            }
        }
        search
    }

    fn register(&mut self, literal: Box<[u8]>) {
        let cost = |at: &usize| {
            let pair = &literal[*at..at + 4];
            commonness(&pair[..3]).saturating_add(commonness(&pair[1..]))
        };
        let best = (0..=literal.len() - 4).min_by_key(cost).unwrap_or_default();
        let index = self.literals.len();
        for at in [best, best + 1] {
            let block =
                u32::from_le_bytes([literal[at], literal[at + 1], literal[at + 2], 0]) | FOLD;
            self.table[place(block)] = 1;
            match four_at(&literal, at) {
                Some(four) => set(&mut self.forward, four),
                None => at
                    .checked_sub(1)
                    .and_then(|from| four_at(&literal, from))
                    .into_iter()
                    .for_each(|four| set(&mut self.backward, four)),
            }
            self.blocks.entry(block).or_default().push((index, at));
        }
        self.literals.push(literal);
    }

    /// Calls `found` with the place of each literal in `text`.
    pub fn scan(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        let mut at = 0;
        while let Some(bytes) = text.get(at..at + 2 * TOGETHER + 2) {
            let (head, tail) = (folded_word(bytes, 0), folded_word(bytes, 6));
            let marks = self.marks(head) | self.marks(tail) << 3;
            if marks != 0 {
                self.look(text, at, marks, &mut found);
            }
            at += 2 * TOGETHER;
        }
        while let Some(&[first, second, third]) = text.get(at..at + 3) {
            let block = u32::from_le_bytes([first, second, third, 0]) | FOLD;
            self.look(text, at, u32::from(self.table[place(block)]), &mut found);
            at += 2;
        }
    }

    /// One bit for each of the three blocks in `word`.
    #[inline]
    fn marks(&self, word: u64) -> u32 {
        let mark = |offset: u32| u32::from(self.table[place((word >> (offset * 16)) as u32)]);
        mark(0) | mark(1) << 1 | mark(2) << 2
    }

    /// Looks closer at the blocks from `at` on that `marks` names.
    #[inline(never)]
    fn look(&self, text: &[u8], at: usize, marks: u32, found: &mut dyn FnMut(usize, usize)) {
        let mut marks = marks;
        while marks != 0 {
            let at = at + 2 * marks.trailing_zeros() as usize;
            marks &= marks - 1;
            let Some(&[first, second, third]) = text.get(at..at + 3) else { return };
            if self.may_confirm(text, at) {
                let block = u32::from_le_bytes([first, second, third, 0]) | FOLD;
                self.confirm(text, at, block, found);
            }
        }
    }

    /// False when the byte beside the block at `at` shows that no literal is there.
    #[inline]
    fn may_confirm(&self, text: &[u8], at: usize) -> bool {
        let holds = |bitmap, four: Option<u32>| four.is_some_and(|four| is_set(bitmap, four));
        holds(&self.forward, four_at(text, at))
            || holds(&self.backward, at.checked_sub(1).and_then(|from| four_at(text, from)))
    }

    fn confirm(&self, text: &[u8], at: usize, block: u32, found: &mut dyn FnMut(usize, usize)) {
        let Some(entries) = self.blocks.get(&block) else { return };
        for (index, place) in entries {
            let literal = &self.literals[*index];
            let Some(start) = at.checked_sub(*place) else { continue };
            let end = start + literal.len();
            if text.get(start..end).is_some_and(|found| found.eq_ignore_ascii_case(literal)) {
                found(start, end);
            }
        }
    }
}

/// The eight bytes from `from` on, whatever their case.
#[inline]
fn folded_word(bytes: &[u8], from: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[from..from + 8]);
    u64::from_le_bytes(word) | u64::from_le_bytes([0x20; 8])
}

/// Where the table says something about the first three bytes of `block`.
#[inline]
fn place(block: u32) -> usize {
    (block.wrapping_mul(SPREAD) >> (32 - TABLE_BITS)) as usize
}

fn set(bitmap: &mut Bitmap, block: u32) {
    let slot = slot(block);
    bitmap[slot >> 6] |= 1 << (slot & 63);
}

#[inline]
fn is_set(bitmap: &Bitmap, block: u32) -> bool {
    let slot = slot(block);
    bitmap[slot >> 6] >> (slot & 63) & 1 == 1
}

/// The four bytes from `at` on as one number, whatever their case.
#[inline]
fn four_at(text: &[u8], at: usize) -> Option<u32> {
    let four = text.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_be_bytes(*four) | 0x2020_2020)
}

#[inline]
fn slot(block: u32) -> usize {
    (block.wrapping_mul(0x9E37_79B1) >> (32 - BITMAP_BITS)) as usize
}

/// The blocks that are most common in source, in order.
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

/// How common a block is in text and source, roughly.
fn commonness(block: &[u8]) -> u32 {
    let folded = block.to_ascii_lowercase();
    let (known, _) = COMMON.as_bytes().as_chunks::<4>();
    let common = known.binary_search_by(|known| known[..3].cmp(&folded[..])).is_ok();
    let letters: u32 = block.iter().map(|byte| share(byte.to_ascii_lowercase())).product();
    if common { letters.saturating_add(1_000_000) } else { letters }
}

/// How often a byte occurs, in parts of about a thousand.
fn share(byte: u8) -> u32 {
    const LETTERS: &[u8] = b"etaoinsrldcumhpfgbyvwkxqjz";
    match byte {
        b' ' => 150,
        b'_' | b'"' | b'(' | b'.' => 20,
        b'a'..=b'z' => {
            let rank = LETTERS.iter().position(|letter| *letter == byte).unwrap_or_default();
            90u32.saturating_sub(rank as u32 * 4).max(3)
        }
        _ => 8,
    }
}
