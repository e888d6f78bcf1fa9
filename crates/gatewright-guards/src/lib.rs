//! The guards: pure judgement of a change set, and the only maker of an [`Approved`].
//!
//! [`judge`] turns a change set and the facts about it into findings and one
//! verdict. [`approve`] and [`approve_reviewed`] turn what was judged into an
//! [`Approved`], which is all that `gatewright-workspace` writes. There is no
//! other constructor, no flag and no feature that makes one.
//!
//! Nothing here touches a file, the clock, the environment or a socket. A guard
//! that lacks a fact says so in a finding; it never passes for want of one.

mod approved;
mod decide;
pub mod egress;
pub mod hallucination;
mod judge;
mod policy;
pub mod structure;
pub mod write;

pub use approved::{Approved, ApprovedFile, NotApproved, approve, approve_reviewed, bindings_of};
pub use decide::{Decision, decide};
pub use judge::{Facts, Judged, StructureScope, judge};
pub use policy::Policy;
