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
