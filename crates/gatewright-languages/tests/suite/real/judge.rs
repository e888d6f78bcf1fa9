//! Every structural edit is refused, no other one is, and the calls of a refusal make the result.

use std::collections::BTreeMap;

use gatewright_languages::syntax::{Parsed, new_errors, structure_facts};
use gatewright_model::Intent;
use gatewright_testkit::{Random, cases, seed};

use super::corpus::{Source, has_corpus, is_sound, page_sources, sources};
use super::{arbitrary, calls, legitimate, structural};

/// One edit of one file.
pub struct Case {
    /// What kind of edit it is.
    pub class: &'static str,
    pub base: String,
    pub after: String,
    pub intent: Intent,
    /// Whether the calls of the refusal should make `after`.
    pub is_wanted: bool,
}

/// What came of the edits of one class.
#[derive(Default)]
struct Tally {
    edits: usize,
    wrong: usize,
}

#[derive(Default)]
struct Report {
    tallies: BTreeMap<(&'static str, &'static str), Tally>,
    examples: Vec<String>,
}

impl Report {
    fn add(&mut self, language: &'static str, case: &Case, source: &Source, wrong: Option<String>) {
        let tally = self.tallies.entry((language, case.class)).or_default();
        tally.edits += 1;
        if let Some(message) = wrong {
            tally.wrong += 1;
            if tally.wrong <= 6 {
                let intent = match &case.intent {
                    Intent::Edit(edits) => format!("{:?}", edits),
                    other => format!("{other:?}"),
                };
                self.examples.push(format!(
                    "{language} / {} / {}: {message}\n    {}",
                    case.class,
                    source.name,
                    intent.chars().take(1500).collect::<String>()
                ));
            }
        }
    }

    fn finish(self) {
        let mut wrong = 0;
        for ((language, class), tally) in &self.tallies {
            println!(
                "{language:<11} {class:<44} {:>6} edits {:>4} wrong",
                tally.edits, tally.wrong
            );
            wrong += tally.wrong;
        }
        for example in &self.examples {
            println!("{example}");
        }
        assert!(!self.tallies.is_empty(), "no edit was made");
        assert_eq!(wrong, 0, "edits were judged wrongly");
    }
}

type Maker = fn(&Source, &Parsed, &mut Random) -> Vec<Case>;

type Judge = fn(&Source, &Case) -> Option<String>;
type Sources = BTreeMap<&'static str, Vec<Source>>;

fn run(make: Maker, judge: Judge) {
    let mut random = Random::new(seed());
    let sources = sources(&mut random);
    run_on(sources, random, make, judge);
}

/// Edits of no class are random only where somebody asks for that by naming a corpus.
fn run_arbitrary(make: Maker, judge: Judge) {
    if has_corpus() {
        return run(make, judge);
    }
    let mut random = Random::new(1);
    let sources = page_sources(&mut random);
    run_on(sources, random, make, judge);
}

/// Makes edits until each language has its number, and judges them.
fn run_on(sources: Sources, mut random: Random, make: Maker, judge: Judge) {
    let limit = usize::try_from(cases(40)).unwrap();
    let mut report = Report::default();
    for (language, sources) in sources {
        let mut count = 0;
        for source in &sources {
            if count >= limit {
                break;
            }
            let varied = varied(source, &mut random);
            let parsed = Parsed::new(varied.language, varied.text.as_bytes()).unwrap();
            if !is_sound(&parsed) {
                continue;
            }
            let per_file = (limit / sources.len()).clamp(8, 60) * 2;
            let mut made = make(&varied, &parsed, &mut random);
            while made.len() > per_file {
                made.swap_remove(random.below(made.len()));
            }
            for case in made {
                let wrong = judge(&varied, &case);
                report.add(language, &case, &varied, wrong);
                count += 1;
            }
        }
    }
    report.finish();
}

/// The file as it is, or with other line ends, or with tabs.
fn varied(source: &Source, random: &mut Random) -> Source {
    let text = match random.below(6) {
        0 if !source.text.contains('\r') => source.text.replace('\n', "\r\n"),
        1 => with_tabs(&source.text),
        _ => source.text.clone(),
    };
    Source { name: source.name.clone(), language: source.language, text }
}

fn with_tabs(text: &str) -> String {
    let line = |line: &str| {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        format!("{}{}{}", "\t".repeat(blanks / 4), " ".repeat(blanks % 4), &line[blanks..])
    };
    let lines: Vec<String> = text.split_inclusive('\n').map(line).collect();
    lines.concat()
}

/// A structural edit must be refused, with calls that make what it wanted.
fn must_be_refused(source: &Source, case: &Case) -> Option<String> {
    let (base, after) = (case.base.as_bytes(), case.after.as_bytes());
    let facts = structure_facts(&source.name, Some(base), Some(after), &case.intent);
    if facts.problems.is_empty() {
        return Some("passed".to_owned());
    }
    // A text that takes too long to parse is refused like one that is broken.
    let errors = |text: &[u8]| Some(Parsed::new(source.language, text).ok()?.error_signature());
    let both = errors(base).zip(errors(after));
    let is_sound = both.is_some_and(|(base, after)| new_errors(&base, &after).is_empty());
    is_sound.then(|| calls::check(source, case, &facts)).flatten()
}

/// Any other edit must pass.
fn must_pass(source: &Source, case: &Case) -> Option<String> {
    let (base, after) = (case.base.as_bytes(), case.after.as_bytes());
    let facts = structure_facts(&source.name, Some(base), Some(after), &case.intent);
    facts.problems.first().map(|problem| format!("refused: {problem:?}"))
}

#[test]
fn every_structural_edit_of_real_code_is_refused_with_calls_that_work() {
    run(structural::cases, must_be_refused);
}

#[test]
fn no_legitimate_edit_of_real_code_is_refused() {
    run(legitimate::cases, must_pass);
}

#[test]
fn any_lines_with_a_definition_are_refused_with_calls_that_work() {
    run_arbitrary(arbitrary::structural, must_be_refused);
}

#[test]
fn any_lines_without_a_definition_pass() {
    run_arbitrary(arbitrary::legitimate, must_pass);
}
