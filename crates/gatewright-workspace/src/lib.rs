//! Placeholder of gatewright-workspace: filled in by the commits that follow.
