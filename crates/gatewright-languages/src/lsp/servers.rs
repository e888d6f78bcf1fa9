//! The servers of one workspace: found, started on demand, shared by all doors.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use super::catalogue::{SERVERS, ServerSpec, language_id, servers_for};
use super::desk::Desk;
use super::io;
use super::running::{Launch, Running, State};
use crate::syntax::LanguageId;

/// The longest pause before a server that keeps failing is started again.
const LONGEST_PAUSE: Duration = Duration::from_secs(120);

/// What the set is told at the start.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// The workspace.
    pub root: PathBuf,
    /// Where programs are looked for; empty for none at all.
    pub search_path: String,
    /// Where servers may keep their own data.
    pub data: PathBuf,
    /// The command that the user wants for a language, by its name in lower case.
    pub commands: BTreeMap<String, Vec<String>>,
    /// The program and its words that run a server as [`keep`](super::keeper::keep) does.
    pub keeper: Vec<OsString>,
    /// The languages, by name in lower case, whose servers may use the network.
    pub may_download: BTreeSet<String>,
    /// The memory at which a server is ended, in bytes.
    pub memory_limit: u64,
    /// How long a server may be idle.
    pub idle_limit: Duration,
}

impl ServerSettings {
    /// The usual settings for a workspace.
    pub fn new(root: PathBuf, data: PathBuf, search_path: String) -> Self {
        Self {
            root,
            search_path,
            data,
            commands: BTreeMap::new(),
            keeper: Vec::new(),
            may_download: BTreeSet::new(),
            memory_limit: 4 * 1024 * 1024 * 1024,
            idle_limit: Duration::from_secs(15 * 60),
        }
    }
}

/// Why there is no server to ask.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// None of them is here.
    #[error("no language server for {language} was found")]
    Missing {
        /// The language.
        language: &'static str,
        /// The best one.
        server: &'static str,
        /// How to get it.
        install: &'static str,
    },
    /// It failed and is left alone for a while.
    #[error("{server} failed ({reason}); it is tried again in {} s", wait.as_secs().max(1))]
    Failed {
        /// The server.
        server: &'static str,
        /// Why.
        reason: String,
        /// For how long.
        wait: Duration,
    },
}

/// A server as `doctor` lists it.
#[derive(Debug, Clone)]
pub struct ServerReport {
    /// The entry of the catalogue.
    pub spec: &'static ServerSpec,
    /// Where it is.
    pub path: Option<PathBuf>,
    /// Its version, where it tells.
    pub version: Option<String>,
    /// Why it cannot be used although it is there.
    pub complaint: Option<String>,
    /// How it is doing, if it runs.
    pub state: Option<State>,
    /// How the one that another process of this workspace keeps is doing, in words.
    pub state_afar: Option<String>,
}

/// A server that was found.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) spec: &'static ServerSpec,
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
}

#[derive(Default)]
struct Slot {
    running: Option<Arc<Running>>,
    failures: u32,
    not_before: Option<Instant>,
    reason: String,
}

/// The servers of one workspace.
pub struct LanguageServers {
    settings: ServerSettings,
    found: Mutex<BTreeMap<LanguageId, Option<Found>>>,
    slots: Mutex<BTreeMap<&'static str, Slot>>,
    /// Where another process of this workspace answers for its servers.
    pub(super) desk: OnceLock<Box<dyn Desk>>,
    pub(super) keeps_to_own: AtomicBool,
    /// How the servers of that process are doing, as it tells while we wait.
    afar: Mutex<BTreeMap<&'static str, State>>,
}

impl LanguageServers {
    /// Nothing is started.
    pub fn new(settings: ServerSettings) -> Self {
        Self {
            settings,
            found: Mutex::default(),
            slots: Mutex::default(),
            desk: OnceLock::new(),
            keeps_to_own: AtomicBool::new(false),
            afar: Mutex::default(),
        }
    }

    /// Where programs are looked for.
    pub fn search_path(&self) -> &str {
        &self.settings.search_path
    }

    /// The server of a language that would be asked.
    pub fn spec(&self, language: LanguageId) -> Result<&'static ServerSpec, Unavailable> {
        self.find(language).map(|found| found.spec)
    }

    /// The server of a language, started when it does not run.
    pub fn running(&self, language: LanguageId) -> Result<Arc<Running>, Unavailable> {
        let found = self.find(language)?;
        let server = found.spec.name;
        let mut slots = self.slots.lock().unwrap_or_else(|poison| poison.into_inner());
        let slot = slots.entry(server).or_default();
        slot.settle();
        if let Some(running) = &slot.running {
            return Ok(Arc::clone(running));
        }
        if let Some(wait) = slot.not_before.and_then(|at| at.checked_duration_since(io::now())) {
            return Err(Unavailable::Failed { server, reason: slot.reason.clone(), wait });
        }
        let running = Arc::new(Running::start(self.launch(&found)));
        slot.running = Some(Arc::clone(&running));
        Ok(running)
    }

    /// The server of a language if it runs and knows the project; nothing is started.
    pub fn warm(&self, language: LanguageId) -> Option<Arc<Running>> {
        let found = self.find(language).ok()?;
        let slots = self.slots.lock().unwrap_or_else(|poison| poison.into_inner());
        let running = slots.get(found.spec.name)?.running.clone()?;
        (running.state() == State::Ready).then_some(running)
    }

    /// The servers that were started and do not know the project yet.
    pub fn under_way(&self) -> Vec<(&'static str, State)> {
        let slots = self.slots.lock().unwrap_or_else(|poison| poison.into_inner());
        let states =
            slots.iter().filter_map(|(name, slot)| Some((*name, slot.running.as_ref()?.state())));
        let afar = self.afar.lock().unwrap_or_else(|poison| poison.into_inner());
        let states = states.chain(afar.iter().map(|(name, state)| (*name, state.clone())));
        states.filter(|(_, state)| matches!(state, State::Starting | State::Loading(_))).collect()
    }

    /// Keeps what a desk tells of a server.
    pub(super) fn set_afar(&self, name: &'static str, state: Option<State>) {
        let mut afar = self.afar.lock().unwrap_or_else(|poison| poison.into_inner());
        match state {
            Some(state) => afar.insert(name, state),
            None => afar.remove(name),
        };
    }

    /// Ends a server of our own once nobody here waits for it.
    pub(super) fn let_go(&self, name: &'static str) {
        self.slots.lock().unwrap_or_else(|poison| poison.into_inner()).remove(name);
    }

    /// Every server of the catalogue, with what is known of it here.
    pub fn report(&self) -> Vec<ServerReport> {
        let afar = self.desk.get().map(|desk| desk.states()).unwrap_or_default();
        let report = |spec: &'static ServerSpec| {
            let state_afar = afar.get(spec.name).cloned();
            ServerReport { state_afar, ..self.report_on(spec) }
        };
        SERVERS.iter().map(report).collect()
    }

    /// How the servers that were started here are doing; of one that failed, why.
    pub fn states(&self) -> BTreeMap<&'static str, State> {
        let slots = self.slots.lock().unwrap_or_else(|poison| poison.into_inner());
        let state = |slot: &Slot| match &slot.running {
            Some(running) => Some(running.state()),
            None => slot.not_before.map(|_| State::Failed(slot.reason.clone())),
        };
        slots.iter().filter_map(|(name, slot)| Some((*name, state(slot)?))).collect()
    }

    fn report_on(&self, spec: &'static ServerSpec) -> ServerReport {
        let path = self.program(spec.program);
        let version = path.as_ref().and_then(|path| self.version(path, spec));
        let complaint = path.as_ref().and_then(|_| complaint(spec, version.as_deref()));
        let state = self.states().remove(spec.name);
        ServerReport { spec, path, version, complaint, state, state_afar: None }
    }

    pub(super) fn find(&self, language: LanguageId) -> Result<Found, Unavailable> {
        let mut cache = self.found.lock().unwrap_or_else(|poison| poison.into_inner());
        let found = cache.entry(language).or_insert_with(|| self.search(language));
        found.clone().ok_or_else(|| {
            let best = servers_for(language).next();
            Unavailable::Missing {
                language: language.name(),
                server: best.map_or("a language server", |spec| spec.name),
                install: best.map_or("", ServerSpec::install_command),
            }
        })
    }

    fn search(&self, language: LanguageId) -> Option<Found> {
        if let Some(found) = self.configured(language) {
            return Some(found);
        }
        servers_for(language).find_map(|spec| {
            let program = self.program(spec.program)?;
            let version = spec.needs.and_then(|_| self.version(&program, spec));
            if spec.needs.is_some() && complaint(spec, version.as_deref()).is_some() {
                return None;
            }
            let arguments = spec.arguments.iter().map(|word| (*word).to_owned()).collect();
            Some(Found { spec, program, arguments })
        })
    }

    /// The command that the user set for a language. Its manners are those of its namesake.
    fn configured(&self, language: LanguageId) -> Option<Found> {
        let names =
            [language.name().to_lowercase(), super::catalogue::language_id(language).to_owned()];
        let command = names.iter().find_map(|name| self.settings.commands.get(name))?;
        let (program, arguments) = command.split_first()?;
        let name = program.rsplit('/').next().unwrap_or(program);
        let spec = servers_for(language)
            .find(|spec| spec.program == name || spec.name == name)
            .or_else(|| servers_for(language).last())?;
        let program = self.program(program)?;
        Some(Found { spec, program, arguments: arguments.to_vec() })
    }

    fn program(&self, name: &str) -> Option<PathBuf> {
        io::find_program(name, &self.settings.search_path, &self.settings.root)
    }

    fn version(&self, program: &std::path::Path, spec: &ServerSpec) -> Option<String> {
        if spec.version.is_empty() {
            return None;
        }
        io::version_of(program, spec.version, &self.settings.search_path)
    }

    fn launch(&self, found: &Found) -> Launch {
        let settings = &self.settings;
        let data = settings.data.join(found.spec.program);
        let fill = |word: &String| word.replace("{data}", &data.to_string_lossy());
        let may_download = self.may_download(found.spec);
        let offline = found.spec.environment.iter().filter(|_| !may_download);
        let mut environment: Vec<(String, String)> =
            offline.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        environment.push(("PATH".to_owned(), settings.search_path.clone()));
        Launch {
            spec: found.spec,
            program: found.program.clone(),
            arguments: found.arguments.iter().map(fill).collect(),
            environment,
            options: found.spec.options(|wanted| io::has_extension(&settings.root, wanted)),
            root: settings.root.clone(),
            data: Some(data),
            binder: self.binder(),
            memory_limit: settings.memory_limit,
            idle_limit: settings.idle_limit,
        }
    }
}

impl LanguageServers {
    /// Whether the user lets a server use the network.
    pub(super) fn may_download(&self, spec: &ServerSpec) -> bool {
        let allowed = &self.settings.may_download;
        let is_allowed = |language| names_of(language).iter().any(|name| allowed.contains(name));
        spec.languages.iter().any(|language| is_allowed(*language))
    }

    /// The words before a server's own that end it when we are killed: our keeper, which ends its
    /// children too, or a program that has the kernel end the server alone.
    fn binder(&self) -> Vec<OsString> {
        let keeper = &self.settings.keeper;
        let is_there = |program: &OsString| program.to_str().and_then(|name| self.program(name));
        if keeper.first().and_then(is_there).is_some() {
            return keeper.clone();
        }
        let Some(program) = self.program("setpriv") else { return Vec::new() };
        let words = ["--pdeathsig", "KILL", "--"].map(OsString::from);
        std::iter::once(program.into_os_string()).chain(words).collect()
    }
}

impl Slot {
    /// Lets go of a server that is over, and counts its failures.
    fn settle(&mut self) {
        let Some(state) = self.running.as_ref().map(|running| running.state()) else { return };
        match state {
            State::Ready => self.failures = 0,
            State::Failed(reason) => {
                self.running = None;
                self.failures += 1;
                self.reason = reason;
                self.not_before = Some(io::now() + pause_after(self.failures));
            }
            State::Stopped(_) => self.running = None,
            State::Starting | State::Loading(_) => {}
        }
    }
}

/// The names by which a user may know a language.
fn names_of(language: LanguageId) -> [String; 2] {
    [language.name().to_lowercase(), language_id(language).to_owned()]
}

/// One second, then twice as long each time.
fn pause_after(failures: u32) -> Duration {
    let doubled = 1_u64.checked_shl(failures.saturating_sub(1)).unwrap_or(u64::MAX);
    Duration::from_secs(doubled).min(LONGEST_PAUSE)
}

/// Why a program that is there cannot be used.
fn complaint(spec: &ServerSpec, version: Option<&str>) -> Option<String> {
    let needed = spec.needs?;
    let Some(version) = version else {
        return Some(format!("{} does not start; {}", spec.program, spec.install_command()));
    };
    let major: u32 = version.split('.').next()?.parse().ok()?;
    (major < needed).then(|| format!("version {version} is too old; {needed} or later is needed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_doubles_up_to_a_bound() {
        let pauses: Vec<u64> = [1, 2, 3, 8, 99].map(|count| pause_after(count).as_secs()).to_vec();
        assert_eq!(pauses, [1, 2, 4, 120, 120]);
    }

    #[test]
    fn an_old_or_hollow_program_is_told_apart() {
        let spec = servers_for(LanguageId::TypeScript).next().expect("a server");
        assert_eq!(complaint(spec, Some("7.0.2")), None);
        assert!(complaint(spec, Some("6.0.3")).is_some_and(|text| text.contains("too old")));
        assert!(complaint(spec, None).is_some_and(|text| text.contains("does not start")));
    }

    #[test]
    fn without_a_search_path_the_answer_names_what_to_install() {
        let settings = ServerSettings::new("/w".into(), "/d".into(), String::new());
        let refused = LanguageServers::new(settings).running(LanguageId::Go).err();
        let Some(Unavailable::Missing { server, install, .. }) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(server, "gopls");
        assert!(!install.is_empty());
    }
}
