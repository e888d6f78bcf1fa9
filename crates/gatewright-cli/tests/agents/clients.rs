//! Real MCP clients against the real server: the Inspector, the Python SDK, fastmcp.

use std::process::Command;

use gatewright_testkit::{Binary, Scratch, skip};
use serde_json::Value;

use crate::agent::{binary, gatewright, in_cache, path};

const PYTHON: &str = r#"
import asyncio, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    server = StdioServerParameters(command=sys.argv[1], args=["--root", sys.argv[2], "mcp"], env={"HOME": sys.argv[3]})
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = await session.list_tools()
            edit = {"path": "notes.txt", "old_string": "one", "new_string": "two"}
            edited = await session.call_tool("edit_file", edit)
            refused = await session.call_tool("write_file", {"path": "../x", "content": "x"})
            print(json.dumps({"tools": [t.name for t in tools.tools],
                              "edited": edited.model_dump(mode="json", by_alias=True),
                              "refused": refused.model_dump(mode="json", by_alias=True)}))

asyncio.run(main())
"#;

const FASTMCP: &str = r#"
import asyncio, json, sys
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

async def main():
    transport = StdioTransport(command=sys.argv[1], args=["--root", sys.argv[2], "mcp"], env={"HOME": sys.argv[3]})
    async with Client(transport) as client:
        tools = await client.list_tools()
        edited = await client.call_tool("edit_file", {"path": "notes.txt", "old_string": "one", "new_string": "two"})
        print(json.dumps({"tools": [t.name for t in tools], "edited": edited.structured_content}))

asyncio.run(main())
"#;

fn workspace() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "one\n");
    let run = gatewright(&scratch, &["mode", "autonomous"]);
    assert_eq!(run.code, Some(0), "{run}");
    scratch
}

fn python(script: &str, scratch: &Scratch) -> Option<Value> {
    let python = in_cache("python-clients-", "bin/python")?;
    let mut command = Command::new(python);
    command.args(["-c", script, binary()]).arg(scratch.root()).arg(scratch.home());
    let output = command.output().expect("Python runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().last().unwrap_or_else(|| panic!("no answer: {error}"));
    Some(serde_json::from_str(line).unwrap_or_else(|_| panic!("{text}\n{error}")))
}

#[test]
fn the_python_sdk_edits_and_reads_a_refusal() {
    let scratch = workspace();
    let Some(said) = python(PYTHON, &scratch) else {
        skip!("the Python clients are not installed; run `cargo xtask setup`");
    };
    assert!(said["tools"].as_array().is_some_and(|tools| tools.len() >= 12), "{said}");
    assert_eq!(said["edited"]["structuredContent"]["outcome"], "applied", "{said}");
    assert_eq!(said["refused"]["isError"], true, "{said}");
    assert_eq!(said["refused"]["structuredContent"]["recoverable"], true, "{said}");
    assert_eq!(scratch.read_text("notes.txt"), "two\n");
}

#[test]
fn fastmcp_edits() {
    let scratch = workspace();
    let Some(said) = python(FASTMCP, &scratch) else {
        skip!("the Python clients are not installed; run `cargo xtask setup`");
    };
    assert_eq!(said["edited"]["outcome"], "applied", "{said}");
    assert_eq!(scratch.read_text("notes.txt"), "two\n");
}

#[test]
fn the_inspector_finds_nothing_to_object_to_in_the_tools() {
    let program = "node_modules/.bin/mcp-inspector";
    let Some(inspector) = in_cache("modelcontextprotocol-inspector-", program) else {
        skip!("the Inspector is not installed; run `cargo xtask setup`");
    };
    let scratch = workspace();
    let root = scratch.root().display().to_string();
    let mut command = Binary::new(inspector).command(&scratch);
    command.env("PATH", path()).args(["--cli", binary(), "--root", &root, "mcp"]);
    command.args(["--method", "tools/list", "--strict"]);
    let output = command.output().expect("the Inspector runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("\"edit_code\""), "{text}");
}
