# Prints the constants, methods and features of Ruby and its own library, for names.txt.
# Usage: ruby ruby_names.rb RUBYLIBDIR [ARCHDIR]; lines are then filled to 180 columns.
# mkmf acts when it is required: its methods are taken from the `def` lines of mkmf.rb.
libs = %w[English abbrev base64 benchmark bigdecimal bigdecimal/util bundler cgi cgi/util coverage csv date delegate digest digest/sha2 drb erb etc fcntl fiddle fileutils find forwardable getoptlong io/console io/wait ipaddr irb json logger matrix monitor mutex_m net/ftp net/http net/https net/imap net/pop net/smtp nkf objspace observer open-uri open3 openssl optparse optparse/time ostruct pathname pp prettyprint prime pstore psych pty racc rdoc readline reline resolv rexml/document rinda/tuplespace ripper rubygems rubygems/package securerandom set shellwords singleton socket stringio strscan syslog tempfile time timeout tmpdir tsort un uri weakref yaml yaml/store zlib continuation objspace]
libs.each { |l| begin; require l; rescue LoadError, StandardError; STDERR.puts "no #{l}"; end }
consts = {}
methods = {}
seen = {}
walk = lambda do |mod, path, depth|
  return if seen[mod] || depth > 5
  seen[mod] = true
  mod.constants(false).each do |c|
    next if mod.autoload?(c) && depth > 2
    consts[c.to_s] = true
    begin; v = mod.const_get(c); rescue Exception; next; end
    walk.call(v, "#{path}::#{c}", depth + 1) if v.is_a?(Module)
  end rescue nil
end
walk.call(Object, '', 0)
ObjectSpace.each_object(Module) do |m|
  [:instance_methods, :private_instance_methods].each { |k| (m.send(k, false) rescue []).each { |n| methods[n.to_s] = true } }
  (m.singleton_methods(false) rescue []).each { |n| methods[n.to_s] = true }
  (m.singleton_class.private_instance_methods(false) rescue []).each { |n| methods[n.to_s] = true }
end
feats = []
[ARGV[0], ARGV[1]].compact.each do |d|
  Dir.glob("#{d}/**/*.{rb,so}").each { |f| feats << f.delete_prefix(d + '/').sub(/\.(rb|so)$/, '') }
end
puts '@constants', consts.keys.grep(/\A[A-Z]\w*\z/).sort, '@methods', methods.keys.grep(/\A[a-z_A-Z]\w*[?!]?\z/).reject { |m| m.start_with?('_') && m !~ /\A__(method|dir|id|send|callee)__/ && m !~ /\A_(parse|strptime|iso8601|rfc3339|xmlschema|rfc2822|rfc822|httpdate|jisx0301|load|dump|id2ref)\z/ }.sort, '@features', feats.uniq.sort
