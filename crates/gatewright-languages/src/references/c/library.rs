//! The names of the C and C++ libraries and of POSIX, from tables made of their headers.

use std::collections::HashSet;
use std::sync::OnceLock;

/// Headers of other systems, which code for several systems includes.
const ELSEWHERE: &str = "windows.h winsock2.h winsock.h ws2tcpip.h io.h direct.h process.h conio.h \
tchar.h shlwapi.h winioctl.h wincrypt.h TargetConditionals.h mach/mach_time.h crt_externs.h \
libproc.h sys/sysctl.h sys/event.h copyfile.h unix.h kernel/OS.h OS.h share.h sal.h";

/// Names of the usual test libraries that are not written in capitals.
const TESTS: &str = "testing Test SetUp TearDown SetUpTestSuite TearDownTestSuite SetUpTestCase \
TearDownTestCase HasFatalFailure HasFailure HasNonfatalFailure InitGoogleTest InitGoogleMock \
GetParam WithParamInterface TestWithParam Values ValuesIn Combine Range Bool Types UnitTest \
GetInstance current_test_info RecordProperty Environment AddGlobalTestEnvironment TestInfo \
AssertionResult AssertionSuccess AssertionFailure Message ScopedTrace TempDir PrintToString \
NiceMock StrictMock NaggyMock Return ReturnRef Invoke DoAll SetArgPointee WithArgs Eq Ne Lt Gt Le \
Ge HasSubstr StartsWith EndsWith ElementsAre UnorderedElementsAre Contains Pair Field Property \
AllOf AnyOf Not Times AnyNumber AtLeast AtMost WillOnce WillRepeatedly InSequence Sequence \
MockFunction AsStdFunction benchmark State range PauseTiming ResumeTiming SetBytesProcessed \
SetItemsProcessed DoNotOptimize ClobberMemory SkipWithError SetLabel iterations Iterations Arg Args \
RangeMultiplier UseRealTime Unit Counter Initialize RunSpecifiedBenchmarks";

/// Whether a name belongs to a usual test library.
pub(super) fn is_of_tests(name: &str) -> bool {
    TESTS.split_whitespace().any(|known| known == name)
}

fn words(text: &'static str) -> HashSet<&'static str> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
}

/// Whether the C or C++ library, or POSIX, has a name.
pub(super) fn has(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names = words(include_str!("c_names.txt"));
        names.extend(words(include_str!("cpp_names.txt")));
        names
    });
    names.contains(name)
}

/// Folders of headers that come with a system, each system with others.
const SYSTEMS: [&str; 16] = [
    "sys/",
    "mach/",
    "mach-o/",
    "machine/",
    "net/",
    "netinet/",
    "netinet6/",
    "arpa/",
    "rpc/",
    "libkern/",
    "CoreFoundation/",
    "CoreServices/",
    "IOKit/",
    "kernel/",
    "vm/",
    "bits/",
];

/// Whether a header belongs to another system, whose names no table holds.
pub(super) fn is_elsewhere(name: &str) -> bool {
    ELSEWHERE.split_whitespace().any(|header| header == name)
        || SYSTEMS.iter().any(|folder| name.starts_with(folder)) && !is_in_table(name)
}

/// Whether a header belongs to the libraries, or to another system.
pub(super) fn is_header(name: &str) -> bool {
    const FOLDERS: [&str; 5] = ["linux/", "asm/", "gtest/", "gmock/", "benchmark/"];
    is_in_table(name) || is_elsewhere(name) || FOLDERS.iter().any(|folder| name.starts_with(folder))
}

fn is_in_table(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| words(include_str!("headers.txt")));
    names.contains(name) && name != "windows.h"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_know_the_libraries() {
        assert!(has("printf") && has("unique_ptr") && has("EINTR") && !has("printg"));
        assert!(is_header("stdio.h") && is_header("vector") && !is_header("studio.h"));
    }
}
