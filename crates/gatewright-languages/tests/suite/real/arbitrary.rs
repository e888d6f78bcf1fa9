//! Edits of no class: any lines, cut anywhere, changed in any way.
//!
//! What is structural is told by a rule of its own, not by the gate's: a line
//! that starts like a definition of the table, with its keyword in code, or a
//! stretch that stays clear of every definition's edges. Whether the calls of a
//! refusal make what was wanted is asked of a corpus alone: among any edits at
//! all there is always one that makes no sense.

use gatewright_languages::syntax::{Parsed, Symbol, TokenClass, new_errors};
use gatewright_model::{Intent, Span, TextEdit};
use gatewright_testkit::Random;
use regex::Regex;

use super::corpus::{Source, has_corpus};
use super::judge::Case;
use super::legitimate::{has_loose_keyword, keeps_ends};

/// How many stretches of a file are tried.
const TRIES: usize = 40;
/// How many lines a stretch may have.
const MOST_LINES: usize = 9;

/// Edits of several lines, one of which starts a definition.
pub fn structural(source: &Source, parsed: &Parsed, random: &mut Random) -> Vec<Case> {
    let Some(start) = definition_start(source.language.name()) else { return Vec::new() };
    let page = Page { source, parsed };
    let defines = |span: Span| {
        let lines = page.lines_in(span).into_iter();
        lines.filter_map(|line| start.captures_at(&source.text[..line.end], line.start)).any(
            |hit| {
                let word = hit.get(1).unwrap();
                let is_inside = span.contains(Span::new(word.start(), word.end()));
                is_inside && page.is_code(word.start())
            },
        )
    };
    let mut made = page.edits("any lines with a definition", random, defines);
    for case in &mut made {
        case.is_wanted = has_corpus() && is_sensible(parsed, &case.after);
    }
    made
}

/// Whether an edit changes definitions, or takes some out, and does not tear others out of theirs.
fn is_sensible(before: &Parsed, after: &str) -> bool {
    let after = Parsed::new(before.language(), after.as_bytes()).unwrap();
    let (old, new) = (shape(before), shape(&after));
    let depths = |shape: &[Shape]| shape.iter().map(|one| one.depth).collect::<Vec<_>>();
    let mut left = old.iter();
    let is_part = new.iter().all(|one| left.any(|other| other.path == one.path));
    depths(&old) == depths(&new) || is_part
}

/// Edits of several lines that touch the edge of no definition.
pub fn legitimate(source: &Source, parsed: &Parsed, random: &mut Random) -> Vec<Case> {
    let page = Page { source, parsed };
    let is_clear = |span: Span| {
        parsed.outline().iter().filter(|symbol| symbol.structural).all(|symbol| {
            let is_in_body = symbol.body.is_some_and(|body| inside(body).contains(span));
            // Some bodies start with their keyword.
            let cuts_keyword = symbol.keyword.is_some_and(|word| word.span.overlaps(span));
            is_in_body && !cuts_keyword || !symbol.full.overlaps(span) && !touches(symbol, span)
        })
    };
    let made = page.edits("any lines without a definition", random, |span| {
        is_clear(span) && !has_loose_keyword(parsed, span)
    });
    let before = parsed.error_signature();
    let keeps = |case: &Case| {
        let after = Parsed::new(source.language, case.after.as_bytes()).unwrap();
        let is_sound = new_errors(&before, &after.error_signature()).is_empty();
        is_sound && shape(parsed) == shape(&after) && keeps_ends(parsed, &after)
    };
    made.into_iter().filter(keeps).collect()
}

/// What lies between the first and the last sign of a body.
fn inside(body: Span) -> Span {
    Span::new(body.start + 1, body.end.saturating_sub(1).max(body.start + 1))
}

fn touches(symbol: &Symbol, span: Span) -> bool {
    symbol.full.start == span.end || symbol.full.end == span.start
}

/// A definition with what stands in its head.
#[derive(Debug, PartialEq)]
struct Shape {
    path: String,
    head: String,
    depth: usize,
}

fn shape(parsed: &Parsed) -> Vec<Shape> {
    let symbols = parsed.outline().iter().filter(|symbol| symbol.structural);
    let depth = |symbol: &Symbol| symbol.path.matches('/').count();
    let of = |one: &Symbol| Shape {
        path: one.path.clone(),
        head: parsed.text(one.head),
        depth: depth(one),
    };
    symbols.map(of).collect()
}

/// How a line starts that defines something; the group is the keyword of the table.
fn definition_start(language: &str) -> Option<Regex> {
    let pattern = match language {
        "Rust" => {
            r"^\s*(?:pub(?:\([^)]*\))? +)?(?:(?:async|unsafe|const) +)*(fn|struct|impl|trait|enum)\b"
        }
        "Python" => r"^\s*(?:async +)?(def|class) +\w",
        "Go" => r"^(?:type +\w+ +)?(func|struct|interface)\b",
        "TypeScript" | "JavaScript" => {
            r"^\s*(?:export +)?(?:default +)?(?:declare +)?(?:abstract +)?(?:async +)?(function|class|interface|enum) +\w"
        }
        "Java" | "C#" => {
            r"^\s*(?:(?:public|private|protected|internal|static|final|sealed|abstract|partial|readonly) +)*(class|interface|enum) +\w"
        }
        "Kotlin" => {
            r"^\s*(?:(?:public|private|internal|protected|open|abstract|override|suspend|inline|data|sealed) +)*(fun|class|interface) +[\w<]"
        }
        "C" | "C++" => r"^\s*(?:typedef +)?(struct|class|enum) +\w+\s*(?::[^;(){}]*)?\{",
        "Ruby" => r"^\s*(def|class) +\w",
        _ => return None,
    };
    Some(Regex::new(&format!("(?m){pattern}")).unwrap())
}

struct Page<'a> {
    source: &'a Source,
    parsed: &'a Parsed,
}

impl Page<'_> {
    fn is_code(&self, offset: usize) -> bool {
        let tokens = self.parsed.tokens();
        let at = tokens.partition_point(|token| token.span.end <= offset);
        tokens
            .get(at)
            .is_some_and(|token| token.class == TokenClass::Code && token.span.start <= offset)
    }

    /// The lines that a stretch touches, from their first byte on.
    fn lines_in(&self, span: Span) -> Vec<Span> {
        let lines = self.parsed.lines();
        let last = span.end.saturating_sub(1).max(span.start);
        let numbers = lines.line(span.start)..=lines.line(last);
        numbers.map(|number| self.line(number)).collect()
    }

    fn line(&self, number: usize) -> Span {
        let start = self.parsed.lines().start(number);
        let length = self.source.text[start..].split_inclusive('\n').next().map_or(0, str::len);
        Span::new(start, start + length)
    }

    /// Random stretches of the wanted sort, each changed at random.
    fn edits(
        &self,
        class: &'static str,
        random: &mut Random,
        is_wanted: impl Fn(Span) -> bool,
    ) -> Vec<Case> {
        let count = self.source.text.lines().count();
        if count < 4 {
            return Vec::new();
        }
        let stretches = (0..TRIES).filter_map(|_| self.stretch(count, random));
        let stretches: Vec<Span> = stretches.filter(|span| is_wanted(*span)).collect();
        stretches.into_iter().filter_map(|span| self.edit(class, span, random)).collect()
    }

    /// Some lines, whole or cut at their ends.
    fn stretch(&self, count: usize, random: &mut Random) -> Option<Span> {
        let first = 1 + random.below(count - 2);
        let last = (first + 1 + random.below(MOST_LINES - 1)).min(count);
        let (mut start, mut end) = (self.line(first).start, self.line(last).end);
        if random.one_in(3) {
            start += random.below(self.line(first).len().max(1));
        }
        if random.one_in(3) {
            end -= random.below(self.line(last).len().max(1));
        }
        let text = self.source.text.get(start..end)?;
        let is_over_lines = text.strip_suffix('\n').unwrap_or(text).contains('\n');
        // An end inside the blanks before a line would change its depth.
        let is_at_code = text.ends_with('\n') || !text.ends_with([' ', '\t', '\r']);
        (is_over_lines && is_at_code).then_some(Span::new(start, end))
    }

    fn edit(&self, class: &'static str, span: Span, random: &mut Random) -> Option<Case> {
        let text = &self.source.text;
        let old = &text[span.range()];
        let new = self.changed(old, random);
        if new == old || text.matches(old).count() != 1 {
            return None;
        }
        let after = text.replacen(old, &new, 1);
        let edit = TextEdit { old: old.to_owned(), new, replace_all: false };
        let intent = Intent::Edit(vec![edit]);
        Some(Case { class, base: text.clone(), after, intent, is_wanted: true })
    }

    /// A few random changes of a text.
    fn changed(&self, old: &str, random: &mut Random) -> String {
        let mut lines: Vec<String> = old.split_inclusive('\n').map(str::to_owned).collect();
        for _ in 0..=random.below(2) {
            let at = random.below(lines.len());
            match random.below(7) {
                0 => lines.insert(at, self.noted(&lines[at])),
                // The first and the last may be parts of lines.
                1 if (1..lines.len() - 1).contains(&at) => drop(lines.remove(at)),
                2 => lines[at] = with_other_word(&lines[at], random),
                3 => lines[at] = with_other_word(&lines[at], random),
                4 => lines.insert(at, lines[at].clone()),
                5 if random.one_in(4) => lines = vec![String::new()],
                _ => lines[at] = self.with_comment(&lines[at]),
            }
        }
        lines.concat()
    }

    /// A comment line of the same depth.
    fn noted(&self, line: &str) -> String {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        let end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
        format!("{}{} noted{end}", &line[..blanks], self.source.language.language().line_comment)
    }

    /// The line with a comment at its end.
    fn with_comment(&self, line: &str) -> String {
        let trimmed = line.trim_end_matches(['\r', '\n']);
        if trimmed.trim().is_empty() {
            return line.to_owned();
        }
        let end = &line[trimmed.len()..];
        format!("{trimmed} {} noted{end}", self.source.language.language().line_comment)
    }
}

/// The line with one of its words another one.
fn with_other_word(line: &str, random: &mut Random) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words: Vec<(usize, &str)> = Vec::new();
    for piece in line.split(|c: char| !is_word(c)).filter(|piece| !piece.is_empty()) {
        words.push((piece.as_ptr() as usize - line.as_ptr() as usize, piece));
    }
    if words.is_empty() {
        return line.to_owned();
    }
    let (at, word) = words[random.below(words.len())];
    format!("{}{word}2{}", &line[..at], &line[at + word.len()..])
}
