//! The language servers that are known: how to start each, how to tell that it is ready, what
//! it cannot do, and how to get it. Data; best first for each language.

use std::time::Duration;

use serde_json::Value;

use super::signs::ReadySign;
use crate::syntax::LanguageId;

/// One server.
#[derive(Debug)]
pub struct ServerSpec {
    /// Its name, for people and for configuration.
    pub name: &'static str,
    /// What it serves.
    pub languages: &'static [LanguageId],
    /// The program.
    pub program: &'static str,
    /// Its arguments. `{data}` stands for a directory that it may fill.
    pub arguments: &'static [&'static str],
    /// How it tells its version, where it does.
    pub version: &'static [&'static str],
    /// Whether it must tell its version before it is started, and at least which.
    pub needs: Option<u32>,
    /// Variables that keep it from the network and from running the workspace's own code.
    pub environment: &'static [(&'static str, &'static str)],
    /// The options that it gets at the start, as JSON.
    options: &'static str,
    /// Other options where the workspace has no file with one of these extensions.
    without: Option<(&'static [&'static str], &'static str)>,
    /// The settings that it asks for, as JSON.
    settings: &'static str,
    /// How it shows that it knows the project.
    pub ready: ReadySign,
    /// How long it must have been quiet, where the sign needs that.
    pub grace: Duration,
    /// How long to let it be after a text was sent: some answer from the old one.
    pub after_change: Duration,
    /// How far apart two answers must be to count as two.
    pub apart: Duration,
    /// What its rename is worth.
    pub rename: RenameWorth,
    /// What it is known not to see, in words that go with a rename.
    pub limits: &'static str,
    /// How to get it on Linux.
    pub install: &'static str,
    /// How to get it on macOS, where that differs.
    pub install_mac: Option<&'static str>,
}

/// What a server's rename is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenameWorth {
    /// It knows what a name stands for.
    ByMeaning,
    /// It knows so of constants (classes, modules) and of nothing else.
    ConstantsOnly,
    /// It goes by the name alone.
    ByName,
}

use LanguageId as L;

const QUICK: Duration = Duration::from_millis(150);

/// What most servers have in common. Each has its own name, languages, program and install.
const USUAL: ServerSpec = ServerSpec {
    name: "",
    languages: &[],
    program: "",
    arguments: &[],
    version: &["--version"],
    needs: None,
    environment: &[],
    options: "{}",
    without: None,
    settings: "{}",
    ready: ReadySign::Progress,
    grace: Duration::ZERO,
    after_change: Duration::ZERO,
    apart: Duration::from_millis(700),
    rename: RenameWorth::ByMeaning,
    limits: "",
    install: "",
    install_mac: None,
};

/// Every server, the best of each language first; what it leaves out is [`USUAL`].
pub const SERVERS: &[ServerSpec] = &[
    ServerSpec {
        name: "rust-analyzer",
        languages: &[L::Rust],
        program: "rust-analyzer",
        needs: Some(0),
        environment: &[("CARGO_NET_OFFLINE", "true"), ("RUSTUP_AUTO_INSTALL", "0")],
        options: r#"{"checkOnSave":false,"cargo":{"buildScripts":{"enable":false}},"procMacro":{"enable":false},"cachePriming":{"enable":true},"files":{"watcher":"client"}}"#,
        settings: r#"{"rust-analyzer":{"checkOnSave":false,"cargo":{"buildScripts":{"enable":false}},"procMacro":{"enable":false},"files":{"watcher":"client"}}}"#,
        ready: ReadySign::Quiescent,
        grace: Duration::ZERO,
        apart: Duration::from_millis(300),
        limits: "code that build scripts or procedural macros make is not seen",
        install: "rustup component add rust-analyzer rust-src",
        ..USUAL
    },
    ServerSpec {
        name: "ty",
        languages: &[L::Python],
        program: "ty",
        arguments: &["server"],
        grace: QUICK,
        apart: QUICK,
        install: "pip install ty",
        ..USUAL
    },
    ServerSpec {
        name: "pyright",
        languages: &[L::Python],
        program: "pyright-langserver",
        arguments: &["--stdio"],
        version: &[],
        environment: &[("PYRIGHT_PYTHON_IGNORE_WARNINGS", "1")],
        settings: r#"{"python":{"analysis":{"diagnosticMode":"openFilesOnly"}}}"#,
        grace: Duration::from_millis(400),
        apart: QUICK,
        limits: "files outside of its `include` are seen only where they name the symbol",
        install: "pip install pyright",
        ..USUAL
    },
    ServerSpec {
        name: "basedpyright",
        languages: &[L::Python],
        program: "basedpyright-langserver",
        arguments: &["--stdio"],
        version: &[],
        grace: Duration::from_millis(400),
        apart: QUICK,
        limits: "files outside of its `include` are seen only where they name the symbol",
        install: "pip install basedpyright",
        ..USUAL
    },
    ServerSpec {
        name: "gopls",
        languages: &[L::Go],
        program: "gopls",
        version: &["version"],
        environment: &[("GOPROXY", "off"), ("GOTOOLCHAIN", "local")],
        grace: Duration::from_millis(400),
        apart: QUICK,
        limits: "files that build tags leave out are not seen",
        install: "go install golang.org/x/tools/gopls@latest",
        install_mac: Some("brew install gopls"),
        ..USUAL
    },
    ServerSpec {
        name: "TypeScript 7",
        languages: &[L::TypeScript, L::Tsx, L::JavaScript],
        program: "tsc",
        arguments: &["--lsp", "--stdio"],
        needs: Some(7),
        options: r#"{"disableAutomaticTypingAcquisition":true}"#,
        settings: r#"{"typescript":{"disableAutomaticTypeAcquisition":true}}"#,
        grace: QUICK,
        apart: QUICK,
        limits: "without a tsconfig.json only files that name the symbol are seen",
        install: "npm install -g typescript@7",
        ..USUAL
    },
    ServerSpec {
        name: "typescript-language-server",
        languages: &[L::TypeScript, L::Tsx, L::JavaScript],
        program: "typescript-language-server",
        arguments: &["--stdio"],
        options: r#"{"disableAutomaticTypingAcquisition":true}"#,
        grace: Duration::from_secs(3),
        limits: "without a tsconfig.json only files that name the symbol are seen",
        install: "npm install -g typescript@6 typescript-language-server",
        ..USUAL
    },
    ServerSpec {
        name: "jdtls",
        languages: &[L::Java],
        program: "jdtls",
        arguments: &["-data", "{data}"],
        version: &[],
        options: r#"{"settings":{"java":{"import":{"maven":{"enabled":false},"gradle":{"enabled":false}},"autobuild":{"enabled":false},"maven":{"downloadSources":false},"eclipse":{"downloadSources":false}}},"extendedClientCapabilities":{"progressReportProvider":false}}"#,
        settings: r#"{"java":{"import":{"maven":{"enabled":false},"gradle":{"enabled":false}},"autobuild":{"enabled":false}}}"#,
        ready: ReadySign::ServiceReady,
        grace: Duration::ZERO,
        limits: "Maven and Gradle are not run; sources that no .classpath names are not seen",
        install: "unpack the Eclipse JDT language server and put its jdtls on PATH",
        install_mac: Some("brew install jdtls"),
        ..USUAL
    },
    ServerSpec {
        name: "kotlin-lsp",
        languages: &[L::Kotlin],
        program: "kotlin-lsp",
        arguments: &["--stdio"],
        version: &[],
        grace: Duration::from_secs(3),
        install: "unpack JetBrains' kotlin-lsp and put it on PATH",
        install_mac: Some("brew install JetBrains/utils/kotlin-lsp"),
        ..USUAL
    },
    ServerSpec {
        name: "kmp-lsp",
        languages: &[L::Kotlin],
        program: "kmp-lsp",
        grace: Duration::from_millis(400),
        after_change: Duration::from_millis(300),
        apart: QUICK,
        rename: RenameWorth::ByName,
        limits: "it renames every use of the name, whatever it stands for",
        install: "cargo install kmp-lsp --version 0.24.0 --locked",
        ..USUAL
    },
    ServerSpec {
        name: "clangd",
        languages: &[L::C, L::Cpp],
        program: "clangd",
        arguments: &["--background-index=0", "--clang-tidy=0", "--log=error"],
        options: r#"{"clangdFileStatus":true}"#,
        // A header that is not named by a compile command is taken for C++ otherwise.
        without: Some((
            &["cpp", "cc", "cxx", "hpp", "hh", "hxx", "C", "mm"],
            r#"{"clangdFileStatus":true,"fallbackFlags":["-xc"]}"#,
        )),
        ready: ReadySign::FilesIdle,
        grace: Duration::from_millis(600),
        apart: Duration::from_millis(400),
        limits: "a header is read with the flags of compile_commands.json, or with none",
        install: "apt install clangd",
        install_mac: Some("brew install llvm"),
        ..USUAL
    },
    ServerSpec {
        name: "csharp-ls",
        languages: &[L::CSharp],
        program: "csharp-ls",
        grace: Duration::from_secs(3),
        limits: "never tried here with the shipping server",
        install: "dotnet tool install --global csharp-ls",
        ..USUAL
    },
    ServerSpec {
        name: "ruby-lsp",
        languages: &[L::Ruby],
        program: "ruby-lsp",
        // Set, even to nothing, it keeps the server from composing a bundle.
        environment: &[("BUNDLE_GEMFILE", "")],
        grace: Duration::from_secs(2),
        after_change: Duration::from_millis(60),
        apart: QUICK,
        rename: RenameWorth::ConstantsOnly,
        limits: "it renames classes, modules and constants, and no methods",
        install: "gem install ruby-lsp",
        ..USUAL
    },
];

impl ServerSpec {
    /// The options that it gets at the start; `has` says whether a file with an extension is there.
    pub fn options(&self, has: impl Fn(&[&str]) -> bool) -> Value {
        let options = match self.without {
            Some((extensions, options)) if !has(extensions) => options,
            _ => self.options,
        };
        serde_json::from_str(options).unwrap_or_default()
    }

    /// All of its settings.
    pub fn settings(&self) -> Value {
        serde_json::from_str(self.settings).unwrap_or_default()
    }

    /// The settings of one section, such as `python.analysis`.
    pub fn section(&self, section: &str) -> Value {
        let settings = self.settings();
        if section.is_empty() {
            return settings;
        }
        section
            .split('.')
            .try_fold(&settings, |value, key| value.get(key))
            .cloned()
            .unwrap_or_default()
    }

    /// How to get it on this system.
    pub fn install_command(&self) -> &'static str {
        if cfg!(target_os = "macos") {
            self.install_mac.unwrap_or(self.install)
        } else {
            self.install
        }
    }
}

/// The servers of a language, best first.
pub fn servers_for(language: LanguageId) -> impl Iterator<Item = &'static ServerSpec> {
    SERVERS.iter().filter(move |spec| spec.languages.contains(&language))
}

/// The protocol's name of a language.
pub fn language_id(language: LanguageId) -> &'static str {
    match language {
        L::Rust => "rust",
        L::Python => "python",
        L::Go => "go",
        L::TypeScript => "typescript",
        L::Tsx => "typescriptreact",
        L::JavaScript => "javascript",
        L::Java => "java",
        L::Kotlin => "kotlin",
        L::C => "c",
        L::Cpp => "cpp",
        L::CSharp => "csharp",
        L::Ruby => "ruby",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_a_server_and_every_server_is_whole() {
        for language in LanguageId::ALL {
            assert!(servers_for(language).next().is_some(), "{language:?}");
        }
        for spec in SERVERS {
            let other = spec.without.map_or("{}", |(_, options)| options);
            for text in [spec.options, spec.settings, other] {
                let value: Value = serde_json::from_str(text).expect(spec.name);
                assert!(value.is_object(), "{}", spec.name);
            }
            for own in [spec.name, spec.program, spec.install] {
                assert!(!own.is_empty(), "{spec:?}");
            }
            assert!(!spec.languages.is_empty(), "{}", spec.name);
            assert!(spec.needs.is_none() || !spec.version.is_empty(), "{}", spec.name);
        }
    }

    #[test]
    fn a_section_is_found_by_its_dotted_name() {
        let pyright = SERVERS.iter().find(|spec| spec.name == "pyright").expect("pyright");
        assert_eq!(pyright.section("python.analysis")["diagnosticMode"], "openFilesOnly");
        assert_eq!(pyright.section("no.such"), Value::Null);
    }
}
