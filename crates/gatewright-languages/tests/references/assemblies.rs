//! Types of installed packages of NuGet, whose assemblies are written here byte by byte.

use proptest::prelude::*;

use crate::tree::{Tree, missing};

const PUBLIC: u16 = 6;
const PRIVATE: u16 = 1;
const STATIC: u16 = 0x10;
const SPECIAL: u16 = 0x800;

/// A type: its name and namespace, what it builds on and what it has.
#[derive(Default)]
struct Type {
    name: &'static str,
    namespace: &'static str,
    is_hidden: bool,
    /// The number of a type of this assembly, counted from one.
    base: Option<u16>,
    /// Whether the base is named through a generic type.
    is_generic: bool,
    inside: Option<u16>,
    fields: &'static [(u16, &'static str)],
    methods: &'static [(u16, &'static str)],
    properties: &'static [&'static str],
    extends: bool,
}

/// The parts of a description that grow while types are written.
#[derive(Default)]
struct Heaps {
    texts: Vec<u8>,
    blobs: Vec<u8>,
    tables: std::collections::BTreeMap<u8, Vec<Vec<u16>>>,
}

impl Heaps {
    fn text(&mut self, text: &str) -> u16 {
        let at = self.texts.len();
        self.texts.extend(text.bytes().chain([0]));
        u16::try_from(at).unwrap()
    }

    /// Adds a row; its number.
    fn row(&mut self, table: u8, cells: &[u16]) -> u16 {
        let rows = self.tables.entry(table).or_default();
        rows.push(cells.to_vec());
        u16::try_from(rows.len()).unwrap()
    }

    fn next(&self, table: u8) -> u16 {
        u16::try_from(self.tables.get(&table).map_or(0, Vec::len) + 1).unwrap()
    }

    fn add(&mut self, of: &Type) {
        let (name, namespace) = (self.text(of.name), self.text(of.namespace));
        let flags = match (of.is_hidden, of.inside) {
            (true, _) => 0,
            (false, None) => 1,
            (false, Some(_)) => 2,
        };
        let base = match (of.base, of.is_generic) {
            (None, _) => 1 << 2 | 1,
            (Some(base), false) => base << 2,
            (Some(base), true) => {
                let at = u16::try_from(self.blobs.len()).unwrap();
                self.blobs.extend([5, 0x15, 0x12, u8::try_from(base << 2).unwrap(), 1, 0x1c]);
                self.row(0x1b, &[at]) << 2 | 2
            }
        };
        let (fields, methods) = (self.next(0x04), self.next(0x06));
        let own = self.row(0x02, &[flags, 0, name, namespace, base, fields, methods]);
        for (flags, name) in of.fields {
            let name = self.text(name);
            self.row(0x04, &[*flags, name, 0]);
        }
        for (flags, name) in of.methods {
            let name = self.text(name);
            let method = self.row(0x06, &[0, 0, 0, *flags, name, 0, 1]);
            if of.extends {
                self.row(0x0c, &[method << 5, 1 << 3 | 3, 0]);
            }
        }
        if !of.properties.is_empty() {
            let first = self.next(0x17);
            self.row(0x15, &[own, first]);
            for name in of.properties {
                let name = self.text(name);
                self.row(0x17, &[0, name, 0]);
            }
        }
        if let Some(around) = of.inside {
            self.row(0x29, &[own, around]);
        }
    }
}

fn assembly(types: &[Type]) -> Vec<u8> {
    let mut heaps = Heaps { texts: vec![0], blobs: vec![0], ..Heaps::default() };
    for (name, namespace) in [("Object", "System"), ("ExtensionAttribute", "System.Runtime")] {
        let (name, namespace) = (heaps.text(name), heaps.text(namespace));
        heaps.row(0x01, &[2, name, namespace]);
    }
    heaps.row(0x0a, &[2 << 3 | 1, 0, 0]);
    types.iter().for_each(|of| heaps.add(of));
    written(heaps)
}

fn written(heaps: Heaps) -> Vec<u8> {
    let present = heaps.tables.keys().fold(0u64, |mask, table| mask | 1 << table);
    let mut stream = vec![0, 0, 0, 0, 2, 0, 0, 1];
    stream.extend([present.to_le_bytes(), [0; 8]].concat());
    let counts = heaps.tables.values().map(|rows| u32::try_from(rows.len()).unwrap());
    stream.extend(counts.flat_map(u32::to_le_bytes));
    stream.extend(heaps.tables.values().flatten().flatten().flat_map(|cell| cell.to_le_bytes()));
    program(&[("#~", stream), ("#Strings", heaps.texts), ("#Blob", heaps.blobs)])
}

/// A program file with nothing but a description.
fn program(streams: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let head = 20 + streams.iter().map(|(name, _)| 8 + (name.len() / 4 + 1) * 4).sum::<usize>();
    let mut metadata = [&b"BSJB"[..], &[1, 0, 1, 0], &[0; 4], &[0; 6]].concat();
    metadata.extend(u16::try_from(streams.len()).unwrap().to_le_bytes());
    let mut at = u32::try_from(head).unwrap();
    for (name, bytes) in streams {
        let size = u32::try_from(bytes.len()).unwrap();
        metadata.extend([at.to_le_bytes(), size.to_le_bytes()].concat());
        metadata.extend(name.bytes());
        metadata.resize(metadata.len() + 4 - name.len() % 4, 0);
        at += size;
    }
    metadata.extend(streams.iter().flat_map(|(_, bytes)| bytes));
    let mut bytes = vec![0; 0x400];
    let mut put = |at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    let (size, within) = (u32::try_from(metadata.len()).unwrap(), 0x2000);
    put(0x3c, 0x80);
    put(0x80, u32::from_le_bytes(*b"PE\0\0"));
    put(0x84, 1 << 16);
    put(0x94, 0xe0);
    put(0x98, 0x10b);
    put(0x98 + 96 + 14 * 8, within);
    // The one section.
    put(0x178 + 8, size + 0x48);
    put(0x178 + 12, within);
    put(0x178 + 20, 0x3b8);
    // The head of the runtime, before the description.
    put(0x3b8 + 8, within + 0x48);
    put(0x3b8 + 12, size);
    bytes.extend(metadata);
    bytes
}

fn shop() -> Vec<u8> {
    let namespace = "Shop.Core";
    assembly(&[
        Type {
            name: "Desk",
            namespace,
            base: Some(2),
            fields: &[(PUBLIC, "Width"), (PRIVATE, "secret")],
            methods: &[(PUBLIC, "Open"), (PRIVATE, "Hide"), (PUBLIC | SPECIAL, "get_Label")],
            properties: &["Label"],
            ..Type::default()
        },
        Type { name: "Thing", namespace, methods: &[(PUBLIC, "Move")], ..Type::default() },
        Type { name: "Drawer", inside: Some(1), methods: &[(PUBLIC, "Pull")], ..Type::default() },
        Type { name: "Inner", namespace, is_hidden: true, ..Type::default() },
        Type { name: "Pile`1", namespace, methods: &[(PUBLIC, "Push")], ..Type::default() },
        Type { name: "Books", namespace, base: Some(5), is_generic: true, ..Type::default() },
        Type {
            name: "DeskExtensions",
            namespace,
            methods: &[(PUBLIC | STATIC, "Paint")],
            extends: true,
            ..Type::default()
        },
    ])
}

const PACKAGE: &str = "/packages/shop.core/1.2.0";

fn project(bytes: &[u8]) -> Tree {
    let text = "--- App/App.csproj\n<Project><PackageReference Include=\"Shop.Core\" \
        Version=\"1.2.0\" /></Project>\n--- App/Own.cs\nnamespace App { class Own { } }\n";
    Tree::new(text).with(&format!("{PACKAGE}/lib/net8.0/Shop.Core.dll"), bytes)
}

fn check(tree: &Tree, lines: &str) -> Vec<String> {
    let text = format!(
        "using System;\nusing Shop.Core;\nnamespace App {{\nclass Use : Desk {{\nvoid Run(Desk desk, \
         Books books) {{\n{lines}\n}} }} }}\n"
    );
    missing(&tree.write("App/Use.cs", &text))
}

const THERE: &str = "desk.Open(); desk.Move(); desk.Paint(); desk.ToString(); Move(); books.Push();\n\
    var wide = desk.Width + desk.Label + this.Width; var drawer = new Desk.Drawer(); drawer.Pull();\n\
    Console.WriteLine(new Pile<string>());";

const GONE: &str = "desk.Climb();\nVanish();\nbooks.Topple();\nvar chair = new Chair();\ndesk.Hide();\n\
    var inner = new Inner();";

#[test]
fn what_an_installed_package_has_is_quiet() {
    assert_eq!(check(&project(&shop()), THERE), Vec::<String>::new());
}

#[test]
fn what_an_installed_package_lacks_is_missing() {
    assert_eq!(
        check(&project(&shop()), GONE),
        [
            "6 member Climb",
            "7 call Vanish",
            "8 member Topple",
            "9 class Chair",
            "10 member Hide",
            "11 class Inner"
        ]
    );
}

#[test]
fn a_namespace_that_no_package_has_is_missing() {
    let text = "using Shop.Core;\nusing Shop.Cellar;\nnamespace App { class Use { } }\n";
    let found = missing(&project(&shop()).write("App/Use.cs", text));
    assert_eq!(found, ["2 module Shop.Cellar"]);
}

#[test]
fn packages_that_are_not_whole_tell_nothing() {
    let makes_code = format!("{PACKAGE}/analyzers/dotnet/cs/Make.dll");
    let needs = b"<dependency id=\"Shop.Wood\" version=\"1.0.0\" />";
    for tree in [
        project(b"no assembly"),
        project(&shop()).with(&makes_code, b""),
        project(&shop()).with(&format!("{PACKAGE}/shop.core.nuspec"), needs),
    ] {
        let text =
            "using Shop.Core;\nusing Shop.Cellar;\nnamespace App { class Use { Chair chair; } }\n";
        assert_eq!(missing(&tree.write("App/Use.cs", text)), Vec::<String>::new());
    }
}

#[test]
fn an_assembly_of_the_workspace_is_read_where_a_project_points_at_it() {
    let text = "--- App/App.csproj\n<Reference Include=\"Shop.Core\">\
        <HintPath>..\\lib\\Shop.Core.dll</HintPath></Reference>\n--- App/Own.cs\nnamespace App { }\n";
    let tree = Tree::new(text).with("lib/Shop.Core.dll", &shop());
    assert_eq!(check(&tree, THERE), Vec::<String>::new());
    let found = check(&tree, "desk.Climb();\nvar chair = new Chair();");
    assert_eq!(found, ["6 member Climb", "7 class Chair"]);
}

/// Types that all claim the same methods would take the square of their number to read.
#[test]
fn an_assembly_whose_types_share_their_members_tells_nothing() {
    let mut heaps = Heaps { texts: vec![0], blobs: vec![0], ..Heaps::default() };
    let (name, namespace) = (heaps.text("Desk"), heaps.text("Shop.Core"));
    let count = 10_000;
    for row in 0..count {
        heaps.row(0x02, &[1, 0, name, namespace, 0, 1, if row % 2 == 0 { 1 } else { count }]);
    }
    for _ in 0..count {
        heaps.row(0x06, &[0, 0, 0, PUBLIC, name, 0, 1]);
    }
    let found = check(&project(&written(heaps)), "var chair = new Chair();");
    assert_eq!(found, Vec::<String>::new());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever bytes a package holds, there is an answer; and what they may hide is not missing.
    #[test]
    fn spoilt_assemblies_give_an_answer(
        cut in 0usize..2_000,
        spoils in prop::collection::vec((0usize..2_000, any::<u8>()), 0..12),
    ) {
        let mut bytes = shop();
        bytes.truncate(bytes.len().min(cut + 0x300));
        for (at, byte) in spoils {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let _ = check(&project(&bytes), GONE);
    }

    #[test]
    fn random_bytes_are_no_assembly(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        prop_assert_eq!(check(&project(&bytes), "Chair chair;"), Vec::<String>::new());
    }
}
