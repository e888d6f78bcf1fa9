//! What a hostile page, site or process may send; none of it may change anything.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::json;

use crate::page::{HOST, ORIGIN, Page};

/// Every route, with the method that it takes.
pub const ROUTES: &[(&str, &str)] = &[
    ("GET", "/api/state"),
    ("GET", "/api/changes"),
    ("GET", "/api/changes/ID"),
    ("GET", "/api/changes/ID/lines?path=a&from=1&to=2"),
    ("POST", "/api/changes/ID/decide"),
    ("POST", "/api/changes/ID/comment"),
    ("POST", "/api/changes/ID/edit"),
    ("POST", "/api/changes/ID/apply"),
    ("POST", "/api/changes/ID/reject"),
    ("GET", "/api/receipts"),
    ("GET", "/api/receipts/chart"),
    ("POST", "/api/receipts/verify"),
    ("GET", "/api/receipts/export"),
    ("GET", "/api/receipts/0"),
    ("GET", "/api/receipts/0/prove"),
    ("GET", "/api/receipts/0/undo"),
    ("POST", "/api/receipts/0/rollback"),
    ("GET", "/api/rules"),
    ("POST", "/api/rules/allow"),
    ("POST", "/api/rules/try"),
    ("GET", "/api/mode"),
    ("POST", "/api/mode"),
    ("GET", "/api/events"),
    ("GET", "/api/openapi.json"),
    ("GET", "/"),
    ("GET", "/app.js"),
    ("GET", "/app.css"),
    ("GET", "/icon.svg"),
];

const STRANGE_HOSTS: &[&str] = &[
    "evil.example",
    "evil.example:41234",
    "127.0.0.1",
    "127.0.0.1:80",
    "127.0.0.1:41235",
    "127.0.0.1:041234",
    "127.0.0.1:41234.",
    "127.0.0.1.:41234",
    "127.0.0.1.evil.example:41234",
    "127.0.0.1.nip.io:41234",
    "LOCALHOST:41234",
    "localhost.:41234",
    "localhost",
    "localhost:41234@evil.example",
    "evil.example@127.0.0.1:41234",
    "[::1%lo]:41234",
    "[::ffff:127.0.0.1]:41234",
    "[::1]",
    "0.0.0.0:41234",
    "127.1:41234",
    "2130706433:41234",
    "0x7f000001:41234",
    "127.0.0.1:41234 ",
    "127.0.0.1:41234,evil.example",
    "",
];

const STRANGE_ORIGINS: &[&str] = &[
    "https://evil.example",
    "null",
    "http://localhost:41235",
    "http://localhost",
    "https://127.0.0.1:41234",
    "http://127.0.0.1.nip.io:41234",
    "http://127.0.0.1:41234.evil.example",
    "http://127.0.0.1:41234/",
    "http://127.0.0.1:41234@evil.example",
    "HTTP://127.0.0.1:41234",
    "http://LOCALHOST:41234",
    "http://localhost:41234",
    "file://",
    "chrome-extension://abcdef",
    "",
    " ",
    "http://127.0.0.1:41234 http://evil.example",
];

/// A request that the page itself would make, to be spoilt.
fn sound(method: &str, path: &str, cookie: &str) -> axum::http::request::Builder {
    let builder = Request::builder().method(method).uri(path).header("cookie", cookie);
    if method == "GET" {
        return builder;
    }
    builder.header("x-gatewright", "1").header("content-type", "application/json")
}

async fn staged() -> (Page, String) {
    let mut page = Page::new().await;
    page.scratch.write("a", "1\n2\n3\n");
    let id = page.propose_edit("a", &[("2\n", "two\n")]);
    let content = page.content(&id).await;
    let body = json!({ "content": &content, "part": { "of": "all" }, "choice": "accept" });
    let reply = page.post(&format!("/api/changes/{id}/decide"), &body).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    page.seen = content;
    (page, id)
}

/// Everything that must not move: the files, the receipts, the stage, the mode.
fn trace(page: &Page) -> String {
    let ledger = page.app.engine.ledger();
    let stage: Vec<_> = ledger.stage_list(None).expect("a stage");
    let versions: Vec<_> = stage.iter().map(|item| (&item.id, item.version, &item.state)).collect();
    let autonomy = page.app.engine.autonomy().expect("a mode");
    format!(
        "{:?} {} {versions:?} {autonomy:?} {:?}",
        page.scratch.tree(),
        ledger.len().expect("a length"),
        page.app.engine.config_now().merged.allow_paths,
    )
}

fn body_for(id: &str, path: &str, page: &Page) -> Body {
    let version = page.app.engine.ledger().stage_get(id).expect("a stage").expect("staged").version;
    let value = match path.rsplit('/').next().unwrap_or("") {
        "apply" => json!({ "version": version, "confirm": true }),
        "reject" => json!({ "version": version }),
        "decide" => json!({ "content": page.seen, "part": { "of": "all" }, "choice": "reject" }),
        "comment" => json!({ "content": page.seen, "path": "a", "unit": "h", "text": "x" }),
        "edit" => json!({ "content": page.seen, "path": "a", "unit": "h", "text": "x" }),
        "allow" => json!({ "seen": [], "paths": ["package.json"] }),
        "mode" => json!({ "mode": "autonomous", "suggest_only": false }),
        _ => json!({}),
    };
    Body::from(value.to_string())
}

async fn expect_refused(page: &Page, request: Request<Body>, what: &str) {
    let reply = page.send(request).await;
    assert!(reply.status.is_client_error(), "{what}: {} {}", reply.status, reply.text);
    assert_protected(&reply.headers, what);
}

fn assert_protected(headers: &axum::http::HeaderMap, what: &str) {
    for name in [
        "content-security-policy",
        "x-frame-options",
        "x-content-type-options",
        "referrer-policy",
        "cross-origin-opener-policy",
        "cross-origin-resource-policy",
        "cache-control",
    ] {
        assert!(headers.contains_key(name), "{what}: no {name}");
    }
    let policy = headers["content-security-policy"].to_str().expect("text");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ] {
        assert!(policy.contains(part), "{what}: {policy}");
    }
    assert!(!policy.contains("unsafe"), "{what}");
    assert!(headers.keys().all(|name| !name.as_str().starts_with("access-control-")), "{what}");
}

#[tokio::test]
async fn strange_hosts_reach_no_route() {
    let (page, id) = staged().await;
    let before = trace(&page);
    for (method, route) in ROUTES {
        let path = route.replace("ID", &id);
        for host in STRANGE_HOSTS {
            let request = sound(method, &path, &page.cookie)
                .header("host", *host)
                .header("origin", format!("http://{}", host.trim()))
                .body(body_for(&id, &path, &page))
                .expect("a request");
            expect_refused(&page, request, &format!("{method} {path} at {host}")).await;
        }
        let none = sound(method, &path, &page.cookie).header("origin", ORIGIN);
        expect_refused(&page, none.body(Body::empty()).expect("a request"), "no host").await;
        let two = sound(method, &path, &page.cookie).header("host", HOST).header("host", HOST);
        expect_refused(&page, two.body(Body::empty()).expect("a request"), "two hosts").await;
        let absolute = format!("http://evil.example{path}");
        let named = sound(method, &absolute, &page.cookie).header("host", HOST);
        expect_refused(&page, named.body(Body::empty()).expect("a request"), "absolute").await;
    }
    assert_eq!(trace(&page), before);
}

#[tokio::test]
async fn strange_origins_and_sites_reach_no_route() {
    let (page, id) = staged().await;
    let before = trace(&page);
    for (method, route) in ROUTES {
        let path = route.replace("ID", &id);
        for origin in STRANGE_ORIGINS {
            let request = sound(method, &path, &page.cookie)
                .header("host", HOST)
                .header("origin", *origin)
                .body(body_for(&id, &path, &page))
                .expect("a request");
            expect_refused(&page, request, &format!("{method} {path} from {origin:?}")).await;
        }
        for site in ["cross-site", "same-site", "", "SAME-ORIGIN", "same-origin, cross-site"] {
            let request = sound(method, &path, &page.cookie)
                .header("host", HOST)
                .header("origin", ORIGIN)
                .header("sec-fetch-site", site)
                .body(body_for(&id, &path, &page))
                .expect("a request");
            expect_refused(&page, request, &format!("{method} {path} site {site:?}")).await;
        }
        if *method == "POST" {
            let silent = sound(method, &path, &page.cookie).header("host", HOST);
            let silent = silent.body(body_for(&id, &path, &page)).expect("a request");
            expect_refused(&page, silent, &format!("{path} without an origin")).await;
        }
    }
    assert_eq!(trace(&page), before);
}

#[tokio::test]
async fn no_form_and_no_simple_request_changes_anything() {
    let (page, id) = staged().await;
    let before = trace(&page);
    let types = [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain; application/json",
        "application/json, text/plain",
        "APPLICATION/JSON",
        "application/jsonp",
        "",
    ];
    for (_, route) in ROUTES.iter().filter(|(method, _)| *method == "POST") {
        let path = route.replace("ID", &id);
        for content_type in types {
            let request = Request::post(&path)
                .header("host", HOST)
                .header("origin", ORIGIN)
                .header("cookie", &page.cookie)
                .header("x-gatewright", "1")
                .header("content-type", content_type)
                .body(body_for(&id, &path, &page))
                .expect("a request");
            expect_refused(&page, request, &format!("{path} as {content_type}")).await;
        }
        for custom in ["", "0", "true", "1, 1"] {
            let request = Request::post(&path)
                .header("host", HOST)
                .header("origin", ORIGIN)
                .header("cookie", &page.cookie)
                .header("x-gatewright", custom)
                .header("content-type", "application/json")
                .body(body_for(&id, &path, &page))
                .expect("a request");
            expect_refused(&page, request, &format!("{path} custom {custom:?}")).await;
        }
        // A GET to a route that changes something.
        let get = Request::get(&path).header("host", HOST).header("cookie", &page.cookie);
        let get = get.body(Body::empty()).expect("a request");
        if !path.ends_with("/mode") && !path.ends_with("/verify") {
            expect_refused(&page, get, &format!("GET {path}")).await;
        }
    }
    assert_eq!(trace(&page), before);
}

#[tokio::test]
async fn other_methods_and_upgrades_are_refused_everywhere() {
    let (page, id) = staged().await;
    let before = trace(&page);
    for (_, route) in ROUTES {
        let path = route.replace("ID", &id);
        for method in
            ["OPTIONS", "HEAD", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "get"]
        {
            let method = Method::from_bytes(method.as_bytes()).expect("a method");
            let request = Request::builder()
                .method(method.clone())
                .uri(&path)
                .header("host", HOST)
                .header("origin", ORIGIN)
                .header("access-control-request-method", "POST")
                .header("cookie", &page.cookie)
                .header("x-gatewright", "1")
                .header("content-type", "application/json")
                .body(body_for(&id, &path, &page))
                .expect("a request");
            expect_refused(&page, request, &format!("{method} {path}")).await;
        }
        for (name, value) in
            [("upgrade", "websocket"), ("upgrade", "h2c"), ("sec-websocket-key", "x")]
        {
            let request =
                sound("GET", &path, &page.cookie).header("host", HOST).header(name, value);
            let request = request.body(Body::empty()).expect("a request");
            expect_refused(&page, request, &format!("{path} {name}")).await;
        }
    }
    assert_eq!(trace(&page), before);
}

#[tokio::test]
async fn without_the_session_there_is_only_the_empty_page() {
    let (page, id) = staged().await;
    let before = trace(&page);
    let token = page.cookie.split_once('=').expect("a pair").1.to_owned();
    let other_port = format!("gatewright_41235={token}");
    let cut = page.cookie[..page.cookie.len() - 1].to_owned();
    let longer = format!("{}A", page.cookie);
    let twice = format!("{0}; {0}", page.cookie);
    let strange = [
        "",
        "gatewright_41234=",
        "gatewright_41234=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        other_port.as_str(),
        cut.as_str(),
        longer.as_str(),
        twice.as_str(),
        "x=1; y=2",
    ];
    for (method, route) in ROUTES.iter().filter(|(_, route)| route.starts_with("/api/")) {
        let path = route.replace("ID", &id);
        for cookie in strange {
            let request = sound(method, &path, cookie)
                .header("host", HOST)
                .header("origin", ORIGIN)
                .body(body_for(&id, &path, &page))
                .expect("a request");
            let reply = page.send(request).await;
            assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{method} {path} {cookie:?}");
            assert_protected(&reply.headers, &path);
        }
    }
    assert_eq!(trace(&page), before);
}

#[tokio::test]
async fn a_code_works_once_and_the_cookie_is_strict() {
    let page = Page::new().await;
    let code = page.code();
    assert!(code.len() >= 43, "at least 256 bits");
    let first = page.post("/api/session", &json!({ "code": code })).await;
    let cookie = first.headers["set-cookie"].to_str().expect("text");
    for flag in ["gatewright_41234=", "HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(flag), "{cookie}");
    }
    assert!(!cookie.contains(&code), "the code is not the token");
    let second = page.post("/api/session", &json!({ "code": code })).await;
    assert_eq!(second.status, StatusCode::UNAUTHORIZED);
    assert!(!second.headers.contains_key("set-cookie"));
    for wrong in ["", "x", &code[..42], &"A".repeat(43), &"A".repeat(10_000)] {
        let reply = page.post("/api/session", &json!({ "code": wrong })).await;
        assert!(reply.status.is_client_error(), "{wrong}");
    }
}

#[tokio::test]
async fn guessing_codes_and_asking_too_fast_are_slowed_down() {
    let page = Page::new().await;
    let mut refused = 0;
    for _ in 0..40 {
        let reply = page.post("/api/session", &json!({ "code": "A".repeat(43) })).await;
        refused += u32::from(reply.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused > 10, "{refused}");
    let mut slowed = 0;
    for _ in 0..400 {
        slowed += u32::from(page.get("/api/mode").await.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(slowed > 0);
}

#[tokio::test]
async fn odd_bodies_and_ids_are_refused_in_fixed_words() {
    let (page, id) = staged().await;
    let before = trace(&page);
    let apply = format!("/api/changes/{id}/apply");
    let canary = "canary-7f3a";
    let bodies = [
        canary.to_owned(),
        String::new(),
        "null".to_owned(),
        "[]".to_owned(),
        format!("{{\"version\": \"{canary}\"}}"),
        format!("{{\"version\": 1, \"confirm\": true, \"{canary}\": 1}}"),
        "{\"version\": -1, \"confirm\": true}".to_owned(),
        "[".repeat(100_000),
        format!("{{\"version\": 1, \"confirm\": true, \"x\": \"{}\"}}", "y".repeat(3_000_000)),
    ];
    for body in bodies {
        let request =
            sound("POST", &apply, &page.cookie).header("host", HOST).header("origin", ORIGIN);
        let reply = page.send(request.body(Body::from(body.clone())).expect("a request")).await;
        assert!(reply.status.is_client_error(), "{} {}", &body[..body.len().min(60)], reply.text);
        assert!(!reply.text.contains(canary), "{}", reply.text);
    }
    for odd in ["..", "%2e%2e", "*", "a%00b", "%", "x y", "'", "<script>", "%2Fetc%2Fpasswd"] {
        let path = format!(
            "/api/changes/{}",
            odd.replace(' ', "%20").replace('<', "%3C").replace('>', "%3E")
        );
        let Ok(request) =
            sound("GET", &path, &page.cookie).header("host", HOST).body(Body::empty())
        else {
            continue;
        };
        let reply = page.send(request).await;
        assert!(reply.status.is_client_error(), "{path}: {}", reply.text);
        assert!(!reply.text.contains("<script>"), "{}", reply.text);
    }
    assert_eq!(trace(&page), before);
}

#[tokio::test]
async fn no_url_reaches_the_disk() {
    let page = Page::new().await;
    page.scratch.write("secret.txt", "canary-on-disk");
    for path in [
        "/secret.txt",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/app.js/../../secret.txt",
        "/./app.js",
        "//app.js",
        "/app.js%00",
        "/etc/passwd",
        "/index.html",
        "/api/../app.js",
        "/app.js/",
        "/dist/app.js",
    ] {
        let Ok(request) = sound("GET", path, &page.cookie).header("host", HOST).body(Body::empty())
        else {
            continue;
        };
        let reply = page.send(request).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
        assert!(!reply.text.contains("canary"), "{path}");
    }
    for path in ["/", "/app.js", "/app.css", "/icon.svg"] {
        let reply = page.get(path).await;
        assert_eq!(reply.status, StatusCode::OK, "{path}");
        assert_protected(&reply.headers, path);
    }
    let html = page.get("/").await.text;
    assert!(!html.contains("<style") && !html.contains(" style="), "{html}");
    assert!(html.matches("<script").count() == html.matches("src=\"/app.js\"").count(), "{html}");
}

#[tokio::test]
async fn the_built_page_reaches_for_nothing_outside() {
    let page = Page::new().await;
    let script = page.get("/app.js").await.text;
    let style = page.get("/app.css").await.text;
    assert!(script.len() < 240_000, "{} bytes", script.len());
    for text in [&script, &style] {
        assert!(!text.contains("sourceMappingURL"));
        assert!(!text.contains("@import") && !text.contains("url(http"));
        for (index, _) in text.match_indices("://") {
            let from =
                text[..index].rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |at| at + 1);
            let rest: String = text[from..].chars().take(24).collect();
            assert!(rest.starts_with("http://www.w3.org/"), "an address in the page: {rest}");
        }
    }
    for word in ["eval(", "new Function", "document.write", "insertAdjacentHTML", "importScripts"] {
        assert!(!script.contains(word), "{word}");
    }
}
