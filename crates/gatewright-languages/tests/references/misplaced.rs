//! Java and Kotlin: classes of the workspace that are imported from where they are not.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- pom.xml
<project></project>
--- src/main/java/com/shop/store/Item.java
package com.shop.store;
public class Item {}
--- src/main/java/com/shop/store/Made.java
package com.shop.store;
public class Made {}
--- src/main/java/com/shop/web/Other.java
package com.shop.web;
import com.shop.store.Item;
class Other { Item item; Made made; }
--- src/main/java/com/shop/web/Third.java
package com.shop.web;
import com.shop.store.Made;
class Third { Made made; }
--- src/main/java/com/shop/tools/Shelf.kt
package com.shop.tools
class Shelf
";

#[test]
fn a_class_imported_from_another_package_of_the_workspace_is_missing() {
    let text = "package com.shop.cart;\nimport com.shop.web.Item;\nclass Page { Item item; }\n";
    let found = Tree::new(PROJECT).write("src/main/java/com/shop/cart/Page.java", text);
    assert_eq!(missing(&found), ["2 import Item"]);
    let text = "package com.shop.cart\nimport com.shop.web.Item\nimport com.shop.web.Shelf\n\
                class Page(val item: Item, val shelf: Shelf)\n";
    let found = Tree::new(PROJECT).write("src/main/java/com/shop/cart/Page.kt", text);
    assert_eq!(missing(&found), ["2 import Item", "3 import Shelf"]);
}

#[test]
fn a_class_that_the_package_itself_uses_may_be_made_there() {
    let text = "package com.shop.cart;\nimport com.shop.web.Made;\nclass Page { Made made; }\n";
    let found = Tree::new(PROJECT).write("src/main/java/com/shop/cart/Page.java", text);
    assert_eq!(missing(&found), [] as [&str; 0]);
}

#[test]
fn a_class_that_others_import_from_there_may_be_made_there() {
    let other = "package com.shop.cart;\nimport com.shop.web.Item;\nclass Cart { Item item; }\n";
    let text = "package com.shop.cart;\nimport com.shop.web.Item;\nclass Page { Item item; }\n";
    let project = format!("{PROJECT}--- src/main/java/com/shop/cart/Cart.java\n{other}");
    let found = Tree::new(&project).write("src/main/java/com/shop/cart/Page.java", text);
    assert_eq!(missing(&found), [] as [&str; 0]);
}

#[test]
fn a_package_called_like_that_of_the_class_but_for_one_part_is_missing() {
    let tree = Tree::new(PROJECT);
    let path = "src/main/java/com/shop/cart/Page.java";
    let text =
        "package com.shop.cart;\nimport com.activeshop.store.Item;\nclass Page { Item it; }\n";
    assert_eq!(missing(&tree.write(path, text)), ["2 module com.activeshop.store"]);
    // A build that names the part may bring it.
    let built = "--- pom.xml\n<project><groupId>com.activeshop</groupId></project>\n";
    let tree = Tree::new(&PROJECT.replace("--- pom.xml\n<project></project>\n", built));
    assert_eq!(missing(&tree.write(path, text)), [] as [&str; 0]);
}

#[test]
fn a_package_right_below_one_of_a_single_part_is_the_workspaces_own() {
    let project = "\
--- pom.xml
<groupId>info.till</groupId>
--- src/main/java/till/Till.java
package till;
public class Till {}
";
    let text =
        "package till.test;\nimport till.Till;\nimport till.odd.Coin;\nclass Page { Coin it; }\n";
    let found = Tree::new(project).write("src/test/java/till/test/Page.java", text);
    assert_eq!(missing(&found), ["3 module till.odd"]);
}

#[test]
fn a_package_of_an_artifact_with_a_short_name_is_declared() {
    let path = "src/main/java/com/shop/cart/Page.java";
    let text = "package com.shop.cart;\nimport org.h2.tools.Csv;\nclass Page { Csv it; }\n";
    assert_eq!(missing(&Tree::new(PROJECT).write(path, text)), ["2 package org.h2.tools"]);
    for build in ["pom.xml\n<artifactId>h2</artifactId>\n", "build.gradle\n'com.h2base:h2:1.4'\n"] {
        let tree = Tree::new(&PROJECT.replace("pom.xml\n<project></project>\n", build));
        assert_eq!(missing(&tree.write(path, text)), [] as [&str; 0], "{build}");
    }
}

#[test]
fn of_a_dotted_name_the_first_part_that_is_not_there_is_missing() {
    let other = "--- src/main/java/com/shop/web/Use.java\npackage com.shop.web;\n\
                 class Use { class Inside {} Inside inside; }\n";
    let tree = Tree::new(&format!("{PROJECT}{other}"));
    let text = "package com.shop.web;\nimport com.shop.store.Item;\n\
                class Page { Itme.Inside one; Item.Sort.Inside two; }\n";
    let found = tree.write("src/main/java/com/shop/web/Page.java", text);
    assert_eq!(missing(&found), ["3 class Itme", "3 class Sort"]);
    let text = "package com.shop.web\nimport com.shop.store.Item\n\
                class Page(val one: Itme.Inside, val two: Item.Sort.Inside)\n";
    let found = tree.write("src/main/java/com/shop/web/Page.kt", text);
    assert_eq!(missing(&found), ["3 class Itme", "3 class Sort"]);
}
