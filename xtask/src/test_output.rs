//! Reading what `cargo test` prints: counts, failures, and tests that skipped themselves.

/// What a test run came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that ran and hold.
    pub passed: usize,
    /// Tests that failed.
    pub failed: usize,
    /// Why something was not tested, one reason for each.
    pub skipped: Vec<String>,
}

impl Tally {
    /// Counts the lines of one or more test programs.
    ///
    /// A test that says `SKIPPED: ` passes for its harness; here it is skipped
    /// and not passed. An ignored test is a skipped one.
    pub fn of<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        let mut tally = Self::default();
        let mut said_so = 0;
        for line in lines {
            if let Some(reason) = line.strip_prefix("SKIPPED: ") {
                tally.skipped.push(reason.trim().to_owned());
                said_so += 1;
            } else if let Some(counts) = line.trim_start().strip_prefix("test result: ") {
                tally.passed += count_before(counts, " passed");
                tally.failed += count_before(counts, " failed");
                let ignored = count_before(counts, " ignored");
                tally.skipped.extend((0..ignored).map(|_| "an ignored test".to_owned()));
            }
        }
        tally.passed = tally.passed.saturating_sub(said_so);
        tally
    }
}

fn count_before(counts: &str, word: &str) -> usize {
    let Some((before, _)) = counts.split_once(word) else { return 0 };
    let digits = before.rsplit(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_every_program() {
        let output = "\
test result: ok. 11 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.1s
noise 5 passed
test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        let tally = Tally::of(output.lines());
        assert_eq!(tally, Tally { passed: 15, failed: 2, skipped: vec![] });
    }

    #[test]
    fn a_skipped_test_is_not_a_passed_one() {
        let output = "\
test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out
SKIPPED: no strace (tests/kill.rs:7)
not at the start SKIPPED: nothing";
        let tally = Tally::of(output.lines());
        assert_eq!((tally.passed, tally.failed), (2, 0));
        assert_eq!(tally.skipped, ["an ignored test", "no strace (tests/kill.rs:7)"]);
    }
}
