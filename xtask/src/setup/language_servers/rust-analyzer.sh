#!/bin/sh
# Debian's rust-analyzer on its own C library, which is newer than the host's.
# The sources of the standard library are those of the rustc in use.
tree='{home}/tree'
sources='{home}/sources/library'
if [ -z "${RUST_SRC_PATH:-}" ] && [ -d "$sources" ]; then
  RUST_SRC_PATH="$sources"
  export RUST_SRC_PATH
fi
exec "$tree/usr/lib64/ld-linux-x86-64.so.2" --library-path "$tree/usr/lib/x86_64-linux-gnu" \
  "$tree/usr/bin/rust-analyzer" "$@"
