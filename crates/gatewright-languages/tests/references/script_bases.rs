//! TypeScript and JavaScript: classes of Node and React, classes of modules, names for types.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- package.json
{\"name\": \"shop\", \"main\": \"lib/api.js\", \"dependencies\": {\"react\": \"^18.0.0\", \"whole\": \"1\"}}
--- lib/api.js
const Till = require('./till.js');
exports.Till = Till;
--- lib/till.js
module.exports = class Till { open() {} };
--- src/lamps.ts
export class Lamp { light() {} }
export type Bulb = { watts: number; screw(): void };
export type Wide = Bulb & { glow(): void };
export type Made<T> = T & { made(): void };
export type Either = Bulb | Lamp;
--- node_modules/whole/package.json
{\"name\": \"whole\", \"types\": \"index.d.ts\"}
--- node_modules/whole/index.d.ts
/// <reference path=\"global.d.ts\" />
declare namespace whole { function part(): void; }
export = whole;
--- node_modules/whole/global.d.ts
interface Spelt {}
";

fn check(path: &str, text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write(path, text))
}

#[test]
fn classes_of_node_are_known_as_bases_and_as_types() {
    let text = "\
import { EventEmitter } from 'node:events';
import * as stream from 'stream';
import type { IncomingMessage } from 'http';
class Till extends EventEmitter { a() { this.emit('x'); this.emitAll('x'); this._events; } }
class Tube extends stream.Transform { a() { this.push(1); this.pushAll(1); } }
function read(request: IncomingMessage) { request.headers; request.headerList; }
";
    let wanted = ["4 member emitAll", "5 member pushAll", "6 member headerList"];
    assert_eq!(check("src/a.ts", text), wanted);
    let text = "const Emitter = require('events');\n\
                class Till extends Emitter { a() { this.once('x'); this.onceAll('x'); } }\n";
    assert_eq!(check("src/a.js", text), ["2 member onceAll"]);
}

#[test]
fn what_another_file_puts_on_a_class_of_node_is_left_alone() {
    let text = "import { Socket } from 'net';\nfunction a(it: Socket) { it.drain_all(); }\n";
    let tree = Tree::new(PROJECT).with("src/b.ts", b"Socket.prototype.drain_all = 1;");
    assert!(missing(&tree.write("src/a.ts", text)).is_empty());
    assert_eq!(check("src/a.ts", text), ["2 member drain_all"]);
}

#[test]
fn components_have_what_react_gives_them() {
    let text = "\
import React from 'react';
import { PureComponent } from 'react';
class Till extends React.Component { a() { this.setState({}); this.setStates({}); } }
class Lamp extends PureComponent { a() { this.forceUpdate(); this.forceUpdates(); } }
";
    assert_eq!(check("src/a.jsx", text), ["3 member setStates", "4 member forceUpdates"]);
}

#[test]
fn a_base_is_followed_into_the_module_that_it_is_a_class_of() {
    let text = "import * as lamps from './lamps';\n\
                class Mine extends lamps.Lamp { a() { this.light(); this.lights(); } }\n";
    assert_eq!(check("src/a.ts", text), ["2 member lights"]);
}

#[test]
fn a_name_for_a_type_has_the_members_that_are_written_out() {
    let text = "\
import { Bulb, Wide, Made, Either } from './lamps';
function a(it: Bulb) { it.screw(); it.screws(); }
function b(it: Wide) { it.screw(); it.glow(); it.glows(); }
function c(it: Made<Bulb>) { it.anything(); }
function d(it: Either) { it.anything(); }
";
    assert_eq!(check("src/a.ts", text), ["2 member screws", "3 member glows"]);
}

#[test]
fn a_folder_is_what_its_manifest_calls_the_main_file() {
    let text = "const { Till, Tills } = require('..');\nnew Till().open();\nnew Till().opens();\n";
    assert_eq!(check("test/a.js", text), ["1 import Tills", "3 member opens"]);
}

#[test]
fn a_namespace_that_is_exported_whole_may_have_what_files_spell_that_it_puts_in() {
    let text = "import * as whole from 'whole';\nwhole.part();\nwhole.Spelt;\nwhole.parts();\n";
    assert_eq!(check("src/a.ts", text), ["4 attribute parts"]);
}

#[test]
fn only_what_tells_the_type_of_a_local_takes_it_back() {
    let text = "\
import { Lamp } from './lamps';
function isLit(lamp: Lamp) { return true; }
// The light in lamp and in bulb.
function a(lamp: Lamp) { if (isLit(lamp)) lamp.lights(); }
function b(bulb: Lamp) { if ('dim' in bulb) bulb.dim(); }
";
    assert_eq!(check("src/a.ts", text), ["4 member lights"]);
    let text = text.replace("(lamp: Lamp) { return", "(lamp: Lamp): lamp is Lamp { return");
    assert!(check("src/a.ts", &text).is_empty());
}

#[test]
fn the_object_that_stands_for_the_process_has_its_own_members() {
    let text = "import process from 'node:process';\nprocess.cwd();\nprocess.cwds();\n";
    assert_eq!(check("src/a.ts", text), ["3 attribute cwds"]);
}
