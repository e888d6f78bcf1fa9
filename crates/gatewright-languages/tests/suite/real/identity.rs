//! Symbol edits that must lead back to the same bytes.

use std::collections::BTreeMap;

use gatewright_languages::syntax::edit::{
    EditRefusal, Position, SymbolAction, SymbolEdit, plan_edit, put_back,
};
use gatewright_languages::syntax::{Parsed, Symbol, new_errors};
use gatewright_testkit::{Random, cases, seed};

use super::corpus::{Source, is_sound, sources};

/// What came of the symbols of one language.
#[derive(Debug, Default)]
struct Counts {
    symbols: usize,
    /// Replacing a symbol with its own text was refused.
    not_replaced: usize,
    /// Removing a symbol was refused.
    not_removed: usize,
    /// Removed and put back by the call that undoes it, byte by byte.
    put_back: usize,
    /// Removed and inserted beside a neighbour or into what held it.
    inserts: usize,
    /// Of these, how many gave the same bytes.
    restored: usize,
    /// The same inserts into a file whose history is not known: same bytes, other blank lines,
    /// behind other text that is no symbol, refused.
    as_new_same: usize,
    as_new_other_blanks: usize,
    as_new_elsewhere: usize,
    as_new_refused: usize,
    swaps: usize,
    swaps_refused: usize,
    corrupt: usize,
}

#[derive(Default)]
struct Trial {
    counts: Counts,
    notes: Vec<String>,
}

#[test]
fn symbols_of_real_code_keep_their_bytes() {
    let mut random = Random::new(seed());
    let limit = usize::try_from(cases(20)).unwrap();
    let mut all = BTreeMap::new();
    let mut corrupt = 0;
    for (language, sources) in sources(&mut random) {
        let mut trial = Trial::default();
        for source in &sources {
            if trial.counts.symbols >= limit {
                break;
            }
            trial.file(source, &mut random, limit / 60 + 5);
        }
        corrupt += trial.counts.corrupt;
        println!("{language:<11} {:?}", trial.counts);
        for note in trial.notes.iter().take(12) {
            println!("    {note}");
        }
        all.insert(language, trial.counts);
    }
    assert!(!all.is_empty());
    assert_eq!(corrupt, 0, "bytes changed that should not");
}

fn request(symbol: &Symbol, action: SymbolAction) -> SymbolEdit {
    let (symbol, overload) = (symbol.path.clone(), Some(symbol.overload));
    SymbolEdit { symbol, overload, expect: None, action }
}

impl Trial {
    fn file(&mut self, source: &Source, random: &mut Random, most: usize) {
        let parsed = Parsed::new(source.language, source.text.as_bytes()).unwrap();
        let mut symbols: Vec<&Symbol> = parsed.outline().iter().collect();
        while symbols.len() > most {
            symbols.swap_remove(random.below(symbols.len()));
        }
        for symbol in symbols {
            self.counts.symbols += 1;
            self.own_text(source, &parsed, symbol);
            self.out_and_in(source, &parsed, symbol);
            if is_sound(&parsed) {
                self.swap(source, &parsed, symbol, random);
            }
        }
    }

    /// What must never be: counted, and noted before everything else.
    fn corruption(&mut self, source: &Source, symbol: &Symbol, text: &str) {
        self.counts.corrupt += 1;
        self.notes.insert(0, format!("{}: {}: {text}", source.name, symbol.path));
    }

    fn note(&mut self, source: &Source, symbol: &Symbol, text: &str) {
        self.notes.push(format!("{}: {}: {text}", source.name, symbol.path));
    }

    /// The ways in which a caller may hand a symbol its own text.
    fn own_text(&mut self, source: &Source, parsed: &Parsed, symbol: &Symbol) {
        let bytes = source.text.as_bytes();
        let line = parsed.lines().start(parsed.lines().line(symbol.full.start));
        let is_first = bytes[line..symbol.full.start].iter().all(u8::is_ascii_whitespace);
        let mut texts = vec![parsed.text(symbol.full), parsed.text(symbol.code)];
        if is_first {
            texts.push(source.text[line..symbol.full.end].to_owned());
        }
        let whole = SymbolAction::ReplaceWhole { body: texts[0].clone() };
        let plain = texts.into_iter().map(|body| SymbolAction::Replace { body });
        for action in plain.chain([whole]) {
            match plan_edit(source.language, bytes, &request(symbol, action)) {
                Ok(plan) if plan.after == bytes => {}
                Ok(_) => {
                    self.corruption(source, symbol, "its own text changed bytes");
                }
                Err(refusal) => {
                    self.counts.not_replaced += 1;
                    self.note(source, symbol, &format!("its own text: {refusal}"));
                    return;
                }
            }
        }
    }

    /// Removes a symbol and puts it back: with the call that undoes a removal, and with its text
    /// beside each of its neighbours.
    fn out_and_in(&mut self, source: &Source, parsed: &Parsed, symbol: &Symbol) {
        let bytes = source.text.as_bytes();
        let plan = match plan_edit(source.language, bytes, &request(symbol, SymbolAction::Remove)) {
            Ok(plan) => plan,
            Err(refusal) => {
                self.counts.not_removed += 1;
                self.note(source, symbol, &format!("not removed: {refusal}"));
                return;
            }
        };
        let (now, taken) = (plan.after, plan.taken.unwrap());
        let action = SymbolAction::PutBack;
        let undo =
            SymbolEdit { symbol: taken.symbol, overload: taken.overload, expect: None, action };
        match put_back(source.language, bytes, &now, &undo) {
            Some(plan) if plan.after == bytes => self.counts.put_back += 1,
            _ => self.corruption(source, symbol, "removed, it is not put back"),
        }
        for edit in places(parsed, symbol, &now) {
            self.counts.inserts += 1;
            match put_back(source.language, bytes, &now, &edit) {
                Some(plan) if plan.after == bytes => self.counts.restored += 1,
                _ => {
                    let place = format!("{:?} {:?}", edit.symbol, edit.action);
                    let text = format!("removed and inserted, it is something else: {place}");
                    self.corruption(source, symbol, &text);
                }
            }
            self.as_new(source, symbol, &now, &edit);
        }
    }

    /// The same call where nobody knows what the file was: only blank lines may differ.
    fn as_new(&mut self, source: &Source, symbol: &Symbol, now: &[u8], edit: &SymbolEdit) {
        let bytes = source.text.as_bytes();
        match plan_edit(source.language, now, edit) {
            Ok(plan) if plan.after == bytes => self.counts.as_new_same += 1,
            Ok(plan) if is_same_but_for_blanks(&plan.after, bytes) => {
                self.counts.as_new_other_blanks += 1;
            }
            Ok(_) => self.counts.as_new_elsewhere += 1,
            Err(refusal) => {
                self.counts.as_new_refused += 1;
                self.note(source, symbol, &format!("not taken as new: {refusal}"));
            }
        }
    }

    /// Gives a symbol the body of another one of its kind.
    fn swap(&mut self, source: &Source, parsed: &Parsed, symbol: &Symbol, random: &mut Random) {
        let others: Vec<&Symbol> = parsed
            .outline()
            .iter()
            .filter(|other| other.kind == symbol.kind && other.body.is_some())
            .collect();
        let (Some(_), false) = (symbol.body, others.is_empty()) else { return };
        let body = parsed.text(others[random.below(others.len())].body.unwrap());
        let bytes = source.text.as_bytes();
        let action = SymbolAction::Replace { body };
        self.counts.swaps += 1;
        match plan_edit(source.language, bytes, &request(symbol, action)) {
            Ok(plan) => {
                let after = Parsed::new(source.language, &plan.after).unwrap();
                let is_kept = plan.after.starts_with(&bytes[..symbol.head.start])
                    && plan.after.ends_with(&bytes[symbol.full.end..])
                    && new_errors(&parsed.error_signature(), &after.error_signature()).is_empty();
                if !is_kept {
                    self.corruption(source, symbol, "a swap touched something else");
                }
            }
            Err(EditRefusal::NotFound { .. } | EditRefusal::Ambiguous { .. }) => {
                self.corruption(source, symbol, "not found under its own path");
            }
            Err(refusal) => {
                self.counts.swaps_refused += 1;
                self.note(source, symbol, &format!("another body: {refusal}"));
            }
        }
    }
}

/// The calls that insert a symbol where it was: beside its neighbours, and into what held it.
fn places(parsed: &Parsed, symbol: &Symbol, now: &[u8]) -> Vec<SymbolEdit> {
    let siblings = || {
        let symbols = parsed.outline().iter();
        symbols.filter(|other| other.parent == symbol.parent && !std::ptr::eq(*other, symbol))
    };
    let above = siblings().rfind(|other| other.full.end <= symbol.full.start);
    let below = siblings().find(|other| other.full.start >= symbol.full.end);
    let parent = symbol.parent.map(|parent| &parsed.outline()[parent]);
    let mut places = Vec::new();
    places.extend(above.map(|above| (Some(above), Position::After)));
    places.extend(below.map(|below| (Some(below), Position::Before)));
    places.extend(above.is_none().then_some((parent, Position::First)));
    places.extend(below.is_none().then_some((parent, Position::Last)));
    let body = parsed.text(symbol.full);
    let after = Parsed::new(parsed.language(), now).unwrap();
    let edit = |(anchor, position): (Option<&Symbol>, Position)| {
        let action = SymbolAction::Insert { position, body: body.clone() };
        let (symbol, overload) = match anchor {
            Some(anchor) => (anchor.path.clone(), Some(number_in(parsed, &after, symbol, anchor))),
            None => (String::new(), None),
        };
        SymbolEdit { symbol, overload, expect: None, action }
    };
    places.into_iter().map(edit).collect()
}

/// The number of a symbol in the file without another one: counted from the end where it stands
/// behind it.
fn number_in(before: &Parsed, after: &Parsed, gone: &Symbol, symbol: &Symbol) -> u32 {
    let count = |parsed: &Parsed| {
        let symbols = parsed.outline().iter();
        u32::try_from(symbols.filter(|other| other.path == symbol.path).count()).unwrap()
    };
    let lost = count(before) - count(after);
    let is_behind = symbol.code.start > gone.code.start;
    if is_behind { symbol.overload - lost } else { symbol.overload }
}

fn is_same_but_for_blanks(one: &[u8], other: &[u8]) -> bool {
    fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        text.split(|byte| *byte == b'\n')
            .map(<[u8]>::trim_ascii_end)
            .filter(|line| !line.is_empty())
    }
    lines(one).eq(lines(other))
}
