//! A real editor: Neovim's own client against `gatewright lsp`.

use std::process::Command;

use gatewright_testkit::{Scratch, has_program, skip};
use serde_json::Value;

use crate::agent::{binary, gatewright};

/// Opens a file, waits for diagnostics, takes the first code action on the first of them,
/// and says what it saw.
const SCRIPT: &str = r#"
local function review()
  local binary, root, file = vim.env.GATEWRIGHT, vim.env.PROJECT, vim.env.PROJECT .. "/app.py"
  vim.cmd("edit " .. file)
  local id = vim.lsp.start_client({ name = "gatewright", cmd = { binary, "lsp", "--stdio" }, root_dir = root, cmd_cwd = root })
  vim.lsp.buf_attach_client(0, id)
  vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 50)
  local told = vim.diagnostic.get(0)
  local client = vim.lsp.get_client_by_id(id)
  local params = vim.lsp.util.make_range_params()
  local first = told[1]
  params.range = { start = { line = first.lnum, character = first.col }, ["end"] = { line = first.end_lnum, character = first.end_col } }
  params.context = { diagnostics = {} }
  local answer = client.request_sync("textDocument/codeAction", params, 20000, 0)
  local action = answer.result[1]
  if action.edit then
    vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
  else
    client.request_sync("workspace/executeCommand", action.command, 20000, 0)
  end
  vim.wait(20000, function() return #vim.diagnostic.get(0) < #told end, 50)
  local out = { messages = {}, title = action.title, left = #vim.diagnostic.get(0), text = vim.api.nvim_buf_get_lines(0, 0, -1, false) }
  for _, each in ipairs(told) do table.insert(out.messages, each.message) end
  io.stdout:write(vim.fn.json_encode(out) .. "\n")
end
local is_well, problem = pcall(review)
if not is_well then io.stdout:write(vim.fn.json_encode({ problem = problem }) .. "\n") end
vim.cmd("qall!")
"#;

fn neovim(scratch: &Scratch) -> Value {
    let script = scratch.home().join("script.lua");
    std::fs::write(&script, SCRIPT).expect("the script is written");
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-n", "-c"])
        .arg(format!("luafile {}", script.display()))
        .env("HOME", scratch.home())
        .env("XDG_STATE_HOME", scratch.home().join(".local/state"))
        .env("XDG_CONFIG_HOME", scratch.home().join(".config"))
        .env("GATEWRIGHT", binary())
        .env("PROJECT", scratch.root())
        .current_dir(scratch.root())
        .output()
        .expect("Neovim runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find(|line| line.starts_with('{'));
    let line = line.unwrap_or_else(|| panic!("no answer: {text}\n{error}"));
    let said: Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(said["problem"], Value::Null, "{said}\n{error}");
    said
}

#[test]
fn neovim_shows_a_missing_name_and_mends_it() {
    if !has_program("nvim") {
        skip!("Neovim is not installed; run `cargo xtask setup`");
    }
    let scratch = Scratch::new();
    scratch.write("shop.py", "def total(items):\n    return sum(items)\n");
    scratch.write("app.py", "from shop import totl\n");
    let said = neovim(&scratch);
    assert!(said["messages"][0].as_str().is_some_and(|text| text.contains("`totl`")), "{said}");
    assert_eq!(said["title"], "Use `total`", "{said}");
    assert_eq!(said["text"][0], "from shop import total", "{said}");
    assert_eq!(said["left"], 0, "{said}");
}

#[test]
fn neovim_writes_a_hunk_that_an_agent_proposed() {
    if !has_program("nvim") {
        skip!("Neovim is not installed; run `cargo xtask setup`");
    }
    let scratch = Scratch::new();
    scratch.write("app.py", "greeting = 'hello'\n");
    let patch =
        "--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-greeting = 'hello'\n+greeting = 'good day'\n";
    scratch.write("change.patch", patch);
    let run = gatewright(&scratch, &["propose", "change.patch"]);
    assert_eq!(run.code, Some(0), "{run}");
    let said = neovim(&scratch);
    assert!(
        said["messages"][0].as_str().is_some_and(|text| text.contains("proposes here")),
        "{said}"
    );
    assert_eq!(scratch.read_text("app.py"), "greeting = 'good day'\n", "{said}");
    assert_eq!(said["left"], 0, "{said}");
}
