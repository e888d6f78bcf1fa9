//! A running `gatewright up`, spoken to as a browser does.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use gatewright_testkit::Binary;
use serde_json::Value;

use crate::gate::Gate;

/// The running program, ended with the test.
pub struct Up {
    pub child: Child,
    pub address: String,
    pub code: String,
    pub first_line: String,
}

impl Up {
    pub fn start(gate: &Gate) -> Self {
        Self::start_as(Binary::new(env!("CARGO_BIN_EXE_gatewright")).command(&gate.scratch))
    }

    /// The same, with a command that was prepared otherwise.
    pub fn start_as(mut command: Command) -> Self {
        command.args(["--json", "up"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut first_line = String::new();
        let stdout = child.stdout.as_mut().unwrap();
        // One byte at a time, so that nothing of the rest is taken.
        BufReader::with_capacity(1, stdout).read_line(&mut first_line).unwrap();
        let said: Value = serde_json::from_str(&first_line).unwrap();
        let url = said["url"].as_str().unwrap().to_owned();
        let (address, code) =
            url.strip_prefix("http://").and_then(|url| url.split_once("/#")).unwrap();
        Self { child, address: address.to_owned(), code: code.to_owned(), first_line }
    }

    pub fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub fn post(&self, path: &str, cookie: &str, body: &str) -> String {
        let Self { address, .. } = self;
        let length = body.len();
        self.ask(&format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nX-Gatewright: 1\r\n\
             Content-Type: application/json\r\nCookie: {cookie}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        ))
    }

    pub fn get(&self, path: &str, cookie: &str) -> String {
        let Self { address, .. } = self;
        self.ask(&format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        ))
    }

    /// Ends it as a person does, and gives everything that it printed after the first line.
    pub fn end(self) -> String {
        let id = self.child.id().to_string();
        let sent = std::process::Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let output = self.child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    }

    /// Signs in with the code of the link, and gives the cookie.
    pub fn sign_in(&self) -> String {
        let answer = self.post("/api/session", "", &format!("{{\"code\":\"{}\"}}", self.code));
        let line = answer.lines().find(|line| line.to_lowercase().starts_with("set-cookie: "));
        let cookie = line.map(|line| &line["set-cookie: ".len()..]).unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    /// The JSON that a route answers with.
    pub fn json(answer: &str) -> Value {
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }
}
