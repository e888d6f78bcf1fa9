//! What a file carries besides its bytes is kept: mode, owner, attributes, access lists.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use gatewright_model::FileMode;
use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};

use crate::fixture::*;

fn xattrs(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut names = vec![0; 4096];
    let count = listxattr(path, &mut names[..]).unwrap();
    let names = names[..count].split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names
        .map(|name| {
            let name = std::str::from_utf8(name).unwrap();
            let mut value = vec![0; 4096];
            let count = getxattr(path, name, &mut value[..]).unwrap();
            (name.to_owned(), value[..count].to_vec())
        })
        .collect()
}

/// An access list in the kernel's form: owner rw, user 1234 r, group r, mask r, others none.
fn access_list() -> Vec<u8> {
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    let any = u32::MAX;
    for (tag, permissions, id) in
        [(1_u16, 6_u16, any), (2, 4, 1234), (4, 4, any), (16, 4, any), (32, 0, any)]
    {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(permissions.to_le_bytes());
        bytes.extend(id.to_le_bytes());
    }
    bytes
}

fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    let done = setxattr(path, name, value, XattrFlags::empty());
    if let Err(errno) = done {
        println!("SKIPPED: {name} cannot be set here: {errno}");
    }
    done.is_ok()
}

#[test]
fn an_overwrite_keeps_mode_owner_attributes_and_access_list() {
    let scratch = Scratch::new();
    let path = scratch.put("a.txt", "old");
    set_mode(&path, 0o640);
    if !set(&path, "user.note", b"kept") || !set(&path, "system.posix_acl_access", &access_list()) {
        return;
    }
    if is_root() {
        std::os::unix::fs::chown(&path, Some(1234), Some(4321)).unwrap();
    } else {
        println!("SKIPPED: changing owners needs root");
    }
    let (attributes, metadata) = (xattrs(&path), fs::metadata(&path).unwrap());
    let workspace = scratch.open();
    let applied = apply(&workspace, vec![rewrite(&workspace, "a.txt", "new")]).unwrap();
    let check = || {
        let now = fs::metadata(&path).unwrap();
        assert_eq!(xattrs(&path), attributes);
        let of = |metadata: &fs::Metadata| (metadata.mode(), metadata.uid(), metadata.gid());
        assert_eq!(of(&now), of(&metadata));
    };
    check();
    undo(&workspace, &applied.snapshot);
    check();
    assert_eq!(scratch.text("a.txt"), "old");
}

#[test]
fn an_undone_removal_comes_back_with_everything() {
    let scratch = Scratch::new();
    let path = scratch.put("a.txt", "old");
    set_mode(&path, 0o4711);
    if !set(&path, "user.note", b"kept") {
        return;
    }
    if is_root() {
        std::os::unix::fs::chown(&path, Some(1234), Some(4321)).unwrap();
        set_mode(&path, 0o4711);
    }
    let (attributes, owner) = (xattrs(&path), fs::metadata(&path).unwrap().uid());
    let workspace = scratch.open();
    let applied = apply(&workspace, vec![change(&workspace, "a.txt", None)]).unwrap();
    assert!(!path.exists());
    undo(&workspace, &applied.snapshot);
    assert_eq!(xattrs(&path), attributes);
    assert_eq!(fs::metadata(&path).unwrap().uid(), owner);
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o4711);
}

#[test]
fn a_default_list_of_the_directory_is_not_given_to_an_old_file() {
    let scratch = Scratch::new();
    let path = scratch.put("d/a.txt", "old");
    if !set(&scratch.root.join("d"), "system.posix_acl_default", &access_list()) {
        return;
    }
    let workspace = scratch.open();
    apply(&workspace, vec![rewrite(&workspace, "d/a.txt", "new")]).unwrap();
    assert_eq!(xattrs(&path), BTreeMap::new());
}

#[test]
fn a_created_file_gets_exactly_the_mode_that_was_approved() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    for bits in [0o600, 0o640, 0o644, 0o700, 0o755] {
        let name = format!("m{bits:o}.txt");
        let mut state = state("x");
        state.mode = FileMode::from_bits(bits);
        apply(&workspace, vec![change(&workspace, &name, Some(state))]).unwrap();
        let mode = fs::metadata(scratch.root.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, bits);
    }
    let plain = workspace.umask_mode(false).bits();
    let probe = scratch.outside.join("probe");
    fs::write(&probe, "").unwrap();
    assert_eq!(fs::metadata(probe).unwrap().mode() & 0o7777, plain);
    assert_eq!(workspace.umask_mode(true).bits() & 0o666, plain);
}

#[test]
fn a_rename_keeps_owner_attributes_and_access_list() {
    let scratch = Scratch::new();
    let path = scratch.put("old.txt", "text");
    set_mode(&path, 0o640);
    if !set(&path, "user.note", b"kept") || !set(&path, "system.posix_acl_access", &access_list()) {
        return;
    }
    if is_root() {
        std::os::unix::fs::chown(&path, Some(1234), Some(4321)).unwrap();
    }
    let (before, kept) = (fs::metadata(&path).unwrap(), xattrs(&path));
    let workspace = scratch.open();
    let removed = change(&workspace, "old.txt", None);
    let mut arrived = change(&workspace, "new.txt", removed.before.clone());
    arrived.renamed_from = Some(requested("old.txt"));
    apply(&workspace, vec![removed, arrived]).unwrap();
    let after = fs::metadata(scratch.root.join("new.txt")).unwrap();
    assert_eq!(after.permissions().mode(), before.permissions().mode());
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    assert_eq!(xattrs(&scratch.root.join("new.txt")), kept);
    assert!(!path.exists());
}
