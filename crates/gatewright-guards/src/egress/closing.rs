//! Closes a unit: redacting it again, with the lines below, must change nothing more.
//!
//! What is hidden may let a line ask for other lines than before: a string that ended far
//! away now ends near, a block that held two lines apart is gone. So a redacted unit is cut
//! again as if it were the text, and where it then takes lines below with it in which
//! something would be hidden, these belong to it from the start. How far is looked below
//! depends on the text alone, so a stream closes a unit as the whole text does.

use super::engine::{Engine, Found};
use super::passes::Units;
use super::pieces::{disjoint, hidden, source_range};
use super::units::{Cutter, Ending, UNIT_LIMIT};

/// How often lines are taken to a unit, or more is hidden in it.
const STEPS: usize = 4;
/// How much of the text below is looked at, one after the other, until the answer is known.
const BELOW: [usize; 4] = [0, 160, 512, 8 * 1024];

/// What must not leave in a unit, and where it ends.
pub struct Closed {
    /// What must not leave.
    pub found: Vec<Found>,
    /// Where the unit ends.
    pub end: usize,
}

/// What a redacted unit asks for.
enum Asked {
    Nothing,
    /// The lines below, up to here.
    Lines(usize),
    /// Some more to be hidden in it.
    Again(Vec<Found>),
    /// The text ends before one can tell.
    NeedsMore,
}

impl Engine {
    /// What must not leave in the unit at the start of the text, which reaches to `end` or further.
    ///
    /// `None` when the text ends before one can tell.
    pub(super) fn closed(&self, cutter: &Cutter<'_>, mut end: usize) -> Option<Closed> {
        let mut found = self.find_in_unit(&cutter.text[..end]);
        for _ in 0..STEPS {
            let is_whole = cutter.text[..end].ends_with(b"\n");
            if found.is_empty() || !is_whole {
                break;
            }
            match self.asked(cutter, end, &found) {
                Asked::Nothing => break,
                Asked::NeedsMore => return None,
                Asked::Lines(further) if further > UNIT_LIMIT => break,
                Asked::Lines(further) => {
                    end = further;
                    found = self.find_in_unit(&cutter.text[..end]);
                }
                Asked::Again(more) => {
                    found.extend(more);
                    found = disjoint(&cutter.text[..end], found);
                }
            }
        }
        Some(Closed { found, end })
    }

    /// What the unit that ends at `end` asks for once `found` is hidden in it.
    fn asked(&self, cutter: &Cutter<'_>, end: usize, found: &[Found]) -> Asked {
        let (mut probe, pieces) = hidden(&cutter.text[..end], found);
        let border = probe.len();
        for below in BELOW {
            let far = (end + below).min(cutter.text.len());
            probe.truncate(border);
            probe.extend_from_slice(&cutter.text[end..far]);
            let is_rest = far == cutter.text.len();
            let ending = if is_rest { cutter.ending } else { Ending::Open };
            let Units { found: more, end: reached, inside, .. } =
                self.units_before(&probe, ending, border);
            if reached >= border || inside {
                let crosses = reached > border && !inside;
                return match more.is_empty() {
                    true => Asked::Nothing,
                    false if crosses => Asked::Lines(end + reached - border),
                    false => Asked::Again(
                        more.into_iter()
                            .filter(|one| one.range.end <= border)
                            .map(|one| Found { range: source_range(&pieces, &one.range), ..one })
                            .collect(),
                    ),
                };
            }
            if is_rest {
                return if ending == Ending::Open { Asked::NeedsMore } else { Asked::Nothing };
            }
        }
        Asked::Nothing
    }
}
