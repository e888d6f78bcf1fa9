//! Literals too short to skip by, found by their rarest byte.

/// The literals of two or three bytes, each group by one byte that all of it have.
#[derive(Debug, Default)]
pub struct ShortLiterals {
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    byte: u8,
    literals: Vec<(Box<[u8]>, usize)>,
}

impl ShortLiterals {
    /// A search for these literals, in lower case.
    pub fn new(literals: impl IntoIterator<Item = Box<[u8]>>) -> ShortLiterals {
        let mut search = ShortLiterals::default();
        for literal in literals {
            search.register(literal);
        }
        search
    }

    fn register(&mut self, literal: Box<[u8]>) {
        let rarest = literal.iter().copied().enumerate().min_by_key(|(_, byte)| rank(*byte));
        let Some((place, byte)) = rarest else { return };
        match self.groups.iter_mut().find(|group| group.byte == byte) {
            Some(group) => group.literals.push((literal, place)),
            None => self.groups.push(Group { byte, literals: vec![(literal, place)] }),
        }
    }

    /// Calls `found` with the place of each literal in `text`.
    pub fn scan(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        for group in &self.groups {
            for at in memchr::memchr2_iter(group.byte, group.byte.to_ascii_uppercase(), text) {
                for (literal, place) in &group.literals {
                    let Some(start) = at.checked_sub(*place) else { continue };
                    let end = start + literal.len();
                    if text.get(start..end).is_some_and(|here| here.eq_ignore_ascii_case(literal)) {
                        found(start, end);
                    }
                }
            }
        }
    }
}

/// How common a byte is, roughly: the lower the rarer.
fn rank(byte: u8) -> usize {
    const RISING: &[u8] = b"+~^@$%zqjxkwvybgfhpmucldrsn\"'ioat_e ";
    RISING.iter().position(|other| *other == byte).unwrap_or(12)
}
