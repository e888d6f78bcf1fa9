//! Rust and Go: well-known packages that are not installed and whose names are known all the same.

use crate::tree::{Tree, missing};

fn rust(version: &str, text: &str) -> Vec<String> {
    let project = format!(
        "--- Cargo.toml\n[package]\nname = \"till\"\nedition = \"2021\"\n[dependencies]\n\
         serde_json = \"{version}\"\nother = \"1\"\n--- src/lib.rs\n"
    );
    missing(&Tree::new(&project).write("src/main.rs", text))
}

const RUST: &str = "\
use serde_json::{json, Map, Value, Valued};
use serde_json as text;
use other::Anything;
fn f(value: &Value, map: Map<String, Value>, _: Valued, _: Anything) {
    let _ = serde_json::from_str::<Value>(\"1\");
    let _ = text::from_strings(\"1\");
    let _ = Value::from(1);
    let _ = Value::Decimal;
    value.as_str();
    value.as_string();
    map.clone().anything();
    json!({});
}
";

#[test]
fn names_that_a_well_known_crate_lacks_are_missing() {
    let expected =
        ["1 import Valued", "6 attribute from_strings", "8 member Decimal", "10 member as_string"];
    assert_eq!(rust("1.0.100", RUST), expected);
    assert_eq!(rust("1", RUST), expected);
}

#[test]
fn a_trait_that_is_only_imported_may_add_a_member_to_a_type_of_a_list() {
    let text =
        "use serde_json::Value;\nuse other::Extending;\nfn f(value: &Value) { value.more(); }\n";
    assert_eq!(rust("1", text), [] as [&str; 0]);
}

#[test]
fn of_a_version_that_the_list_does_not_know_nothing_is_said() {
    assert_eq!(rust("0.9", RUST), [] as [&str; 0]);
    assert_eq!(rust("1.9999", RUST), [] as [&str; 0]);
    assert_eq!(rust("*", RUST), [] as [&str; 0]);
}

#[test]
fn all_names_of_a_well_known_crate_are_no_excuse() {
    let text = "use serde_json::*;\nfn f() { let _: Value = from_str(\"1\"); frobnicate(); }\n";
    assert_eq!(rust("1", text), ["2 call frobnicate"]);
}

#[test]
fn a_trait_of_the_workspace_may_add_a_member_to_a_type_of_a_list() {
    let text = "use serde_json::Value;\ntrait More { fn as_money(&self); }\n\
                impl More for Value { fn as_money(&self) {} }\n\
                fn f(value: &Value) { value.as_money(); }\n";
    assert_eq!(rust("1", text), [] as [&str; 0]);
}

fn go(version: &str, text: &str) -> Vec<String> {
    let project = format!(
        "--- go.mod\nmodule example.com/till\n\nrequire github.com/spf13/cobra {version}\n"
    );
    missing(&Tree::new(&project).write("main.go", text))
}

const GO: &str = "\
package till

import \"github.com/spf13/cobra\"

func run(cmd *cobra.Command) {
	other := &cobra.Command{Use: \"till\", Usages: \"none\"}
	other.AddCommand(cmd)
	other.AddCommands(cmd)
	cobra.CheckErr(other.Execute())
	cobra.CheckError(nil)
	cmd.Flags().StringVarP(nil, \"a\", \"b\", \"c\", \"d\")
	var _ cobra.PositionalArgs = cobra.ExactArgs(1)
}
";

#[test]
fn names_that_a_well_known_module_lacks_are_missing() {
    let expected = ["6 member Usages", "8 member AddCommands", "10 attribute CheckError"];
    assert_eq!(go("v1.8.0", GO), expected);
}

#[test]
fn of_a_module_that_is_newer_than_its_declarations_nothing_is_said() {
    assert_eq!(go("v1.9999.0", GO), [] as [&str; 0]);
    assert_eq!(go("v2.0.0", GO), [] as [&str; 0]);
}

#[test]
fn classes_that_a_small_java_library_lacks_are_missing() {
    let text = "\
package com.shop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.LogManager;
import javax.inject.Inject;
import javax.inject.Injected;
import javax.servlet.http.HttpServletRequest;
class Page {
    private static final Logger LOG = LoggerFactory.getLogger(Page.class);
    void show(HttpServletRequest request) { LOG.info(\"a\"); LOG.information(\"b\"); request.getParameter(\"c\"); }
}
";
    let found = Tree::new("--- pom.xml\n<project></project>\n").write("com/shop/Page.java", text);
    assert_eq!(
        missing(&found),
        ["4 import LogManager", "6 import Injected", "10 member information"]
    );
}
