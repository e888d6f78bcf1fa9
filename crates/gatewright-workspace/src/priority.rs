//! Work that nobody waits for.

/// How far behind others this thread stands from now on.
#[cfg(target_os = "linux")]
const BEHIND: i32 = 10;

/// Lets others go before this thread from now on, where that can be said of a single thread.
///
/// A system that refuses keeps it where it is.
pub fn give_way() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, BEHIND);
}
