//! The description of the API: committed, served, and true of every route.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use gatewright_server::http::describe;
use serde_json::Value;

use crate::hostile_requests::ROUTES;
use crate::page::{HOST, ORIGIN, Page};

const METHODS: [&str; 2] = ["get", "post"];

/// Every method and path of the description.
fn operations() -> Vec<(String, String, Value)> {
    let description = describe();
    let paths = description["paths"].as_object().expect("paths").clone();
    let of_path = |(path, operations): (String, Value)| {
        let row = move |method: &&str| {
            let operation = operations.get(*method)?.clone();
            Some(((*method).to_uppercase(), path.clone(), operation))
        };
        METHODS.iter().filter_map(row).collect::<Vec<_>>()
    };
    paths.into_iter().flat_map(of_path).collect()
}

#[tokio::test]
async fn the_committed_and_the_served_description_are_what_the_routes_make() {
    let made = format!("{:#}\n", describe());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/openapi.json");
    if std::env::var_os("GATEWRIGHT_BLESS").is_some() {
        std::fs::write(path, &made).expect("the file is written");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == made, "web/openapi.json is not what the routes make of it");
    let page = Page::new().await;
    let served = page.get("/api/openapi.json").await;
    assert_eq!(served.json(), describe(), "nothing in it had to be hidden");
}

#[tokio::test]
async fn every_described_operation_is_served_and_takes_only_what_it_describes() {
    let page = Page::new().await;
    for (method, path, operation) in operations() {
        let uri = path.replace("{id}", "00000000-0000-0000-0000-000000000000");
        let request = Request::builder().method(method.as_str()).uri(&uri);
        let request = request.header("host", HOST).header("cookie", &page.cookie);
        let request = request.header("origin", ORIGIN).header("x-gatewright", "1");
        let request = request.header("content-type", "application/json");
        if path == "/api/events" {
            continue;
        }
        let body = Body::from(r#"{"strange": 1}"#);
        let reply = page.send(request.body(body).expect("a request")).await;
        let what = format!("{method} {path}: {} {}", reply.status, reply.text);
        assert_ne!(reply.status, StatusCode::METHOD_NOT_ALLOWED, "{what}");
        let is_missing = reply.status == StatusCode::NOT_FOUND;
        assert!(!is_missing || path.contains("{id}"), "{what}");
        assert!(!reply.text.contains("there is nothing here"), "{what}");
        if operation.get("requestBody").is_some() && path != "/api/receipts/verify" {
            assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{what}");
        }
    }
}

#[test]
fn the_hostile_requests_go_to_every_described_route() {
    for (method, path, _) in operations() {
        let is_same = |route: &&(&str, &str)| {
            let plain = route.1.split('?').next().unwrap_or("");
            let known = plain
                .replace("/changes/ID", "/changes/{id}")
                .replace("/receipts/0", "/receipts/{id}");
            route.0 == method && known == path
        };
        let is_open = path == "/api/session";
        assert!(is_open || ROUTES.iter().any(|route| is_same(&route)), "{method} {path}");
    }
}
