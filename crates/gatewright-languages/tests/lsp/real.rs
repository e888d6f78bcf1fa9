//! Real servers on small projects: rename, references, the second witness, diagnostics, staleness.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gatewright_languages::lsp::catalogue::SERVERS;
use gatewright_languages::lsp::project::Project;
use gatewright_languages::lsp::questions::{diagnostics, references};
use gatewright_languages::lsp::rename::{
    RenameError, RenameLimits, RenamePlan, RenameTask, rename,
};
use gatewright_languages::lsp::running::Running;
use gatewright_languages::lsp::servers::{LanguageServers, ServerSettings};
use gatewright_languages::lsp::witness::{Testimony, testify};
use gatewright_languages::syntax::{LanguageId, Parsed};
use gatewright_testkit::{Scratch, has_program, skip};

use crate::fixture::{self, Fixture, language_of, project_of};

const LIMIT: Duration = Duration::from_secs(240);
const LIMITS: RenameLimits =
    RenameLimits { ready: Duration::from_secs(120), answer: Duration::from_secs(90) };

/// A server at work on a fixture.
struct Bench {
    scratch: Scratch,
    // Dropped before the files that the server works on.
    servers: LanguageServers,
    language: LanguageId,
}

impl Bench {
    /// The fixture on disk and the server of that name, or `None` when it is not installed.
    fn new(server: &str, fixture: &Fixture) -> Option<Self> {
        let Some(spec) = SERVERS.iter().find(|spec| spec.name == server) else {
            return has_program(server).then(|| Self::with(&[server], fixture));
        };
        let words: Vec<&str> =
            std::iter::once(spec.program).chain(spec.arguments.iter().copied()).collect();
        let bench = Self::with(&words, fixture);
        let found = bench.servers.report().into_iter().find(|report| report.spec.name == server)?;
        if found.path.is_none() || found.complaint.is_some() {
            return None;
        }
        assert_eq!(bench.servers.spec(bench.language).expect("a server").name, server);
        Some(bench)
    }

    /// The fixture on disk and a server that is started so.
    fn with(command: &[&str], fixture: &Fixture) -> Self {
        let scratch = Scratch::new();
        for (path, text) in fixture.texts() {
            scratch.write(path, text);
        }
        let language = language_of(fixture);
        let path = std::env::var("PATH").unwrap_or_default();
        let root = std::fs::canonicalize(scratch.root()).expect("a root");
        let mut settings = ServerSettings::new(root, scratch.state().join("servers"), path);
        let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        settings.commands = BTreeMap::from([(language.name().to_lowercase(), command)]);
        Self { scratch, servers: LanguageServers::new(settings), language }
    }

    fn running(&self) -> Arc<Running> {
        self.servers.running(self.language).expect("a server")
    }

    fn rename(&self, project: &Project, task: &RenameTask) -> Result<RenamePlan, RenameError> {
        let (project, task) = (project.clone(), task.clone());
        self.running()
            .call(LIMIT, move |client, told| rename(client, told, &project, &task, LIMITS))
            .expect("an answer in time")
    }
}

/// Renames, and compares every file with what the marks say.
fn renames_exactly(server: &str, fixture: &'static Fixture, new: &str) -> Option<Bench> {
    let bench = Bench::new(server, fixture)?;
    let project = fixture.project();
    let plan = bench.rename(&project, &fixture.task(&project, new)).expect(server);
    let mut changed = 0;
    for file in &plan.files {
        assert_eq!(file.after, fixture.renamed(&file.path, new), "{server}: {}", file.path);
        changed += file.places.len();
    }
    assert_eq!(changed, fixture.marks(), "{server}: places changed");
    assert!(plan.answers >= 2, "{server}: two answers are asked for");
    eprintln!(
        "{server}: {} files, {} answers, moves {:?}",
        plan.files.len(),
        plan.answers,
        plan.moves
    );
    Some(bench)
}

/// References, the second witness, and a file that changes behind the server's back.
fn knows_the_project(server: &str, fixture: &'static Fixture, bench: &Bench) {
    finds_references(server, fixture, bench);
    agrees_on_symbols(server, fixture, bench);
    sees_edits_on_disk(server, fixture, bench);
}

fn finds_references(server: &str, fixture: &'static Fixture, bench: &Bench) {
    let project = fixture.project();
    let task = fixture.task(&project, "x");
    let found = bench.running().call(LIMIT, move |client, told| {
        let place = (task.path.as_str(), task.offset, task.old.as_str());
        references(client, told, &project, place, (LIMITS.ready, LIMITS.answer))
    });
    let (uses, _) = found.expect("in time").expect(server);
    assert_eq!(uses.len(), fixture.marks(), "{server}: {uses:?}");
}

fn agrees_on_symbols(server: &str, fixture: &'static Fixture, bench: &Bench) {
    let project = fixture.project();
    let said = bench.running().call(LIMIT, move |client, _| {
        let mut said = Vec::new();
        for (path, file) in &project.files {
            let parsed = Parsed::new(file.language, file.text.as_bytes()).expect("a parse");
            for symbol in parsed.outline() {
                let shown = project.shown(path).expect("the file");
                let testimony = testify(client, &shown, &parsed, symbol, LIMITS.answer);
                said.push((path.clone(), symbol.path.clone(), testimony));
            }
        }
        said
    });
    let said = said.expect("in time");
    for (path, symbol, testimony) in &said {
        let is_fine = matches!(testimony, Testimony::Agrees | Testimony::Silent);
        assert!(is_fine, "{server}: {path} {symbol}: {testimony:?}");
        if path == fixture.path && symbol == fixture.symbol {
            assert_eq!(*testimony, Testimony::Agrees, "{server}: {symbol}");
        }
    }
    let silent = said.iter().filter(|(_, _, testimony)| *testimony == Testimony::Silent).count();
    eprintln!("{server}: agrees on {} of {} symbols", said.len() - silent, said.len());
}

/// A line is put above the definition on disk, and nobody tells the server but the client.
fn sees_edits_on_disk(server: &str, fixture: &'static Fixture, bench: &Bench) {
    let comment = match bench.language {
        LanguageId::Python | LanguageId::Ruby => "# é\n",
        _ => "// é\n",
    };
    let mut texts = fixture.texts();
    let (path, text) = texts.iter_mut().find(|(path, _)| path == fixture.path).expect("the file");
    text.insert_str(0, comment);
    bench.scratch.write(&*path, &*text);
    let project = project_of(&texts);
    let plan = bench.rename(&project, &fixture.task(&project, "Renamed")).expect(server);
    for file in &plan.files {
        let expected = fixture.renamed(&file.path, "Renamed");
        let prefix = if file.path == fixture.path { comment } else { "" };
        assert_eq!(file.after, format!("{prefix}{expected}"), "{server}: {}", file.path);
    }
    assert_eq!(plan.files.iter().map(|file| file.places.len()).sum::<usize>(), fixture.marks());
}

/// A file with a mistake in it gets at least one diagnostic, on the right line.
fn complains(server: &str, fixture: &Fixture, bench: &Bench, bad: (&'static str, &str, usize)) {
    let (path, text, line) = bad;
    bench.scratch.write(path, text);
    let mut texts = fixture.texts();
    texts.push((path.to_owned(), text.to_owned()));
    let project = project_of(&texts);
    let found = bench.running().call(LIMIT, move |client, told| {
        diagnostics(client, told, &project, path, Duration::from_secs(30))
    });
    let found = found.expect("in time").expect(server);
    assert!(found.iter().any(|diagnostic| diagnostic.line == line), "{server}: {found:?}");
}

macro_rules! bench_or_skip {
    ($server:expr, $bench:expr) => {
        match $bench {
            Some(bench) => bench,
            None => skip!("{} is not installed", $server),
        }
    };
}

#[test]
fn rust_analyzer_renames_into_macros_after_its_ready_sign() {
    let bench =
        bench_or_skip!("rust-analyzer", renames_exactly("rust-analyzer", &fixture::RUST, "sum_up"));
    knows_the_project("rust-analyzer", &fixture::RUST, &bench);
}

#[test]
fn ty_renames_across_files() {
    let bench = bench_or_skip!("ty", renames_exactly("ty", &fixture::PYTHON, "sum_up"));
    knows_the_project("ty", &fixture::PYTHON, &bench);
    complains("ty", &fixture::PYTHON, &bench, ("shop/bad.py", "x = 1\ny: int = \"a\"\n", 2));
}

#[test]
fn pyright_renames_across_files_in_utf_16() {
    let bench = bench_or_skip!("pyright", renames_exactly("pyright", &fixture::PYTHON, "sum_up"));
    knows_the_project("pyright", &fixture::PYTHON, &bench);
    complains("pyright", &fixture::PYTHON, &bench, ("shop/bad.py", "x = 1\ny: int = \"a\"\n", 2));
}

#[test]
fn gopls_renames_across_files() {
    let bench = bench_or_skip!("gopls", renames_exactly("gopls", &fixture::GO, "sumUp"));
    knows_the_project("gopls", &fixture::GO, &bench);
}

#[test]
fn typescript_7_renames_across_files() {
    let server = "TypeScript 7";
    let bench = bench_or_skip!(server, renames_exactly(server, &fixture::TYPESCRIPT, "sumUp"));
    knows_the_project(server, &fixture::TYPESCRIPT, &bench);
    complains(
        server,
        &fixture::TYPESCRIPT,
        &bench,
        ("src/bad.ts", "const x = 1;\nconst y: number = \"a\";\n", 2),
    );
}

#[test]
fn typescript_language_server_renames_across_files() {
    let server = "typescript-language-server";
    let bench = bench_or_skip!(server, renames_exactly(server, &fixture::TYPESCRIPT, "sumUp"));
    knows_the_project(server, &fixture::TYPESCRIPT, &bench);
}

#[test]
fn clangd_renames_across_files_without_a_compilation_database() {
    let bench = bench_or_skip!("clangd", renames_exactly("clangd", &fixture::C, "sum_up"));
    knows_the_project("clangd", &fixture::C, &bench);
    complains("clangd", &fixture::C, &bench, ("bad.c", "int x;\nint y = zz;\n", 2));
}

#[test]
fn ruby_lsp_renames_classes() {
    let bench = bench_or_skip!("ruby-lsp", renames_exactly("ruby-lsp", &fixture::RUBY, "Basket"));
    agrees_on_symbols("ruby-lsp", &fixture::RUBY, &bench);
}

#[test]
fn jdtls_renames_a_class_with_its_file_by_merged_edits() {
    let bench = bench_or_skip!("jdtls", Bench::new("jdtls", &fixture::JAVA));
    let project = fixture::JAVA.project();
    let plan = bench.rename(&project, &fixture::JAVA.task(&project, "Basket")).expect("jdtls");
    for file in &plan.files {
        assert_eq!(file.after, fixture::JAVA.renamed(&file.path, "Basket"), "{}", file.path);
    }
    let moves = [("src/shop/Cart.java".to_owned(), "src/shop/Basket.java".to_owned())];
    assert_eq!(plan.moves, moves);
    finds_references("jdtls", &fixture::JAVA, &bench);
    agrees_on_symbols("jdtls", &fixture::JAVA, &bench);
}

/// Its rename goes by the name alone; that the engine refuses it is tested there.
#[test]
fn kmp_lsp_knows_symbols_and_uses() {
    let bench = bench_or_skip!("kmp-lsp", Bench::new("kmp-lsp", &fixture::KOTLIN));
    finds_references("kmp-lsp", &fixture::KOTLIN, &bench);
    agrees_on_symbols("kmp-lsp", &fixture::KOTLIN, &bench);
    let bad = ("src/main/kotlin/shop/Bad.kt", "package shop\n\nfun wrong( {\n}\n", 3);
    complains("kmp-lsp", &fixture::KOTLIN, &bench, bad);
}

/// The engine is real, the server around it is our own and ships nowhere: what this says of C# is
/// what Roslyn says, not how any server of C# behaves.
#[test]
fn roslyn_behind_a_host_of_our_own_renames_by_meaning_across_files() {
    let server = "roslyn-host";
    let bench = bench_or_skip!(server, renames_exactly(server, &fixture::CSHARP, "SumUp"));
    knows_the_project(server, &fixture::CSHARP, &bench);
    complains(
        server,
        &fixture::CSHARP,
        &bench,
        ("Bad.cs", "class Bad {\n    int Wrong() => \"text\";\n}\n", 2),
    );
}
