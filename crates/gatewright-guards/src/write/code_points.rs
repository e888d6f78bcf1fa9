//! Which code points are hidden, and where a hidden one is at home.
//!
//! A joiner inside an emoji or a Persian word, a byte-order mark at the start,
//! a selector after the sign that it selects: these belong to honest text.
//! The same code points inside an identifier do not.

/// Why a hidden character is not at home.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Hidden {
    /// It reorders what is shown.
    Bidi,
    /// A tag character outside the flag of a region.
    Tag,
    /// A variation selector that selects nothing.
    Selector,
    /// Zero width, a filler, or a format character.
    Invisible,
}

/// A hidden character of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HiddenAt {
    /// Its index in characters, zero-based.
    pub(super) index: usize,
    /// The character.
    pub(super) character: char,
    /// Why it is not at home.
    pub(super) hidden: Hidden,
}

/// Whether folding drops this: the default-ignorable code points of Unicode
/// (HFS+ drops a part of them), the controls, and line and paragraph separators.
pub(super) fn is_ignorable(character: char) -> bool {
    is_control(character)
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether this is a control character: C0, delete, or C1.
pub(super) fn is_control(character: char) -> bool {
    matches!(character, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}')
}

/// The hidden characters of one line that are not at home there.
pub(super) fn hidden_in_line(line: &str, starts_text: bool) -> Vec<HiddenAt> {
    if line.is_ascii() {
        return Vec::new();
    }
    let characters: Vec<char> = line.chars().collect();
    let runs_right_to_left = characters.iter().copied().any(is_right_to_left);
    let mut found = Vec::new();
    let mut index = 0;
    while let Some(&character) = characters.get(index) {
        let flag_length = region_flag_length(&characters[index..]);
        if flag_length > 0 {
            index += flag_length;
            continue;
        }
        let starts_with_mark = starts_text && index == 0 && character == '\u{feff}';
        if !starts_with_mark && let Some(hidden) = hidden_at(&characters, index, runs_right_to_left)
        {
            found.push(HiddenAt { index, character, hidden });
        }
        index += 1;
    }
    found
}

/// The length of a flag of a region: a black flag, three to six tag letters or
/// digits, and the closing tag. Anything longer could carry a text of its own.
fn region_flag_length(characters: &[char]) -> usize {
    if characters.first() != Some(&'\u{1f3f4}') {
        return 0;
    }
    let is_letter = |character: &&char| matches!(**character, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let letters = characters[1..].iter().take(7).take_while(is_letter).count();
    let closes = characters.get(1 + letters) == Some(&'\u{e007f}');
    if closes && (3..=6).contains(&letters) { letters + 2 } else { 0 }
}

fn hidden_at(characters: &[char], index: usize, runs_right_to_left: bool) -> Option<Hidden> {
    let character = characters[index];
    if character.is_ascii() {
        return None;
    }
    let before = index.checked_sub(1).map(|previous| characters[previous]);
    let after = characters.get(index + 1).copied();
    let invisible_unless = |at_home: bool| (!at_home).then_some(Hidden::Invisible);
    match character {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(Hidden::Bidi),
        '\u{200e}' | '\u{200f}' | '\u{61c}' => invisible_unless(runs_right_to_left),
        '\u{e0000}'..='\u{e007f}' => Some(Hidden::Tag),
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            (!selects(before, character)).then_some(Hidden::Selector)
        }
        '\u{200d}' => invisible_unless(joins(before, after)),
        '\u{200c}' => invisible_unless(
            before.is_some_and(is_joining)
                && !after.is_some_and(|next| next.is_ascii_alphanumeric()),
        ),
        '\u{200b}' | '\u{ad}' => invisible_unless(is_foreign(before) && is_foreign(after)),
        '\u{115f}' | '\u{1160}' => {
            let is_jamo = |side: Option<char>| matches!(side, Some('\u{1100}'..='\u{11ff}'));
            invisible_unless(is_jamo(before) || is_jamo(after))
        }
        '\u{180b}'..='\u{180f}' => {
            invisible_unless(matches!(before, Some('\u{1800}'..='\u{18af}')))
        }
        '\u{17b4}' | '\u{17b5}' => {
            invisible_unless(matches!(before, Some('\u{1780}'..='\u{17ff}')))
        }
        '\u{1d173}'..='\u{1d17a}' => {
            invisible_unless(matches!(before, Some('\u{1d100}'..='\u{1d1ff}')))
        }
        other if is_ignorable(other) && !is_control(other) => Some(Hidden::Invisible),
        _ => None,
    }
}

/// Whether a variation selector has something to select: a sign for the first
/// sixteen, an ideograph for the others, never another selector or a letter.
fn selects(before: Option<char>, selector: char) -> bool {
    let Some(base) = before else { return false };
    let is_ideograph = matches!(base, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
    if selector >= '\u{e0100}' {
        return is_ideograph;
    }
    let is_keycap = base.is_ascii_digit() || matches!(base, '#' | '*');
    let is_plain = base.is_ascii() || base.is_whitespace() || is_ignorable(base);
    is_keycap || is_ideograph || !is_plain
}

fn joins(before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    (is_emoji(before) && is_emoji(after)) || (is_joining(before) && !after.is_ascii_alphanumeric())
}

fn is_emoji(character: char) -> bool {
    matches!(character,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{20e3}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}' | '\u{e007f}')
}

/// Whether the script of this letter shapes its letters by joiners.
fn is_joining(character: char) -> bool {
    matches!(character,
        '\u{620}'..='\u{8ff}' | '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{18af}'
        | '\u{1900}'..='\u{1cff}' | '\u{a840}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefe}' | '\u{10a00}'..='\u{10fff}' | '\u{11000}'..='\u{11fff}'
        | '\u{1e900}'..='\u{1e95f}')
}

fn is_right_to_left(character: char) -> bool {
    matches!(character,
        '\u{590}'..='\u{5ff}' | '\u{620}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Whether this is a letter of a script that is written without spaces or
/// breaks words at will, so that a break inside it is honest.
fn is_foreign(side: Option<char>) -> bool {
    side.is_some_and(|character| !character.is_ascii() && character.is_alphabetic())
}

/// The code point as people write it, with its name where it is well known.
pub(super) fn describe(character: char) -> String {
    let number = format!("U+{:04X}", character as u32);
    match name_of(character) {
        Some(name) => format!("{number} ({name})"),
        None => number,
    }
}

fn name_of(character: char) -> Option<&'static str> {
    Some(match character {
        '\0' => "NUL",
        '\n' => "line feed",
        '\r' => "carriage return",
        '\u{1b}' => "escape",
        '\u{ad}' => "soft hyphen",
        '\u{200b}' => "zero width space",
        '\u{200c}' => "zero width non-joiner",
        '\u{200d}' => "zero width joiner",
        '\u{200e}' => "left-to-right mark",
        '\u{200f}' => "right-to-left mark",
        '\u{202a}' => "left-to-right embedding",
        '\u{202b}' => "right-to-left embedding",
        '\u{202c}' => "pop directional formatting",
        '\u{202d}' => "left-to-right override",
        '\u{202e}' => "right-to-left override",
        '\u{2060}' => "word joiner",
        '\u{2066}' => "left-to-right isolate",
        '\u{2067}' => "right-to-left isolate",
        '\u{2068}' => "first strong isolate",
        '\u{2069}' => "pop directional isolate",
        '\u{3164}' => "hangul filler",
        '\u{feff}' => "byte-order mark",
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => "variation selector",
        '\u{e0000}'..='\u{e007f}' => "tag character",
        _ => return None,
    })
}

/// The text with everything that a terminal or an eye could be misled by
/// written as an escape.
pub(super) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_ignorable(character) {
            out.push_str(&format!("\\u{{{:x}}}", character as u32));
        } else {
            out.push(character);
        }
    }
    out
}
