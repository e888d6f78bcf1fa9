//! Scores the reference facts on real code: how quiet on it, how sharp on one invented name.
//!
//! `reference_eval LANGUAGE PROJECT... [--packages DIR]... [--installed] [--show N]
//! [--every N] [--quiet] [--witness] [--firsts] [--halves]`
//! runs every file of the language as a whole write (nothing before it) and
//! counts warnings, then writes one invented name of each kind into each file
//! and counts how many are warned of; `--quiet` leaves that out. `--witness` also counts what is
//! found when the file as it was is not known, and `--firsts` how often a real name is warned of
//! that a change brings to a file for the first time. `--halves` writes every second file of each
//! project at once instead, which must warn of nothing more. `--cases FILE` scores invented names
//! that were written elsewhere (see `cases`). Scores: `docs/src/scores.md`.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a measuring program reads trees and the clock"
)]

mod c;
mod cases;
mod csharp;
mod firsts;
mod go;
mod halves;
mod java;
mod kotlin;
mod mutate;
mod ruby;
mod rust;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use gatewright_languages::references::disk::{DiskDependencies, DiskTree};
use gatewright_languages::references::{ChangedFile, Ecosystem, Index, reference_facts};
use gatewright_model::ReferenceFacts;

struct Options {
    language: String,
    projects: Vec<PathBuf>,
    packages: Vec<PathBuf>,
    show: usize,
    every: usize,
    installed: bool,
    quiet: bool,
    witness: bool,
    firsts: bool,
    halves: bool,
    /// A file of cases, which are scored instead.
    cases: Option<PathBuf>,
}

fn main() {
    let options = options();
    let mut totals = Totals::default();
    for project in &options.projects {
        run(project, &options, &mut totals);
    }
    totals.print();
}

fn options() -> Options {
    let mut arguments = std::env::args().skip(1);
    let mut options = Options {
        language: arguments.next().unwrap_or_else(|| "python".to_owned()),
        projects: Vec::new(),
        packages: Vec::new(),
        show: 40,
        every: 1,
        installed: false,
        quiet: false,
        witness: false,
        firsts: false,
        halves: false,
        cases: None,
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--packages" => options.packages.push(value().into()),
            "--show" => options.show = value().parse().unwrap_or(40),
            "--installed" => options.installed = true,
            "--quiet" => options.quiet = true,
            "--witness" => options.witness = true,
            "--firsts" => options.firsts = true,
            "--halves" => options.halves = true,
            "--cases" => options.cases = Some(value().into()),
            "--every" => options.every = value().parse().unwrap_or(1),
            _ => options.projects.push(argument.into()),
        }
    }
    options
}

#[derive(Default)]
struct Totals {
    files: usize,
    noisy_files: usize,
    references: u64,
    warnings: u64,
    unknown: BTreeMap<&'static str, u64>,
    kinds: BTreeMap<&'static str, (u64, u64)>,
    times: Vec<u128>,
    shown: usize,
    /// Invented names that are found without the file as it was.
    unwitnessed: u64,
    /// Real names that a change brings to a file, and those that are warned of.
    firsts: (u64, u64),
    cases: cases::Cases,
}

/// One project with what stands around it.
struct Bench<'a> {
    project: &'a Path,
    options: &'a Options,
    tree: DiskTree,
    dependencies: DiskDependencies,
    index: Index,
}

fn run(project: &Path, options: &Options, totals: &mut Totals) {
    let ecosystem = match options.language.as_str() {
        "python" => Ecosystem::Python,
        "go" => Ecosystem::Go,
        "rust" => Ecosystem::Rust,
        "c" | "cpp" => Ecosystem::C,
        _ => Ecosystem::Node,
    };
    let roots: Vec<_> = options.packages.iter().map(|path| (ecosystem, path.clone())).collect();
    let dependencies = if options.installed {
        DiskDependencies::find(project, &roots)
    } else {
        DiskDependencies::new(roots)
    };
    let bench =
        Bench { project, options, tree: DiskTree::new(project), dependencies, index: Index::new() };
    if let Some(cases) = &options.cases {
        bench.cases(cases, &mut totals.cases);
        return;
    }
    let mut files = Vec::new();
    collect(project, project, mutate::extensions(&options.language), &mut files);
    files.retain(|file| ![".d.ts", ".d.mts", ".d.cts"].iter().any(|end| file.ends_with(end)));
    files.sort();
    if options.halves {
        let (wrong, checked) = bench.halves(&files);
        println!("written at once: {wrong} unseen of {checked} references");
        return;
    }
    for path in files.iter().step_by(options.every) {
        let Ok(bytes) = std::fs::read(project.join(path)) else { continue };
        let facts = bench.quiet(path, &bytes, totals);
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        if !options.quiet {
            bench.sharp(path, text, &facts, totals);
        }
        if options.firsts {
            bench.firsts(path, text, totals);
        }
    }
}

impl Bench<'_> {
    fn facts(&self, path: &str, before: Option<&[u8]>, after: &[u8]) -> ReferenceFacts {
        let change = ChangedFile {
            path: path.to_owned(),
            before: before.map(Arc::from),
            after: Some(Arc::from(after)),
        };
        reference_facts(&[change], &self.tree, &self.dependencies, &self.index).remove(0)
    }

    /// Writes a real file as a new one: every warning is a false one, or a real hole.
    fn quiet(&self, path: &str, bytes: &[u8], totals: &mut Totals) -> ReferenceFacts {
        let facts = self.facts(path, None, bytes);
        let start = Instant::now();
        let _ = self.facts(path, None, bytes);
        totals.times.push(start.elapsed().as_micros());
        totals.files += 1;
        totals.references += facts.checked;
        totals.warnings += facts.missing.len() as u64;
        totals.noisy_files += usize::from(!facts.missing.is_empty());
        for (reason, count) in &facts.unknown {
            *totals.unknown.entry(reason).or_default() += count;
        }
        let mut seen = std::collections::HashSet::new();
        for missing in facts.missing.iter().filter(|missing| seen.insert(&missing.name)) {
            if totals.shown < self.options.show {
                let place = self.project.join(path);
                let (line, kind, name) = (missing.line, &missing.kind, &missing.name);
                println!(
                    "FALSE {}:{line} {kind} {name} {:?}",
                    place.display(),
                    missing.suggestions
                );
            }
            totals.shown += 1;
        }
        facts
    }

    /// Writes one invented name of each kind into a file.
    fn sharp(&self, path: &str, text: &str, old: &ReferenceFacts, totals: &mut Totals) {
        for (kind, mutated) in mutate::mutations(&self.options.language, path, text) {
            let facts = self.facts(path, Some(text.as_bytes()), mutated.as_bytes());
            let is_found = |facts: &ReferenceFacts| {
                facts.missing.iter().any(|missing| mutate::is_invented(&missing.name))
            };
            if self.options.witness && is_found(&self.facts(path, None, mutated.as_bytes())) {
                totals.unwitnessed += 1;
            }
            let entry = totals.kinds.entry(kind).or_default();
            entry.0 += 1;
            if is_found(&facts) {
                entry.1 += 1;
            } else if entry.0 - entry.1 <= (self.options.show / 4) as u64 {
                let line = mutated.lines().zip(1..).find(|(line, _)| mutate::is_invented(line));
                let count = |reason: &str| old.unknown.get(reason).copied().unwrap_or(0);
                let reasons = facts.unknown.iter();
                let why: Vec<_> = reasons.filter(|(reason, now)| **now > count(reason)).collect();
                let place = self.project.join(path);
                println!("MISSED {kind} {}:{line:?} {why:?}", place.display());
            }
        }
    }
}

impl Bench<'_> {
    /// Takes each name that the file alone may use out of it, and writes it again.
    fn firsts(&self, path: &str, text: &str, totals: &mut Totals) {
        for (name, before) in firsts::firsts(&self.options.language, text) {
            let facts = self.facts(path, Some(before.as_bytes()), text.as_bytes());
            totals.firsts.0 += 1;
            if facts.missing.iter().any(|missing| missing.name == name) {
                totals.firsts.1 += 1;
                println!("FIRST {} {name}", self.project.join(path).display());
            }
        }
    }
}

fn collect(root: &Path, folder: &Path, extensions: &[&str], files: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && name != "node_modules" {
                collect(root, &path, extensions, files);
            }
        } else if extensions.iter().any(|extension| name.ends_with(extension)) && !path.is_symlink()
        {
            files.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
        }
    }
}

impl Totals {
    fn print(mut self) {
        self.cases.print();
        self.times.sort_unstable();
        let at =
            |share: usize| self.times.get(self.times.len() * share / 100).copied().unwrap_or(0);
        println!(
            "files {} references {} warnings {} ({:.2} per 1000) noisy files {} ({:.2} %)",
            self.files,
            self.references,
            self.warnings,
            self.warnings as f64 * 1000.0 / self.references.max(1) as f64,
            self.noisy_files,
            self.noisy_files as f64 * 100.0 / self.files.max(1) as f64
        );
        println!("warm check of one file: p50 {} us, p90 {} us, p99 {} us", at(50), at(90), at(99));
        let (mut all, mut hit) = (0, 0);
        for (kind, (total, found)) in &self.kinds {
            all += total;
            hit += found;
            println!(
                "  {kind:<18} {found:>6} of {total:>6}  {:.1} %",
                *found as f64 * 100.0 / *total as f64
            );
        }
        println!(
            "  {:<18} {hit:>6} of {all:>6}  {:.1} %",
            "all",
            hit as f64 * 100.0 / all.max(1) as f64
        );
        println!(
            "  without the file as it was {}; first uses {}, warned of {}",
            self.unwitnessed, self.firsts.0, self.firsts.1
        );
        let mut reasons: Vec<_> = self.unknown.into_iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        println!("unknown: {reasons:?}");
    }
}
