//! The differences between two outlines, level by level.

use std::collections::HashSet;

use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// One difference.
pub(super) enum Step<'a> {
    /// A definition with another text.
    Replace {
        /// As it is in the base.
        old: &'a Symbol,
        /// As it is in the result.
        new: &'a Symbol,
    },
    /// A definition that the result has not.
    Remove {
        /// As it is in the base.
        old: &'a Symbol,
    },
    /// A definition that the base has not.
    Insert {
        /// As it is in the result.
        new: &'a Symbol,
        /// The symbol of the result that it stands beside or in.
        anchor: &'a Symbol,
        /// Where, as the call spells it.
        position: &'static str,
    },
}

/// How the members of two containers are told to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pairing {
    /// By their names.
    ByName,
    /// By their places, where there are as many as before.
    ByPlace,
}

/// All differences: what gets new text or goes, from the end, then what comes, from the start.
///
/// In this order each step finds its symbol under the number that it was given.
pub(super) fn steps<'a>(before: &'a Parsed, after: &'a Parsed, pairing: Pairing) -> Vec<Step<'a>> {
    let (old_paths, new_paths) = (paths(before), paths(after));
    let (old, new) = (Vec::new(), Vec::new());
    let mut found = Found { before, after, old_paths, new_paths, pairing, old, new };
    found.level(None, None);
    let Found { mut old, new, .. } = found;
    let place = |step: &Step<'_>| match step {
        Step::Replace { old, .. } | Step::Remove { old } => old.full.start,
        Step::Insert { .. } => 0,
    };
    old.sort_by_key(|step| std::cmp::Reverse(place(step)));
    old.into_iter().chain(new).collect()
}

struct Found<'a> {
    before: &'a Parsed,
    after: &'a Parsed,
    old_paths: HashSet<&'a str>,
    new_paths: HashSet<&'a str>,
    pairing: Pairing,
    old: Vec<Step<'a>>,
    new: Vec<Step<'a>>,
}

type Member<'a> = (usize, &'a Symbol);

/// The likeness of two members with the same name and the same text.
const EQUAL: u32 = 4;

/// The members of a container in the base and in the result.
struct Level<'a> {
    before: &'a Parsed,
    after: &'a Parsed,
    old: Vec<Member<'a>>,
    new: Vec<Member<'a>>,
}

impl Level<'_> {
    /// Nothing for two names, more for one, most for one name with one text.
    fn likeness(&self, left: usize, right: usize) -> u32 {
        let (old, new) = (self.old[left].1, self.new[right].1);
        match old.path == new.path {
            false => 0,
            true if self.before.bytes(old.full) == self.after.bytes(new.full) => EQUAL,
            true => 1,
        }
    }
}

impl<'a> Found<'a> {
    /// Compares the members of a container in the base with those of its twin in the result.
    fn level(&mut self, base: Option<usize>, result: Option<usize>) {
        let (old, new) = (members(self.before, base), members(self.after, result));
        let level = Level { before: self.before, after: self.after, old, new };
        let pairs = match self.pairing {
            Pairing::ByPlace if level.old.len() == level.new.len() => {
                (0..level.old.len()).map(|at| (at, at)).collect()
            }
            _ => by_name(&level),
        };
        let (old, new) = (level.old, level.new);
        let mut at = (0, 0);
        for (left, right) in pairs.iter().copied().chain([(old.len(), new.len())]) {
            self.unpaired(&old[at.0..left], &new, (at.1, right), result);
            if let (Some(one), Some(other)) = (old.get(left), new.get(right)) {
                self.pair(*one, *other);
            }
            at = (left + 1, right + 1);
        }
    }

    /// Two symbols that stand for each other.
    fn pair(&mut self, (index, old): Member<'a>, (twin, new): Member<'a>) {
        if self.before.bytes(old.full) == self.after.bytes(new.full) {
            return;
        }
        let is_shell_kept = shell(self.before, index) == shell(self.after, twin);
        if old.kind.is_container() && new.kind.is_container() && is_shell_kept {
            self.level(Some(index), Some(twin));
        } else {
            self.old.push(Step::Replace { old, new });
        }
    }

    /// What stands between two pairs: one takes the place of another as long as there are some
    /// on both sides.
    fn unpaired(
        &mut self,
        old: &[Member<'a>],
        all: &[Member<'a>],
        (first, last): (usize, usize),
        holder: Option<usize>,
    ) {
        let new = &all[first..last];
        // A name that stands elsewhere too must go there before it comes here.
        let is_free = |(old, new): &(&Member<'a>, &Member<'a>)| {
            !self.old_paths.contains(new.1.path.as_str())
                && !self.new_paths.contains(old.1.path.as_str())
        };
        let renamed = old.iter().zip(new).take_while(is_free).count();
        for ((_, old), (_, new)) in old.iter().zip(new).take(renamed) {
            self.old.push(Step::Replace { old, new });
        }
        self.old.extend(old.iter().skip(renamed).map(|(_, old)| Step::Remove { old }));
        for at in first + renamed..last {
            let above = at.checked_sub(1).map(|above| (all[above].1, "after"));
            let below = || all.get(last).map(|(_, below)| (*below, "before"));
            let inside = || holder.map(|holder| (&self.after.outline()[holder], "first"));
            let anchor = above.or_else(below).or_else(inside);
            let new = all[at].1;
            let step = |(anchor, position)| Step::Insert { new, anchor, position };
            self.new.extend(anchor.map(step));
        }
    }
}

fn paths(parsed: &Parsed) -> HashSet<&str> {
    parsed.outline().iter().map(|symbol| symbol.path.as_str()).collect()
}

fn members(parsed: &Parsed, holder: Option<usize>) -> Vec<Member<'_>> {
    let all = parsed.outline().iter().enumerate();
    all.filter(|(_, symbol)| symbol.parent == holder).collect()
}

/// The text of a container without its members and without white space.
fn shell(parsed: &Parsed, holder: usize) -> Vec<u8> {
    let symbol = &parsed.outline()[holder];
    let mut shell = Vec::new();
    let mut at = symbol.full.start;
    for (_, member) in members(parsed, Some(holder)) {
        shell.extend_from_slice(&parsed.source()[at..member.full.start.max(at)]);
        at = member.full.end.max(at);
    }
    shell.extend_from_slice(&parsed.source()[at..symbol.full.end.max(at)]);
    shell.retain(|byte| !byte.is_ascii_whitespace());
    shell
}

/// The members that stand for each other, in order: those of one name path, and of several of
/// one path those with the same text.
fn by_name(levels: &Level<'_>) -> Vec<(usize, usize)> {
    let (old, new) = (levels.old.as_slice(), levels.new.as_slice());
    let is_equal = |left: usize, right: usize| levels.likeness(left, right) == EQUAL;
    let most = old.len().min(new.len());
    let head = (0..most).take_while(|at| is_equal(*at, *at)).count();
    let tail = (0..most - head)
        .take_while(|back| is_equal(old.len() - 1 - back, new.len() - 1 - back))
        .count();
    let (rows, columns) = (old.len() - head - tail, new.len() - head - tail);
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    // Beyond this a file was rewritten and the table would be large.
    if rows.saturating_mul(columns) <= 1 << 20 {
        let middle =
            heaviest(rows, columns, |row, column| levels.likeness(head + row, head + column));
        pairs.extend(middle.into_iter().map(|(row, column)| (head + row, head + column)));
    }
    pairs.extend((0..tail).rev().map(|back| (old.len() - 1 - back, new.len() - 1 - back)));
    pairs
}

/// The common sequence with the most likeness.
fn heaviest(
    rows: usize,
    columns: usize,
    likeness: impl Fn(usize, usize) -> u32,
) -> Vec<(usize, usize)> {
    let width = columns + 1;
    let mut weights = vec![0u32; (rows + 1) * width];
    let at = |row: usize, column: usize| row * width + column;
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let apart = weights[at(row + 1, column)].max(weights[at(row, column + 1)]);
            let like = likeness(row, column);
            let together = if like > 0 { weights[at(row + 1, column + 1)] + like } else { 0 };
            weights[at(row, column)] = apart.max(together);
        }
    }
    let (mut row, mut column, mut pairs) = (0, 0, Vec::new());
    while row < rows && column < columns {
        let like = likeness(row, column);
        let here = weights[at(row, column)];
        if like > 0 && here == weights[at(row + 1, column + 1)] + like {
            pairs.push((row, column));
            (row, column) = (row + 1, column + 1);
        } else if here == weights[at(row + 1, column)] {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}
