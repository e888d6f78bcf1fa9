//! The tools, one file each, in the order in which the wire lists them.
//!
//! A tool is a type with a typed input and a typed output. Its schemas come
//! from those types, so that what is listed is what is decoded. No tool
//! approves a change, changes the mode or reads the key.

mod change;
mod changes;
mod check;
mod diagnostics;
mod direct;
mod edit_code;
mod list_dir;
mod read_file;
mod references;
mod search;
mod staged_view;
mod symbols;
pub mod wait_for_review;
mod walk;

pub use direct::{ToolAnswer, call_tool};
pub use edit_code::steps_of as code_steps;

use std::sync::{Arc, LazyLock};

use gatewright_engine::{Base, Engine, EngineError, Operation, Request};
use gatewright_model::RequestedPath;
use rmcp::model::{Tool as Listed, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::{Answer, Sent};
use super::schema;
use super::session::Caller;

/// What a call has at hand.
#[derive(Clone)]
pub struct Call {
    /// The engine of the workspace.
    pub engine: Arc<Engine>,
    /// Who asks, and in which run.
    pub caller: Caller,
}

/// One tool.
trait Tool {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// Written for a model.
    const DESCRIPTION: &'static str;
    const EFFECT: Effect;
    type Input: DeserializeOwned + JsonSchema;
    type Output: Serialize + JsonSchema;

    fn run(call: &Call, input: Self::Input) -> Result<Answer<Self::Output>, EngineError>;
}

/// What a tool does to the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Nothing.
    Reads,
    /// Changes files; doing it again changes nothing more.
    Sets,
    /// Changes files, and again when it is done again.
    Changes,
}

/// A tool in the list.
pub struct Entry {
    /// As the wire lists it.
    pub listed: Listed,
    /// How it runs.
    pub run: Run,
}

impl Entry {
    /// The file that a call reads, where it reads one.
    pub fn path_read(&self, arguments: &Value) -> Option<RequestedPath> {
        let reads = matches!(&*self.listed.name, "read_file" | "symbols");
        let path = arguments.get("path").filter(|_| reads)?.as_str()?;
        Some(RequestedPath::new(path))
    }
}

/// Whether a call is over so soon that nothing is gained by another thread.
type IsShort = fn(&Call, &Value) -> bool;

/// How a tool runs.
#[derive(Clone, Copy)]
pub enum Run {
    /// On the blocking pool, in one go.
    AtOnce(fn(&Call, Value) -> Sent),
    /// The same, but one client's thread may do it itself where the call is so short.
    Short(fn(&Call, Value) -> Sent, IsShort),
    /// It waits for a person.
    Waiting,
}

static TOOLS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    vec![
        at_once::<read_file::ReadFile>(),
        at_once::<list_dir::ListDir>(),
        at_once::<search::Search>(),
        short_for::<symbols::Symbols>(symbols::is_short),
        at_once::<references::References>(),
        at_once::<diagnostics::Diagnostics>(),
        short::<change::EditFile>(),
        short_for::<edit_code::EditCode>(edit_code::is_short),
        short::<change::WriteFile>(),
        short::<change::DeleteFile>(),
        short::<change::MoveFile>(),
        at_once::<check::Check>(),
        at_once::<changes::Changes>(),
        Entry { listed: listed::<wait_for_review::WaitForReview>(), run: Run::Waiting },
    ]
});

/// The names in the order of the list, for those that ask for nothing else: the list itself
/// takes longer to make than a hook's whole answer.
pub const NAMES: &[&str] = &[
    "read_file",
    "list_dir",
    "search",
    "symbols",
    "references",
    "diagnostics",
    "edit_file",
    "edit_code",
    "write_file",
    "delete_file",
    "move_file",
    "check",
    "changes",
    "wait_for_review",
];

/// Every tool as the wire lists it.
pub fn list() -> Vec<Listed> {
    TOOLS.iter().map(|entry| entry.listed.clone()).collect()
}

/// The tool of that name.
pub fn find(name: &str) -> Option<&'static Entry> {
    TOOLS.iter().find(|entry| entry.listed.name == name)
}

fn at_once<T: Tool>() -> Entry {
    Entry { listed: listed::<T>(), run: Run::AtOnce(run::<T>) }
}

fn short<T: Tool>() -> Entry {
    short_for::<T>(|_, _| true)
}

fn short_for<T: Tool>(is_short: IsShort) -> Entry {
    Entry { listed: listed::<T>(), run: Run::Short(run::<T>, is_short) }
}

fn run<T: Tool>(call: &Call, arguments: Value) -> Sent {
    match decode::<T>(arguments) {
        Ok(input) => match T::run(call, input) {
            Ok(answer) => answer.send(),
            Err(error) => Sent::failure(&error),
        },
        Err(sent) => sent,
    }
}

fn decode<T: Tool>(arguments: Value) -> Result<T::Input, Sent> {
    serde_json::from_value(arguments)
        .map_err(|error| Sent::bad_arguments(T::NAME, &error.to_string()))
}

fn listed<T: Tool>() -> Listed {
    let annotations = ToolAnnotations::new()
        .read_only(T::EFFECT == Effect::Reads)
        .destructive(T::EFFECT != Effect::Reads)
        .idempotent(T::EFFECT != Effect::Changes)
        .open_world(false);
    Listed::new(T::NAME, T::DESCRIPTION, schema::of_input::<T::Input>())
        .with_title(T::TITLE)
        .with_raw_output_schema(schema::of_output::<T::Output>())
        .with_annotations(annotations)
}

/// A staged change of the caller's run, as `changes` shows it; `None` where there is none.
pub fn wire_change_of(
    engine: &Engine,
    caller: &Caller,
    id: &str,
) -> Result<Option<Value>, EngineError> {
    let review = match crate::review_state::ReviewState::of(engine, id) {
        Ok(review) if review.change.run_id == caller.run_id => review,
        Ok(_) | Err(EngineError::NoSuchChange { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let change = changes::wire_change(&review.change, &review.state, true);
    Ok(serde_json::to_value(&change).ok())
}

impl Call {
    /// The request for these operations, by this caller.
    fn request(&self, operations: Vec<Operation>) -> Request {
        Request {
            agent: self.caller.agent.clone(),
            run_id: self.caller.run_id.clone(),
            autonomy: None,
            operations,
        }
    }
}

/// `expect` as it is sent: a digest, `absent`, or nothing.
fn base_of(expect: Option<&str>) -> Result<Base, EngineError> {
    match expect {
        None => Ok(Base::Current),
        Some("absent") => Ok(Base::Absent),
        Some(digest) => digest.parse().map(Base::Digest).map_err(|_| EngineError::Json {
            message: "expect takes the digest that read_file gave, or \"absent\"".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_fixed_and_no_tool_approves() {
        let names: Vec<String> = list().iter().map(|tool| tool.name.to_string()).collect();
        assert_eq!(names, NAMES);
    }

    #[test]
    fn every_tool_says_all_that_a_client_asks() {
        for tool in list() {
            let annotations = tool.annotations.expect("annotations");
            assert!(annotations.read_only_hint.is_some());
            assert!(annotations.destructive_hint.is_some());
            assert!(annotations.idempotent_hint.is_some());
            assert_eq!(annotations.open_world_hint, Some(false));
            assert!(tool.title.is_some() && tool.description.is_some());
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
            assert_eq!(tool.output_schema.expect("a schema")["type"], "object", "{}", tool.name);
        }
    }

    #[test]
    fn the_whole_list_costs_at_most_twelve_kilobytes() {
        let bytes = serde_json::to_string(&list()).unwrap().len();
        assert!(bytes <= 12_000, "{bytes} bytes");
    }
}
