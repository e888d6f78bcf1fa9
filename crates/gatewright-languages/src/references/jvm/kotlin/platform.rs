//! Which platform a file is written for, as far as its path tells.

/// Whether a path lies in the sources for browsers or machine code.
///
/// The folders that spell the end of the package tell nothing of the platform.
pub(super) fn is_foreign(path: &str, package: &str) -> bool {
    const PLATFORMS: [&str; 14] = [
        "js", "native", "ios", "wasm", "linux", "macos", "mingw", "apple", "darwin", "posix",
        "web", "tvos", "watchos", "windows",
    ];
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    let of_package = package.rsplit('.').zip(folders.iter().rev()).take_while(|(a, b)| a == *b);
    folders.truncate(folders.len() - of_package.count());
    folders.iter().any(|folder| {
        let folder = folder.to_ascii_lowercase();
        let folder = folder.trim_end_matches("main").trim_end_matches("test");
        let is_last = folder.rsplit('-').next().is_some_and(|last| PLATFORMS.contains(&last));
        is_last
            || ["ios", "linux", "macos", "mingw", "wasm"].iter().any(|it| folder.starts_with(it))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_a_package_are_no_platform() {
        assert!(is_foreign("core/src/jsMain/kotlin/org/shop/Desk.kt", "org.shop"));
        assert!(is_foreign("js/src/org/shop/js/Desk.kt", "org.shop.js"));
        assert!(!is_foreign("src/main/kotlin/org/shop/js/Desk.kt", "org.shop.js"));
        assert!(!is_foreign("src/main/kotlin/web/Desk.kt", "org.shop.web"));
        assert!(!is_foreign("js.kt", ""));
    }
}
