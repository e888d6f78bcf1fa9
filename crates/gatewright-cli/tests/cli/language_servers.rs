//! The binary with language servers: some that play a part, real ones of Java and Kotlin, and the
//! real engine of C# behind a host of our own.
//!
//! The parts are played by a script that stands in the place of `ty`.

use std::process::Stdio;
use std::time::{Duration, Instant};

use gatewright_testkit::{Run, has_program, skip};

use crate::gate::Gate;

/// Its first argument decides nothing: the file `part` beside it does.
const SERVER: &str = r#"#!/usr/bin/env python3
import json, os, subprocess, sys, time
if sys.argv[1:] != ["server"]:
    sys.exit(print("ty 0.0.100"))
folder = os.path.dirname(os.path.abspath(__file__))
part = open(folder + "/part").read()
numbers = [os.getpid()]
if part == "hung":
    numbers.append(subprocess.Popen(["sleep", "100000"]).pid)
with open(folder + "/number.new", "w") as file:
    file.write(" ".join(map(str, numbers)))
os.rename(folder + "/number.new", folder + "/number")
with open(folder + "/starts", "a") as file:
    file.write("%d\n" % os.getpid())
root = ""

def answer(method):
    definition = {"uri": root + "/a.py", "range": {
        "start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 9}}}
    if method == "initialize":
        return {"capabilities": {"referencesProvider": True, "renameProvider": True}}
    if method == "textDocument/references":
        open(folder + "/asked", "w").close()
        return [definition] if part == "half" else []
    if method == "textDocument/rename":
        edits = {definition["uri"]: [{"range": definition["range"], "newText": "add_up"}]}
        return {"changes": edits if part == "half" else {}}

while line := sys.stdin.buffer.readline():
    length = int(line.split(b":")[1])
    while sys.stdin.buffer.readline().strip():
        pass
    message = json.loads(sys.stdin.buffer.read(length))
    if message.get("method") == "initialize":
        root = message["params"]["rootUri"]
    if "id" in message and "method" in message:
        if part == "hung" and message["method"] == "textDocument/references":
            open(folder + "/asked", "w").close()
        while part == "hung" and message["method"] != "initialize":
            time.sleep(1000)
        body = {"jsonrpc": "2.0", "id": message["id"], "result": answer(message["method"])}
        text = json.dumps(body).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        sys.stdout.buffer.flush()
while part == "hung":
    time.sleep(1000)
"#;

const DEFINING: &str = "def total(x):\n    return x\n";
const USING: &str = "from a import total\n\nY = total(1)\n";

/// A workspace in which `ty` plays a part.
pub struct Play {
    pub gate: Gate,
    pub path: String,
}

impl Play {
    pub fn new(part: &str) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let gate = Gate::autonomous();
        gate.scratch.write("a.py", DEFINING);
        gate.scratch.write("b.py", USING);
        let folder = gate.scratch.base().join("programs");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("part"), part).unwrap();
        std::fs::write(folder.join("ty"), SERVER).unwrap();
        std::fs::set_permissions(folder.join("ty"), std::fs::Permissions::from_mode(0o755))
            .unwrap();
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
        Self { gate, path }
    }

    pub fn run(&self, args: &[&str]) -> Run {
        self.gate.run_in(args, ("PATH", &self.path))
    }

    fn rename(&self) -> Run {
        self.run(&["edit-code", "total", "a.py", "--action", "rename", "--new-name", "add_up"])
    }

    fn is_unchanged(&self) -> bool {
        self.gate.scratch.read_text("a.py") == DEFINING
            && self.gate.scratch.read_text("b.py") == USING
    }
}

/// Waits for a fact. The bound only turns a hang into a failure.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(600), "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn failure_15_a_cold_server_that_finds_nothing_is_not_taken_for_an_unused_symbol() {
    if !has_program("python3") {
        skip!("python3 is not installed");
    }
    let run = Play::new("cold").run(&["references", "total", "a.py"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.contains("a.py:1") && run.stdout.contains("b.py:3"), "{run}");
    assert!(run.stdout.contains("ty finds no use"), "{run}");
    let run = Play::new("half").run(&["references", "total", "a.py"]);
    assert!(run.stdout.contains("a.py:1") && !run.stdout.contains("b.py:3"), "{run}");
    assert!(run.stdout.contains("2 more places in code say total"), "{run}");
}

#[test]
fn failure_18_a_rename_that_changes_nothing_is_a_refusal_and_half_of_one_says_what_is_left() {
    if !has_program("python3") {
        skip!("python3 is not installed");
    }
    let play = Play::new("cold");
    let run = play.rename();
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("nothing to rename"), "{run}");
    assert!(play.is_unchanged());
    let play = Play::new("half");
    let run = play.rename();
    let told = format!("{}{}", run.stdout, run.stderr);
    assert!(told.contains("b.py:1") && told.contains("b.py:3"), "{run}");
}

/// Whether a process is there and is no corpse that waits for its parent.
pub fn is_alive(number: &str) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{number}/stat")) else { return false };
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().next());
    state.is_some_and(|state| state != "Z" && state != "X")
}

#[test]
fn failure_20_no_server_and_no_child_of_one_outlives_a_gatewright_that_is_killed() {
    if !has_program("python3") {
        skip!("python3 is not installed");
    }
    let play = Play::new("hung");
    let mut command = play.gate.command();
    command.args(["references", "total", "a.py"]).env("PATH", &play.path);
    let mut asking = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let file = play.gate.scratch.base().join("programs/number");
    let both = |text: &String| text.split_whitespace().count() == 2;
    let numbers = until("the server", || std::fs::read_to_string(&file).ok().filter(both));
    let numbers: Vec<&str> = numbers.split_whitespace().collect();
    assert!(numbers.iter().all(|number| is_alive(number)));
    asking.kill().unwrap();
    asking.wait().unwrap();
    until("the end of both", || (!numbers.iter().any(|number| is_alive(number))).then_some(()));
}

#[test]
fn a_class_of_java_is_renamed_with_its_file_and_its_uses() {
    if !has_program("jdtls") {
        skip!("jdtls is not installed");
    }
    let gate = Gate::autonomous();
    let project = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<projectDescription>\n<name>shop</name>\n<buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>\n<natures><nature>org.eclipse.jdt.core.javanature</nature></natures>\n</projectDescription>\n";
    let paths = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<classpath>\n<classpathentry kind=\"src\" path=\"src\"/>\n<classpathentry kind=\"con\" path=\"org.eclipse.jdt.launching.JRE_CONTAINER\"/>\n<classpathentry kind=\"output\" path=\"bin\"/>\n</classpath>\n";
    let cart = "package shop;\n\n/** A cart. */\npublic class Cart {\n    public int total() {\n        return 1;\n    }\n}\n";
    let using = "package shop;\n\nclass Use {\n    int Cart() {\n        return new Cart().total();\n    }\n}\n";
    for (path, text) in [
        (".project", project),
        (".classpath", paths),
        ("src/shop/Cart.java", cart),
        ("src/shop/Use.java", using),
    ] {
        gate.scratch.write(path, text);
    }
    let rename = ["edit-code", "Cart", "src/shop/Cart.java", "--action", "rename"];
    let rename = [rename.as_slice(), &["--new-name", "Basket"]].concat();
    // A server that is not ready in time is a refusal that says so; the next try finds its data.
    let is_late =
        |run: &Run| ["still loading", "no answer in"].iter().any(|text| run.stderr.contains(text));
    let run = until("the server", || Some(gate.run(&rename)).filter(|run| !is_late(run)));
    assert_eq!(run.code, Some(0), "{run}");
    assert!(!gate.scratch.has("src/shop/Cart.java"), "{run}");
    assert_eq!(
        gate.scratch.read_text("src/shop/Basket.java"),
        cart.replace("class Cart", "class Basket")
    );
    assert_eq!(
        gate.scratch.read_text("src/shop/Use.java"),
        using.replace("new Cart", "new Basket")
    );
}

const CART: &str = "namespace Shop;\n\n/// <summary>A cart.</summary>\n[Serializable]\npublic class Cart\n{\n    public int Count { get; set; }\n\n    public int Total(int factor)\n    {\n        return factor * Count;\n    }\n}\n\npublic class Other\n{\n    public int Total(int factor) { return factor; }\n}\n";
const CART_USE: &str = "namespace Shop;\n\npublic static class Use\n{\n    // Total of a cart.\n    public static int Run(Cart cart) { return cart.Total(1) + new Other().Total(2); }\n}\n";

/// A workspace of C#, and a user who set the host as its server.
fn csharp() -> Gate {
    let gate = Gate::autonomous();
    gate.scratch.write("Cart.cs", CART);
    gate.scratch.write("Use.cs", CART_USE);
    let config = gate.scratch.config().join("gatewright");
    std::fs::create_dir_all(&config).unwrap();
    let text = "[languages.'c#']\nserver = [\"roslyn-host\"]\n";
    std::fs::write(config.join("config.toml"), text).unwrap();
    gate
}

#[test]
fn a_symbol_of_csharp_is_found_and_renamed_through_roslyn() {
    if !has_program("roslyn-host") {
        skip!("roslyn-host is not installed");
    }
    let gate = csharp();
    let is_late = |run: &Run| {
        ["still loading", "no answer in"].iter().any(|text| run.to_string().contains(text))
    };
    let ask =
        |args: &[&str]| until("the host", || Some(gate.run(args)).filter(|run| !is_late(run)));
    let run = ask(&["references", "Cart/Total", "Cart.cs"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.contains("Cart.cs:9") && run.stdout.contains("Use.cs:6"), "{run}");
    assert!(!run.stdout.contains("Cart.cs:17"), "{run}");
    gate.scratch.write("Bad.cs", "class Bad\n{\n    int Wrong() => \"text\";\n}\n");
    let run = ask(&["diagnostics", "Bad.cs"]);
    assert!(run.stdout.contains("CS0029"), "{run}");
    let rename = ["edit-code", "Cart/Total", "Cart.cs", "--action", "rename", "--new-name", "Sum"];
    let run = ask(&rename);
    assert_eq!(run.code, Some(0), "{run}");
    let cart = CART.replacen("Total", "Sum", 1);
    assert_eq!(gate.scratch.read_text("Cart.cs"), cart, "{run}");
    assert_eq!(gate.scratch.read_text("Use.cs"), CART_USE.replace("cart.Total", "cart.Sum"));
}

/// The only server of Kotlin that can be installed by name renames whatever has the name.
#[test]
fn a_server_that_goes_by_the_name_alone_is_not_asked_to_rename() {
    if !has_program("kmp-lsp") {
        skip!("kmp-lsp is not installed");
    }
    const CART: &str = "package shop\n\nclass Cart {\n    fun total(): Int = 1\n}\n";
    let gate = Gate::autonomous();
    gate.scratch.write("Cart.kt", CART);
    gate.scratch.write("Use.kt", "package shop\n\n// total\nfun use(): Int = Cart().total()\n");
    let run = gate.run(&["references", "Cart/total", "Cart.kt"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.contains("Use.kt:4") && run.stdout.contains("by kmp-lsp"), "{run}");
    assert!(!run.stdout.contains("Use.kt:3"), "a comment is no use: {run}");
    let rename = ["edit-code", "Cart/total", "Cart.kt", "--action", "rename", "--new-name", "sum"];
    let run = gate.run(&rename);
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("kmp-lsp is not asked: it renames every use"), "{run}");
    assert_eq!(gate.scratch.read_text("Cart.kt"), CART);
}
