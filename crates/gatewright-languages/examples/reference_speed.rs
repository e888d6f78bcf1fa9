//! Times the reference facts on one project: `reference_speed EXTENSION PROJECT [COUNT [ONLY]]`.
//! With `ONLY`, files whose path holds it are checked and no others. With `index` in the place of
//! `COUNT`, the index of the whole project is made and nothing is checked: as long as it takes
//! on every processor, what it takes of all of them, and by how much the process grows; `words` is
//! what comes before the first parse, after which any question can be answered.
//!
//! Prints one line of JSON: the size of the project, the first look at every
//! file on one thread, one write checked again and again with everything known,
//! one first write of a fresh process, and the memory that all of it took: what the process
//! grew by, with all that its allocator does not give back, and what the index holds. A
//! start is the first write of a fresh process that warns, and so has to ask the
//! whole project: with nothing kept, and with what an earlier process kept. Times
//! that end with `cpu_us` are those of the processor, for machines that are busy.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    reason = "a measuring program reads trees and the clock"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use gatewright_languages::references::disk::{DiskDependencies, DiskTree};
use gatewright_languages::references::{
    ChangedFile, Entry, Index, SourceTree, Survey, reference_facts,
};
use gatewright_languages::syntax::{Parsed, detect};
use rustix::time::ClockId;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [extension, project, rest @ ..] = arguments.as_slice() else {
        eprintln!("reference_speed EXTENSION PROJECT [COUNT [ONLY]]");
        return;
    };
    let project = Path::new(project);
    if rest.first().is_some_and(|word| word == "index") {
        return index(extension, project);
    }
    let count: usize = rest.first().map_or(300, |text| text.parse().unwrap());
    let files = files_of(project, extension, rest.get(1).map_or("", String::as_str));
    let fresh = Place::new(project);
    let first = fresh.checks(&files[..files.len().min(1)], "");
    let base = resident();
    let place = Place::new(project);
    let start = Instant::now();
    let cold = place.checks(&files, "");
    let cold_all = start.elapsed();
    let held = place.index.held_bytes();
    let taken = resident().saturating_sub(base);
    let step = files.len().div_ceil(count).max(1);
    let sample: Vec<PathBuf> = files.iter().step_by(step).cloned().collect();
    let warm = place.checks(&sample, "");
    let warning = place.checks(&sample, invented(extension));
    slowest(&sample, &warning);
    let (lines, symbols) = size(&files);
    let start = Place::new(project).checks(&sample[..1], asked(extension));
    let kept = kept_of(project, &sample[..1], extension);
    let kept_bytes = kept.len();
    let again = Place::kept(project, kept).checks(&sample[..1], asked(extension));
    println!(
        "{{\"files\":{},\"lines\":{lines},\"symbols\":{symbols},\"cold_all_ms\":{},\
         \"first_ms\":{:.3},\"cold_max_ms\":{},\"warm_p50_us\":{},\"warm_p99_us\":{},\
         \"warning_p50_us\":{},\"warning_p99_us\":{},\"bytes_per_symbol\":{},\
         \"held_per_symbol\":{},\
         \"warm_p99_cpu_us\":{},\"warning_p99_cpu_us\":{},\"start_us\":{},\"start_cpu_us\":{},\
         \"warm_start_us\":{},\"warm_start_cpu_us\":{},\"kept_bytes\":{kept_bytes}}}",
        files.len(),
        cold_all.as_millis(),
        first.first().map_or(0.0, |time| time.wall.as_secs_f64() * 1e3),
        cold.iter().map(|time| time.wall).max().map_or(0, |time| time.as_millis()),
        at(&warm, 50),
        at(&warm, 99),
        at(&warning, 50),
        at(&warning, 99),
        taken / symbols.max(1),
        held / symbols.max(1),
        at_cpu(&warm, 99),
        at_cpu(&warning, 99),
        at(&start, 50),
        at_cpu(&start, 50),
        at(&again, 50),
        at_cpu(&again, 50),
    );
}

/// Makes the index of a project and prints what that took.
fn index(extension: &str, project: &Path) {
    let (base, own_base) = (resident(), own_memory());
    let place = Place::new(project);
    let (start, before) = (Instant::now(), time_of(ClockId::ProcessCPUTime));
    let survey = Survey::of(&place.tree, &place.index).unwrap();
    let looked = start.elapsed();
    each_of(&survey, &|number| survey.take_words(number, &place.tree, &place.index));
    let words = time_of(ClockId::ProcessCPUTime).saturating_sub(before);
    let words_memory = own_memory().saturating_sub(own_base);
    each_of(&survey, &|number| survey.take(number, &place.tree, &place.index));
    let threads = std::thread::available_parallelism().unwrap().get();
    let wall = start.elapsed();
    let processor = time_of(ClockId::ProcessCPUTime).saturating_sub(before);
    let (taken, own) = (resident().saturating_sub(base), own_memory().saturating_sub(own_base));
    let held = place.index.held_bytes();
    let kept = place.index.to_keep().unwrap_or_default();
    let (lines, symbols) = size(&files_of(project, extension, ""));
    println!(
        "{{\"files\":{},\"lines\":{lines},\"symbols\":{symbols},\"threads\":{threads},\
         \"look_ms\":{},\"words_cpu_ms\":{},\"words_own_kb\":{},\"index_ms\":{},\
         \"index_cpu_ms\":{},\"bytes_per_symbol\":{},\
         \"own_per_symbol\":{},\"held_per_symbol\":{},\"kept_bytes\":{}}}",
        survey.count(),
        looked.as_millis(),
        words.as_millis(),
        words_memory >> 10,
        wall.as_millis(),
        processor.as_millis(),
        taken / symbols.max(1),
        own / symbols.max(1),
        held / symbols.max(1),
        kept.len(),
    );
}

/// Does something for every file of a survey, on every processor.
fn each_of(survey: &Survey, each: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= survey.count() {
                break;
            }
            each(number);
        }
    };
    let threads = std::thread::available_parallelism().unwrap().get();
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}

/// Says which writes took most of the processor.
fn slowest(files: &[PathBuf], times: &[Time]) {
    let mut both: Vec<_> = times.iter().map(|time| time.processor).zip(files).collect();
    both.sort();
    for (time, path) in both.iter().rev().take(8) {
        eprintln!("{:>8} us {}", time.as_micros(), path.display());
    }
}

/// What one check took: of the clock, and of the processor.
#[derive(Debug, Clone, Copy)]
struct Time {
    wall: Duration,
    processor: Duration,
}

/// The processor time of this thread.
fn processor() -> Duration {
    time_of(ClockId::ThreadCPUTime)
}

fn time_of(clock: ClockId) -> Duration {
    Duration::try_from(rustix::time::clock_gettime(clock)).unwrap_or_default()
}

/// The time below which a share of the checks took, in microseconds.
fn at(times: &[Time], share: usize) -> u128 {
    share_of(times.iter().map(|time| time.wall).collect(), share)
}

/// The same of the processor.
fn at_cpu(times: &[Time], share: usize) -> u128 {
    share_of(times.iter().map(|time| time.processor).collect(), share)
}

fn share_of(mut times: Vec<Duration>, share: usize) -> u128 {
    times.sort();
    let number = (times.len() * share).div_ceil(100).clamp(1, times.len());
    times[number - 1].as_micros()
}

/// What a process keeps for the next one after a check that asked the whole project.
fn kept_of(project: &Path, files: &[PathBuf], extension: &str) -> Vec<u8> {
    let place = Place::new(project);
    place.checks(files, asked(extension));
    place.index.to_keep().unwrap_or_default()
}

/// Code with a name that is missing only if no file of the whole project gives it.
fn asked(extension: &str) -> &'static str {
    match extension {
        "py" => "\n\nclass UsesIt:\n    def f(self):\n        return self.invented_of_nothing()\n",
        _ => invented(extension),
    }
}

/// Code with a call of a function that is not there.
fn invented(extension: &str) -> &'static str {
    match extension {
        "py" => "\ninvented_of_nothing()\n",
        "rb" => "\ndef uses_it\n  invented_of_nothing(1)\nend\n",
        "go" => "\nfunc usesIt() { inventedOfNothing() }\n",
        "rs" => "\nfn uses_it() { invented_of_nothing() }\n",
        "kt" => "\nfun usesIt() { inventedOfNothing() }\n",
        "c" | "cc" | "cpp" => "\nvoid uses_it(void) {\n  invented_of_nothing();\n}\n",
        "ts" => "\nexport function usesIt() { return inventedOfNothing(); }\n",
        "java" | "cs" => "\nclass UsesIt { InventedOfNothing it; }\n",
        _ => "",
    }
}

/// A project in which nothing changes, as the engine sees it between two looks at its files.
struct Still(DiskTree);

impl SourceTree for Still {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.0.read(path)
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        self.0.list(directory)
    }

    fn exists(&self, path: &str) -> bool {
        self.0.exists(path)
    }

    fn generation(&self) -> Option<u64> {
        Some(1)
    }
}

/// A project, and what is known of it.
struct Place<'a> {
    root: &'a Path,
    tree: Still,
    index: Index,
}

impl<'a> Place<'a> {
    fn new(root: &'a Path) -> Self {
        Self { root, tree: Still(DiskTree::new(root)), index: Index::new() }
    }

    /// The same with what an earlier process kept.
    fn kept(root: &'a Path, kept: Vec<u8>) -> Self {
        Self { index: Index::starting_from(move || Some(kept)), ..Self::new(root) }
    }

    /// The time of writing each file with something added.
    fn checks(&self, files: &[PathBuf], added: &str) -> Vec<Time> {
        let dependencies = DiskDependencies::new(Vec::new());
        let mut times = Vec::new();
        for path in files {
            let bytes = std::fs::read(path).unwrap();
            let change = ChangedFile {
                path: path.strip_prefix(self.root).unwrap().to_string_lossy().into_owned(),
                before: Some(Arc::from(bytes.as_slice())),
                after: Some(Arc::from([bytes.as_slice(), added.as_bytes()].concat())),
            };
            let (start, before) = (Instant::now(), processor());
            let _ = reference_facts(&[change], &self.tree, &dependencies, &self.index);
            let processor = processor().saturating_sub(before);
            times.push(Time { wall: start.elapsed(), processor });
        }
        times
    }
}

fn size(files: &[PathBuf]) -> (usize, usize) {
    let (mut lines, mut symbols) = (0, 0);
    for path in files {
        let bytes = std::fs::read(path).unwrap();
        lines += bytes.iter().filter(|byte| **byte == b'\n').count();
        let language = detect(&path.to_string_lossy(), &bytes);
        let parsed = language.and_then(|language| Parsed::new(language, &bytes).ok());
        symbols += parsed.map_or(0, |parsed| parsed.outline().len());
    }
    (lines, symbols)
}

/// The memory that this process has resident, in bytes.
fn resident() -> usize {
    told("VmRSS:")
}

/// The same without the pages of the program itself, which come in as they are first used.
fn own_memory() -> usize {
    told("RssAnon:")
}

/// What the kernel says of this process, in bytes.
fn told(what: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.unwrap_or(0) << 10
}

/// The files of a project whose paths hold `only`, in order.
fn files_of(project: &Path, extension: &str, only: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(project, extension, &mut files);
    files.sort();
    files.retain(|path| path.to_string_lossy().contains(only));
    files
}

fn collect(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() {
            collect(&path, extension, files);
        } else if path.extension().is_some_and(|found| found == extension) && !path.is_symlink() {
            files.push(path);
        }
    }
}
