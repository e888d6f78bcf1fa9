//! Where a running `up` is found: a lock, a small file, a socket, all private.

use std::io;
use std::path::PathBuf;

use gatewright_engine::Layout;
use serde::{Deserialize, Serialize};

use super::io as files;

/// What the runtime file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runtime {
    /// The process.
    pub pid: u32,
    /// The port of the page.
    pub port: u16,
}

/// The files of one workspace's `up`, in its state directory.
#[derive(Debug, Clone)]
pub struct Place {
    /// The state directory of the workspace.
    pub directory: PathBuf,
    lock: PathBuf,
    runtime: PathBuf,
    /// The token of the agents.
    pub token: PathBuf,
    /// The name of the socket in the directory.
    pub socket: &'static str,
}

impl Place {
    /// The files of the workspace with this layout.
    pub fn of(layout: &Layout) -> Self {
        let directory = layout.state.clone();
        Self {
            lock: directory.join("up.lock"),
            runtime: directory.join("up.json"),
            token: directory.join("mcp.token"),
            socket: "up.sock",
            directory,
        }
    }

    /// Takes the lock; `None` when another process has it. The kernel frees it
    /// with the process, however that ends.
    pub fn lock(&self) -> io::Result<Option<files::Lock>> {
        files::try_lock(&self.lock)
    }

    /// Says where this process is.
    pub fn write(&self, runtime: &Runtime) -> io::Result<()> {
        files::write_private(&self.runtime, &serde_json::to_vec(runtime)?)
    }

    /// Where the process that wrote it is; `None` where there is no such file.
    pub fn read(&self) -> Option<Runtime> {
        serde_json::from_slice(&files::read(&self.runtime)?).ok()
    }

    /// Keeps the token where only this user reads it.
    pub fn write_token(&self, token: &str) -> io::Result<()> {
        files::write_private(&self.token, token.as_bytes())
    }

    /// Removes the file and the socket. The lock stays: removing it would let two in.
    pub fn clear(&self) {
        files::remove(&self.runtime);
        files::remove(&self.token);
        files::remove(&self.directory.join(self.socket));
    }
}
