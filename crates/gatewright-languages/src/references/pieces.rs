//! Bytes that stay, in few large pieces.
//!
//! What is kept of thousands of files would, each in a place of its own, lie
//! scattered among what the parse of the next file needs for a moment, and hold
//! all of that memory back from the system.

/// How many bytes a piece has room for; what is larger has one of its own.
///
/// So much at once comes from the system and not from among other things, whatever came and went
/// before, and what nothing was written to yet takes no memory.
const PIECE: usize = 32 << 20;

/// The pieces.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// What was there at the start.
    first: Vec<u8>,
    /// What came.
    more: Vec<Vec<u8>>,
}

/// Where bytes stand in them.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    /// Zero for the first.
    piece: u32,
    start: u32,
    length: u32,
}

impl At {
    /// A part of the first piece; `None` where that cannot be.
    pub(super) fn in_first(start: usize, length: usize) -> Option<Self> {
        Some(Self {
            piece: 0,
            start: u32::try_from(start).ok()?,
            length: u32::try_from(length).ok()?,
        })
    }

    /// How many bytes there are.
    pub(super) fn length(self) -> usize {
        self.length as usize
    }
}

impl Pieces {
    /// These bytes as the first piece.
    pub(super) fn starting_with(bytes: Vec<u8>) -> Self {
        Self { first: bytes, more: Vec::new() }
    }

    /// Keeps bytes; `None` for more than can be told where they are.
    pub(super) fn put(&mut self, bytes: &[u8]) -> Option<At> {
        let has_room = |piece: &Vec<u8>| piece.capacity() - piece.len() >= bytes.len();
        if !self.more.last().is_some_and(has_room) {
            self.more.push(Vec::with_capacity(bytes.len().max(PIECE)));
        }
        let number = u32::try_from(self.more.len()).ok()?;
        let piece = self.more.last_mut()?;
        let at = At::in_first(piece.len(), bytes.len())?;
        piece.extend_from_slice(bytes);
        Some(At { piece: number, ..at })
    }

    /// The bytes that stand there.
    pub(super) fn get(&self, at: At) -> Option<&[u8]> {
        let piece = match (at.piece as usize).checked_sub(1) {
            None => &self.first,
            Some(number) => self.more.get(number)?,
        };
        let start = at.start as usize;
        piece.get(start..start + at.length())
    }

    /// Lets go of all that came.
    pub(super) fn forget_what_came(&mut self) {
        self.more.clear();
    }

    /// How many bytes there are.
    pub(super) fn held_bytes(&self) -> usize {
        self.first.len() + self.more.iter().map(Vec::len).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stay_where_they_were_put() {
        let mut pieces = Pieces::starting_with(b"0123456789".to_vec());
        let first = At::in_first(2, 3).unwrap();
        let sizes = [0, 1, 1000, PIECE - 1, PIECE + 1, 5];
        let put: Vec<(At, usize)> =
            sizes.iter().map(|size| (pieces.put(&vec![7; *size]).unwrap(), *size)).collect();
        assert_eq!(pieces.get(first), Some(&b"234"[..]));
        for (at, size) in put {
            assert_eq!(pieces.get(at), Some(vec![7; size].as_slice()));
            assert_eq!(at.length(), size);
        }
        assert_eq!(pieces.held_bytes(), 10 + sizes.iter().sum::<usize>());
        assert_eq!(pieces.get(At::in_first(8, 3).unwrap()), None);
        let last = pieces.put(b"last").unwrap();
        pieces.forget_what_came();
        assert_eq!(pieces.get(last), None);
        assert_eq!(pieces.get(first), Some(&b"234"[..]));
    }
}
