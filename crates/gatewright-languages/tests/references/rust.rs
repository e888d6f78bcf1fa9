//! Rust.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- Cargo.toml
[package]
name = \"my-tool\"
edition = \"2021\"
[dependencies]
declared = \"1\"
installed = \"0.3\"
--- src/lib.rs
pub mod store;
mod plain { pub fn help() {} }
pub use store::{Item, Store as Shop};
#[macro_export]
macro_rules! shout { ($x:expr) => { $x } }
bitflags! { pub struct Flags: u32 { const A = 1; } }
--- src/store.rs
use std::collections::HashMap;
pub struct Store { pub items: HashMap<String, Item>, size: usize }
#[derive(Debug, Clone)]
pub enum Item { Small, Large(u32) }
pub trait Named { fn name(&self) -> String; }
impl Store {
    pub fn new() -> Self { Store { items: HashMap::new(), size: 0 } }
    pub fn add(&mut self, item: Item) { self.size += 1; self.grow(item) }
    fn grow(&mut self, _: Item) {}
}
impl Named for Store { fn name(&self) -> String { String::new() } }
--- /packages/installed-0.3.1/Cargo.toml
[package]
name = \"installed\"
--- /packages/installed-0.3.1/src/lib.rs
pub mod deep { pub use super::inner::*; }
mod inner { pub fn real() {} pub struct Real; }
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("src/main.rs", text))
}

#[test]
fn what_exists_is_quiet() {
    let text = "\
use std::{fmt, io::{self, Write as _}, sync::Arc};
use declared::anything::At;
use installed::deep::{real, Real};
use my_tool::{shout, Flags, Item, Shop};
use my_tool::store::{self, Named, Store};
fn run<T: fmt::Debug>(store: &mut Store, thing: T) -> io::Result<Vec<u8>> {
    let mut shop = Shop::new();
    shop.add(Item::Large(3));
    store.name();
    assert_eq!(shop.items.len(), real());
    let names: Vec<String> = vec![format!(\"{:?}\", thing)];
    println!(\"{}\", names.join(\",\"));
    Arc::new(Store::new());
    let call = |x: u8| x;
    call(1);
    match shop.items.get(\"a\") { Some(Item::Small) => {}, other => drop(other) }
    matches!(Real, Real);
    shout!(At);
    Ok(std::fs::read(\"x\")?)
}
impl Named for Real { fn name(&self) -> String { self.to_string() } }
fn all(them: impl IntoIterator<Item: Clone, IntoIter: Send>) { drop(them) }
fn flags() -> Flags { store::Store::new(); Flags::A }
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn what_is_missing_is_found() {
    let text = "\
use my_tool::store::Stored;
use my_tool::shop::Shop;
use std::collections::HashMapp;
use invented::Thing;
use installed::deep::unreal;
use my_tool::store::{Item, Store};
struct Mine { count: u8 }
impl Mine {
    fn go(&self) { self.halt_now(); self.counter; Self::conjure(); self.count; }
}
fn run(store: &mut Store) -> Missing {
    store.discard();
    let shop = Store::new();
    shop.sizes;
    Store::unbar();
    Item::Medium;
    std::fs::read_all(\"x\");
    undefined_call();
    assert!(also_undefined(1));
}
struct Other;
impl Nameless for Other {}
";
    assert_eq!(
        check(text),
        [
            "1 import Stored",
            "2 module shop",
            "3 import HashMapp",
            "4 package invented",
            "5 import unreal",
            "9 member halt_now",
            "9 member counter",
            "9 member conjure",
            "11 class Missing",
            "12 member discard",
            "14 member sizes",
            "15 member unbar",
            "16 member Medium",
            "17 attribute read_all",
            "18 call undefined_call",
            "19 call also_undefined",
            "22 class Nameless",
        ]
    );
}

#[test]
fn members_of_library_types_are_known() {
    let text = "\
fn run(names: &[u8]) {
    let mut found = Vec::new();
    found.push(names.len());
    found.add_all_of(names);
    String::from_nowhere();
    String::with_capacity(3);
}
";
    assert_eq!(check(text), ["4 member add_all_of", "5 member from_nowhere"]);
}

#[test]
fn a_definition_of_the_same_change_set_counts() {
    let facts = Tree::new(PROJECT).change(&[
        ("src/main.rs", None, Some("mod fresh;\nuse fresh::Fresh;\nfn f() { Fresh::make(); }\n")),
        ("src/fresh.rs", None, Some("pub struct Fresh;\nimpl Fresh { pub fn make() {} }\n")),
    ]);
    assert_eq!(missing(&facts[0]), Vec::<String>::new());
}

#[test]
fn a_new_file_that_no_module_declares_yet_is_one_of_its_crate() {
    let project = "\
--- Cargo.toml
[package]
name = \"till\"
version = \"0.1.0\"
--- src/lib.rs
pub mod basket;
--- src/basket.rs
pub struct Basket;
impl Basket { pub fn total(&self) -> u8 { 0 } }
";
    let text = "\
use crate::basket::Baskt;
use crate::bsket::Basket as Other;
use crate::basket::Basket;
use super::basket;
pub fn f(b: &Basket) -> u8 { b.totl() + b.total() + basket::all() }
";
    let found = missing(&Tree::new(project).write("src/order.rs", text));
    let expected = ["1 import Baskt", "2 module bsket", "5 member totl", "5 attribute all"];
    assert_eq!(found, expected);
}

#[test]
fn what_macros_and_attributes_may_add_is_left_alone() {
    let text = "\
include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));
#[magic]
struct Wide;
impl Wide { fn go(&self) { self.conjured(); made(); } }
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn a_crate_under_another_name_and_a_module_behind_globs_are_found() {
    let project = "\
--- Cargo.toml
[package]
name = \"shop\"
edition = \"2021\"
[dependencies]
tls-openssl = { package = \"openssl\", version = \"0.10\" }
--- src/lib.rs
pub use crate::readers::*;
pub use crate::validator::*;
mod readers;
mod validator;
mod page;
--- src/readers.rs
mod types;
pub use self::types::Head;
--- src/readers/types.rs
pub struct Head;
--- src/validator.rs
pub mod types;
--- src/validator/types.rs
pub struct Checked;
";
    let tree = Tree::new(project);
    let page = "use crate::types::{Checked, Unchecked};\n";
    assert_eq!(missing(&tree.write("src/page.rs", page)), ["1 import Unchecked"]);
    let server = "\
#[cfg(feature = \"openssl\")]
extern crate tls_openssl as openssl;
use openssl::ssl::SslAcceptor;
mod inner {
    use openssl::ssl::SslMethod;
    use opensll::ssl::SslContext;
}
";
    assert_eq!(missing(&tree.write("tests/server.rs", server)), ["6 package opensll"]);
}

/// A crate whose types come from macros, lead to others, and take their own names from outside.
const OPENED: &str = "\
--- Cargo.toml
[package]
name = \"my-tool\"
edition = \"2021\"
--- src/lib.rs
pub mod desk;
pub mod shelf;
pub use self::shelf::*;
use crate::desk::Desk;
macro_rules! kinds { ($name:ident { $($kind:ident),* }) => { pub enum $name { $($kind),* } } }
kinds! { Kind { Small, Large } }
--- src/shelf.rs
use std::collections::HashMap;
pub struct Shelf { rows: HashMap<u8, u8> }
impl Shelf { pub fn empty() -> Self { Shelf { rows: HashMap::new() } } }
impl std::ops::Deref for Shelf { type Target = HashMap<u8, u8>; fn deref(&self) -> &Self::Target { &self.rows } }
--- src/desk.rs
pub struct Desk;
";

#[test]
fn what_only_a_use_of_its_own_brings_is_not_given_on() {
    let tree = Tree::new(&OPENED.replace("kinds! { Kind { Small, Large } }\n", ""));
    let text = "use crate::{Shelf, HashMap};\npub struct Desk;\n";
    assert_eq!(missing(&tree.write("src/desk.rs", text)), ["1 import HashMap"]);
    let text = "mod inner {\n    use super::Gone;\n    pub struct Here;\n}\npub use inner::*;\n";
    assert_eq!(missing(&tree.write("src/desk.rs", text)), ["2 import Gone"]);
    let text =
        "use std::fmt::Debug;\nmod tests {\n    use super::*;\n    fn f(_: &dyn Debug) {}\n}\n";
    assert_eq!(missing(&tree.write("src/desk.rs", text)), Vec::<String>::new());
}

#[test]
fn a_path_does_not_go_on_to_the_type_that_another_leads_to() {
    let tree = Tree::new(OPENED);
    let text = "use crate::Shelf;\nfn f() {\n    let shelf = Shelf::empty();\n    shelf.len();\n    \
                shelf.anything();\n    Shelf::stocked();\n}\n";
    assert_eq!(missing(&tree.write("src/desk.rs", text)), ["6 member stocked"]);
    let text = "pub struct Desk;\nimpl std::ops::Deref for Desk {\n    type Target = u8;\n    \
                fn deref(&self) -> &Self::Targets { &0 }\n}\n";
    assert_eq!(missing(&tree.write("src/desk.rs", text)), ["4 member Targets"]);
}

#[test]
fn a_variant_that_no_macro_is_handed_is_missing() {
    let tree = Tree::new(OPENED);
    let text =
        "use crate::Kind;\nfn f() -> [Kind; 3] {\n    [Kind::Small, Kind::Large, Kind::Huge]\n}\n";
    assert_eq!(missing(&tree.write("src/desk.rs", text)), ["3 member Huge"]);
    let joining = format!("{OPENED}--- src/extra.rs\npaste! {{ fn a() {{}} }}\n");
    assert_eq!(missing(&Tree::new(&joining).write("src/desk.rs", text)), Vec::<String>::new());
}

#[test]
fn a_name_behind_the_full_stop_of_a_comment_is_spelt() {
    let kinds = "kinds! { Kind { Small,\n/// Sold by the dozen.\nHuge } }";
    let tree = Tree::new(&OPENED.replace("kinds! { Kind { Small, Large } }", kinds));
    let text = "use crate::Kind;\nfn f() -> Kind {\n    Kind::Huge\n}\n";
    assert_eq!(missing(&tree.write("src/desk.rs", text)), Vec::<String>::new());
}

#[test]
fn what_a_use_binds_and_what_a_macro_rewrites_is_left_alone() {
    let tree = Tree::new(
        "--- Cargo.toml\n[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\nhalf = \"1\"\n\
         installed = \"1\"\n--- src/lib.rs\nmod desk;\npub use half::inner;\n\
         --- /packages/installed-1.0.0/Cargo.toml\n[package]\nname = \"installed\"\nversion = \"1.0.0\"\n\
         --- /packages/installed-1.0.0/src/lib.rs\nmod macros;\n\
         --- /packages/installed-1.0.0/src/macros.rs\n#[macro_export]\nmacro_rules! told { () => {} }\n",
    );
    let text = "\
use half::f16;
use inner::Thing;
fn f() {
    f16::from_bits_of(1);
    installed::told!();
    installed::untold!();
    thread_local! { static SHELF: u8 = const { 1 }; }
    SHELF.with(|_| ());
}
#[vendor::apply(each)]
mod tests {
    use super::made::by_the_macro;
}
";
    let found = missing(&tree.write("src/desk.rs", text));
    assert_eq!(found, ["6 attribute untold"]);
}

#[test]
fn a_trait_that_is_named_after_a_type_extends_it() {
    let tree = Tree::new(
        "--- Cargo.toml\n[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\nvendor = \"1\"\n\
         --- src/lib.rs\nmod desk;\nmod shelf;\n--- src/shelf.rs\npub struct Shelf;\n",
    );
    let text = |name: &str| {
        format!(
            "use crate::shelf::Shelf;\nuse vendor::{name};\nfn f(shelf: Shelf) {{ shelf.zebra_of(); }}\n"
        )
    };
    assert_eq!(missing(&tree.write("src/desk.rs", &text("ShelfExt"))), Vec::<String>::new());
    assert_eq!(missing(&tree.write("src/desk.rs", &text("Other"))), ["3 member zebra_of"]);
}

/// A crate beside a package that is installed.
const WITH_PACKAGE: &str = "--- Cargo.toml\n[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\ninstalled = \"1\"\n\
    vendor = \"1\"\n--- src/lib.rs\nmod desk;\nmod nodes;\n\
    --- src/nodes.rs\n#[cfg_attr(test, derive(strum::EnumDiscriminants))]\npub enum Node { One }\n\
    --- /packages/installed-1.0.0/Cargo.toml\n[package]\nname = \"installed\"\nedition = \"2021\"\n\
    --- /packages/installed-1.0.0/src/lib.rs\nmacro_rules! errors { ($($name:ident => $text:expr,)+) => \
    { pub enum Error { $($name,)+ } } }\nerrors! { Relative => \"x\", }\n";

#[test]
fn what_macros_of_packages_and_derives_make_is_left_alone() {
    let text = "\
use crate::nodes::NodeDiscriminants;
use crate::nodes::NodeZebra;
use installed::Error;
use vendor::Serializer;
trait Collect: Serializer {
    fn collect(self) { self.serialize_seq(1); }
}
fn f() { let _ = Error::Relative; }
";
    let found = missing(&Tree::new(WITH_PACKAGE).write("src/desk.rs", text));
    assert_eq!(found, ["2 import NodeZebra"]);
}

#[test]
fn code_below_a_switch_is_checked_like_any_other() {
    let text = "\
cfg_if::cfg_if! {
    if #[cfg(unix)] {
        fn one() -> u8 { two() }
    } else {
        fn two() -> u8 { three() }
    }
}
if_alloc! {
    fn four() { five(one()); }
}
";
    let tree = Tree::new(
        "--- Cargo.toml\n[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\ncfg-if = \"1\"\n\
         --- src/lib.rs\nmod desk;\n#[macro_use]\nmod macros;\n\
         --- src/macros.rs\nmacro_rules! if_alloc { ($($i:item)*) => { $($i)* } }\n",
    );
    let found = missing(&tree.write("src/desk.rs", text));
    assert_eq!(found, ["5 call three", "9 call five"]);
}

#[test]
fn an_attribute_may_define_what_other_files_spell() {
    let tree = Tree::new(
        "--- Cargo.toml\n[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\nvendor = \"1\"\n\
         --- src/lib.rs\nmod codes;\nmod desk;\nmod other;\n\
         --- src/codes.rs\n#[vendor::map_codes]\npub fn code_to_rule(code: u8) -> u8 { code }\n\
         --- src/other.rs\nuse crate::codes::Rule;\nfn f(rule: Rule) {}\n",
    );
    let text =
        "use crate::codes::Rule;\nuse crate::codes::Zebra;\nfn f(rule: Rule, zebra: Zebra) {}\n";
    assert_eq!(missing(&tree.write("src/desk.rs", text)), ["2 import Zebra"]);
}

#[test]
fn the_path_of_a_use_may_begin_with_what_another_use_binds() {
    let text = "\
use declared::de;
fn f() {
    use de::Unexpected::*;
    use dee::Unexpected::*;
}
";
    assert_eq!(check(text), ["4 package dee"]);
}

#[test]
fn what_features_attributes_and_other_names_of_packages_give_is_left_alone() {
    let tree = Tree::new(
        "--- Cargo.toml\n[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\n\
         rust-ini = \"1\"\nfast-tls = \"1\"\nvendor = \"1\"\n\
         --- src/lib.rs\nmod desk;\nmod noop;\nmod prelude;\nmod real;\nextern crate vendor as wgt;\n\
         #[cfg(feature = \"fast\")]\npub use fast_tls as tls;\n\
         #[cfg(not(feature = \"fast\"))]\npub use crate::noop as tls;\n\
         --- src/noop.rs\npub struct Plain;\n--- src/prelude.rs\npub use vendor::*;\n\
         --- src/real.rs\n#[vendor::proxy]\npub trait Station { fn f(&self); }\n\
         pub struct Greeter;\n#[vendor::interface(proxy())]\nimpl Greeter {}\n\
         #[derive(Debug)]\npub struct Item;\npub enum Kind { One }\n",
    );
    let text = "\
use crate::prelude::*;
use crate::real::{GreeterProxy, Item, Kind, StationProxy};
use crate::real::ItemProxy;
use crate::tls::ssl;
use ini::Ini;
use invented_ini::Ini as Other;
pub type Format<'a> = Box<dyn 'a + Fn(&str) -> Option<f64>>;
fn f() {
    log!(Permissions, wgt, Kind);
    let _ = Permissions::ATTACH_FILES;
    let _ = wgt::Trace::Directory;
    use wgt::Texture as Tf;
    let _ = Tf::Rgba8;
    let _ = Kind::Two;
}
";
    let found = missing(&tree.write("src/desk.rs", text));
    assert_eq!(found, ["3 import ItemProxy", "6 package invented_ini", "14 member Two"]);
}
