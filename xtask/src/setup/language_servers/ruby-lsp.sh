#!/bin/sh
# Debian's ruby-lsp with its own ruby and its own C library.
tree='{home}/tree'
machine=x86_64-linux-gnu
ruby=$(ls "$tree"/usr/bin/ruby[0-9]* | head -1)
version="${ruby##*ruby}.0"
gems="$tree/usr/lib/$machine/rubygems-integration/$version"
prism=$(ls -d "$gems"/gems/prism-* | head -1)
server=$(ls -d "$tree"/usr/share/rubygems-integration/all/gems/ruby-lsp-* | head -1)
RUBYLIB="$gems/extensions/$machine/$version/${prism##*/}:$prism/lib"
RUBYLIB="$RUBYLIB:$tree/usr/lib/ruby/vendor_ruby:$tree/usr/lib/$machine/ruby/vendor_ruby/$version"
RUBYLIB="$RUBYLIB:$tree/usr/lib/ruby/$version:$tree/usr/lib/$machine/ruby/$version"
GEM_HOME="$tree/var/lib/gems/$version"
GEM_PATH="$tree/usr/share/rubygems-integration/all:$gems:$tree/usr/lib/ruby/gems/$version:$GEM_HOME"
BUNDLE_GEMFILE="${BUNDLE_GEMFILE-}"
export RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE
exec "$tree/usr/lib64/ld-linux-x86-64.so.2" --library-path "$tree/usr/lib/$machine" \
  "$ruby" -W0 "$server/exe/ruby-lsp" "$@"
