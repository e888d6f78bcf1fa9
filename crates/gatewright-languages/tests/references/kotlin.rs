//! Kotlin.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- build.gradle.kts
dependencies { implementation(\"org.declared:declared-lib:1.0\") }
--- src/main/kotlin/Item.kt
package com.shop.store

import org.declared.Thing

typealias Names = List<String>
typealias Build = Builder.() -> Unit

open class Base { protected val id: Int = 0; open fun save() {} }

data class Item(val name: String, val kind: Kind = Kind.SMALL) : Base() {
    enum class Kind { SMALL, LARGE; fun label() = name }
    val parts: MutableList<Item> = mutableListOf()
    fun first() = parts.first()
    fun copyOf(): Item = this
    companion object Factory {
        const val LIMIT = 3
        fun of(name: String): Item = Item(name)
    }
}

class Builder { fun part(name: String) {}; fun build() = Item(\"x\") }

class Loose : Thing()

object Registry { val items = listOf<Item>(); fun register(item: Item) {} }

fun item(block: Build): Item = Builder().apply(block).build()
inline fun plain(block: (Item) -> Unit) {}
fun Item.describe(): String = name
val Item.size2: Int get() = 2
interface Shape { fun area(): Double }
--- src/main/java/com/shop/old/Legacy.java
package com.shop.old;
public class Legacy { private String title; public String getTitle() { return title; } public static int count() { return 1; } }
--- src/main/kotlin/Other.kt
package com.shop.web
import org.declared.deep.Known
fun helper() = 1
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("src/main/kotlin/Page.kt", text))
}

#[test]
fn what_exists_is_quiet() {
    let text = "\
package com.shop.web

import com.shop.old.Legacy
import com.shop.store.*
import com.shop.store.Item.Factory.LIMIT
import com.shop.store.describe as told
import java.io.File
import java.util.concurrent.atomic.AtomicInteger
import org.declared.Thing
import org.declared.extra.*
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

@Deprecated(\"no\")
class Page<T : Comparable<T>>(private val title: String, count: Int) : Shape {
    private val counter = AtomicInteger(count)
    private val names: Names = emptyList()
    lateinit var item: Item
    var value: T? = null
        set(new) { field = new }

    override fun area(): Double {
        val local = Item.of(\"x\").copyOf()
        local.save()
        local.describe().trim().length.toString()
        local.kind.label()
        local.parts.add(local)
        for (part in local.parts) { part.anything() }
        counter.incrementAndGet()
        with(local) { save(); println(name) }
        local.apply { parts.clear(); this.save() }
        local.let { it.save() }
        item { part(\"a\"); build() }
        plain { it.whatever(); helper() }
        val text = buildString { append(\"$title ${local.name}\") }
        val old = Legacy()
        old.title.length
        Legacy.count()
        val file = File(\"x\")
        file.readText().lines().forEach { line -> println(line.uppercase()) }
        file.absolutePath.length
        Registry.register(local)
        runBlocking { launch { helper() } }
        unknown(Thing().anything { deeper() })
        java.util.UUID.randomUUID().toString()
        names.firstOrNull()?.length
        return LIMIT.toDouble() + text.length
    }

    private fun unknown(any: Any) { if (any is Item) any.save() }
    private fun cast(shape: Shape) = when (shape) { is Page<*> -> shape.title; else -> \"\" }
    private val lazyValue by lazy { File(\"y\") }
    fun <R> run2(block: () -> R): R = block()
    val listener = object : Runnable { override fun run() { unknown(1); inner() }; fun inner() {} }
    inner class Deep { fun go() = this@Page.area() }
}

fun Page<Int>.own() { area(); helper() }

@RequiresOptIn(level = RequiresOptIn.Level.ERROR)
annotation class Unstable
";
    assert_eq!(check(text), [] as [&str; 0]);
}

#[test]
fn what_is_invented_is_missing() {
    let text = "\
package com.shop.web

import com.shop.store.Item
import com.shop.store.Nothing1
import com.shop.store.missingFun
import com.shop.nowhere.Thing
import com.invented.Client
import java.io.File
import java.io.Fille
import kotlin.math.maxx

class Page : Shape2() {
    private val item = Item(\"a\")
    fun run(file: File, made: Item) {
        this.walk()
        item.nameOf
        made.invented()
        Item.create(\"x\")
        file.readAll()
        val name: String = \"x\"
        name.shorten()
        undefined(1)
        Unheard()
        val list = mutableListOf<Strange>()
        list.push(1)
        made.apply { invented2() }
        listOf(1).forEach { other3(it) }
    }
}
";
    let found = check(text);
    let expected = [
        "4 import Nothing1",
        "5 import missingFun",
        "6 package com.shop.nowhere",
        "7 package com.invented",
        "9 import Fille",
        "10 import maxx",
        "12 class Shape2",
        "16 member nameOf",
        "17 member invented",
        "18 member create",
        "19 member readAll",
        "21 member shorten",
        "23 class Unheard",
        "24 class Strange",
        "25 member push",
    ];
    assert_eq!(found, expected);
}

#[test]
fn calls_in_a_closed_class_are_missing() {
    let text = "\
package com.shop.web

import com.shop.store.Item

class Page {
    fun run(made: Item) {
        this.stroll()
        undefined(1)
        made.apply { invented() }
        listOf(1).forEach { other(it) }
        made.strange { any() }
    }
    companion object { fun build() = made() }
}
fun top() = nothing()
";
    let expected = [
        "7 member stroll",
        "8 call undefined",
        "9 call invented",
        "10 call other",
        "11 member strange",
        "13 call made",
        "15 call nothing",
    ];
    assert_eq!(check(text), expected);
}

#[test]
fn a_definition_in_the_same_change_is_there() {
    let tree = Tree::new(PROJECT);
    let user = "package com.shop.web\nimport com.shop.fresh.Fresh\nimport com.shop.fresh.make\n\
                fun go() { make().work(); Fresh().work(); helper2() }\n";
    let made = "package com.shop.fresh\nclass Fresh { fun work() {} }\nfun make() = Fresh()\n";
    let beside = "package com.shop.web\nfun helper2() {}\n";
    let facts = tree.change(&[
        ("src/main/kotlin/User.kt", None, Some(user)),
        ("src/main/kotlin/Made.kt", None, Some(made)),
        ("src/main/kotlin/Beside.kt", None, Some(beside)),
    ]);
    assert_eq!(missing(&facts[0]), [] as [&str; 0]);
}

#[test]
fn what_cannot_be_told_is_left_alone() {
    let text = "\
package com.shop.web

import com.shop.store.Loose
import org.declared.Widget
import org.declared.all.*

class Page : Widget() {
    fun run(loose: Loose) {
        this.anything()
        inherited()
        loose.anything()
        Widget.build { dsl() }
        fromStar()
    }
}
";
    assert_eq!(check(text), [] as [&str; 0]);
}

#[test]
fn scripts_and_context_receivers_are_left_alone() {
    let script = "import com.shop.store.Gone\nplugins { kotlin(\"jvm\") }\nval x: Jar = tasks.named(\"y\")\n";
    let facts = Tree::new(PROJECT).write("other.gradle.kts", script);
    assert_eq!(missing(&facts), ["1 import Gone"]);
    let text = "package com.shop.web\n\ncontext(Logger)\nfun log() { info(1) }\n";
    assert!(!check(text).iter().any(|found| found.contains("info")));
}

#[test]
fn deep_and_broken_code_is_survived() {
    let deep = format!("fun f() = {}1{}\n", "(".repeat(3_000), ")".repeat(3_000));
    assert_eq!(check(&deep), [] as [&str; 0]);
    check("class A : B by { fun fun val (((( \"${ \n}}} import x.");
    let nested = |depth: usize| {
        format!("fun f() {{ {} x {} }}\n", "run { ".repeat(depth), "}".repeat(depth))
    };
    check(&nested(500));
    assert_eq!(check(&nested(5)), ["1 name x"]);
}

#[test]
fn a_package_that_is_not_known_explains_names_but_not_the_first_of_a_change() {
    let head = "package com.shop.web\nimport org.declared.all.*\n";
    let many = format!("{head}fun go(a: First, b: Second) {{ third(a, b) }}\n");
    assert_eq!(check(&many), [] as [&str; 0]);
    let old = format!("{head}fun go(a: Known) {{ helper() }}\n");
    let one = format!("{head}fun go(a: Known, b: Second) {{ helper() }}\n");
    assert_eq!(check(&one), [] as [&str; 0]);
    let change = [("src/main/kotlin/Page.kt", Some(old.as_str()), Some(one.as_str()))];
    assert_eq!(missing(&Tree::new(PROJECT).change(&change)[0]), ["3 class Second"]);
}

#[test]
fn a_file_in_a_package_of_a_library_uses_what_the_library_has_there() {
    let text = "\
package com.vendor.drawing

import com.vendor.drawing.Canvas.LIMIT

internal fun paint(style: Canvas.Style?, other: Brush) = LIMIT
";
    assert_eq!(check(text), Vec::<String>::new());
    let text = "package com.vendor.drawing\n\ninternal fun paint(other: Brush) = other\n";
    assert_eq!(check(text), ["3 class Brush"]);
}

#[test]
fn an_import_may_be_meant_where_an_interface_holds_the_same_name() {
    let tree = Tree::new(&format!(
        "{PROJECT}--- src/main/kotlin/Field.kt\npackage com.shop.data\n\n\
         interface Field<T> {{\n    interface Rows<T> : Field<T>\n}}\n"
    ));
    let text = "\
package com.shop.data

import org.declared.Rows

object Starred : Field.Rows<Int> {
    val column = Rows.STARRED
}
";
    assert_eq!(missing(&tree.write("src/main/kotlin/Starred.kt", text)), Vec::<String>::new());
}

#[test]
fn a_word_that_the_parser_cut_in_two_is_no_name() {
    let text = "\
package com.shop.web

fun interface Query {
    suspend fun run(names: Array<String>): Int
}
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn a_word_of_another_platform_is_a_plain_name() {
    let text = "\
package com.shop.web

class Style(private val payload: Payload) {
    private var isImage = false

    init {
        val dynamic = payload.of()
        if (dynamic.kind() == 1) {
            val array = dynamic.asArray()
        }
    }

    fun image(): Boolean = isImage
}

class Payload {
    fun of(): Payload = this
    fun kind(): Int = 1
    fun asArray(): Payload = this
}
";
    assert_eq!(check(text), Vec::<String>::new());
    let invented = text.replace("dynamic.asArray", "dynamic.asZebra");
    assert_eq!(check(&invented), ["9 member asZebra"]);
}

#[test]
fn a_block_of_a_small_language_lends_names() {
    let tree = Tree::new("--- build.gradle.kts\norg.declared\n");
    let text = "\
package com.shop.web

import org.declared.Base
import org.declared.Definition

class Desk : Base() {
    override fun definition() = Definition {
        Name(\"desk\")
    }
    fun other() = Zebra()
}
";
    assert_eq!(missing(&tree.write("src/Desk.kt", text)), ["10 class Zebra"]);
}

#[test]
fn a_property_of_java_may_be_written_in_capitals() {
    let text = "\
package com.shop.web

import javax.crypto.Cipher

fun first(cipher: Cipher) = cipher.iv
fun second(cipher: Cipher) = cipher.vi
";
    assert_eq!(check(text), ["6 member vi"]);
}

#[test]
fn functions_may_each_have_a_class_of_the_same_name() {
    let text = "\
package com.shop.web

fun first() {
    class App(val one: Int)
    println(App(1).one)
}
fun second() {
    class App(val two: Int)
    val app = App(1)
    println(app.two)
}
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn classes_of_android_are_known() {
    let text = "\
package com.shop.web

import android.content.Context
import android.content.Intnt
import android.os.Build
import android.util.Log
import android.view.View
import android.widget.FrameLayout
import android.R as Platform

class Page(context: Context) : FrameLayout(context) {
    private val chip: View = View(context)
    fun show() {
        Log.d(\"page\", \"shown\")
        Log.debug(\"page\", \"shown\")
        chip.visibility = View.GONE
        chip.layoutParams.width = 3
        chip.visible = true
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) addView(chip)
        addChip(chip)
        println(Platform.attr.colorPrimary)
        context.startActivity(null)
    }
}
";
    assert_eq!(
        check(text),
        ["4 import Intnt", "15 member debug", "18 member visible", "20 call addChip"]
    );
}

#[test]
fn packages_of_android_that_no_table_has_are_left_alone() {
    let text = "\
package com.shop.web

import android.app.job.JobService
import android.support.v7.app.AppCompatActivity

class Page : AppCompatActivity() {
    fun start(job: JobService) = job.jobFinished(null, false)
}
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn a_package_named_like_a_platform_is_checked() {
    let text = "package com.shop.js\n\nfun page() = inventedPage()\n";
    let tree = Tree::new(PROJECT);
    let found = missing(&tree.write("src/main/kotlin/com/shop/js/Page.kt", text));
    assert_eq!(found, ["3 call inventedPage"]);
    let found = missing(&tree.write("src/jsMain/kotlin/com/shop/js/Page.kt", text));
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn an_annotation_class_without_a_body_is_declared() {
    let text = "\
package com.shop.web

@Retention(AnnotationRetention.RUNTIME)
@Target(AnnotationTarget.CLASS)
annotation class Marked";
    assert_eq!(check(text), Vec::<String>::new());
    let text = "package com.shop.web\n\nannotation class Many(\n    @get:JvmName(\"v\")\n    \
        val lines: IntArray = [],\n    @get:JvmName(\"n\")\n    val names: Array<String> = []\n)\n";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn what_stands_behind_a_sign_is_checked() {
    let text = "\
package com.shop.web

import com.shop.store.Item

fun go(item: Item): Int {
    if (!Item.nothing(\"x\")) return 1
    if (!item.gone()) return 2
    if (!inventedCheck(item)) return 3
    if (!item.name.isEmpty()) return -helper()
    return -item.copyOf().weight
}
";
    assert_eq!(
        check(text),
        ["6 member nothing", "7 member gone", "8 call inventedCheck", "10 member weight"]
    );
}

#[test]
fn a_class_is_never_lent_by_the_receiver_of_a_lambda() {
    let text = "\
package com.shop.web

import com.shop.store.Item
import org.declared.build

fun go() = build {
    lent(Item(\"x\"))
    lent(InventedItem(\"x\"))
}
";
    assert_eq!(check(text), ["8 class InventedItem"]);
}

#[test]
fn an_imported_extension_may_share_its_name_with_a_method_of_java() {
    let text = "\
package com.shop.web

import android.content.SharedPreferences
import androidx.core.content.edit

fun save(prefs: SharedPreferences) = prefs.edit { putFloat(\"x\", 1f) }
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn a_local_function_may_call_itself_and_throwables_have_properties_of_java() {
    let text = "\
package com.shop.web

fun find(start: Int): Int {
    tailrec fun walk(at: Int): Int = if (at > 9) at else walk(at + 1)
    return walk(start)
}

fun say(error: Throwable): String? = error.localizedMessage
";
    assert_eq!(check(text), [""; 0]);
}
