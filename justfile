# Every routine command. The logic lives in xtask.

# Lists the commands.
default:
    @just --list

# Builds and runs the main job: guard this folder.
up *args:
    cargo run --release -- up {{args}}

# Installs what the tests need and runs every gate and every test.
test *args:
    cargo xtask test {{args}}

# Formats the code.
fmt:
    cargo fmt --all

# Warnings are errors.
clippy:
    cargo clippy --workspace --all-targets -- -D warnings

# Sizes, names, first lines, leftovers, links.
tidy:
    cargo xtask tidy

# Which crate may use which.
arrows:
    cargo xtask arrows

# Bans, licences, sources.
deny:
    cargo xtask deny

# A benchmark beside its peer.
bench name *args:
    cargo xtask bench {{name}} {{args}}

# The long versions of the race, kill, alias and bit-flip tests.
soak *args:
    cargo xtask soak {{args}}

# Every fuzz target for a few seconds.
fuzz-smoke *args:
    cargo xtask fuzz-smoke {{args}}

# Rewrites the expectations of the fixture cases; review the difference like code.
bless *args:
    GATEWRIGHT_BLESS=1 cargo test --workspace {{args}}

# The book.
book:
    cargo xtask book

# The release archive.
dist:
    cargo xtask dist
