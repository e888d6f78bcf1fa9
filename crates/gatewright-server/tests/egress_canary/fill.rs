//! Arguments made from a schema, so that a new tool or route is walked without a word here.

use serde_json::{Map, Value, json};

/// What strings become.
#[derive(Clone, Copy)]
pub struct Filling<'a> {
    /// The document in which references are looked up.
    pub document: &'a Value,
    /// The text for a string of this name; `None` leaves an optional one out.
    pub text: &'a dyn Fn(&str) -> Option<String>,
    /// Whether members that need not be there are.
    pub optional: bool,
}

impl Filling<'_> {
    /// A value of `schema` for a member called `name`.
    pub fn value(&self, schema: &Value, name: &str, depth: usize) -> Value {
        let schema = self.resolved(schema);
        if let Some(constant) = schema.get("const") {
            return constant.clone();
        }
        if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
            return choices.first().cloned().unwrap_or_default();
        }
        for form in ["anyOf", "oneOf", "allOf"] {
            if let Some(forms) = schema.get(form).and_then(Value::as_array) {
                let first = forms.iter().find(|form| form["type"] != "null");
                return first.map(|form| self.value(form, name, depth)).unwrap_or_default();
            }
        }
        match kind_of(&schema) {
            "object" if depth < 6 => self.object(&schema, depth),
            "array" => json!([self.value(&schema["items"], name, depth + 1)]),
            "integer" | "number" => json!(1),
            "boolean" => json!(true),
            "null" => Value::Null,
            _ => json!((self.text)(name).unwrap_or_default()),
        }
    }

    fn object(&self, schema: &Value, depth: usize) -> Value {
        let mut object = Map::new();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            let is_needed = required.iter().any(|one| one == name.as_str());
            if is_needed || (self.optional && (self.text)(name).is_some()) {
                object.insert(name.clone(), self.value(member, name, depth + 1));
            }
        }
        Value::Object(object)
    }

    fn resolved(&self, schema: &Value) -> Value {
        match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let place = reference.trim_start_matches('#');
                self.document.pointer(place).cloned().unwrap_or_default()
            }
            None => schema.clone(),
        }
    }
}

fn kind_of(schema: &Value) -> &str {
    match &schema["type"] {
        Value::String(kind) => kind,
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or_default()
        }
        _ if schema.get("properties").is_some() => "object",
        _ => "",
    }
}
