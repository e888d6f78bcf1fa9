//! Random texts and edits for the tests, from a seed that is printed and taken
//! back through `GATEWRIGHT_SEED`; `GATEWRIGHT_CASES` sets how many.

#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "tests start git, read settings"
)]

use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// A small generator (splitmix64); good enough to vary tests.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Runs `check` with fresh generators; a failure names the seed to repeat it.
pub fn for_cases(default_cases: u64, check: impl Fn(&mut Random)) {
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |d| d.as_nanos() as u64);
    let first = setting("GATEWRIGHT_SEED").unwrap_or_else(clock);
    let cases = setting("GATEWRIGHT_CASES").unwrap_or(default_cases);
    for case in 0..cases {
        let seed = first.wrapping_add(case);
        println!("GATEWRIGHT_SEED={seed}");
        check(&mut Random::new(seed));
    }
}

/// A file of `count` lines out of few words, so that equal lines are frequent.
pub fn text(random: &mut Random, count: usize) -> Vec<Vec<u8>> {
    const WORDS: [&[u8]; 14] = [
        b"",
        b"a",
        b"b",
        b"}",
        b"    return x",
        b"\tif y {",
        b"fn f() {",
        b"-- x",
        b"++ y",
        b"@@ -1 +1 @@",
        b"\xff\xfe",
        b"lone\rreturn",
        b"    ",
        b"diff --git a/x b/x",
    ];
    let crlf = random.one_in(4);
    (0..count)
        .map(|_| {
            let mut line = random.pick(&WORDS).to_vec();
            if random.one_in(3) {
                line.extend_from_slice(format!("{}", random.below(20)).as_bytes());
            }
            line.extend_from_slice(if crlf || random.one_in(30) { b"\r\n" } else { b"\n" });
            line
        })
        .collect()
}

/// `lines` with some of them removed, replaced, moved or new.
pub fn edited(random: &mut Random, lines: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut lines = lines.to_vec();
    for _ in 0..=random.below(6) {
        let start = random.below(lines.len() + 1);
        let end = (start + random.below(4)).min(lines.len());
        let count = random.below(4);
        let new = text(random, count);
        lines.splice(start..end, new);
    }
    lines
}

/// The bytes of the lines, now and then without the final newline.
pub fn joined(random: &mut Random, lines: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = lines.concat();
    if random.one_in(4) && bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    bytes
}

/// `git` that sees no configuration and no repository above `directory`.
pub fn git(directory: &std::path::Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", directory)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CEILING_DIRECTORIES", directory.parent().unwrap_or(directory))
        .stdin(Stdio::null());
    command
}

/// Runs it and hands back its output; anything but success fails the test.
pub fn output(command: &mut Command) -> Vec<u8> {
    let output = command.output().expect("git starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {complaint}");
    output.stdout
}
