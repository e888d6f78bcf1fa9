//! Placeholder of gatewright-ledger: filled in by the commits that follow.
