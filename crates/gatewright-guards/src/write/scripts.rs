//! Words that mix Latin letters with letters of another script that look like them.
//!
//! Only letters that can hardly be told from Latin ones count: a Greek delta
//! before an x is mathematics, a Cyrillic a inside a Latin word is not.

/// The first word of a line that mixes scripts to look Latin, with its index in characters.
pub(super) fn mixed_script_word(line: &str) -> Option<(usize, String)> {
    let mut word = String::new();
    let mut start = 0;
    for (index, character) in line.chars().chain(['\n']).enumerate() {
        if character.is_alphabetic() {
            if word.is_empty() {
                start = index;
            }
            word.push(character);
            continue;
        }
        if is_mixed(&word) {
            return Some((start, word));
        }
        word.clear();
    }
    None
}

/// Whether every letter is Latin or looks it, and there are both.
fn is_mixed(word: &str) -> bool {
    !word.is_ascii()
        && word.chars().any(is_latin)
        && word.chars().any(looks_latin)
        && word.chars().all(|letter| is_latin(letter) || looks_latin(letter))
}

/// Whether this lies in a block with letters that look Latin.
pub(super) fn may_look_latin(character: char) -> bool {
    matches!(character, '\u{370}'..='\u{58f}')
}

/// Whether this is a letter of the Latin blocks.
fn is_latin(letter: char) -> bool {
    letter <= '\u{24f}'
}

/// Whether this letter of another script can hardly be told from a Latin one.
fn looks_latin(letter: char) -> bool {
    const CYRILLIC: &str = "асԁеһіјӏорԛѕуѵԝхАВЕНІЈКМОРԚЅТУԜХ";
    const GREEK: &str = "ονΑΒΕΖΗΙΚΜΝΟΡΤΥΧ";
    const ARMENIAN: &str = "հոսց";
    [CYRILLIC, GREEK, ARMENIAN].iter().any(|letters| letters.contains(letter))
}

/// How many letters of a word are shown.
const LETTERS_SHOWN: usize = 40;

/// The start of a word with every letter that is not ASCII written as its code point.
pub(super) fn with_code_points(word: &str) -> String {
    word.chars()
        .take(LETTERS_SHOWN)
        .map(|letter| match letter {
            letter if letter.is_ascii() => letter.to_string(),
            letter => format!("[U+{:04X}]", letter as u32),
        })
        .collect()
}
