//! Placeholders that come back through every way of changing a file: random edits around, across
//! and inside of hidden values keep them, or are refused and change nothing.

use gatewright_engine::intake::parse_patch;
use gatewright_engine::{
    Base, CodeAction, CodeEdit, CodeStep, Disposition, Engine, EngineError, Operation, Outcome,
    Request,
};
use gatewright_model::{Agent, Door, Mode, RequestedPath, TextEdit};
use gatewright_testkit::{Random, Scratch, cases, seed};

use crate::client::engine;

/// A line as it is shown, and the one or more lines that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    shown: String,
    real: String,
}

impl Line {
    fn plain(text: String) -> Self {
        Self { shown: text.clone(), real: text }
    }

    fn hiding(head: &str, kind: &str, value: &str, tail: &str) -> Self {
        Self {
            shown: format!("{head}[REDACTED:{kind}]{tail}"),
            real: format!("{head}{value}{tail}"),
        }
    }

    fn with_both(&mut self, change: impl Fn(&str) -> String) {
        self.shown = change(&self.shown);
        self.real = change(&self.real);
    }
}

fn shown(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.shown)).collect()
}

fn real(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.real)).collect()
}

fn letters(random: &mut Random, alphabet: &[u8], count: usize) -> String {
    (0..count).map(|_| char::from(*random.pick(alphabet))).collect()
}

const MIXED: &[u8] = b"ABCDEFGHJKMNPQRSTUVWYZabcdefghjkmnpqrstuvwyz23456789";

fn pem(random: &mut Random, indent: &str) -> String {
    let body: String =
        (0..6).map(|_| format!("{indent}MC4C{}\n", letters(random, MIXED, 60))).collect();
    format!("-----BEGIN PRIVATE KEY-----\n{body}{indent}-----END PRIVATE KEY-----")
}

/// A line of a settings file; `number` makes its name unique.
fn line(random: &mut Random, number: usize, indent: &str) -> Line {
    let name = letters(random, b"abcdefgh", 3);
    match random.below(6) {
        0 => {
            let value = format!("Z{}4{}!", letters(random, b"bcdfgklm", 3), number % 90 + 10);
            let head = format!("{indent}{name}{number}_password = \"");
            Line::hiding(&head, "password", &value, "\"")
        }
        1 | 2 => {
            let value = format!("q7Z{}", letters(random, MIXED, 25));
            let head = format!("{indent}{name}{number}_api_token = \"");
            Line::hiding(&head, "api-key", &value, "\"")
        }
        3 if number.is_multiple_of(3) => {
            let head = format!("{indent}{name}{number} = \"\"\"");
            Line::hiding(&head, "private-key", &pem(random, indent), "\"\"\"")
        }
        _ => Line::plain(format!("{indent}{name}{number} = {number}")),
    }
}

/// What an agent may do to lines that it sees; the values go with their placeholders.
fn change(random: &mut Random, lines: &mut Vec<Line>) {
    for _ in 0..=random.below(3) {
        let at = random.below(lines.len());
        match random.below(5) {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 if at > 0 => lines.swap(at - 1, at),
            2 => lines[at].with_both(|text| format!("{text} # kept")),
            3 if lines[at].shown.contains('"') => lines[at].with_both(|text| format!("{text};")),
            _ => lines.insert(at, Line::plain(format!("fresh{} = 1", random.below(1000)))),
        }
    }
}

fn is_applied(outcome: &Outcome) -> bool {
    matches!(outcome.disposition, Disposition::Applied)
}

struct Place {
    scratch: Scratch,
    engine: Engine,
    path: &'static str,
}

impl Place {
    fn new(path: &'static str) -> Self {
        let scratch = Scratch::new();
        scratch.write(path, "");
        let engine = engine(&scratch, Mode::Autonomous);
        Self { scratch, engine, path }
    }

    /// Puts the file there; false where chance made a value that is taken for a dummy.
    fn hold(&self, lines: &[Line]) -> bool {
        self.scratch.write(self.path, real(lines));
        self.engine.egress().seal(&real(lines)).into_inner() == shown(lines)
    }

    fn request(&self, operations: Vec<Operation>) -> Request {
        Request {
            agent: Agent { name: "test".to_owned(), version: String::new(), door: Door::Mcp },
            run_id: "r".to_owned(),
            autonomy: None,
            operations,
        }
    }

    fn text(&self) -> String {
        self.scratch.read_text(self.path)
    }

    /// The file afterwards is `after` where the change was made, and as before where it was not.
    fn check(&self, made: Result<Outcome, EngineError>, before: &[Line], after: &str) -> bool {
        match made {
            // A person looks at what would write a value under another name.
            Ok(outcome) if !is_applied(&outcome) => {
                assert_eq!(self.text(), real(before));
                return false;
            }
            Ok(_) => assert_eq!(self.text(), after, "\nwas {}", real(before)),
            Err(error) => {
                assert_eq!(self.text(), real(before), "a refusal changes nothing");
                let message = error.to_string();
                let secrets = before.iter().filter(|line| line.shown != line.real);
                for line in secrets {
                    assert!(!message.contains(&line.real), "{message}");
                }
                return false;
            }
        }
        true
    }

    fn propose(&self, operations: Vec<Operation>, before: &[Line], after: &str) -> bool {
        let made = self.engine.propose(self.request(operations));
        self.check(made, before, after)
    }
}

fn path_of(place: &Place) -> RequestedPath {
    RequestedPath::new(place.path)
}

fn edit_of(old: String, new: String) -> TextEdit {
    TextEdit { old, new, replace_all: false }
}

/// A stretch of lines before and after a change of it.
struct Stretch {
    first: usize,
    old: Vec<Line>,
    new: Vec<Line>,
}

/// Up to three stretches that do not touch, from the top down, and the whole file after them.
fn stretches(random: &mut Random, lines: &[Line]) -> (Vec<Stretch>, Vec<Line>) {
    let mut found = Vec::new();
    let mut after = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if found.len() < 3 && random.one_in(4) {
            let end = (at + 1 + random.below(4)).min(lines.len());
            let old = lines[at..end].to_vec();
            let mut new = old.clone();
            change(random, &mut new);
            after.extend(new.clone());
            found.push(Stretch { first: at, old, new });
            at = end;
        }
        // What stands between two stretches belongs to neither.
        let between = (at + 2).min(lines.len());
        after.extend_from_slice(&lines[at..between]);
        at = between;
    }
    (found, after)
}

fn edits(random: &mut Random, stretches: &[Stretch]) -> Vec<TextEdit> {
    let mut edits: Vec<TextEdit> =
        stretches.iter().map(|one| edit_of(shown(&one.old), shown(&one.new))).collect();
    if edits.len() > 1 && random.one_in(2) {
        edits.swap(0, 1);
    }
    edits
}

/// The stretches as hunks with one line of context on either side where there is one.
fn hunks(stretches: &[Stretch], lines: &[Line], is_unified: bool) -> String {
    let mut text = String::new();
    let mut shift = 0isize;
    for one in stretches {
        let above = one.first.checked_sub(1).map(|at| &lines[at]);
        let below = lines.get(one.first + one.old.len());
        let context = usize::from(above.is_some()) + usize::from(below.is_some());
        let start = one.first + usize::from(above.is_none());
        let (old, new) = (one.old.len() + context, one.new.len() + context);
        let new_start = start.saturating_add_signed(shift);
        shift += new.cast_signed() - old.cast_signed();
        match is_unified {
            true => text.push_str(&format!("@@ -{start},{old} +{new_start},{new} @@\n")),
            false => text.push_str("@@\n"),
        }
        let mut push = |sign: char, line: &Line| text.push_str(&format!("{sign}{}\n", line.shown));
        above.iter().for_each(|line| push(' ', line));
        one.old.iter().for_each(|line| push('-', line));
        one.new.iter().for_each(|line| push('+', line));
        below.iter().for_each(|line| push(' ', line));
    }
    text
}

fn patch(place: &Place, stretches: &[Stretch], lines: &[Line], is_unified: bool) -> Vec<Operation> {
    let hunks = hunks(stretches, lines, is_unified);
    let path = place.path;
    let text = match is_unified {
        true => format!("--- a/{path}\n+++ b/{path}\n{hunks}"),
        false => format!("*** Begin Patch\n*** Update File: {path}\n{hunks}*** End Patch\n"),
    };
    parse_patch(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn edits_patches_and_whole_writes_keep_every_value_or_change_nothing() {
    let place = Place::new("notes.txt");
    let random = &mut Random::new(seed());
    let (mut tried, mut made) = ([0; 4], [0; 4]);
    for _ in 0..cases(240) {
        let count = 4 + random.below(12);
        let lines: Vec<Line> = (0..count).map(|number| line(random, number, "")).collect();
        if !place.hold(&lines) {
            continue;
        }
        let (stretches, after) = stretches(random, &lines);
        if stretches.iter().all(|one| one.old == one.new) {
            continue;
        }
        let path = path_of(&place);
        let way = random.below(4);
        let operations = match way {
            0 => {
                let edits = edits(random, &stretches);
                vec![Operation::Edit { path, edits, base: Base::Current }]
            }
            1 => patch(&place, &stretches, &lines, true),
            2 => patch(&place, &stretches, &lines, false),
            _ => {
                let content = shown(&after).into_bytes();
                vec![Operation::Write { path, content, base: Base::Current }]
            }
        };
        tried[way] += 1;
        made[way] += usize::from(place.propose(operations, &lines, &real(&after)));
    }
    for (made, tried) in made.into_iter().zip(tried) {
        assert!(made * 4 >= tried * 3, "only {made} of {tried} could be made");
    }
}

#[test]
fn a_batch_of_changes_to_one_file_sees_what_the_ones_before_it_made() {
    let place = Place::new("notes.txt");
    let random = &mut Random::new(seed());
    let mut made = 0;
    let total = cases(80);
    for _ in 0..total {
        let count = 4 + random.below(8);
        let lines: Vec<Line> = (0..count).map(|number| line(random, number, "")).collect();
        if !place.hold(&lines) {
            continue;
        }
        let mut now = lines.clone();
        let mut operations = Vec::new();
        for step in 0..3 {
            let (stretches, after) = stretches(random, &now);
            if stretches.is_empty() || after.is_empty() {
                continue;
            }
            let edits = edits(random, &stretches);
            let path = path_of(&place);
            operations.extend(match step {
                0 => vec![Operation::Edit { path, edits, base: Base::Current }],
                1 => patch(&place, &stretches, &now, true),
                _ => patch(&place, &stretches, &now, false),
            });
            now = after;
        }
        if real(&now) == real(&lines) {
            continue;
        }
        made += u64::from(place.propose(operations, &lines, &real(&now)));
    }
    assert!(made * 2 >= total, "only {made} of {total} could be made");
}

#[test]
fn an_edit_of_any_bytes_of_the_view_cuts_no_placeholder() {
    let place = Place::new("notes.txt");
    let random = &mut Random::new(seed());
    for _ in 0..cases(200) {
        let count = 2 + random.below(6);
        let lines: Vec<Line> = (0..count).map(|number| line(random, number, "")).collect();
        if !place.hold(&lines) {
            continue;
        }
        let view = shown(&lines);
        let from = random.below(view.len());
        let to = (from + 1 + random.below(60)).min(view.len());
        let old = &view[from..to];
        let new = random.pick(&["", "x", "[REDACTED:api-key]", "[REDACTED:password]"]);
        let edits = vec![edit_of(old.to_owned(), (*new).to_owned())];
        let operation = Operation::Edit { path: path_of(&place), edits, base: Base::Current };
        let made = place.engine.propose(place.request(vec![operation]));
        let after = place.text();
        if !made.is_ok_and(|outcome| is_applied(&outcome)) {
            assert_eq!(after, real(&lines), "a refusal changes nothing");
        } else if new.starts_with('[') {
            // Where nothing is hidden a placeholder is a text like any other.
            let is_hidden = shown(&lines) != real(&lines);
            assert!(!is_hidden || !after.contains("[REDACTED:"), "{old:?} -> {new:?}");
        } else {
            // The letters of a placeholder are no place where a text stands.
            let places = view.match_indices(old).map(|(at, _)| at);
            let mut meant = places.filter_map(|at| spliced(&lines, at, at + old.len(), new));
            assert!(meant.any(|text| text == after), "{old:?} -> {new:?}: {after}");
        }
    }
}

/// The file after these bytes of its view became `new`; `None` where they cut a placeholder.
fn spliced(lines: &[Line], from: usize, to: usize, new: &str) -> Option<String> {
    let mut text = String::new();
    let mut at = 0;
    let mut is_done = false;
    for line in lines {
        let (shown, real) = (format!("{}\n", line.shown), format!("{}\n", line.real));
        let open = shown.find("[REDACTED:").unwrap_or(shown.len());
        let close = shown[open..].find(']').map_or(open, |close| open + close + 1);
        let hidden = &real[open..real.len() - (shown.len() - close)];
        let pieces = [
            (0..open, &real[..open]),
            (open..close, hidden),
            (close..shown.len(), &shown[close..]),
        ];
        for (range, real) in pieces {
            let (start, end) = (at + range.start, at + range.end);
            let is_hidden = range.start == open && !hidden.is_empty();
            let is_cut = is_hidden && start < to && from < end && (start < from || to < end);
            if is_cut {
                return None;
            }
            if is_hidden {
                text.push_str(if from <= start && end <= to { "" } else { real });
            } else {
                text.extend(
                    real.char_indices()
                        .filter(|(index, _)| !(from..to).contains(&(start + index)))
                        .map(|(_, letter)| letter),
                );
            }
            if to <= end && !is_done {
                let behind = if is_hidden { 0 } else { end - to };
                text.insert_str(text.len() - behind, new);
                is_done = true;
            }
        }
        at += shown.len();
    }
    Some(text)
}

/// A file of functions, each with lines of its own.
fn functions(random: &mut Random) -> Vec<Vec<Line>> {
    let mut number = 0;
    (0..2 + random.below(3))
        .map(|function| {
            let mut lines = vec![Line::plain(format!("def f{function}():"))];
            for _ in 0..1 + random.below(4) {
                number += 1;
                lines.push(line(random, number, "    "));
            }
            lines.push(Line::plain(format!("    return {function}")));
            lines.extend([Line::plain(String::new()), Line::plain(String::new())]);
            lines
        })
        .collect()
}

#[test]
fn a_symbol_edit_keeps_the_values_of_its_symbol_and_of_all_others() {
    let place = Place::new("m.py");
    let random = &mut Random::new(seed());
    let mut made = 0;
    let total = cases(120);
    for _ in 0..total {
        let mut functions = functions(random);
        if let Some(last) = functions.last_mut() {
            last.truncate(last.len() - 2);
        }
        let lines = functions.concat();
        if !place.hold(&lines) {
            continue;
        }
        let at = random.below(functions.len());
        let function = &mut functions[at];
        let end = function.iter().position(|line| line.shown.starts_with("    return"));
        let mut body = function[1..end.unwrap_or(1)].to_vec();
        change(random, &mut body);
        body.iter_mut().filter(|line| line.shown.starts_with("fresh")).for_each(|line| {
            line.with_both(|text| format!("    {text}"));
        });
        let rest = function.split_off(end.unwrap_or(1));
        function.truncate(1);
        function.extend(body);
        let text = format!("{}{}", shown(function), rest[0].shown);
        function.extend(rest);
        let edit = CodeEdit {
            path: path_of(&place),
            symbol: format!("f{at}"),
            overload: None,
            action: CodeAction::Replace(text),
            expect: None,
            then: Vec::new(),
        };
        let outcome = place.engine.edit_code(&edit, place.request(Vec::new()));
        let after = real(&functions.concat());
        if after == real(&lines) {
            continue;
        }
        made += u64::from(place.check(outcome.map(|made| made.outcome), &lines, &after));
    }
    assert!(made * 4 >= total * 3, "only {made} of {total} could be made");
}

#[test]
fn the_steps_behind_a_symbol_edit_keep_hidden_values_too() {
    let place = Place::new("m.py");
    let token = |value: &str| format!("    api_token = \"{value}\"\n");
    let (one, two) = ("q7ZxbcFoo9LbT4sKd8RfW3nYcP2m", "q7ZhM4tRw8KpY2dLs6VbX9nCgF5j");
    let file = |head: &str, one: &str, two: &str| {
        let (one, two) = (token(one), token(two));
        format!("{head} = 1\n\n\ndef a():\n{one}    return 1\n\n\ndef b():\n{two}    return 2\n")
    };
    place.scratch.write("m.py", file("x", one, two));
    let body = format!("def b():\n{}    return 3", token("[REDACTED:api-key]"));
    let edit = CodeEdit {
        path: path_of(&place),
        symbol: "b".to_owned(),
        overload: None,
        action: CodeAction::Replace(body),
        expect: None,
        then: vec![CodeStep::Text(edit_of("x = 1".to_owned(), "y = 1".to_owned()))],
    };
    place.engine.edit_code(&edit, place.request(Vec::new())).unwrap();
    assert_eq!(place.text(), file("y", one, two).replace("return 2", "return 3"));
}

#[test]
fn what_a_symbol_edit_cannot_match_is_refused_with_the_reason() {
    let place = Place::new("m.py");
    let before = "def a():\n    one_password = \"Zebra7!x\"\n    two_password = \"Lemon8!y\"\n    \
                  return 1\n";
    place.scratch.write("m.py", before);
    let edited = |action: CodeAction| {
        let edit = CodeEdit {
            path: path_of(&place),
            symbol: "a".to_owned(),
            overload: None,
            action,
            expect: None,
            then: Vec::new(),
        };
        let refused = place.engine.edit_code(&edit, place.request(Vec::new()));
        let message = refused.map(drop).unwrap_err().to_string();
        assert_eq!(place.text(), before);
        message
    };
    let of_kind = "def a():\n    key = \"[REDACTED:api-key]\"\n    return 1";
    assert!(edited(CodeAction::Replace(of_kind.to_owned())).contains("[REDACTED:api-key]"));
    let which = "def a():\n    password = \"[REDACTED:password]\"\n    return 1";
    let message = edited(CodeAction::Replace(which.to_owned()));
    assert!(message.contains("one at a time"), "{message}");
    let beside = CodeAction::Insert {
        position: "after".to_owned(),
        body: "def b():\n    x_password = \"[REDACTED:password]\"\n    return 1".to_owned(),
    };
    assert!(edited(beside).contains("[REDACTED:password]"));
}
