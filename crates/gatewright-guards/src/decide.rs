//! Verdict and autonomy in, one of three ways out.

use gatewright_model::{Autonomy, Mode, Verdict};

/// Where a judged proposal goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Written at once.
    Apply,
    /// Held for a person.
    Stage,
    /// Refused, by a guard.
    Refuse,
    /// Refused, because manual mode takes no proposals.
    RefuseManual,
}

/// The table of the design, section 4.
///
/// ```
/// use gatewright_guards::{Decision, decide};
/// use gatewright_model::{Autonomy, Mode, Verdict};
/// let autonomous = Autonomy { mode: Mode::Autonomous, suggest_only: false };
/// assert_eq!(decide(Verdict::Pass, autonomous), Decision::Apply);
/// assert_eq!(decide(Verdict::Warn, autonomous), Decision::Stage);
/// assert_eq!(decide(Verdict::Pass, Autonomy::default()), Decision::Stage);
/// ```
pub fn decide(verdict: Verdict, autonomy: Autonomy) -> Decision {
    match (verdict, autonomy.mode) {
        (Verdict::Refuse, _) => Decision::Refuse,
        (_, Mode::Manual) => Decision::RefuseManual,
        (Verdict::Pass, Mode::Autonomous) if !autonomy.suggest_only => Decision::Apply,
        _ => Decision::Stage,
    }
}
