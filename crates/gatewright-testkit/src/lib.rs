//! Placeholder of gatewright-testkit: filled in by the commits that follow.
