//! Runs the fifth set: frames, connection strings, documents, disguises, keys, negatives, paths.

use gatewright_guards::egress::{Catalogue, Kind, RedactionContext, Redactor};

use crate::fifth::FORMATS;
use crate::fifth_documents::{CONNECTIONS, DOCUMENTS};
use crate::fifth_frames::{DISGUISES, FRAMES, NAMELESS, SHAPES};
use crate::fifth_misses::{CLEAR, EXACT};
use crate::fifth_paths::{OUTSIDE, ROOT, SHARED, SHOWN};
use crate::random::{ALNUM, Random};
use crate::score::Scores;
use crate::{FIFTH_NAMED, disguises, formats, keys, with_a_name};

/// How often each text with random parts is made.
const TIMES: usize = 6;

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

/// A template with its secrets marked, `<p>` standing for a password.
fn made(template: &str, random: &mut Random) -> (String, Vec<String>) {
    let mut text = template.to_owned();
    while text.contains("<p>") {
        let password = random.password();
        text = text.replacen("<p>", &password, 1);
    }
    let text = formats::value_or_text(&text, random);
    let marked = text.split('«').skip(1).filter_map(|part| part.split_once('»'));
    let secrets = marked.map(|(secret, _)| secret.to_owned()).collect();
    (text, secrets)
}

/// Whether what was redacted is the text with each secret, and nothing else, replaced.
fn is_exact(marked: &str, redacted: &str) -> bool {
    let mut rest = redacted;
    for (index, part) in marked.split('«').enumerate() {
        let kept = if index == 0 { part } else { part.split_once('»').map_or("", |pair| pair.1) };
        if index > 0 {
            let placeholder =
                Kind::ALL.iter().find_map(|kind| rest.strip_prefix(kind.placeholder()));
            let Some(behind) = placeholder else { return false };
            rest = behind;
        }
        let Some(behind) = rest.strip_prefix(kept) else { return false };
        rest = behind;
    }
    rest.is_empty()
}

fn connections(redactor: &Redactor, random: &mut Random, scores: &mut Scores) {
    let around =
        [("", ""), ("DATABASE_URL=", ""), ("    url: ", ""), ("12\u{2192}", ""), ("+", "")];
    for template in CONNECTIONS {
        let what = template.trim_end();
        for _ in 0..TIMES {
            let (before, after) = random.pick(&around);
            let (marked, secrets) = made(&format!("{before}{template}{after}"), random);
            let text = marked.replace(['«', '»'], "");
            for secret in &secrets {
                scores.hidden(redactor, "fifth set, connection", what, &text, secret);
            }
            let redacted = redactor.redact(&text).text;
            let right = is_exact(&marked, &redacted);
            scores.judged("fifth set, connection exact", what, right, &text, &redacted);
        }
    }
}

fn documents(redactor: &Redactor, random: &mut Random, scores: &mut Scores) {
    for (what, template) in DOCUMENTS {
        for _ in 0..TIMES {
            let (marked, secrets) = made(template, random);
            let text = marked.replace(['«', '»'], "");
            for secret in &secrets {
                scores.hidden(redactor, "fifth set, document", what, &text, secret);
            }
            let redacted = redactor.redact(&text).text;
            let right = is_exact(&marked, &redacted);
            scores.judged("fifth set, document exact", what, right, &text, &redacted);
        }
    }
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
