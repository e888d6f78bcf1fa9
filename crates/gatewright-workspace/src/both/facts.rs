//! What the disk says about a path, for the guards to judge.

use gatewright_model::{
    Digest, FileState, LinkFacts, PathFacts, RepoPath, RequestedPath, Resolution,
    ResolutionFailure, Target, TargetKind,
};

use super::files::{self, Fingerprint};
use super::hard_links;
use super::own::OwnPaths;
use super::root::{HeldDirectory, Place, Root};
use super::standing::Standing;

/// A larger file than this is not hashed, and so not judged.
pub(super) const MAX_HASHED: u64 = 256 * 1024 * 1024;

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

impl Survey {
    /// The file as it was just hashed; `None` where there is none.
    pub(super) fn known(&self) -> Option<Known> {
        let fingerprint = self.place.file.as_ref()?.fingerprint();
        Some(Known { fingerprint, digest: self.target.digest? })
    }
}

/// Looks at `requested` and says everything that the guards ask.
pub(super) fn survey(
    root: &Root,
    own: &OwnPaths,
    requested: &RequestedPath,
    known: Option<Known>,
) -> Result<Survey, ResolutionFailure> {
    survey_with(root, own, requested, |standing| digest_of(root, standing, known))
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
        let bytes = bytes_of(root, standing)?;
        if bytes.len() as u64 > limit {
            return Ok(Digest::of(&bytes));
        }
        // The state knows its digest from then on.
        let state = kept.insert(FileState::new(bytes, standing.mode()));
        Ok(state.digest())
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
    let kind = place.file.as_ref().map_or(TargetKind::Absent, Standing::kind);
    let mode = place.file.as_ref().map(Standing::mode);
    let (digest, links) = match &mut place.file {
        Some(standing) if kind == TargetKind::Regular => {
            (Some(digest_of(standing)?), link_facts(root, standing))
        }
        _ => (None, LinkFacts::Single),
    };
    let target = Target {
        kind,
        links,
        digest,
        mode,
        through_link: place.is_through_link(&path),
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

fn digest_of(
    root: &Root,
    standing: &mut Standing,
    known: Option<Known>,
) -> Result<Digest, ResolutionFailure> {
    let fingerprint = standing.fingerprint();
    if let Some(known) = known.filter(|known| known.fingerprint == fingerprint) {
        return Ok(known.digest);
    }
    bytes_of(root, standing).map(|bytes| Digest::of(&bytes))
}

fn bytes_of(root: &Root, standing: &mut Standing) -> Result<Vec<u8>, ResolutionFailure> {
    let size = standing.size();
    if size > MAX_HASHED {
        let message = format!("the file there has {size} bytes, too many to compare");
        return Err(ResolutionFailure::Other { message });
    }
    standing.read(root).map_err(|fault| match files::is_denied(&fault) {
        true => ResolutionFailure::Denied,
        false => ResolutionFailure::Other { message: fault.to_string() },
    })
}

fn link_facts(root: &Root, standing: &Standing) -> LinkFacts {
    let count = standing.link_count();
    if count <= 1 {
        return LinkFacts::Single;
    }
    let found = hard_links::count_names(root, standing.identity(), count);
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
        !matches!(files::look_at(&directory.handle, name), Ok(None))
    };
    has("HEAD") && has("objects") && has("refs")
}
