//! Edits without placeholders of a file in which values are hidden.
//!
//! An agent replaces what it sees. Where its text also stands inside a hidden value,
//! that value must stay, and must not be told by what is found and what is not: only
//! the places that the agent was shown count. A text that holds a hidden value in
//! whole is from somebody who knows it. Paths are left out: a part of one is no secret.

use std::ops::Range;

use super::kind::Kind;
use super::restore::{RedactedFile, overlapping_matches};

/// Where the text of an edit stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Visible {
    /// Nowhere inside a hidden value.
    AsItStands,
    /// In hidden values alone.
    NotFound,
    /// In a hidden value, and at so many places outside, of which one is meant.
    Ambiguous {
        /// How many.
        count: usize,
    },
    /// In a hidden value, and where these lines stand: what they are and what they become.
    Instead(Vec<(String, String)>),
}

impl RedactedFile {
    /// Where `old` stands, which `new` replaces once or everywhere.
    pub fn visible(&self, old: &str, new: &str, all: bool) -> Visible {
        let file = self.file();
        let matches = || overlapping_matches(file, old).into_iter().map(|at| at..at + old.len());
        let is_hidden = |place: &Range<usize>| self.secrets().any(|one| cuts(place, one));
        if !matches().any(|place| is_hidden(&place)) {
            return Visible::AsItStands;
        }
        let mut shown: Vec<Range<usize>> = Vec::new();
        for place in matches().filter(|place| !is_hidden(place)) {
            if shown.last().is_none_or(|last| last.end <= place.start) {
                shown.push(place);
            }
        }
        match shown.len() {
            0 => Visible::NotFound,
            count if count > 1 && !all => Visible::Ambiguous { count },
            _ => Visible::Instead(self.lines_instead(&shown, new)),
        }
    }

    /// The lines around `places`, each text once, the longest first, and what they become.
    ///
    /// A line may be a part of a longer one, which must not be changed by it before.
    fn lines_instead(&self, places: &[Range<usize>], new: &str) -> Vec<(String, String)> {
        let file = self.file();
        let mut instead: Vec<(String, String)> = Vec::new();
        let mut rest = places;
        while let Some(first) = rest.first() {
            let start = file[..first.start].rfind('\n').map_or(0, |newline| newline + 1);
            let mut end = first.start;
            let mut count = 0;
            while let Some(place) = rest.get(count).filter(|place| count == 0 || place.start < end)
            {
                end =
                    file[place.end..].find('\n').map_or(file.len(), |newline| place.end + newline);
                count += 1;
            }
            let mut text = String::new();
            let mut from = start;
            for place in &rest[..count] {
                text.push_str(&file[from..place.start]);
                text.push_str(new);
                from = place.end;
            }
            text.push_str(&file[from..end]);
            instead.push((file[start..end].to_owned(), text));
            rest = &rest[count..];
        }
        instead.sort_by(|one, two| two.0.len().cmp(&one.0.len()).then_with(|| one.cmp(two)));
        instead.dedup();
        instead
    }

    fn secrets(&self) -> impl Iterator<Item = &Range<usize>> {
        self.hidden().filter(|(kind, _)| *kind != Kind::Path).map(|(_, range)| range)
    }
}

/// True when `place` holds a part of `hidden` and not all of it.
fn cuts(place: &Range<usize>, hidden: &Range<usize>) -> bool {
    let touches = place.start < hidden.end && hidden.start < place.end;
    touches && (hidden.start < place.start || place.end < hidden.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egress::Redactor;

    const FILE: &str = "API_TOKEN = \"q7Zxabcfoo9LbT4sKd8RfW3nYc\"\nname = \"foo\"\nfoo = 3\n";

    fn visible(old: &str, new: &str, all: bool) -> Visible {
        RedactedFile::new(&Redactor::default(), FILE).visible(old, new, all)
    }

    #[test]
    fn a_hidden_value_stays_where_every_place_is_replaced() {
        let lines = [("name = \"foo\"", "name = \"bar\""), ("foo = 3", "bar = 3")];
        let lines = lines.map(|(old, new)| (old.to_owned(), new.to_owned()));
        assert_eq!(visible("foo", "bar", true), Visible::Instead(lines.to_vec()));
        assert_eq!(visible("foo", "bar", false), Visible::Ambiguous { count: 2 });
    }

    #[test]
    fn a_part_of_a_hidden_value_is_not_found() {
        assert_eq!(visible("q7Zx", "x", false), Visible::NotFound);
        assert_eq!(visible("abcf", "x", true), Visible::NotFound);
    }

    #[test]
    fn what_stands_beside_a_value_or_holds_it_is_as_it_stands() {
        for old in ["foo = 3", "API_TOKEN = \"", "q7Zxabcfoo9LbT4sKd8RfW3nYc", "nothing"] {
            assert_eq!(visible(old, "x", false), Visible::AsItStands, "{old}");
        }
    }
}
