//! A hook asks the running `up`, and never waits for one that does not answer.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use gatewright_engine::Layout;

use super::hook_socket::{ANSWER, BEAT, GREETING, Request};
use super::io::OpenDirectory;
use super::message;
use super::runtime::Place;
use crate::hooks::{HookAnswer, longest_wait};
use crate::stopwatch::Stopwatch;

/// How long nothing may be heard. A beat comes more often than that.
const SILENCE: Duration = Duration::from_millis(1500);
/// What an answer may take beyond the time for which the call is held.
const MARGIN: Duration = Duration::from_secs(5);

/// What came of asking.
#[derive(Debug)]
pub enum Asked {
    /// The answer.
    Answered(HookAnswer),
    /// No `up` runs, or it does not answer; so much time has gone by.
    Alone {
        /// The time that was spent.
        spent: Duration,
    },
}

/// Asks the `up` of this workspace. Whatever goes wrong, the hook goes on alone.
pub fn ask(layout: &Layout, request: &Request) -> Asked {
    let watch = Stopwatch::start();
    let limit = longest_wait(request.event.as_bytes(), &request.options) + MARGIN;
    match exchange(layout, request, &watch, limit) {
        Ok(answer) => Asked::Answered(answer),
        Err(_) => Asked::Alone { spent: watch.elapsed() },
    }
}

fn exchange(
    layout: &Layout,
    request: &Request,
    watch: &Stopwatch,
    limit: Duration,
) -> std::io::Result<HookAnswer> {
    let place = Place::of(layout);
    let directory = OpenDirectory::open(&place.directory)?;
    let mut stream = UnixStream::connect(directory.path(place.socket))?;
    stream.set_read_timeout(Some(SILENCE))?;
    stream.set_write_timeout(Some(SILENCE))?;
    let framed = message::framed(request, u32::MAX as usize)?;
    stream.write_all(&[GREETING, &framed].concat())?;
    let mut mark = [0];
    loop {
        stream.read_exact(&mut mark)?;
        match mark[0] {
            BEAT if watch.elapsed() < limit => {}
            ANSWER => break,
            _ => return Err(std::io::ErrorKind::TimedOut.into()),
        }
    }
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut bytes = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}
