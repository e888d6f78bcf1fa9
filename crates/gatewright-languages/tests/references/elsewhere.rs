//! Names that other files of the workspace spell: what they have is not what is asked for here.

use crate::tree::{Tree, missing};

const PYTHON: &str = "\
--- till.py
class Till:
    def count_coins(self):
        return 1
def open_till():
    return Till()
--- vault.py
import codecs
SIZE = 1
class Wide(Open):
    def lift(self):
        pass
--- loose.py
codecs_like.till_key = 1
--- patched.py
import lamps
lamps.glow = 1
--- lamps.py
def on():
    pass
";

#[test]
fn a_member_that_only_an_unrelated_class_has_is_missing() {
    let tree = Tree::new(PYTHON);
    let text = |class: &str, name: &str| {
        format!("class {class}:\n    def run(self):\n        self.{name}()\n")
    };
    assert_eq!(
        missing(&tree.write("desk.py", &text("Desk", "count_coins"))),
        ["3 member count_coins"]
    );
    let quiet = Vec::<String>::new();
    assert_eq!(missing(&tree.write("desk.py", &text("DeskMixin", "count_coins"))), quiet);
    assert_eq!(missing(&tree.write("desk.py", &text("Open", "lift"))), quiet, "built on elsewhere");
    let both = format!("{}class Low(Desk):\n    def lift(self): pass\n", text("Desk", "lift"));
    assert_eq!(missing(&tree.write("desk.py", &both)), quiet, "built on here");
}

#[test]
fn what_is_put_into_another_thing_is_not_in_a_module() {
    let tree = Tree::new(PYTHON);
    assert_eq!(
        missing(&tree.write("desk.py", "from lamps import till_key, glow\n")),
        ["1 import till_key"]
    );
    let changes = [
        ("desk.py", None, Some("import lamps\nlamps.dim()\n")),
        ("setup_lamps.py", None, Some("import lamps as lights\nlights.dim = print\n")),
    ];
    assert_eq!(missing(&tree.change(&changes)[0]), Vec::<String>::new());
}

#[test]
fn what_a_string_spells_is_set_only_where_something_sets_by_strings() {
    let desk = "class Desk:\n    def run(self):\n        self.shut\n";
    let check = |other: &str| missing(&Tree::new(other).write("desk.py", desk));
    assert_eq!(check("--- other.py\nWORDS = ['shut']\n"), ["3 member shut"]);
    let sets = "--- other.py\nfor word in ['shut']:\n    setattr(desk, word, 1)\n";
    assert_eq!(check(sets), Vec::<String>::new());
}

#[test]
fn a_new_file_is_asked_about_classes_that_get_names_at_run_time() {
    let tree = Tree::new(
        "--- shop.py\nclass Meta(type):\n    pass\nclass Desk(metaclass=Meta):\n    pass\n",
    );
    let text = |calls: &str| format!("from shop import Desk\ndesk = Desk()\n{calls}");
    assert_eq!(missing(&tree.write("a.py", &text("desk.zebra_of()\n"))), ["3 member zebra_of"]);
    let two = text("desk.zebra_of()\ndesk.horse_of()\n");
    assert_eq!(missing(&tree.write("a.py", &two)), Vec::<String>::new());
}

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
