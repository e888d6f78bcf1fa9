//! `gatewright doctor`: what is guarded, what is missing, and how to mend it.
//!
//! For each wired agent a real event goes to a real hook, and a real client
//! asks a real server for its tools: what is said here was seen.

use gatewright_engine::Engine;
use gatewright_server::wiring::{self, AgentName, Probe, ProbeResult, Scope, Wired};
use serde_json::{Value, json};

use super::{Context, init};
use crate::exit::{Exit, Failure};
use crate::output::{Colour, Output, harmless};
use crate::render::verify;

/// Say what is guarded, what is missing, and how to mend it.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// One thing that was looked at.
struct Finding {
    name: &'static str,
    is_good: bool,
    detail: String,
    next: Option<&'static str>,
}

/// One agent that is wired, with what its probes gave.
struct WiredAgent {
    agent: AgentName,
    scope: Scope,
    hook: Option<ProbeResult>,
    mcp: Option<ProbeResult>,
    complaint: Option<String>,
}

/// Runs the command.
pub fn run(_arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let findings = [
        workspace(&engine),
        landlock(&engine),
        key(&engine),
        ledger(&engine),
        mode(&engine)?,
        person(context),
    ];
    let agents = agents(&engine, context)?;
    let servers = wiring::language_servers(&engine);
    let json = json!({
        "checks": findings.iter().map(finding_json).collect::<Vec<_>>(),
        "agents": agents.iter().map(WiredAgent::to_json).collect::<Vec<_>>(),
        "language_servers": servers.iter().map(|server| json!({
            "languages": server.languages, "program": server.program,
            "path": server.found, "version": server.version, "state": server.state,
            "install": server.install,
        })).collect::<Vec<_>>(),
    });
    let mut text: String = findings.iter().map(|finding| row(finding, context.output)).collect();
    text.push_str("\nagents\n");
    if agents.is_empty() {
        let names = init::names();
        text.push_str("    none is wired\n    next: gatewright init --agent NAME --dry-run\n");
        text.push_str(&format!("    NAME: {names}\n"));
    }
    text.extend(agents.iter().map(|agent| agent.to_text(context.output)));
    text.push_str("\nlanguage servers (optional: renames, uses, a second look at names)\n");
    text.push_str(&server_rows(&servers, context.output));
    context.output.emit(&json, &text);
    let is_good =
        findings.iter().all(|finding| finding.is_good) && agents.iter().all(WiredAgent::is_good);
    Ok(if is_good { Exit::Clean } else { Exit::Findings })
}

/// Every agent that is wired, tried out.
fn agents(engine: &Engine, context: &Context) -> Result<Vec<WiredAgent>, Failure> {
    let machine = init::machine(context.environment);
    let binary = init::binary(context)?;
    let probe = Probe { binary: &binary, root: &engine.layout().root };
    let state = context.environment.user_dirs().state;
    let wired = wiring::wired_agents(&machine, probe, &state);
    let any_mcp = wired.iter().any(|wired| wired.parts.mcp);
    // The server does not know who will ask, so one conversation stands for all.
    let mcp = any_mcp.then(|| wiring::probe_mcp(probe));
    let try_out = |wired: Wired| WiredAgent {
        agent: wired.agent,
        scope: wired.scope,
        hook: wired.parts.hooks.then(|| wiring::probe_hook(wired.agent, probe)),
        mcp: mcp.clone().filter(|_| wired.parts.mcp),
        complaint: wired.complaint,
    };
    Ok(wired.into_iter().map(try_out).collect())
}

impl WiredAgent {
    fn is_good(&self) -> bool {
        let probes = [&self.hook, &self.mcp];
        self.complaint.is_none() && probes.into_iter().flatten().all(|probe| probe.is_good)
    }

    fn scope(&self) -> &'static str {
        match self.scope {
            Scope::Project => "project",
            Scope::User => "user",
        }
    }

    fn to_json(&self) -> Value {
        let notes = wiring::notes(self.agent);
        let probe = |probe: &Option<ProbeResult>| {
            let probe = probe.as_ref()?;
            Some(json!({ "ok": probe.is_good, "detail": probe.detail }))
        };
        json!({
            "agent": self.agent.as_str(), "scope": self.scope(),
            "hook": probe(&self.hook), "mcp": probe(&self.mcp), "complaint": self.complaint,
            "enforced": notes.enforced, "fails_open": notes.fails_open, "close": notes.close,
        })
    }

    fn to_text(&self, output: &Output) -> String {
        let notes = wiring::notes(self.agent);
        let word = |is_good: bool| paint_word(is_good, output);
        let mut text =
            format!("{} {:<12} {}\n", word(self.is_good()), self.agent.as_str(), self.scope());
        for (name, probe) in [("hook", &self.hook), ("mcp", &self.mcp)] {
            let line = match probe {
                Some(probe) => {
                    format!("{}: {}", if probe.is_good { "ok" } else { "no" }, probe.detail)
                }
                None => "not wired".to_owned(),
            };
            text.push_str(&format!("      {name:<10} {}\n", harmless(&line)));
        }
        if let Some(complaint) = &self.complaint {
            text.push_str(&format!("      {:<10} {}\n", "but", harmless(complaint)));
        }
        if self.hook.is_some() {
            text.push_str(&format!("      {:<10} {}\n", "enforced", notes.enforced));
            text.push_str(&format!("      {:<10} {}\n", "fails open", notes.fails_open));
            text.push_str(&format!("      {:<10} {}\n", "close it", notes.close));
        } else {
            text.push_str("      next: gatewright init --hooks; without hooks its own tools are not guarded\n");
        }
        text
    }
}

/// The servers that are there; of languages without any, how to get the best one.
fn server_rows(servers: &[wiring::LanguageServer], output: &Output) -> String {
    let is_found = |server: &&wiring::LanguageServer| server.found.is_some();
    let found: Vec<_> = servers.iter().filter(is_found).collect();
    let mut told: Vec<&str> = found.iter().map(|server| server.languages.as_str()).collect();
    let mut text: String = found.iter().map(|server| server_row(server, output)).collect();
    for server in servers {
        if told.contains(&server.languages.as_str()) {
            continue;
        }
        if told.len() == found.len() {
            text.push_str("    not found; to get one:\n");
        }
        told.push(&server.languages);
        text.push_str(&format!("    {:<22} {}\n", server.languages, harmless(server.install)));
    }
    text
}

fn server_row(server: &wiring::LanguageServer, output: &Output) -> String {
    let version = server.version.as_deref().unwrap_or("version not told");
    let (word, detail) = match &server.found {
        Some(path) if server.is_usable => {
            let detail = format!("{version}, {}, {}", server.state, path.display());
            (paint_word(true, output), detail)
        }
        Some(path) => (paint_word(false, output), format!("{} ({})", server.state, path.display())),
        None => (paint_word(false, output), server.state.clone()),
    };
    format!("{word} {:<22} {}: {}\n", server.languages, server.program, harmless(&detail))
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "name": finding.name, "ok": finding.is_good,
        "detail": finding.detail, "next": finding.next,
    })
}

fn paint_word(is_good: bool, output: &Output) -> String {
    if is_good { output.paint(Colour::Green, "ok ") } else { output.paint(Colour::Red, "no ") }
}

fn row(finding: &Finding, output: &Output) -> String {
    let word = paint_word(finding.is_good, output);
    let next = finding.next.map(|next| format!("\n    next: {next}")).unwrap_or_default();
    format!("{word} {:<10} {}{next}\n", finding.name, harmless(&finding.detail))
}

fn workspace(engine: &Engine) -> Finding {
    use gatewright_model::{RequestedPath, Resolution};
    let probe = RequestedPath::new("gatewright-doctor-probe");
    let facts = engine.workspace().facts(&probe);
    let is_good = matches!(facts.resolution, Resolution::Inside(_));
    let detail = match facts.resolution {
        Resolution::Inside(_) => {
            format!("{}: paths are resolved by the kernel", engine.layout().root.display())
        }
        Resolution::Failed(failure) => failure.to_string(),
    };
    let next =
        (!is_good).then_some("use Linux 5.6 or later; without openat2 every write is refused");
    Finding { name: "workspace", is_good, detail, next }
}

fn landlock(engine: &Engine) -> Finding {
    use gatewright_engine::LandlockStatus;
    let (is_good, detail) = match engine.workspace().landlock_status() {
        LandlockStatus::Enforced => (true, "the writing thread is walled in".to_owned()),
        LandlockStatus::Partial => (true, "the writing thread is walled in, in part".to_owned()),
        LandlockStatus::Unavailable(reason) => (false, reason.clone()),
    };
    let next = (!is_good)
        .then_some("a kernel with Landlock adds a second wall; the first one holds without it");
    Finding { name: "landlock", is_good, detail, next }
}

fn key(engine: &Engine) -> Finding {
    let detail = format!("{}, mode 0600", engine.layout().key.display());
    Finding { name: "key", is_good: true, detail, next: None }
}

fn ledger(engine: &Engine) -> Finding {
    use gatewright_engine::ledger::VerifyOptions;
    match engine.ledger().verify(VerifyOptions::default()) {
        Ok(report) => Finding {
            name: "ledger",
            is_good: !verify::is_bad(&report),
            detail: verify::to_text(&report),
            next: verify::is_bad(&report).then_some("gatewright receipts verify"),
        },
        Err(error) => Finding {
            name: "ledger",
            is_good: false,
            detail: error.to_string(),
            next: Some("restore the database from a backup; the old one is left as it is"),
        },
    }
}

fn mode(engine: &Engine) -> Result<Finding, Failure> {
    let autonomy = engine.autonomy()?;
    let flag = if autonomy.suggest_only { ", suggest-only" } else { "" };
    Ok(Finding {
        name: "mode",
        is_good: true,
        detail: format!("{}{flag}", autonomy.mode),
        next: None,
    })
}

fn person(context: &Context) -> Finding {
    let detail = match crate::person::agent_of(context.environment) {
        Some(agent) => format!("this shell belongs to {agent}; approving from it is refused"),
        None => "this shell carries no agent's mark".to_owned(),
    };
    Finding { name: "person", is_good: true, detail, next: None }
}
