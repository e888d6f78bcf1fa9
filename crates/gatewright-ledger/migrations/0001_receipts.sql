-- Receipts, the state of the tree, the stage and the settings of one workspace.
-- A receipt is stored as its canonical bytes and never updated. The other
-- columns repeat parts of it for searching; `verify` compares them.
CREATE TABLE receipts (
    seq        INTEGER PRIMARY KEY NOT NULL,
    receipt_id TEXT NOT NULL,
    action     TEXT NOT NULL,
    timestamp  TEXT NOT NULL,
    agent      TEXT NOT NULL,
    run_id     TEXT NOT NULL,
    leaf_hash  BLOB NOT NULL,
    canonical  BLOB NOT NULL
) STRICT;

-- Actions and agents are few: a filter on them reads from the newest backwards.
-- Each index is one more page to write in every append.
CREATE UNIQUE INDEX receipts_receipt_id ON receipts (receipt_id);
CREATE INDEX receipts_run_id ON receipts (run_id);

CREATE TABLE tree (
    id         INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    origin     TEXT NOT NULL,
    key_id     TEXT NOT NULL,
    size       INTEGER NOT NULL,
    head       BLOB,
    frontier   BLOB NOT NULL,
    checkpoint TEXT NOT NULL
) STRICT;

CREATE TABLE stage (
    id      TEXT PRIMARY KEY NOT NULL,
    version INTEGER NOT NULL,
    state   TEXT NOT NULL,
    blob    BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX stage_state ON stage (state);

CREATE TABLE settings (
    key   TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
