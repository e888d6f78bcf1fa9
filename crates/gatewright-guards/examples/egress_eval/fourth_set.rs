//! Runs the fourth set: frames, documents, disguises of one and two levels, near misses and paths.

use gatewright_guards::egress::{Catalogue, RedactionContext, Redactor};

use crate::disguises::{self, DISGUISES};
use crate::fourth::{DOCUMENTS, FORMATS, FRAMES};
use crate::fourth_misses::{EXACT, MISSES, PATHS, SHARED};
use crate::random::Random;
use crate::score::Scores;
use crate::templates::made;
use crate::{FOURTH_NAMED, formats, frames, with_a_name};

/// How often each text with random parts is made.
const TIMES: usize = 6;

pub fn run(random: &mut Random, scores: &mut Scores) {
    let redactor = Redactor::default();
    for (name, format) in FORMATS {
        for frame in &FRAMES {
            let value = formats::value(format, random);
            let what = format!("{name} in {}", frame.name);
            let text = (frame.show)(name, &value);
            scores.hidden(&redactor, "fourth set in a frame", &what, &text, &value);
        }
        disguised(&redactor, name, format, random, scores);
    }
    for (what, template) in DOCUMENTS {
        for _ in 0..TIMES {
            let made = made(template, random);
            for secret in &made.secrets {
                scores.hidden(&redactor, "fourth set, documents", what, &made.text, secret);
            }
        }
    }
    misses(&redactor, random, scores);
    paths(scores);
}

fn disguised(
    redactor: &Redactor,
    name: &str,
    format: &str,
    random: &mut Random,
    scores: &mut Scores,
) {
    let value = formats::value(format, random);
    for (how, make) in DISGUISES {
        let form = make(&value, random);
        if form != value {
            let what = format!("{name} as {how}");
            let text = format!("{}: {form}\n", frames::snake(name));
            scores.gone(redactor, "fourth set disguised", &what, &text, &form);
        }
    }
    for _ in 0..8 {
        let first = random.below(disguises::WHOLE);
        let second = random.below(disguises::WHOLE);
        let (inner, make) = DISGUISES[first];
        let (outer, wrap) = DISGUISES[second];
        let form = wrap(&make(&value, random), random);
        let what = format!("{name} as {inner} in {outer}");
        let text = format!("{name}={form}\n");
        scores.gone(redactor, "fourth set disguised twice", &what, &text, &form);
    }
}

fn misses(redactor: &Redactor, random: &mut Random, scores: &mut Scores) {
    for (what, template) in MISSES {
        let times = if template.contains('<') { TIMES } else { 1 };
        for _ in 0..times {
            let text = formats::value_or_text(template, random);
            scores.same(redactor, "fourth set, clear negative", what, &text);
            let text = format!("     7\t{text}");
            scores.same(redactor, "fourth set, clear negative", what, &text);
        }
    }
    for (name, format) in EXACT {
        let value = formats::value(format, random);
        for (how, miss) in formats::near(format, &value, random) {
            let what = format!("{how}: {name}");
            let text = format!("got {miss} from the docs\n");
            scores.same(redactor, "fourth set, near miss alone", &what, &text);
            // What stands where only a password can stand is one.
            let frame = loop {
                let frame = random.pick(&FRAMES);
                if !matches!(frame.name, "remote" | "login") {
                    break frame;
                }
            };
            let what = format!("{how}: {name} in {}", frame.name);
            let text = (frame.show)(name, &miss);
            let class = with_a_name(redactor, FOURTH_NAMED, &miss);
            scores.same(redactor, class, &what, &text);
        }
    }
}

fn paths(scores: &mut Scores) {
    let context =
        RedactionContext { workspace_root: Some("/srv/app".to_owned()), ..Default::default() };
    let redactor = &Redactor::new(Catalogue::built_in(), context);
    let shown: [fn(&str) -> String; 5] = [
        |path| format!("open {path}\n"),
        |path| format!("error: no such file \"{path}\"\n"),
        |path| format!("{{\"cwd\":\"{}\"}}\n", path.replace('\\', "\\\\")),
        |path| format!("  at run ({path}:12:5)\n"),
        |path| format!("PWD={path}\n"),
    ];
    for show in shown {
        for path in PATHS {
            scores.changed(redactor, "fourth set, path", path, &show(path), path);
        }
        for path in SHARED {
            scores.same(redactor, "fourth set, shared path", path, &show(path));
        }
    }
}
