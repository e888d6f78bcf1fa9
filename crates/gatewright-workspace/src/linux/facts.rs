//! What the disk says about a path, for the guards to judge.

use gatewright_model::{
    Digest, FileMode, FileState, LinkFacts, PathFacts, RepoPath, RequestedPath, Resolution,
    ResolutionFailure, Target, TargetKind,
};
use rustix::fd::OwnedFd;
use rustix::fs::{FileType, Stat};
use rustix::io::Errno;

use super::hard_links;
use super::kernel;
use super::own::OwnPaths;
use super::root::{HeldDirectory, Place, Root};

/// A larger file than this is not hashed, and so not judged.
const MAX_HASHED: u64 = 256 * 1024 * 1024;

/// A place with what was found there.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) place: Place,
    pub(super) target: Target,
}

/// The digest of a file that was hashed before, and how to know it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) fingerprint: Fingerprint,
    pub(super) digest: Digest,
}

/// Identity, size and times of a file: when they are equal, so are the bytes,
/// unless somebody sets the clock back. The exchange hashes again in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint {
    identity: kernel::Identity,
    size: i64,
    modified: (i64, u64),
    changed: (i64, u64),
}

impl Fingerprint {
    /// Whether the same file has the same bytes; a rename changes neither.
    pub(super) fn is_same_but_renamed(&self, other: &Fingerprint) -> bool {
        let renamed = Fingerprint { changed: other.changed, ..*self };
        renamed == *other
    }

    pub(super) fn of(stat: &Stat) -> Self {
        Self {
            identity: kernel::identity(stat),
            size: stat.st_size,
            modified: (stat.st_mtime, stat.st_mtime_nsec),
            changed: (stat.st_ctime, stat.st_ctime_nsec),
        }
    }
}

/// Looks at `requested` and says everything that the guards ask.
pub(super) fn survey(
    root: &Root,
    own: &OwnPaths,
    requested: &RequestedPath,
    known: Option<Known>,
) -> Result<Survey, ResolutionFailure> {
    survey_with(root, own, requested, |file, stat| digest_of(root, file, stat, known))
}

/// The same, keeping the bytes of a file of at most `limit` bytes in `kept`.
pub(super) fn look(
    root: &Root,
    own: &OwnPaths,
    requested: &RequestedPath,
    limit: u64,
    kept: &mut Option<FileState>,
) -> Result<Survey, ResolutionFailure> {
    survey_with(root, own, requested, |file, stat| {
        if u64::try_from(stat.st_size).unwrap_or_default() > limit {
            return digest_of(root, file, stat, None);
        }
        let bytes = bytes_of(root, file, stat)?;
        let digest = Digest::of(&bytes);
        if bytes.len() as u64 <= limit {
            *kept = Some(FileState::new(bytes, FileMode::from_bits(stat.st_mode)));
        }
        Ok(digest)
    })
}

fn survey_with(
    root: &Root,
    own: &OwnPaths,
    requested: &RequestedPath,
    digest_of: impl FnOnce(&OwnedFd, &Stat) -> Result<Digest, ResolutionFailure>,
) -> Result<Survey, ResolutionFailure> {
    let path = RepoPath::parse(requested.as_str()).map_err(ResolutionFailure::Text)?;
    let place = root.locate(&path)?;
    let (kind, mode) = kind_and_mode(place.file.as_ref());
    let digest = match &place.file {
        Some((file, stat)) if kind == TargetKind::Regular => Some(digest_of(file, stat)?),
        _ => None,
    };
    let links = match &place.file {
        Some((_, stat)) if kind == TargetKind::Regular => link_facts(root, stat),
        _ => LinkFacts::Single,
    };
    let target = Target {
        kind,
        links,
        digest,
        mode,
        through_link: place.resolved != path,
        directory: place.nearest().map_or(root.identity, |directory| directory.identity),
        is_own_file: own.holds(root, &place),
        in_bare_repository: place.directories.iter().any(is_bare_repository),
        resolved: place.resolved.clone(),
    };
    Ok(Survey { place, target })
}

/// The facts of a survey, as the guards take them.
pub(super) fn facts_of(
    requested: &RequestedPath,
    survey: &Result<Survey, ResolutionFailure>,
) -> PathFacts {
    let resolution = match survey {
        Ok(survey) => Resolution::Inside(survey.target.clone()),
        Err(failure) => Resolution::Failed(failure.clone()),
    };
    PathFacts { requested: requested.clone(), resolution }
}

fn kind_and_mode(file: Option<&(OwnedFd, Stat)>) -> (TargetKind, Option<FileMode>) {
    let Some((_, stat)) = file else {
        return (TargetKind::Absent, None);
    };
    let kind = match kernel::file_type(stat) {
        FileType::RegularFile => TargetKind::Regular,
        FileType::Directory => TargetKind::Directory,
        _ => TargetKind::Special,
    };
    (kind, Some(FileMode::from_bits(stat.st_mode)))
}

fn digest_of(
    root: &Root,
    file: &OwnedFd,
    stat: &Stat,
    known: Option<Known>,
) -> Result<Digest, ResolutionFailure> {
    if let Some(known) = known.filter(|known| known.fingerprint == Fingerprint::of(stat)) {
        return Ok(known.digest);
    }
    bytes_of(root, file, stat).map(|bytes| Digest::of(&bytes))
}

fn bytes_of(root: &Root, file: &OwnedFd, stat: &Stat) -> Result<Vec<u8>, ResolutionFailure> {
    let size = u64::try_from(stat.st_size).unwrap_or_default();
    if size > MAX_HASHED {
        let message = format!("the file there has {size} bytes, too many to compare");
        return Err(ResolutionFailure::Other { message });
    }
    read_regular(root, file, size).map_err(|errno| match errno {
        Errno::ACCESS | Errno::PERM => ResolutionFailure::Denied,
        errno => ResolutionFailure::Other { message: errno.to_string() },
    })
}

/// Reads the regular file behind an `O_PATH` descriptor.
pub(super) fn read_regular(root: &Root, file: &OwnedFd, size: u64) -> Result<Vec<u8>, Errno> {
    let readable = root.proc_fd.reopen(file)?;
    let bytes = kernel::read_to_end(&readable, size, MAX_HASHED)?;
    if bytes.len() as u64 > MAX_HASHED { Err(Errno::FBIG) } else { Ok(bytes) }
}

fn link_facts(root: &Root, stat: &Stat) -> LinkFacts {
    let count = stat.st_nlink;
    if count <= 1 {
        return LinkFacts::Single;
    }
    let found = hard_links::count_names(root, kernel::identity(stat), count);
    if found >= count {
        LinkFacts::AllInside { count }
    } else {
        LinkFacts::SomeOutside { count, found }
    }
}

/// Whether git takes the directory for a repository, whatever its name.
fn is_bare_repository(directory: &HeldDirectory) -> bool {
    let has = |name| {
        // An unreadable answer counts as present: it errs on the strict side.
        !matches!(kernel::stat_name(&directory.descriptor, name), Ok(None))
    };
    has("HEAD") && has("objects") && has("refs")
}
