//! One file per command: decode the arguments, call the engine, print.

pub mod apply;
pub mod changes;
pub mod check;
mod check_sarif;
pub mod completions;
pub mod config;
pub mod demo;
pub mod diagnostics;
pub mod doctor;
pub mod edit_code;
pub mod edit_file;
pub mod hook;
pub mod index;
pub mod init;
pub mod keep_server;
pub mod list;
pub mod lsp;
pub mod man;
pub mod mcp;
pub mod mode;
mod outcome;
pub mod propose;
pub mod proxy;
pub mod read;
pub mod receipts;
pub mod redact;
pub mod references;
pub mod review;
pub mod rollback;
pub mod rules;
pub mod search;
mod secrets;
pub mod symbols;
mod tool;
pub mod up;
pub mod write;

use std::path::PathBuf;

use gatewright_engine::{Durability, EgressGuard, Engine, EngineOptions};
use gatewright_model::{Agent, Door};
use gatewright_server::up::servers_of as up_servers;

use crate::args::{Arguments, Command};
use crate::environment::Environment;
use crate::exit::{Exit, Failure};
use crate::output::Output;

/// What every command has at hand.
pub struct Context<'a> {
    /// The surroundings.
    pub environment: &'a Environment,
    /// Where to print.
    pub output: &'a mut Output,
    root: Option<PathBuf>,
    unsynced: bool,
}

/// Runs the command that was asked for.
pub fn run(
    arguments: Arguments,
    environment: &Environment,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let context =
        &mut Context { environment, output, root: arguments.root, unsynced: arguments.unsynced };
    match arguments.command {
        Command::Init(arguments) => init::run(arguments, context),
        Command::Index(arguments) => index::run(arguments, context),
        Command::Doctor(arguments) => doctor::run(arguments, context),
        Command::Check(arguments) => check::run(arguments, context),
        Command::Propose(arguments) => propose::run(arguments, context),
        Command::Write(arguments) => write::run(arguments, context),
        Command::EditFile(arguments) => edit_file::run(arguments, context),
        Command::EditCode(arguments) => edit_code::run(arguments, context),
        Command::Read(arguments) => read::run(arguments, context),
        Command::Symbols(arguments) => symbols::run(arguments, context),
        Command::References(arguments) => references::run(arguments, context),
        Command::Diagnostics(arguments) => diagnostics::run(arguments, context),
        Command::Search(arguments) => search::run(arguments, context),
        Command::List(arguments) => list::run(arguments, context),
        Command::Redact(arguments) => redact::run(arguments, context),
        Command::Changes(arguments) => changes::run(arguments, context),
        Command::Review(arguments) => review::run(arguments, context),
        Command::Apply(arguments) => apply::run(arguments, context),
        Command::Rollback(arguments) => rollback::run(arguments, context),
        Command::Receipts(command) => receipts::run(command, context),
        Command::Mode(arguments) => mode::run(arguments, context),
        Command::Rules(command) => rules::run(command, context),
        Command::Config(command) => config::run(command, context),
        Command::Lsp(arguments) => lsp::run(arguments, context),
        Command::KeepServer(arguments) => keep_server::run(&arguments),
        Command::Mcp(arguments) => mcp::run(arguments, context),
        Command::Proxy(arguments) => proxy::run(arguments, context),
        Command::Hook(arguments) => hook::run(arguments, context),
        Command::Up(arguments) => up::run(arguments, context),
        Command::Demo(arguments) => demo::run(arguments, context),
        Command::Completions(arguments) => completions::run(arguments, context),
        Command::Man(arguments) => man::run(arguments, context),
    }
}

impl Context<'_> {
    /// The folder to guard: as named, else the nearest above with a `.git`, else this one.
    pub fn root(&self) -> PathBuf {
        if let Some(root) = &self.root {
            return self.environment.current_dir.join(root);
        }
        let here = &self.environment.current_dir;
        let repository = here.ancestors().find(|folder| folder.join(".git").exists());
        repository.unwrap_or(here).to_owned()
    }

    /// The engine of the folder that an agent names, unless `--root` names one.
    pub fn engine_for(&mut self, project: Option<PathBuf>) -> Result<Engine, Failure> {
        if self.root.is_none() {
            self.root = project;
        }
        self.engine()
    }

    /// The engine of the folder.
    pub fn engine(&mut self) -> Result<Engine, Failure> {
        let engine = Engine::open(self.options())?;
        engine.language_servers().ask_first(up_servers(engine.layout()));
        for sentence in engine.recovered() {
            eprintln!("gatewright: recovered: {}", crate::output::harmless(sentence));
        }
        Ok(engine)
    }

    /// The egress guard of the folder, which is not opened for it.
    pub fn egress(&self) -> Result<EgressGuard, Failure> {
        Ok(EgressGuard::of_folder(&self.options())?)
    }

    fn options(&self) -> EngineOptions {
        let environment = self.environment;
        let mut options =
            EngineOptions::new(self.root(), environment.user_dirs(), environment.user());
        options.binary.clone_from(&environment.binary);
        if self.unsynced {
            options.durability = Durability::None;
        }
        options.python_environments = environment.python_environments();
        options.server_path = environment.get("PATH").unwrap_or_default().to_owned();
        options.home = environment.get("HOME").map(PathBuf::from);
        options.environment_secrets = environment.variables.clone().into_iter().collect();
        options
    }

    /// The command line as an agent: by the mark of the shell that runs it, else itself.
    pub fn agent(&self) -> Agent {
        let name = crate::person::agent_of(self.environment).unwrap_or("cli");
        Agent {
            name: name.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            door: Door::Cli,
        }
    }
}
