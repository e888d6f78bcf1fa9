//! TypeScript and JavaScript: what locals stand for, by the function that declares them.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- src/till.ts
export class Till { open() {} close(): void {} static make(): Till { return new Till(); } }
export namespace Till { export const size = 1; }
export class Lamp { light() {} }
export function build(): Till { return new Till(); }
export async function fetchOne(): Promise<Till> { return new Till(); }
export function either(): Till | Lamp { return new Till(); }
export const brew = (): Till => new Till();
--- src/index.ts
export { build as construct } from './till';
";

fn check(path: &str, text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write(path, text))
}

#[test]
fn a_local_is_what_its_own_function_makes_it() {
    let text = "\
import { Till, Lamp } from './till';
function one() { const it = new Till(); it.open(); it.light(); }
function two() { const it = new Lamp(); it.light(); it.open(); }
function three(it: any) { it.anything(); }
const four = (it: Till) => { it.open(); { const it = new Lamp(); it.light(); } };
";
    assert_eq!(check("src/a.ts", text), ["2 member light", "3 member open"]);
}

#[test]
fn a_local_that_is_set_later_is_what_it_is_set_to() {
    let text = "\
const { Till } = require('./till');
function one() { let it; it = new Till(); it.opened(); }
function two(x) { let it; it = new Till(); it = x; it.opened(); }
function three() { let it = new Till(); it = null; it.opened(); }
";
    let till = "--- src/till.js\nclass Till { open() {} }\nmodule.exports = { Till };\n";
    let found = missing(&Tree::new(till).write("src/a.js", text));
    assert_eq!(found, ["2 member opened"]);
}

#[test]
fn what_may_be_nothing_and_what_lists_hold_is_followed() {
    let text = "\
import { Till } from './till';
function one(it: Till | undefined, other?: Till) { it?.open(); it?.opened(); other?.shut(); }
function two(all: Till[], more: ReadonlyArray<Till>, any: unknown[]) {
  for (const each of all) { each.open(); each.opened(); }
  more.forEach(each => each.shut());
  all.map((each) => each.brought());
  all.forEach((each, number) => number.toFixed());
  for (const key in all) { key.trim(); }
  for (const each of any) { each.anything; }
}
function three(it: Till | string) { it.anything; }
";
    let expected = [
        "2 member opened",
        "2 member shut",
        "4 member opened",
        "5 member shut",
        "6 member brought",
    ];
    assert_eq!(check("src/a.ts", text), expected);
}

#[test]
fn what_a_function_says_that_it_gives_is_followed() {
    let text = "\
import { build, fetchOne, either, brew } from './till';
import { construct } from './index';
async function one() {
  const a = build(); a.open(); a.opened();
  const b = await fetchOne(); b.open(); b.shut();
  const c = construct(); c.brought();
  const d = brew(); d.drunk();
  const e = fetchOne(); e.then(() => 1);
  const f = either(); f.anything;
}
";
    let expected = ["4 member opened", "5 member shut", "6 member brought", "7 member drunk"];
    assert_eq!(check("src/a.ts", text), expected);
}

#[test]
fn a_namespace_adds_to_a_class_what_it_declares() {
    let text = "import { Till } from './till';\nTill.make(); Till.size; Till.wide;\n";
    assert_eq!(check("src/a.ts", text), ["2 member wide"]);
}

#[test]
fn a_method_may_say_what_this_is() {
    let text = "\
import { Till } from './till';
type Both = Till & Shelf;
class Shelf {
  put(this: Both) { this.open(); this.anything; }
  take(this: Till) { this.open(); this.taken; }
  hold() { this.held; }
}
";
    let expected = ["4 member anything", "5 member taken", "6 member held"];
    assert_eq!(check("src/a.ts", text), expected);
}

#[test]
fn what_is_asked_about_a_member_says_nothing_of_the_object() {
    let text = "\
class Part { body = 1; isPlain(part: Part) { return true; } }
function a(part: Part) { if (Array.isArray(part.body)) {} return part.boddy; }
function b(other: Part) { if (isPart(other)) {} return other.anything; }
declare function isPart(it: unknown): boolean;
";
    assert_eq!(check("src/c.ts", text), ["2 member boddy"]);
}
