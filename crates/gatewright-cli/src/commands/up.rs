//! `gatewright up`: the one long-running process of a folder, with the review page.

use gatewright_server::up::{self, Ready, UpError};
use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Colour, Output, harmless};
use crate::person;

/// Serve the review page of this folder, on loopback, until you stop it.
///
/// Prints a link that works once. A second `up` for the same folder prints a
/// fresh link to the first. Stop it with Ctrl-C.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Runs the command.
pub fn run(_arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    // The link lets its holder approve, so it is for people.
    person::require(context.environment, "opening the review page")?;
    let engine = context.engine()?;
    let about = About {
        folder: engine.layout().root.display().to_string(),
        mode: engine.autonomy()?.mode.as_str(),
        open: engine.open_changes()?.len(),
        is_demo: false,
        token_file: up::agent_token_file(engine.layout()).display().to_string(),
    };
    let reviewer = context.environment.user();
    let output = &mut *context.output;
    up::run(engine, reviewer, None, &mut |ready| announce(&ready, &about, output))
        .map_err(failure)?;
    Ok(Exit::Clean)
}

/// What the first lines say.
pub struct About {
    /// The folder.
    pub folder: String,
    /// The mode.
    pub mode: &'static str,
    /// How many changes wait.
    pub open: usize,
    /// Whether a scripted agent is about to start.
    pub is_demo: bool,
    /// Where the token for agents over HTTP is.
    pub token_file: String,
}

/// Says what is guarded and where the page is.
pub fn announce(ready: &Ready, about: &About, output: &mut Output) {
    let (url, word) = match ready {
        Ready::Serving { url } => (url, "serving"),
        Ready::Attached { url } => (url, "attached"),
    };
    let folder = harmless(&about.folder);
    let first = match ready {
        Ready::Serving { .. } => format!("guarding {folder} ({} mode)", about.mode),
        Ready::Attached { .. } => format!("{folder} is already being served; a fresh link:"),
    };
    let waiting = match about.open {
        0 if about.is_demo => "a scripted agent starts now: open the link and watch".to_owned(),
        0 => "nothing waits for review".to_owned(),
        1 => "1 change waits for review".to_owned(),
        more => format!("{more} changes wait for review"),
    };
    let link = output.paint(Colour::Bold, url);
    let mut text = format!("{first}\n{waiting}\n\n  {link}\n\nthe link works once");
    if matches!(ready, Ready::Serving { .. }) {
        text.push_str("; Ctrl-C stops");
    }
    let mcp = url.split('#').next().unwrap_or(url).trim_end_matches('/').to_owned() + "/mcp";
    let token_file = harmless(&about.token_file);
    text.push_str(&format!("\nagents over HTTP: {mcp}, bearer token in {token_file}"));
    let json = json!({
        "state": word, "root": about.folder, "url": url, "mode": about.mode, "open": about.open,
        "mcp": mcp, "mcp_token_file": about.token_file,
    });
    output.emit(&json, &text);
}

/// A failure to serve, as people read it.
pub fn failure(error: UpError) -> Failure {
    match error {
        UpError::Silent => Failure::usage(
            error.to_string(),
            Some("wait a moment and try again, or end that process"),
        ),
        other => Failure::system("cannot serve the page", &std::io::Error::other(other)),
    }
}
