//! Sparks: the few places of a text that are worth a closer look.
//!
//! What a rule finds is a value, and a value is a run of letters and digits that
//! is no word; so the rules cost nothing where no such run stands, however many
//! there are. What needs no such run (a password, a path, a marker of key
//! material) begins with one of a small set of literals or bytes.

mod ends;
mod kinds;
mod literals;
mod masks;
mod places;
mod runs;
mod short;
mod signs;
mod spots;
mod tables;
mod values;
mod windows;

use std::ops::Range;

pub use self::literals::Literals;
pub use self::masks::search;
pub use self::places::bits_of;
pub use self::runs::shows_value;
pub use self::spots::{any_closing, closings, disguises, joints, string_signs};
pub use self::tables::PairTable;
pub use self::windows::rarest_windows;

use self::literals::SHORTEST;
use self::masks::STEP;
use self::runs::{RunSink, Runs};
use self::short::ShortLiterals;
use self::signs::Sign;
use self::tables::WindowTable;
use self::windows::alike_windows;
use super::catalogue::Catalogue;
use super::detect::{DEFAULT_REACH, Detector, MEMBER, MEMBER_REACH, ends_with_default};
use super::redactor::RedactionContext;
use super::units::Ending;

/// How far from its value a name may stand, and a little more.
const REACH: usize = 256;

/// The searches for sparks.
#[derive(Debug)]
pub struct Sparks {
    literals: Literals<2048>,
    /// Where the windows of literals may be.
    windows: WindowTable,
    short: ShortLiterals,
}

/// Where to look closer.
#[derive(Debug, Default)]
pub struct Sparked {
    /// Ranges in which literals are to be searched for, in order and apart.
    pub regions: Vec<Range<usize>>,
    /// Places that may hide something from the search for literals.
    pub marks: Vec<usize>,
    /// Places where a line of key material may begin.
    pub lines: Vec<usize>,
}

impl Sparks {
    /// The sparks for these rules and for the detectors.
    pub fn of(catalogue: &Catalogue) -> Sparks {
        let mut all: Vec<Box<[u8]>> = catalogue
            .anchored_keywords()
            .map(|keyword| keyword.as_bytes().into())
            .chain(Detector::sparks().map(|literal| literal.into_bytes().into()))
            .collect();
        all.sort();
        all.dedup();
        // A tilde is a sign of its own.
        all.retain(|literal| !literal.contains(&b'~'));
        let (long, short): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|literal| literal.len() >= SHORTEST);
        let (places, windows) = alike_windows(&long);
        let literals = Literals::new(long, &places);
        Sparks { literals, windows, short: ShortLiterals::new(short) }
    }

    /// Where `text` is worth a closer look.
    pub fn of_text(&self, text: &[u8], context: &RedactionContext, ending: Ending) -> Sparked {
        let mut sparked = Sparked::default();
        let mut collector = Collector { text, sparked: &mut sparked, done: 0..0 };
        self.short.scan(text, |start, end| collector.literal(start, end));
        let mut runs = Runs::new(text, &mut collector);
        let tables = (&self.windows, self.literals.windows());
        let rare = masks::scan(text, tables, |shown, at| {
            for (masks, at) in shown.masks.iter().zip((at..).step_by(STEP)) {
                if masks.ends | masks.sign != 0 {
                    runs.look(masks.ends, at, &shown.kinds);
                    look_at_signs(text, masks.sign, at, context, runs.sink());
                }
            }
            for place in shown.windows {
                self.literals.confirm(text, at + usize::from(*place), &mut |start, index| {
                    runs.sink().literal(start, start + self.literals.literal(index).len());
                });
            }
        });
        if !rare.is_ascii {
            super::shadow::strange_marks(text, |at| collector.disguise(at));
        }
        if rare.has_zero {
            super::shadow::wide_marks(text, |at| collector.disguise(at));
        }
        if ending == Ending::Open {
            // A value may still come, whose name would stand in the last line or open an object.
            let last = memchr::memrchr(b'\n', text).unwrap_or_default();
            let last = last.min(text.len().saturating_sub(DEFAULT_REACH.max(MEMBER_REACH)));
            let near = text.len().saturating_sub(4 * REACH);
            sparked.regions.push(line_start(text, last).max(near)..text.len());
        }
        merge(&mut sparked.regions);
        sparked
    }
}

/// Tells `sink` of the signs of a step that may begin something; their bits begin at `at`.
#[inline]
fn look_at_signs(
    text: &[u8],
    mut signs: u64,
    at: usize,
    context: &RedactionContext,
    sink: &mut Collector<'_>,
) {
    while signs != 0 {
        let at = at + signs.trailing_zeros() as usize;
        signs &= signs - 1;
        if signs::may_begin(text, at)
            && let Some(sign) = signs::sign_at(text, at, context)
        {
            sink.sign(at, sign);
        }
    }
}

struct Collector<'a> {
    text: &'a [u8],
    sparked: &'a mut Sparked,
    /// What comes next in this part of a line adds no more around it.
    done: Range<usize>,
}

impl Collector<'_> {
    fn literal(&mut self, start: usize, end: usize) {
        self.sparked.regions.push(start.saturating_sub(1)..(end + 1).min(self.text.len()));
    }

    fn sign(&mut self, at: usize, sign: Sign) {
        const BEFORE: usize = 8;
        const BEHIND: usize = 16;
        const FAR: usize = 96;
        match sign {
            Sign::Start => {
                let end = (at + BEHIND).min(self.text.len());
                self.sparked.regions.push(at.saturating_sub(BEFORE)..end);
            }
            Sign::Share => {
                let end = (at + FAR).min(self.text.len());
                self.sparked.regions.push(at..end);
            }
            Sign::Disguise => self.disguise(at),
        }
    }

    fn disguise(&mut self, at: usize) {
        self.sparked.marks.push(at);
        self.around(at..at + 1);
    }

    /// Adds the line of `range` and the one before, as far as they are near.
    fn around(&mut self, range: Range<usize>) {
        if self.done.start <= range.start && range.end < self.done.end {
            return;
        }
        let text = self.text;
        let ceiling = (range.end + REACH).min(text.len());
        let end = memchr::memchr(b'\n', &text[range.end..ceiling])
            .map_or(ceiling, |offset| range.end + offset + 1);
        let line = line_start(text, range.start);
        let start = line_start(text, line.saturating_sub(1));
        let start = if is_rule(&text[start..line]) {
            line_start(text, start.saturating_sub(1))
        } else {
            start
        };
        let start = start.max(range.start.saturating_sub(REACH));
        // Where the line ends within reach, what follows on it would add a part of this.
        let is_whole = text[..end].ends_with(b"\n");
        self.done = range.start..if is_whole { end } else { range.start };
        match self.sparked.regions.last_mut() {
            Some(last) if last.start <= start && start <= last.end => last.end = last.end.max(end),
            _ => self.sparked.regions.push(start..end),
        }
    }
}

impl RunSink for Collector<'_> {
    fn value(&mut self, run: Range<usize>) {
        // The middle of a long run holds no literal that matters.
        let head = run.start..run.end.min(run.start + REACH);
        let tail = run.end.saturating_sub(REACH).max(run.start)..run.end;
        if self.text[..run.start].ends_with(MEMBER) {
            // The name of the object may stand some lines above.
            let start = line_start(self.text, run.start.saturating_sub(MEMBER_REACH + 16));
            self.sparked.regions.push(start..head.end);
        }
        if ends_with_default(&self.text[..run.start]) {
            let start = line_start(self.text, run.start.saturating_sub(DEFAULT_REACH + 16));
            self.sparked.regions.push(start..head.end);
        }
        if joins_string(&self.text[..run.start])
            || follows_tag(&self.text[..run.start])
            || super::shadow::is_turned(self.text, &run)
        {
            // The beginning by which the token is known may be cut in two, or stand at the end.
            self.sparked.marks.push(run.start);
        }
        self.around(head);
        self.around(tail);
    }

    fn encoded(&mut self, start: usize) {
        self.sparked.marks.push(start);
    }

    fn line(&mut self, start: usize) {
        self.sparked.lines.push(start);
    }
}

/// True when `before` ends with a short string, what joins two strings and the next quote.
fn joins_string(before: &[u8]) -> bool {
    const LONGEST: usize = 16;
    const GLUE: usize = 8;
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
    let Some((_, before)) = before.split_last().filter(|(last, _)| is_quote(last)) else {
        return false;
    };
    let glue = before.iter().rev().take_while(|byte| b" \t.<>+^~*|\\&/".contains(byte)).count();
    let Some((_, part)) =
        before[..before.len() - glue].split_last().filter(|(last, _)| is_quote(last))
    else {
        return false;
    };
    let is_inner = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let length = part.iter().rev().take(LONGEST + 1).take_while(is_inner).count();
    let open = part.len() - length;
    glue <= GLUE && (1..=LONGEST).contains(&length) && part[..open].last().is_some_and(is_quote)
}

/// True when `before` ends with the beginning of a word and the tag of an element inside of it.
fn follows_tag(before: &[u8]) -> bool {
    const LONGEST: usize = 24;
    if !before.ends_with(b">") {
        return false;
    }
    let near = &before[before.len().saturating_sub(LONGEST)..];
    let open = memchr::memrchr(b'<', near).filter(|open| *open > 0);
    open.is_some_and(|open| near[open - 1].is_ascii_alphanumeric() && near[open + 1] != b'/')
}

/// True for a line that parts the head of a table from the rest.
fn is_rule(line: &[u8]) -> bool {
    let first = line.iter().find(|byte| !matches!(byte, b' ' | b'|' | b'+' | b':'));
    first == Some(&b'-') && line.iter().all(|byte| b"-+|:= \r\n".contains(byte))
}

/// The start of the line that holds `at`, not too far back.
fn line_start(text: &[u8], at: usize) -> usize {
    let floor = at.saturating_sub(REACH);
    memchr::memrchr(b'\n', &text[floor..at]).map_or(floor, |offset| floor + offset + 1)
}

/// Sorts the regions and joins those that touch.
fn merge(regions: &mut Vec<Range<usize>>) {
    regions.sort_unstable_by_key(|region| region.start);
    regions.dedup_by(|next, kept| {
        let touches = next.start <= kept.end;
        if touches {
            kept.end = kept.end.max(next.end);
        }
        touches
    });
}
