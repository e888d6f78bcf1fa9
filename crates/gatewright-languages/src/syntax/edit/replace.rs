//! Giving a symbol new text: a whole definition, a head over the body that is there, or a body
//! under the head that is there.

use gatewright_model::Span;

use super::layout::{indentation, indentation_inside, indented, line_end, normalised, placed};
use super::verify::Others;
use super::{EditRefusal, Outcome, given, head, verify};
use crate::syntax::language::LanguageId;
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::{Symbol, SymbolKind};

/// The file with `body` in the place of the symbol.
///
/// A definition keeps the comments and annotations above it unless it brings
/// its own. A head alone leaves the body; text that defines nothing is a body, and the head stays.
pub(super) fn plan(parsed: &Parsed, symbol: &Symbol, body: &str) -> Result<Outcome, EditRefusal> {
    if is_own_text(parsed, symbol, &normalised(body), &[symbol.full, symbol.code]) {
        return unchanged(parsed);
    }
    let body = given(parsed, body, symbol.full)?;
    let kind = symbol.kind.as_str();
    if let Some(outcome) = head::plan(parsed, symbol, &body)? {
        return Ok(outcome);
    }
    if let Some(outcome) = as_definition(parsed, symbol, &body)? {
        return Ok(outcome);
    }
    as_body(parsed, symbol, &body).unwrap_or(Err(EditRefusal::NotADefinition { kind }))
}

/// The file with `body` in the place of all that the symbol owns.
pub(super) fn plan_whole(
    parsed: &Parsed,
    symbol: &Symbol,
    body: &str,
) -> Result<Outcome, EditRefusal> {
    if is_own_text(parsed, symbol, &normalised(body), &[symbol.full]) {
        return unchanged(parsed);
    }
    let body = given(parsed, body, symbol.full)?;
    let text = fitted(parsed, symbol, &body).replace('\n', line_end(parsed));
    let after = parsed.edited(symbol.full, text.as_bytes())?;
    verified(parsed, symbol, &after)?;
    Ok(Outcome { parsed: after, notes: Vec::new() })
}

/// Replaces the definition; `None` when the text defines nothing at its start.
fn as_definition(
    parsed: &Parsed,
    symbol: &Symbol,
    body: &str,
) -> Result<Option<Outcome>, EditRefusal> {
    let end = line_end(parsed);
    let tried = fitted(parsed, symbol, body).replace('\n', end);
    let trial = parsed.edited(symbol.full, tried.as_bytes())?;
    let region = Span::new(symbol.full.start, symbol.full.start + tried.len());
    let inside = if symbol.full == symbol.code {
        // The trial is most likely the result, whose outline will be asked for.
        trial.outline().iter().filter(|new| region.contains(new.code)).cloned().collect()
    } else {
        trial.outline_around(region)
    };
    let Some(new) = defined_at(&trial, region, inside) else { return Ok(None) };
    has_its_block(&trial, &new)?;
    if is_its_constructor(parsed, symbol, &new) {
        return Err(EditRefusal::NotADefinition { kind: symbol.kind.as_str() });
    }
    // Among members a call looks like the declaration of a function that is defined elsewhere,
    // which Ruby does not have: a method without a body is an empty one there.
    let is_call = symbol.body.is_some() && new.body.is_none() && new.name != symbol.name;
    if is_call && symbol.kind.is_callable() && parsed.language() != LanguageId::Ruby {
        return Ok(None);
    }
    let (span, text, notes) = composed(parsed, symbol, &new, &tried);
    let mut refusal = None;
    for closing in closings(parsed, symbol, &text) {
        let after = match span == symbol.full && closing.is_empty() && text == tried {
            true => trial.clone(),
            false => parsed.edited(span, format!("{text}{closing}").as_bytes())?,
        };
        match verified(parsed, symbol, &after) {
            Ok(()) => return Ok(Some(Outcome { parsed: after, notes })),
            Err(error) => {
                refusal.get_or_insert(error);
            }
        }
    }
    refusal.map_or(Ok(None), Err)
}

/// Whether a text for a type defines a function of that name: that is a constructor, which stands
/// in the type and does not take its place.
fn is_its_constructor(parsed: &Parsed, symbol: &Symbol, new: &Symbol) -> bool {
    use LanguageId::{CSharp, Cpp, Java};
    let has_constructors = matches!(parsed.language(), Cpp | CSharp | Java);
    let is_other = symbol.kind.is_type() && new.kind.is_callable();
    has_constructors && is_other && new.name == symbol.name
}

/// Whether a type of several members is left with its constructor alone: the text was meant for
/// that one.
fn leaves_a_constructor_alone(parsed: &Parsed, symbol: &Symbol, after: &Parsed) -> bool {
    let members = |parsed: &Parsed| -> Vec<bool> {
        let own = parsed.outline().iter().filter(|member| {
            let parent = member.parent.map(|parent| &parsed.outline()[parent]);
            parent.is_some_and(|parent| parent.path == symbol.path)
        });
        own.map(|member| is_its_constructor(parsed, symbol, member)).collect()
    };
    members(after) == [true] && members(parsed).len() > 1
}

/// Where indentation makes the blocks, a head without one is an error that the grammar lets pass.
fn has_its_block(trial: &Parsed, new: &Symbol) -> Result<(), EditRefusal> {
    let is_headed = new.kind.is_type() || new.kind.is_callable();
    let is_blank = new.body.is_some_and(|body| trial.bytes(body).trim_ascii().is_empty());
    if !(trial.language().language().indented && is_headed && is_blank) {
        return Ok(());
    }
    Err(EditRefusal::NewErrors { errors: vec![format!("{} {} has no body", new.kind, new.name)] })
}

/// Whether the text is what one of these stretches holds already, line ends and the indentation
/// of the first line aside.
fn is_own_text(parsed: &Parsed, symbol: &Symbol, body: &str, spans: &[Span]) -> bool {
    let indent = indentation(parsed, symbol.full.start).unwrap_or_default();
    let body = body.strip_prefix(indent.as_str()).unwrap_or(body);
    !body.is_empty() && spans.iter().any(|span| normalised(&parsed.text(*span)) == body)
}

fn unchanged(parsed: &Parsed) -> Result<Outcome, EditRefusal> {
    let nothing = Span::new(0, 0);
    Ok(Outcome { parsed: parsed.edited(nothing, b"")?, notes: Vec::new() })
}

/// The text at the place of the symbol: moved there, or left as it is where more of its lines
/// stand like that in the symbol already.
fn fitted(parsed: &Parsed, symbol: &Symbol, body: &str) -> String {
    let target = indentation(parsed, symbol.full.start).unwrap_or_default();
    let moved = placed(body, &target, parsed.language());
    let as_it_is = body.trim_start_matches([' ', '\t']);
    let old = parsed.text(symbol.full);
    let known: std::collections::HashSet<&str> =
        old.lines().filter(|line| !line.trim().is_empty()).collect();
    let count = |text: &str| text.lines().skip(1).filter(|line| known.contains(line)).count();
    if count(as_it_is) > count(&moved) { as_it_is.to_owned() } else { moved }
}

pub(super) fn verified(
    parsed: &Parsed,
    symbol: &Symbol,
    after: &Parsed,
) -> Result<(), EditRefusal> {
    verify::no_new_errors(parsed, after)?;
    verify::others_kept(parsed, after, Some(symbol), (None, Others::Unchanged))?;
    verify::names_free(parsed, after)
}

/// What may have to stand behind the text: the `;` that the symbol had. That of a macro is its own.
fn closings(parsed: &Parsed, symbol: &Symbol, text: &str) -> Vec<&'static str> {
    let had_semicolon =
        symbol.kind != SymbolKind::Macro && parsed.bytes(symbol.code).ends_with(b";");
    if had_semicolon && !text.ends_with(';') { vec![";", ""] } else { vec![""] }
}

/// The symbol that starts where the text was put, if definitions are all that the text holds;
/// `inside` are those of the text, and maybe others.
fn defined_at(trial: &Parsed, region: Span, mut inside: Vec<Symbol>) -> Option<Symbol> {
    inside.retain(|symbol| region.contains(symbol.code) && !symbol.code.is_empty());
    let first = inside.iter().find(|symbol| symbol.full.start == region.start)?;
    // Whatever else is code must belong to a definition too.
    let is_covered = trial.tokens_around(region).iter().all(|token| {
        token.class == crate::syntax::tokens::TokenClass::Comment
            || trial.bytes(token.span).trim_ascii().is_empty()
            || inside.iter().any(|symbol| symbol.code.contains(clipped(token.span, region)))
    });
    is_covered.then(|| first.clone())
}

fn clipped(span: Span, region: Span) -> Span {
    let start = span.start.max(region.start);
    Span::new(start, span.end.min(region.end).max(start))
}

/// The bytes that make way and the text for them: comments and annotations that the text lacks stay.
pub(super) fn composed(
    parsed: &Parsed,
    symbol: &Symbol,
    new: &Symbol,
    text: &str,
) -> (Span, String, Vec<String>) {
    let mut notes = Vec::new();
    let brings_comments = new.full.start < new.code.start;
    let brings_annotations = new.bare_start > new.code.start;
    let had_comments = symbol.full.start < symbol.code.start;
    let had_annotations = symbol.bare_start > symbol.code.start;
    let keeps_annotations = had_annotations && !brings_annotations;
    if had_comments && !brings_comments {
        notes.push("kept the comment above the symbol".to_owned());
    }
    if keeps_annotations {
        notes.push("kept the annotations above the symbol".to_owned());
    }
    if new.path != symbol.path {
        notes.push(format!("the symbol is now {:?}; what refers to it was not changed", new.path));
    }
    let brings_below = new.full.end > new.code.end;
    let end = if brings_below { symbol.full.end } else { symbol.code.end };
    let start = match (brings_comments, keeps_annotations) {
        (true, _) => symbol.full.start,
        (false, true) => symbol.bare_start,
        (false, false) => symbol.code.start,
    };
    let mut text = text.to_owned();
    if brings_comments && keeps_annotations {
        let annotations = parsed.text(Span::new(symbol.code.start, symbol.bare_start));
        let at = new.code.start - symbol.full.start;
        if text.is_char_boundary(at) {
            text.insert_str(at, &annotations);
        }
    }
    (Span::new(start, end), text, notes)
}

/// Replaces the body alone; `None` where the symbol has none.
fn as_body(parsed: &Parsed, symbol: &Symbol, body: &str) -> Option<Result<Outcome, EditRefusal>> {
    let mut refusal = None;
    for (span, text) in body_candidates(parsed, symbol, body)? {
        let text = text.replace('\n', line_end(parsed));
        let after = match parsed.edited(span, text.as_bytes()) {
            Ok(after) => after,
            Err(error) => return Some(Err(error.into())),
        };
        let kept = after.outline().iter().any(|new| {
            new.path == symbol.path
                && after.bytes(new.head).trim_ascii() == parsed.bytes(symbol.head).trim_ascii()
        });
        if kept && leaves_a_constructor_alone(parsed, symbol, &after) {
            return Some(Err(EditRefusal::NotADefinition { kind: symbol.kind.as_str() }));
        }
        match verified(parsed, symbol, &after) {
            Ok(()) if kept => {
                let notes = vec!["the text has no head, so the symbol's head was kept".to_owned()];
                return Some(Ok(Outcome { parsed: after, notes }));
            }
            Ok(()) => {}
            Err(error) => {
                refusal.get_or_insert(error);
            }
        }
    }
    refusal.map(Err)
}

fn body_candidates(parsed: &Parsed, symbol: &Symbol, body: &str) -> Option<Vec<(Span, String)>> {
    let old = without_return(parsed, symbol.body?);
    let language = parsed.language();
    let outer = indentation(parsed, symbol.code.start).unwrap_or_default();
    let inner = indentation_inside(parsed, symbol);
    // Braces that are no block are a value in Ruby.
    let is_braced = language != LanguageId::Ruby
        && parsed.bytes(old).starts_with(b"{")
        && parsed.bytes(old).ends_with(b"}");
    let statements = indented(body, &inner, language);
    if let Some((opening, closing)) = block_marks(parsed, old) {
        let own = without_caller(parsed, old, body);
        let is_own = own.starts_with(opening.split(' ').next()?) && own.ends_with(closing);
        let between = format!("{opening}\n{statements}\n{outer}{closing}");
        let text = if is_own { placed(own, &outer, language) } else { between };
        return Some(vec![(old, text)]);
    }
    if is_braced {
        let with_braces = placed(body, &outer, language);
        let between = format!("{{\n{statements}\n{outer}}}");
        let is_own = body.starts_with('{') && body.ends_with('}');
        let is_line = |text: &str| !text.contains('\n') && !text.contains("//");
        let stays_on_line = is_line(&parsed.text(old)) && old.len() > 2 && is_line(body);
        return Some(match (is_own, stays_on_line) {
            (true, _) => vec![(old, with_braces)],
            (false, true) => vec![(old, format!("{{ {} }}", body.trim())), (old, between)],
            (false, false) => vec![(old, between)],
        });
    }
    if language.language().indented || parsed.bytes(symbol.code).ends_with(b"end") {
        let is_on_own_line = indentation(parsed, old.start).is_some();
        if is_on_own_line {
            let own = indentation(parsed, old.start).unwrap_or(inner);
            return Some(vec![(old, placed(body, &own, language))]);
        }
        return Some(beside_the_head(parsed, old, (body, &statements, &outer)));
    }
    let text = placed(body, &outer, language);
    let mark = ["=>", "="].into_iter().find(|mark| parsed.bytes(old).starts_with(mark.as_bytes()));
    // A grammar may take a value without its mark, and the language does not.
    Some(match mark.filter(|mark| !text.starts_with(*mark) && !text.starts_with('{')) {
        Some(mark) => vec![(old, format!("{mark} {}", text.trim_end_matches(';')))],
        None => vec![(old, text)],
    })
}

/// A body without the half of a line end that a grammar may count to it.
fn without_return(parsed: &Parsed, body: Span) -> Span {
    let is_half = parsed.bytes(body).ends_with(b"\r");
    Span::new(body.start, body.end - usize::from(is_half))
}

/// How a block of Ruby opens, its parameters included, and closes: without them the statements
/// between would be those of nobody.
fn block_marks(parsed: &Parsed, body: Span) -> Option<(String, &'static str)> {
    let text = parsed.text(body);
    let before = parsed.source()[..body.start].trim_ascii_end().last();
    let is_called =
        before.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_)>".contains(byte));
    let is_beside = indentation(parsed, body.start).is_none();
    let is_ruby = parsed.language() == LanguageId::Ruby && is_called && is_beside;
    let marks = [("do", "end"), ("{", "}")].into_iter();
    let (opening, closing) = marks
        .filter(|_| is_ruby)
        .find(|(opening, closing)| text.starts_with(opening) && text.ends_with(closing))?;
    let rest = &text[opening.len()..];
    let starts_word = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if opening == "do" && starts_word {
        return None;
    }
    let parameters =
        rest.trim_start_matches(' ').strip_prefix('|').and_then(|it| it.split_once('|'));
    let opening = match parameters {
        Some((parameters, _)) => format!("{opening} |{parameters}|"),
        None => opening.to_owned(),
    };
    Some((opening, closing))
}

/// The block alone where the text brings the word before it as well: `lambda do … end`.
fn without_caller<'b>(parsed: &Parsed, block: Span, body: &'b str) -> &'b str {
    let before = parsed.text(Span::new(0, block.start));
    let caller = before.split_whitespace().next_back().unwrap_or_default();
    let rest = body.trim().strip_prefix(caller).unwrap_or(body);
    rest.trim()
}

/// A body on the line of its head: one line stays there, several come below it.
fn beside_the_head(
    parsed: &Parsed,
    old: Span,
    (body, statements, outer): (&str, &str, &str),
) -> Vec<(Span, String)> {
    let head = parsed.source()[..old.start].trim_ascii_end().len();
    let ends_with_word = !parsed.language().language().indented;
    let has_semicolon = parsed.bytes(old).trim_ascii_end().ends_with(b";");
    let closing = if ends_with_word { format!("\n{outer}") } else { String::new() };
    let rest = &parsed.source()[old.end..];
    let blanks = rest.len() - rest.trim_ascii_start().len();
    let end = if ends_with_word { old.end + blanks } else { old.end };
    let below = (Span::new(head, end), format!("\n{statements}{closing}"));
    if body.contains('\n') {
        return vec![below];
    }
    let semicolon = if has_semicolon && !body.ends_with(';') { ";" } else { "" };
    vec![(old, format!("{}{semicolon}", body.trim_start())), below]
}
