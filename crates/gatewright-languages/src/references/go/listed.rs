//! Well-known modules that are not installed, as declarations.
//!
//! They count for the versions of one major number up to the one that they were made of; of a
//! newer one nothing is said.

use std::collections::HashMap;
use std::sync::OnceLock;

/// A package: the module around it, the module's version, and its declarations.
struct Listed {
    module: &'static str,
    version: &'static str,
    body: &'static str,
}

fn packages() -> &'static HashMap<&'static str, Listed> {
    static PACKAGES: OnceLock<HashMap<&'static str, Listed>> = OnceLock::new();
    PACKAGES.get_or_init(|| {
        let parts = include_str!("packages.txt").split("\n== ").skip(1);
        let read = |part: &'static str| {
            let (head, body) = part.split_once('\n')?;
            let (path, module) = head.split_once(' ')?;
            let (module, version) = module.split_once('@')?;
            Some((path, Listed { module, version, body }))
        };
        parts.filter_map(read).collect()
    })
}

/// The declarations of a package of a module in a version.
pub(super) fn find(module: &str, version: &str, path: &str) -> Option<&'static str> {
    let listed = packages().get(path).filter(|listed| listed.module == module)?;
    let (wanted, known) = (numbers(version)?, numbers(listed.version)?);
    (wanted.first() == known.first() && wanted <= known).then_some(listed.body)
}

/// The numbers of a version; `None` where it has others than three, as that of a commit may.
fn numbers(version: &str) -> Option<Vec<u64>> {
    let plain = version.strip_prefix('v')?.split(['-', '+']).next()?;
    let numbers: Vec<u64> =
        plain.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let is_commit = version.contains("-0.") || version.starts_with("v0.0.0-");
    (numbers.len() == 3 && !is_commit).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_count_up_to_the_version_that_they_were_made_of() {
        let errors = |version| find("github.com/pkg/errors", version, "github.com/pkg/errors");
        assert!(errors("v0.9.1").is_some_and(|body| body.contains("func Wrapf()error")));
        assert!(errors("v0.8.0").is_some() && errors("v0.99.0").is_none());
        assert!(errors("v1.0.0").is_none() && errors("v0.0.0-2019-abcdef").is_none());
        assert!(find("github.com/pkg/errors", "v0.9.1", "github.com/pkg/errors/none").is_none());
    }
}
