//! The journal record: whole or not at all.

use gatewright_model::{Digest, RepoPath, RequestedPath};
use proptest::prelude::*;

use super::*;

fn record() -> Record {
    let spliced = Spliced { head: 1, tail: 2, middle: b"x".to_vec() };
    let state = RecordState {
        spliced: Some(spliced),
        packed: Some(b"y".to_vec()),
        ..RecordState::new(Digest::of(b"x"), 0o644, None)
    };
    Record {
        version: VERSION,
        transaction: TransactionId::new("t"),
        snapshot: "s000000000001-0000abcd".parse().unwrap(),
        files: vec![RecordFile {
            requested: RequestedPath::new("./a"),
            resolved: RepoPath::parse("a").unwrap(),
            before: None,
            after: Some(state),
            part: ".gatewright-1.part".to_owned(),
            side: ".gatewright-1".to_owned(),
        }],
        makes: Vec::new(),
        removes: Vec::new(),
        boot: None,
    }
}

#[test]
fn a_record_comes_back_as_it_was_written() {
    assert_eq!(Record::decode(&record().encode().unwrap()), Some(record()));
}

#[test]
fn no_part_of_a_record_passes_for_a_whole_one() {
    let bytes = record().encode().unwrap();
    for length in 0..bytes.len() {
        assert_eq!(Record::decode(&bytes[..length]), None, "{length} bytes");
    }
}

proptest! {
    #[test]
    fn no_changed_bit_goes_unnoticed(at in 0..1000_usize, bit in 0..8_u8) {
        let mut bytes = record().encode().unwrap();
        let at = at % bytes.len();
        bytes[at] ^= 1 << bit;
        prop_assert_ne!(Record::decode(&bytes), Some(record()));
    }
}

proptest! {
    #[test]
    fn what_is_spliced_comes_back(other in "[ab]{0,12}", bytes in "[ab]{0,12}") {
        let (other, bytes) = (other.as_bytes(), bytes.as_bytes());
        let (head, tail) = Spliced::shared(bytes, other);
        let middle = &bytes[head..bytes.len() - tail];
        let spliced = Spliced { head, tail, middle: Vec::new() };
        prop_assert_eq!(spliced.bytes(other, middle), Some(bytes.to_vec()));
        let longest = head.max(tail);
        let too_short = &other[..longest.saturating_sub(1)];
        prop_assert_eq!(spliced.bytes(too_short, middle).is_some(), longest == 0);
    }
}
