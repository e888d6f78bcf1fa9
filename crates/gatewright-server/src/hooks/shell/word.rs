//! Words as they are written, and the texts that they may stand for.

/// The most texts that one word is followed to.
pub const MOST_VALUES: usize = 1000;
/// The longest word in which braces are looked for.
const LONGEST_BRACES: usize = 4096;

/// The most braces in one word.
const MOST_BRACES: usize = 8;

/// One word, as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word {
    /// Its parts.
    pub pieces: Vec<Piece>,
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text without quotes: braces, patterns and tildes mean something.
    Plain(String),
    /// Text as it stands.
    Quoted(String),
    /// What stands behind `$`, without braces.
    Variable {
        /// The name, with what follows it in braces.
        name: String,
        /// Whether its value stays one word.
        is_quoted: bool,
    },
    /// A command whose output stands here.
    Command {
        /// The command.
        text: String,
        /// Whether its output stays one word.
        is_quoted: bool,
    },
    /// The words of a list in brackets.
    List(Vec<Word>),
    /// Something that cannot be known.
    Hidden,
}

/// A text that a word may stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Value {
    /// The text, without what cannot be known.
    pub text: String,
    /// Where something that cannot be known begins.
    pub hole: Option<usize>,
    /// Where a pattern of file names begins.
    pub pattern: Option<usize>,
}

impl Word {
    /// A word of text as it stands.
    pub fn quoted(text: String) -> Self {
        Self { pieces: vec![Piece::Quoted(text)] }
    }

    /// Adds a character.
    pub fn push(&mut self, c: char, is_quoted: bool) {
        match (self.pieces.last_mut(), is_quoted) {
            (Some(Piece::Plain(text)), false) | (Some(Piece::Quoted(text)), true) => text.push(c),
            (_, false) => self.pieces.push(Piece::Plain(c.to_string())),
            (_, true) => self.pieces.push(Piece::Quoted(c.to_string())),
        }
    }

    /// The text of a word that is nothing but text without quotes.
    pub fn plain(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Plain(text)] => Some(text),
            _ => None,
        }
    }

    /// Whether a part of it is quoted.
    pub fn has_quotes(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Quoted(_)))
    }

    /// The text with the quotes taken off and nothing expanded.
    pub fn bare_text(&self) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Plain(text) | Piece::Quoted(text) => text.clone(),
            Piece::Variable { name, .. } => format!("${name}"),
            Piece::Command { text, .. } => format!("$({text})"),
            Piece::List(_) | Piece::Hidden => String::new(),
        };
        self.pieces.iter().map(text).collect()
    }

    /// Name and value of an assignment.
    pub fn assignment(&self) -> Option<(&str, Word)> {
        let Some(Piece::Plain(text)) = self.pieces.first() else { return None };
        let (name, value) = text.split_once('=')?;
        let name = name.strip_suffix('+').unwrap_or(name);
        let is_name = !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let mut pieces = self.pieces.clone();
        pieces[0] = Piece::Plain(value.to_owned());
        pieces.retain(|piece| *piece != Piece::Plain(String::new()));
        is_name.then_some((name, Word { pieces }))
    }

    /// The words that braces make of it; `None` where they are too many.
    pub fn without_braces(&self) -> Option<Vec<Word>> {
        let is_brace = |piece: &Piece| matches!(piece, Piece::Plain(text) if text.contains('{'));
        let length: usize = self.pieces.iter().map(Piece::length).sum();
        if !self.pieces.iter().any(is_brace) {
            return Some(vec![self.clone()]);
        }
        if length > LONGEST_BRACES {
            return None;
        }
        let units: Vec<Unit> = self.pieces.iter().flat_map(Piece::units).collect();
        let words = expanded(&units, 0).filter(|words| words.len() <= MOST_VALUES)?;
        Some(words.into_iter().map(|units| Word { pieces: joined(units) }).collect())
    }
}

impl Piece {
    fn length(&self) -> usize {
        match self {
            Piece::Plain(text) | Piece::Quoted(text) => text.len(),
            _ => 1,
        }
    }

    fn units(&self) -> Vec<Unit> {
        match self {
            Piece::Plain(text) => text.chars().map(Unit::Plain).collect(),
            other => vec![Unit::Whole(other.clone())],
        }
    }
}

/// What braces are looked for in.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Unit {
    Plain(char),
    Whole(Piece),
}

fn joined(units: Vec<Unit>) -> Vec<Piece> {
    let mut word = Word::default();
    for unit in units {
        match unit {
            Unit::Plain(c) => word.push(c, false),
            Unit::Whole(piece) => word.pieces.push(piece),
        }
    }
    word.pieces
}

fn expanded(units: &[Unit], depth: usize) -> Option<Vec<Vec<Unit>>> {
    let starts = units.iter().enumerate().filter(|(_, unit)| **unit == Unit::Plain('{'));
    let found = starts.into_iter().find_map(|(at, _)| choices(units, at).map(|found| (at, found)));
    let Some((at, (end, choices))) = found else { return Some(vec![units.to_vec()]) };
    if depth >= MOST_BRACES {
        return None;
    }
    let mut all = Vec::new();
    for choice in choices {
        let parts = [&units[..at], &choice, &units[end + 1..]].concat();
        all.extend(expanded(&parts, depth + 1)?);
        if all.len() > MOST_VALUES {
            return None;
        }
    }
    Some(all)
}

/// Where the brace that opens at `at` closes, and what it offers.
fn choices(units: &[Unit], at: usize) -> Option<(usize, Vec<Vec<Unit>>)> {
    let mut depth = 0_usize;
    let mut choices = vec![Vec::new()];
    for (index, unit) in units.iter().enumerate().skip(at + 1) {
        match unit {
            Unit::Plain('{') => depth += 1,
            Unit::Plain('}') if depth == 0 => {
                return (choices.len() > 1).then_some((index, choices));
            }
            Unit::Plain('}') => depth -= 1,
            Unit::Plain(',') if depth == 0 => {
                choices.push(Vec::new());
                continue;
            }
            _ => {}
        }
        choices.last_mut()?.push(unit.clone());
    }
    None
}

impl Value {
    /// A value that is known whole.
    pub fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), hole: None, pattern: None }
    }

    /// Whether nothing in it is hidden.
    pub fn is_known(&self) -> bool {
        self.hole.is_none()
    }

    /// Adds text in which patterns mean something.
    pub fn push_plain(&mut self, text: &str) {
        let pattern = text.find(['*', '?', '[']).map(|at| self.text.len() + at);
        self.pattern = self.pattern.or(pattern);
        self.text.push_str(text);
    }

    /// Notes that something is hidden here.
    pub fn hide(&mut self) {
        self.hole = self.hole.or(Some(self.text.len()));
    }

    /// The rest of the text, from a byte on.
    pub fn from(&self, start: usize) -> Option<Self> {
        let moved = |at: Option<usize>| at.map(|at| at.saturating_sub(start));
        let text = self.text.get(start..)?.to_owned();
        Some(Self { text, hole: moved(self.hole), pattern: moved(self.pattern) })
    }
}
