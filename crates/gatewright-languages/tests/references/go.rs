//! Go.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- go.mod
module example.com/shop

go 1.22

require (
	github.com/declared/lib v1.2.3
	github.com/Installed/lib v0.1.0
)
--- store/store.go
package store

import \"sync\"

type Base struct{ ID int }

func (b *Base) Save() error { return nil }

type Item struct {
	Base
	Name string
	mu   sync.Mutex
}

func (i *Item) Rename(name string) *Item { i.Name = name; return i }

type Keeper interface {
	Keep(item *Item) (Item, error)
}

type Kind int

const (
	Small Kind = iota
	Large
)

func (k Kind) Label() string { return \"\" }

func New(name string) *Item { return &Item{Name: name} }

func Pair[T any](left, right T) []T { return []T{left, right} }

var Default = New(\"default\")
--- store/store_windows.go
package store

type Handle struct{ Windows int }
--- store/store_unix.go
package store

type Handle struct{ Unix int }
--- /packages/github.com/!installed/lib@v0.1.0/lib.go
package lib

func Run() {}
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("cmd/main.go", text))
}

#[test]
fn what_exists_is_quiet() {
    let text = "\
package main

import (
	\"fmt\"
	net \"net/http\"
	\"time\"

	\"example.com/shop/store\"
	\"github.com/Installed/lib\"
	\"github.com/declared/lib/deep\"
)

type server struct {
	*net.Server
	items map[string]*store.Item
	keep  store.Keeper
}

func (s *server) run(limit int) (err error) {
	item := store.New(\"x\").Rename(\"y\")
	item.Save()
	fmt.Println(item.ID, item.Name, store.Large.Label(), store.Default.Name)
	for name, item := range s.items {
		fmt.Println(name, item.Name, len(name))
	}
	if kept, err := s.keep.Keep(item); err == nil {
		kept.Rename(\"z\")
	}
	s.Addr = (2 * time.Second).String()
	switch v := any(item).(type) {
	case *store.Item:
		v.Save()
	case error:
		_ = v.Error()
	}
	lib.Run()
	deep.Anything()
	pair := store.Pair[int](1, 2)
	_ = pair[0]
	s.ListenAndServe()
	var handle store.Handle
	_, _ = handle.Unix, handle.Windows
	_ = []store.Item{{Name: \"a\"}}
	return nil
}

func main() { (&server{items: nil}).run(1) }
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn what_is_missing_is_found() {
    let text = "\
package main

import (
	\"fmt\"
	\"strngs\"

	\"example.com/shop/stor\"
	\"example.com/shop/store\"
	\"github.com/invented/lib\"
)

type server struct{ item Itm }

func (s *server) run(other *store.Itemm) {
	fmt.Printn()
	s.walk()
	item := store.New(\"x\")
	item.Remove()
	item.Rename(\"y\").Title = \"z\"
	store.Nw()
	undefinedCall()
	_ = store.Item{Nam: \"x\"}
	var handle store.Handle
	store.Small.Lable()
}
";
    assert_eq!(
        check(text),
        [
            "5 module strngs",
            "7 module example.com/shop/stor",
            "9 package github.com/invented/lib",
            "12 class Itm",
            "14 attribute Itemm",
            "15 attribute Printn",
            "16 member walk",
            "18 member Remove",
            "19 member Title",
            "20 attribute Nw",
            "21 call undefinedCall",
            "22 member Nam",
            "24 member Lable",
        ]
    );
}

#[test]
fn the_nearest_names_are_suggested() {
    let text = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Printn() }\n";
    let facts = Tree::new(PROJECT).write("cmd/main.go", text);
    assert_eq!(facts.missing[0].col, 19);
    assert!(facts.missing[0].suggestions.contains(&"Println".to_owned()));
}

#[test]
fn what_cannot_be_told_is_counted() {
    let text = "\
package main

import (
	\"C\"
	. \"github.com/declared/lib\"
)

func main() { C.puts(nil); FromElsewhere() }
";
    let facts = Tree::new(PROJECT).write("cmd/main.go", text);
    assert_eq!(missing(&facts), Vec::<String>::new());
    assert!(facts.unknown.contains_key("cgo"), "{:?}", facts.unknown);
    assert!(facts.unknown.contains_key("module declared but not installed"));
}

#[test]
fn a_definition_of_the_same_change_set_counts() {
    let facts = Tree::new(PROJECT).change(&[
        (
            "cmd/main.go",
            None,
            Some(
                "package main\n\nimport \"example.com/shop/fresh\"\n\n\
                 func main() { fresh.Make().Go(); helper() }\n",
            ),
        ),
        (
            "fresh/fresh.go",
            None,
            Some("package fresh\n\ntype T struct{}\n\nfunc (T) Go() {}\n\nfunc Make() T { return T{} }\n"),
        ),
        ("cmd/more.go", None, Some("package main\n\nfunc helper() {}\n")),
    ]);
    assert_eq!(missing(&facts[0]), Vec::<String>::new());
}

#[test]
fn deep_and_broken_text_is_answered() {
    let deep = format!("package main\n\nvar x = {}1{}\n", "(".repeat(5000), ")".repeat(5000));
    assert!(Tree::new(PROJECT).write("cmd/deep.go", &deep).missing.is_empty());
    let broken = "package main\n\nfunc main() { broken(; lost.(]]] }\nfunc broken() {}\n";
    assert!(Tree::new(PROJECT).write("cmd/broken.go", broken).missing.is_empty());
    let cyclic = "package main\n\ntype a struct{ b }\ntype b struct{ a }\n\nvar x = y\nvar y = x\n\
                  func main() { x.z(); a{}.q() }\n";
    assert!(Tree::new(PROJECT).write("cmd/cyclic.go", cyclic).missing.is_empty());
}

#[test]
fn a_module_that_its_own_sums_list_is_still_its_own() {
    let sums = "--- go.sum\nexample.com/other v1.0.0 h1:x\nexample.com/shop v1.0.0 h1:x\n\
        example.com/shop/inner v1.0.0 h1:x\n";
    let tree = Tree::new(&format!("{PROJECT}{sums}"));
    let text = "package web\n\nimport (\n\t\"example.com/shop/inner/deep\"\n\t\"example.com/shop/nowhere\"\n\
        )\n\nvar _, _ = deep.X, nowhere.Y\n";
    assert_eq!(missing(&tree.write("web/new.go", text)), ["5 module example.com/shop/nowhere"]);
}

/// A workspace from before modules, whose files import each other by its path.
const WITHOUT_MODULE: &str = "\
--- Gopkg.lock
name = \"github.com/other/toml\"
--- toml/toml.go
package toml

func Size() int { return 1 }
--- store/store.go
package store

import \"github.com/shop/desk/toml\"

var Size = toml.Size()
--- cmd/main.go
package main

import \"github.com/shop/desk/store\"

func main() { println(store.Size) }
";

#[test]
fn a_workspace_without_go_mod_knows_its_own_path() {
    let text = "package web

import (
\t\"fmt\"
\t\"github.com/other/toml\"
\t\"github.com/shop/desk/store\"
)

func f() { fmt.Println(store.Size, toml.Decode()) }
";
    let tree = Tree::new(WITHOUT_MODULE);
    let check = |from: &str, to: &str| missing(&tree.write("web/web.go", &text.replace(from, to)));
    assert_eq!(check("", ""), [""; 0], "a package of another path is not one's own");
    assert_eq!(check("desk/store", "desk/stor"), ["6 module github.com/shop/desk/stor"]);
    assert_eq!(check("\"fmt\"", "\"fmtt\""), ["4 module fmtt"]);
    assert_eq!(check("other/toml", "fast/quick"), ["5 package github.com/fast/quick"]);
    assert_eq!(check("store.Size", "store.Sise"), ["9 attribute Sise"]);
}
