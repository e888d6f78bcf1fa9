//! Everything that the binary learns from its surroundings, read once.
#![expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;

use gatewright_engine::UserDirs;

/// The surroundings of this process.
#[derive(Debug, Clone)]
pub struct Environment {
    /// The words of the command line, the program first.
    pub words: Vec<OsString>,
    /// The variables.
    pub variables: BTreeMap<String, String>,
    /// The working directory.
    pub current_dir: PathBuf,
    /// This binary.
    pub binary: Option<PathBuf>,
    /// Whether standard input is a terminal.
    pub stdin_is_terminal: bool,
    /// Whether standard output is a terminal.
    pub stdout_is_terminal: bool,
    /// Whether standard error is a terminal.
    pub stderr_is_terminal: bool,
}

impl Environment {
    /// Reads it all.
    pub fn read() -> Self {
        let text = |value: OsString| value.to_string_lossy().into_owned();
        Self {
            words: std::env::args_os().collect(),
            variables: std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect(),
            current_dir: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
            binary: std::env::current_exe().ok(),
            stdin_is_terminal: std::io::stdin().is_terminal(),
            stdout_is_terminal: std::io::stdout().is_terminal(),
            stderr_is_terminal: std::io::stderr().is_terminal(),
        }
    }

    /// A variable that is set and not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The user's directories by the XDG rules.
    pub fn user_dirs(&self) -> UserDirs {
        let home = PathBuf::from(self.get("HOME").unwrap_or("/"));
        let base = |variable: &str, fallback: &str| {
            let named = self.get(variable).map(PathBuf::from).filter(|path| path.is_absolute());
            named.unwrap_or_else(|| home.join(fallback)).join("gatewright")
        };
        UserDirs {
            config: base("XDG_CONFIG_HOME", ".config"),
            state: base("XDG_STATE_HOME", ".local/state"),
        }
    }

    /// The Python environments in use: the active one, and that of the interpreter on `PATH`.
    pub fn python_environments(&self) -> Vec<PathBuf> {
        let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().filter_map(|name| self.get(name));
        let mut found: Vec<PathBuf> = active.map(PathBuf::from).collect();
        let folders = std::env::split_paths(self.get("PATH").unwrap_or_default());
        let interpreter = folders
            .map(|folder| folder.join("python3"))
            .find_map(|path| std::fs::canonicalize(path).ok());
        let prefix = interpreter.as_deref().and_then(|path| path.parent()?.parent());
        found.extend(prefix.map(PathBuf::from));
        found.extend(self.get("HOME").map(|home| PathBuf::from(home).join(".local")));
        found
    }

    /// The user's name.
    pub fn user(&self) -> String {
        let name = self.get("USER").or_else(|| self.get("LOGNAME"));
        name.unwrap_or("unknown").to_owned()
    }

    /// Whether output may be coloured.
    pub fn wants_colour(&self) -> bool {
        if self.get("NO_COLOR").is_some() {
            return false;
        }
        let forced = self.get("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        forced || (self.stdout_is_terminal && self.get("TERM") != Some("dumb"))
    }
}
