//! Law: no bytes and no splice make a parse, an outline, the structural gate, a
//! symbol edit or the look for references crash; a symbol with its own text
//! changes no byte; what was taken out is put back to the byte; and what a
//! symbol edit makes has no syntax error that was not there.

#![no_main]

use std::sync::Arc;

use gatewright_languages::references::{
    ChangedFile, Entry, Index, NoDependencies, SourceTree, reference_facts,
};
use gatewright_languages::syntax::edit::{
    Position, SymbolAction, SymbolEdit, plan_edit, put_back,
};
use gatewright_languages::syntax::{LanguageId, Parsed, new_errors, structure_facts};
use gatewright_model::{Intent, Span, TextEdit};
use libfuzzer_sys::fuzz_target;

/// A parser may take the square of a text's length to give up; the law is not about that.
const LONGEST: usize = 1000;

fuzz_target!(|input: &[u8]| {
    let [language, at, length, split, rest @ ..] = input else { return };
    let rest = &rest[..rest.len().min(LONGEST)];
    let language = LanguageId::ALL[usize::from(*language) % LanguageId::ALL.len()];
    let (source, new) = rest.split_at(rest.len() * usize::from(*split) / 256);
    let Ok(before) = Parsed::new(language, source) else { return };
    check_spans(&before);
    let start = source.len() * usize::from(*at) / 256;
    let end = (start + usize::from(*length)).min(source.len());
    let Ok(after) = before.edited(Span::new(start, end), new) else { return };
    check_spans(&after);
    judge(language, &before, &after, (&source[start..end], new));
    refer(language, &before, &after);
    edit(language, &before, new);
});

/// A workspace without a file.
struct Nothing;

impl SourceTree for Nothing {
    fn read(&self, _: &str) -> Option<Arc<[u8]>> {
        None
    }

    fn list(&self, _: &str) -> Vec<Entry> {
        Vec::new()
    }

    fn exists(&self, _: &str) -> bool {
        false
    }
}

fn refer(language: LanguageId, before: &Parsed, after: &Parsed) {
    let changed = ChangedFile {
        path: format!("a.{}", language.language().extensions[0]),
        before: Some(before.source().into()),
        after: Some(after.source().into()),
    };
    reference_facts(&[changed], &Nothing, &NoDependencies, &Index::new());
}

fn check_spans(parsed: &Parsed) {
    for symbol in parsed.outline() {
        assert!(symbol.full.end <= parsed.source().len());
        assert!(symbol.full.contains(symbol.code) && symbol.code.contains(symbol.head));
        assert!(symbol.parent.is_none_or(|parent| parent < parsed.outline().len()));
    }
    assert!(parsed.tokens().windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
}

fn judge(language: LanguageId, before: &Parsed, after: &Parsed, (old, new): (&[u8], &[u8])) {
    let name = format!("a.{}", language.language().extensions[0]);
    let (Ok(old), Ok(new)) = (std::str::from_utf8(old), std::str::from_utf8(new)) else { return };
    let edit = TextEdit { old: old.to_owned(), new: new.to_owned(), replace_all: false };
    for intent in [Intent::Edit(vec![edit]), Intent::Patch, Intent::Overwrite] {
        structure_facts(&name, Some(before.source()), Some(after.source()), &intent);
    }
}

fn edit(language: LanguageId, parsed: &Parsed, new: &[u8]) {
    let source = parsed.source();
    let Some(symbol) = parsed.outline().first() else { return };
    let request = |action| SymbolEdit {
        symbol: symbol.path.clone(),
        overload: Some(symbol.overload),
        expect: None,
        action,
    };
    if let Ok(own) = std::str::from_utf8(parsed.bytes(symbol.full)) {
        let action = SymbolAction::Replace { body: own.to_owned() };
        if let Ok(plan) = plan_edit(language, source, &request(action)) {
            assert_eq!(plan.after, source, "its own text changed a symbol");
        }
    }
    let body = String::from_utf8_lossy(new).into_owned();
    let insert = |position| SymbolAction::Insert { position, body: body.clone() };
    let actions = [
        SymbolAction::Replace { body: body.clone() },
        SymbolAction::Remove,
        insert(Position::Before),
        insert(Position::After),
        insert(Position::First),
        insert(Position::Last),
    ];
    for action in actions {
        let Ok(plan) = plan_edit(language, source, &request(action)) else { continue };
        if plan.taken.is_some() {
            let back = put_back(language, source, &plan.after, &request(SymbolAction::PutBack));
            assert!(back.is_some_and(|back| back.after == source), "it is not put back");
        }
        let Ok(result) = Parsed::new(language, &plan.after) else { continue };
        // A tree with errors that reuses another one may differ from a new one.
        if !parsed.tree().root_node().has_error() {
            let errors = new_errors(&parsed.error_signature(), &result.error_signature());
            assert!(errors.is_empty(), "new errors: {errors:?}");
        }
    }
}
