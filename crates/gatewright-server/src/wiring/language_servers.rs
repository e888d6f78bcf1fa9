//! The language servers that lend a second opinion: which are here, how they are, how to get them.

use std::path::PathBuf;

use gatewright_engine::Engine;
use gatewright_engine::languages::lsp::servers::ServerReport;

/// A language server.
#[derive(Debug, Clone)]
pub struct LanguageServer {
    /// The languages.
    pub languages: String,
    /// Its name.
    pub program: &'static str,
    /// Where it is.
    pub found: Option<PathBuf>,
    /// Its version, where it tells.
    pub version: Option<String>,
    /// How it is doing.
    pub state: String,
    /// Whether it can be used.
    pub is_usable: bool,
    /// How to get it.
    pub install: &'static str,
}

/// All of them, with where they are on this machine and how they are doing.
pub fn language_servers(engine: &Engine) -> Vec<LanguageServer> {
    engine.language_servers().report().into_iter().map(described).collect()
}

fn described(report: ServerReport) -> LanguageServer {
    let mut names: Vec<&str> =
        report.spec.languages.iter().map(|language| language.name()).collect();
    names.dedup();
    let state = match (&report.complaint, &report.state_afar, &report.state, &report.path) {
        (_, Some(state), ..) => format!("{state}, kept by `gatewright up`"),
        (Some(complaint), ..) => complaint.clone(),
        (None, None, Some(state), _) => state.to_string(),
        (None, None, None, Some(_)) => "not started".to_owned(),
        (None, None, None, None) => "not found".to_owned(),
    };
    LanguageServer {
        languages: names.join(", "),
        program: report.spec.name,
        is_usable: report.path.is_some() && report.complaint.is_none(),
        found: report.path,
        version: report.version,
        state,
        install: report.spec.install_command(),
    }
}
