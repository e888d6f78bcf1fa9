//! Law: no text makes the parser of the begin-patch form fail otherwise than by
//! an error, and a hunk without a heading fits the file of its own old lines.

#![no_main]

use gatewright_model::patch::{
    HunkPlace, PatchHunk, PatchOperation, apply_hunks, parse_begin_patch,
};
use gatewright_model::{HunkLine, LineKind};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &str| {
    let whole = format!("*** Begin Patch\n{body}\n*** End Patch");
    for text in [body, &whole] {
        for operation in parse_begin_patch(text).unwrap_or_default() {
            assert!(!operation.path().is_empty());
            let PatchOperation::Update { hunks, .. } = operation else { continue };
            let _ = apply_hunks(body.as_bytes(), &hunks).map_err(|mismatch| mismatch.to_string());
            hunks.iter().for_each(fits_its_own_lines);
        }
    }
});

fn fits_its_own_lines(hunk: &PatchHunk) {
    // Endings are not part of the form, so a `\r` at the end of a line cannot
    // be told from a part of the ending.
    if hunk.lines.iter().any(|line| line.text.ends_with(b"\r")) {
        return;
    }
    let side = |is_in_side: fn(LineKind) -> bool| -> Vec<u8> {
        let lines = hunk.lines.iter().filter(|line| is_in_side(line.kind));
        lines.flat_map(|line: &HunkLine| [line.text.as_slice(), b"\n"].concat()).collect()
    };
    let place = HunkPlace::Context { headings: Vec::new(), at_end: true };
    let placed = PatchHunk { place, lines: hunk.lines.clone() };
    let result = apply_hunks(&side(LineKind::is_in_before), &[placed]);
    assert_eq!(result.as_ref(), Ok(&side(LineKind::is_in_after)));
}
