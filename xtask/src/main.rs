//! Development tasks: `cargo xtask test`, and the parts it is made of.
//!
//! Arguments are few and plain, so there is no parser crate here; this program
//! is built before anything can be tested and must build fast.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a development tool reads the tree, the clock and the environment and starts programs"
)]

mod arrows;
mod bench;
mod book;
mod codegen;
mod deny;
mod dist;
mod eval;
mod failure;
mod fuzz;
mod metadata;
mod page;
mod process;
mod report;
mod seed;
mod setup;
mod soak;
mod source;
mod test;
mod test_output;
mod tidy;
mod tree;

use std::process::ExitCode;

use crate::failure::Failure;

const USAGE: &str = "\
usage: cargo xtask <task>

  test [--fast]          set up what the tests need, then every gate and every test
  setup                  only the setting up
  tidy                   sizes, names, first lines, leftovers, links of the book
  arrows                 which crate may use which, and what the pure crates must not reach
  deny                   cargo deny: bans, licences, sources; advisories when their database is here
  codegen [--check]      the pages of the book that are made from the rules
  book                   build docs/ into the target directory
  page [flow]            the review page built anew, and its flows in a real browser
  bench <name> [count]   a benchmark beside its peer: apply, egress, hook, mcp, page,
                         references, symbols, verify
  bench symbols [--peers]  symbol questions and edits on Django, beside Serena and codescout,
                         which are installed for it
  bench references [--peers]  the check of one write, beside ctags and type checkers
  eval symbols [count] [--lang L]  the structural gate and symbol edits on real projects
  eval references [--lang L]  the reference facts scored on real projects
  soak [filter]          the long versions of the race, kill, alias and bit-flip tests
  fuzz-smoke [seconds]   every fuzz target for a few seconds
  fuzz <target> <seconds>  one fuzz target for long
  dist                   the release archive, with licences, completions, manual pages and checksum
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage { message }) => {
            eprintln!("xtask: {message}\n\n{USAGE}");
            ExitCode::from(2)
        }
        Err(Failure::Reported) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("xtask: {}", failure.with_causes());
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<(), Failure> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => test::run(test::Extent::Everything),
        ["test", "--fast"] => test::run(test::Extent::Fast),
        ["setup"] => setup::run().map(|_| ()),
        ["tidy"] => tidy::run(),
        ["arrows"] => arrows::run(),
        ["deny"] => deny::run(&setup::run()?),
        ["codegen"] => codegen::write(),
        ["codegen", "--check"] => codegen::check(),
        ["book"] => book::run(&setup::run()?),
        ["page", rest @ ..] => run_page(rest.first().copied()),
        ["bench", "references"] => bench::references(false),
        ["bench", "references", "--peers"] => bench::references(true),
        ["bench", "symbols"] => bench::symbols(false),
        ["bench", "symbols", "--peers"] => bench::symbols(true),
        ["bench", name, rest @ ..] => bench::run(name, rest),
        ["eval", "symbols", rest @ ..] => eval::symbols::run(rest),
        ["eval", "references"] => eval::run(None),
        ["eval", "references", "--lang", language] => eval::run(Some(language)),
        ["soak", rest @ ..] => soak::run(rest.first().copied()),
        ["fuzz-smoke"] => fuzz::run(fuzz::DEFAULT_SECONDS),
        ["fuzz-smoke", seconds] => fuzz::run(parse_number(seconds)?),
        ["fuzz", target, seconds] => fuzz::run_one(target, parse_number(seconds)?),
        ["dist"] => dist::run(),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(Failure::usage(format!("cannot make sense of {:?}", words.join(" ")))),
    }
}

fn run_page(flow: Option<&str>) -> Result<(), Failure> {
    let setup = setup::run()?;
    page::rebuild(&setup)?;
    page::flows(&setup, flow)
}

fn parse_number(text: &str) -> Result<u64, Failure> {
    text.parse().map_err(|_| Failure::usage(format!("not a whole number: {text:?}")))
}
