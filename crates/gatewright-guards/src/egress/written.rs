//! Secrets that a change would write: a warning with the line, never the value.

use std::collections::BTreeMap;

use gatewright_model::{FileChange, Finding, Guard, Severity};

use super::{Kind, Redactor};

/// What the change adds that the redactor would hide. Paths are no secrets here.
pub fn judge(change: &FileChange, redactor: &Redactor) -> Vec<Finding> {
    let Some(after) = &change.after else { return Vec::new() };
    let mut secrets = redactor.find(&after.content);
    secrets.retain(|redaction| redaction.kind != Kind::Path);
    if secrets.is_empty() {
        return Vec::new();
    }
    let before: &[u8] = change.before.as_ref().map_or(&[], |state| &state.content);
    let mut known: BTreeMap<&[u8], usize> = BTreeMap::new();
    for redaction in redactor.find(before) {
        *known.entry(&before[redaction.range()]).or_default() += 1;
    }
    let mut is_new = |value: &[u8]| match known.get_mut(value) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    secrets
        .into_iter()
        .filter(|redaction| is_new(&after.content[redaction.range()]))
        .map(|redaction| finding(change, &after.content, redaction.start, redaction.kind))
        .collect()
}

fn finding(change: &FileChange, content: &[u8], start: usize, kind: Kind) -> Finding {
    let line = content[..start].iter().filter(|byte| **byte == b'\n').count() + 1;
    let kind = kind.as_str();
    let message = format!("the change writes what looks like a secret ({kind}) into a file");
    Finding::new(
        Guard::Egress,
        Severity::Warn,
        format!("E100-{kind}-written"),
        change.requested.as_str(),
        message,
    )
    .at_line(u32::try_from(line).unwrap_or(u32::MAX))
    .with_hint("read it from the environment or a secret store instead, or let a person accept it")
}
