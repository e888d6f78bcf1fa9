//! The nearest existing names to one that is missing.

/// How many names are suggested.
const SUGGESTED: usize = 3;

/// Bytes of the longest character, so that a difference in bytes bounds one in characters.
const LONGEST_CHARACTER: usize = 4;

/// The nearest of `candidates`, best first; names that are not near are left out.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = Wanted::new(name);
    let mut scored: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| *candidate != name && !candidate.is_empty())
        .filter_map(|candidate| Some((wanted.score(candidate)?, candidate)))
        .collect();
    scored.sort_unstable();
    scored.dedup();
    scored.truncate(SUGGESTED);
    scored.into_iter().map(|(_, candidate)| candidate.to_owned()).collect()
}

/// The nearest paths to one of which the last part is missing: only that part is held against
/// what lies beside it.
pub(crate) fn near_beside(path: &str, beside: &[String]) -> Vec<String> {
    let last = path.rsplit('/').next().unwrap_or(path);
    let above = &path[..path.len() - last.len()];
    let near = nearest(last, beside.iter().map(String::as_str));
    near.iter().map(|near| format!("{above}{near}")).collect()
}

/// Those of `names` that a slip of the finger makes of `name`, as of the many names that a
/// language brings along only these are meant.
pub(crate) fn misspelt<'a>(
    name: &str,
    names: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = &'a str> {
    let wanted = Wanted::new(name);
    let is_slip = move |known: &str, tenths: usize| tenths * 4 <= known.len() * 10;
    names.filter(move |known| {
        wanted.by_edits(&known.to_lowercase()).is_some_and(|tenths| is_slip(known, tenths))
    })
}

/// The missing name, taken apart once for all the names that it is held against.
struct Wanted {
    lower: String,
    words: Vec<String>,
    letters: u64,
}

impl Wanted {
    fn new(name: &str) -> Self {
        let lower = name.to_lowercase();
        Self { letters: letters(&lower), lower, words: words(name) }
    }

    /// How far away a name is, in tenths of an edit; `None` when it is not near.
    fn score(&self, candidate: &str) -> Option<usize> {
        let lower = candidate.to_lowercase();
        match (self.by_edits(&lower), self.by_words(candidate, &lower)) {
            (Some(edits), Some(words)) => Some(edits.min(words)),
            (edits, words) => edits.or(words),
        }
    }

    fn by_edits(&self, lower: &str) -> Option<usize> {
        let longest = self.lower.len().max(lower.len());
        let is_plain = self.lower.is_ascii() && lower.is_ascii();
        let longest_character = if is_plain { 1 } else { LONGEST_CHARACTER };
        let at_least = self.lower.len().abs_diff(lower.len()) / longest_character;
        // One edit takes at most one letter away and adds at most one.
        let theirs = letters(lower);
        let lost = (self.letters & !theirs).count_ones().max((theirs & !self.letters).count_ones());
        if at_least.max(lost as usize) * 3 > longest {
            return None;
        }
        let edits = distance(&self.lower, lower);
        (edits * 3 <= longest).then_some(edits * 10)
    }

    /// How many words the two do not share, when at least half are shared.
    fn by_words(&self, candidate: &str, lower: &str) -> Option<usize> {
        if !self.words.iter().any(|word| lower.contains(word.as_str())) {
            return None;
        }
        let theirs = words(candidate);
        let shared = self.words.iter().filter(|word| theirs.contains(word)).count();
        let longest = self.words.len().max(theirs.len());
        (shared > 0 && shared * 2 >= longest).then(|| 15 + (longest - shared) * 5)
    }
}

/// Which bytes a name has, by their low bits.
fn letters(name: &str) -> u64 {
    name.bytes().filter(u8::is_ascii).fold(0, |found, byte| found | 1 << (byte & 63))
}

fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = c.is_lowercase();
        if c.is_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            last.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The edit distance, a swap of neighbours counted as one; bounded by the input's length.
pub(crate) fn distance(left: &str, right: &str) -> usize {
    const LONGEST: usize = 80;
    let left: Vec<char> = left.chars().take(LONGEST).collect();
    let right: Vec<char> = right.chars().take(LONGEST).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, a) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, b) in right.iter().enumerate() {
            let substitute = above[column] + usize::from(a != b);
            let mut best = substitute.min(above[column + 1] + 1).min(current[column] + 1);
            let swapped = row > 0 && column > 0 && *a == right[column - 1] && left[row - 1] == *b;
            if swapped {
                best = best.min(before[column - 1] + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_come_first_and_far_ones_not_at_all() {
        let names = ["parse_json", "parse", "render", "json_parser"];
        assert_eq!(nearest("parse_jsn", names)[0], "parse_json");
        assert!(nearest("zebra", names).is_empty());
    }

    #[test]
    fn words_in_common_make_a_name_near() {
        assert_eq!(nearest("get_user_by_id", ["get_by_id", "list_users"]), ["get_by_id"]);
    }

    #[test]
    fn a_swap_is_one_edit() {
        assert_eq!(distance("reqeusts", "requests"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
