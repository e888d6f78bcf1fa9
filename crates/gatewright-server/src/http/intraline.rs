//! What changed within a line: ranges for the eye, in UTF-16 units for the page.

/// Half-open ranges of UTF-16 offsets.
pub type Ranges = Vec<(u32, u32)>;

/// Beyond so many pairs of words only the common ends are taken off.
const MOST_PAIRS: usize = 40_000;

/// The parts of both lines that differ; empty when they have too little in common.
pub fn changed(old: &str, new: &str) -> (Ranges, Ranges) {
    let (old_words, new_words) = (words(old), words(new));
    let prefix = common(old_words.iter(), new_words.iter());
    let (old_rest, new_rest) = (&old_words[prefix..], &new_words[prefix..]);
    let suffix = common(old_rest.iter().rev(), new_rest.iter().rev());
    let old_middle = &old_rest[..old_rest.len() - suffix];
    let new_middle = &new_rest[..new_rest.len() - suffix];
    let (old_kept, new_kept) = kept(old_middle, new_middle);
    let old_flags = flags(prefix, &old_kept, suffix);
    let new_flags = flags(prefix, &new_kept, suffix);
    if !has_enough_in_common(&old_words, &old_flags, &new_words, &new_flags) {
        return (Vec::new(), Vec::new());
    }
    (ranges(&old_words, &old_flags), ranges(&new_words, &new_flags))
}

/// Runs of letters and digits, runs of white space, and single other characters.
fn words(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (index, c) in text.char_indices() {
        let this = class(c);
        if last.is_some_and(|last| last != this || this == 2) {
            words.push(&text[start..index]);
            start = index;
        }
        last = Some(this);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

fn common<'a>(a: impl Iterator<Item = &'a &'a str>, b: impl Iterator<Item = &'a &'a str>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

/// Which words of both sides belong to a longest common subsequence.
fn kept(old: &[&str], new: &[&str]) -> (Vec<bool>, Vec<bool>) {
    let (mut old_kept, mut new_kept) = (vec![false; old.len()], vec![false; new.len()]);
    if old.len() * new.len() > MOST_PAIRS {
        return (old_kept, new_kept);
    }
    let width = new.len() + 1;
    let mut lengths = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i * width + j] = if old[i] == new[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            (old_kept[i], new_kept[j]) = (true, true);
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    (old_kept, new_kept)
}

fn flags(prefix: usize, middle: &[bool], suffix: usize) -> Vec<bool> {
    let mut flags = vec![true; prefix];
    flags.extend_from_slice(middle);
    flags.extend(std::iter::repeat_n(true, suffix));
    flags
}

fn has_enough_in_common(old: &[&str], old_kept: &[bool], new: &[&str], new_kept: &[bool]) -> bool {
    let weight = |words: &[&str], kept: &[bool]| {
        let words = words.iter().zip(kept).filter(|(word, _)| !word.trim().is_empty());
        words.fold((0, 0), |(same, all), (word, kept)| {
            (same + if *kept { word.len() } else { 0 }, all + word.len())
        })
    };
    let (old_same, old_all) = weight(old, old_kept);
    let (new_same, new_all) = weight(new, new_kept);
    (old_same + new_same) * 10 >= (old_all + new_all) * 3
}

fn ranges(words: &[&str], kept: &[bool]) -> Ranges {
    let mut ranges: Ranges = Vec::new();
    let mut offset = 0u32;
    for (word, kept) in words.iter().zip(kept) {
        let end = offset + word.encode_utf16().count() as u32;
        if !kept {
            match ranges.last_mut() {
                Some(last) if last.1 == offset => last.1 = end,
                _ => ranges.push((offset, end)),
            }
        }
        offset = end;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, ranges: &Ranges) -> Vec<String> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let part = |(a, b): &(u32, u32)| String::from_utf16_lossy(&units[*a as usize..*b as usize]);
        ranges.iter().map(part).collect()
    }

    #[test]
    fn only_the_words_that_differ_are_marked() {
        let (old, new) = ("let total = price * 2;", "let total = net_price * 3;");
        let (a, b) = changed(old, new);
        assert_eq!(parts(old, &a), ["price", "2"]);
        assert_eq!(parts(new, &b), ["net_price", "3"]);
    }

    #[test]
    fn offsets_count_utf_16_units() {
        let (old, new) = ("say(\"😀\", one)", "say(\"😀\", two)");
        let (a, b) = changed(old, new);
        assert_eq!((parts(old, &a), parts(new, &b)), (vec!["one".into()], vec!["two".into()]));
    }

    #[test]
    fn lines_with_nothing_in_common_are_not_marked() {
        assert_eq!(changed("alpha beta gamma", "return 7"), (vec![], vec![]));
    }

    #[test]
    fn very_long_lines_end_quickly() {
        let old = "a ".repeat(20_000);
        let new = format!("{}b", "a ".repeat(20_000));
        let (_, b) = changed(&old, &new);
        assert_eq!(b.len(), 1);
    }
}
