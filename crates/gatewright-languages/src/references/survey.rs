//! Taking of every file, ahead of all questions, what questions will need of it.
//!
//! Nothing here answers anything: a question takes by itself what was not taken
//! yet. What is taken follows from the bytes of one file alone, so that any
//! number of threads may share the files of a survey between them.

use std::cell::OnceCell;
use std::sync::Arc;

use super::base::Base;
use super::files::{Budget, Files, ReadFile, Source};
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

    /// The path of one of them.
    pub fn path(&self, number: usize) -> Option<&str> {
        self.asked.get(number).and_then(|at| self.files.paths().get(*at)).map(String::as_str)
    }

    /// Takes of one of them what is not known yet; of a number past the end, nothing.
    pub fn take(&self, number: usize, tree: &dyn SourceTree, index: &Index) {
        let Some(one) = self.one(number, tree, index) else { return };
        self.take_words_of(&one);
        match detect(one.path, b"") {
            Some(LanguageId::Python) => python::take_ahead(&one),
            Some(LanguageId::Java | LanguageId::Kotlin) => jvm::take_ahead(&one),
            Some(LanguageId::CSharp) => csharp::take_ahead(&one),
            Some(LanguageId::Ruby) => ruby::take_ahead(&one),
            _ => {}
        }
    }

    /// The same without what has to be parsed: with the words of every file any question about
    /// the whole workspace can be answered, and what is asked of single files is parsed then.
    pub fn take_words(&self, number: usize, tree: &dyn SourceTree, index: &Index) {
        if let Some(one) = self.one(number, tree, index) {
            self.take_words_of(&one);
        }
    }

    fn one<'a>(
        &'a self,
        number: usize,
        tree: &'a dyn SourceTree,
        index: &'a Index,
    ) -> Option<OneFile<'a>> {
        let path = self.path(number)?;
        let stamp = self.files.stamp(path)?;
        Some(OneFile { path, stamp, index, tree, bytes: OnceCell::new() })
    }

    fn take_words_of(&self, one: &OneFile<'_>) {
        let read = |_: &str| one.bytes();
        let (is_asked, budget) = (|_: &str| true, Budget::new(1));
        let (index, tree) = (one.index, one.tree);
        let look_through: Option<ReadFile<'_>> = Some(&read);
        let (read, is_asked, budget) = (&read, &is_asked, &budget);
        let source = Source { index, read, look_through, tree, is_asked, budget };
        self.files.may_hold(one.path, "", &source);
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
        let number = || Some(Content::of(&self.bytes()?));
        let content = self.index.content_of(self.path, self.stamp, number);
        if let Some(content) = content.filter(|content| self.index.lacks(salt, *content))
            && let Some(bytes) = self.bytes()
        {
            self.index.put(salt, content, &build(&bytes));
        }
    }
}
