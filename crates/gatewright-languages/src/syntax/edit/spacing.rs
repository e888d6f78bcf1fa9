//! What the file's own style says of text that comes into it: tabs or blanks, and blank lines.

use gatewright_model::Span;

use super::layout::{blanks_before, line_start, lines_in_strings, unit, usual_gap};
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::{Symbol, SymbolKind};

/// The text with the indentation of its lines in tabs or in blanks, as its place has it: the lines
/// that it replaces where those are indented, else the file.
///
/// Lines that start inside a string stay, and so does a text that mixes the two.
pub(super) fn respaced(parsed: &Parsed, body: &str, replaced: Span) -> String {
    let lines: Vec<&str> = body.split('\n').collect();
    let blank = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let prefixes = || lines.iter().map(|line| &line[..blank(line)]);
    let has = |sign: char| prefixes().any(|prefix| prefix.contains(sign));
    let (from, to) = match (has('\t'), has(' '), signs(parsed, replaced)) {
        (true, false, Some(Signs::Blanks)) => ("\t".to_owned(), unit(parsed)),
        (false, true, Some(Signs::Tabs)) => (" ".repeat(own_unit(&lines)), "\t".to_owned()),
        _ => return body.to_owned(),
    };
    let is_text = lines_in_strings(body, parsed.language());
    let respace = |(line, is_text): (&&str, &bool)| {
        let (prefix, rest) = line.split_at(blank(line));
        if *is_text || rest.is_empty() {
            return (*line).to_owned();
        }
        let levels = prefix.len() / from.len();
        format!("{}{}{rest}", to.repeat(levels), &prefix[levels * from.len()..])
    };
    let lines: Vec<String> = lines.iter().zip(&is_text).map(respace).collect();
    lines.join("\n")
}

/// What lines are indented with.
enum Signs {
    Tabs,
    Blanks,
}

/// Those of the replaced lines but for the first, or of the file where none of them is indented;
/// nothing where both are in use: a few lines of text may be indented otherwise.
fn signs(parsed: &Parsed, replaced: Span) -> Option<Signs> {
    let own = counted(parsed.bytes(replaced).split(|byte| *byte == b'\n').skip(1));
    let of_file = || counted(parsed.source().split(|byte| *byte == b'\n'));
    match if own == (0, 0) { of_file() } else { own } {
        (tabs, blanks) if tabs > 4 * blanks => Some(Signs::Tabs),
        (0, blanks) if blanks > 0 => Some(Signs::Blanks),
        _ => None,
    }
}

/// How many lines start with a tab, and how many with blanks.
fn counted<'a>(lines: impl Iterator<Item = &'a [u8]>) -> (usize, usize) {
    lines.fold((0, 0), |(tabs, blanks), line| {
        let (tab, blank) = (line.starts_with(b"\t"), line.starts_with(b"  "));
        (tabs + usize::from(tab), blanks + usize::from(blank))
    })
}

/// How many blanks one level of a text has: the smallest step between two lines that it makes.
fn own_unit(lines: &[&str]) -> usize {
    let full = lines.iter().filter(|line| !line.trim().is_empty());
    let widths: Vec<usize> =
        full.map(|line| line.len() - line.trim_start_matches(' ').len()).collect();
    let steps = widths.windows(2).map(|pair| pair[1].saturating_sub(pair[0]));
    steps.filter(|step| *step > 1).min().or_else(|| widths.first().copied()).unwrap_or(4).max(1)
}

/// How many blank lines come between a symbol and `body` beside it: declarations of one line
/// stand as close as those of the container do.
pub(super) fn gap_beside(parsed: &Parsed, symbol: &Symbol, body: &str) -> usize {
    let is_declared = symbol.kind.is_callable() && body.ends_with(';');
    let is_close = is_plain_text(parsed, body) || (is_declared && !body.contains(['\n', '{']));
    if !is_close || !is_plain(parsed, symbol) {
        return usual_gap(parsed, symbol.parent);
    }
    let beside = |other: &&Symbol| other.parent == symbol.parent && is_plain(parsed, other);
    let members: Vec<&Symbol> = parsed.outline().iter().filter(beside).collect();
    let gaps = members.windows(2).filter_map(|pair| {
        let (count, from) = blanks_before(parsed, line_start(parsed, pair[1].full.start));
        let between = Span::new(pair[0].full.end, from.max(pair[0].full.end));
        (!parsed.has_code_in(between)).then_some(count)
    });
    gaps.min().unwrap_or(0)
}

/// Whether a text is one line that declares something and gives it no body.
pub(super) fn is_plain_text(parsed: &Parsed, body: &str) -> bool {
    let keywords = parsed.language().language().keywords;
    let mut words = body.split(|c: char| !c.is_alphanumeric() && c != '_');
    !body.contains(['\n', '{']) && !words.any(|word| keywords.contains(&word))
}

/// Whether a symbol is one line without a body.
fn is_plain(parsed: &Parsed, symbol: &Symbol) -> bool {
    let is_value = matches!(
        symbol.kind,
        SymbolKind::Field | SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Property
    );
    let is_one_line = !parsed.bytes(symbol.full).contains(&b'\n');
    is_one_line && (symbol.body.is_none() || is_value)
}
