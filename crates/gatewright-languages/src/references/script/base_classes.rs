//! The classes of Node's modules and of React, which those of a workspace build on.
//!
//! `tests/references/base_classes.py` writes the table: every member that any version has. What
//! begins with `_` is left to the versions, and what another file spells to whoever put it there.

use std::sync::{Arc, OnceLock};

use super::exports::WHOLE;
use super::facts::{Import, ScriptFile};

/// Modules that are a class themselves.
const WHOLES: [(&str, &str); 2] = [("events", "EventEmitter"), ("stream", "Stream")];

/// The classes of the table, called after their module and themselves.
pub(super) fn all() -> &'static Arc<ScriptFile> {
    static CLASSES: OnceLock<Arc<ScriptFile>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let mut file = ScriptFile::default();
        for line in include_str!("base_classes.txt").lines() {
            let mut words = line.split(' ');
            let Some(name) = words.next() else { continue };
            let number = file.class_named(name);
            file.classes[number].members.extend(words.map(Into::into));
        }
        Arc::new(file)
    })
}

/// The number of the class that a name of a module stands for.
pub(super) fn number(import: &Import) -> Option<usize> {
    let module = import.source.strip_prefix("node:").unwrap_or(&import.source);
    let class = match &*import.name {
        "default" | WHOLE => WHOLES.iter().find(|(whole, _)| *whole == module)?.1,
        name => name,
    };
    all().class_names.get(&*format!("{module}.{class}")).copied()
}

/// Whether a file is the table.
pub(super) fn is_table(file: &ScriptFile) -> bool {
    std::ptr::eq(file, &raw const **all())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_knows_what_classes_declare_and_inherit() {
        let members = |source: &str, name: &str| {
            let import = Import { source: source.into(), name: name.into() };
            &all().classes[number(&import).unwrap()].members
        };
        assert!(members("node:events", "default").contains("removeListener"));
        assert!(members("stream", "Transform").contains("unpipe"));
        let component = members("react", "Component");
        assert!(
            ["setState", "props", "componentDidMount"].iter().all(|it| component.contains(*it))
        );
        assert!(!component.contains("setStates"));
    }
}
