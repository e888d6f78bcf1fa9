//! Symbol edits that must lead back to the same bytes.

use std::collections::BTreeMap;

use gatewright_languages::syntax::edit::{
    EditRefusal, Position, SymbolAction, SymbolEdit, plan_edit,
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
    /// Putting it back was refused.
    not_restored: usize,
    /// Only blank lines differ after removing and putting back.
    other_blanks: usize,
    restored: usize,
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

    /// Removes a symbol and puts it back beside its neighbour.
    fn out_and_in(&mut self, source: &Source, parsed: &Parsed, symbol: &Symbol) {
        let bytes = source.text.as_bytes();
        let out = match plan_edit(source.language, bytes, &request(symbol, SymbolAction::Remove)) {
            Ok(plan) => plan.after,
            Err(_) => {
                self.counts.not_removed += 1;
                return;
            }
        };
        let Some((anchor, position)) = neighbour(parsed, symbol) else { return };
        let line = parsed.lines().start(parsed.lines().line(symbol.full.start));
        let indent = &source.text[line..symbol.full.start];
        let indent = if indent.trim().is_empty() { indent } else { "" };
        let body = format!("{indent}{}", parsed.text(symbol.full));
        let mut back = request(anchor, SymbolAction::Insert { position, body });
        // A number that the removal has moved is looked up again.
        let is_moved = anchor.path == symbol.path && anchor.overload > symbol.overload;
        back.overload = Some(anchor.overload - u32::from(is_moved));
        match plan_edit(source.language, &out, &back) {
            Ok(plan) if plan.after == bytes => self.counts.restored += 1,
            Ok(plan) if is_same_but_for_blanks(&plan.after, bytes) => {
                self.counts.restored += 1;
                self.counts.other_blanks += 1;
            }
            Ok(_) => {
                self.corruption(source, symbol, "removed and put back, it is something else");
            }
            Err(refusal) => {
                self.counts.not_restored += 1;
                self.note(source, symbol, &format!("not put back: {refusal}"));
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
            Err(_) => self.counts.swaps_refused += 1,
        }
    }
}

/// The symbol beside this one on the same level, both on lines of their own.
fn neighbour<'a>(parsed: &'a Parsed, symbol: &Symbol) -> Option<(&'a Symbol, Position)> {
    let siblings = || {
        let symbols = parsed.outline().iter();
        symbols.filter(|other| other.parent == symbol.parent && !std::ptr::eq(*other, symbol))
    };
    let indent = |symbol: &Symbol| {
        let start = parsed.lines().start(parsed.lines().line(symbol.full.start));
        let before = &parsed.source()[start..symbol.full.start];
        before.iter().all(u8::is_ascii_whitespace).then(|| before.to_vec())
    };
    let own = indent(symbol)?;
    let siblings = || siblings().filter(|other| indent(other).as_ref() == Some(&own));
    let above = siblings().rfind(|other| other.full.end <= symbol.full.start);
    let below = siblings().find(|other| other.full.start >= symbol.full.end);
    let text_between = |from: usize, to: usize| !parsed.source()[from..to].trim_ascii().is_empty();
    match (above, below) {
        (Some(above), _) if !text_between(above.full.end, symbol.full.start) => {
            Some((above, Position::After))
        }
        (_, Some(below)) if !text_between(symbol.full.end, below.full.start) => {
            Some((below, Position::Before))
        }
        _ => None,
    }
}

fn is_same_but_for_blanks(one: &[u8], other: &[u8]) -> bool {
    fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        text.split(|byte| *byte == b'\n')
            .map(<[u8]>::trim_ascii_end)
            .filter(|line| !line.is_empty())
    }
    lines(one).eq(lines(other))
}
