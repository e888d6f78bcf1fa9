//! Headers that are not on this machine, and the names that they probably declare.

use super::facts::{CFile, Name};
use super::headers::Reached;
use super::library;

/// Parts of paths that say nothing about the names in a header.
const PLAIN: &str = "include sys core api types util utils common config base main lib src test tests \
version internal public global all fwd hpp hxx";

/// Libraries whose names do not begin like their headers: the header, then how names begin.
const BEGINNINGS: &[(&str, &str)] = &[
    (
        "zlib",
        "deflate inflate crc32 adler32 compress uncompress gz ulong ulongf uint bytef z_ zlib",
    ),
    (
        "curses",
        "w mv init end no add get scr start cbreak raw echo attr color key curs can has a_ \
      acs box del ins new do un tig tp tput set stdscr lines cols chtype panel",
    ),
    (
        "ncurses",
        "w mv init end no add get scr start cbreak raw echo attr color key curs can has a_ \
      acs box del ins new do un tig tp tput set stdscr lines cols chtype panel",
    ),
    ("event", "ev bufferevent"),
    (
        "openssl",
        "ssl evp bio x509 err rsa bn ec dh rand pem asn1 crypto hmac sha md5 aes d2i i2d i2a a2i sk_",
    ),
    ("readline", "rl_ history add_history"),
    ("python", "py"),
    ("gl", "gl"),
    ("x11", "x"),
    ("qt", "q"),
    ("gtk", "g_ gtk gdk g_type g_object pango"),
    ("glib", "g"),
    ("gio", "g"),
    ("jni", "j"),
    ("ruby", "rb_ value"),
    ("php", "zend zval z_ hash_ return_"),
    ("postgres", "pg pq heap_ spi_"),
    ("mysql", "my"),
    ("expat", "xml_"),
    ("libxml", "xml html"),
    ("bzlib", "bz2_ bz_"),
    ("lua", "lua"),
    ("lauxlib", "lua"),
    ("utf8proc", "utf8"),
    ("oniguruma", "onig"),
    ("systemd", "sd_"),
    ("libutil", "forkpty"),
];

/// What is known of the headers that are not there.
pub(super) struct Gaps {
    stems: Vec<String>,
    /// Whether one belongs to another system, whose names are of every kind.
    pub(super) has_system: bool,
    /// The same of headers that are not always asked for.
    pub(super) has_system_sometimes: bool,
    /// Whether any header is not there, be it for some systems only.
    pub(super) has_any: bool,
}

impl Gaps {
    /// What the paths of such headers say.
    pub(super) fn new(reached: &Reached, file: &CFile) -> Self {
        let all = reached.gaps.iter().chain(&reached.conditional_gaps);
        let mut stems = stems(all.map(String::as_str));
        let is_asked = |stem: &str| {
            let mut systems = file.includes.iter().filter(|include| include.is_system);
            systems.any(|include| include.path.to_lowercase().starts_with(stem))
        };
        stems.retain(|stem| is_asked(stem) || !is_own(stem, file));
        Self {
            stems,
            has_system: reached.gaps.iter().any(|path| library::is_elsewhere(path)),
            has_system_sometimes: reached
                .conditional_gaps
                .iter()
                .any(|path| library::is_elsewhere(path)),
            has_any: !reached.gaps.is_empty() || !reached.conditional_gaps.is_empty(),
        }
    }

    /// Whether a name begins like one of those headers.
    pub(super) fn are_kin(&self, name: &str) -> bool {
        let name = name.trim_start_matches('_').to_lowercase();
        let first = name.split_once('_').map(|(first, _)| first).filter(|first| first.len() > 2);
        self.stems.iter().any(|stem| {
            name.starts_with(stem.as_str()) || first.is_some_and(|first| stem.starts_with(first))
        })
    }
}

/// Whether most functions of a file begin with a stem: a build makes that header.
fn is_own(stem: &str, file: &CFile) -> bool {
    let begins = |name: &&Name| name.to_lowercase().starts_with(stem);
    let own = file.functions.iter().filter(begins).count();
    own > 0 && own * 2 >= file.functions.len()
}

/// How the names in these headers may begin.
fn stems<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for path in paths.filter(|path| !library::is_elsewhere(path)) {
        for part in path.split(['/', '.', '-', '_', '+']) {
            let part = part.to_lowercase();
            let part = part.trim_end_matches(|c: char| c.is_ascii_digit());
            stems.extend(part.strip_prefix("lib").map(str::to_owned));
            stems.push(part.to_owned());
        }
    }
    for (header, beginnings) in BEGINNINGS {
        if stems.iter().any(|stem| stem.starts_with(header)) {
            stems.extend(beginnings.split_whitespace().map(str::to_owned));
        }
    }
    let is_plain = |stem: &str| PLAIN.split_whitespace().any(|plain| plain == stem);
    stems.retain(|stem| !stem.is_empty() && stem != "h" && !is_plain(stem));
    stems.sort();
    stems.dedup();
    stems
}

/// The word with which a library marks its names: `xcb` of `xcb_open`, `SDL` of `SDLKey`.
pub(super) fn prefix(name: &str) -> Option<&str> {
    let capitals = name.bytes().take_while(u8::is_ascii_uppercase).count();
    if let Some((first, _)) = name.split_once('_')
        && first.len() > 1
    {
        return Some(first);
    }
    (capitals > 2).then(|| &name[..capitals - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_begins_like_a_header_may_be_in_it() {
        let mut reached = Reached::default();
        reached.gaps = vec!["xcb/xcb.h".to_owned(), "libevent/event2.h".to_owned()];
        let gaps = Gaps::new(&reached, &CFile::default());
        assert!(gaps.are_kin("xcb_open") && gaps.are_kin("evbuffer_add"));
        assert!(!gaps.are_kin("open_xcb") && gaps.has_any && !gaps.has_system);
        assert_eq!(prefix("SDLKey"), Some("SDL"));
        assert_eq!(prefix("getName"), None);
    }
}
