//! Law: no bytes make the parser of unified diffs fail otherwise than by an
//! error, and a lone hunk turns its own old lines into its own new lines.

#![no_main]

use gatewright_model::patch::{HunkPlace, PatchHunk, PatchOperation, apply_hunks, parse_unified};
use gatewright_model::{HunkLine, LineKind};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for operation in parse_unified(text).unwrap_or_default() {
        assert!(!operation.path().is_empty());
        let PatchOperation::Update { hunks, .. } = operation else { continue };
        let _ = apply_hunks(text, &hunks).map_err(|mismatch| mismatch.to_string());
        hunks.iter().for_each(fits_its_own_lines);
    }
});

fn fits_its_own_lines(hunk: &PatchHunk) {
    let side = |is_in_side: fn(LineKind) -> bool| -> Vec<u8> {
        let lines = hunk.lines.iter().filter(|line| is_in_side(line.kind));
        lines.flat_map(|line: &HunkLine| line.text.clone()).collect()
    };
    let place = HunkPlace::Line { before_start: 1 };
    let placed = PatchHunk { place, lines: hunk.lines.clone() };
    let result = apply_hunks(&side(LineKind::is_in_before), &[placed]);
    assert_eq!(result.as_ref(), Ok(&side(LineKind::is_in_after)));
}
