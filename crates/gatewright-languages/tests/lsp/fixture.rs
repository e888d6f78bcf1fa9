//! Small projects in which the places that a rename must change are marked.
//!
//! `⟦name⟧` is a use of the symbol; the same name without the brackets is a
//! use of something else and must stay.

use std::sync::Arc;

use gatewright_languages::lsp::project::{Project, ProjectFile};
use gatewright_languages::lsp::rename::RenameTask;
use gatewright_languages::syntax::edit::resolve;
use gatewright_languages::syntax::{LanguageId, Parsed, detect};

/// A project with marks.
pub struct Fixture {
    /// Paths and marked texts.
    pub files: &'static [(&'static str, &'static str)],
    /// The file of the definition.
    pub path: &'static str,
    /// The name path of the symbol.
    pub symbol: &'static str,
    /// Its name.
    pub old: &'static str,
}

impl Fixture {
    /// The files as they are on disk.
    pub fn texts(&self) -> Vec<(String, String)> {
        let plain = |text: &str| text.replace(['⟦', '⟧'], "");
        self.files.iter().map(|(path, text)| ((*path).to_owned(), plain(text))).collect()
    }

    /// The text of a file once the symbol is called `new`.
    pub fn renamed(&self, path: &str, new: &str) -> String {
        let (_, text) = self.files.iter().find(|(name, _)| *name == path).expect("a file");
        text.replace(&format!("⟦{}⟧", self.old), new)
    }

    /// How many marks there are.
    pub fn marks(&self) -> usize {
        self.files.iter().map(|(_, text)| text.matches('⟦').count()).sum()
    }

    /// The project as a question sees it.
    pub fn project(&self) -> Project {
        project_of(&self.texts())
    }

    /// The rename of the symbol.
    pub fn task(&self, project: &Project, new: &str) -> RenameTask {
        let file = &project.files[self.path];
        let parsed = Parsed::new(file.language, file.text.as_bytes()).expect("a parse");
        let symbol = resolve(&parsed, self.symbol, None).expect("the symbol");
        let name = parsed.text(symbol.name_span);
        let inner = name.rfind(self.old).expect("the name");
        RenameTask {
            path: self.path.to_owned(),
            offset: symbol.name_span.start + inner,
            old: self.old.to_owned(),
            new: new.to_owned(),
        }
    }
}

/// A project of these files; what is in no language of ours is left out.
pub fn project_of(files: &[(String, String)]) -> Project {
    let mut project = Project::default();
    for (path, text) in files {
        if let Some(language) = detect(path, text.as_bytes()) {
            let text: Arc<str> = text.as_str().into();
            project.files.insert(path.clone(), ProjectFile { language, text });
        }
    }
    project
}

/// The language of a fixture's definition.
pub fn language_of(fixture: &Fixture) -> LanguageId {
    detect(fixture.path, b"").expect("a language")
}

pub const RUST: Fixture = Fixture {
    files: &[
        ("Cargo.toml", "[package]\nname = \"fixture\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        (
            "src/lib.rs",
            "pub mod other;\n\n/// Adds up.\npub fn ⟦compute_total⟧(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n\npub struct Cart;\n\nimpl Cart {\n    pub fn compute_total(&self) -> u32 {\n        0\n    }\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::⟦compute_total⟧(&[1]), 1);\n    }\n}\n",
        ),
        (
            "src/other.rs",
            "use crate::{⟦compute_total⟧, Cart};\n\npub fn twice() -> (&'static str, u32) {\n    (\"é😀\", ⟦compute_total⟧(&[2]) + Cart.compute_total())\n}\n",
        ),
    ],
    path: "src/lib.rs",
    symbol: "compute_total",
    old: "compute_total",
};

pub const PYTHON: Fixture = Fixture {
    files: &[
        (
            "shop/cart.py",
            "\"\"\"A cart.\"\"\"\n\n\ndef ⟦compute_total⟧(items: list[int]) -> int:\n    return sum(items)\n\n\nclass Cart:\n    def compute_total(self) -> int:\n        return ⟦compute_total⟧([1])\n",
        ),
        ("shop/__init__.py", ""),
        (
            "shop/use.py",
            "from shop.cart import Cart, ⟦compute_total⟧\n\nNAMES = \"é😀\", ⟦compute_total⟧([2])\nOTHER = Cart().compute_total()\n",
        ),
    ],
    path: "shop/cart.py",
    symbol: "compute_total",
    old: "compute_total",
};

pub const GO: Fixture = Fixture {
    files: &[
        ("go.mod", "module example.com/shop\n\ngo 1.21\n"),
        (
            "cart.go",
            "package shop\n\ntype Cart struct{}\n\nfunc (c Cart) computeTotal() int { return ⟦computeTotal⟧(nil) }\n\nfunc ⟦computeTotal⟧(items []int) int {\n\tsum := 0\n\tfor _, item := range items {\n\t\tsum += item\n\t}\n\treturn sum\n}\n",
        ),
        (
            "use.go",
            "package shop\n\nfunc use() (string, int) { return \"é😀\", ⟦computeTotal⟧([]int{1}) + Cart{}.computeTotal() }\n",
        ),
    ],
    path: "cart.go",
    symbol: "computeTotal",
    old: "computeTotal",
};

pub const TYPESCRIPT: Fixture = Fixture {
    files: &[
        (
            "tsconfig.json",
            "{ \"compilerOptions\": { \"strict\": true, \"target\": \"es2022\", \"module\": \"esnext\", \"types\": [] }, \"include\": [\"src\"] }\n",
        ),
        (
            "src/cart.ts",
            "export function ⟦computeTotal⟧(items: number[]): number {\n  return items.reduce((a, b) => a + b, 0);\n}\n\nexport class Cart {\n  computeTotal(): number {\n    return ⟦computeTotal⟧([1]);\n  }\n}\n",
        ),
        (
            "src/use.ts",
            "import { Cart, ⟦computeTotal⟧ } from \"./cart\";\n\nexport const pair = [\"é😀\", ⟦computeTotal⟧([2])];\nexport const other = new Cart().computeTotal();\n",
        ),
    ],
    path: "src/cart.ts",
    symbol: "computeTotal",
    old: "computeTotal",
};

pub const C: Fixture = Fixture {
    files: &[
        (
            "cart.h",
            "#ifndef CART_H\n#define CART_H\nint ⟦compute_total⟧(const int *items, int count);\n#endif\n",
        ),
        (
            "cart.c",
            "#include \"cart.h\"\n\nstruct other { int compute_total; };\n\nint ⟦compute_total⟧(const int *items, int count) {\n    int sum = 0;\n    for (int i = 0; i < count; i++) sum += items[i];\n    return sum;\n}\n\nint field(struct other *o) { return o->compute_total; }\n",
        ),
        (
            "use.c",
            "#include \"cart.h\"\n\nint use(void) { const char *s = \"é😀\"; return s[0] + ⟦compute_total⟧(0, 0); }\n",
        ),
    ],
    path: "cart.c",
    symbol: "compute_total",
    old: "compute_total",
};

pub const JAVA: Fixture = Fixture {
    files: &[
        (
            ".project",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<projectDescription>\n<name>fixture</name>\n<buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>\n<natures><nature>org.eclipse.jdt.core.javanature</nature></natures>\n</projectDescription>\n",
        ),
        (
            ".classpath",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<classpath>\n<classpathentry kind=\"src\" path=\"src\"/>\n<classpathentry kind=\"con\" path=\"org.eclipse.jdt.launching.JRE_CONTAINER\"/>\n<classpathentry kind=\"output\" path=\"bin\"/>\n</classpath>\n",
        ),
        (
            "src/shop/Cart.java",
            "package shop;\n\n/** A cart. */\npublic class ⟦Cart⟧ {\n    public ⟦Cart⟧() {}\n\n    public int computeTotal() {\n        return 1;\n    }\n}\n",
        ),
        (
            "src/shop/Use.java",
            "package shop;\n\npublic class Use {\n    static String Cart() { return \"é😀\" + new ⟦Cart⟧().computeTotal(); }\n}\n",
        ),
    ],
    path: "src/shop/Cart.java",
    symbol: "Cart",
    old: "Cart",
};

pub const RUBY: Fixture = Fixture {
    files: &[
        ("Gemfile", "# no gems\n"),
        ("lib/cart.rb", "# A cart.\nclass ⟦Cart⟧\n  def total\n    1\n  end\nend\n"),
        (
            "lib/use.rb",
            "require_relative \"cart\"\n\nmodule Shop\n  def self.build\n    [\"é😀\", ⟦Cart⟧.new.total]\n  end\nend\n",
        ),
    ],
    path: "lib/cart.rb",
    symbol: "Cart",
    old: "Cart",
};

/// The symbol has its name to itself: the server goes by names.
pub const KOTLIN: Fixture = Fixture {
    files: &[
        ("settings.gradle.kts", "rootProject.name = \"shop\"\n"),
        (
            "src/main/kotlin/shop/Cart.kt",
            "package shop\n\n/** A cart. */\nclass Cart(val items: List<Int>) {\n    /** Adds up. */\n    fun ⟦computeTotal⟧(factor: Int): Int = items.sum() * factor\n\n    fun twice(): Int = ⟦computeTotal⟧(2)\n}\n",
        ),
        (
            "src/main/kotlin/shop/Use.kt",
            "package shop\n\nfun use(): Pair<String, Int> = Pair(\"é😀\", Cart(listOf(1)).⟦computeTotal⟧(1))\n",
        ),
    ],
    path: "src/main/kotlin/shop/Cart.kt",
    symbol: "Cart/computeTotal",
    old: "computeTotal",
};

pub const CSHARP: Fixture = Fixture {
    files: &[
        (
            "Shop.csproj",
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>\n",
        ),
        (
            "Cart.cs",
            "namespace Shop;\n\n/// <summary>A cart.</summary>\n[Serializable]\npublic class Cart\n{\n    public int Count { get; set; }\n\n    public int ⟦ComputeTotal⟧(int factor) => factor * Count;\n\n    public int ComputeTotalTwice() => 2 * ⟦ComputeTotal⟧(1);\n}\n\npublic class Other\n{\n    public int ComputeTotal(int factor) { return factor; }\n}\n",
        ),
        (
            "Use.cs",
            "namespace Shop;\n\npublic static class Use\n{\n    public static string Run(Cart cart) { return \"é😀\" + cart.⟦ComputeTotal⟧(1) + new Other().ComputeTotal(2); }\n\n    public static int Sum(IEnumerable<Cart> carts) => carts.Sum(cart => cart.⟦ComputeTotal⟧(2));\n}\n",
        ),
    ],
    path: "Cart.cs",
    symbol: "Cart/ComputeTotal",
    old: "ComputeTotal",
};
