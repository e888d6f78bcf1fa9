//! TypeScript and JavaScript.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- package.json
{\"dependencies\": {\"declared\": \"1\"}}
--- src/models.ts
export class Base { id = 1; save(): void {} }
export class User extends Base {
  constructor(private name: string) { super(); }
  rename(name: string) { this.name = name; this.save(); }
}
export interface Shape { area(): number; }
export enum Color { Red, Green }
export const load = (path: string) => path;
export default User;
--- src/index.ts
export * from './models';
export { load as read } from './models';
--- src/legacy.js
module.exports = build();
--- node_modules/installed/package.json
{}
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("src/new.ts", text))
}

#[test]
fn what_exists_is_quiet() {
    let text = "\
import fs from 'node:fs';
import thing from 'installed/deep';
import other from 'declared';
import User, { Color, load, type Shape } from './models';
import { read, Base } from '.';
import * as models from './index.js';
import { anything } from './legacy';
const user = new User('x');
user.rename('y'); user.save(); user.id;
models.load('x'); Color.Red; load(read('x')); new Base(); anything;
export function f<T extends Shape>(shape: T, { a, b: [c] }: any): Promise<Map<string, T>> {
  try { console.log(a, c, fs, thing, other, shape); } catch (error) { throw error; }
  return Promise.resolve(new Map());
}
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn what_is_missing_is_found() {
    let text = "\
import { Userr } from './models';
import { x } from './modelz';
import y from 'inventedpackage';
import * as models from './models';
import { User, Color } from './models';
models.lod('x');
const user = new User('x');
user.remove();
Color.Blue;
class Admin extends User { act() { this.promote(); this.save(); } }
class Lost extends Nowhere {}
undefinedCall(new Unknown(), Userr, x, y, Admin, Lost);
let z: MissingType;
";
    assert_eq!(
        check(text),
        [
            "1 import Userr",
            "2 module ./modelz",
            "3 package inventedpackage",
            "6 attribute lod",
            "8 member remove",
            "9 member Blue",
            "10 member promote",
            "11 class Nowhere",
            "12 call undefinedCall",
            "12 class Unknown",
            "13 class MissingType",
        ]
    );
}

#[test]
fn a_declared_this_and_a_new_object_are_known() {
    let text = "\
import { User, type Shape } from './models';
function measure(this: Shape, user: User) { return this.area() + this.volume(); }
new User('x').rename('y');
new User('x').renam('y');
export { measure };
";
    assert_eq!(check(text), ["2 member volume", "4 member renam"]);
}

#[test]
fn a_definition_of_the_same_change_set_counts() {
    let facts = Tree::new(PROJECT).change(&[
        ("src/new.ts", None, Some("import { fresh } from './fresh';\nfresh();\n")),
        ("src/fresh.ts", None, Some("export function fresh() {}\n")),
    ]);
    assert_eq!(missing(&facts[0]), Vec::<String>::new());
}

#[test]
fn a_local_whose_type_a_function_asks_about_is_left_alone() {
    let text = "\
import { Channel } from './channel'
const open = new Channel()
if (hasReference(open)) open.unref()
const other = new Channel()
other.unref()
declare function hasReference(it: object): boolean
";
    let tree = Tree::new("--- channel.ts\nexport class Channel { close() {} }\n");
    assert_eq!(missing(&tree.write("a.ts", text)), ["5 member unref"]);
}

#[test]
fn a_name_that_is_declared_again_without_a_type_stands_for_no_class() {
    let uses = "export function f(user: User) { return user.rename('x'); }\n";
    for other in [
        "export function g(all: any[]) { for (const user of all) { user.anything; } }",
        "export const g = (all: any[]) => all.map(user => user.anything);",
        "export function g({ user }: any) { return user.anything; }",
        "export function g(all: any) { const [user] = all; return user.anything; }",
        "export function g(all: any) { const { a: user } = all; return user.anything; }",
        "export function g() { try { f(null); } catch (user) { user.anything; } }",
    ] {
        let text = format!("import {{ User }} from './models';\n{uses}{other}\n");
        assert_eq!(check(&text), Vec::<String>::new(), "{other}");
    }
}

/// A workspace of packages, with a configuration that leads specifiers to files.
const WORKSPACE: &str = "\
--- package.json
{\"workspaces\": [\"packages/*\"]}
--- tsconfig.base.json
{
  // Shared by all.
  \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@store/*\": [\"packages/store/src/*\"], }, },
}
--- packages/store/package.json
{\"name\": \"@shop/store\", \"main\": \"dist/index.js\", \"dependencies\": {}}
--- packages/store/src/index.ts
export { Item } from './item';
--- packages/store/src/item.ts
export class Item { size = 1; }
--- packages/built/package.json
{\"name\": \"@shop/built\", \"main\": \"dist/bundle.js\"}
--- packages/built/src/index.ts
export const other = 1;
--- packages/desk/tsconfig.json
{\"extends\": \"../../tsconfig.base\"}
--- packages/desk/package.json
{\"name\": \"@shop/desk\", \"dependencies\": {\"@shop/store\": \"*\", \"@shop/built\": \"*\"}}
";

#[test]
fn packages_of_the_workspace_and_paths_of_a_configuration_are_followed() {
    let tree = Tree::new(WORKSPACE);
    let check = |text: &str| missing(&tree.write("packages/desk/src/desk.ts", text));
    let real = "import { Item } from '@shop/store';\nimport { Item as Same } from '@store/item';\n\
                import { bundled } from '@shop/built';\nnew Item().size; new Same().size; bundled;\n";
    assert_eq!(check(real), [""; 0]);
    assert_eq!(check("import { Itme } from '@shop/store';\nItme;\n"), ["1 import Itme"]);
    assert_eq!(check("import { Itme } from '@store/item';\nItme;\n"), ["1 import Itme"]);
    assert_eq!(check("import { Item } from '@store/itme';\nItem;\n"), ["1 module @store/itme"]);
    let typed = "import { Item } from '@shop/store';\nconst item = new Item();\nitem.sise;\n";
    assert_eq!(check(typed), ["3 member sise"]);
    let made = "export const made = 1;\n";
    let path = "packages/store/src/made.ts";
    let text = "import { made } from '@store/made';\nmade;\n";
    let changes = [("packages/desk/src/desk.ts", None, Some(text)), (path, None, Some(made))];
    assert_eq!(missing(&tree.change(&changes)[0]), [""; 0], "the change makes it");
}

/// Modules that hand their names out by `exports`.
const COMMON: &str = "\
--- package.json
{\"dependencies\": {}}
--- lib/names.js
class Cart { add() {} static open() {} }
function total() {}
module.exports = { Cart, total, sum: total, get size() { return 1; }, ...require('./more') };
--- lib/more.js
exports.extra = 1;
Object.defineProperty(exports, 'late', { value: 1 });
--- lib/cart.js
const { Cart } = require('./names');
class Basket extends Cart { empty() {} }
module.exports = Basket;
--- lib/open.js
module.exports = build();
--- lib/handed.js
mixin(exports);
exports.known = 1;
--- lib/index.js
exports.names = require('./names');
exports.Basket = require('./cart');
--- lib/parser.pegjs
start = 'a'
--- test/cart.js
require('../lib/names').patched = 1;
";

#[test]
fn what_a_common_module_exports_is_known() {
    let tree = Tree::new(COMMON);
    let check = |text: &str| missing(&tree.write("lib/new.js", text));
    let real = "\
const names = require('./names');
const { total, sum: plus, extra, size, maybe = 1, ...rest } = require('./names');
const Basket = require('./cart');
const { anything } = require('./open');
const { given } = require('./handed');
const { Basket: Same } = require('.');
names.total(names.late, plus, extra, size, maybe, rest, total); names.patched;
new Basket().add(); new Same().empty(); Basket.open(); anything(given);
require('./more').extra;
let native; try { native = require('./native'); } catch (error) { native = null; }
module.exports = { native, parser: require('./parser') };
";
    assert_eq!(check(real), [""; 0]);
    let invented = "\
const names = require('./names');
const { totla } = require('./names');
const Basket = require('./cart');
const basket = new Basket();
const other = require('./nowhere');
names.totals();
basket.clear();
Basket.shut();
require('./more').extras;
";
    assert_eq!(
        check(invented),
        [
            "2 import totla",
            "5 module ./nowhere",
            "6 attribute totals",
            "7 member clear",
            "8 member shut",
            "9 import extras",
        ]
    );
}

#[test]
fn a_namespace_beside_a_class_adds_nothing_to_its_objects() {
    let text = "\
export class Panel<T> { open(): void { this.shut(); } static make() { return this.create(); } }
export namespace Panel { export function create() { return new Panel(); } }
";
    assert_eq!(check(text), ["1 member shut"]);
    let text = "\
export type Keys = string[];
export namespace Keys { export function first(keys: Keys) { return keys.length; } }
";
    assert_eq!(check(text), [""; 0]);
}

#[test]
fn a_folder_with_sources_is_not_left_for_the_build() {
    let tree = Tree::new("--- src/lib/a.ts\nexport const a = 1;\n--- package.json\n{}\n");
    let text =
        "import { a } from './a';\nimport { b } from './b';\nimport { c } from '../dist/c';\n";
    assert_eq!(missing(&tree.write("src/lib/new.ts", text)), ["2 module ./b"]);
}

#[test]
fn what_only_a_class_that_extends_it_has_is_left_alone_in_javascript() {
    let tree = Tree::new(
        "--- other.js\nclass Oak extends Tree { grow() {} }\n\
         --- bundle.mjs\nexport const real = 1;\n--- bundle.d.mts\nexport declare const t: 1;\n",
    );
    let text = "\
import { real } from './bundle.mjs';
class Tree {
  constructor(given) {
    Object.defineProperty(this, 'inner', { value: real });
    Object.assign(this, { leaf: 1, root() {} });
  }
  run() { this.grow(); this.inner; this.leaf; this.root(); this.shrink(); }
}
class Open { constructor(given) { Object.assign(this, given); } run() { this.anything(); } }
";
    assert_eq!(missing(&tree.write("tree.js", text)), ["7 member shrink"]);
}
