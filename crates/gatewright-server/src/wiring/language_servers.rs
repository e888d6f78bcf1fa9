//! The language servers that lend a second opinion: which are here, and how to get the others.

use std::path::PathBuf;

use super::agent::Machine;

/// A language server.
#[derive(Debug, Clone)]
pub struct LanguageServer {
    /// The languages.
    pub languages: &'static str,
    /// The program.
    pub program: &'static str,
    /// Where it is.
    pub found: Option<PathBuf>,
    /// How to get it.
    pub install: &'static str,
}

/// Languages, program, and how to get it.
const KNOWN: &[(&str, &str, &str)] = &[
    ("Rust", "rust-analyzer", "rustup component add rust-analyzer"),
    ("Python", "ty", "uv tool install ty"),
    ("Python", "pyright-langserver", "npm install -g pyright"),
    ("Go", "gopls", "go install golang.org/x/tools/gopls@latest"),
    (
        "TypeScript, JavaScript",
        "typescript-language-server",
        "npm install -g typescript typescript-language-server",
    ),
    ("Java", "jdtls", "brew install jdtls, or unpack the Eclipse JDT language server"),
    ("Kotlin", "kotlin-lsp", "brew install JetBrains/utils/kotlin-lsp"),
    ("C, C++", "clangd", "apt install clangd, or brew install llvm"),
    ("C#", "csharp-ls", "dotnet tool install --global csharp-ls"),
    ("Ruby", "ruby-lsp", "gem install ruby-lsp"),
];

/// All of them, with where they are on this machine.
pub fn language_servers(machine: &Machine) -> Vec<LanguageServer> {
    let look = |&(languages, program, install): &(&'static str, &'static str, &'static str)| {
        LanguageServer { languages, program, found: machine.program(program), install }
    };
    KNOWN.iter().map(look).collect()
}
