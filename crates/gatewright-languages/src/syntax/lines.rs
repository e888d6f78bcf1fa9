//! Byte offsets to line and column numbers, both one-based.

/// Where the lines of a text start.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Indexes `text`; a line ends after `\n`.
    pub fn new(text: &[u8]) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text).map(|offset| offset + 1));
        Self { starts }
    }

    /// The line number of a byte offset.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// The line number and the column number (in bytes) of a byte offset.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.line(offset);
        (line, offset - self.start(line) + 1)
    }

    /// The byte offset at which a line number starts; the last line's for a number beyond.
    pub fn start(&self, line: usize) -> usize {
        let index = line.saturating_sub(1).min(self.starts.len() - 1);
        self.starts[index]
    }
}
