//! Kotlin: arguments by name, packages that are called like classes, names that builds make.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- android/build.gradle
dependencies { implementation 'com.github.someone:TAndroidLame:1.0' }
--- src/com/shop/desk/Utils/Texts.kt
package com.shop.desk.Utils
class Texts { fun join() {} }
--- src/com/shop/desk/store/Item.kt
package com.shop.desk.store
data class Item(val name: String, var size: Int = 1) {
    constructor(whole: Item) : this(whole.name)
}
class Made private constructor(val id: Int) {
    companion object { operator fun invoke(number: Int) = Made(id = number) }
}
interface Shape
fun Shape(corners: Int): Shape = object : Shape {}
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("src/com/shop/desk/page/Page.kt", text))
}

#[test]
fn arguments_that_no_constructor_takes_are_missing() {
    let text = "\
package com.shop.desk.web
import com.shop.desk.store.*
fun page(old: Item) {
    Item(name = \"a\", size = 2)
    Item(whole = old)
    Made(number = 1)
    Shape(corners = 3)
    Item(naem = \"a\")
    Item(\"a\", siez = 2)
}
";
    assert_eq!(check(text), ["8 argument naem", "9 argument siez"]);
}

#[test]
fn a_package_may_be_called_like_a_class() {
    let head = "package com.shop.desk\nimport com.shop.desk.Utils.";
    let real = format!("{head}Texts\nfun page() {{ Texts().join() }}\n");
    assert_eq!(check(&real), Vec::<String>::new());
    let invented = format!("{head}Phrases\nfun page() {{ Unheard() }}\n");
    assert_eq!(check(&invented), ["2 import Phrases", "3 class Unheard"]);
}

#[test]
fn a_class_of_the_workspace_lies_in_no_package_that_is_called_almost_like_its_own() {
    let text = |import: &str| format!("package com.shop.desk.web\nimport {import}\n");
    let beside = check(&text("com.shop.desck.store.Item"));
    assert_eq!(beside, ["2 module com.shop.desck.store"]);
    assert_eq!(check(&text("com.shop.desk.store.Item")), Vec::<String>::new());
}

#[test]
fn what_a_build_file_names_in_another_case_is_declared() {
    let text = "package com.shop.desk.web\nimport com.naman14.androidlame.LameBuilder\n";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn only_what_generators_are_known_to_make_is_left_alone() {
    let text = "\
package com.shop.desk.web
class A : NativeDeskSpec()
class B : HybridDeskSpec()
class C : StrangeDeskSpec()
";
    assert_eq!(check(text), ["4 class StrangeDeskSpec"]);
}

#[test]
fn a_prefix_with_one_package_of_the_workspace_may_be_that_of_a_library() {
    let tree = Tree::new(
        "--- build.gradle\nimplementation project(':nitro')\n--- src/com/till/nitro/coin/A.kt\n\
         package com.till.nitro.coin\nclass A\n",
    );
    let text =
        "package com.till.nitro.coin\nimport com.till.nitro.core.Hybrid\nclass B(val h: Hybrid)\n";
    assert_eq!(missing(&tree.write("src/com/till/nitro/coin/B.kt", text)), Vec::<String>::new());
}

#[test]
fn a_word_of_the_language_is_no_name() {
    let text = "\
package com.shop.desk.page
@FunctionalInterface
fun interface Decorator {
  fun decorate(text: String): String
}
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn annotations_in_a_row_are_looked_up_one_by_one() {
    let text = |second: &str| {
        format!(
            "\
package com.shop.desk.page
annotation class Kept(val why: String)
annotation class Shown
@Kept(\"a\") @{second}
@java.lang.Deprecated class Page
class Next(@get:Kept(\"b\") @field:Shown val a: Int)
"
        )
    };
    assert_eq!(check(&text("Shown")), Vec::<String>::new());
    assert_eq!(check(&text("Shwon")), ["4 class Shwon"]);
}
