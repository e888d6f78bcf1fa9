//! Wiring agents: what is merged into their files, and that taking it out restores them.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "tests build real trees"
)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use gatewright_server::wiring::{
    AgentName, Direction, FileChange, Machine, Parts, Plan, Scope, WiringError, apply, plan,
};
use gatewright_testkit::{Case, Random, Scratch, Tree, cases, check_cases, seed};

/// A machine in a scratch home, with a binary of ours on its path.
struct Desk {
    machine: Machine,
    root: PathBuf,
    state: PathBuf,
    binary: PathBuf,
    scope: Scope,
    parts: Parts,
}

impl Desk {
    fn new(scratch: &Scratch) -> Self {
        let folder = scratch.home().join("bin");
        let binary = folder.join("gatewright");
        executable(&binary);
        let machine = Machine {
            home: scratch.home(),
            codex_home: None,
            config_home: None,
            search_path: folder.display().to_string(),
        };
        let (root, state) = (scratch.root(), scratch.state());
        let parts = Parts { hooks: true, mcp: true };
        Self { machine, root, state, binary, scope: Scope::Project, parts }
    }

    fn with<T>(&self, direction: Direction, work: impl Fn(&Plan<'_>) -> T) -> T {
        work(&Plan {
            machine: &self.machine,
            root: &self.root,
            state: &self.state,
            binary: &self.binary,
            scope: self.scope,
            parts: self.parts,
            direction,
        })
    }

    fn plan(
        &self,
        agents: &[AgentName],
        direction: Direction,
    ) -> Result<Vec<FileChange>, WiringError> {
        self.with(direction, |wish| plan(agents, wish))
    }

    fn run(&self, agents: &[AgentName], direction: Direction) -> Result<usize, WiringError> {
        let changes = self.plan(agents, direction)?;
        self.with(direction, |wish| apply(&changes, wish))?;
        Ok(changes.len())
    }
}

fn executable(path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn every_file_keeps_what_others_put_there() {
    let area = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/wiring");
    check_cases(area, merged);
}

/// Installs, looks for idempotence, takes it out twice over, and leaves it installed.
fn merged(case: &Case, scratch: &Scratch) -> String {
    let mut desk = Desk::new(scratch);
    let change = case.change_text();
    let words: Vec<&str> = change.split_whitespace().collect();
    if words.contains(&"hooks") != words.contains(&"mcp") {
        desk.parts = Parts { hooks: words.contains(&"hooks"), mcp: words.contains(&"mcp") };
    }
    let agents: Vec<AgentName> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let before = scratch.tree();
    if let Err(error) = desk.run(&agents, Direction::Install) {
        assert!(scratch.tree() == before, "a failure changed a file");
        return error.to_string().replace(&*scratch.root().to_string_lossy(), "[ROOT]");
    }
    let installed = scratch.tree();
    let again = desk.run(&agents, Direction::Install).unwrap();
    let state = std::mem::replace(&mut desk.state, scratch.base().join("no-records"));
    desk.run(&agents, Direction::Uninstall).unwrap();
    let without_record = compared(&before, &scratch.tree());
    desk.state = state;
    restore_tree(&installed, &scratch.root());
    desk.run(&agents, Direction::Uninstall).unwrap();
    let with_record = compared(&before, &scratch.tree());
    restore_tree(&installed, &scratch.root());
    format!(
        "changes of a second run: {again}\ntaken out: {with_record}\n\
         taken out without a record: {without_record}\n"
    )
}

fn restore_tree(tree: &Tree, root: &Path) {
    for (path, entry) in &tree.entries {
        if let gatewright_testkit::EntryKind::File(bytes) = &entry.kind {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, bytes).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(entry.mode)).unwrap();
        }
    }
}

fn compared(before: &Tree, after: &Tree) -> String {
    if before == after {
        return "every byte as before".to_owned();
    }
    let files = |tree: &Tree| tree.clone().without_empty_directories().to_string();
    format!("differs\n--- before\n{}\n--- after\n{}", files(before), files(after))
}

#[test]
fn planning_writes_nothing() {
    let scratch = Scratch::new();
    let desk = Desk::new(&scratch);
    scratch.write(".claude/settings.json", "{}\n");
    let before = Tree::read(scratch.base());
    let changes = desk.plan(&AgentName::ALL, Direction::Install).unwrap();
    assert!(changes.len() >= 12, "{}", changes.len());
    assert!(changes.iter().all(|change| change.diff().contains("+++ b/")), "{changes:?}");
    assert_eq!(Tree::read(scratch.base()), before);
}

#[test]
fn the_users_own_files_are_wired_and_restored_for_every_agent() {
    let scratch = Scratch::new();
    let mut desk = Desk::new(&scratch);
    desk.scope = Scope::User;
    let home = scratch.home();
    std::fs::write(home.join(".claude.json"), "{\"numStartups\": 3}").unwrap();
    std::fs::set_permissions(home.join(".claude.json"), std::fs::Permissions::from_mode(0o600))
        .unwrap();
    let before = Tree::read(&home);
    for agent in AgentName::ALL {
        assert!(desk.run(&[agent], Direction::Install).unwrap() >= 1, "{agent}");
        assert_eq!(desk.run(&[agent], Direction::Install).unwrap(), 0, "{agent}");
    }
    let text = std::fs::read_to_string(home.join(".claude.json")).unwrap();
    assert!(text.contains("\"numStartups\": 3"), "{text}");
    assert!(text.contains(&desk.binary.display().to_string()), "{text}");
    let mode = std::fs::metadata(home.join(".claude.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    desk.run(&AgentName::ALL, Direction::Uninstall).unwrap();
    assert_eq!(Tree::read(&home), before);
    assert!(scratch.tree().entries.is_empty(), "{}", scratch.tree());
}

#[test]
fn what_others_changed_since_stays_when_ours_goes() {
    let scratch = Scratch::new();
    let desk = Desk::new(&scratch);
    scratch.write(".mcp.json", "{\n  \"mcpServers\": {}\n}\n");
    desk.run(&[AgentName::ClaudeCode], Direction::Install).unwrap();
    let text = scratch.read_text(".mcp.json");
    let theirs =
        text.replace("\"mcpServers\": {", "\"mcpServers\": {\n    \"x\": {\"url\": \"u\"},");
    scratch.write(".mcp.json", &theirs);
    desk.run(&[AgentName::ClaudeCode], Direction::Uninstall).unwrap();
    let left: serde_json::Value = serde_json::from_str(&scratch.read_text(".mcp.json")).unwrap();
    assert_eq!(left, serde_json::json!({ "mcpServers": { "x": { "url": "u" } } }));
}

#[test]
fn taking_out_one_part_leaves_the_other() {
    let scratch = Scratch::new();
    let mut desk = Desk::new(&scratch);
    scratch.write(".gemini/settings.json", "{ }\n");
    let before = scratch.tree();
    desk.run(&[AgentName::Gemini], Direction::Install).unwrap();
    desk.parts = Parts { hooks: false, mcp: true };
    desk.run(&[AgentName::Gemini], Direction::Uninstall).unwrap();
    let text = scratch.read_text(".gemini/settings.json");
    assert!(text.contains("BeforeTool") && !text.contains("mcpServers"), "{text}");
    desk.parts = Parts { hooks: true, mcp: true };
    desk.run(&[AgentName::Gemini], Direction::Uninstall).unwrap();
    assert_eq!(scratch.tree(), before);
}

#[test]
fn a_linked_file_stays_a_link() {
    let scratch = Scratch::new();
    let desk = Desk::new(&scratch);
    scratch.write("dotfiles/mcp.json", "{}\n");
    scratch.link("dotfiles/mcp.json", ".mcp.json");
    desk.run(&[AgentName::ClaudeCode], Direction::Install).unwrap();
    assert!(scratch.path(".mcp.json").is_symlink());
    assert!(scratch.read_text("dotfiles/mcp.json").contains("gatewright"));
}

#[test]
fn agents_are_found_by_program_and_by_directory() {
    let scratch = Scratch::new();
    let desk = Desk::new(&scratch);
    assert_eq!(desk.machine.agents(), []);
    executable(&scratch.home().join("bin/codex"));
    std::fs::create_dir_all(scratch.home().join(".cursor")).unwrap();
    assert_eq!(desk.machine.agents(), [AgentName::Codex, AgentName::Cursor]);
}

#[test]
fn a_binary_that_is_not_on_the_path_is_named_in_full() {
    let scratch = Scratch::new();
    let mut desk = Desk::new(&scratch);
    desk.machine.search_path = String::new();
    desk.run(&[AgentName::ClaudeCode], Direction::Install).unwrap();
    let text = scratch.read_text(".claude/settings.json");
    assert!(text.contains(&format!("{} hook", desk.binary.display())), "{text}");
    assert_eq!(desk.run(&[AgentName::ClaudeCode], Direction::Install).unwrap(), 0);
}

/// A JSON value in a random layout: line ends, blanks, comments, trailing commas.
fn layout(random: &mut Random, depth: usize, is_object: bool) -> String {
    const GAPS: &[&str] = &["", " ", "\n", "\n\t", " /* c */ ", " // l\n", "\r\n  "];
    let mut gap = || GAPS[random.below(GAPS.len())].to_owned();
    let gaps: Vec<String> = (0..16).map(|_| gap()).collect();
    let mut gap = gaps.iter().cycle().cloned();
    let mut next = || gap.next().unwrap();
    if depth == 0 || (!is_object && random.below(3) == 0) {
        return ["1.50", "\"a\\u00e9\"", "true", "null", "[]", "{}"][random.below(6)].to_owned();
    }
    let count = random.below(4);
    let mut parts = Vec::new();
    for index in 0..count {
        let names = ["hooks", "mcpServers", "other", "PreToolUse"];
        let name = format!("{}{index}", names[random.below(names.len())]);
        let value = layout(random, depth - 1, false);
        parts.push(format!("{}\"{name}\"{}:{}{value}{}", next(), next(), next(), next()));
    }
    let comma = if count > 0 && random.below(3) == 0 { "," } else { "" };
    format!("{{{}{comma}{}}}", parts.join(","), next())
}

#[test]
fn any_layout_keeps_its_values_and_is_restored() {
    let seed = seed();
    let mut random = Random::new(seed);
    for case in 0..cases(40) {
        let scratch = Scratch::new();
        let mut desk = Desk::new(&scratch);
        let text = layout(&mut random, 3, true);
        scratch.write(".mcp.json", &text);
        scratch.write(".claude/settings.json", &text);
        let before = scratch.tree();
        let agents = [AgentName::ClaudeCode];
        desk.run(&agents, Direction::Install).unwrap();
        let installed = scratch.tree();
        for file in [".mcp.json", ".claude/settings.json"] {
            let after = scratch.read_text(file);
            let (mut left, was) = (parsed(&after), parsed(&text));
            let map = left.as_object_mut().unwrap();
            map.remove("hooks");
            map.remove("mcpServers");
            assert_eq!(left, was, "seed {seed} case {case}\n{text}\n---\n{after}");
            let comments =
                |text: &str| text.matches("/* c */").count() + text.matches("// l").count();
            assert_eq!(
                comments(&after),
                comments(&text),
                "seed {seed} case {case}\n{text}\n{after}"
            );
        }
        assert_eq!(desk.run(&agents, Direction::Install).unwrap(), 0, "seed {seed} case {case}");
        desk.run(&agents, Direction::Uninstall).unwrap();
        assert_eq!(scratch.tree(), before, "seed {seed} case {case}");
        restore_tree(&installed, &scratch.root());
        desk.state = scratch.base().join("no-records");
        desk.run(&agents, Direction::Uninstall).unwrap();
        if scratch.has(".mcp.json") {
            let left = scratch.read_text(".mcp.json");
            assert_eq!(parsed(&left), parsed(&text), "seed {seed} case {case}\n{text}\n{left}");
        }
    }
}

fn parsed(text: &str) -> serde_json::Value {
    let options = jsonc_parser::ParseOptions::default();
    let root = jsonc_parser::cst::CstRootNode::parse(text, &options);
    root.unwrap_or_else(|error| panic!("{error}\n{text}")).to_serde_value().unwrap()
}
