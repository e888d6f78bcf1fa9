//! The tool's own input with the accepted hunks only, where its form can carry them.
//!
//! A whole-file tool gets the accepted text. An edit tool gets one edit that
//! leads from the file on disk to the accepted text, its old text long enough
//! to stand there once. A patch tool gets a patch of the accepted hunks.

use gatewright_model::{ChangeSet, FileChange, FileState, LineKind, diff_hunks};
use serde_json::{Value, json};

use super::event::Event;
use super::paths::Place;
use super::tool_call::{ALL, Change, NEW, OLD, PATCH};

/// The input; `None` where the tool's form cannot carry what was accepted.
pub fn accepted_input(
    event: &Event,
    change: &Change,
    accepted: &ChangeSet,
    place: &Place,
) -> Option<Value> {
    let mut input = event.input.clone();
    let has_renames = accepted.changes.iter().any(|file| file.renamed_from.is_some());
    if accepted.changes.is_empty() || has_renames {
        return None;
    }
    if let Some((field, _)) = &change.whole {
        let [file] = accepted.changes.as_slice() else { return None };
        input[*field] = Value::String(text_of(file.after.as_ref()?)?);
        return Some(input);
    }
    if let Some(key) = PATCH.iter().find(|key| holds_patch(&input, key)) {
        let patch = patch_of(accepted).filter(|_| place.is_at_root())?;
        input[*key] = Value::String(patch);
        return Some(input);
    }
    for list in ["edits", "replacements"] {
        if let Some(parts) = input.get(list).and_then(Value::as_array) {
            input[list] = Value::Array(parts_of(parts, accepted, place)?);
            return Some(input);
        }
    }
    let [file] = accepted.changes.as_slice() else { return None };
    put_edit(&mut input, file)?;
    Some(input)
}

fn text_of(state: &FileState) -> Option<String> {
    String::from_utf8(state.content.to_vec()).ok()
}

fn holds_patch(input: &Value, key: &str) -> bool {
    let text = input.get(key).and_then(Value::as_str);
    text.is_some_and(|text| text.trim_start().starts_with("*** Begin Patch"))
}

/// One part for each file, in the form of the parts that were sent.
fn parts_of(parts: &[Value], accepted: &ChangeSet, place: &Place) -> Option<Vec<Value>> {
    let mut new_parts = Vec::new();
    for file in &accepted.changes {
        let is_its_own = |part: &&Value| match super::tool_call::path_text(part) {
            Some(path) => place.requested(&path) == file.requested,
            None => true,
        };
        let mut part = parts.iter().find(is_its_own)?.clone();
        put_edit(&mut part, file)?;
        new_parts.push(part);
    }
    Some(new_parts)
}

/// Puts the one edit that makes the accepted text into the fields of an edit tool.
fn put_edit(part: &mut Value, file: &FileChange) -> Option<()> {
    let key_in = |keys: &[&'static str]| {
        keys.iter().copied().find(|key| part.get(*key).is_some_and(Value::is_string))
    };
    let (old_key, new_key) = (key_in(OLD)?, key_in(NEW)?);
    let after = text_of(file.after.as_ref()?)?;
    let (old, new) = match &file.before {
        Some(before) => single_edit(&text_of(before)?, &after)?,
        None => (String::new(), after),
    };
    part[old_key] = json!(old);
    part[new_key] = json!(new);
    for key in ALL {
        if part.get(*key).is_some() {
            part[*key] = json!(false);
        }
    }
    if part.get("expected_replacements").is_some() {
        part["expected_replacements"] = json!(1);
    }
    Some(())
}

/// Whole lines of the base that stand there once, and what takes their place.
fn single_edit(base: &str, target: &str) -> Option<(String, String)> {
    let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(base), lines(target));
    let shorter = old.len().min(new.len());
    let same_before = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let same_after = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(shorter - same_before)
        .take_while(|(one, other)| one == other)
        .count();
    let (mut before, mut after) = (same_before, same_after);
    loop {
        let part: String = old[before..old.len() - after].concat();
        if !part.is_empty() && base.matches(&part).count() == 1 {
            return Some((part, new[before..new.len() - after].concat()));
        }
        if before == 0 && after == 0 {
            return None;
        }
        before = before.saturating_sub(1);
        after = after.saturating_sub(1);
    }
}

/// The accepted changes in the patch form that the tool takes.
fn patch_of(accepted: &ChangeSet) -> Option<String> {
    let mut patch = "*** Begin Patch\n".to_owned();
    for file in &accepted.changes {
        let path = file.requested.as_str();
        match (&file.before, &file.after) {
            (None, Some(after)) => {
                patch.push_str(&format!("*** Add File: {path}\n"));
                let text = text_of(after).filter(|text| text.ends_with('\n'))?;
                text.lines().for_each(|line| patch.push_str(&format!("+{line}\n")));
            }
            (Some(_), None) => patch.push_str(&format!("*** Delete File: {path}\n")),
            (Some(before), Some(after)) if before.mode == after.mode => {
                patch.push_str(&format!("*** Update File: {path}\n"));
                patch.push_str(&hunks_of(before, after)?);
            }
            _ => return None,
        }
    }
    patch.push_str("*** End Patch\n");
    Some(patch)
}

fn hunks_of(before: &FileState, after: &FileState) -> Option<String> {
    let is_plain = |state: &FileState| text_of(state).is_some_and(|text| text.ends_with('\n'));
    if !is_plain(before) || !is_plain(after) {
        return None;
    }
    let mut text = String::new();
    for hunk in diff_hunks(&before.content, &after.content) {
        text.push_str("@@\n");
        for line in &hunk.lines {
            let sign = match line.kind {
                LineKind::Context => ' ',
                LineKind::Removed => '-',
                LineKind::Added => '+',
            };
            text.push(sign);
            text.push_str(std::str::from_utf8(&line.text).ok()?);
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(base: &str, target: &str) {
        let (old, new) = single_edit(base, target).expect("an edit");
        assert_eq!(base.matches(&old).count(), 1, "{old:?}");
        assert_eq!(base.replacen(&old, &new, 1), target);
    }

    #[test]
    fn one_edit_leads_from_the_base_to_the_target() {
        check("a\nb\nc\n", "a\nB\nc\n");
        check("a\na\na\n", "a\nx\na\n");
        check("a\nb\n", "a\nb\nc\n");
        check("a\nb\n", "x\na\nb\n");
        check("a\nb\nc\nd\n", "a\nd\n");
        check("x\nx\nx\nx\n", "x\nx\nx\n");
        check("no end", "no end at all");
        assert_eq!(single_edit("", "x\n"), None);
    }
}
