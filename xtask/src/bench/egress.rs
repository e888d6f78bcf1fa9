//! `bench egress`: the egress guard on real source, beside a peer on the same files.
//!
//! The source is what cargo keeps of the dependencies. Ours runs as the example
//! `egress_speed`, which measures inside one process; the peer is a whole
//! program, measured by the processor time that the system counts for it, so a
//! busy machine does not spoil the ratio. Hostile strings have a program of
//! their own, which is run at the end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::failure::Failure;
use crate::setup::{self, Setup, Tool};
use crate::{process, tree};

const RIPSECRETS: &str = "0.1.11";
/// Suffixes of files that count as source, as in the example.
const SOURCE: [&str; 8] = ["rs", "py", "js", "c", "h", "md", "toml", "json"];

/// Runs ours and the peer on so many megabytes and prints the ratios.
pub fn run(megabytes: usize) -> Result<(), Failure> {
    let corpus = tree::target().join("bench/egress/source");
    let bytes = gather(&corpus, megabytes << 20)?;
    println!("{} MB of source in the target directory", bytes / 1_000_000);
    let ours = measure_ours(&corpus, megabytes)?;
    println!("{ours:#}");
    match measure_peer(&corpus) {
        Ok(seconds) => report(&ours, bytes as f64 / 1e6 / seconds),
        Err(failure) => println!("no peer: {}", failure.with_causes()),
    }
    match instructions(&corpus) {
        Some(count) => println!("instructions per byte: {count:.2}"),
        None => println!("instructions per byte: valgrind is not here"),
    }
    process::run(example("egress_hostile").arg("10"))
}

fn report(ours: &Value, peer: f64) {
    let figure = |name: &str| ours[name].as_f64().unwrap_or_default();
    let speed = figure("source_mb_s");
    println!("ripsecrets {RIPSECRETS}: {peer:.0} MB for each second of a processor");
    println!("ours: {speed:.0} MB/s on one thread, {:.2} times the peer", speed / peer.max(1e-9));
    println!("a plain memchr pass: {:.0} MB/s", figure("memchr_mb_s"));
}

/// Copies source from cargo's cache until there is enough of it.
fn gather(corpus: &Path, limit: usize) -> Result<usize, Failure> {
    setup::clear(corpus)?;
    fs::create_dir_all(corpus).map_err(Failure::io("make", corpus))?;
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
        .ok_or_else(|| Failure::unexpected("cargo's home is not known"))?;
    let mut files = Vec::new();
    list(&home.join("registry/src"), &mut files);
    files.sort();
    let mut bytes = 0;
    for (index, file) in files.iter().enumerate() {
        if bytes >= limit {
            break;
        }
        let suffix = file.extension().unwrap_or_default().to_string_lossy().into_owned();
        let copy = corpus.join(format!("{index}.{suffix}"));
        bytes += fs::copy(file, &copy).map_err(Failure::io("copy", file))? as usize;
    }
    Ok(bytes)
}

fn list(directory: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|suffix| SOURCE.iter().any(|one| suffix == *one)) {
            files.push(path);
        }
    }
}

fn measure_ours(corpus: &Path, megabytes: usize) -> Result<Value, Failure> {
    let mut build = process::cargo(&Setup::locate()?);
    build.args(["build", "--release", "--quiet", "--package", "gatewright-guards", "--examples"]);
    process::run(&mut build)?;
    let line = process::capture(example("egress_speed").arg(corpus).arg(megabytes.to_string()))?;
    serde_json::from_str(line.trim())
        .map_err(|error| Failure::unexpected(format!("egress_speed printed no JSON: {error}")))
}

fn example(name: &str) -> Command {
    process::nice(tree::target().join("release/examples").join(name))
}

/// The processor seconds that the peer needs for the source.
fn measure_peer(corpus: &Path) -> Result<f64, Failure> {
    let mut setup = Setup::locate()?;
    let tool = ripsecrets(&setup);
    setup.ensure(&tool)?;
    let program = setup.directory("ripsecrets", RIPSECRETS).join("bin/ripsecrets");
    let run = || {
        let before = children_ticks();
        // It ends with an error code when it finds something, as it will.
        let _ = process::succeeds(process::nice(&program).arg(corpus));
        children_ticks() - before
    };
    let ticks = run().min(run());
    // The kernel counts a hundred ticks to the second for programs.
    Ok(ticks as f64 / 100.0)
}

/// The time of all children that ended, in ticks.
fn children_ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}

/// The peer, built with optimisation since its speed is what is asked for.
fn ripsecrets(setup: &Setup) -> Tool {
    let directory = setup.directory("ripsecrets", RIPSECRETS);
    let program = directory.join("bin/ripsecrets");
    Tool {
        name: format!("ripsecrets {RIPSECRETS} (cargo)"),
        check: Box::new(move |_| program.is_file()),
        install: Box::new(move |setup| {
            let build = directory.join("build");
            let mut command = process::cargo(setup);
            command
                .args(["install", "ripsecrets", "--version", RIPSECRETS, "--locked", "--force"])
                .args(["--quiet", "--root"])
                .arg(&directory)
                .env("CARGO_TARGET_DIR", &build);
            process::run(&mut command)?;
            setup::clear(&build)
        }),
        paths: Vec::new(),
    }
}

/// Instructions for each byte, as callgrind counts them: the difference of two sizes.
fn instructions(corpus: &Path) -> Option<f64> {
    let count = |megabytes: &str| -> Option<(f64, f64)> {
        let mut command = process::nice("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(tree::target().join("release/examples/egress_speed"));
        let (lines, _) = process::collect(command.arg(corpus).args([megabytes, "once"])).ok()?;
        let collected = lines.iter().find_map(|line| line.split_once("Collected :"))?.1.trim();
        let report = lines.iter().find_map(|line| serde_json::from_str::<Value>(line).ok())?;
        Some((collected.parse().ok()?, report["bytes"].as_f64()?))
    };
    let (small, few) = count("1")?;
    let (large, many) = count("3")?;
    (many > few).then(|| (large - small) / (many - few))
}
