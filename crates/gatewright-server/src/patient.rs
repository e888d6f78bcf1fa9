//! Standard streams that somebody else set to non-blocking.
//!
//! The setting belongs to the pipe and not to the process, so a parent or a sibling can make it.
//! A stream that has nothing yet, or no room yet, is asked again; it has not ended.

use std::io::{self, Read, Write};
use std::time::Duration;

/// The first pause before a stream is asked again, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(16)];

/// A stream that waits where it would have to.
pub(crate) struct Patient<S>(pub(crate) S);

impl<S: Read> Read for Patient<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        patiently(|| self.0.read(buffer))
    }
}

impl<S: Write> Write for Patient<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        patiently(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        patiently(|| self.0.flush())
    }
}

fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let [mut pause, longest] = PAUSES;
    loop {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(pause),
            done => return done,
        }
        pause = (pause * 2).min(longest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says every other time that it is not ready.
    struct Shy<S> {
        inner: S,
        is_ready: bool,
    }

    impl<S> Shy<S> {
        fn ready(&mut self) -> io::Result<&mut S> {
            self.is_ready = !self.is_ready;
            if self.is_ready { Ok(&mut self.inner) } else { Err(io::ErrorKind::WouldBlock.into()) }
        }
    }

    impl<S: Read> Read for Shy<S> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.ready()?.read(buffer)
        }
    }

    impl<S: Write> Write for Shy<S> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.ready()?.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.ready()?.flush()
        }
    }

    #[test]
    fn a_stream_that_is_not_ready_has_not_ended() {
        let mut source = Patient(Shy { inner: &b"one\ntwo\n"[..], is_ready: true });
        let mut read = String::new();
        source.read_to_string(&mut read).unwrap();
        assert_eq!(read, "one\ntwo\n");
        let mut target = Patient(Shy { inner: Vec::new(), is_ready: true });
        target.write_all(b"three").unwrap();
        target.flush().unwrap();
        assert_eq!(target.0.inner, b"three");
    }
}
