//! Law: what is read strictly has one canonical form, and that form reads back
//! to the same value and the same bytes.

#![no_main]

use gatewright_ledger::{canonical, parse_strict};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let Ok(value) = parse_strict(text) else { return };
    let Ok(form) = canonical(&value) else { return };
    let again = parse_strict(&form).expect("the canonical form is strict");
    assert_eq!(canonical(&again).expect("it has a canonical form"), form);
});
