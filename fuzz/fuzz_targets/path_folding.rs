//! Law: folding a name twice gives what folding it once gives, and the case of
//! ASCII letters never matters.

#![no_main]

use gatewright_guards::write::{fold_component, fold_path};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|path: &str| {
    let folded = fold_path(path);
    assert_eq!(fold_path(&path.to_ascii_uppercase()), folded);
    for component in folded {
        assert_eq!(fold_component(&component), component);
    }
});
