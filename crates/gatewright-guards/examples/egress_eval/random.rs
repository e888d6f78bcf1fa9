//! A small generator of random text, repeatable by its seed.

use std::fmt::Write as _;

pub const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
pub const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
pub const DIGIT: &str = "0123456789";
pub const HEX: &str = "0123456789abcdef";
pub const ALNUM: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub const BASE64: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";

/// Splitmix64.
pub struct Random(pub u64);

impl Random {
    /// The generator of what has this name.
    ///
    /// Each class and each rule has its own, so that another rule changes nothing beside it.
    pub fn of(seed: u64, name: &str) -> Random {
        const PRIME: u64 = 0x0000_0100_0000_01B3;
        let mixed =
            name.bytes().fold(seed, |mixed, byte| (mixed ^ u64::from(byte)).wrapping_mul(PRIME));
        Random(mixed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        let index = self.below(list.len());
        &list[index]
    }

    /// So many characters of an alphabet.
    pub fn text(&mut self, alphabet: &str, length: usize) -> String {
        let bytes = alphabet.as_bytes();
        (0..length).map(|_| char::from(bytes[self.below(bytes.len())])).collect()
    }

    /// A password as people and managers make them.
    pub fn password(&mut self) -> String {
        let word = ["Winter", "blue", "Tiger", "coffee", "Moon", "river", "Falcon", "table"];
        match self.below(4) {
            0 => format!("{}{}!", self.pick(&word), self.below(9000) + 100),
            1 => format!("{}-{}_{}", self.pick(&word), self.text(ALNUM, 4), self.below(99)),
            2 => self.text(ALNUM, 10),
            _ => {
                let symbols = "!#$%^*_-+=~.";
                format!("{}{}{}", self.text(ALNUM, 6), self.text(symbols, 1), self.text(ALNUM, 5))
            }
        }
    }

    /// The same form with other characters: letters for letters, digits for digits.
    ///
    /// `kept` are the parts that a format fixes.
    pub fn like(&mut self, value: &str, kept: &[String]) -> String {
        let folded = value.to_ascii_lowercase();
        let mut fixed = vec![false; value.len()];
        for part in kept {
            for (at, _) in folded.match_indices(part.as_str()) {
                fixed[at..at + part.len()].fill(true);
            }
        }
        let hex =
            value.bytes().filter(u8::is_ascii_alphabetic).all(|byte| byte.is_ascii_hexdigit());
        let mut other = String::with_capacity(value.len());
        for (index, letter) in value.char_indices() {
            let alphabet = match letter {
                _ if fixed[index] || !letter.is_ascii_alphanumeric() => {
                    other.push(letter);
                    continue;
                }
                '0'..='9' => DIGIT,
                'a'..='z' if hex => "abcdef",
                'A'..='Z' if hex => "ABCDEF",
                'a'..='z' => LOWER,
                _ => UPPER,
            };
            other.push_str(&self.text(alphabet, 1));
        }
        other
    }

    /// A UUID.
    pub fn uuid(&mut self) -> String {
        let mut text = String::new();
        for length in [8, 4, 4, 4, 12] {
            let part = self.text(HEX, length);
            let _ = write!(text, "{}{part}", if text.is_empty() { "" } else { "-" });
        }
        text
    }
}
