//! Goes through a text unit by unit.

use super::closing::Closed;
use super::detect::private_key::continued;
use super::engine::{Engine, Found};
use super::promise::Settled;
use super::units::{Cutter, Ending, Extent};

/// The complete units of a text.
#[derive(Debug, Default)]
pub struct Units {
    /// What must not leave in them.
    pub found: Vec<Found>,
    /// Up to here the text goes on with a block whose start was hidden before.
    pub dropped: usize,
    /// Where they end.
    pub end: usize,
    /// True when they end inside a block of key material.
    pub inside: bool,
    /// True when they end where a unit begins that is not complete.
    is_cut: bool,
}

/// Which units of a text are wanted.
#[derive(Clone, Copy)]
enum Scope {
    /// All, each closed.
    All,
    /// Those that begin before a place, as they stand.
    Before(usize),
}

impl Units {
    fn cut_at(self, end: usize) -> Units {
        Units { end, is_cut: true, ..self }
    }

    /// Hides what goes on of the block that the units end in.
    fn go_on(&mut self, text: &[u8], ending: Ending) {
        let (stop, is_open) = continued(text, self.end, ending == Ending::Final);
        match self.found.last_mut() {
            Some(last) => last.range.end = stop.max(last.range.end),
            None => self.dropped = stop,
        }
        self.end = stop;
        self.inside = is_open;
    }
}

impl Engine {
    /// Everything that must not leave, in order and without overlaps.
    pub fn find(&self, text: &[u8]) -> Vec<Found> {
        self.find_units(text, Ending::Final, false).found
    }

    /// What must not leave in the units of `text` that are complete, and where those end.
    ///
    /// `inside` when the text before it ended inside a block of key material.
    pub fn find_units(&self, text: &[u8], ending: Ending, inside: bool) -> Units {
        let units = Units { inside, ..Units::default() };
        let mut units = self.units_from(text, ending, units, Scope::All);
        match (units.is_cut, ending) {
            (true, _) => {}
            (false, Ending::Final) => units.end = text.len(),
            (false, Ending::Open) if units.inside => {}
            (false, Ending::Open) => {
                units.end = last_piece(&self.cutter(text, ending), units.end);
            }
        }
        units
    }

    /// The units of `text` that begin before `border`, as they stand.
    ///
    /// They end before the border only where one of them is not complete.
    pub(super) fn units_before(&self, text: &[u8], ending: Ending, border: usize) -> Units {
        let mut units = self.units_from(text, ending, Units::default(), Scope::Before(border));
        if !units.is_cut {
            units.end = units.end.max(border);
        }
        units
    }

    fn cutter<'a>(&'a self, text: &'a [u8], ending: Ending) -> Cutter<'a> {
        Cutter { text, anchors: self.anchors(), catalogue: self.catalogue(), ending }
    }

    fn units_from(&self, text: &[u8], ending: Ending, mut units: Units, scope: Scope) -> Units {
        let cutter = self.cutter(text, ending);
        let hits = self.promising(&cutter);
        let mut next = 0;
        loop {
            if units.inside {
                units.go_on(text, ending);
            }
            next += hits[next..].partition_point(|hit| hit.start < units.end);
            let Some(hit) = hits.get(next).filter(|_| !units.inside) else { break };
            let piece = cutter.piece_start(units.end, hit.start);
            let (Ok(start) | Err(start)) = piece;
            if matches!(scope, Scope::Before(border) if start >= border) {
                break;
            }
            if piece.is_err() {
                return units.cut_at(start);
            }
            let rest = Cutter { text: &text[start..], ..cutter };
            let near = hits[next..].iter().map(|hit| hit.back_by(start));
            let is_line_start = start == 0 || text[start - 1] == b'\n';
            let extent = match self.settled(&rest, near, is_line_start) {
                Settled::Unit(extent) => extent,
                Settled::Nothing(end) => {
                    units.end = start + end;
                    continue;
                }
                Settled::NeedsMore => return units.cut_at(start),
            };
            let closed = match (extent, scope) {
                (Extent::NeedsMore, _) => continue,
                (Extent::To(end), Scope::All) => self.closed(&rest, end),
                (Extent::To(end) | Extent::Inside(end), _) => {
                    Some(Closed { found: self.find_in_unit(&rest.text[..end]), end })
                }
            };
            let Some(Closed { found, end }) = closed else { return units.cut_at(start) };
            units.inside = matches!(extent, Extent::Inside(_));
            units.end = start + end;
            units.found.extend(found.into_iter().map(|mut one| {
                one.range = one.range.start + start..one.range.end + start;
                one
            }));
        }
        units
    }
}

fn last_piece(cutter: &Cutter<'_>, from: usize) -> usize {
    let mut start =
        memchr::memrchr(b'\n', &cutter.text[from..]).map_or(from, |newline| from + newline + 1);
    while let Extent::To(end) = cutter.piece_end(start) {
        if end == start {
            break;
        }
        start = end;
    }
    start
}
