//! Rust: locals that are other locals or plain values, and the macros that derives name.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- Cargo.toml
[package]
name = \"till\"
edition = \"2021\"
[dependencies]
serde = \"1\"
unheard-of = \"1\"
--- src/lib.rs
pub struct Coin { pub worth: u32 }
impl Coin { pub fn flip(&self) {} }
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("src/main.rs", text))
}

#[test]
fn a_local_that_is_another_one_has_its_members() {
    let text = "\
use till::Coin;
fn f(coin: &Coin, other: u8) {
    let same = coin;
    same.flip();
    same.flop();
    let coin = other;
    coin.flap();
    let same = coin;
    same.flup();
}
";
    assert_eq!(check(text), ["5 member flop", "7 member flap", "9 member flup"]);
}

#[test]
fn a_local_that_leads_to_itself_tells_nothing() {
    assert_eq!(check("fn f() { let a = b; let b = a; b.c(); a.c(); }"), [] as [&str; 0]);
}

#[test]
fn text_and_what_format_gives_have_the_members_of_text() {
    let text = "\
fn f() {
    let plain = \"a\";
    let made = format!(\"{plain}\");
    let _ = (plain.trim(), made.push_str(plain), plain.trimm(), made.push_string(plain));
}
";
    assert_eq!(check(text), ["4 member trimm", "4 member push_string"]);
}

#[test]
fn types_of_the_library_that_lead_to_others_are_seen_through() {
    let text = "\
use std::net::IpAddr;
use std::sync::{Arc, Condvar};
use till::Coin;
use unheard_of::Purse;
fn f(shared: Arc<Coin>, held: Arc<Purse>, bell: &Condvar, address: IpAddr) {
    shared.flip();
    shared.anything_at_all();
    held.anything_at_all();
    bell.notify_all();
    bell.notify_everyone();
    address.is_reachable();
}
";
    assert_eq!(
        check(text),
        ["7 member anything_at_all", "10 member notify_everyone", "11 member is_reachable"]
    );
}

#[test]
fn derives_that_nothing_defines_are_missing() {
    let text = "\
use serde::Serialize;
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
struct Known;
#[derive(serde::Deserialize, std::fmt::Debug)]
struct ByPath;
#[derive(Debug, Serializable)]
struct Unknown;
#[cfg_attr(feature = \"a\", derive(Whatever))]
struct Behind;
";
    assert_eq!(check(text), ["6 name Serializable"]);
}

#[test]
fn a_derive_may_come_with_all_names_of_a_package() {
    assert_eq!(check("use unheard_of::*;\n#[derive(Anything)]\nstruct A;\n"), [] as [&str; 0]);
}

#[test]
fn what_a_package_extends_or_makes_beside_a_trait_is_left_alone() {
    let text = "\
use unheard_of::{automock, Conv};
#[cfg_attr(test, automock)]
trait Provider {}
fn f() {
    let _ = i64::conv(1);
    let _ = MockProvider::new();
}
";
    assert_eq!(check(text), [] as [&str; 0]);
    let bare = "trait Provider {}\nfn f() { let _ = MockProvider::new(); let _ = i64::conv(1); }\n";
    assert_eq!(check(bare), ["2 module MockProvider", "2 member conv"]);
}
