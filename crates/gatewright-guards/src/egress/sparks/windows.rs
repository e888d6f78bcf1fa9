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

/// Bytes that go together in words stand side by side so much more often than their shares say,
/// and with them the windows that a group allows without having them.
const TOGETHER: u64 = 4;

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
            let common = crowd.cost(&literal[at..]) / TOGETHER;
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

/// The thousand three neighbouring letters that are most common in source of several languages,
/// in order.
const COMMON: &str = "\
    __u _ad _al _ar _by _ca _ch _cl _co _da _de _di _en _eq _er _ex _fi _fo _ge _id _im _in \
    _ke _le _li _lo _ma _me _mo _na _no _of _op _pa _po _pr _ra _re _se _si _sp _st _sy _ta \
    _ti _to _ty _un _va _vo _wi abl acc ace ach aci ack act ad_ ada add ade afe age ags ail \
    ain ait ake al_ ale ali all als alu ame amp ams ana anc and ang ani ann ans ant any aph \
    api app ara arc ard are arg ari arn arr ars art ary as_ ase ash ask ass ast asy ata atc \
    ate ath ati ato att atu aul aut ave aws ays bac bas ber bin bit bje ble blo bod boo bou \
    buf bug bui but byt c_i c_l c_v cac cal can cap cas cat cce ce_ cen cep ces cfg cha che \
    chi cif ck_ cke cla cli clo clu cod col com con cop cor cou cra cre cri cro ct_ cte cti \
    cto cts cum cur cus d_t dat dde ddi ddr de_ deb dec ded def del den dep der des det dev \
    dex dge dia dic dif din dir dis dit dle dll doc dom dow dre dul dur e_a e_c e_i e_n e_p \
    e_s e_t eac ead eam ean eap ear eas eat ebu eca eci eck ecl eco ect ecu ed_ ede edi eed \
    een efa efe efi ege egi ein el_ ela eld ele elf eli ell els ema eme emo emp ems en_ ena \
    enc end ene eng ens ent enu eof eou epe epl epo epr ept equ er_ era ere erf eri erm ern \
    ero err ers ert erv ery es_ esc ese eso esp ess est esu et_ eta ete eth eti etr ets ett \
    etu etw eve evi exa exc exe exi exp ext fac fai fal fau fea fer fet ffe ffi ffs fic fie \
    fig fil fin fir fix fla flo fmt for fou fra fro fse ful fun fut gat gen ger ges get ght \
    gin gis git gle goo gra gre gro gth gum gur han har has hat hav hea hec hed hel hem hen \
    her hes hic hil hin his hod hor hos hou hre htt ial ian ias iat ibl ibu ica ice ich ics \
    ict id_ ida ide ied iel ien ies iff ifi ify igh igi ign igu ild ile ill ils ilt ima ime \
    imi imp in_ ina inc ind ine inf ing ini ink inl inn inp ins int inu inv ion ior ipt ire \
    irs is_ isa ise isi isp iss ist it_ ite ith iti its ity iva ive ize jec jso ken ker ket \
    key kin lab lac lag lan lar las lat lay lba lde le_ lea lec led lem len ler les let lev \
    lia lib lic lid lie lim lin lis lit liz ll_ llb lle llo lly loa loc log lon loo lou low \
    lse lt_ lte lti lud lue lum lus lve mac mai mal man map mar mat max mbe me_ med mem men \
    mer mes met mic min mis mit mma mod mon mor mov mpl mpo mpt msg mul mus mut nab nal nam \
    nat nce nch nci ncl nco nct nd_ nda nde ndi ndl ndo nds nec ned nee nel ner nes net new \
    nex nfi nfo ng_ nge ngs ngt nic nin nit nli nly nne nod non nor not now npu nsa nse nsi \
    nso nst nt_ nta nte nti nto ntr nts nul num nva nve nwr oad obj oca oce ock ocu ode odi \
    odu ody off ogl oid oin oje oke old ole oli oll olu olv om_ oma ome omi omm omp on_ ona \
    onc ond one onf ong onl onn ons ont oog ool oot ope opt opy or_ orc ord ore ori ork orm \
    orr ors ort ory ose osi ost ota ote oth oto oud oul oun oup our out ove ovi owe own ows \
    pac pag pan par pas pat pda pec ped pen per pes pin pla ple pli plu poi pol pon por pos \
    ppe ppl ppo pre pri pro pti pty pub put qua que qui quo rac rai ral ram ran rap rat raw \
    ray rca rce rch rde re_ rea rec red ree ref reg rel rem ren rep req res ret rev rfa rge \
    rgs rgu ria rib ric rie rig rin rip rit riv rma rmi rna rne rns roc roj rol rom roo rop \
    ror rot rou rov row rra rre rro rse rsi rst rt_ rte rti rts rty ruc rue run rus rve rvi \
    ry_ s_c s_s s_t saf sag sam sca sch sco scr se_ sec sed see sel sen ser ses set sha sho \
    sib sig sin sio sit siz sli soc sol som son sor sou spa spe spl spo ss_ ssa sse ssi st_ \
    sta std ste sti sto str sts sub sul sum sup sym syn sys t_a t_c t_e t_f t_i t_m t_n t_o \
    t_p t_s t_t tab tac tad tag tai tal tan tar tas tat tch te_ tea tec ted teg tem ten ter \
    tes tet tex th_ tha the thi tho thr tia tic tif til tim tin tio tit tiv to_ tok tom top \
    tor tps tpu tra tre tri tro tru try tte tti ttp ttr tur tus two ty_ typ ual ubs uct ude \
    ues uff uid uil uir uld ule ull ult umb ume unc und uni unk uns unt unw uot upd upe upp \
    ura urc ure uri url urn urr use usi ust ute uth uti uto utp utu val var vat vec ved vel \
    ven ver vic vid vis voi wai war way whe whi wil win wit wor wra wri ws_ xam xpe xpo xpr \
    xte ync you ype ys_ yst yte ze_ zer zon \
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
