//! Headers that are not on this machine, and the names that they probably declare.

use super::facts::{CFile, Name};
use super::headers::Reached;
use super::library;

/// Parts of paths that say nothing about the names in a header.
const PLAIN: &str = "include sys core api types util utils common config base main lib src test tests \
version internal public global all fwd hpp hxx";

/// How the names of the curses library begin: most like ordinary verbs, so they are written out.
const CURSES: &str = "window wadd wattr wbkg wborder wchgat wclear wclr wcolor wcursync wdel wecho \
wenclose werase wget whline winch winn wins winw wmouse wmove wnout wprintw wredraw wrefresh wresize \
wscan wscrl wscrreg wsetscrreg wstand wsync wtimeout wtouch wun wvline mvadd mvcur mvchgat mvdel \
mvder mvget mvhline mvin mvprintw mvscanw mvvline mvw initscr init_pair init_color init_ext endwin \
noecho nodelay nocbreak noqiflush notimeout nonl noraw nofilter addch addstr addn addw add_wch getch \
getstr getn getyx getbeg getmax getpar getcur getwin getcchar getbkgd getsyx getmouse get_wch get_wstr \
get_escdelay scr_ scrl scroll start_color cbreak halfdelay raw echo attr color key_ keypad keyname \
keyok keybound curs curscr can_change has_color has_key has_ic has_il has_mouse a_ acs box delch \
deletel delwin delscreen delay_output del_curterm insch insdel insertln insn insstr ins_ inch inn \
instr in_wch newwin newpad newterm new_menu new_field new_form new_item new_pa newscr doupdate ungetch \
unctrl unget_wch tigetnum tigetflag tigetstr tparm tputs setcchar setscrreg setsyx setupterm set_term \
set_menu set_field set_form set_item set_tab set_escdelay stdscr lines cols chtype cchar panel erase \
refresh move clrto redrawwin derwin subwin subpad prefresh pnoutrefresh keyok mousemask mouseinterval \
idlok idcok leaveok clearok intrflush flushinp beep flash standout standend touchwin touchline \
use_default typeahead wtouchln termattrs longname putp vidattr vidputs";

/// How the names of GLib begin.
const GLIB: &str = "g gint gchar gboolean gpointer gconst guint gsize gssize gdouble gfloat glong \
gulong gshort gushort guchar gunichar goffset";

/// Libraries whose names do not begin like their headers: the header, then how names begin.
const BEGINNINGS: &[(&str, &str)] = &[
    (
        "zlib",
        "deflate inflate crc32 adler32 compress uncompress gzopen gzdopen gzclose gzread gzwrite \
      gzget gzput gzungetc gzprintf gzflush gzseek gztell gzeof gzerr gzfile gzbuffer gzdirect gzrewind \
      gzoffset gzset gzclear gzfread gzfwrite ulong ulongf uint bytef z_ zlib",
    ),
    ("curses", CURSES),
    ("ncurses", CURSES),
    (
        "event",
        "ev_ event evbuffer bufferevent evhttp evtimer evutil evdns evsignal evrpc evthread evconn \
      evkeyval",
    ),
    (
        "openssl",
        "ssl evp bio x509 err rsa bn ec dh rand pem asn1 crypto hmac sha md5 aes d2i i2d i2a a2i sk_",
    ),
    ("readline", "rl_ history add_history"),
    ("python", "py"),
    ("gl", "gl"),
    ("x11", "x xt xrm xkb xft xutf8 xmb xwc xc xpm xshm xrr xi xrender xinerama xf86"),
    ("qt", "q qobject qreal quint qint qsizetype qulonglong qlonglong qvariant qgraphics"),
    ("gtk", "g_ gtk gdk g_type g_object pango"),
    ("glib", GLIB),
    ("gio", GLIB),
    (
        "jni",
        "jni jint jlong jobject jstring jclass jboolean jbyte jchar jshort jfloat jdouble jarray \
      jvalue jsize jmethod jfield jweak jthrowable",
    ),
    ("ruby", "rb_ value"),
    ("php", "zend zval z_ hash_ return_"),
    ("postgres", "pg pq heap_ spi_"),
    ("pq", "pg"),
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
    /// How the names of these libraries begin, where that is written down.
    beginnings: Vec<&'static str>,
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
        let mut beginnings = beginnings(&stems);
        stems.retain(|stem| is_asked(stem) || !is_own(stem, file));
        beginnings.retain(|beginning| is_asked(beginning) || !is_own(beginning, file));
        Self {
            stems,
            beginnings,
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
        let spelt = name.trim_start_matches('_');
        let name = spelt.to_lowercase();
        let first = name.split_once('_').map(|(first, _)| first).filter(|first| first.len() > 2);
        let begins = |stem: &str| name.starts_with(stem) && is_word_of(spelt, stem);
        let is_short_for = |stem: &str| first.is_some_and(|first| stem.starts_with(first));
        self.stems.iter().any(|stem| begins(stem) || is_short_for(stem))
            || self.beginnings.iter().any(|beginning| begins(beginning))
    }
}

/// Whether a name has a stem for a word of its own, where the stem is so short that it begins
/// ordinary words too: `c_open` and `cOpen` have the stem `c`, `collect` has not.
fn is_word_of(name: &str, stem: &str) -> bool {
    let Some((head, rest)) = name.split_at_checked(stem.len()) else { return true };
    if stem.len() > 2 || stem.ends_with('_') {
        return true;
    }
    let is_loud = head.len() > 1 && head.bytes().all(|byte| byte.is_ascii_uppercase());
    let next = rest.bytes().next();
    next.is_none_or(|byte| !byte.is_ascii_lowercase()) || is_loud
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
    let is_plain = |stem: &str| PLAIN.split_whitespace().any(|plain| plain == stem);
    stems.retain(|stem| !stem.is_empty() && stem != "h" && !is_plain(stem));
    stems.sort();
    stems.dedup();
    stems
}

/// How the names of the libraries begin to which these stems belong.
fn beginnings(stems: &[String]) -> Vec<&'static str> {
    let is_there = |header: &str| stems.iter().any(|stem| stem.starts_with(header));
    let known = BEGINNINGS.iter().filter(|(header, _)| is_there(header));
    known.flat_map(|(_, beginnings)| beginnings.split_whitespace()).collect()
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

    #[test]
    fn a_short_stem_is_a_word_of_its_own() {
        let mut reached = Reached::default();
        reached.gaps = ["libc.h", "glib.h", "libpq-fe.h"].map(str::to_owned).to_vec();
        let gaps = Gaps::new(&reached, &CFile::default());
        for name in ["c_open", "g_free", "GList", "gboolean", "PQexec", "PGconn"] {
            assert!(gaps.are_kin(name), "{name}");
        }
        for name in ["collect_marks", "generate_marks", "Generator", "compute"] {
            assert!(!gaps.are_kin(name), "{name}");
        }
    }

    #[test]
    fn ordinary_verbs_are_no_names_of_curses() {
        let mut reached = Reached::default();
        reached.conditional_gaps = vec!["ncurses/ncurses.h".to_owned()];
        let gaps = Gaps::new(&reached, &CFile::default());
        for name in ["noecho", "waddstr", "mvwprintw", "init_pair", "WINDOW", "has_colors"] {
            assert!(gaps.are_kin(name), "{name}");
        }
        for name in ["normalize_marks", "write_marks", "add_mark", "hash_marks", "cancel_all"] {
            assert!(!gaps.are_kin(name), "{name}");
        }
    }
}
