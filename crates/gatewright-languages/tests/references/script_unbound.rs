//! JavaScript: `this` where nothing says what it is, and what packages bring that are not there.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- package.json
{\"name\": \"shop\", \"dependencies\": {\"absent\": \"1\", \"lamps\": \"1\"}}
--- src/base.js
module.exports = { inherited() {}, started() {} };
--- src/generated/api/till.ts
export const till = 1;
--- src/types.d.ts
import { till } from './generated/api/till';
export type Till = typeof till;
--- node_modules/lamps/package.json
{\"name\": \"lamps\", \"types\": \"index.d.ts\"}
--- node_modules/lamps/index.d.ts
export * from './gone';
export interface Bulb { on(): void }
declare const made: { new (): Bulb };
export class Lamp extends made {}
";

/// What is missing in a file that had `old`.
fn change(path: &str, old: &str, new: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).change(&[(path, Some(old), Some(new))])[0])
}

#[test]
fn members_of_this_that_only_their_use_spells_are_weighed() {
    let old = "\
function Till() { this.size = 1; }
Till.prototype.open = function () { this.size; this.shut(); this.inherited(); this.started(); };
Till.prototype.shut = function () {};
module.exports = Till;
";
    let with = |line: &str| old.replace("this.shut();", line);
    assert_eq!(change("src/a.js", old, &with("this.shuts();")), ["2 member shuts"]);
    assert_eq!(change("src/a.js", old, &with("this.shut(); this.size; this.started();")), [""; 0]);
    assert_eq!(change("src/a.js", old, &with("this.one(); this.two();")), [""; 0], "two of them");
    let other = "const it = { a() { this.b(); }, b() {} };\n";
    assert_eq!(change("src/b.js", other, other), [""; 0]);
}

#[test]
fn members_of_a_module_that_is_not_installed_are_weighed() {
    let old = "import * as absent from 'absent';\nabsent.started();\n";
    let new = format!("{old}absent.begun();\n");
    assert_eq!(change("src/a.ts", old, &new), ["3 attribute begun"]);
}

#[test]
fn what_a_class_would_inherit_from_an_installed_package_is_spelt_there() {
    let old = "import { Lamp } from 'lamps';\nclass Desk extends Lamp { a() { this.on(); } }\n";
    let new = old.replace("this.on();", "this.on(); this.off2(); this.dimly();");
    assert_eq!(change("src/a.ts", old, &new), ["2 member off2", "2 member dimly"]);
}

#[test]
fn a_package_that_hands_on_what_is_gone_is_looked_through() {
    let text = "import { Bulb, Bulbs } from 'lamps';\n";
    assert_eq!(change("src/a.ts", "", text), ["1 import Bulbs"]);
}

#[test]
fn folders_of_generated_files_that_are_there_are_whole() {
    let text = "import { till } from './generated/api/till';\nimport './generated/api/tills';\n\
                import './generated/other/till';\n";
    assert_eq!(change("src/a.ts", "", text), ["2 module ./generated/api/tills"]);
}

#[test]
fn declarations_that_import_are_a_module() {
    let text = "import { Till } from './types';\nexport const a: Till, b: Tills;\n";
    assert_eq!(change("src/a.d.ts", "", text), ["2 class Tills"]);
    assert_eq!(change("src/a.d.ts", "", "declare const a: Tills;\n"), [""; 0]);
    let text = "import { Till } from './types';\nexport const a: Till;\n\
                declare module './types' { interface More { it: Hidden } }\n";
    assert_eq!(change("src/a.ts", "", text), [""; 0], "names of the module are in scope");
}
