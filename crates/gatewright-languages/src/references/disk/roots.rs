//! The folders in which each ecosystem keeps its packages on this machine.
//!
//! One function an ecosystem. They name candidates in the order of preference;
//! the caller drops what is not there. The machine itself is asked only through
//! [`Machine`].

use std::path::{Path, PathBuf};

use super::Machine;
use crate::references::Ecosystem;

/// The default folders of every ecosystem, for a workspace.
pub(super) fn defaults(machine: &Machine, workspace: &Path) -> Vec<(Ecosystem, PathBuf)> {
    let of = [
        (Ecosystem::Python, python(machine, workspace)),
        (Ecosystem::Rust, rust(machine)),
        (Ecosystem::Go, go(machine)),
        (Ecosystem::C, c(machine)),
        (Ecosystem::Jvm, jvm(machine)),
        (Ecosystem::DotNet, dotnet(machine)),
        (Ecosystem::Ruby, ruby(machine, workspace)),
    ];
    let pairs = |(ecosystem, folders): (Ecosystem, Vec<PathBuf>)| {
        folders.into_iter().map(move |folder| (ecosystem, folder))
    };
    of.into_iter().flat_map(pairs).collect()
}

/// The environments that lie inside the workspace.
fn python(machine: &Machine, workspace: &Path) -> Vec<PathBuf> {
    let names = [".venv", "venv", "env", ".env"];
    names.iter().flat_map(|name| python_environment(machine, &workspace.join(name))).collect()
}

/// The `site-packages` folders of an environment.
pub(super) fn python_environment(machine: &Machine, environment: &Path) -> Vec<PathBuf> {
    let mut found = vec![environment.join("Lib/site-packages")];
    for library in ["lib", "lib64"] {
        for version in machine.folders(&environment.join(library)) {
            found.push(version.join("site-packages"));
            found.push(version.join("dist-packages"));
        }
    }
    found
}

/// Unpacked crates of every registry, checkouts, and the sources of the standard library.
fn rust(machine: &Machine) -> Vec<PathBuf> {
    let cargo = machine.folder_of("CARGO_HOME", ".cargo");
    let mut found: Vec<PathBuf> =
        cargo.iter().flat_map(|cargo| machine.folders(&cargo.join("registry/src"))).collect();
    for cargo in &cargo {
        let repositories = machine.folders(&cargo.join("git/checkouts"));
        found.extend(repositories.iter().flat_map(|repository| machine.folders(repository)));
    }
    for rustup in machine.folder_of("RUSTUP_HOME", ".rustup") {
        for toolchain in machine.folders(&rustup.join("toolchains")) {
            found.push(toolchain.join("lib/rustlib/src/rust/library"));
        }
    }
    found.push(PathBuf::from("/usr/lib/rustlib/src/rust/library"));
    found
}

/// Module caches, and the sources of the standard library.
fn go(machine: &Machine) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = machine.variable("GOMODCACHE").into_iter().collect();
    for path in machine.list_of("GOPATH", "go") {
        found.push(path.join("pkg/mod"));
        found.push(path.join("src"));
    }
    let roots = machine
        .variable("GOROOT")
        .into_iter()
        .chain(["/usr/local/go", "/usr/lib/go", "/opt/homebrew/opt/go/libexec"].map(PathBuf::from));
    found.extend(roots.map(|root| root.join("src")));
    found
}

/// Include folders of the system and of its compilers.
fn c(machine: &Machine) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for variable in ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"] {
        found.extend(machine.paths(variable));
    }
    let system = ["/usr/local/include", "/usr/include", "/opt/homebrew/include"];
    found.extend(system.map(PathBuf::from));
    found.extend(include_folders(machine, Path::new("/usr/include")));
    for compilers in ["/usr/lib/gcc", "/usr/lib/clang", "/usr/lib64/gcc"] {
        for target in machine.folders(Path::new(compilers)) {
            found.push(target.join("include"));
            found.extend(machine.folders(&target).iter().map(|version| version.join("include")));
        }
    }
    found
}

/// The folders of an architecture and of the C++ library below an include folder.
fn include_folders(machine: &Machine, folder: &Path) -> Vec<PathBuf> {
    let is_target = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.contains("-linux-"))
    };
    let targets: Vec<PathBuf> = machine.folders(folder).into_iter().filter(is_target).collect();
    let mut found = targets.clone();
    for version in machine.folders(&folder.join("c++")) {
        if let Some(number) = version.file_name() {
            found.extend(targets.iter().map(|target| target.join("c++").join(number)));
        }
        found.push(version);
    }
    found
}

/// Maven and Gradle caches, and the homes of the JDK.
fn jvm(machine: &Machine) -> Vec<PathBuf> {
    let mut found = machine.in_home(".m2/repository");
    found.push(PathBuf::from("/usr/share/maven-repo"));
    for gradle in machine.folder_of("GRADLE_USER_HOME", ".gradle") {
        found.push(gradle.join("caches/modules-2/files-2.1"));
    }
    found.extend(machine.variable("JAVA_HOME"));
    found.extend(machine.folders(Path::new("/usr/lib/jvm")));
    found
}

/// Package caches, and the reference assemblies of .NET and Mono.
fn dotnet(machine: &Machine) -> Vec<PathBuf> {
    let mut found = machine.folder_of("NUGET_PACKAGES", ".nuget/packages");
    let roots =
        machine.variable("DOTNET_ROOT").into_iter().chain(machine.in_home(".dotnet")).chain(
            ["/usr/share/dotnet", "/usr/lib/dotnet", "/usr/local/share/dotnet"].map(PathBuf::from),
        );
    found.extend(roots.flat_map(|root| [root.join("packs"), root.join("shared")]));
    found.push(PathBuf::from("/usr/lib/mono"));
    found
}

/// Folders of installed gems, and Ruby's own library.
fn ruby(machine: &Machine, workspace: &Path) -> Vec<PathBuf> {
    let mut homes = machine.paths("GEM_PATH");
    homes.extend(machine.variable("GEM_HOME"));
    let mut parents: Vec<PathBuf> = vec![workspace.join("vendor/bundle/ruby")];
    parents.extend(machine.in_home(".gem/ruby"));
    parents.extend(machine.in_home(".local/share/gem/ruby"));
    parents.extend(
        ["/var/lib/gems", "/usr/lib/ruby/gems", "/usr/local/lib/ruby/gems"].map(PathBuf::from),
    );
    homes.extend(parents.iter().flat_map(|parent| machine.folders(parent)));
    let mut found: Vec<PathBuf> = homes.iter().map(|home| home.join("gems")).collect();
    found.push(PathBuf::from("/usr/share/rubygems-integration/all/gems"));
    for library in ["/usr/lib/ruby", "/usr/local/lib/ruby"] {
        found.extend(machine.folders(Path::new(library)));
    }
    found
}
