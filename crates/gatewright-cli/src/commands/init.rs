//! `gatewright init`: set this folder up, and wire agents to it.

use std::path::{Path, PathBuf};

use gatewright_engine::Engine;
use gatewright_server::wiring::{
    self, AgentName, Direction, FileChange, Machine, Parts, Plan, Scope, WiringError,
};
use serde_json::{Value, json};

use super::Context;
use crate::environment::Environment;
use crate::exit::{Exit, Failure};
use crate::output::harmless;
use crate::{input, person};

/// Set this folder up, and wire agents to it.
///
/// Without --agent, the agents that are found on this machine are wired. The
/// diff of every file is shown first; nothing is written before you say yes.
/// Entries, comments and formatting of others stay as they are.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// An agent to wire; may be given more than once [default: those found here]
    #[arg(long = "agent", value_name = "NAME")]
    agents: Vec<AgentName>,

    /// Wire the MCP server [default: both]
    #[arg(long)]
    mcp: bool,

    /// Wire the hooks [default: both]
    #[arg(long)]
    hooks: bool,

    /// Write the project's files, which a team shares [default]
    #[arg(long, conflicts_with = "user")]
    project: bool,

    /// Write your own files, for every project
    #[arg(long)]
    user: bool,

    /// Show what would change and write nothing
    #[arg(long)]
    dry_run: bool,

    /// Take everything out again
    #[arg(long)]
    uninstall: bool,

    /// Do not ask
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let machine = machine(context.environment);
    let found = machine.agents();
    let agents = chosen(&arguments, &found);
    if agents.is_empty() || !(arguments.is_explicit() || context.environment.stdin_is_terminal) {
        return set_up(&engine, &found, &arguments, context);
    }
    let binary = binary(context)?;
    let state = context.environment.user_dirs().state;
    let plan = Plan {
        machine: &machine,
        root: &engine.layout().root,
        state: &state,
        binary: &binary,
        scope: if arguments.user { Scope::User } else { Scope::Project },
        parts: arguments.parts(),
        direction: arguments.direction(),
    };
    let changes = wiring::plan(&agents, &plan).map_err(failure)?;
    let is_written = !changes.is_empty() && permission(&arguments, &changes, context)?;
    if is_written {
        wiring::apply(&changes, &plan).map_err(failure)?;
    }
    report(&Report { agents: &agents, changes: &changes, is_written }, &arguments, context);
    Ok(Exit::Clean)
}

impl Arguments {
    /// Whether wiring was asked for by name.
    fn is_explicit(&self) -> bool {
        let flags = [self.mcp, self.hooks, self.user, self.project];
        let deeds = [self.dry_run, self.uninstall, self.yes];
        !self.agents.is_empty() || flags.contains(&true) || deeds.contains(&true)
    }

    fn parts(&self) -> Parts {
        let is_both = self.mcp == self.hooks;
        Parts { hooks: self.hooks || is_both, mcp: self.mcp || is_both }
    }

    fn direction(&self) -> Direction {
        if self.uninstall { Direction::Uninstall } else { Direction::Install }
    }
}

/// This machine, as the environment tells of it.
pub fn machine(environment: &Environment) -> Machine {
    let absolute =
        |name: &str| environment.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
    Machine {
        home: PathBuf::from(environment.get("HOME").unwrap_or("/")),
        codex_home: absolute("CODEX_HOME"),
        config_home: absolute("XDG_CONFIG_HOME"),
        search_path: environment.get("PATH").unwrap_or_default().to_owned(),
    }
}

/// The running binary.
pub fn binary(context: &Context) -> Result<PathBuf, Failure> {
    let hint = Some("start gatewright by its path");
    let binary = context.environment.binary.clone();
    binary.ok_or_else(|| Failure::usage("the path of this program is not known", hint))
}

/// A failure to wire, as the user reads it.
pub fn failure(error: WiringError) -> Failure {
    match error {
        WiringError::Io { path, source } => Failure::system(&path, &source),
        WiringError::Unreadable { .. } => {
            Failure::usage(error.to_string(), Some("mend the file, or move it away"))
        }
        WiringError::Taken { .. } => {
            Failure::usage(error.to_string(), Some("move it away, or call gatewright from it"))
        }
    }
}

fn chosen(arguments: &Arguments, found: &[AgentName]) -> Vec<AgentName> {
    let mut agents = match (&arguments.agents[..], arguments.uninstall) {
        ([], true) => AgentName::ALL.to_vec(),
        ([], false) => found.to_vec(),
        (named, _) => named.to_vec(),
    };
    agents.sort();
    agents.dedup();
    agents
}

/// Shows the diff and asks, unless the person said yes already.
fn permission(
    arguments: &Arguments,
    changes: &[FileChange],
    context: &mut Context,
) -> Result<bool, Failure> {
    if !arguments.dry_run {
        person::require(context.environment, "wiring an agent")?;
    }
    if !context.output.is_json() {
        for change in changes {
            let diff = harmless(&change.diff());
            context.output.line(diff.trim_end_matches('\n'));
        }
    }
    if arguments.dry_run || arguments.yes {
        return Ok(arguments.yes && !arguments.dry_run);
    }
    if !context.environment.stdin_is_terminal || context.output.is_json() {
        let hint = Some("look at the diff, then run it again with --yes");
        return Err(Failure::usage("nothing was written: nobody said yes", hint));
    }
    context.output.prompt(&format!("write {}? [y/N] ", files(changes.len())));
    Ok(input::answer().is_some_and(|answer| matches!(answer.trim(), "y" | "Y" | "yes")))
}

struct Report<'a> {
    agents: &'a [AgentName],
    changes: &'a [FileChange],
    is_written: bool,
}

fn report(report: &Report<'_>, arguments: &Arguments, context: &mut Context) {
    let names =
        |agents: &[AgentName]| -> Vec<&str> { agents.iter().map(|agent| agent.as_str()).collect() };
    let entries: Vec<Value> = report
        .changes
        .iter()
        .map(|change| {
            json!({ "path": change.path, "agents": names(&change.agents), "diff": change.diff() })
        })
        .collect();
    let json = json!({
        "agents": names(report.agents), "written": report.is_written, "changes": entries,
    });
    let count = files(report.changes.len());
    let mut text = match (report.changes, report.is_written) {
        ([], _) => format!("nothing to do for {}\n", names(report.agents).join(", ")),
        (_, true) => format!("wrote {count}\n"),
        (_, false) => format!("{count} would change; nothing was written\n"),
    };
    if report.is_written && !arguments.uninstall {
        let hints = report.agents.iter().filter_map(|agent| {
            wiring::notes(*agent).after_wiring.map(|note| format!("  {agent}: {note}\n"))
        });
        text.extend(hints);
        text.push_str("  next: gatewright doctor\n");
    }
    context.output.emit(&json, &text);
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

/// The agents that can be wired, for a line of text.
pub fn names() -> String {
    AgentName::list().replace(',', "")
}

/// What is done without agents: the folder is set up, and the way on is shown.
fn set_up(
    engine: &Engine,
    found: &[AgentName],
    arguments: &Arguments,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let layout = engine.layout();
    let autonomy = engine.autonomy()?;
    let agents: Vec<&str> = found.iter().map(|agent| agent.as_str()).collect();
    let json = json!({
        "root": layout.root,
        "workspace_id": layout.workspace_id,
        "state": layout.state,
        "mode": autonomy.mode,
        "agents_found": agents,
    });
    let text = format!(
        "{} {}\n  mode      {}\n  receipts  {}\n  agents    {}\n  next      {}\n  NAME      {}\n",
        if arguments.dry_run { "no file would change in" } else { "guarding" },
        layout.root.display(),
        autonomy.mode,
        Path::new(&layout.database).display(),
        if agents.is_empty() { "none found".to_owned() } else { agents.join(", ") },
        "gatewright init --agent NAME --dry-run shows what wiring one would write",
        names(),
    );
    context.output.emit(&json, &text);
    Ok(Exit::Clean)
}
