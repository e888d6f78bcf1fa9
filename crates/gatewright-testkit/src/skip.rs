//! Skipping a test in the open.
//!
//! The line goes past the capture of the test harness, so that it is seen for
//! passing tests too, and `cargo xtask test` collects it and fails.

use std::io::Write;

/// Says that this test cannot run here, and returns from it.
///
/// ```
/// fn reads_acls() {
///     if !gatewright_testkit::has_program("getfacl") {
///         gatewright_testkit::skip!("getfacl is not installed");
///     }
/// }
/// # if gatewright_testkit::has_program("getfacl") { reads_acls() }
/// ```
#[macro_export]
macro_rules! skip {
    ($($reason:tt)+) => {{
        $crate::report_skipped(&format!($($reason)+), file!(), line!());
        return;
    }};
}

/// Prints the line that `cargo xtask test` looks for. Use [`skip!`](crate::skip!).
pub fn report_skipped(reason: &str, file: &str, line: u32) {
    let text = format!("SKIPPED: {} ({file}:{line})\n", reason.replace('\n', " "));
    // `print!` would be captured for a test that passes; the handle is not.
    // With the stream gone there is nobody left to tell.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
