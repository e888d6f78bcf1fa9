//! The parses of the texts that were looked at last.
//!
//! One change is looked at by several: the symbol edit that plans it, the
//! structural gate, the look for references, and the next question about the
//! file. Each asks for a parse of its own; here they find that of the one
//! before. What was asked for twice stays longer, so that a walk through many
//! files does not push out the one that is being edited.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::language::LanguageId;
use super::parsed::Parsed;

/// Texts below this are parsed again in no time.
const SHORTEST: usize = 2_000;
/// How many texts are kept that were asked for once, and more than once.
const ONCE: usize = 4;
const AGAIN: usize = 4;
/// How many bytes of text are kept in all; a tree takes many times that.
const MOST_BYTES: usize = 400_000;

static RECENT: Mutex<Recent> = Mutex::new(Recent::new());

/// The parse of exactly this text, where it is known.
pub(super) fn find(language: LanguageId, source: &[u8]) -> Option<Parsed> {
    if !is_kept(source) {
        return None;
    }
    RECENT.lock().unwrap_or_else(PoisonError::into_inner).find(language, source)
}

/// Keeps a parse for whoever asks for the same text next.
pub(super) fn keep(parsed: &Parsed) {
    if is_kept(parsed.source()) {
        RECENT.lock().unwrap_or_else(PoisonError::into_inner).keep(parsed.clone());
    }
}

fn is_kept(source: &[u8]) -> bool {
    (SHORTEST..=MOST_BYTES).contains(&source.len())
}

/// Newest last.
struct Recent {
    once: VecDeque<Parsed>,
    again: VecDeque<Parsed>,
}

impl Recent {
    const fn new() -> Self {
        Self { once: VecDeque::new(), again: VecDeque::new() }
    }

    fn find(&mut self, language: LanguageId, source: &[u8]) -> Option<Parsed> {
        let is_it = |kept: &Parsed| kept.language() == language && kept.source() == source;
        let from = |list: &mut VecDeque<Parsed>| list.remove(list.iter().position(is_it)?);
        let found = from(&mut self.again).or_else(|| from(&mut self.once))?;
        self.again.push_back(found.clone());
        self.bound();
        Some(found)
    }

    fn keep(&mut self, parsed: Parsed) {
        if self.find(parsed.language(), parsed.source()).is_none() {
            self.once.push_back(parsed);
            self.bound();
        }
    }

    /// Lets go of the oldest, those that were asked for once first; never of the newest one, which
    /// is about to be asked for.
    fn bound(&mut self) {
        if self.again.len() > AGAIN {
            self.once.extend(self.again.pop_front());
        }
        while self.once.len() > ONCE {
            self.once.pop_front();
        }
        while self.bytes() > MOST_BYTES && self.once.len() + self.again.len() > 1 {
            let is_newest_alone = self.once.len() == 1 && !self.again.is_empty();
            let oldest = if is_newest_alone { &mut self.again } else { &mut self.once };
            if oldest.pop_front().is_none() {
                self.again.pop_front();
            }
        }
    }

    fn bytes(&self) -> usize {
        self.once.iter().chain(&self.again).map(|kept| kept.source().len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: usize, length: usize) -> Vec<u8> {
        format!("x{number} = 1\n").repeat(length / 8).into_bytes()
    }

    fn parsed(number: usize, length: usize) -> Parsed {
        Parsed::new(LanguageId::Python, &text(number, length)).expect("a parse")
    }

    #[test]
    fn only_the_very_text_in_the_very_language_is_found() {
        let mut recent = Recent::new();
        recent.keep(parsed(1, 3000));
        assert!(recent.find(LanguageId::Python, &text(1, 3000)).is_some());
        assert!(recent.find(LanguageId::Ruby, &text(1, 3000)).is_none());
        assert!(recent.find(LanguageId::Python, &text(2, 3000)).is_none());
    }

    #[test]
    fn an_edit_that_is_taken_back_is_not_parsed_again() {
        let span = gatewright_model::Span::new(0, 2);
        let is_known = |_| {
            let first = parsed(7, 3000);
            let other = first.edited(span, b"yy").expect("a parse");
            assert_ne!(other.source(), first.source());
            let back = other.edited(span, b"x7").expect("a parse");
            assert_eq!(back.source(), first.source());
            std::ptr::eq(back.source(), first.source())
        };
        // Other tests may push it out in between.
        assert!((0..50).any(is_known), "it is the very same");
    }

    #[test]
    fn a_walk_through_many_files_does_not_push_out_what_is_asked_for_again() {
        let mut recent = Recent::new();
        recent.keep(parsed(0, 3000));
        assert!(recent.find(LanguageId::Python, &text(0, 3000)).is_some());
        (1..100).for_each(|number| recent.keep(parsed(number, 3000)));
        assert!(recent.find(LanguageId::Python, &text(0, 3000)).is_some());
        assert!(recent.find(LanguageId::Python, &text(50, 3000)).is_none());
        assert!(recent.once.len() <= ONCE && recent.again.len() <= AGAIN);
    }

    #[test]
    fn the_newest_version_of_a_large_text_is_found_however_often_others_were_asked_for() {
        let mut recent = Recent::new();
        for number in 0..9 {
            let length = MOST_BYTES / 4;
            recent.keep(parsed(number, length));
            for _ in 0..3 {
                assert!(recent.find(LanguageId::Python, &text(number, length)).is_some());
            }
            assert!(recent.bytes() <= MOST_BYTES);
        }
    }

    #[test]
    fn large_texts_push_out_others_and_never_the_last_one() {
        let mut recent = Recent::new();
        for number in 0..4 {
            recent.keep(parsed(number, MOST_BYTES / 2 - 100));
        }
        assert_eq!(recent.once.len(), 2);
        assert!(recent.bytes() <= MOST_BYTES);
        assert!(recent.find(LanguageId::Python, &text(3, MOST_BYTES / 2 - 100)).is_some());
    }
}
