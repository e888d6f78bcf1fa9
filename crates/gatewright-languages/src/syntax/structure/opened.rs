//! A comment or a long string that an edit opens and does not close.
//!
//! To the language all that stands behind it is gone. A parser that mends what it
//! reads goes on behind the mark as if nothing had happened, so the marks are counted.

use gatewright_model::{EditShape, LostDefinition, Structural, StructureProblem};

use super::Versions;
use super::aftermath::{has_new_errors, is_local, lost_definition};
use super::calls::changed;

/// The definitions behind the mark, if there is one and any are.
pub(super) fn problem(versions: &Versions<'_>) -> Option<StructureProblem> {
    let is_more = open_marks(versions, versions.after.source())
        .into_iter()
        .zip(open_marks(versions, versions.before.source()))
        .any(|(now, before)| now > before);
    if !is_more || !has_new_errors(versions) {
        return None;
    }
    let place = changed(versions).start;
    let symbols = versions.before.outline();
    let behind = symbols.iter().filter(|symbol| symbol.structural && symbol.code.start >= place);
    let definitions: Vec<LostDefinition> = behind
        .filter(|symbol| !is_local(symbols, symbol))
        .map(|symbol| lost_definition(&versions.before, symbol))
        .collect();
    if definitions.is_empty() {
        return None;
    }
    Some(StructureProblem {
        line: u32::try_from(versions.before.lines().line(place)).ok(),
        symbol: None,
        shape: EditShape::Replace,
        call: None,
        found: Structural::Splice { definitions },
    })
}

/// How many marks of each kind a text leaves open.
fn open_marks(versions: &Versions<'_>, text: &[u8]) -> Vec<usize> {
    let count = |mark: &str| memchr::memmem::find_iter(text, mark.as_bytes()).count();
    match versions.before.language().language().line_comment {
        "//" => vec![count("/*").saturating_sub(count("*/"))],
        _ => vec![count("\"\"\"") % 2, count("'''") % 2],
    }
}
