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

/// One bit for each follower of each letter.
static PAIRS: [u32; 26] = pairs();

const fn pairs() -> [u32; 26] {
    let mut table = [0; 26];
    let mut letter = 0;
    while letter < 26 {
        let followers = FOLLOWERS[letter].as_bytes();
        let mut index = 0;
        while index < followers.len() {
            table[letter] |= 1 << (followers[index] - b'a');
            index += 1;
        }
        letter += 1;
    }
    table
}

/// True for words joined by separators or case changes, with few digits among them.
pub fn is_wordy(secret: &[u8]) -> bool {
    let letters = secret.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let digits = secret.iter().filter(|byte| byte.is_ascii_digit()).count();
    if digits > 0 && digits * 8 >= secret.len() {
        return false;
    }
    let changes = secret
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    let separators =
        secret.iter().filter(|byte| matches!(byte, b'_' | b'-' | b'.' | b'/' | b' ')).count();
    letters + digits + separators == secret.len() && changes * 4 <= letters && reads_well(secret)
}

/// True when most neighbouring letters are neighbours in words too.
fn reads_well(secret: &[u8]) -> bool {
    let mut common = 0;
    let mut all = 0;
    for pair in secret.windows(2) {
        let starts_word = pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
        if !pair.iter().all(u8::is_ascii_alphabetic) || starts_word {
            continue;
        }
        let [first, second] = [pair[0] | 0x20, pair[1] | 0x20].map(|byte| byte - b'a');
        all += 1;
        common += (PAIRS[usize::from(first)] >> second & 1) as usize;
    }
    // Of many random letters fewer are neighbours in words.
    let needed = match secret.len() {
        ..14 => 50,
        14..24 => 58,
        _ => 63,
    };
    all > 0 && common * 100 >= all * needed
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
        ] {
            assert!(!is_wordy(text.as_bytes()), "{text}");
        }
    }
}
