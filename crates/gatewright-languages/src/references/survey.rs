//! Taking of every file, ahead of all questions, what questions will need of it.
//!
//! Nothing here answers anything: a question takes by itself what was not taken
//! yet. What is taken follows from the bytes of one file alone, so that any
//! number of threads may share the files of a survey between them.

use std::cell::OnceCell;
use std::sync::Arc;

use super::base::Base;
use super::files::{Budget, Files, Source};
use super::index::{Content, Index};
use super::record::Keep;
use super::{NoDependencies, SourceTree, csharp, doubt, jvm, python, ruby};
use crate::syntax::{LanguageId, detect};

/// The files of a workspace as one look found them.
#[derive(Debug)]
pub struct Survey {
    files: Arc<Files>,
    asked: Vec<usize>,
}

impl Survey {
    /// Looks at all files; `None` when there are too many.
    pub fn of(tree: &dyn SourceTree, index: &Index) -> Option<Self> {
        let files = Base::new(tree, &NoDependencies, index).all_files()?;
        let is_asked = |number: &usize| doubt::is_telling(&files.paths()[*number]);
        let asked = (0..files.paths().len()).filter(is_asked).collect();
        Some(Self { files, asked })
    }

    /// How many of them questions are about.
    pub fn count(&self) -> usize {
        self.asked.len()
    }

    /// Takes of one of them what is not known yet; of a number past the end, nothing.
    pub fn take(&self, number: usize, tree: &dyn SourceTree, index: &Index) {
        let Some(path) = self.asked.get(number).and_then(|at| self.files.paths().get(*at)) else {
            return;
        };
        let Some(stamp) = self.files.stamp(path) else { return };
        let one = OneFile { path, stamp, index, tree, bytes: OnceCell::new() };
        let read = |_: &str| one.bytes();
        let (is_asked, budget) = (|_: &str| true, Budget::new(1));
        self.files.may_hold(
            path,
            "",
            &Source { index, read: &read, tree, is_asked: &is_asked, budget: &budget },
        );
        match detect(path, b"") {
            Some(LanguageId::Python) => python::take_ahead(&one),
            Some(LanguageId::Java | LanguageId::Kotlin) => jvm::take_ahead(&one),
            Some(LanguageId::CSharp) => csharp::take_ahead(&one),
            Some(LanguageId::Ruby) => ruby::take_ahead(&one),
            _ => {}
        }
    }
}

/// One file, read when it is first needed.
pub(super) struct OneFile<'a> {
    pub(super) path: &'a str,
    stamp: u128,
    index: &'a Index,
    tree: &'a dyn SourceTree,
    bytes: OnceCell<Option<Arc<[u8]>>>,
}

impl OneFile<'_> {
    fn bytes(&self) -> Option<Arc<[u8]>> {
        self.bytes.get_or_init(|| self.tree.read(self.path)).clone()
    }

    /// Takes something of the file.
    pub(super) fn kept<T: Keep>(&self, take: impl FnOnce(&[u8]) -> T) {
        self.index.kept(self.path, self.stamp, || Some(take(&self.bytes()?)));
    }

    /// Takes facts that follow from the bytes, wherever they stand.
    pub(super) fn lasting<T: Keep>(&self, salt: &str, build: impl FnOnce(&[u8]) -> T) {
        let content = self.index.kept(self.path, self.stamp, || Some(Content::of(&self.bytes()?)));
        if content.is_some_and(|content| self.index.lacks(salt, *content))
            && let Some(bytes) = self.bytes()
        {
            self.index.put(salt, &bytes, &build(&bytes));
        }
    }
}
