//! Placeholder of gatewright-engine: filled in by the commits that follow.
