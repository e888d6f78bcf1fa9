//! Opening a workspace: configuration, confined files, ledger, recovery.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gatewright_guards::Policy;
use gatewright_languages::lsp::servers::{LanguageServers, ServerSettings};
use gatewright_ledger::{Ledger, Signer};
use gatewright_model::Autonomy;
use gatewright_workspace::{
    Durability, RecoveryReport, SnapshotLimits, Workspace, WorkspaceOptions,
};

use crate::allow::InForce;
use crate::config::{self, Config, ConfigTexts};
use crate::indexing::Indexing;
use crate::look_ahead::Ahead;
use crate::redaction::EgressGuard;
use crate::reference_witness::Unheard;
use crate::references::References;
use crate::source_list::SourceList;
use crate::symbol_index::SymbolIndex;
use crate::unguarded::Known;
use crate::{Clock, EngineError, Layout, SystemClock, UserDirs, io};

/// What the engine is told at the start.
pub struct EngineOptions {
    /// The workspace root, as the user named it.
    pub root: PathBuf,
    /// The user's directories.
    pub dirs: UserDirs,
    /// The user's name, for receipts.
    pub user: String,
    /// Whether writes are synced to disk. Anything but full is for benchmarks.
    pub durability: Durability,
    /// The running binary, which no agent may replace.
    pub binary: Option<PathBuf>,
    /// How long to wait for another writer.
    pub lock_timeout: Duration,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The variables of the environment, whose secret values must not go out.
    pub environment_secrets: Vec<(String, String)>,
    /// Python environments, or their `site-packages`, that the user works with.
    pub python_environments: Vec<PathBuf>,
    /// Where language servers are looked for, as in `PATH`; empty for none at all.
    pub server_path: String,
    /// The clock.
    pub clock: Box<dyn Clock>,
}

impl EngineOptions {
    /// The usual options.
    pub fn new(root: PathBuf, dirs: UserDirs, user: String) -> Self {
        Self {
            root,
            dirs,
            user,
            durability: Durability::Full,
            binary: None,
            lock_timeout: Duration::from_secs(10),
            home: None,
            environment_secrets: Vec::new(),
            python_environments: Vec::new(),
            server_path: String::new(),
            clock: Box::new(SystemClock),
        }
    }
}

/// The pipeline of one workspace. Every door holds one of these, or a share of one.
pub struct Engine {
    pub(crate) layout: Layout,
    pub(crate) config: Config,
    pub(crate) workspace: Workspace,
    pub(crate) ledger: Ledger,
    pub(crate) redactor: EgressGuard,
    /// The rules now; the user's list of allowed paths may change while things run.
    pub(crate) in_force: Mutex<InForce>,
    pub(crate) references: References,
    pub(crate) servers: LanguageServers,
    pub(crate) symbol_index: SymbolIndex,
    /// The source files, in a process that stays.
    pub(crate) source_list: SourceList,
    /// How many questions there were, so that what is done ahead of them gives way.
    pub(crate) questions: AtomicU64,
    /// The passes over many files that are under way.
    pub(crate) indexing: Indexing,
    /// Whether this process lives long enough for a server that is started to be of use.
    long_lived: AtomicBool,
    pub(crate) clock: Box<dyn Clock>,
    pub(crate) user: String,
    /// Staging reads what the run has staged before and replaces it: one at a time.
    pub(crate) staging: Mutex<()>,
    /// What the second witness of references has not been asked about yet.
    pub(crate) unheard: Mutex<Unheard>,
    /// What was read in advance.
    pub(crate) ahead: Ahead,
    /// How the tree was when it was looked at last.
    pub(crate) known: Mutex<Known>,
    recovered: Vec<String>,
}

const AUTONOMY: &str = "autonomy";
/// The command of the binary that runs [`gatewright_languages::lsp::keeper::keep`].
const KEEP_SERVER: &str = "keep-server";

impl Engine {
    /// Opens the workspace, refusing on any broken part, and mends what a crash left.
    pub fn open(options: EngineOptions) -> Result<Engine, EngineError> {
        let root = io::canonical_root(&options.root)?;
        let layout = Layout::new(&root, &options.dirs);
        let stamp = io::stamp(&layout.user_config);
        let texts = ConfigTexts {
            workspace: io::read_optional(&layout.workspace_config)?,
            user: io::read_optional(&layout.user_config)?,
        };
        let config = config::resolve(&texts, &root)?;
        io::make_private_directory(&layout.state)?;
        let workspace = open_workspace(&layout, &options)?;
        let signer = Signer::load_or_create(&layout.key)?;
        let durability = match options.durability {
            Durability::Full => gatewright_ledger::Durability::Full,
            Durability::None => gatewright_ledger::Durability::None,
        };
        let origin = format!("gatewright/{}", layout.workspace_id);
        let ledger = Ledger::open(&layout.database, &origin, signer, durability)?;
        let redactor = EgressGuard::new(&config, &workspace, &options)?;
        let policy = Policy { write: config.write.clone(), redactor: redactor.redactor().clone() };
        let mut settings = server_settings(&layout, &config, options.server_path);
        settings.keeper = keeper(options.binary);
        let servers = LanguageServers::new(settings);
        let mut engine = Engine {
            known: Mutex::new(Known::new(&layout)),
            references: References::new(options.python_environments, layout.references.clone()),
            layout,
            workspace,
            ledger,
            redactor,
            in_force: Mutex::new(InForce {
                stamp,
                config: Arc::new(config.clone()),
                policy: Arc::new(policy),
            }),
            config,
            servers,
            symbol_index: SymbolIndex::default(),
            source_list: SourceList::default(),
            questions: AtomicU64::new(0),
            indexing: Indexing::default(),
            ahead: Ahead::default(),
            long_lived: AtomicBool::new(false),
            clock: options.clock,
            user: options.user,
            staging: Mutex::new(()),
            unheard: Mutex::default(),
            recovered: Vec::new(),
        };
        engine.recovered = engine.recover()?;
        Ok(engine)
    }

    /// What recovery did at the start, a sentence each.
    pub fn recovered(&self) -> &[String] {
        &self.recovered
    }

    /// Where things live.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What was in force at the start; [`Engine::config_now`] has today's allowed paths.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The receipts.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The confined files.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The egress guard of this workspace.
    pub fn egress(&self) -> &EgressGuard {
        &self.redactor
    }

    /// The language servers of this workspace.
    pub fn language_servers(&self) -> &LanguageServers {
        &self.servers
    }

    /// Says that this process stays, so that language servers may be started ahead of need, and
    /// the kernel asked what changes.
    pub fn set_long_lived(&self) {
        self.references.watch();
        self.source_list.keep();
        self.long_lived.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_long_lived(&self) -> bool {
        self.long_lived.load(Ordering::Relaxed)
    }

    /// The autonomy in force: what a person set, and never laxer than the files say.
    pub fn autonomy(&self) -> Result<Autonomy, EngineError> {
        let chosen = match self.ledger.setting_get(AUTONOMY)? {
            Some(text) => serde_json::from_str(&text)
                .map_err(|error| EngineError::Bug { message: error.to_string() })?,
            None => Autonomy::default(),
        };
        Ok(self.config.autonomy_cap.stricter(chosen))
    }

    /// Sets the autonomy. The caller has made sure that a person asks.
    pub fn set_autonomy(&self, autonomy: Autonomy) -> Result<Autonomy, EngineError> {
        let text = serde_json::to_string(&autonomy)
            .map_err(|error| EngineError::Bug { message: error.to_string() })?;
        self.ledger.setting_set(AUTONOMY, &text)?;
        let in_force = self.autonomy()?;
        self.record_notice(&format!("autonomy set to {}", crate::recording::name_of(in_force)))?;
        Ok(in_force)
    }

    /// Mends what a crash of this or another process left.
    pub(crate) fn recover(&self) -> Result<Vec<String>, EngineError> {
        let report = self.workspace.recover(|transaction| {
            self.ledger.contains(transaction.as_str()).map_err(|error| error.to_string())
        })?;
        let sentences = recovery_sentences(&report);
        for sentence in &sentences {
            self.record_notice(sentence)?;
        }
        Ok(sentences)
    }
}

fn recovery_sentences(report: &RecoveryReport) -> Vec<String> {
    let finished = report.finished.iter().map(|id| format!("finished the committed write {id}"));
    let undone = report.rolled_back.iter().map(|id| format!("took back the unfinished write {id}"));
    let left = report
        .conflicts
        .iter()
        .map(|conflict| format!("left {} as it is, because it was changed since", conflict.path));
    finished.chain(undone).chain(left).collect()
}

fn server_settings(layout: &Layout, config: &Config, search_path: String) -> ServerSettings {
    let data = layout.state.join("language-servers");
    let mut settings = ServerSettings::new(layout.root.clone(), data, search_path);
    for (language, options) in &config.languages {
        let language = language.to_lowercase();
        if options.downloads {
            settings.may_download.insert(language.clone());
        }
        if !options.server.is_empty() {
            settings.commands.insert(language, options.server.clone());
        }
    }
    settings
}

/// The words with which our own binary keeps a language server.
fn keeper(binary: Option<PathBuf>) -> Vec<OsString> {
    let words = [KEEP_SERVER, "--"].map(OsString::from);
    let all = |binary: PathBuf| std::iter::once(binary.into_os_string()).chain(words).collect();
    binary.map(all).unwrap_or_default()
}

fn open_workspace(layout: &Layout, options: &EngineOptions) -> Result<Workspace, EngineError> {
    let mut own_paths = vec![
        options.dirs.state.clone(),
        options.dirs.config.clone(),
        layout.workspace_config.clone(),
    ];
    own_paths.extend(options.binary.clone());
    Ok(Workspace::open(WorkspaceOptions {
        root: layout.root.clone(),
        state_dir: layout.state.clone(),
        own_paths,
        durability: options.durability,
        snapshot_limits: SnapshotLimits::default(),
        lock_timeout: options.lock_timeout,
    })?)
}
