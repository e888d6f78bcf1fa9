//! The engine: finds what must not leave, unit by unit.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memmem::Finder;

use super::anchors::{Anchors, Hit, Target};
use super::carried::Shown;
use super::catalogue::{Catalogue, Tier, find_near, may_claim};
use super::detect::Detector;
use super::detect::prose::is_accented_word;
use super::detect::snowflake;
use super::detect::text::{Words, far_place_of, is_base64_byte, run_end, run_start};
use super::exact::ExactValues;
use super::kind::Kind;
use super::pieces::{disjoint, hidden, source_range};
use super::redactor::{Redaction, RedactionContext};
use super::seen::Seen;
use super::shadow::{self, View};
use super::sparks::Sparks;
use super::standing::{is_covered, is_in_placeholder, placeholders};

/// How often a unit is looked at again after hiding what was found.
const ROUNDS: usize = 8;
/// How many layers of encoding are seen through.
const LEVELS: usize = 3;

/// Something that must not leave, in the text that is being looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it lies.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
    /// What found it.
    pub rule: Cow<'static, str>,
}

impl Found {
    /// Something that a detector found.
    pub fn new(range: Range<usize>, kind: Kind, rule: &'static str) -> Found {
        Found { range, kind, rule: Cow::Borrowed(rule) }
    }

    /// True for key material, which is hidden whole over all its lines.
    pub fn is_block(&self) -> bool {
        matches!(self.kind, Kind::PrivateKey | Kind::ServiceAccount)
    }

    /// The form that callers outside see.
    pub fn into_redaction(self) -> Redaction {
        Redaction { kind: self.kind, rule: self.rule, start: self.range.start, end: self.range.end }
    }
}

/// Rules, prefilter and context, ready to search.
#[derive(Debug)]
pub struct Engine {
    catalogue: Catalogue,
    anchors: Arc<Anchors>,
    sparks: Arc<Sparks>,
    exact: ExactValues,
    context: RedactionContext,
}

impl Engine {
    /// An engine for these rules and this place.
    pub fn new(catalogue: &Catalogue, context: RedactionContext) -> Engine {
        let anchors = Arc::new(Anchors::of(catalogue));
        let sparks = Arc::new(Sparks::of(catalogue));
        let exact = ExactValues::of(&context.exact_secrets);
        Engine { catalogue: catalogue.clone(), anchors, sparks, exact, context }
    }

    /// The same rules for another place.
    pub fn with_context(&self, context: RedactionContext) -> Engine {
        let exact = ExactValues::of(&context.exact_secrets);
        let (anchors, sparks) = (self.anchors.clone(), self.sparks.clone());
        Engine { catalogue: self.catalogue.clone(), anchors, sparks, exact, context }
    }

    pub(super) fn anchors(&self) -> &Anchors {
        &self.anchors
    }

    pub(super) fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    pub(super) fn sparks(&self) -> &Sparks {
        &self.sparks
    }

    pub(super) fn exact(&self) -> &ExactValues {
        &self.exact
    }

    pub(super) fn context(&self) -> &RedactionContext {
        &self.context
    }

    /// What must not leave in one unit. What remains after hiding it has no match.
    pub(super) fn find_in_unit(&self, unit: &[u8]) -> Vec<Found> {
        let mut found = disjoint(unit, self.look_everywhere(unit));
        for round in 0..ROUNDS {
            if found.is_empty() {
                break;
            }
            let (output, pieces) = hidden(unit, &found);
            let mut again = disjoint(&output, self.look_everywhere(&output));
            // What comes to light bit by bit is hidden to the end of its run.
            for one in again.iter_mut().filter(|one| round > 1 && !one.is_block()) {
                one.range.start = run_start(&output, one.range.start, is_base64_byte);
                one.range.end = run_end(&output, one.range.end, is_base64_byte);
            }
            if again.is_empty() {
                break;
            }
            let mapped = again
                .into_iter()
                .map(|one| Found { range: source_range(&pieces, &one.range), ..one });
            found = disjoint(unit, found.into_iter().chain(mapped).collect());
        }
        found
    }

    /// Every finding in a unit, in all its views, overlaps included.
    fn look_everywhere(&self, unit: &[u8]) -> Vec<Found> {
        let mut found = Vec::new();
        let source = Shown::of(&self.anchors, unit);
        if self.look_at(&source, Trust::All, &mut found) {
            self.look_at_apart(unit, &mut found);
        }
        self.look_at_runs(unit, LEVELS, &mut found);
        self.look_at_wrapped(unit, &mut found);
        self.look_at_turned(unit, &mut found);
        let is_joined = || {
            shadow::has_bare_seam(unit)
                || shadow::has_assembly(unit)
                || shadow::has_marks(unit)
                || shadow::is_wide(unit)
        };
        if !needs_views(unit) && !is_joined() {
            return found;
        }
        let mut view = View::of(unit);
        for _ in 0..LEVELS {
            self.look_at_joined(&source, &view, &mut found);
            let Some(next) = shadow::plain(&view) else { break };
            self.look_through(&source, &next, &mut found);
            view = next;
        }
        found
    }

    /// Looks at the bytes that are written apart.
    fn look_at_apart(&self, unit: &[u8], found: &mut Vec<Found>) {
        let Some(view) = shadow::gathered(&View::of(unit)) else { return };
        let mut seen = Vec::new();
        self.look_at(&Shown::of(&self.anchors, view.bytes()), Trust::Token, &mut seen);
        found.extend(seen.into_iter().map(|one| Found { range: view.source(&one.range), ..one }));
    }

    /// Looks at a view of `source` and maps what it finds to it.
    fn look_through(&self, source: &Shown<'_>, view: &View, found: &mut Vec<Found>) {
        let mut seen = Vec::new();
        self.look_at(&source.seen_as(&self.anchors, view), Trust::All, &mut seen);
        self.look_into(shadow::new_decoded_runs(view), 1, &mut seen);
        for one in seen {
            if one.is_block() {
                found.push(Found { range: view.source(&one.range), ..one });
                continue;
            }
            if one.rule == "url-password" && is_read_twice(&view.source(&one.range), found) {
                continue;
            }
            let parts = view.source_parts(source.text, &one.range).into_iter();
            // A word of another script is no disguise of one in this.
            let is_word = |range: &Range<usize>| {
                is_accented_word(source.text.get(range.clone()).unwrap_or_default())
            };
            let parts = parts.filter(|range| one.kind != Kind::Password || !is_word(range));
            found.extend(parts.map(|range| Found {
                range,
                kind: one.kind,
                rule: one.rule.clone(),
            }));
        }
    }

    fn look_at_joined(&self, source: &Shown<'_>, view: &View, found: &mut Vec<Found>) {
        if let Some(joined) = shadow::concatenated(view) {
            self.look_through(source, &joined, found);
        }
        if let Some(narrow) = shadow::narrowed(view) {
            self.look_through(source, &narrow, found);
        }
        if let Some(joined) = shadow::unwrapped(view) {
            self.look_through_guess(source, &joined, |_| true, found);
        }
        for column in shadow::dumped(view) {
            self.look_through_guess(source, &column, |_| true, found);
        }
        if let Some(joined) = shadow::unmarked(view) {
            self.look_through_guess(source, &joined, |_| true, found);
        }
        if let Some(joined) = shadow::assembled(view) {
            let may_be = |parts: &[Range<usize>]| shadow::may_be_cut(&joined, parts);
            self.look_through_guess(source, &joined, may_be, found);
        }
    }

    /// Looks at a view that puts parts together which may have nothing to do with each other.
    ///
    /// A part that was found to be a secret by itself takes with it only what goes on as
    /// tokens do: a token that ends with its line says nothing of the word below it.
    fn look_through_guess(
        &self,
        source: &Shown<'_>,
        view: &View,
        may_be: impl Fn(&[Range<usize>]) -> bool,
        found: &mut Vec<Found>,
    ) {
        let mut seen = Vec::new();
        self.look_at(&source.seen_as(&self.anchors, view), Trust::Token, &mut seen);
        self.look_into(shadow::new_decoded_runs(view), 1, &mut seen);
        for one in seen {
            let parts = view.parts(&one.range);
            if !may_be(&parts) {
                continue;
            }
            let first = view.source(&parts[0]);
            let is_whole = |known: &Found| {
                known.rule == one.rule
                    && known.range.start <= first.start
                    && first.end <= known.range.end
            };
            let kept = match found.iter().any(is_whole) {
                true => shadow::going_on(view, &parts),
                false => parts.len(),
            };
            found.extend(parts[..kept].iter().map(|part| Found {
                range: view.source(part),
                kind: one.kind,
                rule: one.rule.clone(),
            }));
        }
    }

    /// Looks into runs of base64 and hexadecimal digits, `levels` deep.
    fn look_at_runs(&self, text: &[u8], levels: usize, found: &mut Vec<Found>) {
        self.look_into(shadow::decoded_runs(text), levels, found);
    }

    fn look_into(&self, runs: Vec<shadow::Decoded>, levels: usize, found: &mut Vec<Found>) {
        for run in runs {
            let secret = self.secret_inside(&run.bytes, levels);
            found.extend(secret.map(|one| Found { range: run.range.clone(), ..one }));
        }
    }

    /// Looks into texts in base64 or hexadecimal digits that are wrapped over lines.
    fn look_at_wrapped(&self, unit: &[u8], found: &mut Vec<Found>) {
        for run in shadow::wrapped_runs(unit) {
            let Some(secret) = self.secret_inside(&run.bytes, LEVELS) else { continue };
            let lines = run.lines.into_iter();
            found.extend(lines.map(|range| Found { range, ..secret.clone() }));
        }
    }

    /// Looks at strings that code turns around.
    fn look_at_turned(&self, unit: &[u8], found: &mut Vec<Found>) {
        for string in shadow::turned(unit) {
            let mut seen = Vec::new();
            let shown = Shown::of(&self.anchors, &string.bytes);
            self.look_at(&shown, Trust::Token, &mut seen);
            found.extend(
                seen.into_iter().map(|one| Found { range: string.source(&one.range), ..one }),
            );
        }
    }

    /// A secret in what a run decodes to, `levels` deep.
    fn secret_inside(&self, bytes: &[u8], levels: usize) -> Option<Found> {
        let trust = if bytes.len() > 4096 { Trust::Proof } else { Trust::All };
        let mut inside = Vec::new();
        self.look_at(&Shown::of(&self.anchors, bytes), trust, &mut inside);
        let mut view = needs_views(bytes).then(|| View::of(bytes));
        for _ in 0..LEVELS {
            view = view.as_ref().and_then(shadow::plain);
            let Some(view) = &view else { break };
            self.look_at(&Shown::of(&self.anchors, view.bytes()), trust, &mut inside);
        }
        if levels > 1 {
            self.look_at_runs(bytes, levels - 1, &mut inside);
        }
        inside.into_iter().find(|one| one.kind != Kind::Path)
    }

    /// Every finding in one text as it stands, overlaps included.
    ///
    /// True when bytes of it may be written apart.
    fn look_at(&self, shown: &Shown<'_>, trust: Trust, found: &mut Vec<Found>) -> bool {
        let (text, before) = (shown.text, found.len());
        let mut seen = Seen::default();
        for hit in &shown.hits {
            self.look(text, hit, trust, &mut seen, found);
            if !shown.seams.is_empty() {
                self.look_between_seams(text, hit, shown.seams, found);
            }
        }
        seen.drop_near_misses(&self.catalogue, text, found, before);
        snowflake::look(text, found);
        spare_markers(text, &mut found[before..]);
        self.exact.look(text, found);
        let standing = placeholders(text);
        if !standing.is_empty() {
            let mut index = 0;
            found.retain(|one| {
                index += 1;
                index <= before || !is_covered(&one.range, &standing)
            });
        }
        seen.is_apart
    }

    /// Looks at a hit as if the text began or ended at a seam near it.
    ///
    /// Each line may be the first of a token or the last, whatever stands on the others.
    fn look_between_seams(&self, text: &[u8], hit: &Hit, seams: &[usize], found: &mut Vec<Found>) {
        const NEAR: usize = 64;
        const REACH: usize = 4096;
        const MOST_LINES: usize = 6;
        let after = seams.partition_point(|seam| *seam <= hit.start);
        let before = after.checked_sub(1).and_then(|index| seams.get(index));
        let start = before.copied().filter(|seam| hit.start - seam <= NEAR);
        let reaches = |seam: &usize| seam - hit.start <= REACH && *seam >= hit.end;
        let ends = seams[after..].iter().take(MOST_LINES).skip(1).copied().filter(reaches);
        let last = start.map(|_| (hit.end + REACH).min(text.len()));
        let start = start.unwrap_or_default();
        for end in ends.chain(last) {
            let first = found.len();
            let part = &text[start..end];
            self.look(part, &hit.back_by(start), Trust::Token, &mut Seen::default(), found);
            for one in &mut found[first..] {
                one.range = one.range.start + start..one.range.end + start;
            }
        }
    }

    fn look(&self, text: &[u8], hit: &Hit, trust: Trust, seen: &mut Seen, found: &mut Vec<Found>) {
        if is_in_placeholder(text, hit) {
            return;
        }
        for target in self.anchors.targets(hit) {
            match *target {
                Target::Detector(Detector::Apart) => {
                    seen.is_apart = seen.is_apart || shadow::is_apart(text, hit.start);
                }
                Target::Detector(detector) => {
                    let trusted = match trust {
                        Trust::All => true,
                        Trust::Proof => detector.is_proof(),
                        Trust::Token => detector.is_token(),
                    };
                    if trusted && !(detector.is_block() && hit.start < seen.block_end) {
                        let before = found.len();
                        detector.look(text, hit.start, hit.end, &self.context, found);
                        if let Some(one) = found[before..].last().filter(|_| detector.is_block()) {
                            seen.block_end = one.range.end;
                        }
                    }
                }
                Target::Rule(index) => {
                    let Some(rule) = self.catalogue.rule(index) else { continue };
                    if trust != Trust::All && rule.tier != Tier::Proof {
                        continue;
                    }
                    if may_claim(rule) {
                        seen.claimants.push((index, hit.start..hit.end));
                    }
                    let mut start = 0;
                    // The others look no further than from their keyword.
                    let from = match rule.tier {
                        Tier::Context => seen.from(index),
                        Tier::Proof | Tier::Generic => &mut start,
                    };
                    let near = find_near(rule, text, hit.start..hit.end, from);
                    seen.note(rule, text, &near);
                    for range in near {
                        let name = Cow::Owned(rule.name.clone());
                        found.push(Found { range, kind: rule.kind, rule: name });
                    }
                }
            }
        }
    }
}

/// True when a shorter password that ends at the same place is known, in the address as it stands.
///
/// An escaped colon belongs to the user.
fn is_read_twice(range: &Range<usize>, found: &[Found]) -> bool {
    found.iter().any(|known| {
        known.rule == "url-password"
            && known.range.end == range.end
            && known.range.start > range.start
    })
}

/// Ends what is no key before a marker of key material, without which a block would run on.
fn spare_markers(text: &[u8], found: &mut [Found]) {
    let others = found.iter_mut().filter(|one| !one.is_block());
    static MARKER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"-----"));
    for one in others {
        match MARKER.find(&text[one.range.clone()]) {
            Some(marker) if marker > 0 => one.range.end = one.range.start + marker,
            _ => {}
        }
    }
}

/// How far a view is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// It reads as its author meant it.
    All,
    /// It is long, so only formats that are proof by themselves count.
    Proof,
    /// It is a guess, so only unbroken tokens that are proof by themselves count.
    Token,
}

/// True when a unit shows a sign of escapes, disguises or seams.
fn needs_views(unit: &[u8]) -> bool {
    static SEAMS: LazyLock<Words> =
        LazyLock::new(|| Words::new(&["\" . ", "' . ", "concat", "join("]));
    let body = unit.strip_suffix(b"\n").unwrap_or(unit);
    let is_sign = |byte: u8| {
        let is_escape = (byte == b'\\') | (byte == b'%') | (byte == b'&') | (byte == 0x1b);
        is_escape | (byte == b'+') | (byte == b'|') | (byte == b'\n') | (byte >= 0x80)
    };
    far_place_of(body, 0, is_sign) < body.len() || may_have_seam(unit) && SEAMS.stand_in(unit)
}

/// False when two bytes are missing that each word of a seam has, which most units show.
fn may_have_seam(unit: &[u8]) -> bool {
    let folded = |byte: u8| byte | 0x20;
    let is_pair = |first: u8, next: u8| {
        let is_word = (folded(first) == b'c') | (folded(first) == b'j');
        is_word & (folded(next) == b'o') | (first == b' ') & (next == b'.')
    };
    let pairs = unit.iter().zip(unit.get(1..).unwrap_or_default());
    pairs.fold(false, |any, (first, next)| any | is_pair(*first, *next))
}
