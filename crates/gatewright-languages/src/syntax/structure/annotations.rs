//! What a symbol edit takes off the symbol: decorators, attributes, annotations.

use std::collections::HashMap;

use gatewright_model::{EditShape, Span, Structural, StructureFacts, StructureProblem};

use super::{Request, parse};
use crate::syntax::detect::detect;
use crate::syntax::language::LanguageId;
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// The annotations that the symbol had and has no more; a symbol that is gone has lost none.
pub(super) fn facts(path: &str, before: &[u8], after: &[u8], symbol: &str) -> StructureFacts {
    let Some(language) = detect(path, before) else { return StructureFacts::default() };
    let mut facts =
        StructureFacts { language: Some(language.name().to_owned()), ..StructureFacts::default() };
    if !may_lose(language, before, after) {
        return facts;
    }
    let Ok(versions) = parse(path, language, (before, after), &Request::Lines) else {
        return facts;
    };
    let named = |parsed: &Parsed| annotations(parsed, symbol);
    let (Some((line, had)), Some((_, has))) = (named(&versions.before), named(&versions.after))
    else {
        return facts;
    };
    let lost: Vec<String> = lost(&had, &has);
    if !lost.is_empty() {
        facts.problems.push(StructureProblem {
            found: Structural::AnnotationsLost { annotations: lost },
            line: u32::try_from(line).ok(),
            symbol: Some(symbol.to_owned()),
            shape: EditShape::Replace,
            call: None,
        });
    }
    facts
}

/// Whether the text that goes could hold an annotation at all. Cheap, and right in one direction.
fn may_lose(language: LanguageId, before: &[u8], after: &[u8]) -> bool {
    let start = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let most = before.len().min(after.len()) - start;
    let (one, other) = (before.iter().rev(), after.iter().rev());
    let tail = one.zip(other).take(most).take_while(|(one, other)| one == other).count();
    let line = memchr::memrchr(b'\n', &before[..start]).map_or(0, |at| at + 1);
    let gone = &before[line..before.len() - tail];
    let mark = match language {
        LanguageId::Rust | LanguageId::CSharp | LanguageId::Cpp => b'[',
        _ => b'@',
    };
    !language.language().annotations.is_empty() && gone.contains(&mark)
}

/// The line of the first symbol with that path, and what stands above all that have it.
fn annotations(parsed: &Parsed, path: &str) -> Option<(usize, Vec<String>)> {
    let symbols = || parsed.outline().iter().filter(|symbol| symbol.path == path);
    let line = parsed.lines().line(symbols().next()?.code.start);
    Some((line, symbols().flat_map(|symbol| written(parsed, symbol)).collect()))
}

fn written(parsed: &Parsed, symbol: &Symbol) -> Vec<String> {
    let text = parsed.text(Span::new(symbol.code.start, symbol.bare_start));
    let comment = parsed.language().language().line_comment;
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with(comment)).map(str::to_owned).collect()
}

fn lost(had: &[String], has: &[String]) -> Vec<String> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for line in has {
        *left.entry(line).or_insert(0) += 1;
    }
    let is_gone = |line: &&String| match left.get_mut(line.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    had.iter().filter(is_gone).cloned().collect()
}
