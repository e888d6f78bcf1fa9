//! The faults that real servers were seen to have, each played by a part.

use std::time::Duration;

use gatewright_languages::lsp::client::{AskError, Client};
use gatewright_languages::lsp::edits::EditError;
use gatewright_languages::lsp::names::{NameError, check_name};
use gatewright_languages::lsp::position::{Places, PositionEncoding};
use gatewright_languages::lsp::project::{Project, occurrences};
use gatewright_languages::lsp::rename::{
    RenameError, RenameLimits, RenamePlan, RenameTask, rename,
};
use gatewright_languages::lsp::sync::Told;
use gatewright_languages::lsp::verify::NotARename;
use gatewright_languages::lsp::witness::{Testimony, testify};
use gatewright_languages::syntax::{LanguageId, Parsed, TokenClass};
use serde_json::{Value, json};

use crate::fixture::project_of;
use crate::scripted::{Part, Reaction, Seen, Stage, address, client};

const UTF16: PositionEncoding = PositionEncoding::Utf16;
const DEFINING: &str = "def total(x):\n    return x\n";
const USING: &str = "from a import total\n\nS = \"é😀\", total(1)\n";

fn project() -> Project {
    project_of(&[("a.py".to_owned(), DEFINING.to_owned()), ("b.py".to_owned(), USING.to_owned())])
}

fn task(new: &str) -> RenameTask {
    RenameTask { path: "a.py".to_owned(), offset: 4, old: "total".to_owned(), new: new.to_owned() }
}

fn ask(client: &mut Client<Stage>, new: &str) -> Result<RenamePlan, RenameError> {
    let limits = RenameLimits { ready: Duration::from_secs(20), answer: Duration::from_secs(5) };
    rename(client, &mut Told::default(), &project(), &task(new), limits)
}

/// A part that answers renames and nothing else.
fn renamer(mut answer: impl FnMut(&Seen) -> Reaction + 'static) -> Part {
    Box::new(move |seen, method, _| match method {
        "textDocument/rename" => answer(seen),
        _ => Reaction::Answer(Value::Null),
    })
}

fn whole(seen: &Seen) -> Reaction {
    Reaction::Answer(seen.rename(&["a.py", "b.py"], "total", "sum_up"))
}

fn changed(plan: &RenamePlan) -> usize {
    plan.files.iter().map(|file| file.places.len()).sum()
}

#[test]
fn fault_1_no_rename_is_asked_before_the_ready_sign() {
    let mut client = client("rust-analyzer", UTF16, renamer(whole));
    let status = |quiescent: bool| json!({ "method": "experimental/serverStatus", "params": { "quiescent": quiescent } });
    client.link().say_at(Duration::from_millis(100), &status(false));
    client.link().say_at(Duration::from_secs(8), &status(true));
    assert_eq!(changed(&ask(&mut client, "sum_up").expect("a plan")), 3);
    let log = &client.link().seen.log;
    let asked = log.iter().find(|(_, message)| message["method"] == "textDocument/rename");
    assert!(asked.is_some_and(|(at, _)| *at >= Duration::from_secs(8)));
}

#[test]
fn fault_1_a_server_that_never_is_ready_gives_no_rename() {
    let mut client = client("rust-analyzer", UTF16, renamer(whole));
    let refused = ask(&mut client, "sum_up");
    assert!(matches!(refused, Err(RenameError::Ask(AskError::NotReady { .. }))), "{refused:?}");
    assert_eq!(client.link().seen.count("textDocument/rename"), 0);
}

#[test]
fn fault_1_a_partial_answer_is_asked_again_until_two_agree() {
    let mut round = 0;
    let part = renamer(move |seen| {
        round += 1;
        let paths: &[&str] = if round < 3 { &["a.py"] } else { &["a.py", "b.py"] };
        Reaction::Answer(seen.rename(paths, "total", "sum_up"))
    });
    let mut client = client("ty", UTF16, part);
    let plan = ask(&mut client, "sum_up").expect("a plan");
    assert_eq!((changed(&plan), plan.leftovers.len()), (3, 0));
}

#[test]
fn fault_1_answers_that_never_agree_are_refused() {
    let mut round = 0;
    let part = renamer(move |seen| {
        round += 1;
        let paths: &[&str] = if round % 2 == 0 { &["a.py"] } else { &["a.py", "b.py"] };
        Reaction::Answer(seen.rename(paths, "total", "sum_up"))
    });
    let refused = ask(&mut client("ty", UTF16, part), "sum_up");
    assert!(matches!(refused, Err(RenameError::Unsettled(_))), "{refused:?}");
}

#[test]
fn fault_2_what_the_server_does_not_see_is_listed() {
    let part = renamer(|seen| Reaction::Answer(seen.rename(&["a.py"], "total", "sum_up")));
    let plan = ask(&mut client("pyright", UTF16, part), "sum_up").expect("a plan");
    let left: Vec<(&str, usize)> =
        plan.leftovers.iter().map(|left| (left.path.as_str(), left.line)).collect();
    assert_eq!(left, [("b.py", 1), ("b.py", 3)]);
    assert!(plan.leftovers.iter().all(|left| left.class == TokenClass::Code));
}

#[test]
fn fault_2_every_file_that_has_the_name_is_shown() {
    let mut client = client("clangd", UTF16, renamer(whole));
    for path in ["a.py", "b.py"] {
        let status = json!({
            "method": "textDocument/clangd.fileStatus",
            "params": { "uri": address(path), "state": "idle" },
        });
        client.link().say_at(Duration::from_secs(1), &status);
    }
    ask(&mut client, "sum_up").expect("a plan");
    assert_eq!(client.link().seen.count("textDocument/didOpen"), 2);
}

#[test]
fn fault_3_documents_stay_open_from_one_question_to_the_next() {
    let mut client = client("basedpyright", UTF16, renamer(whole));
    for _ in 0..3 {
        ask(&mut client, "sum_up").expect("a plan");
    }
    let seen = &client.link().seen;
    assert_eq!(seen.count("textDocument/didClose"), 0);
    assert_eq!(seen.count("textDocument/didOpen"), 2);
}

/// The symbols of a text, as a server lists them.
fn listed(text: &str, name: &str) -> Value {
    let at = occurrences(text, name).next().expect("the name");
    let places = Places::new(text, UTF16);
    let (start, end) = (places.position(at), places.position(at + name.len()));
    let selection = json!({ "start": start.to_json(), "end": end.to_json() });
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": end.to_json() });
    json!([{ "name": name, "kind": 12, "range": range, "selectionRange": selection }])
}

fn witness(client: &mut Client<Stage>, text: &str) -> Testimony {
    let project = project_of(&[("a.py".to_owned(), text.to_owned())]);
    let parsed = Parsed::new(LanguageId::Python, text.as_bytes()).expect("a parse");
    let symbol = parsed.outline().iter().find(|symbol| symbol.name == "total");
    let symbol = symbol.expect("the symbol");
    let shown = project.shown("a.py").expect("the file");
    testify(client, &shown, &parsed, symbol, Duration::from_secs(2))
}

#[test]
fn fault_4_a_server_gets_time_after_a_ranged_change() {
    let part: Part = Box::new(|seen, _, _| Reaction::Answer(listed(&seen.texts["a.py"], "total")));
    let mut client = client("ruby-lsp", UTF16, part);
    assert_eq!(witness(&mut client, DEFINING), Testimony::Agrees);
    assert_eq!(witness(&mut client, &format!("X = 1\n{DEFINING}")), Testimony::Agrees);
    let log = &client.link().seen.log;
    let last = |method: &str| log.iter().rev().find(|(_, message)| message["method"] == method);
    let (changed_at, change) = last("textDocument/didChange").expect("a change");
    let (asked_at, _) = last("textDocument/documentSymbol").expect("a question");
    assert!(change["params"]["contentChanges"][0]["range"].is_object());
    assert!(*asked_at >= *changed_at + Duration::from_millis(20));
}

#[test]
fn fault_4_an_answer_from_the_old_text_is_no_testimony() {
    let part: Part = Box::new(|_, _, _| Reaction::Answer(listed(DEFINING, "total")));
    let mut client = client("ruby-lsp", UTF16, part);
    let said = witness(&mut client, &format!("X = 1\n\n{DEFINING}"));
    assert!(matches!(said, Testimony::Absent(_)), "{said:?}");
}

#[test]
fn a_second_witness_that_names_something_else_disagrees() {
    let part: Part = Box::new(|seen, _, _| {
        let mut list = listed(&seen.texts["a.py"], "total");
        list[0]["kind"] = json!(5);
        Reaction::Answer(list)
    });
    let said = witness(&mut client("ty", UTF16, part), DEFINING);
    assert!(matches!(said, Testimony::Disagrees(_)), "{said:?}");
}

#[test]
fn fault_5_columns_in_the_wrong_unit_are_seen() {
    let part = renamer(|seen| {
        let mut answer = seen.rename(&["a.py", "b.py"], "total", "sum_up");
        // The emoji before the last use counts as one, as in code points.
        let edits = answer["changes"][address("b.py")].as_array_mut().expect("edits");
        for end in ["start", "end"] {
            let column = &mut edits[1]["range"][end]["character"];
            *column = json!(column.as_u64().expect("a column") - 1);
        }
        Reaction::Answer(answer)
    });
    let refused = ask(&mut client("pyright", UTF16, part), "sum_up");
    let Err(RenameError::NotARename { path, source: NotARename::OtherChange { line, .. } }) =
        refused
    else {
        panic!("{refused:?}")
    };
    assert_eq!((path.as_str(), line), ("b.py", 3));
}

#[test]
fn fault_6_edits_that_insert_beside_the_name_are_seen() {
    let part = renamer(|seen| {
        let uses: Vec<usize> = occurrences(&seen.texts["b.py"], "total").collect();
        let beside: Vec<Value> =
            uses.iter().map(|at| seen.edit("b.py", *at..*at, "sum_up")).collect();
        let mut answer = seen.rename(&["a.py"], "total", "sum_up");
        answer["changes"][address("b.py")] = Value::Array(beside);
        Reaction::Answer(answer)
    });
    let refused = ask(&mut client("ty", UTF16, part), "sum_up");
    assert!(matches!(refused, Err(RenameError::NotARename { .. })), "{refused:?}");
}

#[test]
fn fault_7_a_server_that_dies_or_babbles_gives_no_rename() {
    let died = ask(&mut client("ty", UTF16, renamer(|_| Reaction::Die)), "sum_up");
    assert_eq!(died, Err(RenameError::Ask(AskError::Closed)));
    let part = renamer(|_| Reaction::Garbage(b"thread panicked at src/index.rs\n"));
    let babbled = ask(&mut client("ty", UTF16, part), "sum_up");
    assert!(matches!(babbled, Err(RenameError::Ask(AskError::Garbage(_)))), "{babbled:?}");
    let hung = ask(&mut client("ty", UTF16, renamer(|_| Reaction::Silence)), "sum_up");
    assert!(matches!(hung, Err(RenameError::Ask(AskError::TimedOut { .. }))), "{hung:?}");
}

#[test]
fn fault_8_any_shape_of_edits_is_taken_for_what_it_comes_to() {
    type Shape = fn(&Seen, &str) -> Vec<Value>;
    let merged: Shape = |seen, path| {
        let text = &seen.texts[path];
        let uses: Vec<usize> = occurrences(text, "total").collect();
        let span = uses[0]..uses[uses.len() - 1] + 5;
        vec![seen.edit(path, span.clone(), &text[span].replace("total", "sum_up"))]
    };
    let file: Shape = |seen, path| {
        let text = &seen.texts[path];
        vec![seen.edit(path, 0..text.len(), &text.replace("total", "sum_up"))]
    };
    // "total" becomes "sum_up" letter by letter: tota -> sum_u, l -> p.
    let letters: Shape = |seen, path| {
        let uses = occurrences(&seen.texts[path], "total");
        uses.flat_map(|at| {
            [seen.edit(path, at..at + 4, "sum_u"), seen.edit(path, at + 4..at + 5, "p")]
        })
        .collect()
    };
    for shape in [merged, file, letters] {
        let part = renamer(move |seen| {
            let changes =
                ["a.py", "b.py"].map(|path| (address(path), Value::Array(shape(seen, path))));
            Reaction::Answer(json!({ "changes": serde_json::Map::from_iter(changes) }))
        });
        let plan = ask(&mut client("ty", UTF16, part), "sum_up").expect("a plan");
        assert_eq!(changed(&plan), 3);
    }
}

#[test]
fn fault_9_file_renames_come_along_and_versions_may_be_missing() {
    let part = renamer(|seen| {
        let document = |path: &str, version: Value| {
            json!({
                "textDocument": { "uri": address(path), "version": version },
                "edits": seen.edits(path, "total", "sum_up"),
            })
        };
        let version = json!(seen.versions["a.py"]);
        let moved =
            json!({ "kind": "rename", "oldUri": address("a.py"), "newUri": address("c.py") });
        let changes = [document("a.py", version), document("b.py", Value::Null), moved];
        Reaction::Answer(json!({ "documentChanges": changes }))
    });
    let plan = ask(&mut client("ty", UTF16, part), "sum_up").expect("a plan");
    assert_eq!(plan.moves, [("a.py".to_owned(), "c.py".to_owned())]);
    assert_eq!(changed(&plan), 3);
}

#[test]
fn fault_9_an_answer_for_an_older_version_is_never_taken() {
    let part = renamer(|seen| {
        let edits = seen.edits("a.py", "total", "sum_up");
        let document = json!({ "uri": address("a.py"), "version": seen.versions["a.py"] - 1 });
        Reaction::Answer(
            json!({ "documentChanges": [{ "textDocument": document, "edits": edits }] }),
        )
    });
    let refused = ask(&mut client("rust-analyzer", UTF16, part), "sum_up");
    assert!(refused.is_err(), "{refused:?}");
    let part = renamer(|seen| {
        let edits = seen.edits("a.py", "total", "sum_up");
        let document = json!({ "uri": address("a.py"), "version": seen.versions["a.py"] - 1 });
        Reaction::Answer(
            json!({ "documentChanges": [{ "textDocument": document, "edits": edits }] }),
        )
    });
    assert_eq!(
        ask(&mut client("ty", UTF16, part), "sum_up"),
        Err(RenameError::Older("a.py".to_owned()))
    );
}

#[test]
fn fault_10_a_taken_name_is_refused_although_the_server_goes_ahead() {
    // `S` stands in the file that uses the symbol, not in the one that defines it.
    let part = renamer(|seen| Reaction::Answer(seen.rename(&["a.py", "b.py"], "total", "S")));
    let refused = ask(&mut client("ty", UTF16, part), "S");
    assert!(
        matches!(&refused, Err(RenameError::Taken { path, .. }) if path == "b.py"),
        "{refused:?}"
    );
    let illegal = check_name(LanguageId::Python, "total", "not a name");
    assert!(matches!(illegal, Err(NameError::NotAnIdentifier { .. })));
}

#[test]
fn fault_11_content_modified_is_asked_again() {
    let mut round = 0;
    let part = renamer(move |seen| {
        round += 1;
        if round < 4 { Reaction::Refuse(-32801, "content modified") } else { whole(seen) }
    });
    let plan = ask(&mut client("ty", UTF16, part), "sum_up").expect("a plan");
    assert_eq!(changed(&plan), 3);
}

#[test]
fn a_file_that_others_changed_is_shown_again_before_it_is_renamed() {
    let mut client = client("ty", UTF16, renamer(whole));
    ask(&mut client, "sum_up").expect("a plan");
    let moved = format!("import logging\n\nLOG = logging.getLogger()\n{DEFINING}");
    let files = [("a.py".to_owned(), moved.clone()), ("b.py".to_owned(), USING.to_owned())];
    let task = RenameTask { offset: moved.find("total").expect("the name"), ..task("sum_up") };
    let limits = RenameLimits { ready: Duration::from_secs(20), answer: Duration::from_secs(5) };
    let plan = rename(&mut client, &mut Told::default(), &project_of(&files), &task, limits);
    let plan = plan.expect("a plan");
    let defining = plan.files.iter().find(|file| file.path == "a.py").expect("the file");
    assert_eq!(defining.after, moved.replace("total", "sum_up"));
    assert_eq!(client.link().seen.texts["a.py"], moved);
}

#[test]
fn a_reply_to_a_question_that_was_given_up_is_passed_over() {
    let mut round = 0;
    let part = renamer(move |seen| {
        round += 1;
        if round == 1 { Reaction::Silence } else { whole(seen) }
    });
    let mut client = client("ty", UTF16, part);
    assert!(ask(&mut client, "sum_up").is_err());
    let asked = client.link().seen.log.iter().rev().find_map(|(_, message)| {
        (message["method"] == "textDocument/rename").then(|| message["id"].clone())
    });
    let late = json!({ "id": asked.expect("a question"), "result": { "changes": {} } });
    client.link().say(&late);
    client.link().say(&json!({ "id": 999_999, "error": { "code": -32800, "message": "no" } }));
    assert_eq!(changed(&ask(&mut client, "sum_up").expect("a plan")), 3);
}

#[test]
fn a_server_that_knows_nothing_is_heard_on_why() {
    let mut client = client("ruby-lsp", UTF16, renamer(|_| Reaction::Answer(Value::Null)));
    let complaint = json!({ "type": 1, "message": "Error while indexing: no Gemfile\nat line 1" });
    client.link().say(&json!({ "method": "window/showMessage", "params": complaint }));
    let refused = ask(&mut client, "sum_up").expect_err("a refusal").to_string();
    assert!(refused.contains("nothing to rename"), "{refused}");
    assert!(refused.ends_with("it complains: Error while indexing: no Gemfile"), "{refused}");
}

#[test]
fn a_plain_refusal_of_the_server_is_passed_on() {
    let part = renamer(|_| Reaction::Refuse(-32602, "conflicts with func in same block"));
    let refused = ask(&mut client("gopls", UTF16, part), "sum_up").expect_err("a refusal");
    assert!(refused.to_string().contains("conflicts with func"), "{refused}");
}

#[test]
fn fault_12_both_units_of_columns_work() {
    for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16] {
        let plan = ask(&mut client("ty", encoding, renamer(whole)), "sum_up").expect("a plan");
        let using = plan.files.iter().find(|file| file.path == "b.py").expect("the file");
        assert_eq!(using.after, USING.replace("total", "sum_up"), "{encoding:?}");
    }
}

#[test]
fn edits_of_files_outside_are_refused() {
    for (uri, edits) in [("file:///etc/passwd", json!([])), (&address("gone.py"), json!([]))] {
        let uri = uri.to_owned();
        let part = renamer(move |seen| {
            let mut answer = seen.rename(&["a.py", "b.py"], "total", "sum_up");
            answer["changes"][uri.as_str()] = edits.clone();
            Reaction::Answer(answer)
        });
        let refused = ask(&mut client("ty", UTF16, part), "sum_up");
        assert!(matches!(refused, Err(RenameError::Outside(_))), "{refused:?}");
    }
}

#[test]
fn a_rename_that_would_make_files_is_refused() {
    let part = renamer(|_| {
        Reaction::Answer(
            json!({ "documentChanges": [{ "kind": "create", "uri": address("x.py") }] }),
        )
    });
    let refused = ask(&mut client("ty", UTF16, part), "sum_up");
    let operation = RenameError::Edit {
        path: "a.py".to_owned(),
        source: EditError::Operation("create".to_owned()),
    };
    assert_eq!(refused, Err(operation));
}

#[test]
fn a_definition_that_keeps_its_name_is_refused() {
    let part = renamer(|seen| Reaction::Answer(seen.rename(&["b.py"], "total", "sum_up")));
    let refused = ask(&mut client("ty", UTF16, part), "sum_up");
    assert_eq!(refused, Err(RenameError::DefinitionKept("total".to_owned())));
}
