//! What was seen in a text: blocks, rules that are done with, and values that are near misses.

use std::collections::HashMap;
use std::ops::Range;

use super::catalogue::{Catalogue, Rule, Tier, claims, fits, is_documented};
use super::detect::text::base64_end;
use super::engine::Found;
use super::quick::QuickState;

/// The rules that believe a name.
const NAMED: [&str; 6] = [
    "secret-assignment",
    "private-key-assignment",
    "password-assignment",
    "bearer-authorization",
    "url-token",
    "session-cookie",
];

/// How a pattern begins the part of a match that is the secret.
const SECRET: &str = "(?P<secret>";

/// What was looked at in a text already, so that dense text stays linear.
#[derive(Debug, Default)]
pub struct Seen {
    /// Where the last block of key material ends.
    pub block_end: usize,
    /// True when bytes may be written apart.
    pub is_apart: bool,
    /// Where the keywords of rules stand, by index, that may claim a value for themselves.
    pub claimants: Vec<(usize, Range<usize>)>,
    /// What rules found that trust the words around it.
    contextual: Vec<Range<usize>>,
    /// Where what rules found starts that know how their values begin.
    proven: Vec<usize>,
    /// For each rule that needs context the place up to which its matches are known.
    rules: HashMap<usize, usize, QuickState>,
}

/// What is known of a line, so that one full of keywords is looked through once.
#[derive(Debug, Default)]
pub struct Fruitless {
    /// For each rule the place up to which it looked without finding anything.
    rules: HashMap<usize, usize, QuickState>,
    /// A part of a token from some place to its end.
    token: Range<usize>,
}

impl Fruitless {
    /// The place up to which the rule at `index` has nothing on the line.
    pub fn up_to(&mut self, index: usize) -> &mut usize {
        self.rules.entry(index).or_default()
    }

    /// Where the token of `line` ends that holds `at`; `at` itself where there is none.
    pub fn token_end(&mut self, line: &[u8], at: usize) -> usize {
        if !self.token.contains(&at) {
            let mut end = base64_end(line, at);
            while line.get(end) == Some(&b'.') {
                end = base64_end(line, end + 1);
            }
            self.token = at..end;
        }
        self.token.end.max(at)
    }
}

impl Seen {
    /// True when only the rules of its provider may call this a secret.
    fn is_claimed(&self, catalogue: &Catalogue, text: &[u8], range: &Range<usize>) -> bool {
        let first = self.claimants.partition_point(|(_, hit)| hit.start < range.start);
        let inside = self.claimants[first..].iter().take_while(|(_, hit)| hit.start < range.end);
        let mut is_claimed = false;
        for (index, hit) in inside {
            let Some(rule) = catalogue.rule(*index) else { continue };
            if hit.start == range.start && is_documented(rule, &text[range.clone()]) {
                return true;
            }
            if hit.start == range.start && fits(rule, text, range) {
                return false;
            }
            let claim = claims(rule, text, hit).filter(|claim| claim.start == range.start);
            is_claimed |= claim.is_some_and(|claim| claim.covers(&text[range.clone()]));
        }
        is_claimed
    }

    /// Notes what `rule` found in `text`.
    pub fn note(&mut self, rule: &Rule, text: &[u8], found: &[Range<usize>]) {
        for range in found {
            let is_whole = rule.tier == Tier::Proof && !rule.pattern.contains(SECRET);
            if is_whole || knows_start(rule, &text[range.clone()]) {
                self.proven.push(range.start);
            } else {
                self.contextual.push(range.clone());
            }
        }
    }

    /// True when only a rule that trusts the words around it found this.
    fn is_contextual(&self, range: &Range<usize>) -> bool {
        let key = (range.start, range.end);
        self.contextual.binary_search_by_key(&key, |range| (range.start, range.end)).is_ok()
    }

    /// The place up to which the matches of the rule at `index` are known.
    pub fn from(&mut self, index: usize) -> &mut usize {
        self.rules.entry(index).or_default()
    }

    /// Drops what only its name calls a secret when its format says that it is none.
    ///
    /// What was found before the index `before` is left alone.
    pub fn drop_near_misses(
        &mut self,
        catalogue: &Catalogue,
        text: &[u8],
        found: &mut Vec<Found>,
        before: usize,
    ) {
        if self.claimants.is_empty() || found.len() == before {
            return;
        }
        self.claimants.sort_unstable_by_key(|(_, hit)| hit.start);
        self.contextual.sort_unstable_by_key(|range| (range.start, range.end));
        let is_named =
            |one: &Found| NAMED.contains(&one.rule.as_ref()) || self.is_contextual(&one.range);
        let proven = found[before..].iter().filter(|one| !is_named(one));
        let mut proven: Vec<usize> = proven.map(|one| one.range.start).collect();
        proven.extend(&self.proven);
        proven.sort_unstable();
        let mut index = 0;
        found.retain(|one| {
            index += 1;
            index <= before
                || !is_named(one)
                || proven.binary_search(&one.range.start).is_ok()
                || !self.is_claimed(catalogue, text, &one.range)
        });
    }
}

/// True when the pattern says how this value begins.
fn knows_start(rule: &Rule, value: &[u8]) -> bool {
    const PREFIX: usize = 8;
    const LETTERS: usize = 4;
    let head = &value[..value.len().min(PREFIX)];
    let separator = head.iter().position(|byte| matches!(byte, b'_' | b'-' | b'.'));
    let length = separator.unwrap_or(LETTERS.min(head.len()));
    // Before the group of the secret stand the names that it may have.
    let pattern = rule.pattern.rsplit(SECRET).next().unwrap_or_default();
    memchr::memmem::find(pattern.as_bytes(), &head[..length]).is_some()
}
