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
fn arguments_that_no_function_takes_are_missing() {
    let text = "\
package com.shop.desk.web
import com.shop.desk.store.Item
import com.shop.desk.store.Shape
enum class Size(val width: Int) { SMALL(width = 1), LARGE(widht = 2) }
open class Page(val title: String)
class Front : Page(titel = \"a\")
class Desk {
    fun sell(item: Item, price: Int = 1) {}
    fun sell(count: Int) {}
    fun open(item: Item) {
        sell(item, price = 2)
        sell(count = 2)
        this.sell(item, pricing = 3)
        sell(item, prize = 3)
        item.copy(size = 3)
        item.copy(siez = 3)
        Item(naem = \"a\")
        Shape(corners = 3)
        listOf(1).joinToString(separator = \"\", unheard = 1)
    }
}
";
    let expected = [
        "4 argument widht",
        "6 argument titel",
        "13 argument pricing",
        "14 argument prize",
        "16 argument siez",
        "17 argument naem",
    ];
    assert_eq!(check(text), expected);
}

#[test]
fn an_argument_that_another_file_spells_may_be_that_of_an_overload() {
    let text = "\
package com.shop.desk.web
import com.shop.desk.store.Item
fun sell(item: Item) {}
fun page(item: Item) = sell(item, corners = 3)
";
    assert_eq!(check(text), Vec::<String>::new());
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

#[test]
fn a_package_that_the_platform_lacks_is_missing() {
    let tree = Tree::new(
        "--- build.gradle\n--- a/A.kt\npackage a\nimport java.util.regex.Pattern\n\
         import android.view.View\nimport kotlin.math.abs\nval a: Pattern? = null\n",
    );
    let text = |package: &str| format!("package a\nimport {package}.View\nval b: View? = null\n");
    let check = |package: &str| missing(&tree.write("a/B.kt", &text(package)));
    for package in ["java.util.regexes", "android.views", "kotlin.maths"] {
        assert_eq!(check(package), [format!("2 module {package}")]);
    }
    for package in ["android.view", "android.support.views", "kotlin.native.views"] {
        assert_eq!(check(package), [""; 0], "{package}");
    }
}

#[test]
fn what_a_class_has_is_not_imported_from_a_package_that_is_not_there() {
    let tree = Tree::new(
        "--- build.gradle\n--- a/Till.kt\npackage com.shop.till\n\
         object Till { const val OPEN = 1 }\n",
    );
    let text = "package com.shop.page\nimport com.shop.till.coins.Till.OPEN\nval a = OPEN\n";
    assert_eq!(missing(&tree.write("b/B.kt", text)), ["2 module com.shop.till.coins"]);
}

#[test]
fn an_alias_of_what_is_not_known_does_not_make_its_package_a_library() {
    let tree = Tree::new(
        "--- build.gradle\nvendor\n--- a/Till.kt\npackage com.shop.till\n\
         import org.vendor.Either\ntypealias Coin = Either<Int, String>\nclass Till\n\
         --- b/A.kt\npackage com.shop.page\nimport com.shop.till.Coin\nval a: Coin? = null\n",
    );
    let text = "package com.shop.page\nimport com.shop.till.Tlil\nval b = Tlil()\n";
    assert_eq!(missing(&tree.write("b/B.kt", text)), ["2 import Tlil"]);
}

#[test]
fn what_is_imported_hides_a_class_of_the_file() {
    let text = "\
package com.shop.desk.page
import android.graphics.Rect
data class Rect(val x: Int) {
  companion object {
    fun of(from: Rect): com.shop.desk.page.Rect = com.shop.desk.page.Rect(from.left)
  }
}
";
    assert_eq!(check(text), Vec::<String>::new());
    assert_eq!(check(&text.replace("from.left", "from.leftmost")), ["5 member leftmost"]);
}

#[test]
fn a_function_of_the_library_that_is_called_like_a_class_lends_its_receiver() {
    let text = "\
package com.shop.desk.page
import kotlinx.serialization.json.Json
val plain = Json { ignoreUnknownKeys = true }
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn the_name_of_a_class_does_not_give_what_its_bases_have() {
    let tree = Tree::new(
        "--- build.gradle\nvendor\n--- a/Till.kt\npackage a\nimport org.vendor.Base\n\
         class Till : Base() { companion object { val coins = 1 }\n  enum class Kind { OPEN } }\n\
         enum class Size { SMALL }\n",
    );
    let text = |member: &str| {
        format!("package a\nval b = Till.{member}\nval c = Till.Kind.OPEN\nval d = Size.entries\n")
    };
    assert_eq!(missing(&tree.write("a/B.kt", &text("coins"))), [""; 0]);
    assert_eq!(missing(&tree.write("a/B.kt", &text("Companion"))), [""; 0]);
    assert_eq!(missing(&tree.write("a/B.kt", &text("zebra"))), ["2 member zebra"]);
    let made = text("coins").replace("Till.coins", "Till().render()");
    assert_eq!(missing(&tree.write("a/B.kt", &made)), [""; 0]);
}

#[test]
fn a_value_that_may_be_a_function_is_called_on_others() {
    let text = "\
package com.shop.desk.page
import com.shop.desk.store.Item
typealias Doors = Item.() -> Unit
fun open(doors: Doors) = Item(\"a\").doors()
fun shut() = Item(\"a\").windows()
";
    assert_eq!(check(text), ["5 member windows"]);
}

#[test]
fn a_class_with_annotated_accessors_is_looked_through() {
    let text = "\
package com.shop.desk.web
annotation class Kept
annotation class Bare
abstract class Page {
    @get:Kept
    @get:Bare
    abstract val name: String

    @get:Kept
    @set:Bare
    abstract var size: Int

    fun print() { this.name.length; this.print(); this.prnt() }
}
";
    assert_eq!(check(text), ["13 member prnt"]);
    assert_eq!(check(&text.replace("@set:Bare", "@set:Bar"))[0], "10 class Bar");
    assert_eq!(check(&text.replace("@get:Kept", "@get:Kpet"))[0], "5 class Kpet");
}
