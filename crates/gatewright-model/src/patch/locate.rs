//! Finding the lines of a hunk in a file.
//!
//! Candidates come from the rarest line of the hunk, and a common budget bounds
//! all comparisons of one file, so that no patch makes the search quadratic.

use std::collections::HashMap;

/// Comparisons of lines that one file may cost.
const BUDGET: usize = 50_000_000;

/// Lines of a hunk that vote for the nearest place, and votes of each.
const VOTES: usize = 64;

/// Where some lines stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Nowhere,
    /// At this line index and nowhere else.
    Once(usize),
    /// At least at these two.
    Twice(usize, usize),
    /// The budget ran out.
    TooCostly,
}

/// The lines of a file, made comparable and indexed.
pub(super) struct Index<'a> {
    numbers: HashMap<&'a [u8], usize>,
    /// For each different line the indexes at which it stands, ascending.
    positions: Vec<Vec<usize>>,
    tokens: Vec<usize>,
    budget: usize,
}

impl<'a> Index<'a> {
    pub(super) fn new(lines: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut index = Self {
            numbers: HashMap::new(),
            positions: Vec::new(),
            tokens: Vec::new(),
            budget: BUDGET,
        };
        for (position, line) in lines.enumerate() {
            let next = index.positions.len();
            let token = *index.numbers.entry(line).or_insert(next);
            if token == next {
                index.positions.push(Vec::new());
            }
            index.positions[token].push(position);
            index.tokens.push(token);
        }
        index
    }

    /// The indexes at which this line stands.
    pub(super) fn places(&self, line: &[u8]) -> &[usize] {
        self.numbers.get(line).map_or(&[], |token| &self.positions[*token])
    }

    /// Where `pattern` stands with its first line in `range`.
    pub(super) fn find(&mut self, pattern: &[&[u8]], range: std::ops::Range<usize>) -> Found {
        let tokens: Option<Vec<usize>> =
            pattern.iter().map(|line| self.numbers.get(line).copied()).collect();
        let Some(tokens) = tokens else { return Found::Nowhere };
        let rarest = (0..tokens.len()).min_by_key(|at| self.positions[tokens[*at]].len());
        let Some(rarest) = rarest else { return Found::Nowhere };
        let candidates = &self.positions[tokens[rarest]];
        let first = candidates.partition_point(|position| *position < range.start + rarest);
        let mut found = None;
        for position in &candidates[first..] {
            let start = position - rarest;
            if start >= range.end {
                break;
            }
            let here = self.tokens.get(start..start + tokens.len()).unwrap_or_default();
            let common = here.iter().zip(&tokens).take_while(|(a, b)| a == b).count();
            let Some(budget) = self.budget.checked_sub(common + 1) else {
                return Found::TooCostly;
            };
            self.budget = budget;
            match found {
                _ if common < tokens.len() => {}
                None => found = Some(start),
                Some(earlier) => return Found::Twice(earlier, start),
            }
        }
        found.map_or(Found::Nowhere, Found::Once)
    }

    /// The line index where most of the first lines of `pattern` stand in place.
    pub(super) fn nearest(&self, pattern: &[&[u8]], wanted: Option<usize>) -> Option<usize> {
        let mut votes: HashMap<usize, usize> = HashMap::new();
        for (offset, line) in pattern.iter().enumerate().take(VOTES) {
            let near = self.places(line);
            let from = near.partition_point(|place| *place + VOTES / 2 < wanted.unwrap_or(0));
            for place in near[from..].iter().take(VOTES) {
                if let Some(start) = place.checked_sub(offset) {
                    *votes.entry(start).or_default() += 1;
                }
            }
        }
        let distance = |start: usize| wanted.map_or(start, |wanted| wanted.abs_diff(start));
        let rank = |(start, votes): &(usize, usize)| {
            (*votes, std::cmp::Reverse(distance(*start)), std::cmp::Reverse(*start))
        };
        votes.into_iter().max_by_key(rank).map(|(start, _)| start)
    }
}
