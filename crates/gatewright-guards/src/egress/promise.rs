//! Which places of a text promise something, and which lines they take with them.
//!
//! A stream shows a unit beside other lines than the whole text does, and its
//! last lines before the next have come, so what stands around a place must not
//! decide whether it is looked at. Three things see to that:
//!
//! - A hit is judged by its own line, and by the line below only where what it
//!   may begin can go on there ([`Cutter::goes_below`]). No other byte counts.
//! - What is known of the text around, or must be feared of lines that have not
//!   come, gives only the longest unit that may be meant. [`Engine::settled`]
//!   then shrinks it until it is exactly what its own hits ask for, judged as if
//!   the unit were the whole text. Who starts from more ends at the same lines.
//! - Nothing before the first line of a unit is there to be looked at.
//!
//! A line of which the settled unit says nothing is passed by, alone.

use super::anchors::{Hit, Target};
use super::catalogue::{MAX_MATCH, Rule, Tier, finds_near, may_start};
use super::detect::Detector;
use super::detect::key_lines::{Lines, lines_from};
use super::detect::private_key::holds_placeholder;
use super::detect::text::{is_base64_byte, line_around, line_end};
use super::engine::Engine;
use super::redactor::RedactionContext;
use super::seen::Fruitless;
use super::shadow::without_border;
use super::standing::is_in_placeholder;
use super::units::{Cutter, Ending, Extent};

/// How often a unit may turn out to be shorter.
const SHRINKS: usize = 32;

/// What is known of the unit at the start of a text.
pub enum Settled {
    /// It reaches so far and is worth a look.
    Unit(Extent),
    /// There is nothing in the first line, which ends here.
    Nothing(usize),
    /// The text ends before one can tell.
    NeedsMore,
}

impl Engine {
    /// The unit at the start of the text, in which `hits` may come to something.
    ///
    /// `is_line_start` when nothing stands before it on its line.
    pub(super) fn settled(
        &self,
        cutter: &Cutter<'_>,
        hits: impl Iterator<Item = Hit> + Clone,
        is_line_start: bool,
    ) -> Settled {
        let Extent::To(first) = cutter.piece_end(0) else { return Settled::NeedsMore };
        let mut extent = cutter.unit_end(0, hits.clone());
        for _ in 0..SHRINKS {
            let (Extent::To(end) | Extent::Inside(end)) = extent else {
                return Settled::NeedsMore;
            };
            let alone = Cutter { text: &cutter.text[..end], ending: Ending::Final, ..*cutter };
            if extent == Extent::To(first) {
                let is_line = is_line_start && alone.text.ends_with(b"\n");
                let mut own = hits.clone().take_while(|hit| hit.start < first);
                // A mark that stands on a whole line stands there alone too.
                let is_mark = |hit: &Hit| self.anchors().is_mark(hit);
                let is_final = cutter.ending == Ending::Final;
                let inner = 0..base64_tail(alone.text);
                let is_far_inside = |hit: &Hit, far: usize| {
                    let end = hit.end + far;
                    hit.start >= far && end <= alone.text.len() && inner.contains(&hit.start)
                };
                let stands = |hit: &Hit| match is_mark(hit) {
                    true => is_line || is_far_inside(hit, FAR),
                    false => is_final && is_far_inside(hit, DEEP),
                };
                let is_worth = own.any(|hit| stands(&hit)) || self.is_promising(&alone);
                return if is_worth { Settled::Unit(extent) } else { Settled::Nothing(first) };
            }
            let own = self.promising(&alone);
            if own.first().is_none_or(|hit| hit.start >= first) {
                return Settled::Nothing(first);
            }
            let asked = cutter.unit_end(0, own.into_iter());
            match asked {
                Extent::To(shorter) if shorter < end => extent = asked,
                _ => return Settled::Unit(extent),
            }
        }
        Settled::Nothing(first)
    }

    /// True when something in the text may come to something.
    fn is_promising(&self, cutter: &Cutter<'_>) -> bool {
        let sparked = self.sparks().of_text(cutter.text, self.context(), cutter.ending);
        let mut is_exact = false;
        self.exact().scan(cutter.text, |_, _| is_exact = true);
        if is_exact || !sparked.marks.is_empty() {
            return true;
        }
        let mut place = Place::default();
        let may_come = |hit: Hit| self.may_come_to_something(cutter, &hit, &mut place);
        self.anchors().is_in_regions(cutter.text, &sparked.regions, may_come)
            || key_lines(cutter, sparked.lines).next().is_some()
    }

    fn may_come_to_something(&self, cutter: &Cutter<'_>, hit: &Hit, place: &mut Place) -> bool {
        place.move_to(cutter, hit.start);
        cutter.is_promising(hit, self.context(), place)
    }

    /// The hits that may come to something, in order.
    pub(super) fn promising(&self, cutter: &Cutter<'_>) -> Vec<Hit> {
        let text = cutter.text;
        let mut hits = Vec::new();
        let mut place = Place::default();
        let sparked = self.sparks().of_text(text, self.context(), cutter.ending);
        self.anchors().scan_regions(text, &sparked.regions, |hit| {
            if self.may_come_to_something(cutter, &hit, &mut place) {
                hits.push(hit);
            }
        });
        self.exact().scan(text, |start, end| hits.push(self.anchors().bare_hit(start, end)));
        hits.extend(sparked.marks.into_iter().map(|at| match is_base64_byte(text[at]) {
            true => self.anchors().encoded_hit(at),
            false => self.anchors().bare_hit(at, at + 1),
        }));
        hits.extend(key_lines(cutter, sparked.lines).map(|at| self.anchors().key_line_hit(at)));
        hits.sort_by_key(|hit| hit.start);
        hits
    }
}

/// How far around a mark what stands there may say that it is none.
const FAR: usize = 1024;
/// How far around any hit what stands there has a say in whether it promises something.
const DEEP: usize = MAX_MATCH + 4 * 1024;

/// Where the run of base64 begins that ends with `part` and may go on behind it.
fn base64_tail(part: &[u8]) -> usize {
    part.iter().rposition(|byte| !is_base64_byte(*byte)).map_or(0, |last| last + 1)
}

/// The line of a hit and the one below it.
#[derive(Default)]
struct Place {
    start: usize,
    /// Where the line ends, behind its line break.
    end: usize,
    /// Where the line below ends.
    below: usize,
    /// True when the two lines may still grow.
    is_open: bool,
    /// What the rules know of the line, and of the two.
    known: [Fruitless; 2],
}

impl Place {
    /// Moves to the line that holds `at`.
    fn move_to(&mut self, cutter: &Cutter<'_>, at: usize) {
        let text = cutter.text;
        if (self.start..self.end).contains(&at) {
            return;
        }
        let from = if at >= self.end { self.end } else { 0 };
        let newline = memchr::memrchr(b'\n', &text[from..at]);
        self.start = newline.map_or(from, |newline| from + newline + 1);
        self.end = line_end(text, at);
        self.below = line_end(text, self.end);
        let is_whole = self.below > self.end && text[..self.below].ends_with(b"\n");
        self.is_open = cutter.ending == Ending::Open && !is_whole;
        self.known = Default::default();
    }
}

impl Cutter<'_> {
    /// False when nothing can come of `hit`, which is most often so.
    fn is_promising(&self, hit: &Hit, context: &RedactionContext, place: &mut Place) -> bool {
        let line = &self.text[place.start..place.end];
        let both = &self.text[place.start..place.below];
        let near = hit.back_by(place.start);
        if is_in_placeholder(line, &near) {
            return false;
        }
        self.anchors.targets(hit).iter().any(|target| match target {
            Target::Rule(index) => self.catalogue.rule(*index).is_some_and(|rule| {
                let [alone, below] = &mut place.known;
                may_match((rule, *index), line, &near, alone)
                    || self.goes_below(rule, hit, place.end)
                        && (place.is_open || may_match((rule, *index), both, &near, below))
            }),
            Target::Detector(detector) => {
                let is_in = |text| detector.is_promising(text, near.start, near.end, context);
                is_in(line) || *detector == Detector::Name && (place.is_open || is_in(both))
            }
        })
    }

    /// True when what `hit` begins may go on below its line, which ends at `line_end`.
    pub fn goes_below(&self, rule: &Rule, hit: &Hit, line_end: usize) -> bool {
        match rule.tier {
            Tier::Proof => self.runs_on(hit, line_end),
            // Before something on it was hidden the line was longer.
            Tier::Context | Tier::Generic => {
                hit.end + 80 > line_end && !holds_placeholder(&self.text[hit.end..line_end])
            }
        }
    }
}

/// True when a rule, given with its index, may have something at `hit` in these lines.
fn may_match(
    (rule, index): (&Rule, usize),
    lines: &[u8],
    hit: &Hit,
    fruitless: &mut Fruitless,
) -> bool {
    const BEFORE: usize = 512;
    const BEHIND: usize = 2048;
    if !may_start(rule, lines, &(hit.start..hit.end)) {
        return is_escape_before(lines, hit.start);
    }
    let start = hit.start.saturating_sub(BEFORE + rule.max_len);
    let slice = &lines[start..(hit.end + BEHIND).min(lines.len())];
    let mut first = 0;
    let known = match rule.tier {
        Tier::Context => fruitless.up_to(index),
        Tier::Proof | Tier::Generic => &mut first,
    };
    let mut next = known.saturating_sub(start);
    if finds_near(rule, slice, hit.start - start..hit.end - start, &mut next) {
        return true;
    }
    *known = (*known).max(start + next);
    match rule.tier {
        Tier::Proof => is_interrupted(lines, hit, fruitless),
        Tier::Context | Tier::Generic => {
            let line = &slice[hit.start - start..];
            let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
            memchr::memchr2(b'\\', 0x1b, line).is_some()
        }
    }
}

/// True when the token at `hit` stops at a sign of a disguise.
fn is_interrupted(text: &[u8], hit: &Hit, fruitless: &mut Fruitless) -> bool {
    // A token that runs on for longer is none that a rule knows.
    const LONGEST: usize = 2048;
    let end = fruitless.token_end(text, hit.end);
    if end - hit.end > LONGEST {
        return false;
    }
    if text.get(end) == Some(&b'=') {
        // A mail says so that a line goes on.
        return matches!(text.get(end + 1), Some(b'\n' | b'\r'));
    }
    match text.get(end) {
        // The style of a part of it changes.
        Some(b'<') => {
            text.get(end + 1).is_some_and(|byte| byte.is_ascii_alphabetic() || b"/!".contains(byte))
        }
        Some(b'*') => text.get(end + 1) == Some(&b'*'),
        // Another string stands in this one.
        Some(b'{') => matches!(text.get(end + 1), Some(b'"' | b'\'')),
        Some(b'$') => text.get(end + 1) == Some(&b'{'),
        // The border of a box or of a dump ends the line.
        Some(b'|' | b' ') => {
            line_rest(text, end).is_some_and(|rest| without_border(rest).is_empty())
        }
        Some(b'\\' | b'%' | b'&' | b'"' | b'\'' | b'\n' | b'\r' | b'^' | b'`' | 0x1b | 0x80..) => {
            true
        }
        _ => false,
    }
}

/// What stands between `at` and the end of its line; `None` where that is far.
fn line_rest(text: &[u8], at: usize) -> Option<&[u8]> {
    const WIDEST: usize = 512;
    let near = &text[at..(at + WIDEST).min(text.len())];
    let end = memchr::memchr(b'\n', near).or((at + near.len() == text.len()).then_some(near.len()));
    end.map(|end| &near[..end])
}

/// `\n` and `%3D` before a token look like a part of it.
fn is_escape_before(line: &[u8], at: usize) -> bool {
    let mut before = line[at.saturating_sub(6)..at].iter();
    before.any(|byte| matches!(byte, b'\\' | b'%' | 0x1b | 0x80..))
}

/// The first line of each key whose opening marker is missing.
fn key_lines(cutter: &Cutter<'_>, lines: Vec<usize>) -> impl Iterator<Item = usize> {
    let (text, is_final) = (cutter.text, cutter.ending == Ending::Final);
    let mut last = Lines { end: 0, marker: None, open: false };
    let mut done = 0;
    lines.into_iter().filter(move |at| {
        if *at < done {
            return false;
        }
        if *at >= last.end {
            last = lines_from(text, *at);
        }
        // Before something was hidden in front of it the line was longer, and no key.
        let is_told = holds_placeholder(&text[line_around(text, *at).start..*at]);
        let is_first = last.may_reach(*at) && !(is_final && last.open) && !is_told;
        if is_first {
            done = last.marker.unwrap_or(last.end);
        }
        is_first
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egress::detect::text::base64_end;

    proptest::proptest! {
        #[test]
        fn what_the_tail_holds_runs_to_the_end(text in "[a-z0-9+/_ .=-]{0,60}|[a-z/]{0,60}") {
            let text = text.as_bytes();
            for at in 0..text.len() {
                let runs_on = base64_end(text, at) == text.len();
                proptest::prop_assert_eq!(at >= base64_tail(text), runs_on);
            }
        }
    }
}
