//! Files as the protocol names them.

use std::path::{Path, PathBuf};

/// The `file:` address of an absolute path.
pub fn of_path(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(*byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

/// The `file:` address of a path below the workspace root.
pub fn of_file(root: &Path, path: &str) -> String {
    of_path(&root.join(path))
}

/// The path below `root` that an address names; `None` for anything outside.
pub fn to_file(root: &Path, uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = PathBuf::from(decode(rest)?);
    let below = path.strip_prefix(root).ok()?;
    let is_plain = below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let text = below.to_str().filter(|text| is_plain && !text.is_empty())?;
    Some(text.to_owned())
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        if *first == b'%' {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_survives() {
        let root = Path::new("/w/a b");
        for name in ["src/lib.rs", "ü/100%.py", "a#b?c.ts", "[x]/(y).go"] {
            let uri = of_file(root, name);
            assert!(uri.bytes().all(|byte| byte.is_ascii_graphic()), "{uri}");
            assert_eq!(to_file(root, &uri).as_deref(), Some(name));
        }
    }

    #[test]
    fn servers_may_spell_it_otherwise() {
        let root = Path::new("/w");
        assert_eq!(to_file(root, "file:///w/a@b.ts").as_deref(), Some("a@b.ts"));
        assert_eq!(to_file(root, "file://localhost/w/x.c").as_deref(), Some("x.c"));
    }

    #[test]
    fn nothing_outside_is_a_file_of_ours() {
        let root = Path::new("/w");
        for uri in [
            "file:///etc/passwd",
            "file:///w/../etc/passwd",
            "untitled:x",
            "file:///w",
            "file:///w/%zz",
        ] {
            assert_eq!(to_file(root, uri), None, "{uri}");
        }
    }
}
