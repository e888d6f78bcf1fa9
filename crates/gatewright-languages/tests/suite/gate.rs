//! The structural gate on data: one file of cases for each language.
//!
//! A case is a header (`=== pass NAME` or `=== refuse KIND NAME`), settings
//! (`!overwrite`, `!patch`, `!escaped`, `!replace_all`, `!append`), and blocks
//! of old and new text. All cases of a file share its base.

use std::path::Path;

use gatewright_languages::syntax::{Parsed, detect, new_errors, structure_facts};
use gatewright_model::{EditShape, Intent, ReadyCall, Structural, StructureFacts, TextEdit};

use super::real::calls::{is_same_but_for_blanks, send_all};

struct Case {
    title: String,
    settings: Vec<String>,
    edits: Vec<(String, String)>,
    rest: String,
}

#[test]
fn no_call_takes_out_what_only_a_broken_text_hides() {
    let base = "void f() {\n  run(\n      1,\n      [] {\n        go();\n      });\n}\n\nvoid g() {\n  stop();\n}\n";
    let torn = base.replace("      [] {\n        go();\n      });\n", "");
    let facts =
        structure_facts("a.cpp", Some(base.as_bytes()), Some(torn.as_bytes()), &Intent::Overwrite);
    let takes = |call: &ReadyCall| matches!(call, ReadyCall::Symbol(call) if call.action == EditShape::Remove);
    assert!(!facts.problems.is_empty(), "the torn text passed");
    assert!(!facts.calls.iter().any(takes), "{:?}", facts.calls);
}

#[test]
fn no_call_brings_a_second_time_what_an_elided_text_leaves_open() {
    let base = "class A {\n  int one = 1;\n  int two = 2;\n\n  int sum() {\n    return one + two;\n  }\n\n  int twice() {\n    return 2 * sum();\n  }\n}\n";
    let cut = base.find("  int twice").unwrap();
    let open = format!("{}  // ... rest of the class unchanged ...\n", &base[..cut]);
    let facts =
        structure_facts("A.java", Some(base.as_bytes()), Some(open.as_bytes()), &Intent::Overwrite);
    assert!(!facts.problems.is_empty(), "the elided text passed");
    let reads = |call: &ReadyCall| matches!(call, ReadyCall::Read { .. });
    assert!(facts.calls.iter().all(reads), "{:?}", facts.calls);
}

#[test]
fn a_text_that_loses_many_definitions_is_refused_with_a_call_for_all_of_them() {
    let function = |number: usize| format!("def f{number}():\n    return {number}\n\n\n");
    let many = |count| (0..count).map(function).collect::<String>();
    let calls = |base: &str| {
        let after = Some(&b""[..]);
        structure_facts("a.py", Some(base.as_bytes()), after, &Intent::Overwrite).calls
    };
    let (some, more) = (many(40), many(200));
    let made = send_all(("a.py", detect("a.py", b"").unwrap()), &some, &calls(&some)).unwrap();
    assert_eq!(made.trim(), "");
    // What is too much to be said is not said in part.
    assert!(matches!(calls(&more)[..], [ReadyCall::Read { .. }]), "{:?}", calls(&more));
}

#[test]
fn a_call_changes_something() {
    let ruby = "class A\n  def b?(c)\n    d(c)\n  end\nend\n";
    let again = "  def b?Again(c)\n    e\n  end\n\n  def b?(c)\n    d(c)";
    let python = "def a():\n    return 1\n\n\ndef b():\n    return 2\n";
    let edits = [
        ("a.rb", ruby, "  def b?(c)\n    d(c)", again),
        ("a.py", python, "    return 1", "    pass\n\n\ndef b():\n    return 9"),
        ("a.py", python, "    return 1", "    pass\n\n\ndef b():\n    return 2"),
    ];
    for (name, base, old, new) in edits {
        let after = base.replacen(old, new, 1);
        let edit = TextEdit { old: old.to_owned(), new: new.to_owned(), replace_all: false };
        let intent = Intent::Edit(vec![edit]);
        let facts = structure_facts(name, Some(base.as_bytes()), Some(after.as_bytes()), &intent);
        let language = detect(name, b"").unwrap();
        assert!(!facts.problems.is_empty(), "{new:?} passed");
        for call in &facts.calls {
            let is_read = matches!(call, ReadyCall::Read { .. });
            let made = || send_all((name, language), base, std::slice::from_ref(call));
            assert!(is_read || made().is_ok_and(|text| text != base), "{call:?}");
        }
    }
}

#[test]
fn what_only_declares_a_function_is_not_offered_for_one_that_comes_again() {
    let function = "int f(int a)\n{\n  return a;\n}\n";
    let base = format!("int f(int a);\n\n{function}");
    let intent = Intent::Overwrite;
    let facts = |again: &str| {
        let after = format!("{base}\n{again}");
        structure_facts("a.c", Some(base.as_bytes()), Some(after.as_bytes()), &intent)
    };
    for again in [function.to_owned(), function.replace("return a", "return 2")] {
        let facts = facts(&again);
        assert_eq!(facts.problems[0].found, Structural::Redefinition);
        let bodies = facts.calls.iter().filter_map(|call| match call {
            ReadyCall::Symbol(call) => call.body.clone(),
            ReadyCall::Text { .. } | ReadyCall::Read { .. } => None,
        });
        assert!(bodies.into_iter().all(|body| body.contains("return 2")), "{:?}", facts.calls);
    }
}

#[test]
fn the_calls_leave_blank_lines_where_they_shall_be() {
    let base = "extern \"C\" {\n    fn a();\n}\n\nextern \"C\" {\n    fn b();\n}\n\nfn c() {}\n";
    let noted = "#[allow(dead_code)]\nextern \"C\" {\n    fn b(x: i32);\n}\n";
    let edits = [
        ("extern \"C\" {\n    fn b();\n}\n", noted),
        ("extern \"C\" {\n    fn b();\n}\n\n", ""),
        ("    fn b();\n}\n", "    fn b(x: i32);\n}\n\n/// A place.\nstatic D: i32 = 1;\n"),
    ];
    let language = detect("a.rs", b"").unwrap();
    for (old, new) in edits {
        let after = base.replacen(old, new, 1);
        let edit = TextEdit { old: old.to_owned(), new: new.to_owned(), replace_all: false };
        let intent = Intent::Edit(vec![edit]);
        let facts = structure_facts("a.rs", Some(base.as_bytes()), Some(after.as_bytes()), &intent);
        let made = send_all(("a.rs", language), base, &facts.calls);
        assert_eq!(made.as_deref(), Ok(after.as_str()), "{:?}", facts.calls);
    }
}

#[test]
fn where_nothing_parses_the_words_tell_what_is_lost() {
    let base = ")))) }}}} ((((\nclass A {\n    // fun said\n    private fun one(): B {\n        return b()\n    }\n}\n";
    let whole = |text: &str| {
        let (before, after) = (Some(base.as_bytes()), Some(text.as_bytes()));
        structure_facts("A.kt", before, after, &Intent::Overwrite).problems
    };
    assert!(
        Parsed::new(detect("A.kt", b"").unwrap(), base.as_bytes()).unwrap().outline().is_empty()
    );
    for lost in ["class A {\n", "    private fun one(): B {\n"] {
        let problems = whole(&base.replace(lost, ""));
        assert!(matches!(problems[0].found, Structural::Vanish { .. }), "{lost}: {problems:?}");
    }
    for kept in ["    // fun said\n", "        return b()\n", ")))) }}}} ((((\n"] {
        assert_eq!(whole(&base.replace(kept, "")), [], "{kept}");
    }
}

#[test]
fn where_nothing_parses_a_script_has_heads_without_a_keyword() {
    let rest = "  async load(key: string): Promise<void> {\n    go(key);\n  }\n\n  const onRow = (row: Row) => {\n    if (row) {\n      go(row);\n    }\n  };\n";
    let base = format!("class A {{ x = [[[(\n{rest}");
    let whole = |text: &str| {
        let (before, after) = (Some(base.as_bytes()), Some(text.as_bytes()));
        structure_facts("a.ts", before, after, &Intent::Overwrite).problems
    };
    assert!(
        Parsed::new(detect("a.ts", b"").unwrap(), base.as_bytes()).unwrap().outline().is_empty()
    );
    for lost in
        ["  async load(key: string): Promise<void> {\n", "  const onRow = (row: Row) => {\n"]
    {
        let problems = whole(&base.replace(lost, ""));
        let is_lost = problems.first().map(|problem| &problem.found);
        assert!(matches!(is_lost, Some(Structural::Vanish { .. })), "{lost}: {problems:?}");
    }
    for kept in ["    go(key);\n", "    if (row) {\n"] {
        assert_eq!(whole(&base.replace(kept, "")), [], "{kept}");
    }
}

#[test]
fn lines_that_end_in_another_way_are_no_difference() {
    let base = "def a():\r\n    return 1\r\n\r\n\r\ndef b():\r\n    return 2\r\n";
    let plain = base.replace("\r\n", "\n");
    let whole = |base: &str, text: &str| {
        structure_facts("a.py", Some(base.as_bytes()), Some(text.as_bytes()), &Intent::Overwrite)
    };
    assert_eq!(whole(base, &plain).problems, []);
    assert_eq!(whole(&plain, base).problems, []);
    let language = detect("a.py", b"").unwrap();
    for (base, end) in [(base, "\r\n"), (&plain, "\n")] {
        let other = if end == "\n" { "\r\n" } else { "\n" };
        let wanted = format!("def b():{end}    return 2{end}");
        let sent = format!("def b():{other}    return 2{other}");
        let facts = whole(base, &sent);
        assert_eq!(facts.problems.len(), 1);
        let made = send_all(("a.py", language), base, &facts.calls);
        assert_eq!(made.as_deref(), Ok(wanted.as_str()), "{:?}", facts.calls);
    }
}

#[test]
fn line_breaks_that_are_spelt_out_are_offered_as_line_breaks() {
    let base = "def a(x):\n    y = x\n    return y\n\n\ndef b():\n    return \"c\"\n";
    let edits = [
        ("    y = x", "    y = x\\n    y += 1", false),
        ("def b():\n    return \"c\"", "def b(z):\\n    return z", true),
    ];
    let language = detect("a.py", b"").unwrap();
    let facts = |old: &str, new: &str| {
        let edit = TextEdit { old: old.to_owned(), new: new.to_owned(), replace_all: false };
        let after = base.replacen(old, new, 1);
        let intent = Intent::Edit(vec![edit]);
        structure_facts("a.py", Some(base.as_bytes()), Some(after.as_bytes()), &intent)
    };
    for (old, new, is_structural) in edits {
        let facts = facts(old, new);
        assert_eq!(facts.problems[0].found, Structural::SpeltLineBreaks, "{new}");
        assert_eq!(facts.problems[0].call.is_some(), is_structural, "{new}");
        let made = send_all(("a.py", language), base, &facts.calls);
        let wanted = base.replacen(old, &new.replace("\\n", "\n"), 1);
        assert!(is_same_but_for_blanks(&made.unwrap(), &wanted), "{:?}", facts.calls);
    }
    for (old, new) in [("\"c\"", "\"c\\n\""), ("    y = x", "    y = x  # no \\n here")] {
        assert_eq!(facts(old, new).problems, [], "{new}");
    }
}

#[test]
fn every_case_is_judged_as_it_says() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gate")).unwrap()
    {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let (file_name, base, cases) = read(&text);
        for case in cases {
            count += 1;
            if let Err(message) = check(&file_name, &base, &case) {
                wrong.push(format!("{file_name}: {}: {message}", case.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 150, "only {count} cases were read");
}

fn read(text: &str) -> (String, String, Vec<Case>) {
    let mut sections = text.split("=== ").filter(|section| !section.is_empty());
    let (title, base) = sections.next().unwrap().split_once('\n').unwrap();
    let file_name = title.trim_start_matches("file ").to_owned();
    (file_name, base.to_owned(), sections.map(read_case).collect())
}

fn read_case(section: &str) -> Case {
    let (title, body) = section.split_once('\n').unwrap();
    let mut case = Case {
        title: title.to_owned(),
        settings: Vec::new(),
        edits: Vec::new(),
        rest: String::new(),
    };
    let mut body = body;
    while let Some(rest) = body.strip_prefix('!') {
        let (setting, rest) = rest.split_once('\n').unwrap();
        case.settings.push(setting.to_owned());
        body = rest;
    }
    if !body.starts_with("<<<<\n") {
        case.rest = body.to_owned();
        return case;
    }
    for block in body.split("<<<<\n").filter(|block| !block.is_empty()) {
        let (old, rest) = block.split_once("====\n").unwrap();
        let (new, _) = rest.split_once(">>>>").unwrap();
        let line = |text: &str| text.strip_suffix('\n').unwrap_or(text).to_owned();
        case.edits.push((line(old), line(new)));
    }
    case
}

fn check(file_name: &str, base: &str, case: &Case) -> Result<(), String> {
    let has = |setting: &str| case.settings.iter().any(|known| known == setting);
    let mut after = base.to_owned();
    for (old, new) in &case.edits {
        if !after.contains(old.as_str()) {
            return Err(format!("the base has no {old:?}"));
        }
        after = if has("replace_all") {
            after.replace(old.as_str(), new)
        } else {
            after.replacen(old.as_str(), new, 1)
        };
    }
    after.push_str(&case.rest);
    let spelt = |text: &String| {
        if has("escaped") { text.replace('\n', "\\n") } else { text.clone() }
    };
    let intent = if has("overwrite") {
        Intent::Overwrite
    } else if has("patch") {
        Intent::Patch
    } else {
        let edits = case.edits.iter().map(|(old, new)| TextEdit {
            old: spelt(old),
            new: spelt(new),
            replace_all: has("replace_all"),
        });
        Intent::Edit(edits.collect())
    };
    let facts = structure_facts(file_name, Some(base.as_bytes()), Some(after.as_bytes()), &intent);
    verdict(&facts, case)?;
    let (crlf_base, crlf_after) = (base.replace('\n', "\r\n"), after.replace('\n', "\r\n"));
    let with_crlf = structure_facts(
        file_name,
        Some(crlf_base.as_bytes()),
        Some(crlf_after.as_bytes()),
        &intent,
    );
    verdict(&with_crlf, case).map_err(|message| format!("with CRLF: {message}"))?;
    call_works(file_name, base, &after, &facts)
}

fn verdict(facts: &StructureFacts, case: &Case) -> Result<(), String> {
    if facts.language.is_none() {
        return Err("no language".to_owned());
    }
    let kinds: Vec<&str> = facts.problems.iter().map(|problem| kind(&problem.found)).collect();
    if case.title.starts_with("pass ") {
        return if kinds.is_empty() {
            Ok(())
        } else {
            Err(format!("refused: {:?}", facts.problems))
        };
    }
    let expected = case.title.split(' ').nth(1).unwrap();
    match kinds.contains(&expected) {
        true => Ok(()),
        false => Err(format!("expected {expected}, found {kinds:?}")),
    }
}

fn kind(found: &Structural) -> &'static str {
    match found {
        Structural::Keyword { .. } => "keyword",
        Structural::HeadCut { .. } => "head",
        Structural::Batch { .. } => "batch",
        Structural::SwappedHeads { .. } => "swap",
        Structural::Vanish { .. } => "vanish",
        Structural::Elision { .. } => "elision",
        Structural::Splice { .. } => "splice",
        Structural::Redefinition => "redefinition",
        Structural::SpeltLineBreaks => "spelt",
        Structural::AnnotationsLost { .. } => "annotations",
        Structural::NotParsed { .. } => "not-parsed",
    }
}

/// The calls can be sent as they stand, and make what was asked for wherever it parses at all.
fn call_works(
    file_name: &str,
    base: &str,
    after: &str,
    facts: &StructureFacts,
) -> Result<(), String> {
    let language = detect(file_name, b"").unwrap();
    let errors = |text: &str| Parsed::new(language, text.as_bytes()).unwrap().error_signature();
    let asked_for_errors = !new_errors(&errors(base), &errors(after)).is_empty();
    let Some(problem) = facts.problems.first() else { return Ok(()) };
    let is_other = facts.problems.iter().any(|problem| {
        matches!(
            problem.found,
            Structural::Elision { .. } | Structural::Redefinition | Structural::SpeltLineBreaks
        )
    });
    if facts.calls.is_empty() {
        return Err(format!("no call: {problem:?}"));
    }
    match send_all((file_name, language), base, &facts.calls) {
        Ok(text) if asked_for_errors || is_other || is_same_but_for_blanks(&text, after) => Ok(()),
        Ok(text) => Err(format!("the calls make something else: {:?}\n{text}", facts.calls)),
        Err(message) => Err(message),
    }
}
