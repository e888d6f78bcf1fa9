//! Ways around the hook, one after another, and the ordinary calls that must stay quiet.

use std::time::Duration;

use gatewright_engine::{Choice, Engine, Part, UnitDecision};
use gatewright_model::Mode;
use gatewright_server::hooks::{HookAnswer, HookExit, Options, run};
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::engine;

/// A workspace with something to lose.
fn workspace() -> Scratch {
    let scratch = Scratch::new();
    for (path, text) in [
        ("notes.txt", "one\ntwo\n"),
        ("src/lib.rs", "pub fn one() -> u32 {\n    1\n}\n"),
        ("sub/a.txt", "a\n"),
        ("package.json", "{}\n"),
        (".github/workflows/ci.yml", "on: push\n"),
        (".git/config", "[core]\n"),
        (".git/hooks/pre-commit", "#!/bin/sh\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".gitignore", "target/\n*.log\n"),
        ("n.ipynb", "{\"cells\": [], \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": 5}\n"),
        ("evil.patch", "--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-[core]\n+[x]\n"),
    ] {
        scratch.write(path, text);
    }
    scratch.link(scratch.outside(), "door");
    scratch.link(".git", "plain");
    scratch
}

fn options(scratch: &Scratch) -> Options {
    Options { wait: Some(Duration::ZERO), home: Some(scratch.home()), ..Options::default() }
}

fn claude(scratch: &Scratch, tool: &str, input: Value) -> Value {
    json!({
        "session_id": "s1", "transcript_path": "/t", "cwd": scratch.root(),
        "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": tool,
        "tool_input": input,
    })
}

fn bash(scratch: &Scratch, command: &str) -> Value {
    claude(scratch, "Bash", json!({ "command": command }))
}

/// What an answer says, in one word for every host.
fn word(answer: &HookAnswer) -> &'static str {
    let value: Value = serde_json::from_str(&answer.stdout).unwrap_or_default();
    let said = ["/hookSpecificOutput/permissionDecision", "/permissionDecision", "/permission"]
        .iter()
        .chain(&["/decision"])
        .find_map(|pointer| value.pointer(pointer)?.as_str().map(str::to_owned));
    match said.as_deref() {
        _ if answer.exit == HookExit::Blocked || value["cancel"] == json!(true) => "deny",
        Some("deny") => "deny",
        Some("ask") => "ask",
        Some("allow") => "allow",
        _ => "quiet",
    }
}

fn answered(engine: &Engine, scratch: &Scratch, event: &Value) -> HookAnswer {
    run(engine, event.to_string().as_bytes(), &options(scratch))
}

/// Every one of these must be refused; what is not is listed.
fn all_refused(events: Vec<Value>, scratch: &Scratch) {
    let engine = engine(scratch, Mode::Autonomous);
    let (before, outside) = (scratch.tree(), scratch.outside_tree());
    let mut passed = Vec::new();
    for event in events {
        let answer = answered(&engine, scratch, &event);
        if !matches!(word(&answer), "deny" | "ask") {
            passed.push(format!("{event}\n  -> {}{}", answer.stdout, answer.stderr));
        }
    }
    assert!(passed.is_empty(), "{} passed:\n{}", passed.len(), passed.join("\n"));
    assert_eq!((scratch.tree(), scratch.outside_tree()), (before, outside));
}

#[test]
fn no_spelling_of_a_path_leads_a_file_tool_out_or_into_git() {
    let scratch = workspace();
    let root = scratch.root().display().to_string();
    let paths = [
        "../x".to_owned(),
        "sub/../../x".to_owned(),
        "/etc/x".to_owned(),
        " /etc/x".to_owned(),
        format!("{root}/../x"),
        format!("{root}-evil/x"),
        "door/x".to_owned(),
        format!("{root}/door/x"),
        "file:///etc/x".to_owned(),
        format!("file://{root}/%2e%2e/x"),
        "file://localhost/etc/x".to_owned(),
        "~/.bashrc".to_owned(),
        "~root/.bashrc".to_owned(),
        "$HOME/.bashrc".to_owned(),
        "${HOME}/.bashrc".to_owned(),
        "C:\\Users\\x".to_owned(),
        "\\\\server\\share\\x".to_owned(),
        "..\\..\\x".to_owned(),
        "vscode-remote://host/etc/x".to_owned(),
        ".git/config".to_owned(),
        ".GIT/config".to_owned(),
        ".git./config".to_owned(),
        ".git /config".to_owned(),
        ".git\\config".to_owned(),
        ".g\u{200c}it/config".to_owned(),
        ".git::$INDEX_ALLOCATION/config".to_owned(),
        "git~1/config".to_owned(),
        "plain/config".to_owned(),
        "sub/.git/config".to_owned(),
        "./.git/config".to_owned(),
        "a\u{0}b".to_owned(),
        "src/\u{202e}txt.sh".to_owned(),
        ".claude/settings.json".to_owned(),
        ".CLAUDE/settings.json".to_owned(),
        ".mcp.json".to_owned(),
    ];
    let events = paths.iter().flat_map(|path| {
        [
            claude(&scratch, "Write", json!({"file_path": path, "content": "x\n"})),
            json!({"toolName": "create", "toolArgs": json!({"path": path, "file_text": "x\n"}).to_string(),
                   "sessionId": "s", "timestamp": 1, "cwd": root}),
        ]
    });
    all_refused(events.collect(), &scratch);
}

#[test]
fn no_form_of_an_input_hides_the_file() {
    let scratch = workspace();
    let root = scratch.root().display().to_string();
    let write = |input: Value| claude(&scratch, "Write", input);
    let mut elsewhere = write(json!({"file_path": "x.txt", "content": "x"}));
    elsewhere["cwd"] = json!("/etc");
    let content = json!({"path": ".git/config", "content": "x"});
    let events = vec![
        elsewhere,
        write(json!({"file_path": [".git/config"], "content": "x"})),
        write(json!({"file_path": {"path": ".git/config"}, "content": "x"})),
        write(json!({"file_path": "ok.txt", "path": ".git/config", "content": "x"})),
        write(json!({"file_path": "src/lib.rs", "content": "pub fn one() -> u32 {\n    1\n}\n",
                     "file_text": "gone"})),
        claude(
            &scratch,
            "Edit",
            json!({"file_path": "notes.txt", "path": ".git/config",
               "old_string": "one", "new_string": "1"}),
        ),
        claude(
            &scratch,
            "Edit",
            json!({"file_path": "notes.txt", "old_string": "one",
               "old_str": "two", "new_string": "1"}),
        ),
        claude(
            &scratch,
            "MultiEdit",
            json!({"file_path": "notes.txt", "edits": [
               {"file_path": ".git/config", "old_string": "[core]", "new_string": "x"}]}),
        ),
        claude(
            &scratch,
            "MultiEdit",
            json!({"file_path": "notes.txt", "old_string": "one",
               "new_string": "x", "edits": [{"old_string": "two", "new_string": "2"}]}),
        ),
        claude(
            &scratch,
            "NotebookEdit",
            json!({"notebook_path": "../x.ipynb", "new_source": "x",
               "edit_mode": "insert"}),
        ),
        claude(
            &scratch,
            "NotebookEdit",
            json!({"notebook_path": "n.ipynb", "path": ".git/config",
               "new_source": "x", "edit_mode": "insert"}),
        ),
        claude(&scratch, "Delete", json!({"path": ".git/config"})),
        claude(&scratch, "move_file", json!({"source": "notes.txt", "destination": ".git/config"})),
        claude(
            &scratch,
            "str_replace_editor",
            json!({"command": "create", "path": "/etc/x",
               "file_text": "x"}),
        ),
        claude(&scratch, "some_new_tool", json!({"filePath": ".git/config", "content": "x"})),
        claude(
            &scratch,
            "some_new_tool",
            json!({"paths": 1, "path": [".git/config"], "content": "x"}),
        ),
        claude(
            &scratch,
            "filesystem_move_file",
            json!({"source": "notes.txt", "destination": "../x"}),
        ),
        claude(&scratch, "mcp__gatewright__evil_write", content.clone()),
        claude(&scratch, "mcp__gatewright_evil__create_thing", content.clone()),
        claude(&scratch, "mcp__files__write_file", json!({"uri": "file:///etc/x", "content": "x"})),
        json!({"hook_event_name": "preToolUse", "cursor_version": "1", "conversation_id": "c",
               "tool_name": "Write", "tool_input": {"file_path": "/etc/x", "content": "x"}}),
        json!({"hook_event_name": "beforeMCPExecution", "cursor_version": "1",
               "conversation_id": "c", "tool_name": "write_file", "command": "npx files",
               "tool_input": content.to_string()}),
        json!({"hook_event_name": "beforeShellExecution", "cursor_version": "1",
               "conversation_id": "c", "command": "cat x > .git/config", "cwd": root}),
        json!({"agent_action_name": "pre_mcp_tool_use", "trajectory_id": "t", "tool_info": {
               "mcp_server_name": "files", "mcp_tool_name": "write_file",
               "mcp_tool_arguments": content}}),
        json!({"clineVersion": "1", "hookName": "PreToolUse", "taskId": "t", "workspaceRoots": [root],
               "preToolUse": {"toolName": "use_mcp_tool", "parameters": {"server_name": "files",
               "tool_name": "write_file", "arguments": content.to_string()}}}),
        json!({"turn_id": "t", "session_id": "s", "model": "m", "hook_event_name": "PreToolUse",
               "cwd": root, "tool_name": "apply_patch", "tool_input": {"command":
               "*** Begin Patch\n*** Update File: notes.txt\n*** Move to: .git/hooks/x\n@@\n one\n*** End Patch\n"}}),
        json!({"turn_id": "t", "session_id": "s", "model": "m", "hook_event_name": "PreToolUse",
               "cwd": root, "tool_name": "write_stdin", "tool_input": {"session_id": 1,
               "chars": "cat x > .git/config\n"}}),
        json!({"turn_id": "t", "session_id": "s", "model": "m", "hook_event_name": "PreToolUse",
               "cwd": root, "tool_name": "Bash", "tool_input": {"command":
               ["bash", "-lc", "cat x > .git/config"]}}),
        json!({"host": "opencode", "event": "tool.execute.before", "sessionID": "s", "callID": "c",
               "cwd": root, "tool": "write", "args": {"filePath": "~/.bashrc", "content": "x"}}),
        json!({"sessionId": "s", "timestamp": 1, "cwd": root, "toolName": "write_bash",
               "toolArgs": {"input": "rm -rf .git\n"}}),
        json!({"hook_event_name": "BeforeTool", "session_id": "s", "timestamp": "t", "cwd": root,
               "tool_name": "mcp_files_write_file", "tool_input": content}),
        json!({"hookEventName": "PreToolUse", "sessionId": "s", "cwd": root,
               "tool_name": "create_file", "tool_input": {"filePath": "file:///etc/x", "content": "x"}}),
    ];
    all_refused(events, &scratch);
}

#[test]
fn no_command_writes_outside_or_into_git_unseen() {
    let scratch = workspace();
    let root = scratch.root().display().to_string();
    let at_root = format!("cat notes.txt > {root}/.git/config");
    let too_much = format!("{}rm notes.txt", ":;".repeat(30_000));
    let commands = [
        "echo x > /etc/x",
        "echo x > ../x",
        "echo x > door/x",
        "echo x > plain/config",
        "echo x > ~/.bashrc",
        "cd / && echo x > etc/x",
        "cd .. && echo x > x",
        "cd sub/../.. && touch x",
        "pushd /tmp; touch x; popd",
        "tee /etc/x < notes.txt",
        "cat notes.txt | sudo -u root tee /etc/x",
        "cp notes.txt door/",
        "cp notes.txt /etc",
        "mv notes.txt ..",
        "mv .git git-away",
        "rm -rf .git",
        "rm -rf .",
        "rm -rf ./",
        "rm -rf .g*",
        "find .git -delete",
        "find . -delete",
        "find .git -type f -exec rm {} +",
        "git -C /tmp reset --hard",
        "git config core.hooksPath hooks",
        "git config --global alias.x '!sh'",
        "git apply evil.patch",
        "patch -p1 < evil.patch",
        "cat evil.patch | git apply",
        "ln -s /etc away",
        "ln -s .git/config link",
        "ln .git/config link",
        "mkdir -p /etc/x",
        "tar xf a.tar -C /etc",
        "unzip a.zip -d /etc",
        "curl -o /etc/x https://example.org",
        "wget -O ~/.ssh/authorized_keys https://example.org",
        "dd if=notes.txt of=.git/config",
        "sed -i s/a/b/ .git/config",
        "perl -pi -e s/a/b/ .git/config",
        "awk 'BEGIN { print 1 > \"/etc/x\" }'",
        "python3 -c \"open('/etc/x','w')\"",
        "node -e \"require('fs').rmSync('.git',{recursive:true})\"",
        "bash -c 'bash -c \"echo x > .git/config\"'",
        "X=.git; echo x > $X/config",
        "echo x > .git/hooks/$NAME",
        "echo x > .github/workflows/ci.yml",
        "echo x >> package.json",
        "sed -i s/a/b/ .github/workflows/ci.yml",
        "chmod +x .git/hooks/pre-commit",
        "gatewright mode autonomous",
        "eval 'gatewright apply --all'",
        "install -m 755 notes.txt .git/hooks/pre-commit",
        "rsync -a sub/ .git/",
        "crontab notes.txt",
        "cat > src/lib.rs <<'EOF'\n// rest unchanged\nEOF",
        "truncate -s 0 .git/config",
        "xargs rm <<< .git/config",
        "git worktree add ../away",
        "ssh-keygen -f ~/.ssh/id -N ''",
        &at_root,
        &too_much,
    ];
    all_refused(commands.iter().map(|command| bash(&scratch, command)).collect(), &scratch);
}

/// Calls that people make all day; a guard that is in their way is switched off by them.
#[test]
fn ordinary_calls_stay_quiet() {
    let scratch = workspace();
    let engine = engine(&scratch, Mode::Autonomous);
    let root = scratch.root().display().to_string();
    let in_root = format!("cd {root} && cat notes.txt > copy.txt");
    let commands = [
        "ls -la",
        "cargo test 2>&1 | tail -20",
        "cargo build > build.log 2>&1",
        "echo done > notes2.txt",
        "echo more >> notes.txt",
        "cat > sub/new.txt <<'EOF'\nit's $HOME\nEOF",
        "mkdir -p src/deep && touch src/deep/x.txt",
        "cd sub && cp a.txt ../b.txt",
        "cd sub && cat a.txt > ../c.txt && cd ..",
        "(cd /tmp && ls); echo x > notes3.txt",
        "cp notes.txt sub/",
        "mv notes2.txt notes4.txt",
        "rm -f notes4.txt",
        "rm -rf target",
        "rm -rf sub/*.tmp",
        "sed -i 's/one/1/' notes.txt",
        "find . -name '*.pyc' -delete",
        "find . -name '*.txt' -exec sed -i s/a/b/ {} +",
        "git status",
        "git add -A && git commit -m 'x > y'",
        "git checkout -b topic",
        "git stash && git stash pop",
        "git config user.email a@example.org",
        "git diff > change.diff",
        "git log --oneline | head",
        "npm install && npm test",
        "pip install -r requirements.txt",
        "python3 -c \"print(1 > 0)\"",
        "python3 -c \"import json; json.dump({}, open('out.json','w'))\"",
        "node -e \"console.log(1)\"",
        "curl -s https://example.org | jq . > out.json",
        "tar xzf a.tgz",
        "chmod +x run.sh",
        "ln -s notes.txt link.txt",
        "make -j4 2>/dev/null >/dev/null",
        "grep -rn 'a > b' src",
        "awk '$1 > 3 { print }' notes.txt",
        "[[ 1 < 2 ]] && echo yes",
        "for f in sub/*.txt; do wc -l \"$f\"; done",
        "diff <(sort notes.txt) <(sort sub/a.txt)",
        "export PATH=$PATH:/opt/bin && which cargo",
        "sort -o notes.txt notes.txt",
        "go test ./... -run TestX -count=1",
        "cp src/lib.rs src/other.rs",
        "timeout 5s ls",
        "echo '#!/bin/sh' > run.sh",
        "tee out.txt < notes.txt",
        "docker run --rm -v /etc:/etc alpine ls",
        "gatewright changes",
        "gatewright symbols src/lib.rs",
        "cat notes.txt >&2",
        "echo \"$(date)\" > stamp.txt",
        &in_root,
    ];
    let mut events: Vec<Value> = commands.iter().map(|command| bash(&scratch, command)).collect();
    let own = |tool: &str, input: Value| claude(&scratch, tool, input);
    events.extend([
        own("Read", json!({"file_path": "/etc/hosts"})),
        own("Grep", json!({"pattern": "x", "path": "/"})),
        own("TodoWrite", json!({"todos": [{"content": "x", "status": "pending"}]})),
        own("WebFetch", json!({"url": "https://example.org", "prompt": "x"})),
        own("Write", json!({"file_path": format!("{root}/new.md"), "content": "# x\n"})),
        own("Write", json!({"file_path": format!("file://{root}/uri.md"), "content": "# x\n"})),
        own("Edit", json!({"file_path": "notes.txt", "old_string": "two", "new_string": "2"})),
        own("mcp__notes__create", json!({"title": "t", "content": "x"})),
        own("mcp__wiki__update_page", json!({"uri": "https://wiki/x", "content": "x"})),
        own("mcp__gatewright__write_file", json!({"path": "x.md", "content": "x"})),
        own("gatewright_write_file", json!({"path": "x.md", "content": "x"})),
        own("memory", json!({"command": "create", "path": "/memories/x", "file_text": "x"})),
        own("BashOutput", json!({"bash_id": "1"})),
        json!({"turn_id": "t", "session_id": "s", "model": "m", "hook_event_name": "PreToolUse",
               "cwd": root, "tool_name": "write_stdin", "tool_input": {"session_id": 1, "chars": ""}}),
    ]);
    let mut refused = Vec::new();
    for event in &events {
        let answer = answered(&engine, &scratch, event);
        if matches!(word(&answer), "deny" | "ask") {
            refused.push(format!("{event}\n  -> {}{}", answer.stdout, answer.stderr));
        }
    }
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}

/// Where changes are reviewed first, a command that writes is no way around the review.
#[test]
fn in_hybrid_mode_a_command_that_writes_is_staged_or_asked() {
    let scratch = workspace();
    scratch.write("same.txt", "one\ntwo\n");
    scratch.write("target/x", "other\n");
    let engine = engine(&scratch, Mode::Hybrid);
    let said = |command: &str| answered(&engine, &scratch, &bash(&scratch, command));
    for command in [
        "sed -i s/one/1/ notes.txt",
        "cp notes.txt sub/a.txt copies/",
        "rm notes.txt",
        "git checkout main",
        "cat notes.txt > \"$X\"",
        "echo x > a.txt; make",
        // What a part of a command leaves in a file, or whether it runs at all, is not sure.
        "false && cp notes.txt target/x; cp target/x notes.txt",
        "cp $(false && cp notes.txt target/x; echo target/x) notes.txt",
        "bash -c 'false && cp notes.txt target/x; cat target/x > notes.txt'",
        "python3 make.py && cp same.txt notes.txt",
        "bash -c 'python3 make.py; cat same.txt > notes.txt'",
        "cp $(python3 make.py; echo same.txt) notes.txt",
    ] {
        assert_eq!(word(&said(command)), "ask", "{command}");
    }
    for command in [
        "rm -rf target",
        "make > build.log",
        "ls",
        "cat notes.txt > target/x",
        "mkdir -p sub/deep",
        "cargo test 2>&1 | tee test.log",
    ] {
        assert_eq!(word(&said(command)), "quiet", "{command}");
    }
    assert!(engine.open_changes().unwrap().is_empty());
    let staged = said("cp sub/a.txt copy.txt");
    assert!(staged.stdout.contains("staged, not applied"), "{}", staged.stdout);
    let id = engine.open_changes().unwrap().remove(0).id;
    engine.reject_staged(&id, "person", None).unwrap();
    let staged = said("cat > notes.txt <<'EOF'\none\nthree\nEOF");
    assert_eq!(word(&staged), "deny", "{}", staged.stdout);
    assert!(staged.stdout.contains("staged, not applied"), "{}", staged.stdout);
    let id = engine.open_changes().unwrap().remove(0).id;
    let accept = UnitDecision { choice: Choice::Accept, lines: None, comment: None };
    engine.decide(&id, &Part::All, Some(accept)).unwrap();
    engine.apply_staged(&id, "person", false).unwrap();
    assert_eq!(scratch.read_text("notes.txt"), "one\nthree\n");
}

/// A text is judged like an edit, whichever way it comes into the file.
#[test]
fn no_command_carries_a_structural_edit_past_the_gate() {
    let scratch = workspace();
    scratch.write("new.rs", "pub fn two() -> u32 {\n    2\n}\n");
    let commands = [
        "cp new.rs src/lib.rs",
        "mv new.rs src/lib.rs",
        "cd src && cp -f ../new.rs ./lib.rs",
        "install -m 644 new.rs src/lib.rs",
        "cat new.rs > src/lib.rs",
        "cat new.rs | tee src/lib.rs",
        "echo '// x' > t.rs; mv t.rs src/lib.rs",
        "cp new.rs lib.rs && cp lib.rs src/",
        "printf 'cp new.rs src/lib.rs' > t.sh; sh t.sh",
    ];
    all_refused(commands.iter().map(|command| bash(&scratch, command)).collect(), &scratch);
}

#[test]
fn a_command_that_writes_a_known_text_leaves_the_receipt_of_that_text() {
    let scratch = workspace();
    let engine = engine(&scratch, Mode::Autonomous);
    let event = bash(&scratch, "mkdir -p d && echo more >> notes.txt");
    assert_eq!(word(&answered(&engine, &scratch, &event)), "quiet");
    let newest = engine.ledger().get(engine.ledger().len().unwrap() - 1).unwrap().unwrap();
    let after = newest.body.files[0].after_hash.unwrap();
    assert_eq!(after, gatewright_model::Digest::of(b"one\ntwo\nmore\n"));
}

/// The fields of each host's answer to a call, by its published schema.
#[test]
fn every_answer_holds_only_fields_that_its_host_accepts() {
    let accepted = [
        (
            "claude-code",
            &[
                "hookSpecificOutput",
                "hookEventName",
                "permissionDecision",
                "permissionDecisionReason",
                "updatedInput",
                "additionalContext",
                "updatedToolOutput",
            ][..],
        ),
        (
            "codex",
            &[
                "hookSpecificOutput",
                "hookEventName",
                "permissionDecision",
                "permissionDecisionReason",
                "updatedInput",
                "decision",
                "reason",
            ],
        ),
        (
            "gemini",
            &["decision", "reason", "hookSpecificOutput", "tool_input", "additionalContext"],
        ),
        (
            "copilot",
            &[
                "permissionDecision",
                "permissionDecisionReason",
                "modifiedArgs",
                "modifiedResult",
                "resultType",
                "textResultForLlm",
            ],
        ),
        (
            "vscode",
            &[
                "hookSpecificOutput",
                "hookEventName",
                "permissionDecision",
                "permissionDecisionReason",
                "updatedInput",
            ],
        ),
        (
            "cursor",
            &[
                "permission",
                "user_message",
                "agent_message",
                "updated_input",
                "updated_mcp_tool_output",
            ],
        ),
        ("cline", &["cancel", "contextModification", "errorMessage"]),
        ("windsurf", &[]),
    ];
    for (host, fields) in accepted {
        for mode in [Mode::Autonomous, Mode::Hybrid, Mode::Manual] {
            for event in crate::hooks::events_of(host) {
                let scratch = Scratch::new();
                scratch.write("notes.txt", "one\ntwo\nthree\n");
                scratch.write(".env", "TOKEN=canary-5f1c9a7e3b2d4860-value\n");
                let engine = engine(&scratch, mode);
                let event = event.replace("@ROOT@", &scratch.root().display().to_string());
                let answer = run(&engine, event.as_bytes(), &options(&scratch));
                let value: Value = serde_json::from_str(&answer.stdout).unwrap_or_default();
                let mut keys = Vec::new();
                collect(&value, &mut keys);
                let strange = keys.iter().find(|key| !fields.contains(&key.as_str()));
                assert_eq!(strange, None, "{host}: {event}\n{}", answer.stdout);
            }
        }
    }
}

/// The names of an answer's own fields: what a tool was given or gave back is the tool's.
fn collect(value: &Value, keys: &mut Vec<String>) {
    const OF_TOOLS: &[&str] = &[
        "updatedInput",
        "tool_input",
        "modifiedArgs",
        "updated_input",
        "updatedToolOutput",
        "updated_mcp_tool_output",
    ];
    for (key, inner) in value.as_object().into_iter().flatten() {
        keys.push(key.clone());
        if !OF_TOOLS.contains(&key.as_str()) {
            collect(inner, keys);
        }
    }
}
