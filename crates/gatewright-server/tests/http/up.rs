//! The running process: one serves, the next attaches, what a kill left is replaced.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use gatewright_engine::{Durability, Engine, EngineOptions, UserDirs};
use gatewright_server::up::{Ready, run};
use gatewright_testkit::Scratch;

fn engine(scratch: &Scratch) -> Engine {
    let dirs = UserDirs {
        config: scratch.config().join("gatewright"),
        state: scratch.state().join("gatewright"),
    };
    let mut options = EngineOptions::new(scratch.root(), dirs, "tester".to_owned());
    options.durability = Durability::None;
    Engine::open(options).expect("the workspace opens")
}

/// Serves on a thread that ends with the test process; gives the address and the state directory.
fn serve(scratch: &Scratch) -> (Ready, PathBuf) {
    let engine = engine(scratch);
    let state = engine.layout().state.clone();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut tell = |ready| sender.send(ready).expect("the test listens");
        run(engine, "tester".to_owned(), None, &mut tell).expect("it serves");
    });
    (receiver.recv_timeout(Duration::from_secs(20)).expect("it is ready"), state)
}

fn ask(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    stream.write_all(request.as_bytes()).expect("a request");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

fn port_of(url: &str) -> u16 {
    let rest = url.strip_prefix("http://127.0.0.1:").expect("loopback and nothing else");
    rest.split('/').next().and_then(|port| port.parse().ok()).expect("a port")
}

#[test]
fn the_first_serves_and_the_second_attaches_with_a_code_of_its_own() {
    let scratch = Scratch::new();
    let (ready, state) = serve(&scratch);
    let Ready::Serving { url } = ready else { panic!("{ready:?}") };
    let mut second = None;
    run(engine(&scratch), "tester".to_owned(), None, &mut |ready| second = Some(ready))
        .expect("it attaches");
    let Some(Ready::Attached { url: fresh }) = second else { panic!("{second:?}") };
    assert_eq!(port_of(&url), port_of(&fresh));
    assert_ne!(url, fresh, "each link has a code of its own");
    for name in ["up.json", "up.sock", "up.lock"] {
        let metadata = std::fs::symlink_metadata(state.join(name)).expect(name);
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{name}");
    }
    let written = std::fs::read_to_string(state.join("up.json")).expect("the runtime file");
    let code = url.split_once('#').expect("a fragment").1;
    assert!(!written.contains(code), "no live code lies on disk");
}

#[test]
fn what_a_killed_process_left_is_replaced() {
    let scratch = Scratch::new();
    let state = engine(&scratch).layout().state.clone();
    std::fs::write(state.join("up.json"), r#"{"pid":1,"port":1}"#).expect("a stale file");
    std::fs::write(state.join("up.lock"), "").expect("a stale lock");
    drop(std::os::unix::net::UnixListener::bind(state.join("up.sock")).expect("a stale socket"));
    let (ready, _) = serve(&scratch);
    assert!(matches!(ready, Ready::Serving { .. }), "{ready:?}");
    let socket = std::fs::symlink_metadata(state.join("up.sock")).expect("a socket");
    assert!(socket.file_type().is_socket());
}

#[test]
fn the_socket_speaks_http_and_refuses_other_names() {
    let scratch = Scratch::new();
    let (ready, _) = serve(&scratch);
    let Ready::Serving { url } = ready else { panic!("{ready:?}") };
    let port = port_of(&url);
    let page = ask(
        port,
        &format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"),
    );
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    let evil = ask(port, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert!(evil.starts_with("HTTP/1.1 421"), "{evil}");
    for garbage in
        ["\0\0\0\0\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
    {
        let answer = ask(port, garbage);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    let still = ask(
        port,
        &format!("GET /app.js HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n"),
    );
    assert!(still.starts_with("HTTP/1.1 200"), "the server stays up");
}

#[test]
fn a_crowd_of_silent_connections_keeps_nobody_out() {
    let scratch = Scratch::new();
    let (ready, _) = serve(&scratch);
    let Ready::Serving { url } = ready else { panic!("{ready:?}") };
    let port = port_of(&url);
    let mut crowd = Vec::new();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: 127");
        crowd.push(stream);
    }
    let page = ask(
        port,
        &format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"),
    );
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    drop(crowd);
}
