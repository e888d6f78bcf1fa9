//! C and C++.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- src/store.h
#ifndef STORE_H
#define STORE_H
#include <stddef.h>
#include \"types.h\"
struct depot { size_t size; item_t *first; };
void store_add(struct depot *store, item_t *item);
#define STORE_EACH(s) for (;;)
#endif
--- include/types.h
typedef struct item { int id; } item_t;
--- src/other.c
int helper_of_other(void) { return 1; }
--- src/parser.y
%%
--- src/shape.hpp
namespace geo { struct Shape { int area() const; int sides; }; }
";

fn check(path: &str, text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write(path, text))
}

#[test]
fn what_exists_is_quiet() {
    let text = "\
#include <stdio.h>
#include \"store.h\"
#include \"parser.h\"
#ifdef HAVE_ODD
#include <odd/odd.h>
#endif
#define TWICE(x) twice_##x(x)
static int own(int (*callback)(void)) { return callback(); }
int main(void) {
    struct depot store; item_t item;
    store.size = 0; store.first->id = item.id;
    store_add(&store, &item);
    STORE_EACH(store) printf(\"%zu\", store.size);
    memcpy(&item, &item, sizeof(item));
    return own(helper_of_other) + helper_of_other() + TWICE(3);
}
";
    assert_eq!(check("src/main.c", text), Vec::<String>::new());
}

#[test]
fn what_is_missing_is_found() {
    let text = "\
#include <stdio.h>
#include \"store.h\"
#include \"stores.h\"
#include <invented/fast.h>
int main(void) {
    struct depot store; thing_t *thing;
    store.footprint = 0;
    store_remove(&store);
    printg(\"%d\", undefined_call());
    return store.first->serial_no;
}
";
    let with_gaps = check("src/main.c", text);
    assert_eq!(with_gaps, ["3 module stores.h", "4 package invented/fast.h", "7 member footprint"]);
    let whole = text.replace("#include \"stores.h\"\n#include <invented/fast.h>\n", "");
    assert_eq!(
        check("src/main.c", &whole),
        [
            "4 class thing_t",
            "5 member footprint",
            "6 call store_remove",
            "7 call printg",
            "7 call undefined_call",
            "8 member serial_no",
        ]
    );
}

#[test]
fn namespaces_and_classes_are_looked_into() {
    let text = "\
#include <vector>
#include \"shape.hpp\"
class Square : public geo::Shape {
 public:
  int twice() { return this->area() + this->aria(); }
};
TEST(Squares, AreQuiet) { geo::Shape shape; shape.area(); }
int run() {
  std::vector<geo::Shape> shapes;
  std::vektor<int> numbers;
  geo::Shape shape;
  geo::render(shape);
  shapes.push_back(shape);
  return shape.sides + shape.corners;
}
";
    assert_eq!(
        check("src/run.cpp", text),
        ["5 member aria", "10 attribute vektor", "12 attribute render", "14 member corners"]
    );
}

#[test]
fn a_definition_of_the_same_change_set_counts() {
    let facts = Tree::new(PROJECT).change(&[
        ("src/main.c", None, Some("#include \"fresh.h\"\nint f(void) { return fresh(); }\n")),
        ("src/fresh.h", None, Some("int fresh(void);\n")),
    ]);
    assert_eq!(missing(&facts[0]), Vec::<String>::new());
}

/// A file that uses a library which is not installed, and a function of its own.
const WITH_A_GAP: &str = "\
#include <odd/odd.h>
#include \"store.h\"
#ifdef WITH_CHECKS
static int checks(struct depot *store) { return store->size == 0; }
static int more(struct depot *store) { store_add(store, store->first); return checks(store); }
static int most(struct depot *store) { return more(store) + checks(store) + helper_of_other(); }
static int all(struct depot *store) { return most(store) + more(store) + checks(store); }
#endif
";

#[test]
fn the_first_name_that_nothing_spells_is_missed_in_a_file_that_had_none() {
    let tree = Tree::new(PROJECT);
    let change = |old: &str, new: &str| {
        let after = old.replace("return most(store) +", new);
        missing(&tree.change(&[("src/gap.c", Some(old), Some(&after))])[0])
    };
    assert_eq!(change(WITH_A_GAP, "return mots(store) +"), ["7 call mots"]);
    assert_eq!(change(WITH_A_GAP, "return odd_count(store) +"), Vec::<String>::new());
    let foreign = WITH_A_GAP.replace("return more(store)", "return unheard(store)");
    assert_eq!(change(&foreign, "return mots(store) +"), Vec::<String>::new());
}

#[test]
fn what_only_some_systems_compile_says_nothing_of_a_name_that_all_compile() {
    let other = "#ifdef _WIN32\nint there(void) { return unheard(1) + Unseen(2); }\n#endif\n";
    let plain = WITH_A_GAP.replace("#ifdef WITH_CHECKS\n", "").replace("#endif\n", "");
    let old = format!("{plain}{other}");
    let change = |after: &str| {
        missing(&Tree::new(PROJECT).change(&[("src/gap.c", Some(&old), Some(after))])[0])
    };
    let plain = old.replace("return most(store) +", "return mots(store) +");
    assert_eq!(change(&plain), ["6 call mots"]);
    let conditional = old.replace("return unheard(1) +", "return unheard(1) + mots(1) +");
    assert_eq!(change(&conditional), Vec::<String>::new());
}

#[test]
fn a_verb_that_begins_like_a_header_is_not_of_it() {
    let old = "\
#include <curses.h>
#include \"store.h\"
static int most(struct depot *store) { return store->size + helper_of_other(); }
static int more(struct depot *store) { store_add(store, store->first); return most(store); }
int all(struct depot *store) {
    noecho();
    printf(\"%d\", most(store) + more(store));
    return most(store);
}
";
    let change = |call: &str| {
        let after = old.replace("    return most(store);", call);
        missing(&Tree::new(PROJECT).change(&[("src/screen.c", Some(old), Some(&after))])[0])
    };
    assert_eq!(change("    return normalize_marks(store);"), ["8 call normalize_marks"]);
    assert_eq!(change("    return start_color() + halfdelay(1);"), Vec::<String>::new());
}

#[test]
fn members_of_a_type_that_only_another_system_has_are_left_alone() {
    let text = "\
#include <kstat.h>
#include \"store.h\"
typedef struct var kvar_t;
int limit(struct depot *store) {
    kvar_t *kvar = lookup_of(store);
    return kvar->v_proc + kvar->v_call + store->footprint;
}
";
    assert_eq!(check("solaris/platform.c", text), ["6 member footprint"]);
}

#[test]
fn folders_that_the_compile_commands_name_are_looked_into() {
    let project = "\
--- build/compile_commands.json
[{\"directory\": \"/srv/p/build\", \"file\": \"../src/other.c\",
  \"command\": \"cc -I/opt/fast/include -I../gen/api -c ../src/other.c\"}]
--- src/other.c
int helper_of_other(void) { return 1; }
--- gen/api/deep/made.h
int made_of(int x);
--- /opt/fast/include/fast/fast.h
int fast_of(int x);
";
    let text = "\
#include <fast/fast.h>
#include \"deep/made.h\"
int main(void) {
    return fast_of(1) + made_of(2) + slow_of(3);
}
";
    let found = missing(&Tree::new(project).write("src/main.c", text));
    assert_eq!(found, ["4 call slow_of"]);
}

#[test]
fn code_for_other_compilers_and_for_the_library_itself_is_left_alone() {
    for condition in
        ["#ifdef _LIBC", "#if !(defined __GNUC__ || defined __clang__)", "#if __GNUC__"]
    {
        let text = format!(
            "#include <stdlib.h>\nint own(void) {{ return 1; }}\n{condition}\n\
             int full(void) {{ return zebraof(own()); }}\n#endif\n"
        );
        let is_quiet = !condition.ends_with("if __GNUC__");
        assert_eq!(check("src/alloca.c", &text).is_empty(), is_quiet, "{condition}");
    }
}

#[test]
fn the_header_of_a_configuration_is_no_condition() {
    let text = "\
#ifdef HAVE_CONFIG_H
#include <config.h>
#include <invented/fast.h>
#endif
#ifdef HAVE_OTHER
#include <optional/fast.h>
#endif
int own(void) { return 1; }
";
    assert_eq!(check("src/a.c", text), ["3 package invented/fast.h"]);
}

#[test]
fn a_common_verb_tells_nothing_of_a_library_that_is_not_installed() {
    let text = "\
#include <boost/graph/adjacency_list.hpp>
void add_price(int x);
void f(int graph) {
  add_price(1);
  add_vertex(graph);
  remove_edge(graph);
}
";
    assert_eq!(check("src/history.cc", text), Vec::<String>::new());
}

#[test]
fn files_for_another_system_include_its_headers() {
    let text =
        "#include <ws2tcpip.h>\n#include <accctrl.h>\n#include <fastio/deep.h>\nint f(void);\n";
    assert_eq!(check("src/service.c", text), ["3 package fastio/deep.h"]);
    let text = "#include <stdio.h>\n#include <accctrl.h>\nint f(void);\n";
    assert_eq!(check("src/service.c", text), Vec::<String>::new());
    let text = "#include <stdio.h>\n#include <acctrack.h>\nint f(void);\n";
    assert_eq!(check("src/service.c", text), ["2 package acctrack.h"]);
}

#[test]
fn names_that_begin_like_a_library_are_its_own_though_the_file_begins_so_too() {
    let text = "\
#include <perl.h>
void perl_close(void) {}
int perl_main(void) {
    perl_construct(0);
    perl_parse(0);
    return perl_run(0);
}
";
    assert_eq!(check("src/iperl.c", text), ["1 package perl.h"]);
}

#[test]
fn a_header_of_an_own_folder_is_missing_though_the_build_is_called_like_it() {
    let tree = Tree::new(
        "--- CMakeLists.txt\nproject(till)\nadd_library(till src/a.cpp)\n\
         --- include/till/coin.h\nint coin_of();\n--- include/till/made.h.in\n\
         --- src/a.cpp\n#include \"till/coin.h\"\n#include <till/coin.h>\nint a() { return coin_of(); }\n",
    );
    let text = "\
#include \"till/coin.h\"
#include \"till/made.h\"
#include \"till/purse.h\"
#include <till/vault.h>
int b() { return coin_of(); }
";
    let found = missing(&tree.write("src/b.cpp", text));
    assert_eq!(found, ["3 module till/purse.h", "4 package till/vault.h"]);
    // A folder of a library may be called like one of the workspace.
    let shared = Tree::new(
        "--- meson.build\nproject('gtk-desk', dependencies: gtk)\n--- src/gtk/own.h\nint own();\n\
         --- src/a.c\n#include <gtk/gtk.h>\n#include \"gtk/own.h\"\nint a() { return own(); }\n",
    );
    let text = "#include <gtk/gtk-more.h>\nint b() { return 1; }\n";
    assert_eq!(missing(&shared.write("src/b.c", text)), [] as [&str; 0]);
}

#[test]
fn structures_and_constants_that_nothing_declares_are_missing() {
    let text = "\
#include <sys/stat.h>
#include \"store.h\"
#define OWN_LIMIT 3
#define HANDLE(name) handle_##name()
enum state { STATE_OPEN, STATE_SHUT };
struct opaque;
int run(struct opaque *held, struct depots *all) {
    struct stat found; struct depot store; enum states now;
    HANDLE(STATE_WHATEVER);
    if (store.size == OWN_LIMIT || found.st_mode == STATE_OPEN) return EINVAL;
    return held ? STATE_AJAR : OTHER_LIMIT;
}
";
    assert_eq!(
        check("src/main.c", text),
        ["7 class depots", "8 class states", "11 name STATE_AJAR", "11 name OTHER_LIMIT"]
    );
}

#[test]
fn headers_of_systems_are_known_and_others_are_missing() {
    let text = "\
#include <sys/types.h>
#include <sys/event.h>
#include <sys/eventloop.h>
#include <netinet/tcp_fsm.h>
#include <netinet/tcp_pool.h>
#ifdef HAVE_SYS_ODD_H
#include <sys/odd.h>
#endif
";
    assert_eq!(
        check("src/main.c", text),
        ["3 package sys/eventloop.h", "5 package netinet/tcp_pool.h"]
    );
}

#[test]
fn headers_of_the_kernel_that_are_not_installed_give_structures_and_no_functions() {
    let text = "\
#include <linux/ethtool.h>
int run(void) {
    struct ethtool_cmd command; command.speed = ETHTOOL_GSET;
    return ethtool_send(&command);
}
";
    assert_eq!(check("src/main.c", text), ["4 call ethtool_send"]);
}

#[test]
fn a_header_that_includes_one_of_its_own_name_is_not_that_one() {
    let project = "\
--- adapters/glib.h
#include <glib.h>
static int attach(GSource *source) { return g_source_attach(source); }
";
    let text = "\
#include <glib.h>
#include \"adapters/glib.h\"
int run(GMainLoop *loop) { return attach(g_source_of(loop)); }
";
    assert_eq!(missing(&Tree::new(project).write("example.c", text)), [] as [&str; 0]);
}

#[test]
fn a_header_that_a_build_makes_is_left_alone() {
    let project =
        format!("{PROJECT}--- .gitignore\n*.gen.h\n/src/tables.h\n/gui/*.h\n/gui/more/**/*.h\n");
    let tree = Tree::new(&project);
    let write = |include: &str| {
        missing(
            &tree.write("src/desk.c", &format!("#include \"store.h\"\n#include \"{include}\"\n")),
        )
    };
    let made = ["desk.pro", "desk.mdh", "words.gen.h", "tables.h", "config.h", "gui/made.h"];
    for include in made {
        assert_eq!(write(include), [""; 0], "{include}");
    }
    assert_eq!(write("table.h"), [""; 0], "it may lie in the folder of which git ignores all");
    assert_eq!(write("deep/table.h"), ["2 module deep/table.h"]);
}
