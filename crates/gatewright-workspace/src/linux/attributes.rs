//! Owner, extended attributes and access lists: read from an old file, given to a new one.
//!
//! POSIX access lists are the extended attribute `system.posix_acl_access`, so
//! they travel with the rest. File capabilities do not travel with new bytes:
//! the kernel drops them on a write in place too.

use std::io;

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, Mode, Stat, XattrFlags};
use rustix::io::Errno;
use rustix::process::{Gid, Uid};

use crate::error::AttributeFailure;
use crate::record::{Attributes, CAPABILITIES};

const ACCESS_LIST: &str = "system.posix_acl_access";

/// Reads the attributes of an open, readable file.
pub(super) fn read(file: impl AsFd, stat: &Stat) -> Result<Attributes, AttributeFailure> {
    let mut xattrs = Vec::new();
    for name in list(&file)? {
        match value(&file, &name) {
            Ok(bytes) => xattrs.push((name, hex::encode(bytes))),
            Err(Errno::NODATA) => {}
            Err(_) if !must_keep(&name) => {}
            Err(errno) => return Err(failure(&name, errno)),
        }
    }
    Ok(Attributes { uid: stat.st_uid, gid: stat.st_gid, xattrs })
}

/// Gives them to a new file. The mode is set last: a new owner clears bits of it.
pub(super) fn give(
    attributes: Option<&Attributes>,
    file: &OwnedFd,
    mode: u32,
    same_bytes: bool,
) -> Result<(), AttributeFailure> {
    if let Some(attributes) = attributes {
        give_owner(attributes, file)?;
        give_xattrs(attributes, file, same_bytes)?;
    }
    fs::fchmod(file, Mode::from_raw_mode(mode)).map_err(|errno| failure("mode", errno))
}

fn give_owner(attributes: &Attributes, file: &OwnedFd) -> Result<(), AttributeFailure> {
    let stat = fs::fstat(file).map_err(|errno| failure("owner", errno))?;
    let uid = (stat.st_uid != attributes.uid).then(|| Uid::from_raw(attributes.uid));
    let gid = (stat.st_gid != attributes.gid).then(|| Gid::from_raw(attributes.gid));
    if uid.is_none() && gid.is_none() {
        return Ok(());
    }
    fs::fchown(file, uid, gid).map_err(|errno| failure("owner", errno))
}

fn give_xattrs(
    attributes: &Attributes,
    file: &OwnedFd,
    same_bytes: bool,
) -> Result<(), AttributeFailure> {
    let has_access_list = attributes.xattrs.iter().any(|(name, _)| name == ACCESS_LIST);
    if !has_access_list {
        // A default list of the directory gave the new file one of its own.
        match fs::fremovexattr(file, ACCESS_LIST) {
            Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => {}
            Err(errno) => return Err(failure(ACCESS_LIST, errno)),
        }
    }
    for (name, digits) in &attributes.xattrs {
        if name == CAPABILITIES && !same_bytes {
            continue;
        }
        let bytes = hex::decode(digits).map_err(|error| AttributeFailure {
            what: name.clone(),
            source: io::Error::new(io::ErrorKind::InvalidData, error),
        })?;
        match fs::fsetxattr(file, name.as_str(), &bytes, XattrFlags::empty()) {
            Ok(()) => {}
            Err(_) if !must_keep(name) => {}
            Err(errno) => return Err(failure(name, errno)),
        }
    }
    Ok(())
}

/// What people set must be kept; what the system sets, it sets again.
fn must_keep(name: &str) -> bool {
    name.starts_with("user.") || name == ACCESS_LIST
}

fn list(file: impl AsFd) -> Result<Vec<String>, AttributeFailure> {
    let mut buffer = Vec::with_capacity(1024);
    loop {
        match fs::flistxattr(&file, rustix::buffer::spare_capacity(&mut buffer)) {
            Ok(_) => break,
            Err(Errno::RANGE) if buffer.capacity() < 1 << 17 => {
                buffer.reserve(buffer.capacity() * 2);
            }
            Err(Errno::OPNOTSUPP) => return Ok(Vec::new()),
            Err(errno) => return Err(failure("extended attributes", errno)),
        }
    }
    let names = buffer.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}

fn value(file: impl AsFd, name: &str) -> Result<Vec<u8>, Errno> {
    let mut buffer = Vec::with_capacity(256);
    loop {
        match fs::fgetxattr(&file, name, rustix::buffer::spare_capacity(&mut buffer)) {
            Ok(_) => return Ok(buffer),
            Err(Errno::RANGE) if buffer.capacity() < 1 << 17 => {
                buffer.reserve(buffer.capacity() * 2);
            }
            Err(errno) => return Err(errno),
        }
    }
}

fn failure(what: &str, errno: Errno) -> AttributeFailure {
    AttributeFailure { what: what.to_owned(), source: errno.into() }
}
