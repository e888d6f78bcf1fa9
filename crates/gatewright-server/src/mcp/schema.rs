//! JSON Schemas of the tools, made from the types and kept small.
//!
//! Every byte of the tool list is paid for in each conversation, so titles,
//! number formats and null alternatives go. Results lose `required`, because a
//! refusal has the same schema and fills other fields.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The schema of what a tool takes.
pub fn of_input<T: JsonSchema>() -> Arc<JsonObject> {
    Arc::new(generate::<T>(&[]))
}

/// The schema of what a tool answers.
pub fn of_output<T: JsonSchema>() -> Arc<JsonObject> {
    Arc::new(generate::<T>(&["required", "description"]))
}

fn generate<T: JsonSchema>(also_dropped: &[&str]) -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(object) = value.as_object_mut() {
        object.remove("description");
    }
    compact(&mut value, also_dropped);
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// Drops what costs bytes and says nothing. Names of properties are left alone.
fn compact(schema: &mut Value, also_dropped: &[&str]) {
    let Some(object) = schema.as_object_mut() else { return };
    for key in ["title", "format", "default", "minimum", "$schema"].iter().chain(also_dropped) {
        object.remove(*key);
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type") != Some(&Value::from("null")));
        if let [Value::Object(only)] = choices.as_mut_slice() {
            let only = std::mem::take(only);
            object.remove("anyOf");
            object.extend(only);
        }
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(|property| compact(property, also_dropped));
    }
    if let Some(items) = object.get_mut("items") {
        compact(items, also_dropped);
    }
}
