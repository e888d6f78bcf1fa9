//! `gatewright receipts`: list, show, verify, prove and export.

use std::path::PathBuf;

use gatewright_engine::ledger::{ReceiptQuery, VerifyOptions};
use gatewright_model::{Action, Receipt};
use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{Colour, Output, harmless};
use crate::render::verify;

/// List, show, verify, prove and export receipts.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// List receipts, newest first
    List {
        /// How many
        #[arg(long, default_value_t = 20)]
        limit: usize,
        /// Only this action (apply, refuse, stage, reject, rollback, unguarded, notice)
        #[arg(long)]
        action: Option<String>,
        /// Only receipts that touch this path
        #[arg(long)]
        path: Option<String>,
        /// Only receipts of this agent
        #[arg(long)]
        agent: Option<String>,
        /// Only receipts of this run
        #[arg(long)]
        run: Option<String>,
    },
    /// Show one receipt
    Show {
        /// Its number, or a unique beginning of its id
        receipt: String,
    },
    /// Recompute the chain, the tree and the signatures
    Verify {
        /// An older checkpoint that the ledger must have grown from
        #[arg(long, value_name = "FILE")]
        checkpoint: Option<PathBuf>,
        /// Check the signature of every single receipt too
        #[arg(long)]
        signatures: bool,
    },
    /// Print the proof that a receipt is in the signed tree
    Prove {
        /// Its number, or a unique beginning of its id
        receipt: String,
    },
    /// Print the signed checkpoint, to be kept in a second place
    Checkpoint {
        /// As a trailer for a commit message
        #[arg(long)]
        trailer: bool,
    },
    /// Print the public key, for verifiers elsewhere
    Key,
    /// Export every receipt, one a line
    Export {
        /// jsonl (canonical receipts) or dsse (in-toto statements in signed envelopes)
        #[arg(long, default_value = "jsonl")]
        format: Format,
        /// Where to (`-` for standard output)
        #[arg(long, default_value = "-")]
        to: PathBuf,
    },
    /// Run today's guards on the files of an old receipt
    Reground {
        /// Its number, or a unique beginning of its id
        receipt: String,
    },
}

/// The forms of an export.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Format {
    /// Canonical receipts.
    Jsonl,
    /// In-toto statements in DSSE envelopes.
    Dsse,
}

/// Runs the command.
pub fn run(command: Command, context: &mut Context) -> Result<Exit, Failure> {
    match command {
        Command::List { limit, action, path, agent, run } => {
            let action = action.as_deref().map(action_of).transpose()?;
            let limit = Some(limit);
            let query =
                ReceiptQuery { limit, action, path, agent, run_id: run, ..Default::default() };
            list(&query, context)
        }
        Command::Show { receipt } => show(&receipt, context),
        Command::Verify { checkpoint, signatures } => verify(checkpoint, signatures, context),
        Command::Prove { receipt } => prove(&receipt, context),
        Command::Checkpoint { trailer } => checkpoint(trailer, context),
        Command::Key => key(context),
        Command::Export { format, to } => export(format, &to, context),
        Command::Reground { receipt } => reground(&receipt, context),
    }
}

fn action_of(text: &str) -> Result<Action, Failure> {
    serde_json::from_value(json!(text)).map_err(|_| {
        let hint = Some("apply, refuse, stage, reject, rollback, unguarded or notice");
        Failure::usage(format!("no such action: {text:?}"), hint)
    })
}

fn list(query: &ReceiptQuery, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let receipts = engine.ledger().list(query)?;
    let mut text: String = receipts.iter().map(|receipt| row(receipt, context.output)).collect();
    if receipts.is_empty() {
        text = "no receipts\n".to_owned();
    }
    context.output.emit(&json!({ "receipts": receipts }), &text);
    Ok(Exit::Clean)
}

fn row(receipt: &Receipt, output: &Output) -> String {
    let body = &receipt.body;
    let files: Vec<String> = body.files.iter().map(|file| harmless(&file.path)).collect();
    let what = match (&body.note, files.as_slice()) {
        (Some(note), []) => harmless(note),
        (_, files) => files.join(" "),
    };
    format!(
        "{:>5}  {}  {:<9} {}  {what}\n",
        receipt.seq,
        body.timestamp,
        output.paint(colour_of(receipt), body.action.as_str()),
        harmless(&body.agent.name),
    )
}

fn colour_of(receipt: &Receipt) -> Colour {
    match receipt.body.action {
        Action::Apply | Action::Rollback => Colour::Green,
        Action::Refuse | Action::Reject | Action::Unguarded => Colour::Red,
        Action::Stage => Colour::Yellow,
        Action::Notice => Colour::Dim,
    }
}

fn show(id: &str, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let receipt = engine.receipt(id)?;
    let text = serde_json::to_string_pretty(&receipt).unwrap_or_default();
    context.output.emit(&json!(receipt), &harmless(&text));
    Ok(Exit::Clean)
}

fn verify(
    older: Option<PathBuf>,
    signatures: bool,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let older_checkpoint = match older {
        Some(path) => Some(String::from_utf8_lossy(&input::read(&path)?).into_owned()),
        None => None,
    };
    let options = VerifyOptions { older_checkpoint, signatures, ..Default::default() };
    let report = engine.ledger().verify(options)?;
    context.output.emit(&verify::to_json(&report), &verify::to_text(&report));
    Ok(if verify::is_bad(&report) { Exit::Findings } else { Exit::Clean })
}

fn prove(id: &str, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let receipt = engine.receipt(id)?;
    let proof = engine.ledger().prove(receipt.seq)?;
    let json = json!({ "receipt": receipt, "proof": verify::proof_json(&proof) });
    let text = serde_json::to_string_pretty(&json).unwrap_or_default();
    context.output.emit(&json, &text);
    Ok(Exit::Clean)
}

fn checkpoint(trailer: bool, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let note = engine.ledger().checkpoint()?;
    let text = match (&note, trailer) {
        (None, _) => "no receipts yet, so no checkpoint".to_owned(),
        (Some(note), false) => note.clone(),
        (Some(note), true) => verify::trailer(note),
    };
    context.output.emit(&json!({ "checkpoint": text }), &text);
    Ok(Exit::Clean)
}

fn key(context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let ledger = engine.ledger();
    let text = ledger.signer().public_key().verifier_key(ledger.origin());
    context.output.emit(&json!({ "key": text }), &text);
    Ok(Exit::Clean)
}

fn export(format: Format, to: &std::path::Path, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let mut target = input::create(to)?;
    match format {
        Format::Jsonl => engine.ledger().export_jsonl(&mut target)?,
        Format::Dsse => engine.ledger().export_dsse(&mut target)?,
    };
    target.flush().map_err(|error| Failure::system("cannot finish the export", &error))?;
    Ok(Exit::Clean)
}

fn reground(id: &str, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let result = engine.reground(id)?;
    let mut text = String::new();
    for file in &result.files {
        text.push_str(&format!("{}  {}\n", harmless(&file.path), file.state));
    }
    for (word, findings) in
        [("new", &result.new), ("resolved", &result.resolved), ("unchanged", &result.unchanged)]
    {
        text.push_str(&format!("{} {word}\n", findings.len()));
        text.push_str(&super::outcome::findings_text(findings, context.output));
    }
    context.output.emit(&json!(result), &text);
    Ok(if result.new.is_empty() { Exit::Clean } else { Exit::Findings })
}
