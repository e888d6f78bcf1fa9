//! Placeholder of gatewright-guards: filled in by the commits that follow.
