//! Where the names live that a warning names.

use crate::tree::Tree;

/// What is missing in a new file, as `name: suggestions; places`.
fn told(project: &str, path: &str, text: &str) -> Vec<String> {
    let facts = Tree::new(project).write(path, text);
    let row = |found: &gatewright_model::MissingReference| {
        let places: Vec<String> = found
            .places
            .iter()
            .map(|place| format!("{} {}:{}", place.name, place.path, place.line))
            .collect();
        format!("{}: {}; {}", found.name, found.suggestions.join(" "), places.join(" "))
    };
    facts.missing.iter().map(row).collect()
}

const SHOP: &str = "\
--- shop/__init__.py
--- shop/desk.py
import os

def open_desk():
    pass

class Till:
    def count_coins(self):
        pass
--- shop/other.py
def close():
    pass
--- shop/more.py
def close():
    pass
";

#[test]
fn a_near_name_is_told_with_its_file_and_line() {
    let text = "from shop.desk import open_dsk, Till\n\ntill = Till()\ntill.count_coin()\n";
    assert_eq!(
        told(SHOP, "app.py", text),
        [
            "open_dsk: open_desk; open_desk shop/desk.py:3",
            "count_coin: count_coins; count_coins shop/desk.py:7"
        ]
    );
}

#[test]
fn a_name_that_lacks_its_import_is_told_where_it_is() {
    assert_eq!(told(SHOP, "app.py", "open_desk()\n"), ["open_desk: ; open_desk shop/desk.py:3"]);
    let wrong = "from shop.other import open_desk\n";
    assert_eq!(told(SHOP, "app.py", wrong), ["open_desk: ; open_desk shop/desk.py:3"]);
}

#[test]
fn of_several_definitions_no_place_is_told() {
    assert_eq!(told(SHOP, "app.py", "close()\n"), ["close: ; "]);
}

#[test]
fn a_definition_of_the_same_change_has_a_place_and_a_removed_one_has_none() {
    let tree = Tree::new(SHOP);
    let app = ("app.py", None, Some("from shop.desk import shut_dsk\n"));
    let desk = ("shop/desk.py", None, Some("\n\ndef shut_desk():\n    pass\n"));
    let facts = tree.change(&[app, desk]).remove(0);
    assert_eq!(facts.missing[0].places[0].line, 3);
    let gone = ("shop/desk.py", None, None);
    let facts = tree.change(&[("app.py", None, Some("open_desk()\n")), gone]).remove(0);
    assert!(facts.missing[0].places.is_empty(), "{facts:?}");
}

#[test]
fn a_name_that_is_missing_itself_is_not_suggested() {
    let text = "from shop.desk import open_dask\nopen_dusk()\n";
    let told = told(SHOP, "app.py", text);
    assert_eq!(told[1], "open_dusk: ; ");
}

#[test]
fn what_a_module_has_is_suggested_though_the_file_calls_it_without_an_import() {
    let told = told(SHOP, "app.py", "from shop.desk import open_dsk\nopen_desk()\n");
    assert_eq!(told[0], "open_dsk: open_desk; open_desk shop/desk.py:3");
}

#[test]
fn names_of_the_language_are_suggested() {
    assert_eq!(told("--- a.py\n", "app.py", "pritn(3)\n"), ["pritn: print; "]);
    assert_eq!(told("--- a.ts\n", "app.ts", "parseInr(3);\n"), ["parseInr: parseInt; "]);
    let go = "package a\n\nfunc f() { pannic(3) }\n";
    assert_eq!(
        told("--- go.mod\nmodule x\n--- a.go\npackage a\n", "b.go", go),
        ["pannic: panic; "]
    );
}

#[test]
fn other_languages_tell_places_too() {
    let rust = "--- Cargo.toml\n[package]\nname = \"x\"\n--- src/lib.rs\npub mod a;\nmod b;\n--- src/a.rs\npub fn measure() {}\n";
    let told_rust = told(rust, "src/b.rs", "use crate::a::mesure;\n");
    assert_eq!(told_rust, ["mesure: measure; measure src/a.rs:1"]);
    let script = "--- src/a.ts\nexport class Wheel {}\n\nexport const turn = () => 3;\n";
    let told_script = told(script, "src/b.ts", "import { turnn } from './a';\nnew Wheel();\n");
    assert_eq!(told_script, ["turnn: turn; turn src/a.ts:3", "Wheel: ; Wheel src/a.ts:1"]);
}
