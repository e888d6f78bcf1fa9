//! Classes of installed archives, which are written here byte by byte.

use crate::tree::{Tree, missing};

/// A compiled class: its path, its base and interfaces, and its members with their types.
fn class(path: &str, bases: &[&str], fields: &[(&str, &str)], methods: &[(&str, &str)]) -> Vec<u8> {
    let mut constants: Vec<Vec<u8>> = Vec::new();
    let mut text = |text: &str| -> u16 {
        let length = u16::try_from(text.len()).unwrap().to_be_bytes();
        constants.push([&[1][..], &length, text.as_bytes()].concat());
        u16::try_from(constants.len()).unwrap()
    };
    let names: Vec<u16> = [path].iter().chain(bases).map(|name| text(name)).collect();
    let mut members = Vec::new();
    for list in [fields, methods] {
        members.extend(u16::try_from(list.len()).unwrap().to_be_bytes());
        for (name, ty) in list {
            let (name, ty) = (text(name), text(ty));
            members.extend([1u16, name, ty, 0].iter().flat_map(|number| number.to_be_bytes()));
        }
    }
    // A long constant takes two numbers.
    constants.push([&[5][..], &[0; 8]].concat());
    let first_class = u16::try_from(constants.len()).unwrap() + 2;
    constants.extend(names.iter().map(|name| [&[7][..], &name.to_be_bytes()].concat()));
    let count = u16::try_from(constants.len()).unwrap() + 2;
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
    bytes.extend(count.to_be_bytes());
    bytes.extend(constants.concat());
    let interfaces = u16::try_from(bases.len()).unwrap() - 1;
    bytes.extend(
        [1u16, first_class, first_class + 1, interfaces].iter().flat_map(|it| it.to_be_bytes()),
    );
    bytes.extend((0..interfaces).flat_map(|number| (first_class + 2 + number).to_be_bytes()));
    bytes.extend(members);
    bytes.extend([0, 0]);
    bytes
}

/// An archive whose entries are stored as they are.
fn archive(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in entries {
        let size = u32::try_from(content.len()).unwrap().to_le_bytes();
        let length = u16::try_from(name.len()).unwrap().to_le_bytes();
        let offset = u32::try_from(bytes.len()).unwrap().to_le_bytes();
        bytes.extend([&b"PK\x03\x04"[..], &[0; 14], &size, &size, &length, &[0; 2]].concat());
        bytes.extend([name.as_bytes(), content.as_slice()].concat());
        directory.extend([&b"PK\x01\x02"[..], &[0; 16], &size, &size, &length, &[0; 12]].concat());
        directory.extend([&offset[..], name.as_bytes()].concat());
    }
    let start = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    let size = u32::try_from(directory.len()).unwrap().to_le_bytes();
    bytes.extend(directory);
    bytes.extend([&b"PK\x05\x06"[..], &[0; 8], &size, &start, &[0; 2]].concat());
    bytes
}

/// What the compiler of Kotlin leaves in a class with a companion.
const NOTED: [(&str, &str); 2] = [("Lkotlin/Metadata;", "I"), ("Companion", "I")];

fn project() -> Tree {
    let mut entries = entries();
    entries.push(("org/shop/Broken.class", b"no class".to_vec()));
    project_of(&entries)
}

fn entries() -> Vec<(&'static str, Vec<u8>)> {
    let desk = class(
        "org/shop/Desk",
        &["org/shop/Thing", "org/shop/Wooden"],
        &[("WIDE", "I")],
        &[("open", "()Lorg/shop/Desk$Drawer;"), ("make", "()Lorg/shop/Desk;")],
    );
    let object = ["java/lang/Object"];
    vec![
        ("org/shop/Desk.class", desk),
        ("org/shop/Thing.class", class("org/shop/Thing", &object, &[], &[("move", "()V")])),
        ("org/shop/Wooden.class", class("org/shop/Wooden", &object, &[], &[("burn", "()V")])),
        (
            "org/shop/Desk$Drawer.class",
            class("org/shop/Desk$Drawer", &object, &[], &[("pull", "()V")]),
        ),
        ("org/shop/Far.class", class("org/shop/Far", &["org/other/Base"], &[], &[])),
        ("org/shop/Board.class", class("org/shop/Board", &object, &NOTED, &[("getLabel", "()V")])),
        (
            "org/shop/Board$Companion.class",
            class("org/shop/Board$Companion", &object, &NOTED, &[("create", "()V")]),
        ),
        // The words of an alias stand among the constants, here in the place of a type.
        ("org/shop/DeskKt.class", class("org/shop/DeskKt", &object, &[], &[("paint", "Tables")])),
    ]
}

fn project_of(entries: &[(&str, Vec<u8>)]) -> Tree {
    let text = "--- pom.xml\n<dependency><groupId>org.shop</groupId><artifactId>desk</artifactId>\
        <version>1.0</version></dependency>\n--- src/main/java/own/App.java\npackage own;\nclass App {}\n";
    Tree::new(text).with("/packages/org/shop/desk/1.0/desk-1.0.jar", &archive(entries))
}

#[test]
fn what_an_installed_archive_has_is_quiet() {
    let text = "package own;
import org.shop.*;
import org.shop.Desk;
import org.shop.Far;
import org.shop.Broken;
class Use extends Desk {
    void run(Far far, Broken broken) {
        Desk desk = Desk.make();
        desk.open().pull();
        desk.move();
        burn();
        int wide = Desk.WIDE + WIDE;
        far.whatever();
        broken.whatever();
        Desk.Drawer drawer = desk.open();
        Wooden wooden = desk;
    }
}
";
    assert_eq!(missing(&project().write("src/main/java/own/Use.java", text)), Vec::<String>::new());
}

#[test]
fn what_an_installed_archive_lacks_is_missing() {
    let text = "package own;
import org.shop.Desk;
import org.shop.Chair;
class Use extends Desk {
    void run() {
        Desk desk = Desk.make();
        desk.open().push();
        desk.climb();
        vanish();
        Desk.DEEP.toString();
    }
}
";
    assert_eq!(
        missing(&project().write("src/main/java/own/Use.java", text)),
        ["3 import Chair", "7 member push", "8 member climb", "9 call vanish", "10 member DEEP"]
    );
}

#[test]
fn an_archive_that_is_cut_or_not_declared_tells_nothing() {
    let text = "package own;\nimport org.shop.Chair;\nclass Use { Chair chair; }\n";
    let path = "/packages/org/shop/desk/1.0/desk-1.0.jar";
    for cut in [0, 10, 400] {
        let tree = project().with(path, &archive(&[])[..cut.min(22)]);
        assert_eq!(missing(&tree.write("src/main/java/own/Use.java", text)), Vec::<String>::new());
    }
    let tree = project().with("pom.xml", b"<artifactId>shop</artifactId>");
    assert_eq!(missing(&tree.write("src/main/java/own/Use.java", text)), Vec::<String>::new());
}

#[test]
fn kotlin_asks_installed_archives_too() {
    let text = "package own
import org.shop.*
import org.shop.Desk
import org.shop.Tables
import org.shop.paint
import org.shop.Chair
import org.shop.varnish
class Use : Desk() {
    fun run(board: Board, far: Far) {
        this.open().pull()
        move()
        vanish()
        paint(board.label, Board.create())
        board.gone()
        far.whatever()
        Desk.make().climb()
        Desk.make().paint()
    }
}
";
    let tree = project_of(&entries());
    assert_eq!(
        missing(&tree.write("src/main/kotlin/own/Use.kt", text)),
        [
            "6 import Chair",
            "7 import varnish",
            "12 call vanish",
            "14 member gone",
            "16 member climb"
        ]
    );
}

#[test]
fn kotlin_leaves_packages_alone_that_are_not_whole() {
    let pom = b"<dependency><groupId>org.shop</groupId><artifactId>desk</artifactId></dependency>\
        <dependency><groupId>org.shop.more</groupId><artifactId>wood</artifactId></dependency>";
    let text = "package own\nimport org.shop.Chair\nfun run(chair: Chair) = chair.sit()\n";
    let tree = project().with("pom.xml", pom);
    assert_eq!(missing(&tree.write("src/main/kotlin/own/Use.kt", text)), Vec::<String>::new());
}
