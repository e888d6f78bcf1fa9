//! Merging entries into JSON with comments, and taking them out; all else stays as it is.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::Value;

use super::entry::{Entry, is_our_hook};

/// The text with the entries in it.
pub fn install(text: &str, entries: &[Entry]) -> Result<String, String> {
    entries.iter().try_fold(text.to_owned(), |text, entry| {
        let root = parse(&text)?;
        let top = root.object_value_or_create().ok_or("the top is not an object")?;
        let mut inline = Inline::default();
        let splice = put(&top, entry, &mut inline)?;
        let text = root.to_string();
        Ok(match splice {
            Some(splice) => splice.put_in(text),
            None => inline.put_in(text),
        })
    })
}

fn put(top: &CstObject, entry: &Entry, inline: &mut Inline) -> Result<Option<Splice>, String> {
    match entry {
        Entry::Default { name, .. } if top.get(name).is_some() => Ok(None),
        Entry::Default { name, value } => Ok(append(top, name, value)),
        Entry::Property { parents, name, value } => {
            Ok(set_property(&descend(top, parents)?, name, value, inline))
        }
        Entry::Hook { event, value } => set_hook(&descend(top, &["hooks"])?, event, value, inline),
    }
}

/// A property that goes into an object that is written on one line, and stays so.
struct Splice {
    at: usize,
    text: String,
}

impl Splice {
    fn put_in(self, mut text: String) -> String {
        text.insert_str(self.at, &self.text);
        text
    }
}

/// Puts a property at the end of an object, in the manner of the object.
fn append(object: &CstObject, name: &str, value: &CstInputValue) -> Option<Splice> {
    let is_one_line = !object.children().iter().any(CstNode::is_newline);
    let Some(last) = object.properties().pop().filter(|_| is_one_line) else {
        object.append(name, value.clone());
        return None;
    };
    let property = format!("{}: {}", Value::from(name), one_line(value));
    Some(match last.trailing_comma() {
        Some(comma) => Splice { at: end_of(&comma.into()), text: format!(" {property},") },
        None => Splice { at: end_of(&last.into()), text: format!(", {property}") },
    })
}

/// Where a node ends in the text, in bytes.
fn end_of(node: &CstNode) -> usize {
    start_of(node) + node.to_string().len()
}

fn start_of(node: &CstNode) -> usize {
    let Some(parent) = node.parent() else { return 0 };
    let before = parent.children().into_iter().take(node.child_index());
    let length: usize = before.map(|sibling| sibling.to_string().len()).sum();
    start_of(&parent.into()) + length
}

/// Values that go into a list, or take the place of a value, that is written on one line.
///
/// They stand as marks until the end, since the tree would break the line for them.
#[derive(Default)]
struct Inline {
    texts: Vec<String>,
}

impl Inline {
    /// The value as it goes in among these neighbours.
    fn fit(&mut self, value: &CstInputValue, neighbours: &[CstNode]) -> CstInputValue {
        let is_one_line = !neighbours.iter().any(CstNode::is_newline);
        if !is_one_line || neighbours.iter().all(|node| node.is_trivia() || node.is_token()) {
            return value.clone();
        }
        self.texts.push(one_line(value));
        CstInputValue::String(mark(self.texts.len()))
    }

    fn put_in(self, text: String) -> String {
        let numbered = self.texts.iter().enumerate();
        numbered.fold(text, |text, (index, value)| {
            text.replace(&format!("\"{}\"", mark(index + 1)), value)
        })
    }
}

fn mark(number: usize) -> String {
    format!("gatewright-goes-here-{number}")
}

fn one_line(value: &CstInputValue) -> String {
    match value {
        CstInputValue::Array(list) => {
            format!("[{}]", list.iter().map(one_line).collect::<Vec<_>>().join(", "))
        }
        CstInputValue::Object(fields) => {
            let field = |(name, value): &(String, CstInputValue)| {
                format!("{}: {}", Value::from(name.as_str()), one_line(value))
            };
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        scalar => to_value(scalar).to_string(),
    }
}

/// The text without the entries, and without the objects that held nothing else.
/// `None` when nothing is left but what a fresh file would hold.
pub fn remove(text: &str, entries: &[Entry]) -> Result<Option<String>, String> {
    if text.trim().is_empty() {
        return Ok(Some(text.to_owned()));
    }
    let root = parse(text)?;
    let Some(top) = root.object_value() else { return Ok(Some(text.to_owned())) };
    for entry in entries {
        match entry {
            Entry::Default { .. } => {}
            Entry::Property { parents, name, .. } => remove_property(&top, parents, name),
            Entry::Hook { event, .. } => remove_hook(&top, event),
        }
    }
    let is_fresh = top.properties().iter().all(|property| {
        entries.iter().any(|entry| is_default(entry, property.decoded_name().as_deref()))
    });
    let after = root.to_string();
    Ok(if is_fresh && after != text { None } else { Some(after) })
}

fn is_default(entry: &Entry, property: Option<&str>) -> bool {
    matches!(entry, Entry::Default { name, .. } if Some(*name) == property)
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    let source = if text.trim().is_empty() { "{}\n" } else { text };
    CstRootNode::parse(source, &ParseOptions::default()).map_err(|error| error.to_string())
}

fn descend(top: &CstObject, parents: &[&str]) -> Result<CstObject, String> {
    let mut object = top.clone();
    for name in parents {
        object = object
            .object_value_or_create(name)
            .ok_or_else(|| format!("{name} is not an object"))?;
    }
    Ok(object)
}

fn set_property(
    object: &CstObject,
    name: &str,
    value: &CstInputValue,
    inline: &mut Inline,
) -> Option<Splice> {
    let Some(property) = object.get(name) else { return append(object, name, value) };
    let found = property.value().and_then(|value| value.to_serde_value());
    if found.as_ref() != Some(&to_value(value)) {
        let inside = property.value().map(|value| value.children()).unwrap_or_default();
        property.set_value(inline.fit(value, &inside));
    }
    None
}

fn set_hook(
    hooks: &CstObject,
    event: &str,
    value: &CstInputValue,
    inline: &mut Inline,
) -> Result<Option<Splice>, String> {
    if hooks.get(event).is_none() {
        return Ok(append(hooks, event, &CstInputValue::Array(vec![value.clone()])));
    }
    let list = hooks.array_value(event).ok_or_else(|| format!("hooks.{event} is not a list"))?;
    let wanted = to_value(value);
    let mut is_there = false;
    for element in list.elements() {
        let found = element.to_serde_value().unwrap_or_default();
        match ownership(&found) {
            // A second one of ours, or an outdated one, goes; ours in a mixed group stays.
            Ownership::Ours if is_there || found != wanted => element.remove(),
            Ownership::Ours | Ownership::Shared => is_there = true,
            Ownership::Others => {}
        }
    }
    if !is_there {
        let fitting = inline.fit(value, &list.children());
        if matches!(fitting, CstInputValue::Object(_)) {
            list.ensure_multiline();
        }
        list.append(fitting);
    }
    Ok(None)
}

/// Whose a hook is.
enum Ownership {
    Ours,
    Shared,
    Others,
}

fn ownership(hook: &Value) -> Ownership {
    if is_our_handler(hook) {
        return Ownership::Ours;
    }
    let handlers = hook.get("hooks").and_then(Value::as_array);
    let ours = handlers.iter().flat_map(|list| list.iter()).filter(|one| is_our_handler(one));
    match (ours.count(), handlers.map_or(0, Vec::len)) {
        (0, _) => Ownership::Others,
        (ours, all) if ours == all => Ownership::Ours,
        _ => Ownership::Shared,
    }
}

fn is_our_handler(handler: &Value) -> bool {
    ["command", "bash"]
        .iter()
        .any(|key| handler.get(key).and_then(Value::as_str).is_some_and(is_our_hook))
}

fn remove_property(top: &CstObject, parents: &[&str], name: &str) {
    let mut chain = vec![top.clone()];
    for parent in parents {
        let Some(next) = chain.last().and_then(|object| object.object_value(parent)) else {
            return;
        };
        chain.push(next);
    }
    let Some(property) = chain.last().and_then(|object| object.get(name)) else { return };
    property.remove();
    for (object, parent) in chain.iter().zip(parents).rev() {
        if let Some(property) = object.get(parent)
            && property.object_value().is_some_and(|object| is_bare(&object))
        {
            property.remove();
        }
    }
}

/// An object that holds neither a property nor a comment.
fn is_bare(object: &CstObject) -> bool {
    object.properties().is_empty() && !object.children().iter().any(CstNode::is_comment)
}

fn remove_hook(top: &CstObject, event: &str) {
    let Some(hooks) = top.object_value("hooks") else { return };
    let Some(list) = hooks.array_value(event) else { return };
    let mut is_changed = false;
    for element in list.elements() {
        match ownership(&element.to_serde_value().unwrap_or_default()) {
            Ownership::Ours => {
                element.remove();
                is_changed = true;
            }
            Ownership::Shared => {
                remove_handlers(&element);
                is_changed = true;
            }
            Ownership::Others => {}
        }
    }
    let is_empty = list.elements().is_empty() && !list.children().iter().any(CstNode::is_comment);
    if is_changed
        && is_empty
        && let Some(property) = hooks.get(event)
    {
        property.remove();
        if is_bare(&hooks)
            && let Some(property) = top.get("hooks")
        {
            property.remove();
        }
    }
}

fn remove_handlers(group: &CstNode) {
    let list = group.as_object().and_then(|group| group.array_value("hooks"));
    for handler in list.iter().flat_map(CstArray::elements) {
        if is_our_handler(&handler.to_serde_value().unwrap_or_default()) {
            handler.remove();
        }
    }
}

fn to_value(input: &CstInputValue) -> Value {
    match input {
        CstInputValue::Null => Value::Null,
        CstInputValue::Bool(flag) => Value::Bool(*flag),
        CstInputValue::Number(text) => serde_json::from_str(text).unwrap_or_default(),
        CstInputValue::String(text) => Value::String(text.clone()),
        CstInputValue::Array(list) => list.iter().map(to_value).collect(),
        CstInputValue::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), to_value(value))).collect()
        }
    }
}
