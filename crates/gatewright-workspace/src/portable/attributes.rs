//! Owner and extended attributes: read from an old file, given to a new one.
//!
//! On Unix systems both are kept. What a system keeps elsewhere (the access
//! lists of macOS and Windows) is not, and Windows keeps nothing of this.

use std::io;

use cap_std::fs::{File, Metadata};

use crate::error::AttributeFailure;
use crate::record::Attributes;

/// Reads the attributes of an open file; `None` where the system has none.
#[cfg(unix)]
pub(super) fn read(
    file: &File,
    metadata: &Metadata,
) -> Result<Option<Attributes>, AttributeFailure> {
    use cap_std::fs::MetadataExt;
    let xattrs = unix::read_xattrs(file)?;
    Ok(Some(Attributes { uid: metadata.uid(), gid: metadata.gid(), xattrs }))
}

/// There are none to read.
#[cfg(not(unix))]
pub(super) fn read(
    _file: &File,
    _metadata: &Metadata,
) -> Result<Option<Attributes>, AttributeFailure> {
    Ok(None)
}

/// Gives them to a new file. The mode is set last: a new owner clears bits of it.
pub(super) fn give(
    attributes: Option<&Attributes>,
    file: &File,
    mode: u32,
    same_bytes: bool,
) -> Result<(), AttributeFailure> {
    #[cfg(unix)]
    if let Some(attributes) = attributes {
        unix::give_owner(attributes, file)?;
        unix::give_xattrs(attributes, file, same_bytes)?;
    }
    #[cfg(not(unix))]
    let _ = (attributes, same_bytes);
    super::names::set_mode(file, mode).map_err(|source| failure("mode", source))
}

fn failure(what: &str, source: io::Error) -> AttributeFailure {
    AttributeFailure { what: what.to_owned(), source }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::fchown;

    use cap_std::fs::MetadataExt;
    use xattr::FileExt;

    use super::*;
    use crate::record::CAPABILITIES;

    const ACCESS_LIST: &str = "system.posix_acl_access";

    pub(super) fn read_xattrs(file: &File) -> Result<Vec<(String, String)>, AttributeFailure> {
        let what = "extended attributes";
        let file = file.try_clone().map_err(|source| failure(what, source))?.into_std();
        let names = match file.list_xattr() {
            Ok(names) => names,
            Err(error) if is_unsupported(&error) => return Ok(Vec::new()),
            Err(error) => return Err(failure(what, error)),
        };
        let mut xattrs = Vec::new();
        for name in names {
            let name = name.to_string_lossy().into_owned();
            match file.get_xattr(&name) {
                Ok(value) => xattrs.extend(value.map(|value| (name, hex::encode(value)))),
                Err(_) if !must_keep(&name) => {}
                Err(error) => return Err(failure(&name, error)),
            }
        }
        Ok(xattrs)
    }

    pub(super) fn give_owner(attributes: &Attributes, file: &File) -> Result<(), AttributeFailure> {
        let now = file.metadata().map_err(|source| failure("owner", source))?;
        let uid = (now.uid() != attributes.uid).then_some(attributes.uid);
        let gid = (now.gid() != attributes.gid).then_some(attributes.gid);
        if uid.is_none() && gid.is_none() {
            return Ok(());
        }
        fchown(file, uid, gid).map_err(|source| failure("owner", source))
    }

    pub(super) fn give_xattrs(
        attributes: &Attributes,
        file: &File,
        same_bytes: bool,
    ) -> Result<(), AttributeFailure> {
        let file = file.try_clone().map_err(|source| failure("attributes", source))?.into_std();
        let has_access_list = attributes.xattrs.iter().any(|(name, _)| name == ACCESS_LIST);
        if !has_access_list && matches!(file.get_xattr(ACCESS_LIST), Ok(Some(_))) {
            // A default list of the directory gave the new file one of its own.
            file.remove_xattr(ACCESS_LIST).map_err(|source| failure(ACCESS_LIST, source))?;
        }
        for (name, digits) in &attributes.xattrs {
            if name == CAPABILITIES && !same_bytes {
                continue;
            }
            let value = hex::decode(digits).map_err(|error| {
                failure(name, io::Error::new(io::ErrorKind::InvalidData, error))
            })?;
            match file.set_xattr(name, &value) {
                Ok(()) => {}
                Err(_) if !must_keep(name) => {}
                Err(error) => return Err(failure(name, error)),
            }
        }
        Ok(())
    }

    /// What people set must be kept; what the system sets, it sets again.
    fn must_keep(name: &str) -> bool {
        let is_systems =
            ["security.", "trusted.", "com.apple."].iter().any(|s| name.starts_with(s));
        name == ACCESS_LIST || !(is_systems || name.starts_with("system."))
    }

    fn is_unsupported(error: &io::Error) -> bool {
        error.kind() == io::ErrorKind::Unsupported
    }
}
