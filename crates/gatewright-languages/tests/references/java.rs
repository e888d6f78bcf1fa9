//! Java.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- pom.xml
<project><dependencies><dependency>
<groupId>org.declared</groupId><artifactId>declared-lib</artifactId>
</dependency></dependencies></project>
--- src/main/java/com/shop/store/Item.java
package com.shop.store;

import java.util.List;

public class Item extends Base implements Comparable<Item> {
    public static final Item EMPTY = new Item();
    private String name;
    private Kind kind = Kind.SMALL;
    enum Kind { SMALL, LARGE; String label() { return name(); } }
    public static Item of(String name) { return new Item(); }
    public String name() { return name; }
    public List<Item> parts() { return null; }
    public int compareTo(Item other) { return 0; }
    public static class Builder { public Item build() { return EMPTY; } }
}
class Hidden { void run() {} }
--- src/main/java/com/shop/store/Base.java
package com.shop.store;
public abstract class Base { protected int id; public void save() {} }
--- src/main/java/com/shop/store/Point.java
package com.shop.store;
public record Point(int x, Item item) {}
--- src/main/java/com/shop/web/Modern.kt
package com.shop.web
class Modern
--- src/main/java/com/shop/web/Other.java
package com.shop.web;
import org.declared.Thing;
class Other extends Thing {}
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("src/main/java/com/shop/web/Page.java", text))
}

#[test]
fn what_exists_is_quiet() {
    let text = "\
package com.shop.web;

import static java.util.Objects.requireNonNull;
import com.shop.store.*;
import com.shop.store.Item.Builder;
import java.util.*;
import java.util.function.Function;
import org.declared.Thing;
import org.declared.deep.*;

@Deprecated
public class Page<T extends Comparable<T>> extends Other {
    private final Map<String, List<Item>> items = new HashMap<>();
    private Point point;
    T value;

    @Override
    public String toString() {
        Item item = Item.of(\"x\");
        item.save();
        item.name().trim().length();
        var built = new Builder().build();
        built.save();
        for (Item part : item.parts()) { part.name(); }
        items.forEach((name, list) -> list.get(0).anything());
        Function<Item, String> f = Item::name;
        if (requireNonNull(built) instanceof Item other && other.compareTo(item) > 0) { return null; }
        point.item().save();
        int x = point.x() + items.size();
        try (java.io.StringReader reader = new java.io.StringReader(\"\")) {
            reader.read();
        } catch (java.io.IOException | RuntimeException error) {
            error.printStackTrace();
        }
        inheritedFromThing(x, value, f);
        Runnable run = new Runnable() {
            int count;
            public void run() { count++; helper(); this.count = 2; }
        };
        return new Modern() + Entry.class.getName() + getClass().getSimpleName();
    }

    private void helper() { Thing.anything(); LocalKind.A.name(); }
    enum LocalKind { A, B }
    interface Entry {}
}
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn what_is_missing_is_found() {
    let text = "\
package com.shop.web;

import com.shop.store.Item;
import com.shop.store.Itm;
import com.shop.shelf.Box;
import com.fastlib.Client;
import java.util.Lisst;
import static com.shop.store.Item.off;

public class Page {
    private Item item;
    private Missng field;
    @Overide
    void run(Item other, String text) {
        this.walk();
        this.itm = null;
        item.remove();
        other.name().trimm();
        Item.make();
        Item local = new Item();
        local.delete();
        undefinedCall();
        new Unknwn();
        undefinedName.run();
        Math.maxx(1, 2);
    }
}
";
    assert_eq!(
        check(text),
        [
            "4 import Itm",
            "5 module com.shop.shelf",
            "6 package com.fastlib",
            "7 import Lisst",
            "8 import off",
            "12 class Missng",
            "13 class Overide",
            "15 member walk",
            "16 member itm",
            "17 member remove",
            "18 member trimm",
            "19 member make",
            "21 member delete",
            "22 call undefinedCall",
            "23 class Unknwn",
            "24 name undefinedName",
            "25 member maxx",
        ]
    );
}

#[test]
fn what_an_annotation_processor_adds_is_unknown() {
    let text = "\
package com.shop.web;
import lombok.Data;
@Data
public class Page { private String name; void run() { getName(); this.setName(\"x\"); } }
";
    let facts = Tree::new(PROJECT).write("src/main/java/com/shop/web/Page.java", text);
    let calls: Vec<_> = facts.missing.iter().filter(|it| it.kind != "package").collect();
    assert!(calls.is_empty(), "{calls:?}");
    assert!(facts.unknown.contains_key("annotation processor"));
}

#[test]
fn a_definition_of_the_same_change_set_counts() {
    let page = "package com.shop.web;\nimport com.shop.fresh.Fresh;\n\
                class Page { void run(Fresh fresh) { fresh.go(); new Near().near(); } }\n";
    let facts = Tree::new(PROJECT).change(&[
        ("src/main/java/com/shop/web/Page.java", None, Some(page)),
        (
            "src/main/java/com/shop/fresh/Fresh.java",
            None,
            Some("package com.shop.fresh;\npublic class Fresh { public void go() {} }\n"),
        ),
        (
            "src/main/java/com/shop/web/Near.java",
            None,
            Some("package com.shop.web;\nclass Near { void near() {} }\n"),
        ),
    ]);
    assert_eq!(missing(&facts[0]), Vec::<String>::new());
}

#[test]
fn deep_and_broken_text_is_answered() {
    let path = "src/main/java/com/shop/web/Page.java";
    let deep = format!("class Page {{ int x = {}1{}; }}\n", "(".repeat(5000), ")".repeat(5000));
    assert!(Tree::new(PROJECT).write(path, &deep).missing.is_empty());
    let cyclic = "package com.shop.web;\nclass Page extends Next {}\nclass Next extends Page { \
                  void f() { this.lost(); } }\n";
    assert!(Tree::new(PROJECT).write(path, cyclic).missing.is_empty());
}

#[test]
fn names_of_test_libraries_are_known() {
    let text = "\
package com.shop.web;

import static org.junit.Assert.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSimilar;
import org.junit.Test;
import org.junit.Tset;

public class PageTest {
    @Test
    public void works() { assertTrue(true); assertEquals(1, 1); assertMaybe(1); }
}
";
    let expected = ["5 import assertSimilar", "7 import Tset", "11 call assertMaybe"];
    assert_eq!(check(text), expected);
}

#[test]
fn a_package_that_is_not_known_explains_many_classes_but_not_one_alone() {
    let head = "package com.shop.web;\nimport org.declared.all.*;\n";
    let many = format!("{head}class Page {{ First first; Second second; }}\n");
    assert_eq!(check(&many), [] as [&str; 0]);
    let one = format!("{head}class Page {{ Second second; }}\n");
    assert_eq!(check(&one), ["3 class Second"]);
}

#[test]
fn methods_may_each_have_a_class_of_the_same_name() {
    let text = "\
package a;

class Desk {
    void first() {
        class App { int one; }
        System.out.println(new App().one);
    }
    void second() {
        class App { int two; }
        App app = new App();
        System.out.println(app.two);
        System.out.println(app.three);
    }
}
";
    assert_eq!(missing(&Tree::new("--- b.txt\n").write("a/Desk.java", text)), ["12 member three"]);
}

#[test]
fn a_common_word_of_a_build_file_declares_no_package() {
    let build = "<project><name>client</name><artifactId>shop-client</artifactId></project>\n";
    let tree = Tree::new(&format!("--- pom.xml\n{build}--- a/A.java\npackage a;\nclass A {{}}\n"));
    let text = "package a;\nimport com.fastlib.client.Thing;\nclass B {}\n";
    assert_eq!(missing(&tree.write("a/B.java", text)), ["2 package com.fastlib.client"]);
}

#[test]
fn a_part_of_a_word_of_build_files_declares_no_package() {
    let build = "dependencies { api('a:b:1') { transitive = true } }\n";
    let tree =
        Tree::new(&format!("--- build.gradle\n{build}--- a/A.java\npackage a;\nclass A {{}}\n"));
    let text = "package a;\nimport com.fastlib.transit.Thing;\nclass B {}\n";
    assert_eq!(missing(&tree.write("a/B.java", text)), ["2 package com.fastlib.transit"]);
}

#[test]
fn a_package_that_the_jdk_lacks_is_missing_whatever_is_imported_from_it() {
    let text = "package com.shop.web;\nimport java.util.regexes.Pattern;\nclass B { Pattern p; }\n";
    let tree = Tree::new(
        "--- pom.xml\n--- src/main/java/com/shop/web/A.java\npackage com.shop.web;\n\
         import java.util.regex.Pattern;\nclass A { Pattern p; }\n",
    );
    let found = missing(&tree.write("src/main/java/com/shop/web/B.java", text));
    assert_eq!(found, ["2 module java.util.regexes"]);
}

#[test]
fn a_package_that_android_lacks_is_missing_but_not_what_comes_apart_from_it() {
    let tree = Tree::new("--- build.gradle\n--- a/A.java\npackage a;\nclass A {}\n");
    let text =
        |package: &str| format!("package a;\nimport {package}.View;\nclass B {{ View v; }}\n");
    let check = |package: &str| missing(&tree.write("a/B.java", &text(package)));
    assert_eq!(check("android.views"), ["2 module android.views"]);
    assert_eq!(check("android.view"), [""; 0]);
    assert_eq!(check("android.support.views"), [""; 0]);
}

#[test]
fn a_class_that_two_folders_declare_has_what_either_has() {
    let tree = Tree::new(
        "--- pom.xml\n--- one/com/shop/web/A.java\npackage com.shop.web;\n\
         class A { void run() {} }\n--- two/com/shop/web/A.java\npackage com.shop.web;\n\
         class A { void run() {} void stop() {} }\n",
    );
    let old =
        "package com.shop.web;\nclass B {\n  void f(A a) {\n    a.run();\n    a.stop();\n  }\n}\n";
    let new = old.replace("a.stop();\n", "a.stop();\n    a.pause();\n");
    let path = "one/com/shop/web/B.java";
    assert_eq!(missing(&tree.change(&[(path, Some(old), Some(&new))])[0]), ["6 member pause"]);
    assert_eq!(missing(&tree.write(path, &new)), [""; 0], "one of the copies may be old");
}

#[test]
fn what_is_imported_from_a_class_makes_no_package_of_another() {
    let tree = Tree::new(
        "--- pom.xml\n--- src/com/github/shop/Till.java\npackage com.github.shop;\n\
         public class Till { public static void open() {} }\n\
         --- src/com/github/shop/web/A.java\npackage com.github.shop.web;\n\
         import static com.github.shop.Till.open;\nclass A { void f() { open(); } }\n",
    );
    let text = "package com.github.shop.web;\nimport static com.github.shop.Till.open;\n\
                import com.github.shop.coins.Coin;\nclass B { Coin c; void f() { open(); } }\n";
    let found = missing(&tree.write("src/com/github/shop/web/B.java", text));
    assert_eq!(found, ["3 module com.github.shop.coins"]);
}

#[test]
fn an_import_may_have_comments_inside() {
    let text = "package com.shop.web;\nimport java.io./* here */File // of a disk\n;\n\
                class Page { File file; }\n";
    assert_eq!(check(text), [""; 0]);
}

#[test]
fn a_copy_of_a_class_may_inherit_from_somewhere_else() {
    let tree = Tree::new(
        "--- pom.xml\n--- one/com/shop/web/A.java\npackage com.shop.web;\n\
         import com.shop.old.Base;\nclass A extends Base {}\n\
         --- one/com/shop/old/Base.java\npackage com.shop.old;\npublic class Base {}\n\
         --- two/com/shop/web/A.java\npackage com.shop.web;\n\
         import com.shop.next.Base;\nclass A extends Base {}\n\
         --- two/com/shop/next/Base.java\npackage com.shop.next;\n\
         public class Base { protected void stop() {} }\n",
    );
    let path = "two/com/shop/web/B.java";
    let text = |member: &str| {
        format!("package com.shop.web;\nclass B {{\n  void f(A a) {{\n    {member}\n  }}\n}}\n")
    };
    let change = |member: &str| {
        let (old, new) = (text(""), text(member));
        missing(&tree.change(&[(path, Some(old.as_str()), Some(new.as_str()))])[0])
    };
    assert_eq!(change("a.stop();"), [""; 0]);
    assert_eq!(change("a.pause();"), ["4 member pause"]);
}

#[test]
fn what_builds_and_libraries_bring_is_left_alone() {
    let tree = Tree::new(
        "--- build.gradle\nnamespace 'com.shop.app'\nimplementation 'io.till:sdk:1'\n\
         --- a/src/com/shop/app/web/A.java\npackage com.shop.app.web;\n\
         import io.till.sdk.Till;\nimport okhttp3.Interceptor;\nclass A { Till till; Interceptor i; }\n\
         --- a/src/io/till/react/T.java\npackage io.till.react;\nclass T {}\n",
    );
    let page = "\
package com.shop.app.web;
import com.shop.app.BuildConfig;
import okhttp3.Interceptor;
class Page extends NativePageSpec {
    boolean debug = BuildConfig.DEBUG;
    Interceptor made = new Interceptor() { public Object intercept(Chain chain) { return chain; } };
}
";
    assert_eq!(missing(&tree.write("a/src/com/shop/app/web/Page.java", page)), [] as [&str; 0]);
    let inside = "package io.till.sdk.api;\nclass Head { Object o = HeaderOfTill.make(); }\n";
    assert_eq!(missing(&tree.write("a/src/io/till/sdk/api/Head.java", inside)), [] as [&str; 0]);
    let beside = "\
package io.till.react.expo;
import io.till.sdk.Till;
import io.till.errors.TillError;
import io.till.sdk.coins.Coin;
class Host { Till till; TillError error; Coin coin; }
";
    assert_eq!(missing(&tree.write("a/src/io/till/react/expo/Host.java", beside)), [] as [&str; 0]);
}

#[test]
fn members_of_swing_and_of_other_wide_packages_of_the_jdk_are_known() {
    let text = "\
package com.shop.web;
import java.awt.BorderLayout;
import javax.naming.InitialContext;
import javax.swing.*;
class Till extends JDialog {
    private final JCheckBox paid = new JCheckBox();
    void open(JMenuItem item) throws Exception {
        setLayout(new BorderLayout());
        add(paid, BorderLayout.CENTER);
        this.setResizable(true);
        paid.setSelected(paid.isVisible());
        item.setEnabled(true);
        new InitialContext().lookup(\"till\");
        getRootPane().getActionMap();
        this.sealResizable(true);
        paid.isSelectedTwice();
        item.setEnablement(true);
        getRootPaneInPlace();
    }
}
";
    assert_eq!(
        check(text),
        [
            "15 member sealResizable",
            "16 member isSelectedTwice",
            "17 member setEnablement",
            "18 call getRootPaneInPlace",
        ]
    );
}
