//! The description of the API, made from the table of routes and the wire types.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use super::gate::CUSTOM_HEADER;
use super::routes::{self, Gives, Route};

/// The document, OpenAPI 3.1.
pub fn describe() -> Value {
    let mut answers = generator(SchemaSettings::draft2020_12().for_serialize());
    let mut requests = generator(SchemaSettings::draft2020_12().for_deserialize());
    let failure = answers.subschema_for::<super::wire::Failure>();
    let mut paths: Map<String, Value> = Map::new();
    for route in routes::all() {
        let operation = operation(&route, &mut answers, &mut requests, failure.as_value());
        let path = paths.entry(format!("/api{}", route.path)).or_insert_with(|| json!({}));
        path[route.method] = operation;
    }
    let mut schemas = answers.take_definitions(true);
    schemas.extend(requests.take_definitions(true));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Gatewright review page",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "For the page on loopback and the person before it. Every request \
                names this server in Host, carries the session cookie, and is of the same origin.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "session": {
                "type": "apiKey", "in": "cookie", "name": "gatewright_PORT",
            }},
        },
        "security": [{ "session": [] }],
    })
}

fn generator(mut settings: SchemaSettings) -> SchemaGenerator {
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    settings.into_generator()
}

fn operation(
    route: &Route,
    answers: &mut SchemaGenerator,
    requests: &mut SchemaGenerator,
    failure: &Value,
) -> Value {
    let ok = match &route.gives {
        Gives::Json(describe) => {
            json!({ "application/json": { "schema": describe(answers).to_value() } })
        }
        Gives::Text(content_type) => json!({ *content_type: {} }),
    };
    let mut operation = json!({
        "summary": route.about,
        "parameters": parameters(route),
        "responses": {
            "200": { "description": "done", "content": ok },
            "4XX": { "description": "refused; nothing changed",
                "content": { "application/json": { "schema": failure } } },
        },
    });
    if let Some(describe) = &route.takes {
        let schema = describe(requests).to_value();
        operation["requestBody"] =
            json!({ "required": true, "content": { "application/json": { "schema": schema } } });
    }
    operation
}

fn parameters(route: &Route) -> Vec<Value> {
    let text = json!({ "type": "string" });
    let row = |name: &str, place: &str, required: bool| json!({ "name": name, "in": place, "required": required, "schema": text });
    let mut rows = Vec::new();
    if route.path.contains("{id}") {
        rows.push(row("id", "path", true));
    }
    rows.extend(route.query.iter().map(|(name, required)| row(name, "query", *required)));
    if route.method == "post" {
        rows.push(row(CUSTOM_HEADER, "header", true));
    }
    rows
}
