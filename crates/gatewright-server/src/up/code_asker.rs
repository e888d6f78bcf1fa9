//! Asking the language servers of a running `up`, and never waiting for one that does not answer.

use std::collections::BTreeMap;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use gatewright_engine::Layout;
use gatewright_engine::languages::lsp::desk::{Desk, Doing, Reply, Request};

use super::code_desk::{GREETING, LONGEST, STATES, Word};
use super::io::OpenDirectory;
use super::message::{receive_now, send_now};
use super::runtime::Place;
use crate::stopwatch::Stopwatch;

/// How long nothing may be heard, and never longer than the question may take. A beat comes far
/// more often; the end of `up` is seen at once.
const SILENCE: Duration = Duration::from_secs(10);
/// What an answer may take beyond the limit of the question.
const MARGIN: Duration = Duration::from_secs(5);

/// The way to the language servers of the `up` of this workspace, whether one runs or not.
pub fn servers_of(layout: &Layout) -> Box<dyn Desk> {
    Box::new(Asker { place: Place::of(layout) })
}

struct Asker {
    place: Place,
}

impl Asker {
    fn connect(&self) -> std::io::Result<UnixStream> {
        let directory = OpenDirectory::open(&self.place.directory)?;
        UnixStream::connect(directory.path(self.place.socket))
    }

    fn hear_states(&self) -> std::io::Result<BTreeMap<String, String>> {
        use std::io::Write;
        let mut stream = self.connect()?;
        stream.set_read_timeout(Some(SILENCE))?;
        stream.set_write_timeout(Some(SILENCE))?;
        stream.write_all(STATES)?;
        receive_now(&mut stream, LONGEST)
    }

    fn exchange(
        &self,
        request: &Request,
        limit: Duration,
        hear: &mut dyn FnMut(Option<Doing>),
    ) -> std::io::Result<Reply> {
        use std::io::Write;
        let watch = Stopwatch::start();
        let mut stream = self.connect()?;
        stream.set_read_timeout(Some(SILENCE.min(limit)))?;
        stream.set_write_timeout(Some(SILENCE))?;
        stream.write_all(GREETING)?;
        send_now(&mut stream, request, LONGEST)?;
        loop {
            match receive_now(&mut stream, LONGEST)? {
                Word::Reply(reply) => return Ok(reply),
                Word::Beat(doing) if watch.elapsed() < limit + MARGIN => hear(doing),
                Word::Beat(_) => return Err(std::io::ErrorKind::TimedOut.into()),
            }
        }
    }
}

impl Desk for Asker {
    fn is_open(&self) -> bool {
        self.connect().is_ok()
    }

    fn states(&self) -> BTreeMap<String, String> {
        // An `up` of an older version does not know the word, and none may run.
        self.hear_states().unwrap_or_default()
    }

    fn ask(
        &self,
        request: &Request,
        limit: Duration,
        hear: &mut dyn FnMut(Option<Doing>),
    ) -> Option<Reply> {
        self.exchange(request, limit, hear).ok()
    }
}
