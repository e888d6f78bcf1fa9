//! The references of Ruby files.
//!
//! Methods are mostly open in Ruby, so a name counts as there when anything in
//! the workspace or in Ruby itself defines it, whatever the class. What no one
//! defines is missing only where the class around it is known with all that it
//! builds on, and where no other file of the workspace says the name.

mod facts;
mod features;
mod gems;
mod languages;
mod names;
mod project;
mod scan;
mod walk;

use std::collections::BTreeSet;
use std::sync::Arc;

use self::facts::{Class, Target, Used, ends};
use self::names::Names;
use self::project::View;
use super::collector::{Collector, Kind, Missing};
use super::session::Session;
use super::survey::OneFile;

/// Takes of a file what every question about the workspace will need.
pub(super) fn take_ahead(one: &OneFile<'_>) {
    one.kept(scan::defined);
}

/// How many names of one file are searched for in the whole workspace.
const SEARCHED: usize = 60;
/// Classes of test packages, whose methods are known by how they begin.
const TESTS: [&str; 4] =
    ["Minitest::Test", "MiniTest::Test", "Test::Unit::TestCase", "MiniTest::Unit::TestCase"];

/// What those classes have.
const ASSERTIONS: &str = "assert assert_empty assert_equal assert_in_delta assert_in_epsilon \
assert_includes assert_instance_of assert_kind_of assert_match assert_mock assert_nil \
assert_operator assert_output assert_path_exists assert_pattern assert_predicate assert_raises \
assert_respond_to assert_same assert_send assert_silent assert_throws capture_io \
capture_subprocess_io diff exception_details flunk fail_after message pass refute refute_empty \
refute_equal refute_in_delta refute_in_epsilon refute_includes refute_instance_of \
refute_kind_of refute_match refute_nil refute_operator refute_path_exists refute_pattern \
refute_predicate refute_respond_to refute_same skip skip_until skipped? stub mu_pp assert_true \
assert_false assert_not_nil assert_not_equal assert_nothing_raised assert_raise assert_not \
assert_raise_with_message assert_raise_kind_of assert_block assert_boolean assert_compare \
assert_const_defined assert_not_const_defined assert_not_empty assert_include assert_all \
assert_not_include assert_not_includes assert_no_match assert_not_match assert_not_same \
assert_not_send assert_alias_method assert_path_exist assert_path_not_exist assert_difference \
assert_fail_assertion assert_not_respond_to assert_not_predicate assert_not_operator \
assert_not_instance_of assert_not_kind_of assert_any assert_none assert_nothing_thrown omit \
omit_if omit_unless pend notify build_message assert_no_difference assert_changes travel_to \
assert_no_changes setup teardown parallelize_me! make_my_diffs_pretty! i_suck_and_my_tests_are_order_dependent!";

/// Reasons for which a name cannot be told until the installed gems are asked.
const OF_GEMS: [&str; 3] = [NOT_INSTALLED, CLASS_OF_GEM, CONSTANT_OF_GEM];
const NOT_INSTALLED: &str = "gem declared but not installed";
const CLASS_OF_GEM: &str = "class of a gem";
const COMPUTED: &str = "class that is computed";
const CONSTANT_OF_GEM: &str = "constant of a gem";

/// As many constants that nothing explains need no package to explain them.
const FEW: usize = 2;
/// How many modules that include each other are followed.
const MOST_INCLUDED: usize = 20;
const MIXIN: &str = "module that others include";
const MADE: &str = "methods made at run time";
const UNDECLARED: &str = "package that nothing has to declare";

/// What other programs that run Ruby have.
const OTHERS: [&str; 7] =
    ["JRUBY_VERSION", "JRuby", "Java", "TruffleRuby", "Truffle", "Rubinius", "MRUBY_VERSION"];

/// Constants of Ruby at the top, whose methods are known.
const TOPS: &str = "ARGF Array Base64 BasicObject Benchmark BigDecimal Binding CGI CSV Class \
Comparable Complex Data Date DateTime Delegator Digest Dir ENV ERB Encoding Enumerable Enumerator \
Errno Etc Exception Fiber File FileTest FileUtils Find Float Forwardable GC Hash IO IPAddr \
Integer JSON Kernel Logger Marshal MatchData Math Method Module Monitor Mutex Net NilClass \
Numeric Object ObjectSpace Observable Open3 OpenSSL OpenStruct OptionParser Pathname Proc Process \
Psych Queue Ractor Random Range Rational Regexp RubyVM SecureRandom Set Shellwords Signal \
SimpleDelegator Singleton SizedQueue Socket StandardError String StringIO StringScanner Struct \
Symbol TCPServer TCPSocket Tempfile Thread Time Timeout TracePoint UDPSocket URI UNIXSocket \
UnboundMethod WeakRef YAML Zlib";

/// The answers about one file; `None` when it cannot be told.
pub(crate) fn check(session: &Session<'_>, path: &str, text: &[u8]) -> Option<Collector> {
    let used = session.checked_facts("ruby used", text, || walk::read(text).map(Arc::new));
    let used = used.as_ref().clone()?;
    let view = View::new(session, path, text, false)?;
    let checker = Checker::new(session, view, path, &used);
    let found = checker.run();
    let of_doubt = found.doubtful.iter().map(|one| one.reason);
    let mut reasons = found.unknown.keys().copied().chain(of_doubt);
    let asks_gems = reasons.any(|reason| OF_GEMS.contains(&reason));
    if found.missing.is_empty() && !asks_gems {
        return Some(found);
    }
    let with = |is_fresh| {
        let view = View::new(session, path, text, is_fresh)?;
        Some(Checker::new(session, view.with_gems(session)?, path, &used).run())
    };
    let of_gems = if asks_gems { with(false) } else { None };
    if found.missing.is_empty() && of_gems.as_ref().is_none_or(|found| found.missing.is_empty()) {
        return Some(of_gems.unwrap_or(found));
    }
    let mut found = match with(true) {
        Some(found) => found,
        None => Checker::new(session, View::new(session, path, text, true)?, path, &used).run(),
    };
    clear_named(session, path, &mut found);
    Some(found)
}

/// What another file of the workspace names comes from somewhere.
fn clear_named(session: &Session<'_>, path: &str, found: &mut Collector) {
    let mut names: Vec<String> = found.missing.iter().map(|missing| missing.name.clone()).collect();
    names.sort();
    names.dedup();
    names.truncate(SEARCHED);
    project::named_elsewhere(session, path, &mut names);
    let (missing, named): (Vec<Missing>, Vec<Missing>) =
        found.missing.drain(..).partition(|missing| names.contains(&missing.name));
    found.missing = missing;
    *found.unknown.entry("named elsewhere in the workspace").or_default() += named.len() as u64;
}

struct Checker<'a> {
    session: &'a Session<'a>,
    view: View,
    path: &'a str,
    used: &'a Used,
    found: Collector,
    /// Constants that nothing explains.
    unexplained: Vec<(&'a str, usize)>,
    /// Methods that something unknown may bring, where it may, and why.
    doubtful: Vec<(&'a str, usize, &'static str)>,
}

impl<'a> Checker<'a> {
    fn new(session: &'a Session<'a>, view: View, path: &'a str, used: &'a Used) -> Self {
        let (found, doubtful, unexplained) = Default::default();
        Self { session, view, path, used, found, unexplained, doubtful }
    }

    /// What brings methods brings many, or some that other files use too: a
    /// single one that no other file has is rather an invented one.
    fn decide(&mut self) {
        let is_on_disk = self.session.read_base(self.path).is_some();
        let doubtful = std::mem::take(&mut self.doubtful);
        let is_alone = |name: &str| {
            !languages::has(name)
                && !is_assertion(name)
                && !self.view.is_word_elsewhere(name, is_on_disk)
        };
        let names: BTreeSet<&str> =
            doubtful.iter().map(|(name, ..)| *name).filter(|name| is_alone(name)).collect();
        for (name, offset, reason) in doubtful {
            if names.len() == 1 && names.contains(name) {
                self.miss(name, Kind::Call, offset);
            } else {
                self.found.unknown(reason);
            }
        }
    }

    fn run(mut self) -> Collector {
        for reference in &self.used.references {
            let offset = reference.offset;
            match &reference.target {
                Target::Relative(file) => self.relative(file, offset),
                Target::Feature(file) => self.feature(file, offset),
                Target::Constant { name, is_root } => self.constant(name, *is_root, offset),
                Target::Scoped { scope, name } => self.scoped(scope, name, offset),
                Target::Own { name, outer: Some(outer), .. } if self.is_of_gem(outer, name) => {
                    self.found.doubtful(name, Kind::Call, offset, CLASS_OF_GEM);
                }
                Target::Own { class, name, is_open, .. } => {
                    self.own(class.as_deref(), name, *is_open, offset);
                }
                Target::Of { class, name } => self.of_class(class, name, offset),
            }
        }
        self.judge_constants();
        self.decide();
        self.found
    }

    fn constant(&mut self, name: &'a str, is_root: bool, offset: usize) {
        if self.view.has_constant(name) || Names::get().constants.contains(name) {
            return self.found.exists();
        }
        if self.view.is_gem(name) || self.view.is_required(name) {
            return self.found.unknown(NOT_INSTALLED);
        }
        if OTHERS.contains(&name) {
            return self.found.unknown("constant of another Ruby");
        }
        // What others are asked of is mostly a gem that may be there or not.
        if is_root {
            return self.found.doubtful(name, Kind::Class, offset, CONSTANT_OF_GEM);
        }
        self.unexplained.push((name, offset));
    }

    /// A package that is missing may bring constants, and then brings several.
    fn judge_constants(&mut self) {
        let unexplained = std::mem::take(&mut self.unexplained);
        let names: BTreeSet<&str> = unexplained.iter().map(|(name, _)| *name).collect();
        let is_of_package = names.len() > FEW && self.requires_unknown();
        let near: Vec<String> = self.view.constants().map(str::to_owned).collect();
        for (name, offset) in unexplained {
            match is_of_package {
                true => self.found.doubtful(name, Kind::Class, offset, CONSTANT_OF_GEM),
                false => {
                    self.found.missing(name, Kind::Class, offset, near.iter().map(String::as_str));
                }
            }
        }
    }

    /// Whether a package that the file asks for is neither there nor declared.
    fn requires_unknown(&self) -> bool {
        self.used.references.iter().any(|it| match &it.target {
            Target::Feature(file) => self.found_feature(file).is_none(),
            _ => false,
        })
    }

    fn scoped(&mut self, scope: &str, name: &str, offset: usize) {
        if self.view.has_constant(name) || Names::get().constants.contains(name) {
            return self.found.exists();
        }
        if self.view.is_required(&format!("{scope}::{name}")) {
            return self.found.unknown(NOT_INSTALLED);
        }
        let (root, last) = ends(scope);
        if self.is_only_inside(scope, root) || self.is_foreign(scope) {
            return self.found.unknown(CONSTANT_OF_GEM);
        }
        // From the top a path leads into no module of the same name inside of another.
        let is_own = (!scope.starts_with("::") || self.is_opened_at_top(root))
            && self.view.is_own(root)
            && !self.view.classes(last).is_empty();
        if !is_own && !self.is_of_ruby(root, last) && !self.is_of_known_gem(root, last) {
            return self.found.unknown(CONSTANT_OF_GEM);
        }
        let near: Vec<String> = self.view.constants().map(str::to_owned).collect();
        self.found.missing(name, Kind::Class, offset, near.iter().map(String::as_str));
    }

    /// Whether a path starts at the top, where the workspace has no such constant.
    fn is_only_inside(&self, path: &str, root: &str) -> bool {
        path.starts_with("::")
            && !Names::get().constants.contains(root)
            && !self.is_opened_at_top(root)
    }

    /// Whether the workspace opens a class or module at the top.
    fn is_opened_at_top(&self, name: &str) -> bool {
        self.view.classes(name).iter().any(|class| class.indent == 0 && !class.is_inside)
    }

    /// Whether a name is only that of what stands around by its whole path: inside of
    /// `module Shop::Vendor` a `Vendor` is another one.
    fn is_hidden_inside(&self, name: &str) -> bool {
        let own = self.view.classes(name);
        !name.contains("::")
            && !own.is_empty()
            && own.iter().all(|class| class.is_inside)
            && self.view.opens(self.path, name)
    }

    /// Whether a class comes with a gem that is known whole, and none of it is made at run time.
    fn is_of_known_gem(&self, root: &str, last: &str) -> bool {
        let (openings, is_whole) = self.view.of_gems(last);
        let is_closed = openings.iter().all(|class| class.open.is_none());
        is_whole && is_closed && !openings.is_empty() && self.view.is_of_known_gem(root)
    }

    /// Whether a constant comes with Ruby, and gems do not put their own into it.
    fn is_of_ruby(&self, root: &str, last: &str) -> bool {
        const SHARED: [&str; 14] = [
            "Net", "Digest", "JSON", "CGI", "Test", "Minitest", "MiniTest", "Gem", "Bundler",
            "Rake", "RDoc", "IRB", "URI", "Psych",
        ];
        let known = &Names::get().constants;
        known.contains(root)
            && known.contains(last)
            && !SHARED.contains(&root)
            && !self.view.is_gem(root)
            && !self.view.has_constant(root)
    }

    fn is_method(&self, name: &str) -> bool {
        let known = &Names::get().methods;
        self.view.has_method(name)
            || known.contains(name)
            // What can be asked can mostly be set as well: `use_ssl?`, `use_ssl = true`.
            || known.contains(format!("{name}?").as_str())
    }

    fn own(&mut self, class: Option<&str>, name: &'a str, is_open: bool, offset: usize) {
        if self.is_method(name) || self.used.locals.contains(name) {
            return self.found.exists();
        }
        if is_open {
            return self.doubtful.push((name, offset, "block of unknown effect"));
        }
        if self.used.macros.iter().any(|symbol| name.contains(&**symbol)) {
            return self.found.doubtful(name, Kind::Call, offset, MADE);
        }
        let class = class.unwrap_or("Object");
        if self.is_mixin(class) {
            return match self.is_of_known_classes(class, name) {
                true => self.miss(name, Kind::Call, offset),
                false => self.found.doubtful(name, Kind::Call, offset, MIXIN),
            };
        }
        self.method_of(class, name, Kind::Call, offset);
    }

    /// Whether a method that nothing defines is asked for inside of a module of a gem.
    fn is_of_gem(&self, outer: &str, name: &str) -> bool {
        !self.is_method(name)
            && !self.used.locals.contains(name)
            && !self.view.is_own(outer)
            && self.view.is_gem(outer)
    }

    /// Whether a name is that of a module only, whose methods may call those of other classes.
    fn is_mixin(&self, class: &str) -> bool {
        let own = self.view.classes(class);
        let is_open = |opening: &&Class| {
            opening.is_module && !opening.ancestors.iter().any(|name| &**name == "self")
        };
        !own.is_empty() && own.iter().all(is_open)
    }

    /// Whether the workspace includes a module, and only in classes that are known whole.
    fn is_of_known_classes(&self, module: &str, name: &str) -> bool {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![module.to_owned()];
        while let Some(module) = waiting.pop() {
            if seen.len() > MOST_INCLUDED || !seen.insert(module.clone()) {
                continue;
            }
            let includers = self.view.includers(&module);
            if includers.is_empty() || self.openness(&module, name).is_some() {
                return false;
            }
            for includer in includers {
                if self.is_mixin(&includer) {
                    waiting.push(includer.into());
                } else if self.openness(&includer, name).is_some() {
                    return false;
                }
            }
        }
        seen.len() <= MOST_INCLUDED
    }

    /// A method that nothing defines, asked of a class.
    fn method_of(&mut self, class: &str, name: &'a str, kind: Kind, offset: usize) {
        match self.openness(class, name) {
            Some(reason @ MADE) => self.doubtful.push((name, offset, reason)),
            Some(reason @ (COMPUTED | CLASS_OF_GEM))
                if !languages::has(name) && !is_assertion(name) =>
            {
                self.found.doubtful(name, kind, offset, reason);
            }
            Some(reason) => self.found.unknown(reason),
            // Nobody invents the name of an assertion; where it comes from may be hidden.
            None if is_assertion(name) => self.found.unknown("method of a test package"),
            None if self.is_mixed_into() => {
                self.found.doubtful(name, kind, offset, CLASS_OF_GEM);
            }
            None => self.miss(name, kind, offset),
        }
    }

    /// Whether the file gives every object the methods of a module that is not known.
    fn is_mixed_into(&self) -> bool {
        self.view.included(self.path).iter().any(|module| self.is_foreign(module))
    }

    fn miss(&mut self, name: &str, kind: Kind, offset: usize) {
        let near: Vec<String> = self.view.methods().map(str::to_owned).collect();
        self.found.missing(name, kind, offset, near.iter().map(String::as_str));
    }

    fn of_class(&mut self, class: &str, name: &'a str, offset: usize) {
        if self.is_method(name) {
            return self.found.exists();
        }
        let (root, last) = ends(class);
        if self.is_only_inside(class, root) || self.is_hidden_inside(class) {
            return self.found.unknown(CLASS_OF_GEM);
        }
        let is_of_ruby = || {
            let known = &Names::get().constants;
            known.contains(last) && TOPS.split_whitespace().any(|top| top == root)
        };
        let is_known = self.view.is_own(root) && !self.view.classes(last).is_empty()
            || is_of_ruby()
            || self.is_of_known_gem(root, last);
        if !is_known {
            return self.found.unknown(CLASS_OF_GEM);
        }
        self.method_of(class, name, Kind::Member, offset);
    }

    /// Whether a path leads into something that the workspace does not define.
    fn is_foreign(&self, path: &str) -> bool {
        let path = path.trim_start_matches("::");
        path.split("::")
            .any(|part| !self.view.has_constant(part) && !Names::get().constants.contains(part))
    }

    /// Why a class may have methods that nobody can know; `None` when it has not.
    fn openness(&self, class: &str, name: &str) -> Option<&'static str> {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(class.to_owned(), false)];
        while let Some((class, is_base)) = waiting.pop() {
            let short = class.rsplit("::").next().unwrap_or(&class).to_owned();
            if !seen.insert(short.clone()) || class == "self" {
                // A base of the same last name in another place is another class.
                if is_base && self.is_foreign(&class) {
                    return Some(CLASS_OF_GEM);
                }
                continue;
            }
            if TESTS.contains(&class.as_str()) {
                if is_assertion(name) {
                    return Some("method of a test package");
                }
                continue;
            }
            if !short.starts_with(char::is_uppercase)
                || !short.chars().all(|c| c.is_alphanumeric() || c == '_')
            {
                return Some(COMPUTED);
            }
            let root = class.trim_start_matches("::").split("::").next().unwrap_or(&short);
            let mut own = self.view.classes(&short);
            // A module of that name is not what a class builds on.
            if is_base && !own.is_empty() && own.iter().all(|opening| opening.is_module) {
                return Some(CLASS_OF_GEM);
            }
            let known = &Names::get().constants;
            // Flat tables do not tell whose part a part is.
            let is_in_gem = class.contains("::") && self.view.is_gem(root);
            let is_of_ruby = !is_in_gem && known.contains(short.as_str()) && known.contains(root);
            if own.is_empty() && !is_of_ruby {
                let (of_gems, is_whole) = self.view.of_gems(&short);
                if !is_whole {
                    return Some(CLASS_OF_GEM);
                }
                own.extend(of_gems);
            }
            let is_gem = !self.view.has_constant(root) && !known.contains(root);
            if is_gem || own.is_empty() && !is_of_ruby {
                return Some(CLASS_OF_GEM);
            }
            for opening in own {
                if opening.open.is_some() {
                    return opening.open;
                }
                // A class that is called like its base builds on one of another place.
                let base = opening.ancestors.first().filter(|_| opening.has_base);
                if base.is_some_and(|base| base.contains("::") && ends(base).1 == short) {
                    return Some(CLASS_OF_GEM);
                }
                let is_base = |at: usize| at == 0 && opening.has_base;
                let ancestors = opening.ancestors.iter().enumerate();
                waiting.extend(ancestors.map(|(at, name)| (name.to_string(), is_base(at))));
            }
        }
        None
    }
}

fn is_assertion(name: &str) -> bool {
    ASSERTIONS.split_whitespace().any(|known| name == known)
}
