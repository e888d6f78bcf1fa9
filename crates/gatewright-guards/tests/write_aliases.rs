//! Generated aliases of protected names are caught, generated near misses pass.
//!
//! `GATEWRIGHT_CASES` sets how many of each are generated, `GATEWRIGHT_SEED`
//! repeats a run.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests take their size and seed from the environment"
)]

mod write_support;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use gatewright_guards::write::{self, WriteRules, catalogue, fold_component, fold_path};
use gatewright_model::{Finding, RequestedPath, Severity};
use write_support::{facts, strictest};

const DEFAULT_CASES: u64 = 20_000;

/// A small generator of its own (xorshift), so that a seed means the same run everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn one_in(&mut self, chance: usize) -> bool {
        self.below(chance) == 0
    }

    fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}

fn number_from(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn start(test: &str) -> (Random, u64) {
    let seed = number_from("GATEWRIGHT_SEED").unwrap_or_else(|| RandomState::new().hash_one(0)) | 1;
    let cases = number_from("GATEWRIGHT_CASES").unwrap_or(DEFAULT_CASES);
    println!("{test}: {cases} cases, GATEWRIGHT_SEED={seed}");
    (Random(seed), cases)
}

fn judge(path: &str) -> Vec<Finding> {
    write::judge_place(&RequestedPath::new(path), &facts(path), &WriteRules::builtin())
}

/// The protected paths, each with the rule that must catch its aliases; git's own come first.
fn protected() -> Vec<(String, &'static str)> {
    let mut paths = vec![
        (".git".to_owned(), "W101-git-internals"),
        (".git/config".to_owned(), "W101-git-internals"),
        (".git/hooks/pre-commit".to_owned(), "W101-git-internals"),
        ("sub/.git/modules/a/config".to_owned(), "W101-git-internals"),
        ("gatewright.toml".to_owned(), "W103-own-file"),
    ];
    for rule in catalogue() {
        let named = rule.paths.iter().map(|pattern| pattern.trim_start_matches("**/"));
        for path in named.filter(|path| !path.trim_end_matches("/**").contains('*')) {
            paths.push((path.replace("**", "inner"), rule.code.as_str()));
        }
    }
    paths
}

const INVISIBLE: &[&str] = &[
    "\u{200c}",
    "\u{200d}",
    "\u{200e}",
    "\u{200f}",
    "\u{202a}",
    "\u{202e}",
    "\u{206a}",
    "\u{206f}",
    "\u{feff}",
    "\u{ad}",
    "\u{34f}",
    "\u{200b}",
    "\u{2060}",
    "\u{3164}",
    "\u{fe0f}",
    "\u{e0041}",
    "\u{180e}",
    "\u{115f}",
    "\u{e0100}",
    "\u{1}",
];
const ENDS: &[&str] = &[".", " ", "..", ". ", " .", "\u{a0}", "．", "\u{2003}"];
const STREAMS: &[&str] =
    &["::$INDEX_ALLOCATION", ":$I30:$INDEX_ALLOCATION", "::$DATA", ":x", "：x", ":"];

/// Spells one character in another way that folds to it.
fn respell(random: &mut Random, character: char) -> String {
    let fullwidth = |character: char| {
        char::from_u32(character as u32 - 0x20 + 0xff00).unwrap_or(character).to_string()
    };
    match (character, random.below(6)) {
        ('s', 0) => "ſ".to_owned(),
        ('k', 0) => "\u{212a}".to_owned(),
        ('i', 0) => "\u{130}".to_owned(),
        ('.', 0) => "\u{2024}".to_owned(),
        ('a'..='z', 1) => {
            let circled = 0x24d0 + (character as u32 - 'a' as u32);
            char::from_u32(circled).unwrap_or(character).to_string()
        }
        ('a'..='z', 2) => {
            let bold = 0x1d41a + (character as u32 - 'a' as u32);
            char::from_u32(bold).unwrap_or(character).to_string()
        }
        ('!'..='~', 3) => fullwidth(character),
        (_, 4) => character.to_uppercase().to_string(),
        _ => character.to_string(),
    }
}

/// The NTFS short names of a component, as far as it has any.
fn short_name(random: &mut Random, component: &str) -> Option<String> {
    let bare = component.trim_start_matches('.');
    let (base, extension) = bare.rsplit_once('.').unwrap_or((bare, ""));
    let base: String = base.chars().filter(|character| !matches!(character, '.' | ' ')).collect();
    let is_long =
        component.starts_with('.') || bare.contains(' ') || base.len() > 8 || extension.len() > 3;
    if !is_long || base.is_empty() || !base.is_ascii() || bare.matches('.').count() > 1 {
        return None;
    }
    let stem: String = base.chars().take(6).collect();
    let number = 1 + random.below(9);
    let extension: String = extension.chars().take(3).collect();
    let dot = if extension.is_empty() { "" } else { "." };
    Some(format!("{stem}~{number}{dot}{extension}"))
}

fn alias_component(random: &mut Random, component: &str) -> String {
    let mut name = component.to_owned();
    if random.one_in(4)
        && let Some(short) = short_name(random, component)
    {
        name = short;
    }
    let mut alias = String::new();
    let plain = random.one_in(3);
    for character in name.chars() {
        if random.one_in(8) {
            alias.push_str(random.pick(INVISIBLE));
        }
        if plain {
            alias.push(character);
        } else {
            alias.push_str(&respell(random, character));
        }
    }
    if random.one_in(6) {
        alias.push_str(random.pick(INVISIBLE));
    }
    for _ in 0..random.below(3) {
        alias.push_str(random.pick(ENDS));
    }
    if random.one_in(5) {
        alias.push_str(random.pick(STREAMS));
    }
    alias
}

fn alias_path(random: &mut Random, path: &str) -> String {
    let components: Vec<String> =
        path.split('/').map(|component| alias_component(random, component)).collect();
    let mut alias = String::new();
    for (index, component) in components.iter().enumerate() {
        if index > 0 {
            alias.push_str(random.pick(&["/", "/", "\\", "//", "/./", "／", "＼"]));
        }
        alias.push_str(component);
    }
    alias
}

#[test]
fn no_alias_of_a_protected_name_is_allowed() {
    let (mut random, cases) = start("aliases");
    let protected = protected();
    assert!(protected.len() > 500, "{}", protected.len());
    for _ in 0..cases {
        // Git's own names are tried as often as all the others together.
        let limit = if random.one_in(2) { 5 } else { protected.len() };
        let (path, code) = &protected[random.below(limit)];
        let alias = alias_path(&mut random, path);
        let findings = judge(&alias);
        assert!(
            findings.iter().any(|finding| finding.code == *code),
            "{alias:?} is an alias of {path}, and {code} does not catch it; it folds to {:?}",
            fold_path(&alias),
        );
        let is_allowed = strictest(&findings) < severity_of(code);
        assert!(!is_allowed, "{alias:?} weighs less than {path}");
    }
}

fn severity_of(code: &str) -> Option<Severity> {
    catalogue().find(|rule| rule.code == code).map(|rule| rule.severity)
}

const NEAR: &[&str] = &[
    "gitx",
    ".gitx",
    "git",
    "..git",
    ".git_",
    "gitmodules",
    ".gi",
    "x.git",
    "a..b",
    "what….snap",
    "x…",
    "~1",
    "git~1000000",
    "git~0",
    "git~01",
    "git~x",
    "git~",
    "git~~1",
    "gi7eb~1",
    "gi7eba~",
    "gi7eba~0",
    "gx7eba~1",
    "gi7ebx~1",
    "gi7eb~01",
    "gi7eb~1x",
    ".gitmodules x",
    ".gitmodules .x",
    " .gitmodules",
    ".gitmodule",
    "..gitmodules",
    "gitignore",
    ".git-x",
    ".gitt",
    ".g.it",
    "g.it",
    ".git.x",
    ".git x",
    "a.git.b",
    "...git",
    "git.",
    ".. x",
    "x ..",
    "a...",
    "gitattributes",
    "dot.git",
    ".gít",
    "gatewright.tom",
    "xgatewright.toml",
];

/// A name that is near a protected one without being an alias of git's or our own.
fn near_miss(random: &mut Random) -> String {
    let mut name = random.pick(NEAR).to_owned();
    if random.one_in(2) {
        name = name.to_uppercase();
    }
    if random.one_in(3) {
        let letters = ["x", "_", "-", "q"];
        let is_free = name.starts_with('.') || random.one_in(2);
        let letter = random.pick(&letters);
        name = if is_free { format!("{name}{letter}") } else { format!("{letter}{name}") };
    }
    name
}

#[test]
fn no_near_miss_is_refused() {
    let (mut random, cases) = start("near misses");
    let directories = ["src", "a/b", "t/t5515", "docs/….d", "x.git.d"];
    for _ in 0..cases {
        let name = near_miss(&mut random);
        let path = match random.below(3) {
            0 => name,
            1 => format!("{}/{name}", random.pick(&directories)),
            _ => format!("{}/{name}/file.txt", random.pick(&directories)),
        };
        let severity = strictest(&judge(&path));
        assert!(severity < Some(Severity::Refuse), "{path:?} folds to {:?}", fold_path(&path));
    }
}

/// Text out of the pieces that folding treats specially, and any other character.
fn noise(random: &mut Random) -> String {
    let length = random.below(12);
    (0..length)
        .map(|_| match random.below(5) {
            0 => random.pick(INVISIBLE).to_owned(),
            1 => random.pick(ENDS).to_owned(),
            2 => random.pick(STREAMS).to_owned(),
            3 => random
                .pick(&[
                    "/", "\\", "i\u{307}", "I", "\u{326}", "\u{130}", "ß", "Σ", "ﬁ", "℀", "½",
                    "。", "..", "~1",
                ])
                .to_owned(),
            _ => {
                char::from_u32(random.below(0x11_0000) as u32).map(String::from).unwrap_or_default()
            }
        })
        .collect()
}

#[test]
fn folding_twice_is_folding_once() {
    let (mut random, cases) = start("folding");
    for _ in 0..cases {
        let text = noise(&mut random);
        let component = fold_component(&text);
        assert_eq!(fold_component(&component), component, "{text:?}");
        let path = fold_path(&text);
        assert_eq!(fold_path(&path.join("/")), path, "{text:?}");
        assert_eq!(fold_path(&text.to_ascii_uppercase()), path, "{text:?}");
    }
}

#[test]
fn a_mark_between_an_i_and_its_dot_makes_no_second_name() {
    let spellings = ["i\u{326}\u{307}", "I\u{326}\u{307}", "\u{130}\u{326}", "\u{131}\u{326}"];
    for spelling in spellings {
        assert_eq!(fold_component(spelling), "i\u{326}", "{spelling:?}");
    }
}

#[test]
fn every_code_point_folds_to_a_form_that_stays() {
    // Every code point where a million cases are asked for, a sample of them otherwise.
    let is_full = number_from("GATEWRIGHT_CASES").is_some_and(|cases| cases >= 1_000_000);
    for character in ('\0'..=char::MAX).step_by(if is_full { 1 } else { 61 }) {
        for text in [format!("{character}"), format!("i{character}"), format!("a{character}.")] {
            let folded = fold_component(&text);
            assert_eq!(fold_component(&folded), folded, "{text:?}");
        }
    }
}
