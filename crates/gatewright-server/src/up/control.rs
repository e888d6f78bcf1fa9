//! The control socket: how a second start gets a link of its own, and hooks an answer.
//!
//! It lies in the state directory, which only this user can enter. To one word
//! the answer is an address with a one-time code: who can read it could as well
//! have started the server. To the other it is the answer to a hook's event.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream as BlockingStream;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

use super::UpError;
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
    let desk = Arc::new(HookDesk::new(app.engine.layout().clone()));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = app.stopped() => return,
        };
        if let Ok((stream, _)) = accepted {
            let (app, desk) = (Arc::clone(&app), Arc::clone(&desk));
            // Who hangs up or is too slow gets no answer.
            tokio::spawn(async move { answer(stream, &app, desk).await });
        }
    }
}

async fn answer(mut stream: UnixStream, app: &App, desk: Arc<HookDesk>) -> std::io::Result<()> {
    let mut question = [0; QUESTION.len()];
    tokio::time::timeout(PATIENCE, stream.read_exact(&mut question)).await??;
    if question == GREETING {
        return desk.serve(stream).await;
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
