//! What the egress guard finds and what it leaves alone, measured on generated texts.
//!
//! `cargo run --release -p gatewright-guards --example egress_eval -- [--seed N] [--show] [DIRECTORY…]`
//! prints one line for each class; `--show` prints what went wrong as well.
//! The files below each DIRECTORY are real negatives: what is found there is counted.
#![expect(clippy::disallowed_methods, reason = "a measuring program, not a part of the product")]

mod connections;
mod disguises;
mod fifth;
mod fifth_documents;
mod fifth_frames;
mod fifth_misses;
mod fifth_paths;
mod fifth_set;
mod formats;
mod fourth;
mod fourth_misses;
mod fourth_set;
mod frames;
mod keys;
mod negatives;
mod paths;
mod random;
mod score;
mod templates;
mod third;

use std::path::Path;

use gatewright_guards::egress::catalogue::Tier;
use gatewright_guards::egress::{Catalogue, Redaction, RedactionContext, Redactor, Rule};

use crate::random::Random;
use crate::score::Scores;

fn main() {
    let mut seed = 7;
    let mut show = false;
    let mut directories = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seed" => seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(seed),
            "--show" => show = true,
            _ => directories.push(argument),
        }
    }
    let mut scores = Scores::new(show);
    api_keys(seed, &mut scores);
    second_set(&mut Random::of(seed, "second set"), &mut scores);
    third_set(&mut Random(seed ^ 3), &mut scores);
    fourth_set::run(&mut Random(seed ^ 4), &mut scores);
    fifth_set::run(&mut Random(seed ^ 5), &mut scores);
    private_keys(&mut Random::of(seed, "private keys"), &mut scores);
    connection_strings(&mut Random::of(seed, "connection strings"), &mut scores);
    passwords(&mut Random::of(seed, "passwords"), &mut scores);
    outside_paths(&mut scores);
    clear_negatives(&mut Random::of(seed, "clear negatives"), &mut scores);
    for directory in directories {
        real_files(Path::new(&directory), &mut scores);
    }
    scores.print();
}

/// A value of the rule's format, from one of its examples.
fn value_of(rule: &Rule, redactor: &Redactor, random: &mut Random) -> Option<String> {
    let example = random.pick(&rule.examples).clone();
    let found = redactor.find(example.as_bytes());
    let own = found.iter().find(|one| one.rule == rule.name);
    let one = own.or_else(|| found.iter().find(|one| one.kind == rule.kind))?;
    let value = example.get(one.range())?.to_owned();
    let other = random.like(&value, &rule.keywords);
    let text = example.replace(&value, &other);
    let is_same =
        own.is_some() && redactor.find(text.as_bytes()).iter().any(|found| found.rule == one.rule);
    Some(if is_same { other } else { value })
}

/// A name under which such a value stands.
fn name_of(rule: &Rule, random: &mut Random) -> String {
    let ending = random.pick(&["API_KEY", "TOKEN", "SECRET", "ACCESS_TOKEN", "KEY"]);
    let provider: String = match rule.tier {
        Tier::Proof => rule.provider.split(' ').next().unwrap_or_default().to_owned(),
        Tier::Context | Tier::Generic => random.pick(&rule.keywords).clone(),
    };
    let words: String = provider
        .chars()
        .map(
            |letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' },
        )
        .collect();
    format!("{}_{ending}", words.trim_matches('_'))
}

fn api_keys(seed: u64, scores: &mut Scores) {
    let redactor = Redactor::default();
    for rule in Catalogue::built_in().rules() {
        let random = &mut Random::of(seed, &rule.name);
        let Some(value) = value_of(rule, &redactor, random) else {
            scores.miss("rule example", &rule.name, &rule.examples.join(" / "));
            continue;
        };
        for _ in 0..4 {
            let frame = random.pick(&frames::FRAMES);
            let text = (frame.show)(&name_of(rule, random), &value);
            let what = format!("{} in {}", rule.name, frame.name);
            scores.hidden(&redactor, "api key in a frame", &what, &text, &value);
        }
        let folded = value.to_ascii_lowercase();
        let is_whole = rule.keywords.iter().any(|word| folded.contains(word.as_str()));
        if rule.tier == Tier::Proof && is_whole && !value.contains(char::is_whitespace) {
            bare_keys(rule, &value, &redactor, random, scores);
        }
    }
}

fn bare_keys(
    rule: &Rule,
    value: &str,
    redactor: &Redactor,
    random: &mut Random,
    scores: &mut Scores,
) {
    let frame = random.pick(&frames::BARE);
    let what = format!("{} {}", rule.name, frame.name);
    scores.hidden(redactor, "api key alone", &what, &(frame.show)("", value), value);
    let (name, make) = random.pick(&disguises::DISGUISES);
    let disguised = make(value, random);
    if disguised != value {
        let text = format!("value is {disguised} ok\n");
        scores.changed(redactor, "disguise", &format!("{name}: {}", rule.name), &text, &disguised);
    }
    let kept =
        rule.keywords.iter().filter(|word| value.to_ascii_lowercase().starts_with(word.as_str()));
    let kept = kept.map(String::len).max().unwrap_or_default();
    for (name, miss) in negatives::near(value, kept, random) {
        // What has lost its mark is like any other key, which a name makes a secret.
        let folded = miss.to_ascii_lowercase();
        if !rule.keywords.iter().any(|word| folded.contains(word.as_str())) {
            continue;
        }
        let text = format!("see {miss} there\n");
        let is_own = |one: &Redaction| one.rule == rule.name;
        if name == "too short" && redactor.find(text.as_bytes()).iter().any(is_own) {
            // The format has several lengths, and this is one of them.
            continue;
        }
        scores.same(redactor, "near miss alone", &format!("{name}: {}", rule.name), &text);
        let text = format!("GITHUB_TOKEN={miss}\n");
        let class = with_a_name(redactor, NAMED, &miss);
        scores.same(redactor, class, &format!("{name}: {}", rule.name), &text);
    }
}

/// The classes of near misses behind a name: of those that fit no rule, and of those that do.
type Named = [&'static str; 2];
const NAMED: Named = ["near miss with a name", "near miss that fits a rule"];
const SECOND_NAMED: Named =
    ["second set, near miss with a name", "second set, near miss that fits a rule"];
const THIRD_NAMED: Named =
    ["third set, near miss with a name", "third set, near miss that fits a rule"];
const FOURTH_NAMED: Named =
    ["fourth set, near miss with a name", "fourth set, near miss that fits a rule"];
const FIFTH_NAMED: Named =
    ["fifth set, near miss with a name", "fifth set, near miss that fits a rule"];

/// The class of a near miss behind a name.
///
/// What is whole by the format of another rule, or within the lengths that a rule
/// allows because its provider does not give one, is counted apart.
fn with_a_name(redactor: &Redactor, classes: Named, miss: &str) -> &'static str {
    let text = format!("see {miss} there\n");
    let is_whole = |one: &Redaction| one.range() == (4..4 + miss.len());
    let is_format = redactor.find(text.as_bytes()).iter().any(is_whole);
    classes[usize::from(is_format)]
}

/// Formats that no rule file was read for.
fn second_set(random: &mut Random, scores: &mut Scores) {
    let redactor = Redactor::default();
    for (name, format) in formats::FORMATS {
        let framed = [
            ("second set in a frame", frames::FRAMES.as_slice()),
            ("second set in other frames", frames::OTHERS.as_slice()),
        ];
        for (class, list) in framed {
            for frame in list {
                let value = formats::value(format, random);
                let text = (frame.show)(name, &value);
                let what = format!("{name} in {}", frame.name);
                scores.hidden(&redactor, class, &what, &text, &value);
            }
        }
        let value = formats::value(format, random);
        for (what, miss) in formats::near(format, &value, random) {
            let what = format!("{what}: {name}");
            let text = format!("see {miss} there\n");
            scores.same(&redactor, "second set, near miss alone", &what, &text);
            for _ in 0..4 {
                let text = (random.pick(&frames::FRAMES).show)(name, &miss);
                let class = with_a_name(&redactor, SECOND_NAMED, &miss);
                scores.same(&redactor, class, &what, &text);
            }
        }
    }
}

/// Other formats in other frames, under every disguise, and what is nearly one of them.
fn third_set(random: &mut Random, scores: &mut Scores) {
    let redactor = Redactor::default();
    for (name, format) in third::FORMATS {
        for frame in &third::FRAMES {
            let value = formats::value(format, random);
            let what = format!("{name} in {}", frame.name);
            let text = (frame.show)(name, &value);
            scores.hidden(&redactor, "third set in a frame", &what, &text, &value);
        }
        let value = formats::value(format, random);
        for (how, make) in disguises::DISGUISES {
            let disguised = make(&value, random);
            let text = format!("export {name}={disguised}\n");
            if disguised != value {
                let what = format!("{name} as {how}");
                scores.changed(&redactor, "third set disguised", &what, &text, &disguised);
            }
        }
        for (what, miss) in formats::near(format, &value, random) {
            let what = format!("{what}: {name}");
            let text = (random.pick(&third::FRAMES).show)(name, &miss);
            let class = with_a_name(&redactor, THIRD_NAMED, &miss);
            scores.same(&redactor, class, &what, &text);
        }
    }
}

fn private_keys(random: &mut Random, scores: &mut Scores) {
    let redactor = Redactor::default();
    for (shape, show) in keys::SHAPES {
        for key in keys::keys(random) {
            let text = show(&key.text);
            let what = format!("{} {shape}", key.name);
            scores.hidden_lines(&redactor, "private key", &what, &text, &key.lines);
            let half = &key.text[..key.text.len() * 2 / 3];
            if key.text.starts_with("-----BEGIN") && key.lines.len() > 5 {
                let lines = &key.lines[..key.lines.len() / 2];
                let what = format!("{} cut {shape}", key.name);
                scores.hidden_lines(&redactor, "private key cut off", &what, &show(half), lines);
                let tail = key.text.split_once('\n').map_or("", |(_, rest)| rest);
                let what = format!("{} without head {shape}", key.name);
                scores.hidden_lines(
                    &redactor,
                    "private key without head",
                    &what,
                    &show(tail),
                    &key.lines[1..],
                );
            }
        }
    }
    for pretty in [true, false] {
        for (shape, show) in keys::SHAPES {
            let account = keys::service_account(random, pretty);
            scores.hidden_lines(
                &redactor,
                "service account",
                shape,
                &show(&account.text),
                &account.lines,
            );
        }
    }
}

fn connection_strings(random: &mut Random, scores: &mut Scores) {
    let redactor = Redactor::default();
    for one in connections::connections(random, 12) {
        scores.only_hidden(&redactor, &one);
    }
}

fn passwords(random: &mut Random, scores: &mut Scores) {
    let redactor = Redactor::default();
    let names = ["DB_PASSWORD", "ADMIN_PASS", "SMTP_PASSWORD", "MYSQL_PWD", "USER_PASSWD"];
    for frame in &frames::FRAMES {
        for name in names {
            let secret = random.password();
            let text = (frame.show)(name, &secret);
            scores.hidden(&redactor, "password in a frame", frame.name, &text, &secret);
            let secret = random.text(random::ALNUM, 32);
            let text = (frame.show)("ACME_API_KEY", &secret);
            scores.hidden(&redactor, "unknown key in a frame", frame.name, &text, &secret);
        }
    }
}

fn outside_paths(scores: &mut Scores) {
    let context =
        RedactionContext { workspace_root: Some(paths::ROOT.to_owned()), ..Default::default() };
    let redactor = Redactor::new(Catalogue::built_in(), context);
    for show in paths::SHOWN {
        for path in paths::OUTSIDE {
            scores.changed(&redactor, "outside path", path, &show(path), path);
        }
        for path in paths::INSIDE {
            scores.same(&redactor, "inside path", path, &show(path));
        }
    }
}

fn clear_negatives(random: &mut Random, scores: &mut Scores) {
    let redactor = Redactor::default();
    for (class, text) in negatives::clear(random) {
        scores.same(&redactor, "clear negative", class, &text);
    }
}

fn real_files(directory: &Path, scores: &mut Scores) {
    let redactor = Redactor::default();
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            real_files(&path, scores);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            scores.real(&redactor, &path.to_string_lossy(), &text);
        }
    }
}
