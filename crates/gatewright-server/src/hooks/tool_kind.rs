//! Which kind of tool a call names: one that writes, runs, or neither.
//!
//! Tools are known by name; a tool of an unknown name whose input looks like a
//! write is taken for one, because hosts rename their tools. Tools of other MCP
//! servers are judged where name and input say that they write a local file;
//! what the others do is seen afterwards.

use serde_json::Value;

use super::call_place::CallPlace;
use super::event::Event;
use super::paths::Place;
use super::tool_call::{CONTENT, NEW, OLD};

/// The kinds of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Write,
    Edit,
    StrReplace,
    Notebook,
    Patch,
    Delete,
    Move,
    Shell,
    /// Types into a shell that runs already.
    Typed,
    /// Writes in a way that its input does not tell.
    Opaque,
    Neutral,
}

/// The fields that name a file.
pub const PATH: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "target_file",
    "targetFile",
    "absolute_path",
    "absolutePath",
    "relative_path",
    "relativePath",
    "pathInProject",
    "notebook_path",
    "notebookPath",
    "target_notebook",
    "targetNotebook",
    "filename",
    "fileName",
    "TargetFile",
    "AbsolutePath",
    "file",
    "uri",
];

/// The fields of a move.
const ROUTE: &[&str] = &["source", "from", "destination", "to"];

/// Fields of tools whose files are somewhere else.
pub const ELSEWHERE: &[&str] = &[
    "owner",
    "repo",
    "repository",
    "branch",
    "bucket",
    "url",
    "host",
    "container",
    "sandbox_id",
    "sandboxId",
    "project_id",
    "projectId",
    "page_id",
    "pageId",
];

/// Words in the names of tools that write.
const WRITES: &[&str] = &[
    "write", "edit", "create", "replace", "insert", "append", "save", "update", "put", "modify",
    "patch",
];

impl Kind {
    /// The kind of a call whose paths start at a place.
    pub fn of(event: &Event, call: &CallPlace) -> Self {
        let is_elsewhere = !call.is_named() && is_elsewhere(&event.input, &call.place);
        Self::told(event, is_elsewhere)
    }

    fn told(event: &Event, is_elsewhere: bool) -> Self {
        match Name::of(&event.tool) {
            Name::Ours => Self::Neutral,
            Name::Foreign(_) if is_elsewhere => Self::Neutral,
            Name::Foreign(tool) => foreign(tool, &event.input),
            // Some hosts put a server's name before its tools and nothing between.
            Name::Own(tool) => by_name(tool)
                .or_else(|| by_fields(&event.input))
                .unwrap_or_else(|| foreign(tool, &event.input)),
        }
    }
}

/// Whether a call might write, by its name and fields alone.
pub fn may_write(event: &Event) -> bool {
    Kind::told(event, false) != Kind::Neutral
}

/// Whether a call runs a command.
pub fn is_command(event: &Event) -> bool {
    matches!(Kind::told(event, false), Kind::Shell | Kind::Typed)
}

/// Whether the tool is one of another MCP server.
pub fn is_foreign(event: &Event) -> bool {
    matches!(Name::of(&event.tool), Name::Foreign(_))
}

/// Whether a call that ran may have changed files: everything that is not known to read.
pub fn may_have_written(event: &Event) -> bool {
    match Name::of(&event.tool) {
        Name::Ours => false,
        Name::Foreign(_) => true,
        Name::Own(tool) => by_name(tool) != Some(Kind::Neutral),
    }
}

/// Whose tool a name names.
enum Name<'a> {
    /// Of this server, whatever the host puts before it.
    Ours,
    /// Of another MCP server: the part after the server's name, as far as can be told.
    Foreign(&'a str),
    /// Of the host itself.
    Own(&'a str),
}

impl<'a> Name<'a> {
    fn of(tool: &'a str) -> Self {
        if is_ours(tool) {
            return Self::Ours;
        }
        let is_foreign =
            tool.starts_with("mcp_") || tool.contains("__") || tool.contains(['/', ':']);
        if !is_foreign {
            return Self::Own(tool);
        }
        let marks = ["__", "::", "/", ":"];
        let start = marks.iter().filter_map(|mark| Some(tool.rfind(mark)? + mark.len()));
        Self::Foreign(&tool[start.max().unwrap_or(0)..])
    }
}

/// Whether the name is that of a tool of ours behind the name of this server. A server that
/// calls itself so and has other tools is another one.
fn is_ours(tool: &str) -> bool {
    crate::mcp::TOOL_NAMES.iter().any(|own| {
        let server = tool.strip_suffix(own).filter(|server| !server.is_empty());
        server.is_some_and(|server| {
            let is_apart = server.ends_with(|c: char| !c.is_ascii_alphanumeric());
            let mut words = server.split(|c: char| !c.is_ascii_alphanumeric());
            is_apart && words.any(|word| word == "gatewright")
        })
    })
}

fn by_name(tool: &str) -> Option<Kind> {
    let plain: String =
        tool.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
    Some(match plain.as_str() {
        "write" | "writefile" | "createfile" | "create" | "writetofile" | "newfile"
        | "createnewfile" | "overwritefile" | "savefile" => Kind::Write,
        "edit"
        | "multiedit"
        | "replace"
        | "editfile"
        | "replacestringinfile"
        | "strreplace"
        | "multireplacestringinfile"
        | "replaceinfile"
        | "writecode"
        | "searchreplace" => Kind::Edit,
        "strreplaceeditor" | "strreplacebasededittool" => Kind::StrReplace,
        "notebookedit" | "editnotebook" | "editnotebookfile" => Kind::Notebook,
        "applypatch" | "applydiff" | "patch" => Kind::Patch,
        "delete" | "deletefile" | "removefile" => Kind::Delete,
        "move" | "movefile" | "rename" | "renamefile" => Kind::Move,
        "inserteditintofile" | "createandruntask" => Kind::Opaque,
        "bash" | "shell" | "runshellcommand" | "runinterminal" | "runterminalcommand"
        | "runterminalcmd" | "executecommand" | "runcommand" | "localshell" | "execcommand"
        | "terminal" | "powershell" | "shellcommand" | "executebash" => Kind::Shell,
        "writestdin" | "writebash" | "writepowershell" | "sendtoterminal" => Kind::Typed,
        "read" | "readfile" | "view" | "viewfile" | "grep" | "glob" | "ls" | "listdir"
        | "listdirectory" | "webfetch" | "websearch" | "task" | "todowrite" | "writetodos"
        | "memory" => Kind::Neutral,
        _ => return None,
    })
}

/// A tool of an unknown name, by the fields of its input.
fn by_fields(input: &Value) -> Option<Kind> {
    // A list of names is refused when it is read: it cannot be told which of them is meant.
    let is_name = |value: &Value| value.is_string() || value.is_array();
    if !PATH.iter().any(|key| input.get(*key).is_some_and(is_name)) {
        return None;
    }
    let has_edits = ["edits", "replacements"].iter().any(|key| input.get(*key).is_some());
    if has_edits || (has(input, OLD) && has(input, NEW)) {
        Some(Kind::Edit)
    } else if has(input, CONTENT) {
        Some(Kind::Write)
    } else {
        None
    }
}

/// Whether the input is of a file somewhere else. A path below the root is never that: an
/// agent may add fields that its tool does not know.
fn is_elsewhere(input: &Value, place: &Place) -> bool {
    let is_below =
        |path: &str| path.starts_with('/') && !place.requested(path).as_str().starts_with('/');
    let names = || PATH.iter().chain(ROUTE).filter_map(|key| input.get(*key)?.as_str());
    let is_address = |name: &str| name.contains("://") && !name.starts_with("file:");
    names().any(is_address)
        || (ELSEWHERE.iter().any(|key| input.get(*key).is_some()) && !names().any(is_below))
}

/// A tool of another MCP server. Many of them keep pages, notes or remote files.
fn foreign(tool: &str, input: &Value) -> Kind {
    if ["dryRun", "dry_run"].iter().any(|key| input.get(*key) == Some(&Value::Bool(true))) {
        return Kind::Neutral;
    }
    match suffixes(tool).find_map(by_name) {
        Some(Kind::Shell) if has(input, &["command", "cmd"]) => return Kind::Shell,
        Some(Kind::Delete) if tool.contains("file") && has(input, PATH) => return Kind::Delete,
        Some(Kind::Move) if tool.contains("file") && has(input, ROUTE) => {
            return Kind::Move;
        }
        Some(Kind::StrReplace) if has(input, PATH) => return Kind::StrReplace,
        Some(Kind::Patch) if tool.contains("apply") => return Kind::Patch,
        _ => {}
    }
    let tool = tool.to_ascii_lowercase();
    let writes = WRITES.iter().any(|word| tool.contains(word));
    by_fields(input).filter(|_| writes).unwrap_or(Kind::Neutral)
}

/// A name and what is left of it word by word: some hosts put the server's name before.
fn suffixes(tool: &str) -> impl Iterator<Item = &str> {
    std::iter::once(tool).chain(tool.match_indices('_').map(|(at, _)| &tool[at + 1..]))
}

fn has(input: &Value, keys: &[&str]) -> bool {
    keys.iter().any(|key| input.get(*key).is_some_and(Value::is_string))
}
