//! C: fields by name, names that tools make, and what a first word says of a name.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- src/store.h
#include <stddef.h>
struct depot { size_t size; struct depot *first; };
void store_add(struct depot *store);
void store_clear(struct depot *store);
--- src/params.txt
BOOL keep_dead_links False
--- src/other.c
int helper_of_other(void) { return 1; }
";

fn check(path: &str, text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write(path, text))
}

#[test]
fn a_field_that_is_given_by_name_has_to_be_there() {
    let text = "\
#include \"store.h\"
static struct depot one = { .size = 1, .sise = 2 };
static struct depot all[] = { { .first = &one, .fist = &one } };
void run(void) { store_add(&(struct depot){ .size = 1, .sizes = 2 }); }
";
    assert_eq!(check("src/a.c", text), ["2 member sise", "3 member fist", "4 member sizes"]);
}

#[test]
fn what_one_macro_hands_to_another_is_left_alone() {
    let text = "\
#include \"store.h\"
void run(struct depot *store) {
    TRACE(DEPOT_OPENED(store->size));
    store_add(DEPOT_CLOSED(store));
}
";
    let project = format!("{PROJECT}--- src/trace.h\n#define TRACE(x)\n");
    let found = missing(&Tree::new(&project).write("src/a.c", text));
    assert_eq!(found, ["4 call DEPOT_CLOSED"]);
}

#[test]
fn a_sentence_for_another_build_is_no_declaration() {
    let text = "\
#if defined(ONE) + defined(TWO) != 1
Exactly one of ONE or TWO should be defined.
#endif
int own(void) { return 1; }
";
    assert_eq!(check("src/a.c", text), [""; 0]);
}

#[test]
fn a_name_that_begins_like_those_of_own_headers_is_no_name_of_a_library() {
    let text = |call: &str| {
        format!(
            "#include <storelib/remote.h>\n#include \"store.h\"\n\
             void run(struct depot *store) {{\n    store_add(store); store_clear(store);\n    \
             {call}(store);\n}}\n"
        )
    };
    assert_eq!(
        check("src/a.c", &text("store_compact")),
        ["1 package storelib/remote.h", "5 call store_compact"]
    );
    assert_eq!(check("src/a.c", &text("storelib_open")), ["1 package storelib/remote.h"]);
    let two = text("store_compact").replace("store_add(store)", "store_reach(1)");
    assert_eq!(check("src/a.c", &two), ["1 package storelib/remote.h"]);
    // In code for one system as well.
    let text = "\
#include <windows.h>
#include \"store.h\"
void run(struct depot *store) {
    store_add(store); store_clear(store);
    store_compact(store);
    OpenProcessToken(store);
    Unheard(store);
}
";
    assert_eq!(check("win32/a.c", text), ["5 call store_compact"]);
}

#[test]
fn names_that_an_installed_header_makes_with_a_macro_are_there() {
    let project =
        format!("{PROJECT}--- /packages/keys.h\nDECLARE_KEYS(PrivateKey)\nint keys_open(void);\n");
    let text = "#include <keys.h>\nint run(void) { return read_PrivateKey() + keys_shut(); }\n";
    let found = missing(&Tree::new(&project).write("src/a.c", text));
    assert_eq!(found, ["2 call keys_shut"]);
}

#[test]
fn a_function_that_a_tool_makes_of_a_row_of_a_table_is_there() {
    let text = "\
int lp_own(int id) { return id; }
int run(void) { return lp_own(1) + lp_keep_dead_links(1) + lp_keep_live_links(1); }
";
    assert_eq!(check("src/a.c", text), ["2 call lp_keep_live_links"]);
}

#[test]
fn one_name_alone_is_hardly_all_that_a_header_of_another_system_is_for() {
    let text = |body: &str| {
        format!(
            "#include \"store.h\"\n#include <winreg.h>\n#include <winsock2.h>\n\
             int run(struct depot *store) {{ {body} return store->size == 0; }}\n"
        )
    };
    assert_eq!(check("src/a.c", &text("compact(store);")), ["4 call compact"]);
    assert_eq!(check("src/a.c", &text("Unheard(store); Unseen(store);")), [""; 0]);
    let project = format!("{PROJECT}--- src/b.c\nint b(void) {{ return RegOpenOdd(1); }}\n");
    let used = text("RegOpenOdd(1); compact(store);");
    assert_eq!(missing(&Tree::new(&project).write("src/a.c", &used)), [""; 0]);
}

#[test]
fn a_new_file_for_several_libraries_is_not_warned_of_any() {
    let both = "#include <oddio/odd.h>\n#include <rarelib/rare.h>\nint f(void);\n";
    assert_eq!(check("src/a.c", both), [""; 0]);
    let one = "#include <oddio/odd.h>\n#include <oddio/more.h>\nint f(void);\n";
    assert_eq!(check("src/a.c", one), ["1 package oddio/odd.h", "2 package oddio/more.h"]);
    // What the build names is no such library.
    let tree = Tree::new(&format!("{PROJECT}--- CMakeLists.txt\nfind_package(rarelib)\n"));
    assert_eq!(missing(&tree.write("src/a.c", both)), ["1 package oddio/odd.h"]);
    let old = both.replace("#include <oddio/odd.h>\n", "");
    let change = [("src/a.c", Some(&*old), Some(both))];
    assert_eq!(missing(&Tree::new(PROJECT).change(&change)[0]), ["1 package oddio/odd.h"]);
}

#[test]
fn one_stray_name_among_many_that_others_use_does_not_speak_for_the_next() {
    let used: Vec<String> = (0..21).map(|number| format!("remote_{number}a(1)")).collect();
    let project = format!("{PROJECT}--- src/b.c\nint b(void) {{ return {}; }}\n", used.join(" + "));
    let old = format!(
        "#include <oddio/odd.h>\nint run(void) {{ return {} + stray(1); }}\n",
        used.join(" + ")
    );
    let change = |old: &str| {
        let after = old.replace("stray(1)", "stray(1) + invented(2)");
        missing(&Tree::new(&project).change(&[("src/a.c", Some(old), Some(&after))])[0])
    };
    assert_eq!(change(&old), ["2 call invented"]);
    let few = old.replace("remote_0a(1) + remote_1a(1) + ", "");
    assert_eq!(change(&few), [""; 0]);
}

#[test]
fn tags_of_templates_fields_of_systems_and_the_checked_functions_of_c_are_left_alone() {
    let text = "\
#include <cstring>
#include \"store.h\"
using marks = flagged<int, struct marks_tag>;
void wipe(void *at, size_t size) { memset_s(at, size, 0, size); strcpy_s(at); memset_x(at); }
struct flagged { int x; };
";
    assert_eq!(check("src/a.cpp", text), ["4 call memset_x"]);
    let text = "\
#include <windows.h>
#include \"desk.h\"
void Desk::paint() { this->held.lfOdd = 1; this->held.lfEven = 2; }
";
    let project =
        format!("{PROJECT}--- src/desk.h\nstruct Desk {{ LOGFONT held; void paint(); }};\n");
    let write = |path: &str| missing(&Tree::new(&project).write(path, text));
    assert_eq!(write("src/windows/desk.cpp"), [""; 0]);
    assert_eq!(write("src/desk.cpp"), ["3 member lfOdd", "3 member lfEven"]);
}

#[test]
fn a_file_for_windows_of_a_desktop_is_for_every_system() {
    let text = "\
#include \"store.h\"
#ifdef _WIN32
#include <winreg.h>
#endif
int run(struct depot *store) { return compact(store); }
";
    for path in ["src/window.c", "src/macro_table.c"] {
        assert_eq!(check(path, text), ["5 call compact"], "{path}");
    }
    for path in ["src/windows_desk.c", "src/win_desk.c", "src/mac_desk.c"] {
        assert_eq!(check(path, text), [""; 0], "{path}");
    }
}
