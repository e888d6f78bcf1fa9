//! Asking the servers of a workspace: those of the desk first, else one's own.
//!
//! An answer of the desk is worth what one's own server would be worth: it must
//! be about the very texts that are held here and lie inside of them, and what
//! comes of it is judged here. Anything else is as if nobody had been there.

use super::desk::{
    Desk, Doing, NoProject, Reply, Request, ServerIdentity, VERSION, basis, listed, project_of,
};
use super::project::Project;
use super::question::{Answer, Question, put};
use super::running::{Running, State};
use super::servers::{LanguageServers, Unavailable};
use crate::syntax::LanguageId;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// There is no server to ask.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The server does not know the project yet.
    #[error("the server does not know the project yet")]
    Cold {
        /// Whether it is on its way.
        is_starting: bool,
    },
    /// It was asked and gave none.
    #[error("{0}")]
    Failed(String),
}

impl LanguageServers {
    /// Has questions asked at a desk first. The first desk stays.
    pub fn ask_first(&self, desk: Box<dyn Desk>) {
        // A second one would be for the same workspace.
        let _ = self.desk.set(desk);
    }

    /// Asks nobody else from now on: this set is the one that others ask.
    pub fn keep_to_own(&self) {
        self.keeps_to_own.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// Asks the server of a language about these files.
    pub fn ask(
        &self,
        language: LanguageId,
        question: Question,
        project: Project,
    ) -> Result<Answer, NoAnswer> {
        if let Some(said) = self.ask_desk(language, &question, &project) {
            return said;
        }
        let running = if question.is_in_passing() {
            self.warm(language).ok_or(NoAnswer::Cold { is_starting: false })?
        } else {
            self.running(language)?
        };
        ask_running(&running, question, project).map_err(NoAnswer::Failed)
    }

    /// Whether a warm server may be there to ask in passing.
    pub fn may_be_warm(&self, language: LanguageId) -> bool {
        self.warm(language).is_some()
            || self.spec(language).is_ok() && self.open_desk().is_some_and(Desk::is_open)
    }

    fn open_desk(&self) -> Option<&dyn Desk> {
        let keeps_to_own = self.keeps_to_own.load(std::sync::atomic::Ordering::Relaxed);
        self.desk.get().filter(|_| !keeps_to_own).map(|desk| &**desk)
    }

    /// What the desk says; `None` where nobody is there or the reply is of no use.
    fn ask_desk(
        &self,
        language: LanguageId,
        question: &Question,
        project: &Project,
    ) -> Option<Result<Answer, NoAnswer>> {
        let desk = self.open_desk().filter(|desk| desk.is_open())?;
        let (name, server) = self.identity(language).ok()?;
        let mut request = Request {
            version: VERSION.to_owned(),
            server,
            language,
            question: question.clone(),
            files: listed(project, |_| question.is_in_passing()),
        };
        let mut hear = |doing: Option<Doing>| self.set_afar(name, doing.map(Doing::state));
        let limit = question.limits().altogether;
        let mut reply = desk.ask(&request, limit, &mut hear);
        if let Some(Reply::Wants(paths)) = &reply {
            request.files = listed(project, |path| paths.iter().any(|wanted| wanted == path));
            reply = desk.ask(&request, limit, &mut hear);
        }
        self.set_afar(name, None);
        let said = reply.and_then(|reply| self.weighed(reply, &request, project));
        if said.is_some() {
            // One set for the workspace: a server of our own that ran until now is not needed.
            self.let_go(name);
        }
        said
    }

    fn weighed(
        &self,
        reply: Reply,
        request: &Request,
        project: &Project,
    ) -> Option<Result<Answer, NoAnswer>> {
        match reply {
            Reply::Answered { basis: about, answer } => {
                let is_ours =
                    about == basis(&request.files) && answer.fits(&request.question, project);
                is_ours.then_some(Ok(answer))
            }
            Reply::Cold => Some(Err(NoAnswer::Cold { is_starting: true })),
            Reply::Failed(reason) => Some(Err(NoAnswer::Failed(reason))),
            Reply::Wants(_) | Reply::Elsewhere(_) => None,
        }
    }

    /// Answers a request of another process with the servers of this one.
    pub fn answer(&self, request: Request, disk: impl FnOnce() -> Project) -> Reply {
        if request.version != VERSION {
            return Reply::Elsewhere(format!("this is version {VERSION}"));
        }
        let language = request.language;
        match self.identity(language) {
            Ok((_, server)) if server == request.server => {}
            Ok((name, _)) => return Reply::Elsewhere(format!("the server here is {name}")),
            Err(unavailable) => return Reply::Elsewhere(unavailable.to_string()),
        }
        let basis = basis(&request.files);
        let project = match project_of(request.files, disk) {
            Ok(project) => project,
            Err(NoProject::Missing(paths)) => return Reply::Wants(paths),
            Err(NoProject::Wrong) => return Reply::Elsewhere("the list is wrong".to_owned()),
        };
        // What was written already is no reason to start a server.
        if matches!(request.question, Question::Buffers) && self.warm(language).is_none() {
            return Reply::Cold;
        }
        let running = match self.running(language) {
            Ok(running) => running,
            Err(unavailable) => return Reply::Failed(unavailable.to_string()),
        };
        if request.question.is_in_passing() && running.state() != State::Ready {
            return Reply::Cold;
        }
        match ask_running(&running, request.question, project) {
            Ok(answer) => Reply::Answered { basis, answer },
            Err(reason) => Reply::Failed(reason),
        }
    }

    /// The server that would be asked for a language, and how it is started.
    fn identity(
        &self,
        language: LanguageId,
    ) -> Result<(&'static str, ServerIdentity), Unavailable> {
        let found = self.find(language)?;
        let program = found.program.to_string_lossy().into_owned();
        let identity = ServerIdentity {
            name: found.spec.name.to_owned(),
            command: std::iter::once(program).chain(found.arguments.iter().cloned()).collect(),
            may_download: self.may_download(found.spec),
        };
        Ok((found.spec.name, identity))
    }
}

fn ask_running(running: &Running, question: Question, project: Project) -> Result<Answer, String> {
    let limit = question.limits().altogether;
    let answer = running.call(limit, move |client, told| put(client, told, &project, &question));
    answer.map_err(|error| error.to_string()).and_then(|answer| answer)
}
