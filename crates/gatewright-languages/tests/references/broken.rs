//! References that a change breaks in files that it leaves alone.

use crate::tree::Tree;

/// What a change to one file breaks, as `path:line name`.
fn broken(project: &str, path: &str, after: Option<&str>) -> Vec<String> {
    let tree = Tree::new(project);
    let start = format!("--- {path}\n");
    let before = project.split_once(&start).unwrap().1;
    let before = before.split("--- ").next().unwrap();
    let facts = tree.change(&[(path, Some(before), after)]).remove(0);
    facts
        .missing
        .iter()
        .filter(|found| found.kind == "broken")
        .map(|found| format!("{}:{} {}", found.path, found.line, found.name))
        .collect()
}

const PYTHON: &str = "\
--- shop/__init__.py
--- shop/desk.py
def open_desk():
    pass

def close_desk():
    pass

class Desk:
    def sell(self):
        pass
--- shop/app.py
from shop.desk import open_desk, close_desk
import shop.desk

open_desk()
shop.desk.close_desk()
--- shop/other.py
def close_desk():
    pass

close_desk()
--- shop/sub.py
from shop.desk import Desk

class Big(Desk):
    def run(self):
        self.sell()
";

#[test]
fn python_imports_and_attributes_of_a_removed_function_are_broken() {
    let after = "def open_desk():\n    pass\n\nclass Desk:\n    def sell(self):\n        pass\n";
    assert_eq!(
        broken(PYTHON, "shop/desk.py", Some(after)),
        ["shop/app.py:1 close_desk", "shop/app.py:5 close_desk"]
    );
}

#[test]
fn a_name_of_one_letter_is_missed_like_any_other() {
    let project = "--- a.py\ndef f():\n    pass\n\ndef g():\n    pass\n--- b.py\n\
        from a import f\n\nf()\n--- c.py\nwith open('x') as f:\n    f.read()\n";
    assert_eq!(broken(project, "a.py", Some("def g():\n    pass\n")), ["b.py:1 f"]);
}

#[test]
fn a_python_method_that_is_renamed_breaks_its_subclasses() {
    let after = "def open_desk():\n    pass\n\ndef close_desk():\n    pass\n\nclass Desk:\n    \
        def sell_one(self):\n        pass\n";
    assert_eq!(broken(PYTHON, "shop/desk.py", Some(after)), ["shop/sub.py:5 sell"]);
}

#[test]
fn a_python_module_that_is_removed_breaks_its_imports() {
    let found = broken(PYTHON, "shop/desk.py", None);
    assert!(found.iter().any(|place| place.starts_with("shop/app.py:1 ")), "{found:?}");
    assert!(found.iter().any(|place| place.starts_with("shop/sub.py:1 ")), "{found:?}");
    assert!(!found.iter().any(|place| place.starts_with("shop/other.py")), "{found:?}");
}

#[test]
fn what_another_place_still_gives_is_not_broken() {
    let after = "from shop.other import close_desk\n\ndef open_desk():\n    pass\n\n\
        class Desk:\n    def sell(self):\n        pass\n";
    assert_eq!(broken(PYTHON, "shop/desk.py", Some(after)), Vec::<String>::new());
}

#[test]
fn a_change_of_bodies_alone_breaks_nothing() {
    let after = "def open_desk():\n    return 1\n\ndef close_desk():\n    return 2\n\n\
        class Desk:\n    def sell(self):\n        return 3\n";
    assert_eq!(broken(PYTHON, "shop/desk.py", Some(after)), Vec::<String>::new());
}

#[test]
fn a_definition_that_moves_with_its_imports_breaks_nothing() {
    let tree = Tree::new("--- a.py\ndef f():\n    pass\n--- b.py\nfrom a import f\nf()\n");
    let facts = tree.change(&[
        ("a.py", Some("def f():\n    pass\n"), None),
        ("c.py", None, Some("def f():\n    pass\n")),
        ("b.py", Some("from a import f\nf()\n"), Some("from c import f\nf()\n")),
    ]);
    assert!(facts.iter().all(|facts| facts.missing.is_empty()), "{facts:?}");
}

#[test]
fn typescript_imports_of_a_renamed_export_are_broken() {
    let project = "\
--- src/desk.ts
export function openDesk() {}
export const size = 1;
--- src/app.ts
import { openDesk, size } from './desk';
openDesk();
--- src/other.ts
function openDesk() {}
openDesk();
";
    let after = "export function unlockDesk() {}\nexport const size = 1;\n";
    assert_eq!(broken(project, "src/desk.ts", Some(after)), ["src/app.ts:1 openDesk"]);
}

#[test]
fn go_calls_of_a_removed_function_are_broken() {
    let project = "\
--- go.mod
module example.com/shop
--- desk/desk.go
package desk

func Open() {}

func Close() {}
--- main.go
package main

import \"example.com/shop/desk\"

func main() {
\tdesk.Open()
\tdesk.Close()
}
";
    let after = "package desk\n\nfunc Open() {}\n";
    assert_eq!(broken(project, "desk/desk.go", Some(after)), ["main.go:7 Close"]);
}

#[test]
fn a_c_function_that_no_file_declares_any_more_is_broken_everywhere() {
    let project = "\
--- desk.h
void desk_open(void);
void desk_close(void);
--- a.c
#include \"desk.h\"
int a(void) { desk_close(); return 0; }
--- b.c
#include \"desk.h\"
int b(void) { desk_open(); desk_close(); return 0; }
";
    let after = "void desk_open(void);\n";
    assert_eq!(broken(project, "desk.h", Some(after)), ["a.c:2 desk_close", "b.c:2 desk_close"]);
}

#[test]
fn a_c_function_that_still_has_a_definition_is_not_broken() {
    let project = "\
--- desk.h
void desk_close(void);
--- desk.c
#include \"desk.h\"
void desk_close(void) {}
--- a.c
#include \"desk.h\"
int a(void) { desk_close(); return 0; }
";
    assert_eq!(broken(project, "desk.h", Some("\n")), Vec::<String>::new());
}

#[test]
fn ruby_uses_of_a_removed_class_are_broken() {
    let project = "\
--- lib/shop.rb
require 'shop/desk'
--- lib/shop/desk.rb
module Shop
  class Desk
  end
  class Table
  end
end
--- lib/shop/app.rb
module Shop
  class App < Desk
  end
end
";
    let after = "module Shop\n  class Table\n  end\nend\n";
    assert_eq!(broken(project, "lib/shop/desk.rb", Some(after)), ["lib/shop/app.rb:2 Desk"]);
}
