//! Accidents in any order: edits by others, servers that die, hang, babble, or answer for
//! another text. Whatever happens, what is written is a rename of what is there.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use gatewright_languages::lsp::client::Client;
use gatewright_languages::lsp::position::{Places, PositionEncoding, Range};
use gatewright_languages::lsp::project::occurrences;
use gatewright_languages::lsp::rename::{RenameLimits, RenamePlan, RenameTask, rename};
use gatewright_languages::lsp::sync::Told;
use gatewright_testkit::{Random, cases, seed};
use regex::Regex;
use serde_json::{Map, Value, json};

use crate::fixture::project_of;
use crate::scripted::{Part, Reaction, Seen, Stage, address, client};

type Disk = BTreeMap<String, String>;

const LIMITS: RenameLimits =
    RenameLimits { ready: Duration::from_secs(3), answer: Duration::from_secs(2) };

/// Every text that a server was ever shown, so that it can answer from an old one.
type Past = Rc<RefCell<Vec<BTreeMap<String, String>>>>;

#[test]
fn no_accident_leads_to_a_wrong_write() {
    let seed = seed();
    let (mut written, mut refused) = (0, 0);
    for case in 0..cases(400) {
        let mut random = Random::new(seed.wrapping_add(case));
        let (yes, no) = play(&mut random, case);
        written += yes;
        refused += no;
    }
    println!("{written} renames written, {refused} refused");
    assert!(written > 0 && refused > 0, "the accidents are neither harmless nor fatal");
}

/// One life of a workspace: some renames by one client after another, with accidents.
fn play(random: &mut Random, case: u64) -> (usize, usize) {
    let mut disk = first_disk(random);
    let mut name = "total".to_owned();
    let mut server: Option<(Client<Stage>, Told)> = None;
    let (mut written, mut refused) = (0, 0);
    for step in 0..4 {
        edit_by_others(&mut disk, &name, random);
        let base = disk.clone();
        let new = format!("name_{step}");
        let Some(task) = task(&base, &name, &new) else { break };
        let (client, told) = server.get_or_insert_with(|| fresh(random));
        let files: Vec<(String, String)> = base.clone().into_iter().collect();
        let outcome = rename(client, told, &project_of(&files), &task, LIMITS);
        if random.one_in(3) {
            edit_by_others(&mut disk, &name, random);
        }
        match outcome {
            Ok(plan) if write(&mut disk, &base, &plan) => {
                check(&base, &disk, &plan, (&name, &new), case);
                name = new;
                written += 1;
            }
            Ok(_) => refused += 1,
            Err(_) => {
                refused += 1;
                if random.one_in(2) {
                    server = None;
                }
            }
        }
        if let Some((client, _)) = server.as_mut().filter(|_| random.one_in(5)) {
            client.link().kill();
        }
    }
    (written, refused)
}

/// All files or none: a base that changed meanwhile stops the write, as the pipeline does.
fn write(disk: &mut Disk, base: &Disk, plan: &RenamePlan) -> bool {
    let is_fresh = plan.files.iter().all(|file| disk.get(&file.path) == base.get(&file.path));
    if is_fresh {
        for file in &plan.files {
            disk.insert(file.path.clone(), file.after.clone());
        }
    }
    is_fresh
}

/// The law, told a second time and in other words than the code tells it.
fn check(base: &Disk, disk: &Disk, plan: &RenamePlan, names: (&str, &str), case: u64) {
    let words = Regex::new(r"\w+|\W").expect("a pattern");
    for file in &plan.files {
        let (before, after) = (&base[&file.path], &disk[&file.path]);
        let before: Vec<&str> = words.find_iter(before).map(|found| found.as_str()).collect();
        let after: Vec<&str> = words.find_iter(after).map(|found| found.as_str()).collect();
        assert_eq!(before.len(), after.len(), "case {case}: {}", file.path);
        for (was, is) in before.iter().zip(&after) {
            let is_rename = *was == names.0 && *is == names.1;
            assert!(was == is || is_rename, "case {case}: {was:?} became {is:?}");
        }
    }
    let definition = format!("def {}(", names.1);
    assert!(disk.values().any(|text| text.contains(&definition)), "case {case}: the definition");
    let known: usize = base
        .keys()
        .map(|path| {
            let text = plan.files.iter().find(|file| file.path == *path);
            let text = text.map_or(base[path].as_str(), |file| file.after.as_str());
            occurrences(text, names.0).count()
        })
        .sum();
    assert_eq!(plan.leftovers.len(), known, "case {case}: what is left is listed");
}

fn first_disk(random: &mut Random) -> Disk {
    let mut disk = Disk::new();
    disk.insert("a.py".to_owned(), "def total(x):\n    return x\n".to_owned());
    for number in 0..1 + random.below(3) {
        let line =
            *random.pick(&["y = total(1)\n", "y = '😀', total(1)\n", "z = subtotal + total\n"]);
        disk.insert(format!("b{number}.py"), format!("from a import total\n{line}"));
    }
    disk
}

fn edit_by_others(disk: &mut Disk, name: &str, random: &mut Random) {
    for _ in 0..random.below(3) {
        let paths: Vec<String> = disk.keys().cloned().collect();
        let path = random.pick(&paths).clone();
        let may_go = path != "a.py" && disk.len() > 2;
        let text = disk.get_mut(&path).expect("a file");
        let line_starts: Vec<usize> = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .filter(|at| !text[*at..].starts_with(' '))
            .collect();
        let at = *random.pick(&line_starts);
        match random.below(5) {
            0 => text.insert_str(at, "# é\n"),
            1 => text.insert_str(at, &format!("u = {name}\n")),
            2 => text.insert_str(at, "v = '😀'; w = 1\n"),
            3 if path != "a.py" => *text = text.replacen(name, "other", 1),
            _ if may_go => {
                disk.remove(&path);
            }
            _ => text.push_str("# end\n"),
        }
    }
}

fn task(disk: &Disk, old: &str, new: &str) -> Option<RenameTask> {
    let at = disk.get("a.py")?.find(&format!("def {old}("))? + 4;
    let (old, new) = (old.to_owned(), new.to_owned());
    Some(RenameTask { path: "a.py".to_owned(), offset: at, old, new })
}

fn fresh(random: &mut Random) -> (Client<Stage>, Told) {
    let encoding = *random.pick(&[PositionEncoding::Utf8, PositionEncoding::Utf16]);
    let past: Past = Rc::default();
    let own = Random::new(random.next_u64());
    // Some servers are honest most of the time, some hardly ever.
    let honesty = *random.pick(&[1, 3, 12]);
    (client("ty", encoding, part(own, honesty, past)), Told::default())
}

/// A server that is honest `honesty` times for each accident.
fn part(mut random: Random, honesty: usize, past: Past) -> Part {
    Box::new(move |seen, method, params| {
        past.borrow_mut().push(seen.texts.clone());
        if method != "textDocument/rename" {
            return Reaction::Answer(Value::Null);
        }
        let new = params["newName"].as_str().unwrap_or_default().to_owned();
        let old = old_name(seen, params);
        if random.below(honesty + 1) > 0 {
            return Reaction::Answer(answer(&seen.texts, seen, &old, &new, true));
        }
        accident(&mut random, seen, (&old, &new), &past.borrow())
    })
}

fn old_name(seen: &Seen, params: &Value) -> String {
    let text = &seen.texts["a.py"];
    let places = Places::new(text, seen.encoding);
    let position = gatewright_languages::lsp::position::Position::of(&params["position"]);
    let at = position.and_then(|position| places.offset(position)).unwrap_or_default();
    text[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn accident(
    random: &mut Random,
    seen: &Seen,
    names: (&str, &str),
    past: &[BTreeMap<String, String>],
) -> Reaction {
    let (old, new) = names;
    let texts = &seen.texts;
    let old_texts = random.pick(past);
    match random.below(12) {
        0 => Reaction::Die,
        1 => Reaction::Silence,
        2 => Reaction::Garbage(b"warning: something\n"),
        3 => Reaction::Garbage(b"Content-Length: 3\r\n\r\nnil"),
        4 => Reaction::Refuse(-32801, "content modified"),
        5 => Reaction::Refuse(-32603, "internal error"),
        6 => Reaction::Answer(Value::Null),
        // From an older text, with or without saying so.
        7 => Reaction::Answer(answer(old_texts, seen, old, new, true)),
        8 => Reaction::Answer(answer(old_texts, seen, old, new, false)),
        9 => Reaction::Answer(partial(random, answer(texts, seen, old, new, false))),
        10 => Reaction::Answer(shifted(random, answer(texts, seen, old, new, false))),
        _ => Reaction::Answer(answer(texts, seen, "subtotal", new, false)),
    }
}

/// The rename of every document as it was at some time.
fn answer(
    texts: &BTreeMap<String, String>,
    seen: &Seen,
    old: &str,
    new: &str,
    tells_versions: bool,
) -> Value {
    let mut changes = Vec::new();
    for (path, text) in texts {
        let places = Places::new(text, seen.encoding);
        let edit = |at: usize| {
            let (start, end) = (places.position(at), places.position(at + old.len()));
            json!({ "range": Range { start, end }.to_json(), "newText": new })
        };
        let edits: Vec<Value> = occurrences(text, old).map(edit).collect();
        let is_now = seen.texts.get(path) == Some(text);
        let version = seen.versions.get(path).copied().unwrap_or_default() - i64::from(!is_now);
        let version = if tells_versions { json!(version) } else { Value::Null };
        changes.push(json!({
            "textDocument": { "uri": address(path), "version": version }, "edits": edits,
        }));
    }
    json!({ "documentChanges": changes })
}

fn partial(random: &mut Random, mut answer: Value) -> Value {
    let changes = answer["documentChanges"].as_array_mut().expect("changes");
    let keep = random.below(changes.len().max(1));
    changes.truncate(keep + 1);
    answer
}

fn shifted(random: &mut Random, mut answer: Value) -> Value {
    let by = random.below(3) as u64;
    for change in answer["documentChanges"].as_array_mut().expect("changes") {
        for edit in change["edits"].as_array_mut().expect("edits") {
            let place: &mut Map<String, Value> =
                edit["range"]["start"].as_object_mut().expect("a place");
            let column = place["character"].as_u64().unwrap_or_default();
            place.insert("character".to_owned(), json!(column.saturating_sub(by)));
        }
    }
    answer
}
