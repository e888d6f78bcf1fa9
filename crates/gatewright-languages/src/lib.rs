//! Placeholder of gatewright-languages: filled in by the commits that follow.
