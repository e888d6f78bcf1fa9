//! Rust: members of what fields, functions and the standard library give.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- Cargo.toml
[package]
name = \"till\"
edition = \"2021\"
[dependencies]
unheard-of = \"1\"
--- src/lib.rs
pub mod mint;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
pub struct Coin { pub worth: u32, pub face: Face }
pub struct Face { pub motto: String }
impl Face { pub fn polish(&self) {} }
pub struct Till {
    pub coins: Vec<Coin>,
    pub shared: Arc<Mutex<Coin>>,
    pub named: HashMap<String, Coin>,
    pub last: Option<Box<Coin>>,
}
impl Till {
    pub fn open(_: &str) -> Result<Self, String> { unreachable!() }
    pub fn best(&self) -> Option<&Coin> { self.coins.first() }
    pub async fn next(&self) -> Coin { unreachable!() }
}
impl Coin { pub fn flip(&self) -> Coin { unreachable!() } }
--- src/mint.rs
use crate::Coin;
pub fn strike() -> Coin { unreachable!() }
pub fn made_of<T>(of: T) -> T { of }
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("src/main.rs", text))
}

#[test]
fn fields_have_the_members_of_their_types() {
    let text = "\
use till::Till;
fn f(till: &Till) {
    till.coins[0].face.polish();
    till.coins[0].face.varnish();
    till.coins.push_everything();
    till.shared.lock().unwrap().flip();
    till.shared.lock().unwrap().flop();
    till.named.get(\"a\").unwrap().flap();
    till.last.as_ref().unwrap().flup();
}
";
    assert_eq!(
        check(text),
        [
            "4 member varnish",
            "5 member push_everything",
            "7 member flop",
            "8 member flap",
            "9 member flup"
        ]
    );
}

#[test]
fn what_functions_give_has_its_members() {
    let text = "\
use till::mint::{made_of, strike};
use till::Till;
async fn f() -> Result<(), String> {
    let till = Till::open(\"a\")?;
    till.shut();
    strike().flip().flop();
    till::mint::strike().flap();
    till.next().await.flup();
    made_of(till).anything();
    if let Some(best) = Till::open(\"b\").unwrap().best() {
        best.flip();
        best.flep();
    }
    Ok(())
}
";
    assert_eq!(
        check(text),
        ["5 member shut", "6 member flop", "7 member flap", "8 member flup", "12 member flep"]
    );
}

#[test]
fn elements_of_lists_have_their_members() {
    let text = "\
use till::{Coin, Till};
fn f(till: &Till, coins: &[Coin]) {
    for coin in &till.coins { coin.flip(); coin.flop(); }
    for coin in coins.iter().rev() { coin.flap(); }
    for coin in coins.iter().map(|coin| coin.worth) { coin.whatever(); }
}
";
    assert_eq!(check(text), ["3 member flop", "4 member flap"]);
}

#[test]
fn type_parameters_and_packages_tell_nothing() {
    let text = "\
use unheard_of::{Purse, purse};
struct Held<Coin> { inner: Coin, purse: Purse }
impl<Coin> Held<Coin> {
    fn f(&self) {
        self.inner.anything();
        self.purse.anything();
        purse().anything();
        Purse::new().anything();
        (|coin| coin)(1).anything();
    }
}
";
    assert_eq!(check(text), [] as [&str; 0]);
}

#[test]
fn fields_of_variants_are_looked_up() {
    let text = "\
pub enum Move { Flip { times: u32 }, Keep }
fn f(way: Move) -> Move {
    match way {
        Move::Flip { times } => Move::Flip { count: times },
        Move::Keep => Move::Flip { times: 1 },
    }
}
";
    assert_eq!(check(text), ["4 member count"]);
}

#[test]
fn the_names_of_crates_do_not_come_with_all_names_of_another() {
    let project = PROJECT.replace("unheard-of = \"1\"", "rayon = \"1\"\nignore = \"0.4\"");
    let text = "\
use ignore::WalkBuilder;
use rayon::prelude::*;
use std::collections::btree_map::Entry;
use std::ops::AddAssign;
";
    assert_eq!(missing(&Tree::new(&project).write("src/main.rs", text)), [] as [&str; 0]);
}

#[test]
fn packages_of_the_tests_of_a_published_crate_are_declared() {
    let written =
        "[package]\nname = \"till\"\n[dev-dependencies]\ntill-test = { path = \"../t\" }\n";
    let tree = Tree::new(PROJECT).with("Cargo.toml.orig", written.as_bytes());
    let text = "use till_test::Fixture;\nuse till_tests::Other;\n";
    assert_eq!(missing(&tree.write("tests/a.rs", text)), ["2 package till_tests"]);
}

#[test]
fn a_module_may_be_called_build() {
    let tree = Tree::new(PROJECT)
        .with("tests/suite/main.rs", b"mod build;\nmod prelude;\n")
        .with("tests/suite/prelude.rs", b"pub fn strike() {}\n");
    let text = "use crate::prelude::*;\nfn f() { strike(); struck(); }\n";
    assert_eq!(missing(&tree.write("tests/suite/build.rs", text)), ["2 call struck"]);
}

/// A crate whose installed packages hand on macros and extend every type.
const HANDED: &str = "\
--- Cargo.toml
[package]
name = \"shop\"
edition = \"2021\"
[dependencies]
front = \"1\"
--- src/lib.rs
mod desk;
pub struct Order { pub id: u32, #[cfg(feature = \"tax\")] pub tax: u32 }
impl Order { pub fn load() -> Order { todo!() } }
--- /packages/front-1.0.0/Cargo.toml
[package]
name = \"front\"
version = \"1.0.0\"
[dependencies]
back = \"1\"
--- /packages/front-1.0.0/src/lib.rs
pub use back::*;
pub mod prelude { pub trait Stretch { fn stretch_all(&self) {} } impl<T> Stretch for T {} }
--- /packages/back-1.0.0/Cargo.toml
[package]
name = \"back\"
version = \"1.0.0\"
--- /packages/back-1.0.0/src/lib.rs
#[macro_use]
mod macros;
pub struct Back;
--- /packages/back-1.0.0/src/macros.rs
#[macro_export]
macro_rules! crate_name { () => {} }
";

fn new_file(text: &str) -> Vec<String> {
    missing(&Tree::new(HANDED).write("src/desk.rs", text))
}

#[test]
fn a_macro_of_a_package_whose_names_another_hands_on_can_be_imported() {
    assert_eq!(new_file("use front::{crate_name, Back};\n"), [""; 0]);
    assert_eq!(new_file("use front::crate_nmae;\n"), ["1 import crate_nmae"]);
}

#[test]
fn a_new_file_may_use_what_traits_of_installed_packages_give() {
    let text = |method: &str| {
        format!(
            "use front::prelude::*;\nuse crate::Order;\nfn f() {{ Order::load().{method}(); }}\n"
        )
    };
    assert_eq!(new_file(&text("stretch_all")), [""; 0]);
    assert_eq!(new_file(&text("strecth_all")), ["3 member strecth_all"]);
}

#[test]
fn attributes_of_fields_in_patterns_are_no_fields() {
    let text = "use crate::Order;\nfn f(order: Order) {\n    \
                let Order { id, #[cfg(feature = \"tax\")] tax } = order;\n    \
                match order { Order { #[allow(unused)] id, .. } => {} }\n}\n";
    assert_eq!(new_file(text), [""; 0]);
    assert_eq!(new_file(&text.replace(" tax }", " taxes }")), ["3 member taxes"]);
}
