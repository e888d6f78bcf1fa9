//! Every file under a directory, as the search visits them.

use gatewright_engine::Engine;

/// The files of a walk.
pub struct Walked {
    /// Paths from the root, in order.
    pub files: Vec<String>,
    /// Whether the walk stopped at its bound.
    pub is_cut: bool,
}

/// The files under `start`, which is `""` for the root. What git ignores is left out.
pub fn files_under(engine: &Engine, start: &str) -> Walked {
    let walked = engine.files_under(start);
    let files = walked.files.into_iter().map(|file| file.path).collect();
    Walked { files, is_cut: walked.is_cut }
}
