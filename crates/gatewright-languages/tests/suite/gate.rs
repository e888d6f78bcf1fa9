//! The structural gate on data: one file of cases for each language.
//!
//! A case is a header (`=== pass NAME` or `=== refuse KIND NAME`), settings
//! (`!overwrite`, `!patch`, `!escaped`, `!replace_all`, `!append`), and blocks
//! of old and new text. All cases of a file share its base.

use std::path::Path;

use gatewright_languages::syntax::edit::{Position, SymbolAction, SymbolEdit, plan_edit};
use gatewright_languages::syntax::{Parsed, detect, new_errors, structure_facts};
use gatewright_model::{EditShape, Intent, Structural, StructureFacts, TextEdit};

/// Real code, when `GATEWRIGHT_CORPUS` names a folder: two lines inside a body may change, and
/// the first two lines of a definition may not.
#[test]
fn real_code_is_judged_by_what_an_edit_touches() {
    let Some(folder) = std::env::var_os("GATEWRIGHT_CORPUS") else { return };
    let limit: usize =
        std::env::var("GATEWRIGHT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(500);
    let mut folders = vec![std::path::PathBuf::from(folder)];
    let mut counts = std::collections::BTreeMap::<&str, [usize; 4]>::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.display().to_string();
            let Ok(source) = std::fs::read_to_string(&path) else { continue };
            let Some(language) = detect(&name, source.as_bytes()) else { continue };
            let count = counts.entry(language.name()).or_default();
            if count[0] < limit && source.len() < 16_000 {
                judge_real_file(&name, language, &source, count);
            }
        }
    }
    println!("[body edits, refused, head edits, passed]: {counts:?}");
    assert!(counts.values().all(|count| count[1] * 50 <= count[0] && count[3] == 0));
}

fn judge_real_file(
    name: &str,
    language: gatewright_languages::syntax::LanguageId,
    source: &str,
    count: &mut [usize; 4],
) {
    let parsed = Parsed::new(language, source.as_bytes()).unwrap();
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let judge = |first: usize| {
        let old = lines[first..first + 2].concat();
        if source.matches(&old).count() != 1 {
            return None;
        }
        let note = format!("{} note\n", language.language().line_comment);
        let new = format!("{}{note}{}", lines[first], lines[first + 1]);
        let after = source.replacen(&old, &new, 1);
        if new == old || !old.trim_end().contains('\n') {
            return None;
        }
        let intent = Intent::Edit(vec![TextEdit { old, new, replace_all: false }]);
        Some(structure_facts(name, Some(source.as_bytes()), Some(after.as_bytes()), &intent))
    };
    for symbol in parsed.outline().iter().filter(|symbol| symbol.structural) {
        let Some(body) = symbol.body else { continue };
        let first = parsed.lines().line(symbol.head.start) - 1;
        let inner = parsed.lines().line(body.start);
        let last = parsed.lines().line(body.end) - 1;
        if symbol.kind.is_callable() && inner + 2 < last {
            let start = parsed.lines().start(inner + 1);
            let end = parsed.lines().start(inner + 3);
            let holds_symbol = parsed
                .outline()
                .iter()
                .any(|other| other.structural && other.head.start < end && other.head.end > start);
            if !holds_symbol && let Some(facts) = judge(inner) {
                count[0] += 1;
                if !facts.problems.is_empty() {
                    count[1] += 1;
                    println!("{name}:{} {:?}", inner + 1, facts.problems[0].found);
                }
            }
        }
        if first + 1 < last
            && let Some(facts) = judge(first)
        {
            count[2] += 1;
            if facts.problems.is_empty() {
                count[3] += 1;
                println!("{name}:{} passed", first + 1);
            }
        }
    }
}

struct Case {
    title: String,
    settings: Vec<String>,
    edits: Vec<(String, String)>,
    rest: String,
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
        Structural::NotParsed { .. } => "not-parsed",
    }
}

/// The suggested call can be sent as it stands, wherever what was asked for parses at all.
fn call_works(
    file_name: &str,
    base: &str,
    after: &str,
    facts: &StructureFacts,
) -> Result<(), String> {
    let language = detect(file_name, b"").unwrap();
    let errors = |text: &str| Parsed::new(language, text.as_bytes()).unwrap().error_signature();
    let asked_for_errors = !new_errors(&errors(base), &errors(after)).is_empty();
    for problem in &facts.problems {
        let Some(call) = &problem.call else {
            let may_lack = matches!(problem.found, Structural::Elision { .. });
            return if may_lack { Ok(()) } else { Err(format!("no call: {problem:?}")) };
        };
        let body = call.body.clone();
        let action = match (call.action, body) {
            (EditShape::Remove, _) => SymbolAction::Remove,
            (_, None) => return Err(format!("no body: {call:?}")),
            (EditShape::Replace, Some(body)) => SymbolAction::Replace { body },
            (EditShape::Insert, Some(body)) => {
                let position = match call.position.as_deref() {
                    Some("before") => Position::Before,
                    _ => Position::After,
                };
                SymbolAction::Insert { position, body }
            }
        };
        let edit = SymbolEdit {
            symbol: call.symbol.clone(),
            overload: call.overload,
            expect: None,
            action,
        };
        match plan_edit(language, base.as_bytes(), &edit) {
            Ok(_) => {}
            Err(_) if asked_for_errors => {}
            Err(refusal) => return Err(format!("the call is refused: {refusal}: {call:?}")),
        }
    }
    Ok(())
}
