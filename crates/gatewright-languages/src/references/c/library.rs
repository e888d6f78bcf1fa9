//! The names of the C and C++ libraries and of POSIX, from tables made of their headers.

use std::collections::HashSet;
use std::sync::OnceLock;

/// Headers of other systems, which code for several systems includes.
const ELSEWHERE: &str = "windows.h winsock2.h winsock.h ws2tcpip.h io.h direct.h process.h conio.h \
tchar.h shlwapi.h winioctl.h wincrypt.h TargetConditionals.h mach/mach_time.h crt_externs.h \
libproc.h sys/sysctl.h sys/event.h copyfile.h unix.h kernel/OS.h OS.h share.h sal.h";

/// The functions of C with checks of bounds, which the tables lack: few libraries have them.
const CHECKED: &str = "rsize_t RSIZE_MAX constraint_handler_t set_constraint_handler_s \
abort_handler_s ignore_handler_s memcpy_s memmove_s memset_s strcpy_s strncpy_s strcat_s strncat_s \
strtok_s strnlen_s strerror_s strerrorlen_s sprintf_s snprintf_s vsprintf_s vsnprintf_s printf_s \
fprintf_s vprintf_s vfprintf_s scanf_s fscanf_s sscanf_s vscanf_s vfscanf_s vsscanf_s gets_s fopen_s \
freopen_s tmpfile_s tmpnam_s getenv_s bsearch_s qsort_s asctime_s ctime_s gmtime_s localtime_s \
wcscpy_s wcsncpy_s wcscat_s wcsncat_s wcstok_s wcsnlen_s wmemcpy_s wmemmove_s mbstowcs_s wcstombs_s \
wcrtomb_s wctomb_s wcsrtombs_s mbsrtowcs_s swprintf_s snwprintf_s vswprintf_s wprintf_s fwprintf_s";

/// Names of the usual test libraries that are not written in capitals.
const TESTS: &str = "testing Test SetUp TearDown SetUpTestSuite TearDownTestSuite SetUpTestCase \
TearDownTestCase HasFatalFailure HasFailure HasNonfatalFailure InitGoogleTest InitGoogleMock \
GetParam WithParamInterface TestWithParam Values ValuesIn Combine Range Bool Types UnitTest \
GetInstance current_test_info random_seed RecordProperty Environment AddGlobalTestEnvironment TestInfo \
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
        names.extend(CHECKED.split_whitespace());
        names
    });
    names.contains(name)
}

/// Whether the hash is that of a type of the language.
pub(super) fn is_plain(word: u64) -> bool {
    const PLAIN: [&str; 8] = ["char", "int", "float", "double", "bool", "void", "wchar_t", "auto"];
    PLAIN.iter().any(|plain| super::headers::hash(plain.as_bytes()) == word)
}

/// Folders that every Unix has, each with other headers; a table holds them all.
const LISTED: [&str; 6] = ["sys/", "net/", "netinet/", "netinet6/", "arpa/", "rpc/"];

/// Folders of headers that come with one system, of which no table holds all.
const SYSTEMS: [&str; 10] = [
    "mach/",
    "mach-o/",
    "machine/",
    "libkern/",
    "CoreFoundation/",
    "CoreServices/",
    "IOKit/",
    "kernel/",
    "vm/",
    "bits/",
];

/// How the paths of the headers of widely used libraries begin.
const USUAL: &str = "gtk gdk glib gio gobject pango cairo atk openssl boost SDL SDL2 SDL3 GL GLES \
GLES2 GLES3 EGL GLFW glad X11 xcb wayland curl event2 libxml libxml2 libxslt png.h jpeglib.h tiff \
zlib.h lzma.h bzlib.h zstd.h lz4 snappy.h sqlite3.h mysql mariadb postgresql libpq pcre pcre2.h \
ncurses curses.h readline Python.h lua.h lauxlib.h jni.h ruby.h php.h QtCore QtGui QtWidgets \
QtNetwork QtTest wx absl google grpc grpcpp fmt spdlog nlohmann rapidjson Eigen opencv2 tbb mpi.h \
omp.h cuda CL vulkan alsa pulse jack uv.h ev.h yajl yaml.h json-c jansson.h msgpack hiredis \
systemd dbus libudev.h libusb security krb5 gssapi ldap.h sasl gnutls gcrypt.h mbedtls wolfssl \
nghttp2 libssh libssh2.h idn2.h brotli librtmp expat.h archive.h zip.h folly catch2 doctest tensorflow \
freetype2 ft2build.h fontconfig harfbuzz unicode linux/if.h valgrind check.h cmocka.h CUnit criterion \
emscripten";

/// Whether a header belongs to a widely used library.
pub(super) fn is_usual(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or(path);
    let is_qt = first
        .strip_prefix('Q')
        .is_some_and(|rest| rest.starts_with(char::is_alphabetic) && !rest.contains('.'));
    is_qt || USUAL.split_whitespace().any(|known| known == first)
}

/// Whether a header belongs to another system, whose names no table holds.
pub(super) fn is_elsewhere(name: &str) -> bool {
    let is_known = || ELSEWHERE.split_whitespace().any(|header| header == name);
    let is_in_folder = || SYSTEMS.iter().any(|folder| name.starts_with(folder));
    !is_in_table(name) && (is_known() || is_in_folder() || is_of_a_system(name))
}

/// Whether a header would lie in a folder of which every header of every system is known.
pub(super) fn is_of_listed_folder(name: &str) -> bool {
    LISTED.iter().any(|folder| name.starts_with(folder))
}

/// Whether some system has a header, by the tables.
fn is_of_a_system(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names = words(include_str!("system_headers.txt"));
        names.extend(words(include_str!("windows_headers.txt")));
        names
    });
    names.contains(name)
}

/// Whether a header belongs to the libraries, or to another system.
pub(super) fn is_header(name: &str) -> bool {
    const TESTS: [&str; 3] = ["gtest/", "gmock/", "benchmark/"];
    is_in_table(name)
        || is_elsewhere(name)
        || is_of_kernel(name)
        || TESTS.iter().any(|folder| name.starts_with(folder))
}

/// Whether a header is one of the kernel, which declares no functions.
pub(super) fn is_of_kernel(name: &str) -> bool {
    const FOLDERS: [&str; 11] = [
        "linux/",
        "asm/",
        "asm-generic/",
        "drm/",
        "libdrm/",
        "mtd/",
        "rdma/",
        "scsi/",
        "sound/",
        "video/",
        "xen/",
    ];
    FOLDERS.iter().any(|folder| name.starts_with(folder))
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
        assert!(is_header("sys/event.h") && is_header("winreg.h") && is_header("mach/any.h"));
        assert!(!is_header("sys/studio.h") && is_of_listed_folder("sys/studio.h"));
        assert!(!is_elsewhere("sys/types.h") && is_elsewhere("sys/event.h"));
    }
}
