//! Python: a change inside of one function, by an index that knows the file and by one that does
//! not.

use std::sync::Arc;

use gatewright_languages::references::{ChangedFile, Index, reference_facts};
use gatewright_languages::syntax::{LanguageId, Parsed};
use gatewright_model::ReferenceFacts;
use gatewright_testkit::{Random, cases, seed};

use crate::tree::Tree;

const PROJECT: &str = "\
--- shop/till.py
import json
from shop.coin import Coin, worth


RATE = 3


class Till:
    limit = 10

    def __init__(self, size=1):
        self.size = size
        self.coins = [Coin(1)]

    def count(self, rate=RATE):
        total = sum(coin.value for coin in self.coins)
        if total > self.limit:
            return json.dumps({'total': total})
        return worth(total) * rate

    @property
    def is_empty(self):
        def rest():
            return self.size - len(self.coins)
        return rest() == self.size


def opened(size):
    till = Till(size=size)
    till.count(rate=RATE)
    return till.is_empty
--- shop/coin.py
class Coin:
    def __init__(self, value):
        self.value = value


def worth(total):
    return total
--- shop/__init__.py
";
const FILE: &str = "shop/till.py";

/// What could stand in the place of a word.
const PIECES: &[&str] = &[
    "total",
    "totals",
    "self",
    "size",
    "sizes",
    "worth",
    "worht",
    "rate",
    "RATE",
    "json",
    "dumps",
    "Coin",
    "Coni(1)",
    "len",
    "1",
    "(2)",
    "x",
    "(lambda: rate)",
    "[one for one in coins]",
    "coins",
    "'a'",
    "till",
    "count",
    "is_empty",
    "#",
    "(",
];

fn facts(tree: &Tree, index: &Index, before: &str, after: &str) -> ReferenceFacts {
    let bytes = |text: &str| Some(Arc::from(text.as_bytes()));
    let (before, after) = (bytes(before), bytes(after));
    let change = ChangedFile { path: FILE.to_owned(), before, after };
    reference_facts(&[change], tree, tree, index).remove(0)
}

fn file() -> String {
    let (_, rest) = PROJECT.split_once('\n').unwrap();
    rest.split("--- ").next().unwrap().to_owned()
}

/// Facts by an index that has seen the file as it was, whose parse is at hand.
fn known(tree: &Tree, before: &str, after: &str) -> ReferenceFacts {
    let index = Index::new();
    facts(tree, &index, before, before);
    Parsed::new(LanguageId::Python, before.as_bytes()).unwrap();
    facts(tree, &index, before, after)
}

/// Only the parses of files of some length are kept.
fn long(text: &str) -> String {
    format!("{text}{}", "# A comment that says nothing.\n".repeat(80))
}

#[test]
fn what_a_function_alone_refers_to_is_looked_up_alone() {
    let tree = Tree::new(PROJECT);
    let before = long(&file());
    let after = before.replace("return worth(total) * rate", "return worth(total) + rate");
    let whole = facts(&tree, &Index::new(), &before, &after);
    // The parses that other tests ask for may push out that of the file.
    let alone = (0..50).map(|_| known(&tree, &before, &after)).min_by_key(|facts| facts.checked);
    let alone = alone.unwrap();
    assert_eq!((&whole.missing, whole.complete), (&alone.missing, alone.complete));
    assert!((1..whole.checked).contains(&alone.checked), "{} {}", alone.checked, whole.checked);
    let seen = [("RATE = 3", "RATES = 3"), ("size=1", "sizes=1"), ("self.coins =", "self.coin =")];
    for (old, new) in seen {
        let after = before.replacen(old, new, 1);
        let whole = facts(&tree, &Index::new(), &before, &after);
        assert_eq!(whole, known(&tree, &before, &after), "what others see changes: {new}");
    }
}

/// A text with another piece in the place of one word.
fn changed(text: &str, random: &mut Random) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let starts =
        text.char_indices().filter(|(at, c)| is_part(*c) && !text[..*at].ends_with(is_part));
    let starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    let start = starts[random.below(starts.len())];
    let length = text[start..].find(|c| !is_part(c)).unwrap_or(text.len() - start);
    let piece = PIECES[random.below(PIECES.len())];
    format!("{}{piece}{}", &text[..start], &text[start + length..])
}

#[test]
fn what_is_missing_does_not_depend_on_what_is_known() {
    let (tree, mut random) = (Tree::new(PROJECT), Random::new(seed()));
    let (cases, mut alone) = (cases(100), 0);
    for _ in 0..cases {
        let (index, mut before) = (Index::new(), file());
        if random.one_in(3) {
            before = changed(&before, &mut random);
        }
        facts(&tree, &index, &long(&before), &long(&before));
        // One edit after the other, each known by the one before.
        for _ in 0..3 {
            let after = changed(&before, &mut random);
            Parsed::new(LanguageId::Python, long(&before).as_bytes()).unwrap();
            let now = facts(&tree, &index, &long(&before), &long(&after));
            let whole = facts(&tree, &Index::new(), &long(&before), &long(&after));
            assert_eq!((&whole.missing, whole.complete), (&now.missing, now.complete), "{after}");
            alone += u64::from(now.checked < whole.checked);
            before = after;
        }
    }
    assert!(alone * 10 > cases, "{alone} of {cases} times three were looked up alone");
}
