//! Law: accepting every hunk gives the result, accepting none gives the base,
//! split or not, and the printed diff reads back to the same result.

#![no_main]

use std::collections::BTreeSet;

use gatewright_model::patch::{PatchOperation, apply_hunks, parse_unified};
use gatewright_model::{
    FileMode, FileSide, Hunk, HunkId, diff_hunks, readable, select_hunks, split_hunk, unified_file,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&split, text)) = data.split_first() else { return };
    let (before, after) = text.split_at(text.len() * usize::from(split) / 255);
    let hunks = diff_hunks(before, after);
    let parts: Vec<Hunk> = hunks.iter().flat_map(split_hunk).collect();
    for hunks in [&hunks, &parts] {
        let ids: BTreeSet<HunkId> = hunks.iter().map(|hunk| hunk.id.clone()).collect();
        assert_eq!(ids.len(), hunks.len());
        assert_eq!(select_hunks(before, hunks, &ids), after);
        assert_eq!(select_hunks(before, hunks, &BTreeSet::new()), before);
        reads_back(before, after, hunks);
    }
});

fn reads_back(before: &[u8], after: &[u8], hunks: &[Hunk]) {
    if hunks.is_empty() {
        return;
    }
    let side = Some(FileSide { path: "some \"file\"", mode: FileMode::REGULAR });
    let operations = parse_unified(&unified_file(side, side, hunks)).expect("our own diff");
    let [PatchOperation::Update { path, hunks, .. }] = operations.as_slice() else {
        panic!("not one update: {operations:?}");
    };
    assert_eq!(path, "some \"file\"");
    // A diff shows what is in UTF-16 as text.
    let (before, after) = (readable(before).0, readable(after).0);
    assert_eq!(apply_hunks(&before, hunks).as_deref(), Ok(&*after));
}
