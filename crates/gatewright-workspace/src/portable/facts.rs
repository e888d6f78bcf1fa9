//! What the disk says about a path, for the guards to judge.

use std::io::{self, ErrorKind};

use cap_std::fs::{File, Metadata};
use gatewright_model::{
    Digest, FileMode, FileState, LinkFacts, PathFacts, RepoPath, RequestedPath, Resolution,
    ResolutionFailure, Target, TargetKind,
};

use super::hard_links;
use super::names::{self, Fingerprint};
use super::own::OwnPaths;
use super::root::{HeldDirectory, Place, Root, Standing};

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

/// Looks at `requested` and says everything that the guards ask.
pub(super) fn survey(
    root: &Root,
    own: &OwnPaths,
    requested: &RequestedPath,
    known: Option<Known>,
) -> Result<Survey, ResolutionFailure> {
    survey_with(root, own, requested, |standing| digest_of(standing, known))
}

/// The same, keeping the bytes of a file of at most `limit` bytes in `kept`.
pub(super) fn look(
    root: &Root,
    own: &OwnPaths,
    requested: &RequestedPath,
    limit: u64,
    kept: &mut Option<FileState>,
) -> Result<Survey, ResolutionFailure> {
    survey_with(root, own, requested, |standing| {
        let bytes = bytes_of(standing)?;
        let digest = Digest::of(&bytes);
        if bytes.len() as u64 <= limit {
            let mode = FileMode::from_bits(names::mode(&standing.metadata));
            *kept = Some(FileState::new(bytes, mode));
        }
        Ok(digest)
    })
}

fn survey_with(
    root: &Root,
    own: &OwnPaths,
    requested: &RequestedPath,
    digest_of: impl FnOnce(&mut Standing) -> Result<Digest, ResolutionFailure>,
) -> Result<Survey, ResolutionFailure> {
    let path = RepoPath::parse(requested.as_str()).map_err(ResolutionFailure::Text)?;
    let mut place = root.locate(&path)?;
    let kind = place.file.as_ref().map_or(TargetKind::Absent, |standing| kind(&standing.metadata));
    let mode = place.file.as_ref().map(|standing| names::mode(&standing.metadata));
    let (digest, links) = match &mut place.file {
        Some(standing) if kind == TargetKind::Regular => {
            (Some(digest_of(standing)?), link_facts(root, &standing.metadata))
        }
        _ => (None, LinkFacts::Single),
    };
    let target = Target {
        kind,
        links,
        digest,
        mode: mode.map(FileMode::from_bits),
        through_link: place.through_link,
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

/// What kind of thing stands there; a link counts as special.
pub(super) fn kind(metadata: &Metadata) -> TargetKind {
    if metadata.is_file() {
        TargetKind::Regular
    } else if metadata.is_dir() {
        TargetKind::Directory
    } else {
        TargetKind::Special
    }
}

fn digest_of(standing: &mut Standing, known: Option<Known>) -> Result<Digest, ResolutionFailure> {
    let fingerprint = Fingerprint::of(&standing.metadata);
    if let Some(known) = known.filter(|known| known.fingerprint == fingerprint) {
        return Ok(known.digest);
    }
    bytes_of(standing).map(|bytes| Digest::of(&bytes))
}

fn bytes_of(standing: &mut Standing) -> Result<Vec<u8>, ResolutionFailure> {
    let size = standing.metadata.len();
    if size > MAX_HASHED {
        let message = format!("the file there has {size} bytes, too many to compare");
        return Err(ResolutionFailure::Other { message });
    }
    let Some(file) = &mut standing.file else { return Err(ResolutionFailure::Denied) };
    read_regular(file).map_err(|error| match error.kind() {
        ErrorKind::PermissionDenied => ResolutionFailure::Denied,
        _ => ResolutionFailure::Other { message: error.to_string() },
    })
}

/// Reads an open regular file, unless it is too large to compare.
pub(super) fn read_regular(file: &mut File) -> io::Result<Vec<u8>> {
    let bytes = names::read_to_end(file, MAX_HASHED)?;
    if bytes.len() as u64 > MAX_HASHED { Err(ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

fn link_facts(root: &Root, metadata: &Metadata) -> LinkFacts {
    let count = names::link_count(metadata);
    if count <= 1 {
        return LinkFacts::Single;
    }
    let found = hard_links::count_names(root, names::identity(metadata), count);
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
        !matches!(names::look_at(&directory.handle, name), Ok(None))
    };
    has("HEAD") && has("objects") && has("refs")
}
