//! TypeScript: what installed packages declare.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- package.json
{\"name\": \"shop\", \"dependencies\": {\"till\": \"1\", \"lamp\": \"1\", \"plain\": \"1\"}}
--- node_modules/till/package.json
{\"name\": \"till\", \"exports\": {\".\": {\"import\": {\"types\": \"./dist/index.d.mts\", \"default\": \"./dist/index.mjs\"}},
 \"./coins\": \"./dist/coins.js\"}}
--- node_modules/till/dist/index.d.mts
import * as all from './all.mjs';
export * from './all.mjs';
export { all };
export declare const size: number, width: number;
declare function hidden(): void;
export declare namespace Deep { const inner: number; }
--- node_modules/till/dist/all.d.mts
export declare class Till { open(): void; get state(): string; static make(): Till; }
export interface Options { deep: boolean }
export type Kind = 'a' | 'b';
export declare function count(options: Options): number;
--- node_modules/till/dist/coins.d.ts
export declare enum Coin { One, Two }
--- node_modules/lamp/package.json
{\"name\": \"lamp\", \"main\": \"lib/lamp\"}
--- node_modules/told/package.json
{\"name\": \"told\", \"types\": \"index.d.ts\", \"typesVersions\": {\"<4.0\": {\"*\": [\"old/*\"]}, \">=4.1\": {\"*\": [\"*\"]}}}
--- node_modules/told/index.d.ts
export declare function told(): void;
--- node_modules/other/package.json
{\"name\": \"other\", \"types\": \"index.d.ts\", \"typesVersions\": {\">=4.1\": {\"*\": [\"new/*\"]}}}
--- node_modules/other/index.d.ts
export declare function other(): void;
--- node_modules/lamp/lib/lamp.js
exports.on = 1;
--- node_modules/@types/lamp/package.json
{\"name\": \"@types/lamp\", \"types\": \"index.d.ts\"}
--- node_modules/@types/lamp/index.d.ts
export function on(): void;
export as namespace lamp;
--- node_modules/plain/package.json
{\"name\": \"plain\", \"main\": \"index.js\"}
--- node_modules/plain/index.js
exports.anything = 1;
--- node_modules/whole/package.json
{\"name\": \"whole\", \"types\": \"index.d.ts\"}
--- node_modules/whole/index.d.ts
declare function whole(): void;
declare namespace whole { function part(): void; }
export = whole;
--- node_modules/value/package.json
{\"name\": \"value\", \"types\": \"index.d.ts\"}
--- node_modules/value/index.d.ts
declare const value: value.Value;
declare namespace value { interface Value { part(): void } }
export = value;
--- node_modules/wide/package.json
{\"name\": \"wide\", \"exports\": {\"./*\": {\"types\": \"./types/*.d.ts\", \"default\": \"./*.js\"}}}
--- node_modules/wide/types/door.d.ts
export declare class Door { shut(): void }
--- node_modules/newer/package.json
{\"name\": \"newer\", \"types\": \"index.d.ts\", \"typesVersions\": {\"<4\": {\"*\": [\"old/*\"]}, \"*\": {\"*\": [\"ts/*\"]}}}
--- node_modules/newer/index.d.ts
export declare function old(): void;
--- node_modules/newer/ts/index.d.ts
export declare function newest(): void;
--- src/other.ts
import { added } from 'till';
";

fn check(path: &str, text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write(path, text))
}

#[test]
fn what_packages_declare_is_quiet() {
    let text = "\
import { Till, count, all, size, width, Deep, type Options, type Kind } from 'till';
import till, { hidden } from 'till';
import * as whole from 'till';
import { Coin } from 'till/coins';
import { on } from 'lamp';
import { anything } from 'plain';
import { part } from 'whole';
import { partial, other as more } from 'value';
import { told } from 'told';
import { Door } from 'wide/door';
import { newest } from 'newer';
import { anew } from 'other';
import { added } from 'till';
const one = new Till();
one.open(); one.state; Till.make(); all.count({ deep: true }); whole.size; Coin.One;
function ask(options: Options, kind: Kind) { return options.anything; }
";
    assert_eq!(check("src/a.ts", text), [] as [&str; 0]);
}

#[test]
fn names_that_no_package_declares_are_missing() {
    let text = "\
import { Tills, all } from 'till';
import * as whole from 'till';
import { Coins } from 'till/coins';
import { off } from 'lamp';
import { Till } from 'till'; import { tells } from 'told';
const one = new Till();
one.close(); Till.build(); all.counted(); whole.sized;
import { parts } from 'whole';
import { Doors } from 'wide/door';
import { oldest } from 'newer';
import { Gate } from 'wide/gate';
";
    let expected = [
        "1 import Tills",
        "3 import Coins",
        "4 import off",
        "5 import tells",
        "7 member close",
        "7 member build",
        "7 attribute counted",
        "7 attribute sized",
        "8 import parts",
        "9 import Doors",
        "10 import oldest",
        "11 module wide/gate",
    ];
    assert_eq!(check("src/b.ts", text), expected);
}

#[test]
fn a_script_is_not_held_to_declarations() {
    assert_eq!(check("src/c.js", "import { off } from 'lamp';\noff();\n"), [] as [&str; 0]);
}

#[test]
fn a_class_of_the_workspace_has_what_its_base_in_a_package_has() {
    let text = "\
import { Till } from 'till';
class Big extends Till {
  work() { this.open(); this.state; this.shut(); super.open(); }
}
";
    assert_eq!(check("src/d.ts", text), ["3 member shut"]);
}

#[test]
fn what_a_file_adds_to_a_package_and_values_of_enums_are_left_alone() {
    let text = "\
import { type Till } from 'till';
import { Coin } from 'till/coins';
declare module 'till' { interface Till { extra: string } }
enum Own { A = 'a' }
function ask(till: Till, coin: Coin, own: Own) { till.extra; till.open(); coin.toFixed(); own.trim(); }
";
    assert_eq!(check("src/e.ts", text), [] as [&str; 0]);
}

const IMPORTS: &str = "\
--- package.json
{\"name\": \"shop\", \"imports\": {\"#own/*\": \"./src/own/*.ts\", \"#made\": \"./dist/made.js\"}}
--- src/own/till.ts
export class Till { open() {} }
";

#[test]
fn the_imports_of_a_manifest_are_followed() {
    let tree = Tree::new(IMPORTS);
    let check = |text: &str| missing(&tree.write("src/a.ts", text));
    let real = "import { Till } from '#own/till';\nimport { made } from '#made';\n\
                import { more } from '#own/other';\nnew Till().open(); made; more;\n";
    assert_eq!(check(real), [""; 0]);
    assert_eq!(check("import { Lamp } from '#own/till';\nLamp;\n"), ["1 import Lamp"]);
}

const EXTENDED: &str = "\
--- package.json
{\"name\": \"shop\", \"devDependencies\": {\"@tsconfig/strict\": \"1\", \"shared\": \"1\"}}
--- tsconfig.json
{\"extends\": [\"@tsconfig/strict/tsconfig.json\", \"shared/base\"], /* both */
 \"compilerOptions\": {\"paths\": {\"@/*\": [\"./src/*\"],},},}
--- node_modules/shared/package.json
{\"name\": \"shared\"}
--- node_modules/shared/base.json
{\"compilerOptions\": {\"strict\": true}}
--- src/till.ts
export const till = 1;
--- packages/lamp/tsconfig.json
{\"extends\": \"shared/base\", \"compilerOptions\": {\"baseUrl\": \"${configDir}/code\"}}
--- packages/lamp/code/parts/bulb.ts
export const bulb = 1;
";

#[test]
fn configurations_of_packages_may_be_there_or_not() {
    let tree = Tree::new(EXTENDED);
    let check = |text: &str| missing(&tree.write("src/a.ts", text));
    assert_eq!(check("import { till } from '@/till';\ntill;\n"), [""; 0]);
    assert_eq!(check("import { tills } from '@/till';\ntills;\n"), ["1 import tills"]);
    assert_eq!(check("import { till } from '@/tills';\ntill;\n"), ["1 module @/tills"]);
    let check = |text: &str| missing(&tree.write("packages/lamp/code/a.ts", text));
    assert_eq!(check("import { bulb } from 'parts/bulb';\nbulb;\n"), [""; 0]);
    assert_eq!(check("import { bulbs } from 'parts/bulb';\nbulbs;\n"), ["1 import bulbs"]);
}

#[test]
fn names_of_well_known_packages_need_no_installation() {
    let text = "\
import React, { useState, useStates, type FC, unstable_any } from 'react';
import * as All from 'react';
React.useEffect; React.useEffects; All.memo; All.memoize;
";
    let check = |range: &str| {
        let tree = format!("--- package.json\n{{\"dependencies\": {{\"react\": \"{range}\"}}}}\n");
        missing(&Tree::new(&tree).write("src/a.tsx", text))
    };
    let expected = ["1 import useStates", "3 attribute useEffects", "3 attribute memoize"];
    assert_eq!(check("^18.0.0"), expected);
    assert_eq!(check("^99.0.0"), [""; 0], "newer than what is known");
}

#[test]
fn names_of_listed_packages_count_for_versions_that_were_looked_at() {
    let text = "import { z, ZodType, zodSchemaOf } from 'zod';\nz; ZodType; zodSchemaOf;\n";
    let check = |range: &str, path: &str| {
        let tree = format!("--- package.json\n{{\"dependencies\": {{\"zod\": \"{range}\"}}}}\n");
        missing(&Tree::new(&tree).write(path, text))
    };
    assert_eq!(check("^3.22.0", "src/a.ts"), ["1 import zodSchemaOf"]);
    assert_eq!(check("^99.0.0", "src/a.ts"), [""; 0], "newer than what is known");
    assert_eq!(check("*", "src/a.ts"), [""; 0], "may be older");
    assert_eq!(check("^3.22.0", "src/a.js"), ["1 import zodSchemaOf"]);
}

#[test]
fn a_package_of_scripts_has_the_types_that_lie_beside_it() {
    let tree = "\
--- package.json
{\"dependencies\": {\"drawn\": \"1\"}}
--- node_modules/drawn/package.json
{\"name\": \"drawn\", \"exports\": {\".\": {\"default\": \"./index.js\"}}}
--- node_modules/drawn/index.js
exports.line = 1;
--- node_modules/@types/drawn/package.json
{\"name\": \"@types/drawn\", \"types\": \"index.d.ts\", \"exports\": {\".\": {\"types@<=5.0\": {\"default\": \"./old/index.d.ts\"}, \"types\": {\"default\": \"./index.d.ts\"}}}}
--- node_modules/@types/drawn/index.d.ts
export declare function line(): void;
";
    let text = "import { line, lines } from 'drawn';\nline(); lines();\n";
    assert_eq!(missing(&Tree::new(tree).write("src/a.ts", text)), ["1 import lines"]);
}

#[test]
fn what_an_installed_package_spells_nowhere_is_missing_in_scripts_too() {
    let project = "\
--- package.json
{\"name\": \"shop\", \"dependencies\": {\"till\": \"1\", \"native\": \"1\", \"made\": \"1\"}}
--- node_modules/till/package.json
{\"name\": \"till\", \"main\": \"lib/index.js\", \"dependencies\": {\"coins\": \"1\"}}
--- node_modules/till/lib/index.js
module.exports = Object.assign(make(), require('coins'));
function make() { return { ['op' + 'en']: 1, close: 2 }; }
--- node_modules/coins/package.json
{\"name\": \"coins\"}
--- node_modules/coins/index.js
exports.count = function () {};
--- node_modules/native/package.json
{\"name\": \"native\"}
--- node_modules/native/build/native.node
x
--- node_modules/made/package.json
{\"name\": \"made\"}
--- node_modules/made/index.js
module.exports = { ...require('.made/client') };
";
    let tree = Tree::new(project);
    let text = "\
const { close, count, shut } = require('till');
const till = require('till');
const { anything } = require('native');
const { another } = require('made');
till.count; till.summed; till.call();
";
    assert_eq!(missing(&tree.write("a.js", text)), ["1 import shut", "5 attribute summed"]);
    let text = "import { close, shut } from 'till';\n";
    assert_eq!(missing(&tree.write("a.mjs", text)), ["1 import shut"]);
    let elsewhere = Tree::new(project).with("b.js", b"it.shut();");
    assert!(missing(&elsewhere.write("a.mjs", text)).is_empty(), "another file spells it");
    let old = "import { shut } from 'till';\n";
    let kept = "import { shut } from 'till';\nshut();\n";
    assert!(missing(&tree.change(&[("a.mjs", Some(old), Some(kept))])[0]).is_empty());
}
