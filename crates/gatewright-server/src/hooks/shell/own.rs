//! Commands of ours: some are for people, and some start a program.

use super::effects::Effect;
use super::programs;
use super::run::Shell;
use super::word::Value;

/// Follows a command of ours.
pub fn follow(shell: &mut Shell, words: &[Value], input: Option<&str>) {
    shell.out.extend(for_people(words));
    let command = hosted(words).to_vec();
    if !command.is_empty() {
        programs::follow(shell, &command, input);
    }
}

/// The sub-command, when it is for people.
fn for_people(arguments: &[Value]) -> Option<Effect> {
    const FOR_PEOPLE: &[&str] = &["mode", "apply", "review", "rollback"];
    let mut words = arguments.iter().map(|word| word.text.as_str());
    let found = loop {
        match words.next()? {
            "--root" => drop(words.next()),
            option if option.starts_with('-') => {}
            name => break name,
        }
    };
    FOR_PEOPLE.contains(&found).then(|| Effect::PersonOnly(format!("gatewright {found}")))
}

/// The words of the program that a command of ours runs.
fn hosted(arguments: &[Value]) -> &[Value] {
    const HOSTS: &[&str] = &["keep-server", "proxy"];
    let Some(at) = arguments.iter().position(|word| HOSTS.contains(&&*word.text)) else {
        return &[];
    };
    let rest = &arguments[at + 1..];
    let behind = rest.iter().position(|word| word.text == "--").map_or(0, |end| end + 1);
    &rest[behind..]
}
