//! How fast the egress guard scans, beside a plain `memchr` pass: one JSON line.
//!
//! `cargo run --release -p gatewright-guards --example egress_speed -- DIRECTORY [MEGABYTES [HOSTILE]]`
//! reads source files below DIRECTORY; HOSTILE is the size of the hostile strings in megabytes. `cargo xtask bench egress` runs it.
#![expect(clippy::disallowed_methods, reason = "a measuring program, not a part of the product")]

use std::path::Path;
use std::time::{Duration, Instant};

use gatewright_guards::egress::{Redactor, Stream};
use serde_json::json;

const FRAME: usize = 4 * 1024;
const FILE: usize = 8 * 1024;

/// Suffixes of files that count as source.
const SOURCE: [&str; 14] =
    ["rs", "py", "js", "ts", "go", "java", "c", "h", "cpp", "md", "toml", "json", "yml", "sh"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().unwrap_or_else(|| ".".to_owned());
    let megabytes: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(200);
    let started = Instant::now();
    let redactor = Redactor::default();
    let start_up = started.elapsed();
    let mut files = Vec::new();
    let mut left = megabytes << 20;
    collect(Path::new(&directory), &mut files, &mut left);
    let total: usize = files.iter().map(Vec::len).sum();
    // Rules are compiled when first needed; that is not what is measured.
    let found: usize = files.iter().map(|file| redactor.find(file).len()).sum();
    let source = best(3, || files.iter().map(|file| redactor.find(file).len()).sum::<usize>());
    let limit =
        best(3, || files.iter().map(|file| memchr::memchr_iter(0, file).count()).sum::<usize>());
    let report = json!({
        "bytes": total,
        "files": files.len(),
        "found": found,
        "start_up_us": start_up.as_micros(),
        "source_mb_s": speed(total, source),
        "memchr_mb_s": speed(total, limit),
        "frame_4k_p50_us": median_of(&files, FRAME, &redactor),
        "file_8k_p50_us": median_of(&files, FILE, &redactor),
    });
    println!("{report}");
    let hostile_megabytes = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    if hostile_megabytes > 0 {
        println!("{}", json!({ "hostile_mb_s": hostile(&redactor, hostile_megabytes << 20) }));
    }
}

fn collect(directory: &Path, files: &mut Vec<Vec<u8>>, left: &mut usize) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if *left == 0 {
            return;
        }
        if path.is_dir() {
            collect(&path, files, left);
        } else if path
            .extension()
            .is_some_and(|suffix| SOURCE.iter().any(|one| suffix.eq_ignore_ascii_case(one)))
            && let Ok(content) = std::fs::read(&path)
        {
            *left = left.saturating_sub(content.len());
            files.push(content);
        }
    }
}

fn best(rounds: usize, mut work: impl FnMut() -> usize) -> Duration {
    (0..rounds)
        .map(|_| {
            let started = Instant::now();
            std::hint::black_box(work());
            started.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn speed(bytes: usize, time: Duration) -> f64 {
    (bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9)).round()
}

/// The median time for pieces of `size` bytes, in microseconds.
fn median_of(files: &[Vec<u8>], size: usize, redactor: &Redactor) -> f64 {
    let mut times: Vec<u128> = files
        .iter()
        .flat_map(|file| file.chunks_exact(size))
        .take(20_000)
        .map(|piece| {
            let started = Instant::now();
            std::hint::black_box(redactor.find(piece));
            started.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default() as f64 / 1e3
}

/// The speed on strings that are all anchors, whole and as a stream.
fn hostile(redactor: &Redactor, size: usize) -> serde_json::Value {
    let seeds = [
        ("scheme", "://"),
        ("password", "password="),
        ("pem", "-----BEGIN PRIVATE KEY-----"),
        ("jwt", "eyJ"),
        ("github", "ghp_"),
        ("run", "a1B2c3D4"),
        ("name_value", "api_key=a1B2c3D4e5F6g7H8i9J0 "),
        ("home", "/home/"),
        ("escape", "\\u0041"),
        ("percent", "%41"),
        ("seam", "\" + \""),
        ("backslash", "\\\\"),
        ("lines", "password:\n"),
    ];
    let mut report = serde_json::Map::new();
    for (name, seed) in seeds {
        let text = seed.repeat(size / seed.len());
        let started = Instant::now();
        std::hint::black_box(redactor.find(text.as_bytes()));
        let whole = speed(text.len(), started.elapsed());
        let started = Instant::now();
        let mut stream = Stream::new(redactor);
        for chunk in text.as_bytes().chunks(16 * 1024) {
            let _ = std::hint::black_box(stream.push(chunk));
        }
        let _ = std::hint::black_box(stream.finish());
        report.insert(name.to_owned(), json!([whole, speed(text.len(), started.elapsed())]));
    }
    report.into()
}
