//! What the engine says of the files that a shell command would touch.
//!
//! A patch, and a text that the command line holds whole, are judged like the
//! tools that write them. Of every other write only the place is known, so only
//! what the write guard says of the place counts; where changes are reviewed
//! first, a person is asked. What cannot be known passes; the tree shows it
//! afterwards.

use gatewright_engine::{Base, EngineError, Operation};
use gatewright_model::{Finding, Guard, Mode, RequestedPath, Severity, Verdict};

use super::notebook::text_on_disk;
use super::shell::{Effect, effects};
use super::shell_files::ShellFiles;
use super::tool_call::{Change, patch_text};
use super::verdict::{Decision, Door, MANUAL, failure, reason};

/// Stands for content that is not known.
const PROBE: &[u8] = b"content that a command would write\n";
/// How many files a question names.
const SHOWN: usize = 3;

/// Judges a command.
pub fn judge(door: &Door, command: &str) -> Decision {
    let files = ShellFiles { door };
    let mut judged =
        Judged { door, files: &files, operations: Vec::new(), found: Decision::Neutral };
    let (effects, is_whole) = effects(command, &files);
    for effect in effects {
        judged.take(effect);
        if matches!(judged.found, Decision::Deny(_)) {
            break;
        }
    }
    match judged.finish(is_whole) {
        Decision::Ask(reason) if !door.event.host.can_ask() => {
            Decision::Deny(format!("{reason}\nNext: ask the person to run the command"))
        }
        other => other,
    }
}

/// What was found of a command so far.
struct Judged<'a, 'b> {
    door: &'a Door<'b>,
    files: &'a ShellFiles<'a, 'b>,
    /// What it does, where all of it is known.
    operations: Vec<Operation>,
    found: Decision,
}

impl Judged<'_, '_> {
    fn take(&mut self, effect: Effect) {
        let decision = self.of_effect(effect);
        let found = std::mem::replace(&mut self.found, Decision::Neutral);
        self.found = stricter(found, decision);
    }

    fn of_effect(&mut self, effect: Effect) -> Decision {
        let writes = matches!(effect, Effect::Write { .. } | Effect::WriteInto { .. });
        if writes && self.door.holds_placeholders() {
            let reason = "the command would write a placeholder over the value that it hides. \
                          Next: use an edit tool, which keeps the value";
            return Decision::Deny(reason.to_owned());
        }
        match effect {
            Effect::PersonOnly(what) => Decision::Deny(format!(
                "`{what}` is for a person, not for an agent. Next: ask them to run it in a terminal"
            )),
            Effect::TooMuch => Decision::Deny(
                "the command does too much at once to be followed, so it is not run. Next: run it \
                 in parts"
                    .to_owned(),
            ),
            Effect::Patch { text, directory } => {
                let place = match directory.as_str() {
                    "" => self.door.place.clone(),
                    _ => self.door.place.entering(self.files.landing(&directory).as_str()),
                };
                match patch_text(&text, &place) {
                    Ok(change) => self.operations.extend(change.operations),
                    Err(reason) => {
                        return Decision::Deny(format!("the patch cannot be read: {reason}"));
                    }
                }
                Decision::Neutral
            }
            Effect::Write { path, content: Some(content), appends } => {
                self.write(self.files.landing(&path), content, appends)
            }
            Effect::Write { path, content: None, .. } => {
                self.of_paths(vec![self.files.landing(&path)])
            }
            Effect::WriteInto { target, names, text } => {
                let mut places = self.files.targets(&target, &names);
                match (text, places.pop()) {
                    (Some(text), Some(only)) if places.is_empty() => self.write(only, text, false),
                    (_, last) => self.of_paths(places.into_iter().chain(last).collect()),
                }
            }
            Effect::Remove(path) => self.of_paths(self.files.removed(&path)),
            Effect::Reach(path) => self.of_reach(&path),
            Effect::Tree { what, directory } => self.of_tree(&what, &directory),
        }
    }

    /// A file whose new text is known whole.
    fn write(&mut self, place: RequestedPath, content: String, appends: bool) -> Decision {
        if self.door.engine.is_ignored(place.as_str()) {
            return self.of_paths(vec![place]);
        }
        let is_same = |operation: &Operation| matches!(operation, Operation::Write { path, .. } if *path == place);
        let earlier = self.operations.iter().position(is_same).map(|at| self.operations.remove(at));
        let before = match earlier {
            Some(Operation::Write { content, .. }) => Some(content),
            _ => text_on_disk(self.door.engine, &place).map(String::into_bytes),
        };
        let mut bytes = before.filter(|_| appends).unwrap_or_default();
        bytes.extend(content.into_bytes());
        self.operations.push(Operation::Write { path: place, content: bytes, base: Base::Current });
        Decision::Neutral
    }

    /// A place that is reached without a file being written there: only a refusal counts.
    fn of_reach(&self, path: &str) -> Decision {
        let place = self.files.landing(path);
        let place = match self.files.is_directory(&place) {
            true => RequestedPath::new(format!("{place}/file")),
            false => place,
        };
        match place_findings(self.door, place) {
            Ok(found) if worst(&found) == Some(Severity::Refuse) => Decision::Deny(reason(&found)),
            Ok(_) => Decision::Neutral,
            Err(error) => Decision::Deny(failure(&error)),
        }
    }

    /// A command that rewrites files it does not name.
    fn of_tree(&self, what: &str, directory: &str) -> Decision {
        let reached = match directory {
            "" => Decision::Neutral,
            _ => self.of_reach(&format!("{directory}/file")),
        };
        if matches!(reached, Decision::Deny(_)) {
            return reached;
        }
        match self.door.engine.autonomy().map(|autonomy| autonomy.mode) {
            Ok(Mode::Autonomous) => Decision::Neutral,
            Ok(Mode::Manual) => Decision::Deny(MANUAL.to_owned()),
            Ok(Mode::Hybrid) => {
                Decision::Ask(format!("`{what}` rewrites files without a review by hunks"))
            }
            Err(error) => Decision::Deny(failure(&error)),
        }
    }

    fn of_paths(&self, paths: Vec<RequestedPath>) -> Decision {
        let mode = self.door.engine.autonomy().map(|autonomy| autonomy.mode);
        let mut findings = Vec::new();
        for path in &paths {
            match place_findings(self.door, path.clone()) {
                Ok(found) => findings.extend(found),
                Err(error) => return Decision::Deny(failure(&error)),
            }
        }
        let is_watched = |path: &&RequestedPath| !self.door.engine.is_ignored(path.as_str());
        match (worst(&findings), mode) {
            (Some(Severity::Refuse), _) => Decision::Deny(reason(&findings)),
            (_, Ok(Mode::Manual)) => Decision::Deny(MANUAL.to_owned()),
            (_, Err(error)) => Decision::Deny(failure(&error)),
            (Some(Severity::Confirm), _) => Decision::Ask(reason(&findings)),
            (_, Ok(Mode::Hybrid)) if paths.iter().any(|path| is_watched(&path)) => {
                Decision::Ask(unreviewed(&paths))
            }
            _ => Decision::Neutral,
        }
    }

    /// The decision, once everything that is known whole is judged too.
    fn finish(self, is_whole: bool) -> Decision {
        if self.operations.is_empty() || matches!(self.found, Decision::Deny(_)) {
            return self.found;
        }
        let is_patch = |operation: &Operation| !matches!(operation, Operation::Write { .. });
        let mode = self.door.engine.autonomy().map(|autonomy| autonomy.mode);
        // What the person at the host can be asked is asked there, unless all is reviewed first.
        let is_staged = self.operations.iter().any(is_patch)
            || !matches!(mode, Ok(Mode::Autonomous))
            || !self.door.event.host.can_ask();
        let change = Change { operations: self.operations, whole: None };
        let decision = match is_whole && is_staged && self.found == Decision::Neutral {
            true => self.door.judge(&change),
            false => of_part(self.door, &change),
        };
        // The command stays as it is, so what is allowed needs no word.
        match decision {
            Decision::Allow => self.found,
            other => stricter(self.found, other),
        }
    }
}

/// A change that is only a part of what a command does: it cannot be staged without the rest.
fn of_part(door: &Door, change: &Change) -> Decision {
    let mode = door.engine.autonomy().map(|autonomy| (autonomy.mode, autonomy.suggest_only));
    match (door.engine.check(&door.request(change.operations.clone())), mode) {
        // What another part of the command writes may be read by this one: that nothing would
        // change is not sure.
        (Err(EngineError::Empty), Ok((Mode::Hybrid, _))) => {
            Decision::Ask(unreviewed(&change.paths()))
        }
        (Err(EngineError::Empty), Ok((Mode::Manual, _))) => Decision::Deny(MANUAL.to_owned()),
        (Err(EngineError::Empty), Ok(_)) => Decision::Neutral,
        (Err(error), _) | (_, Err(error)) => Decision::Deny(failure(&error)),
        (Ok(checked), _) if checked.verdict == Verdict::Refuse => door.judge(change),
        (Ok(_), Ok((Mode::Manual, _))) => door.judge(change),
        (Ok(checked), Ok((Mode::Autonomous, false))) if checked.verdict == Verdict::Pass => {
            door.judge(change)
        }
        (Ok(checked), _) if checked.verdict > Verdict::Pass => {
            Decision::Ask(reason(&checked.findings))
        }
        _ => Decision::Ask(unreviewed(&change.paths())),
    }
}

/// Why a person is asked of files that only the command names.
fn unreviewed(paths: &[RequestedPath]) -> String {
    let mut shown: Vec<&str> = paths.iter().take(SHOWN).map(RequestedPath::as_str).collect();
    if paths.len() > SHOWN {
        shown.push("and more");
    }
    format!(
        "the command changes {} without a review by hunks. An edit tool, or the gatewright tools, \
         would stage the change for a person",
        shown.join(", ")
    )
}

fn worst(findings: &[Finding]) -> Option<Severity> {
    findings.iter().map(|finding| finding.severity).max()
}

/// What the write guard says of a place.
fn place_findings(door: &Door, path: RequestedPath) -> Result<Vec<Finding>, EngineError> {
    let content = PROBE.to_vec();
    let request = door.request(vec![Operation::Write { path, content, base: Base::Current }]);
    let checked = match door.engine.check(&request) {
        Ok(checked) => checked,
        Err(EngineError::Empty) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let of_write = checked.findings.into_iter().filter(|finding| finding.guard == Guard::Write);
    Ok(of_write.collect())
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
