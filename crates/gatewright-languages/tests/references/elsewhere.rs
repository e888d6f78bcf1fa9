//! Names that other files of the workspace spell: what they have is not what is asked for here.

use crate::tree::{Tree, missing};

const SCRIPTS: &str = "\
--- package.json
{\"name\": \"shop\"}
--- src/till.js
class Till { countCoins() { return openTill(); } }
function openTill() { return new Till(); }
module.exports = { Till };
--- src/lamp.js
const { Till } = require('./till');
class Lamp extends Base { glow(a) { return a; } }
module.exports.Lamp = Lamp;
--- src/config/shelf.js
const shelve = () => 1;
module.exports = shelve;
--- src/open.js
class Base { dim() {} }
module.exports = { Base };
--- src/tests.js
const { Base } = require('./open');
Base.prototype.shine = function () {};
--- pages/old.js
function oldWay() {}
";

#[test]
fn what_a_module_declares_is_not_in_scope_elsewhere() {
    let tree = Tree::new(SCRIPTS);
    let text = "oldWay();\nopenTill();\nnew Till();\nshelve();\n";
    assert_eq!(
        missing(&tree.write("src/desk.js", text)),
        ["2 call openTill", "3 class Till", "4 call shelve"]
    );
}

#[test]
fn a_script_s_class_lacks_what_only_an_unrelated_one_has() {
    let tree = Tree::new(SCRIPTS);
    let text = "\
class Desk { run() { this.glow(1); this.countCoins(); } }
const desk = new Desk();
desk.glow(1);
module.exports = { Desk };
";
    assert_eq!(
        missing(&tree.write("src/desk.js", text)),
        ["1 member glow", "1 member countCoins", "3 member glow"]
    );
    let base = text.replace("Desk", "Base");
    let old = "class Base { dim() {} }\n";
    let change = |text: &str| missing(&tree.change(&[("src/open.js", Some(old), Some(text))])[0]);
    assert_eq!(change(&base), [""; 0], "it is built on elsewhere");
    assert_eq!(change("class Base { dim() { this.shine(); } }\n"), [""; 0], "put there");
}

#[test]
fn a_name_that_a_namespace_takes_over_is_declared() {
    let text = "\
import * as Pages from './pages';
export declare namespace Till {
  export import Page = Pages.Page;
}
";
    let tree = Tree::new("--- src/pages.ts\nexport class Page {}\n");
    assert_eq!(missing(&tree.write("src/till.ts", text)), Vec::<String>::new());
}

#[test]
fn what_a_bundle_holds_and_a_question_ask_for_nothing() {
    let tree = Tree::new(SCRIPTS);
    let bundle =
        "(function () {})({1:[function (require) { require('./part'); }, {'./part':2}]});\n";
    assert_eq!(missing(&tree.write("src/all.js", bundle)), Vec::<String>::new());
    assert_eq!(missing(&tree.write("src/all.js", "require('./part');\n")), ["1 module ./part"]);
    let text = "function lift() {}\nif (typeof lift.quick === 'function') lift();\nlift.slow();\n";
    assert_eq!(missing(&tree.write("src/lift.ts", text)), ["3 member slow"]);
}

#[test]
fn a_file_that_is_called_like_a_package_may_ask_for_it() {
    let tree =
        Tree::new("--- shop.gemspec\nspec.name = 'shop'\n--- lib/shop.rb\nmodule Shop; end\n");
    let check = |path: &str| missing(&tree.write(path, "require 'tiny_lamp/server'\n"));
    assert_eq!(check("lib/shop/tinylamp.rb"), Vec::<String>::new());
    assert_eq!(check("lib/shop/desk.rb"), ["1 package tiny_lamp/server"]);
}
