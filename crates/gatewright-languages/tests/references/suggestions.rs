//! What is near a name that is missing, and lies beside it.

use crate::tree::Tree;

fn near(project: &str, path: &str, text: &str) -> Vec<String> {
    let facts = Tree::new(project).write(path, text);
    facts.missing.into_iter().map(|missing| missing.suggestions.join(" ")).collect()
}

#[test]
fn a_script_is_told_the_files_beside_the_one_that_is_missing() {
    let project = "\
--- src/util.ts
export const a = 1;
--- src/deep/basket.ts
export const b = 1;
";
    let text = "import { a } from './utl';\nimport { b } from './deep/baskt.js';\n";
    assert_eq!(near(project, "src/a.ts", text), ["./util", "./deep/basket.js"]);
}

#[test]
fn go_is_told_the_packages_beside_the_one_that_is_missing() {
    let project = "\
--- go.mod
module example.com/shop
--- till/till.go
package till
--- order/order.go
package order
";
    let text = "package main\n\nimport (\n\t\"example.com/shop/tlil\"\n\t\"net/htp\"\n)\n";
    assert_eq!(near(project, "main.go", text), ["example.com/shop/till", "net/http net net/mail"]);
}

#[test]
fn java_is_told_the_classes_of_the_package() {
    let project = "\
--- com/shop/Basket.java
package com.shop;
public class Basket {}
";
    let text = "package com.till;\n\nimport com.shop.Baskt;\n\nclass A { Baskt b; }\n";
    assert_eq!(near(project, "com/till/A.java", text)[0], "Basket");
}
