//! The control socket: how a second start gets a link of its own, hooks an answer, and other
//! processes the language servers.
//!
//! It lies in the state directory, which only this user can enter, and a peer
//! of another user is hung up on. To one word the answer is an address with a
//! one-time code: who can read it could as well have started the server. To the
//! second it is the answer to a hook's event, to the third that of a language server.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream as BlockingStream;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

use super::UpError;
use super::code_desk::{self, CodeDesk};
use super::hook_socket::{GREETING, HookDesk};
use super::io::{OpenDirectory, make_private};
use super::runtime::Place;
use crate::http::App;

const QUESTION: &[u8] = b"link\n";
/// How long one exchange may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a first start that is not ready yet is asked again.
const TRIES: u32 = 40;

/// Opens the socket.
pub fn bind(place: &Place) -> std::io::Result<UnixListener> {
    let directory = OpenDirectory::open(&place.directory)?;
    let path = directory.path(place.socket);
    let listener = UnixListener::bind(&path)?;
    make_private(&path)?;
    Ok(listener)
}

/// Answers until the app stops.
pub async fn serve(listener: UnixListener, app: Arc<App>) {
    let desks = Desks {
        hooks: Arc::new(HookDesk::new(&app.engine)),
        code: Arc::new(CodeDesk::new(Arc::clone(&app.engine))),
    };
    let user = own_user();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = app.stopped() => return,
        };
        let Ok((stream, _)) = accepted else { continue };
        let peer = stream.peer_cred().ok().map(|peer| peer.uid());
        if peer.is_none() || peer != user {
            continue;
        }
        let (app, desks) = (Arc::clone(&app), desks.clone());
        // Who hangs up or is too slow gets no answer.
        tokio::spawn(async move { answer(stream, &app, desks).await });
    }
}

/// Who answers to which word.
#[derive(Clone)]
struct Desks {
    hooks: Arc<HookDesk>,
    code: Arc<CodeDesk>,
}

/// The user that this process runs as, as a peer would see it.
fn own_user() -> Option<u32> {
    let (one, _other) = UnixStream::pair().ok()?;
    one.peer_cred().ok().map(|peer| peer.uid())
}

async fn answer(mut stream: UnixStream, app: &App, desks: Desks) -> std::io::Result<()> {
    let mut question = [0; QUESTION.len()];
    tokio::time::timeout(PATIENCE, stream.read_exact(&mut question)).await??;
    if question == GREETING {
        return desks.hooks.serve(stream).await;
    }
    if question == code_desk::GREETING {
        return desks.code.serve(stream).await;
    }
    if question == code_desk::STATES {
        return desks.code.serve_states(stream).await;
    }
    if question == QUESTION {
        let url = app.fresh_url().map_err(std::io::Error::other)?;
        let line = format!("{url}\n");
        tokio::time::timeout(PATIENCE, stream.write_all(line.as_bytes())).await??;
    }
    stream.shutdown().await
}

/// Asks the process that serves for a link.
pub fn ask_for_url(place: &Place) -> Result<String, UpError> {
    for _ in 0..TRIES {
        if let Ok(url) = ask_once(place)
            && url.starts_with("http://127.0.0.1:")
        {
            return Ok(url);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(UpError::Silent)
}

/// The address of the page of a running `up`, without a code: only a browser
/// that has signed in can do something there. `None` where none runs.
pub fn page_address(place: &Place) -> Option<String> {
    let directory = OpenDirectory::open(&place.directory).ok()?;
    // A file can outlive its process; a socket that answers cannot.
    BlockingStream::connect(directory.path(place.socket)).ok()?;
    place.read().map(|runtime| format!("http://127.0.0.1:{}/", runtime.port))
}

fn ask_once(place: &Place) -> std::io::Result<String> {
    let directory = OpenDirectory::open(&place.directory)?;
    let mut stream = BlockingStream::connect(directory.path(place.socket))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(QUESTION)?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    Ok(line.trim_end().to_owned())
}
