//! What only a person may do is refused to an agent's shell.

use crate::gate::Gate;

#[test]
fn an_agents_shell_can_propose_and_cannot_approve() {
    let gate = Gate::new();
    let mark = ("CLAUDECODE", "1");
    gate.write("a.txt", "x\n");
    let id = gate.staged();
    for args in [
        &["apply", id.as_str(), "--all"][..],
        &["review"],
        &["mode", "autonomous"],
        &["mode", "--suggest-only", "false"],
        &["rollback"],
    ] {
        let run = gate.run_in(args, mark);
        assert_ne!(run.code, Some(0), "{args:?}: {run}");
        if args != ["rollback"] {
            assert!(run.stderr.contains("for a person"), "{run}");
        }
    }
    assert!(!gate.scratch.has("a.txt"));
    assert_eq!(gate.run_in(&["mode"], mark).stdout, gate.run(&["mode"]).stdout);
    assert_eq!(gate.run_in(&["changes"], mark).code, Some(0));
}
