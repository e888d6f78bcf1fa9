//! The disguises under which a secret may leave.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use crate::random::Random;

/// A way of hiding a token in plain sight.
pub type Disguise = (&'static str, fn(&str, &mut Random) -> String);

fn each(text: &str, make: impl Fn(u8) -> String) -> String {
    text.bytes().map(make).collect()
}

fn middle<'a>(text: &'a str, random: &mut Random) -> (&'a str, &'a str) {
    let at = text.len() / 4 + random.below((text.len() / 2).max(1));
    text.split_at(at)
}

fn split(text: &str, random: &mut Random, seam: &str) -> String {
    let (head, tail) = middle(text, random);
    format!("{head}{seam}{tail}")
}

/// How many of the first disguises change the text as a whole and can stand in another.
pub const WHOLE: usize = 17;

pub const DISGUISES: [Disguise; 32] = [
    ("base64", |text, _| STANDARD.encode(text)),
    ("base64 of a pair", |text, _| STANDARD.encode(format!("token={text}"))),
    ("base64 of json", |text, _| STANDARD.encode(format!("{{\"token\":\"{text}\"}}"))),
    ("base64 for urls", |text, _| URL_SAFE_NO_PAD.encode(text)),
    ("base64 twice", |text, _| STANDARD.encode(STANDARD.encode(text))),
    ("hexadecimal", |text, _| each(text, |byte| format!("{byte:02x}"))),
    ("upper hexadecimal", |text, _| each(text, |byte| format!("{byte:02X}"))),
    ("percent", |text, _| each(text, |byte| format!("%{byte:02X}"))),
    ("percent of signs", |text, _| {
        each(text, |byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
    }),
    ("percent twice", |text, _| each(text, |byte| format!("%25{byte:02X}"))),
    ("unicode escapes", |text, _| each(text, |byte| format!("\\u{:04x}", u32::from(byte)))),
    ("doubled unicode escapes", |text, _| {
        each(text, |byte| format!("\\\\u{:04x}", u32::from(byte)))
    }),
    ("braced escapes", |text, _| each(text, |byte| format!("\\u{{{byte:x}}}"))),
    ("hex escapes", |text, _| each(text, |byte| format!("\\x{byte:02x}"))),
    ("octal escapes", |text, _| each(text, |byte| format!("\\{byte:03o}"))),
    ("entities", |text, _| each(text, |byte| format!("&#{byte};"))),
    ("hex entities", |text, _| each(text, |byte| format!("&#x{byte:x};"))),
    ("zero width", |text, random| split(text, random, "\u{200b}")),
    ("zero width joiner", |text, random| split(text, random, "\u{200d}")),
    ("word joiner", |text, random| split(text, random, "\u{2060}")),
    ("soft hyphen", |text, random| split(text, random, "\u{ad}")),
    ("byte order mark", |text, random| split(text, random, "\u{feff}")),
    ("zero width everywhere", |text, _| {
        text.chars().map(|letter| format!("{letter}\u{200b}")).collect()
    }),
    ("full width", |text, _| {
        each(text, |byte| {
            char::from_u32(u32::from(byte) + 0xFEE0).map(String::from).unwrap_or_default()
        })
    }),
    ("look-alikes", |text, _| {
        text.replacen('a', "а", 1).replacen('e', "е", 1).replacen('o', "о", 1).replacen('p', "р", 1)
    }),
    ("colours inside", |text, random| split(text, random, "\u{1b}[1;31m")),
    ("colours written out", |text, random| split(text, random, "\\x1b[0m")),
    ("concatenation", |text, random| format!("\"{}\"", split(text, random, "\" + \""))),
    ("concatenation over lines", |text, random| {
        format!("\"{}\"", split(text, random, "\" +\n        \""))
    }),
    ("adjacent strings", |text, random| format!("(\"{}\")", split(text, random, "\"\n    \""))),
    ("wrapped", |text, random| split(text, random, "\n")),
    ("wrapped and continued", |text, random| split(text, random, "\\\n")),
];
