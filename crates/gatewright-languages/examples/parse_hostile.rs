//! How long texts that are made to be hard take: parse, outline, tokens, errors, and the gate.
//!
//! `cargo run --release --example parse_hostile [kilobytes] [language]`. Prints what
//! takes longer than a second for a megabyte, and the slowest of all.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "an example that measures and prints"
)]

use std::time::Instant;

use gatewright_languages::syntax::{LanguageId, Parsed, structure_facts};
use gatewright_model::Intent;

/// Repeated to the wanted size.
const PIECES: &[&str] = &[
    "(",
    "[",
    "{",
    "<",
    "x = [",
    "x = {",
    "f(",
    "a.b(",
    "a<",
    "a?",
    "a ? ",
    "!",
    "-",
    "* ",
    "& ",
    "\"",
    "'",
    "`",
    "/*",
    "//",
    "/* */",
    "#",
    "# \n",
    "\"\"\"",
    "${",
    "#{",
    "\"${",
    "`${",
    "f'{",
    "\\",
    "\n",
    " ",
    "\t",
    "a",
    "a ",
    "a b ",
    "1",
    "1 ",
    ", ",
    ";",
    "; ",
    "a, ",
    "a: ",
    "a = ",
    "if (",
    "if a {\n",
    "if a:\n ",
    "else ",
    "for ",
    "class ",
    "class A {\n",
    "class A:\n ",
    "def a\n",
    "def f(a):\n",
    "fn a() {\n",
    "fn ",
    "func a() {\n",
    "fun a() {\n",
    "int a() {\n",
    "struct A {\n",
    "enum A {\n",
    "impl A {\n",
    "}\n",
    ")",
    "]",
    "} ",
    "=> ",
    "-> ",
    "a => ",
    "|a| ",
    "<<A\n",
    "<<~A\n",
    "r#\"",
    "@a ",
    "@a(",
    "#[a] ",
    "#[",
    "[a] ",
    "\u{e9}",
    "\u{1f600} ",
    "<a>",
    "<a ",
    "</a>",
    "switch a {\n",
    "case 1:\n",
    "do {\n",
    "try {\n",
    "begin\n",
    "end\n",
    "#if A\n",
    "#endif\n",
    "#define A \\\n",
    "template<",
    "template<a> ",
    "typedef ",
    "return ",
    "yield ",
    "await ",
    "async ",
    "lambda a: ",
    "not ",
    "a and ",
    "a or ",
    "%w(",
    "? ",
    ":a ",
    "m!{+ + + + + + + + + + + + + + + + + + + + + + + + + + ",
    "a[",
    "a[1] = ",
    "a{",
    "a\n",
    "a;\n",
    "a()\n",
    "\u{0}",
    "\u{feff}",
    "\r",
    "\r\n",
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let kilobytes: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(200);
    let only = arguments.next();
    for language in LanguageId::ALL {
        if only.as_ref().is_some_and(|only| !language.name().eq_ignore_ascii_case(only)) {
            continue;
        }
        let mut slowest = (0.0, "");
        for piece in PIECES {
            let text = piece.repeat(kilobytes * 1000 / piece.len());
            let seconds = measure(language, piece, &text);
            if seconds > slowest.0 {
                slowest = (seconds, piece);
            }
        }
        println!("{:<11} slowest {:>7.2} s {:?}", language.name(), slowest.0, slowest.1);
    }
}

fn measure(language: LanguageId, piece: &str, text: &str) -> f64 {
    let start = Instant::now();
    let parsed = Parsed::new(language, text.as_bytes());
    let parse = start.elapsed().as_secs_f64();
    let is_parsed = parsed.is_ok();
    if let Ok(parsed) = parsed {
        parsed.outline();
        parsed.tokens();
        parsed.error_signature();
    }
    let all = start.elapsed().as_secs_f64();
    let name = format!("a.{}", language.language().extensions[0]);
    let after = format!("{text}\nx");
    let (before, after) = (Some(text.as_bytes()), Some(after.as_bytes()));
    structure_facts(&name, before, after, &Intent::Patch);
    let total = start.elapsed().as_secs_f64();
    if total * 1e6 > text.len() as f64 {
        println!(
            "{:<11} {piece:<16?} parse {parse:>6.2} (parsed: {is_parsed}) facts {:>6.2} gate {:>6.2}",
            language.name(),
            all - parse,
            total - all
        );
    }
    total
}
