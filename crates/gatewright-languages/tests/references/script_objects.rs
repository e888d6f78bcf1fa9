//! TypeScript and JavaScript: objects that are written out, and constants that are imported.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- package.json
{\"name\": \"shop\"}
--- src/kinds.ts
export const KINDS = { coin: 1, note: 2 } as const;
export const frozen = Object.freeze({ coin: 1 });
export const wide = { ...KINDS, other: 3 };
export const typed: Record<string, number> = { coin: 1 };
const inner = { open() {}, close() {} } satisfies object;
export default inner;
export class Till { open() {} }
export const till = new Till();
export namespace task { export function run() { const task = new Till(); return task; } }
--- src/barrel.ts
export { KINDS as MANY } from './kinds';
export * from './kinds';
--- src/plain.ts
export default { name: 'plain', work() {} };
--- lib/states.js
const states = { OPEN: 0, SHUT: 1 };
const loose = {};
loose.late = 1;
const more = { one: 1 };
for (const key of Object.keys(states)) { more[key] = states[key]; }
module.exports = { states, loose, more };
--- lib/tools.js
const tools = { cut() {}, bind() {} };
tools.cut();
module.exports = tools;
";

fn check(path: &str, text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write(path, text))
}

#[test]
fn keys_that_are_written_are_there_and_others_are_not() {
    let text = "\
import plain from './plain';
import { KINDS, frozen, wide, typed, till, task } from './kinds';
import inner from './kinds';
import { MANY } from './barrel';
const local = { red: 1, 'blue': 2, [key()]: 3 }, sure = { red: 1, get green() { return 2; } };
const held = (() => ({ red: 1 }))(), empty = {}, cast = { red: 1 } as any;
let later = { red: 1 };
function key() { return 'x'; }
function ask(sure2: { red: number }) {
  KINDS.coin; KINDS.cent; frozen.note; wide.cent; typed.cent; till.open(); till.shut(); task.run();
  inner.open(); inner.shut(); MANY.coin; MANY.cents; plain.work(); plain.play();
  local.green; sure.green; sure.yellow; sure.toString(); held.blue; empty.blue; cast.blue; later.blue;
}
function other(sure: any) { sure.white; }
function again() { const sure = other; later = key() as any; return (sure as any).grey; }
";
    let wanted = [
        "10 member cent",
        "10 member note",
        "10 member shut",
        "11 member cents",
        "11 member play",
        "11 member shut",
        "12 member yellow",
    ];
    let mut found = check("src/a.ts", text);
    found.sort();
    assert_eq!(found, wanted);
}

#[test]
fn scripts_may_put_more_on_an_object() {
    let text = "\
const { states, loose, more } = require('./states');
const tools = require('./tools');
const { cut, hew } = require('./tools');
const own = { a: 1 }, given = { a: 1 }, kept = { a: 1 };
mix(given, tools);
own.b = 1;
Object.keys(kept).forEach(cut);
Object.assign(tools, given);
states.OPEN; states.AJAR; loose.late; loose.early; more.SHUT; more.two;
own.b; given.c; kept.d; tools.cut();
function mix() {}
";
    let wanted = ["3 import hew", "9 member AJAR", "10 member d"];
    assert_eq!(check("lib/a.js", text), wanted);
}

#[test]
fn functions_have_what_is_put_on_them() {
    let text = "\
function make() {}
make.cache = 1;
const build = () => {};
make.cache; make.call(0); make.cached; build.bind(0); build.built;
hand(build2);
function build2() {}
build2.any;
function hand(it) { it.any2; }
";
    assert_eq!(check("lib/b.js", text), ["4 member cached", "4 member built"]);
}
