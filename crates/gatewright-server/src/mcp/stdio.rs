//! Standard input and output as streams, with one thread between a message and its task.
//!
//! The runtime's own handles pass every read and every write through its pool,
//! which costs more time than a small call takes. Here one thread reads, and
//! what goes out is written at once: an answer is one short line, and a client
//! that does not read has nothing to wait for either.

use std::io::{self, Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc;

/// How much is read at once.
const CHUNK: usize = 64 * 1024;
/// How many chunks wait to be looked at; a client that sends more is held back.
const WAITING: usize = 16;

/// What the reading thread has read.
pub struct Input {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    left: Vec<u8>,
    taken: usize,
}

impl Input {
    /// Starts the reading thread. It ends with the stream, or with the process.
    pub fn start(mut source: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, chunks) = mpsc::channel(WAITING);
        std::thread::Builder::new().name("gatewright-stdin".to_owned()).spawn(move || {
            let mut buffer = vec![0; CHUNK];
            loop {
                let read = match source.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(count) => Ok(buffer[..count].to_vec()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let is_last = read.is_err();
                if sender.blocking_send(read).is_err() || is_last {
                    return;
                }
            }
        })?;
        Ok(Self { chunks, left: Vec::new(), taken: 0 })
    }
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.taken == self.left.len() {
            match ready!(self.chunks.poll_recv(context)) {
                None => return Poll::Ready(Ok(())),
                Some(chunk) => (self.left, self.taken) = (chunk?, 0),
            }
        }
        let rest = &self.left[self.taken..];
        let count = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..count]);
        self.taken += count;
        Poll::Ready(Ok(()))
    }
}

/// Writes at once, on the thread that asks.
pub struct Output<W>(pub W);

impl<W: Write + Unpin> AsyncWrite for Output<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(self.0.write(bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.flush())
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[test]
    fn every_byte_arrives_in_order_and_the_end_is_seen() {
        let sent: Vec<u8> = (0..CHUNK * 3 + 17).map(|index| (index % 251) as u8).collect();
        let input = Input::start(io::Cursor::new(sent.clone())).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut received = Vec::new();
        let mut input = input;
        runtime.block_on(input.read_to_end(&mut received)).unwrap();
        assert_eq!(received, sent);
    }
}
