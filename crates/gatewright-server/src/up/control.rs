//! The control socket: how a second start gets a link of its own.
//!
//! It lies in the state directory, which only this user can enter. It knows one
//! word, and the answer is an address with a one-time code: who can read it
//! could as well have started the server.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream as BlockingStream;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

use super::UpError;
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
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = app.stopped() => return,
        };
        if let Ok((stream, _)) = accepted {
            let app = Arc::clone(&app);
            tokio::spawn(async move {
                // Who hangs up or is too slow gets no link.
                let _ = tokio::time::timeout(PATIENCE, answer(stream, &app)).await;
            });
        }
    }
}

async fn answer(mut stream: UnixStream, app: &App) -> std::io::Result<()> {
    let mut question = [0; QUESTION.len()];
    stream.read_exact(&mut question).await?;
    if question == QUESTION {
        let url = app.fresh_url().map_err(std::io::Error::other)?;
        stream.write_all(format!("{url}\n").as_bytes()).await?;
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
