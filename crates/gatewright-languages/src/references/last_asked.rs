//! The facts of the texts that were asked about last, bounded by their number and by the length
//! of those texts.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Facts of some type, by a number for what they were read from; those asked last stand last.
pub(super) struct LastAsked {
    entries: Mutex<VecDeque<Entry>>,
    most: usize,
    most_bytes: usize,
    /// What was pushed out, until there is time to take it apart.
    gone: Mutex<Vec<Entry>>,
}

/// How much of what was pushed out waits at most.
const MOST_GONE: usize = 8;

struct Entry {
    key: u128,
    /// How long the text is: what is held for it is some multiple of that.
    length: usize,
    facts: Arc<dyn Any + Send + Sync>,
}

impl LastAsked {
    /// Holds the facts of so many texts at most, which have so many bytes at most in all.
    pub(super) fn new(most: usize, most_bytes: usize) -> Self {
        Self { entries: Mutex::default(), most, most_bytes, gone: Mutex::default() }
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The facts of a key, which are then those that were asked last.
    pub(super) fn get<T: Send + Sync + 'static>(&self, key: u128) -> Option<Arc<T>> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let at = entries.iter().position(|entry| entry.key == key)?;
        let entry = entries.remove(at)?;
        let facts = Arc::clone(&entry.facts);
        entries.push_back(entry);
        facts.downcast::<T>().ok()
    }

    /// Adds facts of a text of that length; past a bound those go that were not asked for longest.
    pub(super) fn put<T: Send + Sync + 'static>(&self, key: u128, length: usize, facts: &Arc<T>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let facts = Arc::clone(facts) as Arc<dyn Any + Send + Sync>;
        entries.push_back(Entry { key, length, facts });
        let mut gone = Vec::new();
        let bytes =
            |entries: &VecDeque<Entry>| -> usize { entries.iter().map(|entry| entry.length).sum() };
        while entries.len() > self.most || (entries.len() > 1 && bytes(&entries) > self.most_bytes)
        {
            gone.extend(entries.pop_front());
        }
        drop(entries);
        let mut waiting = self.gone.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() + gone.len() <= MOST_GONE {
            waiting.append(&mut gone);
        }
    }

    /// Takes apart what was pushed out.
    pub(super) fn let_go(&self) {
        let gone = std::mem::take(&mut *self.gone.lock().unwrap_or_else(PoisonError::into_inner));
        drop(gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(last: &LastAsked) -> Vec<u128> {
        (0..20).filter(|key| last.get::<u128>(*key).is_some()).collect()
    }

    #[test]
    fn what_was_not_asked_longest_goes_first() {
        let last = LastAsked::new(3, 1000);
        (0..3).for_each(|key| last.put(key, 1, &Arc::new(key)));
        assert_eq!(last.get::<u128>(0).as_deref(), Some(&0));
        last.put(3, 1, &Arc::new(3_u128));
        assert_eq!(numbers(&last), [0, 2, 3]);
        assert!(last.get::<String>(3).is_none(), "of another type");
    }

    #[test]
    fn long_texts_push_out_others_and_never_themselves() {
        let last = LastAsked::new(10, 100);
        (0..4).for_each(|key| last.put(key, 40, &Arc::new(key)));
        assert_eq!(numbers(&last), [2, 3]);
        last.put(4, 500, &Arc::new(4_u128));
        assert_eq!(numbers(&last), [4]);
    }

    #[test]
    fn what_is_pushed_out_waits_until_there_is_time_and_never_for_long() {
        let last = LastAsked::new(1, 1000);
        let first = Arc::new(0_u128);
        last.put(0, 1, &first);
        last.put(1, 1, &Arc::new(1_u128));
        assert!(last.get::<u128>(0).is_none());
        assert_eq!(Arc::strong_count(&first), 2, "it waits");
        last.let_go();
        assert_eq!(Arc::strong_count(&first), 1);
        (2..100).for_each(|key| last.put(key, 1, &Arc::new(key)));
        assert_eq!(last.gone.lock().unwrap().len(), MOST_GONE);
    }
}
