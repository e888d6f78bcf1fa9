//! The desk between two processes: what is believed of it, and what sends an asker to its own
//! servers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gatewright_languages::lsp::asking::NoAnswer;
use gatewright_languages::lsp::desk::{
    Desk, Doing, NoProject, Reply, Request, basis, listed, project_of,
};
use gatewright_languages::lsp::project::{Project, ProjectFile};
use gatewright_languages::lsp::question::{Answer, Question};
use gatewright_languages::lsp::questions::{Diagnostic, Use};
use gatewright_languages::lsp::servers::{LanguageServers, ServerSettings};
use gatewright_languages::syntax::LanguageId;
use gatewright_testkit::Scratch;

const TEXT: &str = "def total(x):\n    return x\n";

type Play = Box<dyn Fn(&Request) -> Option<Reply> + Send + Sync>;

/// A desk that plays a part and keeps what it was asked.
struct Scripted {
    play: Play,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Desk for Scripted {
    fn is_open(&self) -> bool {
        true
    }

    fn ask(
        &self,
        request: &Request,
        _limit: Duration,
        hear: &mut dyn FnMut(Option<Doing>),
    ) -> Option<Reply> {
        hear(Some(Doing::Starting));
        self.asked.lock().unwrap().push(request.clone());
        (self.play)(request)
    }
}

/// A set whose own server of Python is a program that ends at once.
fn servers(scratch: &Scratch) -> LanguageServers {
    let path = std::env::var("PATH").unwrap();
    let root = std::fs::canonicalize(scratch.root()).unwrap();
    let mut settings = ServerSettings::new(root, scratch.state().join("servers"), path);
    settings.commands = BTreeMap::from([("python".to_owned(), vec!["true".to_owned()])]);
    LanguageServers::new(settings)
}

fn project(text: &str) -> Project {
    let file = ProjectFile { language: LanguageId::Python, text: text.into() };
    Project { files: [("a.py".to_owned(), file)].into() }
}

fn uses() -> Question {
    Question::Uses { path: "a.py".to_owned(), offset: 4, name: "total".to_owned() }
}

fn at(line: usize, column: usize) -> Answer {
    Answer::Uses(vec![Use { path: "a.py".to_owned(), line, column }], 0)
}

/// Asks with a desk that plays this part.
fn asked(
    play: impl Fn(&Request) -> Option<Reply> + Send + Sync + 'static,
) -> (Result<Answer, NoAnswer>, Vec<Request>) {
    let scratch = Scratch::new();
    let servers = servers(&scratch);
    let asked = Arc::new(Mutex::new(Vec::new()));
    servers.ask_first(Box::new(Scripted { play: Box::new(play), asked: Arc::clone(&asked) }));
    let answer = servers.ask(LanguageId::Python, uses(), project(TEXT));
    assert_eq!(servers.under_way(), [], "nobody waits any more");
    let asked = asked.lock().unwrap().clone();
    (answer, asked)
}

fn answered(request: &Request, answer: Answer) -> Option<Reply> {
    Some(Reply::Answered { basis: basis(&request.files), answer })
}

#[test]
fn an_answer_about_the_texts_that_are_held_is_taken() {
    let (answer, asked) = asked(|request| answered(request, at(1, 5)));
    assert_eq!(answer, Ok(at(1, 5)));
    assert_eq!(asked.len(), 1);
    assert!(asked[0].files["a.py"].text.is_none(), "what lies on disk is not sent");
}

/// The server of one's own ends at once, so an error says that it was asked.
fn falls_back(play: impl Fn(&Request) -> Option<Reply> + Send + Sync + 'static) {
    let (answer, asked) = asked(play);
    assert!(matches!(answer, Err(NoAnswer::Failed(_))), "{answer:?}");
    assert!(!asked.is_empty());
}

#[test]
fn an_answer_about_other_texts_is_dropped() {
    falls_back(|_| {
        let other = basis(&listed(&project("x = 1\n"), |_| false));
        Some(Reply::Answered { basis: other, answer: at(1, 5) })
    });
}

#[test]
fn an_answer_with_a_place_that_is_not_in_the_text_is_dropped() {
    for (line, column) in [(0, 1), (1, 0), (1, 15), (4, 1), (900, 1)] {
        falls_back(move |request| answered(request, at(line, column)));
    }
    falls_back(|request| {
        let elsewhere = Use { path: "../b.py".to_owned(), line: 1, column: 1 };
        answered(request, Answer::Uses(vec![elsewhere], 0))
    });
}

#[test]
fn an_answer_of_another_kind_is_dropped() {
    falls_back(|request| answered(request, Answer::Problems(vec![Vec::new()])));
}

#[test]
fn a_desk_that_is_gone_or_sends_away_leaves_the_asker_to_its_own_server() {
    falls_back(|_| None);
    falls_back(|_| Some(Reply::Elsewhere("another version".to_owned())));
    falls_back(|_| Some(Reply::Wants(vec!["a.py".to_owned()])));
}

#[test]
fn what_the_server_of_the_desk_says_is_not_asked_again_at_home() {
    let (answer, _) = asked(|_| Some(Reply::Failed("no answer in 20 s".to_owned())));
    assert_eq!(answer, Err(NoAnswer::Failed("no answer in 20 s".to_owned())));
}

#[test]
fn texts_that_the_desk_wants_come_with_the_second_request() {
    let (answer, asked) = asked(|request| {
        let file = &request.files["a.py"];
        match &file.text {
            None => Some(Reply::Wants(vec!["a.py".to_owned(), "b.py".to_owned()])),
            Some(_) => answered(request, at(1, 5)),
        }
    });
    assert_eq!(answer, Ok(at(1, 5)));
    let texts: Vec<Option<&str>> =
        asked.iter().map(|request| request.files["a.py"].text.as_deref()).collect();
    assert_eq!(texts, [None, Some(TEXT)]);
}

#[test]
fn a_set_that_others_ask_asks_nobody() {
    let scratch = Scratch::new();
    let servers = servers(&scratch);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let play: Play = Box::new(|request| answered(request, at(1, 5)));
    servers.ask_first(Box::new(Scripted { play, asked: Arc::clone(&asked) }));
    servers.keep_to_own();
    assert!(servers.ask(LanguageId::Python, uses(), project(TEXT)).is_err());
    assert!(asked.lock().unwrap().is_empty());
}

/// A request as an asker with the same settings sends it.
fn request() -> Request {
    let (_, mut asked) = asked(|request| answered(request, at(1, 5)));
    asked.remove(0)
}

#[test]
fn the_desk_answers_nobody_who_would_have_got_another_answer_at_home() {
    let scratch = Scratch::new();
    let servers = servers(&scratch);
    let disk = || project(TEXT);
    let mut older = request();
    older.version = "0/0.0.1".to_owned();
    let mut other = request();
    other.server.command.push("--preview".to_owned());
    let mut online = request();
    online.server.may_download = true;
    let mut outside = request();
    let file = outside.files.remove("a.py").unwrap();
    outside.files.insert("../a.py".to_owned(), file);
    for request in [older, other, online, outside] {
        let reply = servers.answer(request, disk);
        assert!(matches!(reply, Reply::Elsewhere(_)), "{reply:?}");
    }
    let reply = servers.answer(request(), || project("x = 1\n"));
    assert_eq!(reply, Reply::Wants(vec!["a.py".to_owned()]));
    let reply = servers.answer(request(), disk);
    assert!(matches!(reply, Reply::Failed(_)), "the server here ends at once: {reply:?}");
}

#[test]
fn a_project_is_made_of_the_listed_texts_and_no_others() {
    let asker = project(TEXT);
    let never = || panic!("the disk is not needed");
    let made = project_of(listed(&asker, |_| true), never).unwrap();
    assert_eq!(&*made.files["a.py"].text, TEXT);
    let mut more = project(TEXT);
    more.files.extend([("b.py".to_owned(), project("y = 1\n").files.remove("a.py").unwrap())]);
    let made = project_of(listed(&asker, |_| false), || more).unwrap();
    assert_eq!(made.files.keys().collect::<Vec<_>>(), ["a.py"]);
    let mut forged = listed(&asker, |_| true);
    forged.get_mut("a.py").unwrap().text = Some("x = 2\n".to_owned());
    assert_eq!(project_of(forged, Project::default).err(), Some(NoProject::Wrong));
}

#[test]
fn a_request_and_a_reply_survive_the_wire() {
    let text = serde_json::to_string(&request()).unwrap();
    let again: Request = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
    let found = Diagnostic {
        line: 1,
        column: 2,
        severity: "hint",
        code: None,
        message: "unused".to_owned(),
    };
    let reply =
        Reply::Answered { basis: basis(&again.files), answer: Answer::Problems(vec![vec![found]]) };
    let text = serde_json::to_string(&reply).unwrap();
    assert_eq!(serde_json::from_str::<Reply>(&text).unwrap(), reply);
    let unknown = text.replace("\"hint\"", "\"fatal\"");
    assert!(serde_json::from_str::<Reply>(&unknown).is_err());
}
