//! What one parse may cost: work, reading and time.
//!
//! Error recovery can take the square of a text's length, in steps that are not
//! counted anywhere, so that a few kilobytes of nonsense keep a parser busy for
//! minutes. The time is what the processor spent on this thread: a busy machine
//! does not make a sound file unreadable. What runs out of its budget is not
//! parsed, which every caller treats as a finding and never as a pass.

use std::ops::ControlFlow;
use std::time::Duration;

/// How many times the parser may report progress: so many, and one for every so many bytes.
///
/// A report comes about every hundred operations. Real code needs one for each eighty bytes, torn
/// code one for each thirty. This is close to that on purpose: what is far worse may take minutes
/// when the parser comes to the end of the text, where it cannot be stopped.
const REPORTS: usize = 150;
const BYTES_PER_REPORT: usize = 20;
/// How many bytes the parser may read: so many, and the whole text so many times.
///
/// Real code is read twice at most.
const READ: usize = 4_000_000;
const READ_TIMES: usize = 32;
/// How long a parse may take, and how much longer for each megabyte.
///
/// Real code takes less than a tenth of that. One change is parsed three or four times, so that
/// nonsense takes a second or two at most.
const TIME: Duration = Duration::from_millis(400);
const TIME_PER_MEGABYTE: f64 = 5.0;
/// How much text the parser is given at once.
const PIECE: usize = 4096;
/// How many reports pass between two looks at the time.
const REPORTS_PER_LOOK: usize = 16;

/// Counts the steps of one parse and stops it in time.
pub(super) struct Steps {
    left: usize,
    end: Duration,
}

impl Steps {
    pub(super) fn new(length: usize) -> Self {
        let more = TIME.mul_f64(1.0 + length as f64 / 1e6 * TIME_PER_MEGABYTE / TIME.as_secs_f64());
        Self { left: REPORTS + length / BYTES_PER_REPORT, end: time_of_thread() + more }
    }

    /// One report of progress.
    pub(super) fn report(&mut self) -> ControlFlow<()> {
        self.left = self.left.saturating_sub(1);
        let is_late = self.left.is_multiple_of(REPORTS_PER_LOOK) && time_of_thread() > self.end;
        if self.left == 0 || is_late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Hands out a text in pieces and counts them, so that a text in which every token may reach to
/// the end is not read again and again.
pub(super) struct Reader<'a> {
    source: &'a [u8],
    left: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a [u8]) -> Self {
        Self { source, left: READ + source.len() * READ_TIMES }
    }

    pub(super) fn read(&mut self, offset: usize) -> &'a [u8] {
        let rest = self.source.get(offset..).unwrap_or_default();
        let piece = &rest[..rest.len().min(PIECE)];
        self.left = self.left.saturating_sub(piece.len());
        if self.is_used_up() { &[] } else { piece }
    }

    /// Whether the parser was told that the text ends where it does not.
    pub(super) fn is_used_up(&self) -> bool {
        self.left == 0
    }
}

#[cfg(unix)]
fn time_of_thread() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Elsewhere the time on the wall has to do.
#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "only differences are used, and only to give up")]
fn time_of_thread() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_so_many_times_and_then_ends() {
        let text = vec![b'x'; 10_000];
        let mut reader = Reader::new(&text);
        let rounds = READ / 10_000 + READ_TIMES - 1;
        for _ in 0..rounds {
            let length: usize = (0..3).map(|piece| reader.read(piece * PIECE).len()).sum();
            assert_eq!(length, text.len());
        }
        assert!(!reader.is_used_up());
        for piece in 0..3 {
            reader.read(piece * PIECE);
        }
        assert!(reader.is_used_up());
        assert!(reader.read(0).is_empty());
    }

    #[test]
    fn steps_end() {
        let mut steps = Steps::new(400);
        let count = (0..).take_while(|_| steps.report().is_continue()).count();
        assert_eq!(count, REPORTS + 20 - 1);
    }
}
