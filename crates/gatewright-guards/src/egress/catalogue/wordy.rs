//! Tells words from random letters by the pairs of letters that words have.

/// For each letter those that often follow it in the words of prose and source.
const FOLLOWERS: [&str; 26] = [
    "bcdgilmnprsty",
    "aeilou",
    "aehiklorstu",
    "adeiorsu",
    "acdefglmnpqrstvx",
    "aefilorsu",
    "einrs",
    "aeio",
    "abcdefglmnoprstvz",
    "",
    "ei",
    "adeilostuy",
    "aeiopsu",
    "acdefgiostu",
    "cdlmnoprstuvw",
    "aeiloprstu",
    "u",
    "acdeimnorstuy",
    "acehiopstuy",
    "acehilorstuy",
    "abceilmnprst",
    "aei",
    "ai",
    "pt",
    "p",
    "e",
];

/// How many bytes are counted before the fields of the count may overflow.
const TOGETHER: usize = 31;

/// The fields of a count, five bits each.
struct Field;

impl Field {
    const LETTERS: u32 = 0;
    const DIGITS: u32 = 5;
    const SEPARATORS: u32 = 10;
    /// A large letter behind a small one, or any behind a digit.
    const CHANGES: u32 = 15;
    /// Two letters beside each other that are no change.
    const PAIRS: u32 = 20;
    /// Such a pair that words have.
    const COMMON: u32 = 25;
}

/// What a byte is to a word: its letter from one on with the case, a digit, a separator, or nothing.
static CODES: [u8; 256] = codes();
const UPPER: u8 = 32;
const DIGIT: u8 = 62;
const SEPARATOR: u8 = 63;

const fn codes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            letter @ b'a'..=b'z' => letter - b'a' + 1,
            letter @ b'A'..=b'Z' => letter - b'A' + 1 + UPPER,
            b'0'..=b'9' => DIGIT,
            b'_' | b'-' | b'.' | b'/' | b' ' => SEPARATOR,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// What a byte adds to a count, by its code and the code of the byte before.
static ADDED: [[u32; 64]; 64] = added();

const fn added() -> [[u32; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut before = 0;
    while before < 64 {
        let mut code = 0;
        while code < 64 {
            table[before as usize][code as usize] = added_by(before, code);
            code += 1;
        }
        before += 1;
    }
    table
}

const fn added_by(before: u8, code: u8) -> u32 {
    match (before, code) {
        (_, DIGIT) => 1 << Field::DIGITS,
        (_, SEPARATOR) => 1 << Field::SEPARATORS,
        (1..=26, 33..=58) | (DIGIT, 1..=26 | 33..=58) => 1 << Field::LETTERS | 1 << Field::CHANGES,
        (1..=26 | 33..=58, 1..=26 | 33..=58) => {
            let is_common = is_follower(before & 31, code & 31) as u32;
            1 << Field::LETTERS | 1 << Field::PAIRS | is_common << Field::COMMON
        }
        (_, 1..=26 | 33..=58) => 1 << Field::LETTERS,
        _ => 0,
    }
}

/// True when the second letter often follows the first, both counted from one.
const fn is_follower(first: u8, second: u8) -> bool {
    let followers = FOLLOWERS[first as usize - 1].as_bytes();
    let mut index = 0;
    while index < followers.len() {
        if followers[index] - b'a' + 1 == second {
            return true;
        }
        index += 1;
    }
    false
}

/// True for words joined by separators or case changes, with few digits among them.
pub fn is_wordy(secret: &[u8]) -> bool {
    let mut fields = [0; 6];
    let mut before = 0;
    for part in secret.chunks(TOGETHER) {
        let mut count = 0;
        for byte in part {
            let code = CODES[usize::from(*byte)];
            count += ADDED[usize::from(before & 63)][usize::from(code & 63)];
            before = code;
        }
        for (index, field) in fields.iter_mut().enumerate() {
            *field += (count >> (index * 5) & 31) as usize;
        }
    }
    let [letters, digits, separators, changes, pairs, common] = fields;
    let has_digits = digits > 0 && digits * 8 >= secret.len();
    let is_plain = letters + digits + separators == secret.len();
    // Of many random letters fewer are neighbours in words.
    let needed = match secret.len() {
        ..14 => 50,
        14..24 => 58,
        _ => 63,
    };
    let reads_well = pairs > 0 && common * 100 >= pairs * needed;
    !has_digits && is_plain && changes * 4 <= letters && reads_well
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_identifiers_are_words() {
        for text in [
            "configuration",
            "TokenProviderFactoryBean",
            "my-secret-name",
            "AbstractAuthenticationProcessingFilter",
            "correct horse battery",
            "max_retries_2",
            "base64_encoded_string",
        ] {
            assert!(is_wordy(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn random_letters_are_none() {
        for text in [
            "caAOEvlrNT",
            "xKqZvBnWpLrTgHdM",
            "EnxXfP7nSqPrAmrsswHEDKfaEA7TETvu",
            "qzxwvkjhgfdpmnbv",
            "NVwiNf0errWryXedX0zLoe",
            "rlqwJyLLICaclKXl6hHnsHEAyI8ntFO1",
        ] {
            assert!(!is_wordy(text.as_bytes()), "{text}");
        }
    }

    /// The same question, asked of one property after the other.
    fn is_wordy_slowly(text: &[u8]) -> bool {
        let count = |is: fn(&u8) -> bool| text.iter().filter(|byte| is(byte)).count();
        let letters = count(u8::is_ascii_alphabetic);
        let digits = count(u8::is_ascii_digit);
        let separators = count(|byte| b"_-./ ".contains(byte));
        let is_change = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
        let is_behind_digit =
            |pair: &[u8]| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic();
        let counts = |pair: &&[u8]| is_change(pair) || is_behind_digit(pair);
        let changes = text.windows(2).filter(counts).count();
        let is_pair = |pair: &&[u8]| pair.iter().all(u8::is_ascii_alphabetic) && !is_change(pair);
        let pairs = text.windows(2).filter(is_pair);
        let common = pairs.clone().filter(|pair| {
            let first = usize::from(pair[0].to_ascii_lowercase() - b'a');
            FOLLOWERS[first].contains(char::from(pair[1].to_ascii_lowercase()))
        });
        let needed = if text.len() < 14 {
            50
        } else if text.len() < 24 {
            58
        } else {
            63
        };
        let (all, common) = (pairs.count(), common.count());
        !(digits > 0 && digits * 8 >= text.len())
            && letters + digits + separators == text.len()
            && changes * 4 <= letters
            && all > 0
            && common * 100 >= all * needed
    }

    proptest::proptest! {
        #[test]
        fn counting_together_says_the_same(text in "[a-eA-Enrst0-2_. é]{0,100}|[a-zA-Z]{0,80}|[a-z]{1,12}([A-Z][a-z]{2,9}){0,12}") {
            let text = text.as_bytes();
            proptest::prop_assert_eq!(is_wordy(text), is_wordy_slowly(text));
        }
    }
}
