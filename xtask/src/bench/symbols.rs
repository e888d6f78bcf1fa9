//! `bench symbols`: symbol questions and edits on Django and on a project of every language.
//!
//! `--peers` also runs Serena 2.1 and codescout 0.15 on Django, with pyright as
//! their language server, all installed where the tools of the tests are. What
//! cannot be had is said and left out. Each edit is made and taken back, so a
//! project is the same in the end.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::figures::{Series, Table};
use super::symbols_case::{self, Case};
use super::symbols_programs::{CODESCOUT, Call, OURS, Place, Program, SERENA};
use super::wire::Client;
use crate::eval::{self, Source};
use crate::failure::Failure;
use crate::setup::{self, Setup, symbol_peers};
use crate::{process, tree};

/// Calls of each kind.
pub const DEFAULT_COUNT: usize = 20;

const DJANGO: &str = "Django==5.2.19";

/// A project for each other language, and how the names of its files end.
const OTHERS: &[(&str, Source, &str, &[&str])] = &[
    ("Rust", Source::Apt, "rust-ripgrep", &[".rs"]),
    ("Go", Source::Apt, "restic", &[".go"]),
    ("TypeScript", Source::Npm, "zod@4.6.7", &[".ts"]),
    ("JavaScript", Source::Npm, "eslint@9.9.1", &[".js"]),
    ("Java", Source::Npm, "react-native@0.76.0", &[".java"]),
    ("Kotlin", Source::Npm, "react-native@0.76.0", &[".kt"]),
    ("C", Source::Apt, "libuv1", &[".c"]),
    ("C++", Source::Npm, "react-native@0.76.0", &[".cpp"]),
    ("C#", Source::Npm, "com.cysharp.unitask@2.2.5", &[".cs"]),
    ("Ruby", Source::Apt, "puma", &[".rb"]),
];

/// Runs the benchmark, with the peers if they are asked for and there.
pub fn run(count: usize, with_peers: bool) -> Result<Table, Failure> {
    let mut setup = Setup::locate()?;
    let mut table = Table::default();
    let mut programs = if with_peers { peers(&mut setup, &mut table)? } else { Vec::new() };
    programs.push(OURS);
    let fetched = eval::fetch(Source::Pip, DJANGO, &setup)?;
    let mut all = Vec::new();
    for program in &programs {
        let place = lay_out(&fetched, &setup)?;
        all.extend(measure(program, &symbols_case::django(), &place, count)?);
    }
    // Rows of one task stand together, the peers first.
    all.sort_by_key(|(order, _)| *order);
    table.rows = all.into_iter().map(|(_, row)| row).collect();
    for (language, source, project, endings) in OTHERS {
        match of_language(language, (*source, project), endings, (count, &setup)) {
            Ok((rows, remark)) => {
                table.rows.extend(rows);
                table.remarks.push(remark);
            }
            Err(failure) => table.remarks.push(format!("{language}: {}", failure.with_causes())),
        }
    }
    table.remarks.push(format!("Python is {DJANGO}; every edit is made and taken back"));
    Ok(table)
}

/// The peers that can be had.
fn peers(setup: &mut Setup, table: &mut Table) -> Result<Vec<Program>, Failure> {
    for tool in symbol_peers::server(setup) {
        setup.ensure(&tool)?;
    }
    let tools = [symbol_peers::serena(setup), symbol_peers::codescout(setup)];
    let mut programs = Vec::new();
    for (program, tool) in [SERENA, CODESCOUT].into_iter().zip(tools) {
        match setup.ensure(&tool) {
            Ok(()) => programs.push(program),
            Err(failure) => {
                let words = format!("{} was left out: {}", tool.name, failure.with_causes());
                println!("{words}");
                table.remarks.push(words);
            }
        }
    }
    Ok(programs)
}

fn of_language(
    language: &'static str,
    (source, project): (Source, &str),
    endings: &[&str],
    (count, setup): (usize, &Setup),
) -> Result<(Vec<Series>, String), Failure> {
    let place = lay_out(&eval::fetch(source, project, setup)?, setup)?;
    let case = symbols_case::choose(language, &place.root, &place.state, endings)?;
    let rows = measure(&OURS, &case, &place, count)?;
    let remark = format!("{language} is {project}, {} in {}", case.symbol, case.file);
    Ok((rows.into_iter().map(|(_, row)| row).collect(), remark))
}

/// A copy of a project and an empty home, for one program.
fn lay_out(fetched: &Path, setup: &Setup) -> Result<Place, Failure> {
    let base = tree::target().join("bench/symbols");
    setup::clear(&base)?;
    let (root, state) = (base.join("workspace"), base.join("state"));
    fs::create_dir_all(&state).map_err(Failure::io("make", &state))?;
    process::run(process::nice("cp").arg("-r").arg(fetched).arg(&root))?;
    let entries = fs::read_dir(&root).map_err(Failure::io("list", &root))?;
    let folder = entries.flatten().map(|entry| entry.path()).find(|path| path.is_dir());
    let root = folder.ok_or_else(|| Failure::unexpected("the project has no folder"))?;
    Ok(Place { root, state, path: setup.path() })
}

fn measure(
    program: &Program,
    case: &Case,
    place: &Place,
    count: usize,
) -> Result<Vec<(usize, Series)>, Failure> {
    (program.settle)(place)?;
    let path = place.root.join(&case.file);
    let before = fs::read(&path).map_err(Failure::io("read", &path))?;
    let start = Instant::now();
    let mut client = Client::start(&mut (program.command)(place))?;
    let (tool, arguments) = (program.in_file)(case);
    client.call(tool, &arguments)?;
    let first = start.elapsed();
    let mut rows = vec![("first symbol", vec![first])];
    let mut repeat = |task, calls: &[Call]| -> Result<(), Failure> {
        let mut times = Vec::new();
        for round in 0..count {
            let (tool, arguments) = &calls[round % calls.len()];
            times.push(client.timed_call(tool, arguments)?);
        }
        rows.push((task, times));
        Ok(())
    };
    let (old, new) = (case.line.0.as_str(), case.line.1.as_str());
    repeat("in file", &[(program.in_file)(case)])?;
    repeat("in project", &[(program.in_project)(case)])?;
    let edits = [(program.text_edit)(case, old, new), (program.text_edit)(case, new, old)];
    repeat("text edit", &edits)?;
    let others: Vec<Call> =
        (0..count).map(|round| (program.replace)(case, &case.body(round))).collect();
    repeat("replace", &others)?;
    let (tool, arguments) = (program.replace)(case, &case.own);
    client.call(tool, &arguments)?;
    let after = fs::read(&path).map_err(Failure::io("read", &path))?;
    if count.is_multiple_of(2) && after != before && program.name == OURS.name {
        return Err(Failure::unexpected("the file is not what it was"));
    }
    let peak_kib = client.peak_kib();
    let row = |(order, (task, times)): (usize, (&str, Vec<Duration>))| {
        let (task, program) = (format!("{task}, {}", case.language), program.name.to_owned());
        (order, Series { task, program, times, peak_kib })
    };
    Ok(rows.into_iter().enumerate().map(row).collect())
}
