//! TypeScript and JavaScript: what fields hold, what bases have, what Node's modules export.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- package.json
{\"name\": \"shop\"}
--- src/till.ts
export class Till {
  size = 1;
  open(): Till { return this; }
}
export class Drawer extends Till {
  slide(): void {}
}
export interface Lamp { on(): void }
export enum Kind { One, Two }
export class Desk {
  private own = new Till();
  protected stated: Drawer | null = null;
  lamp!: Lamp;
  kind: Kind = Kind.One;
  drawer: Drawer;
  constructor(private readonly given: Till, plain: Till) { this.drawer = new Drawer(); }
}
--- lib/till.js
class Till { open() {} }
class Drawer extends Till { slide() {} }
module.exports = { Till, Drawer };
";

fn check(path: &str, text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write(path, text))
}

#[test]
fn what_fields_hold_is_quiet_where_it_is_there() {
    let text = "\
import { Desk, Till, Drawer } from './till';
class Big extends Desk {
  extra: Till = new Drawer();
  any: any;
  work() {
    this.drawer.slide(); this.drawer!.open(); this.drawer?.size; this.lamp.on();
    this.any.thing(); this.kind.toFixed(); this.stated.anything();
    if (this.extra instanceof Drawer) { this.extra.slide(); }
    super.anything;
  }
  toString() { return super.toString(); }
}
";
    let found = check("src/big.ts", text);
    assert_eq!(found, ["9 member anything"], "only what no base has");
    let text = "\
const { Till, Drawer } = require('./till');
class Desk {
  constructor(other) {
    this.till = null; this.till = new Till(); this.other = other;
    this.mixed = new Till(); this.mixed = new Drawer();
  }
  work() { this.till.open(); this.other.anything(); this.mixed.slide(); }
}
class Tray {
  constructor() { this.lid = new Till(); }
  lift() { return this.lid.anything(); }
}
function lend(tray) { tray.lid = fake(); }
function fake() {}
module.exports = { Desk };
";
    assert_eq!(check("lib/desk.js", text), Vec::<String>::new());
}

#[test]
fn what_fields_hold_is_missing_where_it_is_not() {
    let text = "\
import { Desk, Till } from './till';
class Big extends Desk {
  extra = new Till();
  constructor(private given2: Till) { super(given2, given2); }
  work() {
    this.drawer.slid(); this.lamp.off(); this.extra.opens();
    this.given2.shut();
    super.slideAll();
  }
}
";
    let expected =
        ["6 member slid", "6 member off", "6 member opens", "7 member shut", "8 member slideAll"];
    assert_eq!(check("src/big.ts", text), expected);
    let text = "\
const { Till } = require('./till');
class Desk {
  constructor() { this.till = new Till(); }
  work() { this.till.opens(); }
}
module.exports = { Desk };
";
    assert_eq!(check("lib/desk.js", text), ["4 member opens"]);
}

#[test]
fn names_of_the_modules_of_node_are_known() {
    let text = "\
import * as fs from 'node:fs';
import path, { join, type ParsedPath } from 'path';
import { readFile } from 'fs/promises';
import EventEmitter, { once } from 'events';
fs.readFileSync(''); path.resolve(''); EventEmitter.defaultMaxListeners;
function take(url: string, path2: ParsedPath) { return [join, readFile, once, url, path2]; }
export { take };
";
    assert_eq!(check("src/files.ts", text), Vec::<String>::new());
    let text = "\
import * as fs from 'node:fs';
import path, { joinAll } from 'path';
fs.readFileSafe(''); path.resolveAll('');
export { joinAll };
";
    let expected = ["2 import joinAll", "3 attribute readFileSafe", "3 attribute resolveAll"];
    assert_eq!(check("src/files.ts", text), expected);
    let text = "const os = require('os');\nos.homedir();\nos.homedirs();\n";
    assert_eq!(check("lib/files.js", text), ["3 attribute homedirs"]);
}

#[test]
fn a_script_takes_what_is_run_and_not_the_declarations_beside_it() {
    let tree = Tree::new(
        "--- help.js\nfunction sink() {}\nfunction once() {}\nmodule.exports = { sink, once };\n\
         --- help.d.ts\nexport declare function once(): void\n",
    );
    let text = "const { sink, sinks } = require('./help');\nsink(sinks);\n";
    assert_eq!(missing(&tree.write("main.js", text)), ["1 import sinks"]);
    let text = "import { sink } from './help';\nsink();\n";
    assert_eq!(missing(&tree.write("main.ts", text)), ["1 import sink"]);
}

#[test]
fn what_is_used_and_let_go_is_declared() {
    let text = "async function work(open: any) {\n  using held = await open();\n  return held;\n}\nexport { work };\n";
    assert_eq!(check("src/work.ts", text), Vec::<String>::new());
}

#[test]
fn specifiers_are_followed_from_the_base_folder_of_a_configuration() {
    let tree = Tree::new(
        "--- tsconfig.json\n{\"extends\": \"./tsconfig.base.json\"}\n--- tsconfig.base.json\n\
         {\"compilerOptions\": {\"baseUrl\": \"src\"}}\n--- package.json\n\
         {\"dependencies\": {\"left\": \"1\"}}\n--- src/core/till.ts\nexport class Till {}\n",
    );
    let text = "\
import { Till, Tills } from 'core/till';
import { Drawer } from 'core/drawer';
import { left } from 'left';
export { Till, Tills, Drawer, left };
";
    let found = missing(&tree.write("src/desk.ts", text));
    assert_eq!(found, ["1 import Tills", "2 module core/drawer"]);
}

#[test]
fn what_is_added_to_has_to_be_there() {
    let text = "export class Desk {\n  total = 0;\n  work() {\n    this.total += 1;\n    this.totl += 1;\n  }\n}\n";
    assert_eq!(check("src/work.ts", text), ["5 member totl"]);
}

#[test]
fn what_a_module_hands_out_as_a_constant_object_is_known() {
    let tree = Tree::new(
        "--- lib/names.js\nconst names = { sink: 1, once: 2 };\nnames.once;\nmodule.exports = names;\n\
         module.exports.later = 3;\n\
         --- lib/set.js\nconst set = { sink: 1 };\nset.once = 2;\nmodule.exports = set;\n\
         --- lib/filled.js\nconst filled = { sink: 1 };\nfill(filled);\nmodule.exports = filled;\n",
    );
    let check = |text: &str| missing(&tree.write("lib/new.js", text));
    let real = "const { sink, once, later } = require('./names');\nconst set = require('./set');\n\
                const { given } = require('./filled');\nset.once; set.other; given; sink; once; later;\n";
    assert_eq!(check(real), [""; 0]);
    let invented = "const { sinks } = require('./names');\nconst names = require('./names');\nnames.onces; sinks;\n";
    assert_eq!(check(invented), ["1 import sinks", "3 attribute onces"]);
}

#[test]
fn members_of_packages_that_are_exported_whole_are_known() {
    let check = |more: &str, path: &str, text: &str| {
        let tree = format!(
            "--- package.json\n{{\"dependencies\": {{\"lodash\": \"^4.17.0\", \"moment\": \"^2.29.0\"{more}}}}}\n"
        );
        missing(&Tree::new(&tree).write(path, text))
    };
    let text = "\
import _ from 'lodash';
import moment from 'moment';
import { debounce, debounces } from 'lodash';
_.forEach([], debounce); _.forName([], debounces); moment.utc(); moment.toDict();
";
    let expected = ["3 import debounces", "4 attribute forName", "4 attribute toDict"];
    assert_eq!(check("", "src/a.ts", text), expected);
    let added = check(", \"moment-range\": \"4\"", "src/a.ts", text);
    assert_eq!(added, expected[..2], "what another package puts there");
    let text = "\
const _ = require('lodash');
_.isPlainObject({}); _.is_plain_object({}); _.name; _.mockReset();
";
    assert_eq!(check("", "lib/a.js", text), ["2 attribute is_plain_object"]);
    let mixed = format!("{text}_.mixin({{ is_plain_object() {{}} }});\n");
    assert_eq!(check("", "lib/a.js", &mixed), [""; 0], "what the file itself puts there");
}

#[test]
fn a_package_that_is_called_like_a_part_of_react_puts_no_names_into_it() {
    let tree = Tree::new(
        "--- package.json\n{\"dependencies\": {\"react\": \"^18.2.0\", \"react-of-ours\": \"1\"}}\n",
    );
    let text = "\
import * as React from 'react';
import { useState, useEffectSafe } from 'react';
React.useName(useState);
";
    let expected = ["2 import useEffectSafe", "3 attribute useName"];
    assert_eq!(missing(&tree.write("src/a.tsx", text)), expected);
}
