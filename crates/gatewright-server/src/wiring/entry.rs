//! What is put into a file, in one form for all hosts.

use jsonc_parser::cst::CstInputValue;

/// One thing that a JSON file is to hold.
#[derive(Debug, Clone)]
pub enum Entry {
    /// A property that is set only when the object has none of that name, and stays.
    Default {
        /// Its name, at the top.
        name: &'static str,
        /// Its value.
        value: CstInputValue,
    },
    /// A property of ours, with everything in it.
    Property {
        /// The objects that lead to it.
        parents: &'static [&'static str],
        /// Its name.
        name: &'static str,
        /// Its value.
        value: CstInputValue,
    },
    /// A hook of ours among the hooks of others.
    Hook {
        /// The event, below `hooks`.
        event: &'static str,
        /// The group or the handler.
        value: CstInputValue,
    },
}

/// Whether a command line runs our hook, under whatever path it was installed.
pub fn is_our_hook(command: &str) -> bool {
    let Some(program) = command.trim_end().strip_suffix(" hook") else { return false };
    let program = program.trim_end().trim_end_matches(['\'', '"']);
    program.rsplit('/').next() == Some("gatewright")
}

/// A word as a POSIX shell reads it back.
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_hook_is_known_by_its_program_and_word() {
        for command in ["gatewright hook", "/opt/a b/gatewright hook", "'/o p/gatewright' hook"] {
            assert!(is_our_hook(command), "{command}");
        }
        for command in ["gatewright mcp", "other hook", "echo gatewright-like hook", "hook"] {
            assert!(!is_our_hook(command), "{command}");
        }
    }

    #[test]
    fn words_are_quoted_when_a_shell_would_split_them() {
        assert_eq!(shell_word("/usr/bin/gatewright"), "/usr/bin/gatewright");
        assert_eq!(shell_word("/a b/it's"), r"'/a b/it'\''s'");
    }
}
