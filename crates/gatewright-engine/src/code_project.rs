//! The source files of one language family, as a run sees them: on disk, with what it has staged.

use std::collections::BTreeMap;

use gatewright_languages::lsp::catalogue::servers_for;
use gatewright_languages::lsp::desk::{Reply as CodeReply, Request as CodeRequest};
use gatewright_languages::lsp::project::{Project, ProjectFile};
use gatewright_languages::syntax::{Encoding, LanguageId, decode, detect};
use gatewright_model::{Digest, RequestedPath};

use crate::{Engine, EngineError};

/// The largest file that takes part.
const LARGEST: u64 = 2 * 1024 * 1024;
/// A run that has staged nothing.
const NO_RUN: &str = "";
const MARK: &str = "\u{feff}";

/// A project with what is needed to write its files again.
#[derive(Debug, Default)]
pub(crate) struct CodeProject {
    /// The texts.
    pub project: Project,
    /// How each file is spelt on disk.
    spelling: BTreeMap<String, Spelling>,
    /// Whether there were more files than one walk visits.
    pub is_cut: bool,
}

#[derive(Debug, Clone, Copy)]
struct Spelling {
    digest: Digest,
    encoding: Encoding,
}

impl CodeProject {
    /// Takes a file in, unless it is no text.
    pub fn add(&mut self, path: &str, bytes: &[u8]) {
        let Some(language) = detect(path, bytes) else { return };
        let Ok((text, encoding)) = decode(bytes) else { return };
        let Ok(text) = std::str::from_utf8(&text) else { return };
        let text = text.strip_prefix(MARK).unwrap_or(text).into();
        self.project.files.insert(path.to_owned(), ProjectFile { language, text });
        let spelling = Spelling { digest: Digest::of(bytes), encoding };
        self.spelling.insert(path.to_owned(), spelling);
    }

    /// The bytes of a file with another text, and the digest of what is there.
    pub fn spell(&self, path: &str, text: &str) -> Option<(Vec<u8>, Digest)> {
        let spelling = self.spelling.get(path)?;
        let marked = match spelling.encoding {
            Encoding::Utf8Bom => format!("{MARK}{text}"),
            _ => text.to_owned(),
        };
        Some((spelling.encoding.encode(marked.as_bytes()), spelling.digest))
    }

    fn remove(&mut self, path: &str) {
        self.project.files.remove(path);
        self.spelling.remove(path);
    }
}

impl Engine {
    /// Answers a question of another process of this workspace with the servers of this one.
    pub fn answer_for_servers(&self, request: CodeRequest) -> CodeReply {
        let language = request.language;
        self.servers.answer(request, || {
            let disk = self.code_project(language, NO_RUN);
            disk.map(|files| files.project).unwrap_or_default()
        })
    }

    /// The files that the server of a language would know.
    pub(crate) fn code_project(
        &self,
        language: LanguageId,
        run_id: &str,
    ) -> Result<CodeProject, EngineError> {
        let family = servers_for(language).next().map_or(&[][..], |spec| spec.languages);
        let is_kin = |path: &str| detect(path, b"").is_some_and(|kin| family.contains(&kin));
        let mut project = CodeProject::default();
        let walked = self.sources_under("");
        project.is_cut = walked.is_cut;
        for file in walked.files().iter().filter(|file| file.size <= LARGEST && is_kin(&file.path))
        {
            let read = self.workspace.read(&RequestedPath::new(&file.path), LARGEST);
            if let Ok(Some(state)) = read {
                project.add(&file.path, &state.content);
            }
        }
        for (path, pending) in self.pending_of(run_id)? {
            let path = path.to_string();
            match pending.after {
                Some(state) if is_kin(&path) => project.add(&path, &state.content),
                Some(_) => {}
                None => project.remove(&path),
            }
        }
        Ok(project)
    }
}
