//! Files that are required: beside the file, on the load path, or of a gem.

use super::names::Names;
use super::{Checker, NOT_INSTALLED, UNDECLARED, gems};
use crate::references::collector::Kind;
use crate::references::session::Place;

/// Gems that come with Ruby, or did.
const BUNDLED: &str = "abbrev base64 bigdecimal cmath csv curses dbm debug drb e2mmap fiddle \
gdbm getoptlong iconv irb logger matrix minitest mutex_m net nkf observer openssl ostruct \
power_assert prime profile racc rake rbs rdoc readline reline resolv-replace rexml rinda rss \
scanf sdbm shell sync syslog test test-unit thwait tk tracer typeprof webrick win32ole xmlrpc";

impl Checker<'_> {
    pub(super) fn relative(&mut self, file: &str, offset: usize) {
        let mut parts: Vec<&str> = self.path.split('/').collect();
        parts.pop();
        for part in file.split('/') {
            match part {
                "" | "." => {}
                ".." if parts.pop().is_none() => return self.found.unknown("path beyond the root"),
                ".." => {}
                part => parts.push(part),
            }
        }
        let name = parts.pop().unwrap_or_default();
        let listing = self.session.list(&Place::workspace(parts.join("/")));
        let has = |end: &str| listing.files.contains(&format!("{name}{end}"));
        if has("") || has(".rb") {
            return self.found.exists();
        }
        if has(".so") || has(".c") || has(".y") || has(".rl") || has(".rb.erb") || has(".bundle") {
            return self.found.unknown("file that a build makes");
        }
        let near = listing.files.iter().filter_map(|file| file.strip_suffix(".rb"));
        self.found.missing(file, Kind::Module, offset, near);
    }

    pub(super) fn feature(&mut self, file: &str, offset: usize) {
        match self.found_feature(file) {
            Some(None) => self.found.exists(),
            Some(Some(reason)) => self.found.unknown(reason),
            None => {
                let first = file.split('/').next().unwrap_or(file);
                let is_own = self.view.has_feature(self.session, first);
                if !is_own && !self.view.has_manifest() {
                    return self.found.doubtful(file, Kind::Package, offset, UNDECLARED);
                }
                if !is_own && is_named_after(self.path, first) {
                    return self.found.unknown(NOT_INSTALLED);
                }
                let kind = if is_own { Kind::Module } else { Kind::Package };
                self.found.missing(file, kind, offset, []);
            }
        }
    }

    /// Whether a file on the load path is there, or why that cannot be told; `None` when it is not.
    pub(super) fn found_feature(&self, file: &str) -> Option<Option<&'static str>> {
        let plain = file.trim_end_matches(".rb").trim_end_matches(".so");
        if Names::get().features.contains(plain) || self.view.has_feature(self.session, plain) {
            return Some(None);
        }
        // Another library may have its files beside those which the workspace adds to it.
        let own = plain.split('/').next().unwrap_or(plain);
        let is_beside = self.view.has_feature(self.session, own) && self.view.has_beside(plain);
        let is_of_gem = match is_beside {
            true => self.view.is_part_of_gem(plain),
            false => self.view.is_gem(plain),
        };
        if file.starts_with(['.', '/']) || is_of_gem {
            return Some(Some(NOT_INSTALLED));
        }
        if is_beside && self.view.is_built(self.session, plain) {
            return Some(Some("file that a build makes"));
        }
        let first = plain.split('/').next().unwrap_or(plain);
        if BUNDLED.split_whitespace().any(|gem| gem == first) {
            return Some(Some("gem that comes with Ruby"));
        }
        let is_there = !self.view.is_whole_gem(first) && gems::is_installed(self.session, first);
        is_there.then_some(Some("gem installed but not declared"))
    }
}

/// Whether a file is called like the package that it asks for: it is there for those who have it.
fn is_named_after(path: &str, package: &str) -> bool {
    let letters = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = letters(file.split('.').next().unwrap_or(file));
    stem.len() > 2 && stem == letters(package)
}
