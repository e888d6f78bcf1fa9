//! The nearest existing names to one that is missing.

/// How many names are suggested.
const SUGGESTED: usize = 3;

/// The nearest of `candidates`, best first; names that are not near are left out.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    let mut scored: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| *candidate != name && !candidate.is_empty())
        .filter_map(|candidate| Some((score(name, candidate)?, candidate)))
        .collect();
    scored.sort_unstable();
    scored.dedup();
    scored.truncate(SUGGESTED);
    scored.into_iter().map(|(_, candidate)| candidate.to_owned()).collect()
}

/// How far apart two names are, in tenths of an edit; `None` when they are not near.
fn score(name: &str, candidate: &str) -> Option<usize> {
    let (left, right) = (name.to_lowercase(), candidate.to_lowercase());
    let longest = left.len().max(right.len());
    let edits = distance(&left, &right);
    let by_edits = (edits * 3 <= longest).then_some(edits * 10);
    let by_words = overlap(name, candidate).map(|missing| 15 + missing * 5);
    match (by_edits, by_words) {
        (Some(edits), Some(words)) => Some(edits.min(words)),
        (edits, words) => edits.or(words),
    }
}

/// How many words two names do not share, when at least half are shared.
fn overlap(name: &str, candidate: &str) -> Option<usize> {
    let (left, right) = (words(name), words(candidate));
    let shared = left.iter().filter(|word| right.contains(word)).count();
    let longest = left.len().max(right.len());
    (shared > 0 && shared * 2 >= longest).then(|| longest - shared)
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
