//! `gatewright demo`: the review page on a sample project, with an agent at work.

use gatewright_engine::{Engine, EngineOptions, UserDirs};
use gatewright_server::up::{self, demo};

use super::Context;
use super::up::{About, announce, failure};
use crate::exit::{Exit, Failure};

/// Try the review page on a sample project with a scripted agent.
///
/// Everything happens in a temporary folder that is removed at the end; your
/// own folders, receipts and settings are left alone.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Runs the command.
pub fn run(_arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let no_folder = |error| Failure::system("cannot make the sample project", &error);
    let folder =
        tempfile::Builder::new().prefix("gatewright-demo-").tempdir().map_err(no_folder)?;
    let root = demo::make_project(folder.path()).map_err(no_folder)?;
    let dirs =
        UserDirs { config: folder.path().join("config"), state: folder.path().join("state") };
    let engine = Engine::open(EngineOptions::new(root, dirs, context.environment.user()))?;
    let about = About {
        folder: engine.layout().root.display().to_string(),
        mode: engine.autonomy()?.mode.as_str(),
        open: 0,
        is_demo: true,
        token_file: up::agent_token_file(engine.layout()).display().to_string(),
    };
    let reviewer = context.environment.user();
    let output = &mut *context.output;
    up::run(engine, reviewer, Some(demo::script()), &mut |ready| announce(&ready, &about, output))
        .map_err(failure)?;
    Ok(Exit::Clean)
}
