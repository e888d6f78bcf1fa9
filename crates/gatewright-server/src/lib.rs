//! Placeholder of gatewright-server: filled in by the commits that follow.
