//! How fast the egress guard scans, beside a plain `memchr` pass: one JSON line.
//!
//! `cargo run --release -p gatewright-guards --example egress_speed -- DIRECTORY [MEGABYTES [TIMES [SHARE [frames]]]]`
//! reads source files below DIRECTORY; with TIMES it only looks through them so often, for tools that
//! count instructions: rules are compiled the first time, so the difference of two is what the
//! others cost. With SHARE it has the rules of one of so many files, with 0 twice all of them; `frames`
//! behind it looks through frames. `cargo xtask bench egress` runs it; for hostile text see `egress_hostile`.
#![expect(clippy::disallowed_methods, reason = "a measuring program, not a part of the product")]

use std::path::Path;
use std::time::{Duration, Instant};

use gatewright_guards::egress::{Catalogue, RedactionContext, Redactor};
use serde_json::json;

const FRAME: usize = 4 * 1024;
const FILE: usize = 8 * 1024;
/// How often the plain pass looks through all files.
const LOOKS: usize = 16;

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
    let mut number = || arguments.next().and_then(|text| text.parse::<usize>().ok());
    if let Some(times) = number() {
        let redactor = with_share_of_rules(number().unwrap_or(1));
        let is_framed = arguments.next().is_some_and(|what| what == "frames");
        println!("{}", counted(&files, times, &redactor, is_framed));
        return;
    }
    let look =
        |redactor: &Redactor| files.iter().map(|file| redactor.find(file).len()).sum::<usize>();
    let [half, double] = [2, 0].map(with_share_of_rules);
    // Rules are compiled when first needed; that is not what is measured.
    let [found, ..] = [&redactor, &half, &double].map(&look);
    // By turns, since what else runs here changes.
    let all = [&redactor, &half, &double];
    let mut best = [Duration::MAX; 3];
    for _ in 0..3 {
        let turn = all.map(|redactor| least(1, || look(redactor)));
        best.iter_mut().zip(turn).for_each(|(best, time)| *best = time.min(*best));
    }
    let [source, halved, doubled] = best;
    // So quick that one look takes few of the steps in which processor time is counted.
    let limit = least(3, || {
        let look = || files.iter().map(|file| memchr::memchr_iter(0, file).count()).sum::<usize>();
        (0..LOOKS).map(|_| std::hint::black_box(look())).sum()
    });
    let (threads, shared) = all_threads(&files, &redactor);
    let frames = frames_of(&files);
    let frame_bytes: usize = frames.iter().map(String::len).sum();
    let framed = least(2, || {
        frames.iter().map(|frame| redactor.seal_json_text(frame).as_str().len()).sum::<usize>()
    });
    let report = json!({
        "bytes": total,
        "files": files.len(),
        "found": found,
        "start_up_us": start_up.as_micros(),
        "source_mb_s": speed(total, source),
        "rules": Catalogue::built_in().rules().len(),
        "half_rules_mb_s": speed(total, halved),
        "double_rules_mb_s": speed(total, doubled),
        "memchr_mb_s": speed(total * LOOKS, limit),
        "threads": threads,
        "all_threads_mb_s": speed(total, shared),
        "agent_frames_mb_s": speed(frame_bytes, framed),
        "frame_4k_p50_us": median_of(&files, FRAME, &redactor),
        "file_8k_p50_us": median_of(&files, FILE, &redactor),
    });
    println!("{report}");
}

/// A redactor with the rules of one of so many files, or with twice all of them.
fn with_share_of_rules(one_of: usize) -> Redactor {
    let catalogue = match one_of {
        0 => Catalogue::doubled_built_in(),
        _ => Catalogue::share_of_built_in(one_of),
    };
    Redactor::new(&catalogue, RedactionContext::default())
}

/// Looks so often through files, or through the same as frames.
fn counted(
    files: &[Vec<u8>],
    times: usize,
    redactor: &Redactor,
    is_framed: bool,
) -> serde_json::Value {
    let frames = if is_framed { frames_of(files) } else { Vec::new() };
    let look = || {
        if is_framed {
            return frames.iter().map(|frame| redactor.seal_json_text(frame).as_str().len()).sum();
        }
        files.iter().map(|file| redactor.find(file).len()).sum::<usize>()
    };
    let found = (0..times).map(|_| look()).max();
    let all = files.iter().map(Vec::len).sum::<usize>();
    let framed = frames.iter().map(String::len).sum::<usize>();
    json!({ "bytes": if is_framed { framed } else { all }, "found": found })
}

/// The time on all processors, each with its share of the files.
fn all_threads(files: &[Vec<u8>], redactor: &Redactor) -> (usize, Duration) {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = files.len().div_ceil(threads).max(1);
    let time = best(3, || {
        std::thread::scope(|scope| {
            for files in files.chunks(share) {
                scope.spawn(move || {
                    files.iter().map(|file| redactor.find(file).len()).sum::<usize>()
                });
            }
        });
        threads
    });
    (threads, time)
}

/// The same text as an agent's tool answers it: JSON-RPC with text inside.
fn frames_of(files: &[Vec<u8>]) -> Vec<String> {
    files
        .iter()
        .take(2000)
        .filter_map(|file| std::str::from_utf8(file).ok())
        .map(|text| {
            let content = json!([{ "type": "text", "text": text }]);
            json!({ "jsonrpc": "2.0", "id": 1, "result": { "content": content } }).to_string()
        })
        .collect()
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

/// The least time that `work` takes by the clock.
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

/// The least processor time that `work` takes on this thread, which other programs do not lengthen.
fn least(rounds: usize, mut work: impl FnMut() -> usize) -> Duration {
    (0..rounds)
        .map(|_| {
            let (started, used) = (Instant::now(), processor_time());
            std::hint::black_box(work());
            match (used, processor_time()) {
                // The count moves in steps; below one of them only the clock tells.
                (Some(before), Some(after)) if after > before => after - before,
                _ => started.elapsed(),
            }
        })
        .min()
        .unwrap_or_default()
}

/// What the scheduler counts for this thread, where there is such a count.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
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
