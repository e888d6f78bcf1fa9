//! Runs the fifth set: frames, connection strings, documents, disguises, keys, negatives, paths.

use gatewright_guards::egress::{Catalogue, RedactionContext, Redactor};

use crate::fifth::FORMATS;
use crate::fifth_documents::{CONNECTIONS, DOCUMENTS};
use crate::fifth_frames::{DISGUISES, FRAMES, NAMELESS, SHAPES};
use crate::fifth_misses::{CLEAR, EXACT};
use crate::fifth_paths::{OUTSIDE, ROOT, SHARED, SHOWN};
use crate::random::{ALNUM, Random};
use crate::score::Scores;
use crate::templates::made;
use crate::{FIFTH_NAMED, disguises, formats, keys, with_a_name};

/// How often each text with random parts is made.
const TIMES: usize = 6;

/// The classes of what is found and of what is hidden exactly.
const CONNECTION: (&str, &str) = ("fifth set, connection", "fifth set, connection exact");
const DOCUMENT: (&str, &str) = ("fifth set, document", "fifth set, document exact");

pub fn run(random: &mut Random, scores: &mut Scores) {
    let redactor = Redactor::default();
    for (name, format) in FORMATS {
        framed(&redactor, name, format, random, scores);
        disguised(&redactor, name, format, random, scores);
    }
    connections(&redactor, random, scores);
    documents(&redactor, random, scores);
    private_keys(&redactor, random, scores);
    clear(&redactor, random, scores);
    misses(&redactor, random, scores);
    paths(scores);
}

fn framed(redactor: &Redactor, name: &str, format: &str, random: &mut Random, scores: &mut Scores) {
    let framed = [("fifth set in a frame", &FRAMES[..]), ("fifth set, nameless", &NAMELESS[..])];
    for (class, frames) in framed {
        for frame in frames {
            let value = formats::value(format, random);
            let what = format!("{name} in {}", frame.name);
            let text = (frame.show)(name, &value);
            scores.hidden(redactor, class, &what, &text, &value);
        }
    }
    if is_marked(format) {
        let value = formats::value(format, random);
        for text in [format!("{value}\n"), format!("see {value}, it works\n")] {
            scores.hidden(redactor, "fifth set, alone", name, &text, &value);
        }
    }
}

/// Whether a format can be told without a name: it has fixed signs of its own.
fn is_marked(format: &str) -> bool {
    let fixed: usize =
        format.split('>').filter_map(|part| part.split('<').next()).map(str::len).sum();
    fixed >= 4
}

fn disguised(
    redactor: &Redactor,
    name: &str,
    format: &str,
    random: &mut Random,
    scores: &mut Scores,
) {
    if !is_marked(format) || format.contains(['$', '|', ' ']) {
        return;
    }
    for (how, make) in DISGUISES.iter().chain(&disguises::DISGUISES) {
        let value = formats::value(format, random);
        let form = make(&value, random);
        if form == value {
            continue;
        }
        let what = format!("{name} as {how}");
        let text = format!("{name}={form}\n");
        scores.gone(redactor, "fifth set disguised", &what, &text, &form);
    }
}

fn connections(redactor: &Redactor, random: &mut Random, scores: &mut Scores) {
    let around =
        [("", ""), ("DATABASE_URL=", ""), ("    url: ", ""), ("12\u{2192}", ""), ("+", "")];
    for template in CONNECTIONS {
        let what = template.trim_end();
        for _ in 0..TIMES {
            let (before, after) = random.pick(&around);
            let template = format!("{before}{template}{after}");
            templated(redactor, CONNECTION, (what, &template), random, scores);
        }
    }
}

fn documents(redactor: &Redactor, random: &mut Random, scores: &mut Scores) {
    for &text in DOCUMENTS {
        for _ in 0..TIMES {
            templated(redactor, DOCUMENT, text, random, scores);
        }
    }
}

/// The secrets of a text must be gone, and nothing else.
fn templated(
    redactor: &Redactor,
    (class, exact): (&'static str, &'static str),
    (what, template): (&str, &str),
    random: &mut Random,
    scores: &mut Scores,
) {
    let made = made(template, random);
    for secret in &made.secrets {
        scores.hidden(redactor, class, what, &made.text, secret);
    }
    let redacted = redactor.redact(&made.text).text;
    scores.judged(exact, what, made.is_exact(&redacted), &made.text, &redacted);
}

fn private_keys(redactor: &Redactor, random: &mut Random, scores: &mut Scores) {
    for (shape, show) in SHAPES {
        for key in keys::keys(random) {
            let text = show(&key.text);
            let what = format!("{} {shape}", key.name);
            // A long line may be written in another form, its start then is not.
            let starts = |line: &String| line.get(..12).map(str::to_owned);
            let lines: Vec<String> = key.lines.iter().filter_map(starts).collect();
            scores.hidden_lines(redactor, "fifth set, private key", &what, &text, &lines);
            if text.contains("tls.key") {
                let form = text.trim_start_matches("tls.key: ").trim_end();
                scores.gone(redactor, "fifth set, private key", &what, &text, form);
            }
        }
    }
}

fn clear(redactor: &Redactor, random: &mut Random, scores: &mut Scores) {
    for (what, template) in CLEAR {
        let times = if template.contains('<') { TIMES } else { 1 };
        for _ in 0..times {
            let text = formats::value_or_text(template, random);
            scores.same(redactor, "fifth set, clear negative", what, &text);
            let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
            scores.same(redactor, "fifth set, clear negative", what, &lines);
            let json = format!("{}\n", serde_json::json!({ "output": text }));
            scores.same(redactor, "fifth set, clear negative", what, &json);
        }
    }
}

/// Forms that are no such key, whatever rule is asked.
fn near(format: &str, value: &str, random: &mut Random) -> Vec<(&'static str, String)> {
    let mut misses = formats::near(format, value, random);
    let prefix = format.split_once('<').map_or(0, |(prefix, _)| prefix.len());
    let (mark, body) = value.split_at(prefix);
    let third = prefix + body.len() / 3;
    misses.extend([
        ("three less", value[..value.len() - 3].to_owned()),
        ("three more", format!("{value}{}", random.text(ALNUM, 3))),
        ("prefix alone", mark.to_owned()),
        ("masked with stars", format!("{mark}{}", "*".repeat(body.len()))),
        (
            "masked but four",
            format!("{mark}{}{}", "*".repeat(body.len() - 4), &value[value.len() - 4..]),
        ),
        ("masked with x", format!("{mark}{}", "X".repeat(body.len()))),
        ("in a word", format!("myvalue{value}")),
        ("dots", format!("{}\u{2026}", &value[..third.min(prefix + 6)])),
        ("pattern", format!("{mark}[A-Za-z0-9]{{{}}}", body.len())),
        ("bracketed", format!("{mark}<your-token>")),
        ("zeroes", format!("{mark}{}", "0".repeat(body.len()))),
        (
            "counting",
            format!("{mark}{}", "1234567890".repeat(9).get(..body.len()).unwrap_or_default()),
        ),
    ]);
    misses
}

fn misses(redactor: &Redactor, random: &mut Random, scores: &mut Scores) {
    for (name, format) in EXACT {
        let value = formats::value(format, random);
        for (how, miss) in near(format, &value, random) {
            let what = format!("{how}: {name}");
            let text = format!("got {miss} from the docs\n");
            scores.same(redactor, "fifth set, near miss alone", &what, &text);
            let frame = random.pick(&FRAMES);
            let what = format!("{how}: {name} in {}", frame.name);
            let text = (frame.show)(name, &miss);
            let class = with_a_name(redactor, FIFTH_NAMED, &miss);
            scores.same(redactor, class, &what, &text);
        }
    }
}

fn paths(scores: &mut Scores) {
    for root in [ROOT.to_owned(), format!("{ROOT}/")] {
        let context = RedactionContext { workspace_root: Some(root), ..Default::default() };
        let redactor = &Redactor::new(Catalogue::built_in(), context);
        for show in SHOWN {
            for (path, part) in OUTSIDE {
                scores.changed(redactor, "fifth set, path", path, &show(path), part);
            }
            for path in SHARED {
                scores.same(redactor, "fifth set, shared path", path, &show(path));
            }
        }
    }
}
