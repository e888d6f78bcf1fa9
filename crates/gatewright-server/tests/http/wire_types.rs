//! `web/src/wire.ts` is made from the wire types. `GATEWRIGHT_BLESS=1` writes it anew.

use gatewright_server::http::wire;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

const HEAD: &str = "// Made from the server's wire types; `GATEWRIGHT_BLESS=1 cargo test` writes it anew. Do not edit.\n";

#[test]
fn the_types_of_the_page_are_those_of_the_server() {
    let made = typescript();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/wire.ts");
    if std::env::var_os("GATEWRIGHT_BLESS").is_some() {
        std::fs::write(path, &made).expect("the file is written");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == made, "web/src/wire.ts is not what the wire types make of it");
}

fn typescript() -> String {
    let mut answers = SchemaSettings::draft2020_12().for_serialize().into_generator();
    add::<wire::ChangeList>(&mut answers);
    add::<wire::Change>(&mut answers);
    add::<wire::Decided>(&mut answers);
    add::<wire::LineList>(&mut answers);
    add::<wire::Outcome>(&mut answers);
    add::<wire::Event>(&mut answers);
    add::<wire::ReceiptList>(&mut answers);
    add::<wire::ReceiptDetail>(&mut answers);
    add::<wire::Chart>(&mut answers);
    add::<wire::UndoPreview>(&mut answers);
    add::<wire::VerifyResult>(&mut answers);
    add::<wire::Proof>(&mut answers);
    add::<wire::State>(&mut answers);
    add::<wire::RuleList>(&mut answers);
    add::<wire::AllowList>(&mut answers);
    add::<wire::Tried>(&mut answers);
    add::<wire::Failure>(&mut answers);
    let mut requests = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    add::<wire::Exchange>(&mut requests);
    add::<wire::Decide>(&mut requests);
    add::<wire::CommentOn>(&mut requests);
    add::<wire::EditHunk>(&mut requests);
    add::<wire::Apply>(&mut requests);
    add::<wire::Reject>(&mut requests);
    add::<wire::SetMode>(&mut requests);
    add::<wire::SetAllowed>(&mut requests);
    add::<wire::TryRules>(&mut requests);
    let mut text = HEAD.to_owned();
    for mut generator in [answers, requests] {
        for (name, schema) in generator.take_definitions(true) {
            text.push_str(&format!("\nexport type {name} = {};\n", type_of(&schema)));
        }
    }
    text
}

fn add<T: schemars::JsonSchema>(generator: &mut SchemaGenerator) {
    let _ = generator.subschema_for::<T>();
}

fn type_of(schema: &Value) -> String {
    let Some(object) = schema.as_object() else { return "unknown".to_owned() };
    if let Some(name) = object.get("$ref").and_then(Value::as_str) {
        return name.rsplit('/').next().unwrap_or(name).to_owned();
    }
    if let Some(value) = object.get("const") {
        return value.to_string();
    }
    if let Some(values) = object.get("enum").and_then(Value::as_array) {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(options) = object.get(key).and_then(Value::as_array) {
            return options.iter().map(type_of).collect::<Vec<_>>().join(" | ");
        }
    }
    match object.get("type") {
        Some(Value::Array(types)) => {
            let one = |name: &Value| named(name.as_str().unwrap_or(""), object);
            types.iter().map(one).collect::<Vec<_>>().join(" | ")
        }
        Some(Value::String(name)) => named(name, object),
        _ => "unknown".to_owned(),
    }
}

fn named(name: &str, object: &Map<String, Value>) -> String {
    match name {
        "integer" | "number" => "number".to_owned(),
        "array" => array(object),
        "object" => fields(object),
        other => other.to_owned(),
    }
}

fn array(object: &Map<String, Value>) -> String {
    if let Some(items) = object.get("prefixItems").and_then(Value::as_array) {
        return format!("[{}]", items.iter().map(type_of).collect::<Vec<_>>().join(", "));
    }
    let item = object.get("items").map_or("unknown".to_owned(), type_of);
    if item.contains(' ') { format!("({item})[]") } else { format!("{item}[]") }
}

fn fields(object: &Map<String, Value>) -> String {
    let Some(properties) = object.get("properties").and_then(Value::as_object) else {
        let value = object.get("additionalProperties").map_or("unknown".to_owned(), type_of);
        return format!("Record<string, {value}>");
    };
    let required = object.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
    let field = |(name, schema): (&String, &Value)| {
        let mark = if is_required(name) { "" } else { "?" };
        format!("  {name}{mark}: {};\n", type_of(schema))
    };
    format!("{{\n{}}}", properties.iter().map(field).collect::<String>())
}
