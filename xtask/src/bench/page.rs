//! `bench page`: the review page in a real browser, beside two peers on the same diff.
//!
//! The peers render a diff of the same two texts in the same browser, one after
//! the other. Their own making of the diff is told apart, since ours comes from
//! the server. Ratios are to the better peer.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;

use crate::failure::Failure;
use crate::setup::{self, Setup, browser};
use crate::{page, process, tree};

const PEERS: &str = "web/bench";
const OURS: &str = "gatewright";

/// One measured thing.
struct Figure {
    what: String,
    who: String,
    value: f64,
    unit: String,
}

/// Runs it, prints a table and keeps the figures.
pub fn run() -> Result<(), Failure> {
    let mut setup = setup::run()?;
    setup.ensure(&browser::locked(&setup, PEERS)?)?;
    let mut build = process::cargo(&setup);
    process::run(build.args(["build", "--release", "--quiet", "--package", "gatewright-cli"]))?;
    let copy = page::copy_of_web(&setup)?;
    build_peers(&setup, &copy)?;
    let mut command = process::nice("node");
    command
        .arg("bench/page.mjs")
        .env("PATH", setup.path())
        .env("GATEWRIGHT", tree::target().join("release/gatewright"))
        .current_dir(&copy);
    let text = process::capture(&mut command)?;
    let figures = figures(&text)?;
    print(&figures);
    let directory = tree::target().join("bench");
    fs::create_dir_all(&directory).map_err(Failure::io("make", &directory))?;
    let path = directory.join("page.json");
    fs::write(&path, text).map_err(Failure::io("write", &path))
}

fn build_peers(setup: &Setup, copy: &Path) -> Result<(), Failure> {
    let link = copy.join("bench/node_modules");
    let packages = browser::packages(setup, PEERS)?.join("node_modules");
    symlink(&packages, &link).map_err(Failure::io("link", &link))?;
    let mut vite = process::nice(copy.join("node_modules/.bin/vite"));
    vite.args(["build", "--config", "bench/vite.config.mjs", "--logLevel", "error"])
        .env("PATH", setup.path())
        .current_dir(copy);
    process::run(&mut vite)
}

fn figures(text: &str) -> Result<Vec<Figure>, Failure> {
    let last = text.lines().last().unwrap_or_default();
    let rows: Vec<Value> = serde_json::from_str(last)
        .map_err(|error| Failure::unexpected(format!("the benchmark gave no figures: {error}")))?;
    let word = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let figure = |row: &Value| Figure {
        what: word(row, "what"),
        who: word(row, "who"),
        value: row["value"].as_f64().unwrap_or(f64::NAN),
        unit: word(row, "unit"),
    };
    Ok(rows.iter().map(figure).collect())
}

fn print(figures: &[Figure]) {
    println!("{:<30} {:<12} {:>10}      {:>16}", "what", "who", "value", "to better peer");
    for figure in figures {
        let peers = figures.iter().filter(|other| other.what == figure.what && other.who != OURS);
        let best = peers.map(|peer| peer.value).fold(f64::INFINITY, f64::min);
        let ratio = match figure.who == OURS && best.is_finite() {
            true => format!("{:.2}", figure.value / best),
            false => "-".to_owned(),
        };
        let Figure { what, who, value, unit } = figure;
        println!("{what:<30} {who:<12} {value:>10.1} {unit:<4} {ratio:>16}");
    }
}
