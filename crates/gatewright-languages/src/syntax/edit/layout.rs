//! Fitting text into its place: indentation, line ends, blank lines.

use gatewright_model::Span;

use crate::syntax::language::LanguageId;
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// What a file in UTF-8 may begin with.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// How many symbols tell how the file indents.
const SAMPLE: usize = 200;
/// What is deeper than this is aligned with something.
const DEEPEST_STEP: usize = 8;

/// The line end that the file uses.
pub(super) fn line_end(parsed: &Parsed) -> &'static str {
    match memchr::memchr(b'\n', parsed.source()) {
        Some(at) if at > 0 && parsed.source()[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

/// The text without blank lines around it, each line ended by `\n`, none at the end.
pub(super) fn normalised(body: &str) -> String {
    let text = body.replace("\r\n", "\n");
    let first = text
        .split_inclusive('\n')
        .take_while(|line| line.trim().is_empty())
        .map(str::len)
        .sum::<usize>();
    text[first..].trim_end().to_owned()
}

/// The white space at the start of the line of `offset`, when nothing else stands before it.
pub(super) fn indentation(parsed: &Parsed, offset: usize) -> Option<String> {
    let before = parsed.source().get(line_start(parsed, offset)..offset)?;
    let is_blank = before.iter().all(|byte| matches!(byte, b' ' | b'\t'));
    is_blank.then(|| String::from_utf8_lossy(before).into_owned())
}

/// One level of indentation, as most of the file has it.
pub(super) fn unit(parsed: &Parsed) -> String {
    let mut steps: Vec<(String, usize)> = Vec::new();
    for step in parsed.outline().iter().filter_map(|symbol| own_step(parsed, symbol)).take(SAMPLE) {
        match steps.iter_mut().find(|(known, _)| *known == step) {
            Some((_, count)) => *count += 1,
            None => steps.push((step, 1)),
        }
    }
    let most = steps.iter().map(|(_, count)| *count).max();
    let usual = steps.into_iter().find(|(_, count)| Some(*count) == most).map(|(step, _)| step);
    usual.or_else(|| member_step(parsed)).unwrap_or_else(|| {
        match parsed.language() {
            LanguageId::Go => "\t",
            LanguageId::TypeScript | LanguageId::Tsx | LanguageId::JavaScript => "  ",
            LanguageId::Ruby => "  ",
            _ => "    ",
        }
        .to_owned()
    })
}

/// The indentation of what stands in a symbol, or would.
pub(super) fn indentation_inside(parsed: &Parsed, symbol: &Symbol) -> String {
    let outer = indentation(parsed, symbol.code.start).unwrap_or_default();
    let step = own_step(parsed, symbol).unwrap_or_else(|| unit(parsed));
    format!("{outer}{step}")
}

/// By how much the first line in a symbol stands deeper than the symbol.
fn own_step(parsed: &Parsed, symbol: &Symbol) -> Option<String> {
    let body = symbol.body?;
    let outer = indentation(parsed, symbol.code.start)?;
    let is_below = line_start(parsed, body.start) > symbol.code.start;
    let begins_line = || indentation(parsed, body.start).filter(|_| is_below);
    let starts_with_brace = parsed.bytes(body).starts_with(b"{");
    let inner = match begins_line().filter(|_| !starts_with_brace) {
        Some(inner) => inner,
        None => {
            let mut lines = parsed.bytes(body).split(|byte| *byte == b'\n').skip(1);
            let line = lines.find(|line| is_indented_code(line))?;
            let blank = line.len() - line.trim_ascii_start().len();
            String::from_utf8_lossy(&line[..blank]).into_owned()
        }
    };
    let step = inner.strip_prefix(outer.as_str())?;
    (!step.is_empty() && step.len() <= DEEPEST_STEP).then(|| step.to_owned())
}

/// Whether a line has the indentation of what it is among: a label and a directive have their own.
fn is_indented_code(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    !line.is_empty() && !line.starts_with(b"#") && !line.ends_with(b":")
}

/// By how much the first member of anything stands deeper than what it is in.
fn member_step(parsed: &Parsed) -> Option<String> {
    let symbols = parsed.outline();
    symbols.iter().find_map(|symbol| {
        let parent = &symbols[symbol.parent?];
        let outer = indentation(parsed, parent.code.start)?;
        let inner = indentation(parsed, symbol.code.start)?;
        inner.strip_prefix(outer.as_str()).filter(|step| !step.is_empty()).map(str::to_owned)
    })
}

/// The text with every line at `target`, but without indentation on its first line.
///
/// Lines that start inside a string, and directives at the margin, stay as they are. Text that
/// already stands at `target` is not moved, whether or not its first line has the indentation.
pub(super) fn placed(body: &str, target: &str, language: LanguageId) -> String {
    let lines: Vec<&str> = body.split('\n').collect();
    let first_indent = blank_prefix(lines[0]);
    if first_indent == target {
        return body[first_indent.len()..].to_owned();
    }
    let mut is_text = lines_in_strings(body, language);
    add_directives(&lines, language, &mut is_text);
    let own = match base_of(&lines, &is_text, target, language) {
        Some(own) => own,
        None => return body[first_indent.len()..].to_owned(),
    };
    let own = shared_by_all(&lines, &is_text, &own, language);
    let mut out = String::with_capacity(body.len());
    for (index, line) in lines.iter().enumerate() {
        if index == 0 {
            out.push_str(&line[own.len().min(first_indent.len())..]);
            continue;
        }
        out.push('\n');
        if is_text[index] {
            out.push_str(line);
        } else if !line.trim().is_empty() {
            let blank = blank_prefix(line);
            let kept = blank.strip_prefix(own.as_str()).unwrap_or("");
            out.push_str(target);
            out.push_str(kept);
            out.push_str(&line[blank.len()..]);
        }
    }
    out
}

/// The indentation that a text was written at whose first line is not at `target`; `None` when
/// the others already stand there.
fn base_of(lines: &[&str], is_text: &[bool], target: &str, language: LanguageId) -> Option<String> {
    let first_indent = blank_prefix(lines[0]);
    if !first_indent.is_empty() {
        return Some(first_indent.to_owned());
    }
    let indented = language.language().indented;
    let comment = language.language().line_comment;
    let rest = || {
        let numbered = lines.iter().enumerate().skip(1);
        numbered
            .filter(|(index, line)| !is_text[*index] && !line.trim().is_empty())
            // A comment may stand anywhere where indentation has a meaning.
            .filter(|(_, line)| !indented || !line.trim_start().starts_with(comment))
            .map(|(_, line)| blank_prefix(line))
    };
    let shortest = rest().map(str::len).min()?;
    if is_text[0] {
        // A directive at the margin does not say where the text stands; the rest of it does.
        let own = rest().find(|blank| blank.len() == shortest)?;
        return (shortest < target.len()).then(|| own.to_owned());
    }
    let last = lines.last().map_or("", |line| line.trim_start());
    let closes = ["}", ")", "]", "end"].iter().any(|mark| last.starts_with(mark));
    let opens_block = indented && lines[0].trim_end().ends_with(':');
    let is_placed = if closes && !indented {
        // The line that closes a definition stands where the definition stands.
        rest().next_back()? == target
    } else {
        let is_deep = if opens_block { shortest > target.len() } else { shortest >= target.len() };
        is_deep && rest().all(|blank| blank.starts_with(target))
    };
    (!is_placed).then(String::new)
}

/// The part of an indentation that every line of the text has, so that none loses its own.
fn shared_by_all(lines: &[&str], is_text: &[bool], own: &str, language: LanguageId) -> String {
    let declaration = language.language();
    let mut shared = own;
    for (index, line) in lines.iter().enumerate() {
        // A comment may stand anywhere where indentation has a meaning, and so may a directive.
        let text = line.trim_start();
        let is_free = declaration.indented && text.starts_with(declaration.line_comment)
            || (!declaration.indented && text.starts_with('#'));
        if is_text[index] || text.is_empty() || is_free {
            continue;
        }
        let blank = blank_prefix(line);
        let common = shared.bytes().zip(blank.bytes()).take_while(|(one, other)| one == other);
        shared = &shared[..common.count()];
    }
    shared.to_owned()
}

fn blank_prefix(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// For each line, whether its start lies inside a string.
pub(super) fn lines_in_strings(body: &str, language: LanguageId) -> Vec<bool> {
    let mut inside = vec![false; body.split('\n').count()];
    let Ok(parsed) = Parsed::new(language, body.as_bytes()) else { return inside };
    for span in string_spans(&parsed) {
        let first = parsed.lines().line(span.start);
        let last = parsed.lines().line(span.end.saturating_sub(1).max(span.start));
        for line in inside.iter_mut().take(last).skip(first) {
            *line = true;
        }
    }
    inside
}

/// Adds the directives that stand at the margin, with the lines that continue them.
fn add_directives(lines: &[&str], language: LanguageId, stays: &mut [bool]) {
    if !matches!(language, LanguageId::C | LanguageId::Cpp | LanguageId::CSharp) {
        return;
    }
    let mut goes_on = false;
    for (line, stays) in lines.iter().zip(stays) {
        *stays |= goes_on || line.starts_with('#');
        goes_on = (goes_on || line.starts_with('#')) && line.ends_with('\\');
    }
}

/// The strings of a text, from quote to quote.
fn string_spans(parsed: &Parsed) -> Vec<Span> {
    let language = parsed.language().language();
    let mut spans = Vec::new();
    parsed.visit(|node, _| {
        let is_string = node.is_named() && language.strings.contains(&node.kind());
        if is_string {
            spans.push(Span::new(node.start_byte(), node.end_byte()));
        }
        !is_string
    });
    spans
}

/// The text with every line, the first included, moved to `target`.
pub(super) fn indented(body: &str, target: &str, language: LanguageId) -> String {
    let placed = placed(body, target, language);
    let mut stays = [false];
    add_directives(&[body.split('\n').next().unwrap_or_default()], language, &mut stays);
    if stays[0] { placed } else { format!("{target}{placed}") }
}

/// The first byte of the line of `offset`, behind the byte-order mark of the file.
pub(super) fn line_start(parsed: &Parsed, offset: usize) -> usize {
    parsed.lines().start(parsed.lines().line(offset)).max(text_start(parsed))
}

/// Where the text of the file begins.
pub(super) fn text_start(parsed: &Parsed) -> usize {
    if parsed.source().starts_with(MARK) { MARK.len() } else { 0 }
}

/// The end of the line of `offset`, its line end included.
pub(super) fn next_line(parsed: &Parsed, offset: usize) -> usize {
    memchr::memchr(b'\n', &parsed.source()[offset..])
        .map_or(parsed.source().len(), |length| offset + length + 1)
}

/// Where the comma ends that follows on the same line, with the blanks before what comes next.
pub(super) fn behind_comma(parsed: &Parsed, from: usize) -> Option<usize> {
    let rest = &parsed.source()[from..next_line(parsed, from)];
    let blanks = |text: &[u8]| text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let comma = blanks(rest);
    if rest.get(comma) != Some(&b',') {
        return None;
    }
    let behind = &rest[comma + 1..];
    let is_last = behind.iter().all(u8::is_ascii_whitespace);
    Some(from + comma + 1 + if is_last { 0 } else { blanks(behind) })
}

/// How many blank lines stand before a line start, and where they begin.
pub(super) fn blanks_before(parsed: &Parsed, start: usize) -> (usize, usize) {
    let (mut count, mut start) = (0, start);
    while start > text_start(parsed) {
        let previous = line_start(parsed, start - 1);
        if !parsed.source()[previous..start].iter().all(u8::is_ascii_whitespace) {
            break;
        }
        (count, start) = (count + 1, previous);
    }
    (count, start)
}

/// How many blank lines follow a line start, and where they end.
pub(super) fn blanks_after(parsed: &Parsed, start: usize) -> (usize, usize) {
    let (mut count, mut start) = (0, start);
    while start < parsed.source().len() {
        let next = next_line(parsed, start);
        if !parsed.source()[start..next].iter().all(u8::is_ascii_whitespace) {
            break;
        }
        (count, start) = (count + 1, next);
    }
    (count, start)
}

/// How many blank lines the file puts between the members of `parent`.
pub(super) fn usual_gap(parsed: &Parsed, parent: Option<usize>) -> usize {
    let members: Vec<&Symbol> = parsed
        .outline()
        .iter()
        .filter(|symbol| symbol.parent == parent && symbol.body.is_some())
        .collect();
    let mut counts = [0usize; 4];
    for pair in members.windows(2) {
        let start = line_start(parsed, pair[1].full.start);
        let (count, from) = blanks_before(parsed, start);
        if from >= pair[0].full.end {
            counts[count.min(3)] += 1;
        }
    }
    let fallback = if parsed.language().language().indented && parent.is_none() { 2 } else { 1 };
    let most = (0..counts.len()).max_by_key(|gap| (counts[*gap], *gap == fallback));
    most.filter(|gap| counts[*gap] > 0).unwrap_or(fallback)
}
