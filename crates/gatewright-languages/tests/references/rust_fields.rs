//! Rust: the fields that literals and patterns name.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- Cargo.toml
[package]
name = \"till\"
edition = \"2021\"
--- src/lib.rs
pub mod coin;
--- src/coin.rs
#[derive(Default)]
pub struct Coin { pub worth: u32, pub r#type: u8, #[cfg(unix)] pub mark: u8 }
pub struct Pair(pub u32, pub u32);
pub enum Kind { Round { size: u32 }, Flat }
pub type Money = Coin;
#[till_macros::more_fields]
pub struct Odd { pub a: u32 }
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("src/main.rs", text))
}

#[test]
fn fields_that_are_there_are_quiet() {
    let text = "\
use till::coin::{Coin, Kind, Money, Odd, Pair};
fn main() {
    let worth = 1;
    let coin = Coin { worth, r#type: 2, ..Default::default() };
    let Coin { worth: much, mark: _, .. } = coin;
    let _ = Money { worth: much, ..Default::default() };
    let _ = Pair { 0: 1, 1: 2 };
    if let Kind::Round { size } = (Kind::Round { size: 1 }) { drop(size) }
    let _ = Odd { a: 1, b: 2 };
}
struct Own<T> { value: T }
impl<T> Own<T> { fn new(value: T) -> Self { Self { value } } }
";
    assert_eq!(check(text), [] as [&str; 0]);
}

#[test]
fn fields_that_a_type_lacks_are_missing() {
    let text = "\
use till::coin::Coin;
struct Own { value: u32 }
impl Own { fn new(valeu: u32) -> Self { Self { valeu } } }
fn main() {
    let coin = Coin { worht: 1, ..Default::default() };
    let Coin { makr: _, .. } = coin;
}
";
    assert_eq!(check(text), ["3 member valeu", "5 member worht", "6 member makr"]);
}

#[test]
fn a_name_that_stands_for_several_types_tells_nothing_of_its_fields() {
    let text = "\
struct File { mem: Mem }
struct Mem { size: u32 }
cfg_select! {
    unix => { type Default2 = File; }
    _ => { type Default2 = Mem; }
}
impl Default2 { fn start() -> Default2 { loop {} } }
fn main() {
    let history: Default2 = loop {};
    history.mem.size;
    history.size;
    let _ = Default2 { mem: loop {} };
}
";
    assert_eq!(check(text), [] as [&str; 0]);
}

#[test]
fn a_private_use_is_seen_through_a_glob_of_the_module_below() {
    let text = "\
use heapless::Vec;
fn main() {}
mod tests {
    use super::*;
    fn fill() { let mut held: Vec<u8, 4> = Vec::new(); held.push_unless_full(1); }
}
";
    let tree = Tree::new(&format!("{PROJECT}--- Cargo.lock\n")).write("src/main.rs", text);
    let found = missing(&tree);
    assert!(found.iter().all(|one| !one.contains("push_unless_full")), "{found:?}");
}
