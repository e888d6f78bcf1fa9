//! What the engine says of the files that a shell command would touch.
//!
//! A patch in a here-document is judged like the patch tool. Of every other
//! write only the place is known, so only what the write guard says of the
//! place counts. What cannot be known passes; the tree shows it afterwards.

use gatewright_engine::{Base, EngineError, Operation};
use gatewright_model::{Finding, Guard, Mode, RequestedPath, Resolution, Severity, TargetKind};

use super::paths::Place;
use super::shell::{Effect, effects, parse};
use super::tool_call::patch_text;
use super::verdict::{Decision, Door, MANUAL, failure, reason};

/// Stands for content that is not known.
const PROBE: &[u8] = b"content that a command would write\n";

/// Judges a command.
pub fn judge(door: &Door, command: &str) -> Decision {
    let mut place = door.place.clone();
    let mut found = Decision::Neutral;
    for effect in effects(&parse(command)) {
        if let Effect::Enter(directory) = &effect {
            place = place.entering(directory);
            continue;
        }
        found = stricter(found, of_effect(door, &place, effect));
        if matches!(found, Decision::Deny(_)) {
            break;
        }
    }
    match found {
        Decision::Ask(reason) if !door.event.host.can_ask() => {
            Decision::Deny(format!("{reason}\nNext: ask the person to run the command"))
        }
        other => other,
    }
}

fn of_effect(door: &Door, place: &Place, effect: Effect) -> Decision {
    let writes = matches!(effect, Effect::Write { .. } | Effect::WriteInto { .. });
    if writes && door.holds_placeholders() {
        let reason = "the command would write a placeholder over the value that it hides. Next: \
                      use an edit tool, which keeps the value";
        return Decision::Deny(reason.to_owned());
    }
    match effect {
        Effect::Enter(_) => Decision::Neutral,
        Effect::PersonOnly(what) => Decision::Deny(format!(
            "`{what}` is for a person, not for an agent. Next: ask them to run it in a terminal"
        )),
        Effect::Patch(text) => match patch_text(&text, place) {
            // The command stays as it is, so an allowed patch needs no word.
            Ok(change) => match door.judge(&change) {
                Decision::Allow => Decision::Neutral,
                other => other,
            },
            Err(reason) => Decision::Deny(format!("the patch cannot be read: {reason}")),
        },
        Effect::Write { path, content } => {
            of_paths(door, vec![place.requested(&path)], content.map(String::into_bytes))
        }
        Effect::WriteInto { target, names } => {
            of_paths(door, targets(door, place, &target, &names), None)
        }
        Effect::Remove(path) => of_paths(door, removed(door, place, &path), None),
        Effect::Tree(what) => of_tree(door, &what),
    }
}

/// A command that rewrites files it does not name.
fn of_tree(door: &Door, what: &str) -> Decision {
    match door.engine.autonomy().map(|autonomy| autonomy.mode) {
        Ok(Mode::Autonomous) => Decision::Neutral,
        Ok(Mode::Manual) => Decision::Deny(MANUAL.to_owned()),
        Ok(Mode::Hybrid) => {
            Decision::Ask(format!("`{what}` rewrites files without a review by hunks"))
        }
        Err(error) => Decision::Deny(failure(&error)),
    }
}

fn of_paths(door: &Door, paths: Vec<RequestedPath>, content: Option<Vec<u8>>) -> Decision {
    let mode = door.engine.autonomy().map(|autonomy| autonomy.mode);
    let mut findings = Vec::new();
    for path in paths {
        match place_findings(door, path, content.as_deref()) {
            Ok(found) => findings.extend(found),
            Err(error) => return Decision::Deny(failure(&error)),
        }
    }
    match (findings.iter().map(|finding| finding.severity).max(), mode) {
        (Some(Severity::Refuse), _) => Decision::Deny(reason(&findings)),
        (_, Ok(Mode::Manual)) => Decision::Deny(MANUAL.to_owned()),
        (_, Err(error)) => Decision::Deny(failure(&error)),
        (Some(Severity::Confirm), _) => Decision::Ask(reason(&findings)),
        _ => Decision::Neutral,
    }
}

/// What the write guard says of a place.
fn place_findings(
    door: &Door,
    path: RequestedPath,
    content: Option<&[u8]>,
) -> Result<Vec<Finding>, EngineError> {
    let content = content.unwrap_or(PROBE).to_vec();
    let request = door.request(vec![Operation::Write { path, content, base: Base::Current }]);
    let checked = match door.engine.check(&request) {
        Ok(checked) => checked,
        Err(EngineError::Empty) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let of_write = checked.findings.into_iter().filter(|finding| finding.guard == Guard::Write);
    Ok(of_write.collect())
}

/// The files that a copy makes: the target, or names below it where it is a directory.
fn targets(door: &Door, place: &Place, target: &str, names: &[String]) -> Vec<RequestedPath> {
    let path = place.requested(target);
    if !target.ends_with('/') && !is_directory(door, &path) {
        return vec![path];
    }
    let target = target.trim_end_matches('/');
    let below = names.iter().map(|name| {
        let name = name.rsplit('/').next().unwrap_or(name);
        place.requested(&format!("{target}/{name}"))
    });
    below.collect()
}

/// What a removal touches: a file, or what stands below a directory.
fn removed(door: &Door, place: &Place, path: &str) -> Vec<RequestedPath> {
    let requested = place.requested(path);
    let shown = requested.as_str().trim_end_matches('/');
    if matches!(shown, "." | "") {
        return vec![RequestedPath::new(".git/config")];
    }
    if is_directory(door, &RequestedPath::new(shown)) {
        return vec![RequestedPath::new(format!("{shown}/file"))];
    }
    vec![RequestedPath::new(shown)]
}

fn is_directory(door: &Door, path: &RequestedPath) -> bool {
    match door.engine.workspace().facts(path).resolution {
        Resolution::Inside(target) => target.kind == TargetKind::Directory,
        Resolution::Failed(_) => path.as_str() == ".",
    }
}

fn stricter(one: Decision, other: Decision) -> Decision {
    let rank = |decision: &Decision| match decision {
        Decision::Neutral => 0,
        Decision::Allow => 1,
        Decision::Rewrite { .. } => 2,
        Decision::Ask(_) => 3,
        Decision::Deny(_) => 4,
    };
    if rank(&other) > rank(&one) { other } else { one }
}
