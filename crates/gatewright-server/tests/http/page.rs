//! A browser's worth of requests against the router, in a scratch workspace.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use gatewright_engine::{Durability, Engine, EngineOptions, Operation, UserDirs};
use gatewright_model::{Agent, Door, RequestedPath, TextEdit};
use gatewright_server::http::{App, router};
use gatewright_testkit::Scratch;
use serde_json::Value;
use tower::ServiceExt;

pub const PORT: u16 = 41234;
pub const HOST: &str = "127.0.0.1:41234";
pub const ORIGIN: &str = "http://127.0.0.1:41234";

/// A signed-in page.
pub struct Page {
    pub scratch: Scratch,
    pub app: Arc<App>,
    pub router: Router,
    pub cookie: String,
    /// The content of the change that a test stages, where it names one.
    pub seen: Value,
}

pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("JSON")
    }
}

impl Page {
    pub async fn new() -> Self {
        let scratch = Scratch::new();
        let dirs = UserDirs {
            config: scratch.config().join("gatewright"),
            state: scratch.state().join("gatewright"),
        };
        let mut options = EngineOptions::new(scratch.root(), dirs, "tester".to_owned());
        options.durability = Durability::None;
        let engine = Arc::new(Engine::open(options).expect("the workspace opens"));
        let app = Arc::new(App::new(engine, "reviewer".to_owned(), PORT).expect("random bytes"));
        let router = router(Arc::clone(&app));
        let mut page = Self { scratch, app, router, cookie: String::new(), seen: Value::Null };
        let code = page.code();
        let reply = page.post("/api/session", &serde_json::json!({ "code": code })).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
        let cookie = reply.headers["set-cookie"].to_str().expect("text").to_owned();
        page.cookie = cookie.split(';').next().expect("a pair").to_owned();
        page
    }

    /// A fresh one-time code.
    pub fn code(&self) -> String {
        let url = self.app.fresh_url().expect("random bytes");
        url.split_once('#').expect("a fragment").1.to_owned()
    }

    pub async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.expect("infallible");
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.expect("a body");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Reply { status: parts.status, headers: parts.headers, text }
    }

    pub async fn get(&self, path: &str) -> Reply {
        let request = Request::get(path).header("host", HOST).header("cookie", &self.cookie);
        self.send(request.body(Body::empty()).expect("a request")).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        let request = Request::post(path)
            .header("host", HOST)
            .header("origin", ORIGIN)
            .header("sec-fetch-site", "same-origin")
            .header("x-gatewright", "1")
            .header("content-type", "application/json")
            .header("cookie", &self.cookie);
        self.send(request.body(Body::from(body.to_string())).expect("a request")).await
    }

    /// What stands for the bytes of a staged change.
    pub async fn content(&self, id: &str) -> Value {
        self.get(&format!("/api/changes/{id}")).await.json()["summary"]["content"].clone()
    }

    /// An agent proposes to replace text.
    pub fn propose_edit(&self, path: &str, edits: &[(&str, &str)]) -> String {
        let edits = edits.iter().map(|(old, new)| TextEdit {
            old: (*old).to_owned(),
            new: (*new).to_owned(),
            replace_all: false,
        });
        self.propose(Operation::Edit {
            path: RequestedPath::new(path),
            edits: edits.collect(),
            base: Default::default(),
        })
    }

    /// An agent proposes something; gives the id of what is staged.
    pub fn propose(&self, operation: Operation) -> String {
        let agent = Agent { name: "robot".to_owned(), version: "1".to_owned(), door: Door::Mcp };
        let request = gatewright_engine::Request {
            agent,
            run_id: "run-1".to_owned(),
            autonomy: None,
            operations: vec![operation],
        };
        let outcome = self.app.engine.propose(request).expect("a proposal");
        match outcome.disposition {
            gatewright_engine::Disposition::Staged { change_id } => change_id,
            other => panic!("{other:?}: {:?}", outcome.findings),
        }
    }
}
