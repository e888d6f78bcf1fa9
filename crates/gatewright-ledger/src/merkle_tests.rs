//! Tests of `merkle.rs`: the known values of the RFC 6962 test suite, and the
//! definitions of RFC 9162 written out naively.

use proptest::prelude::*;

use super::*;

/// The eight leaves of the well-known reference tree.
const LEAVES: [&str; 8] = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
];

/// Its roots at sizes 1 to 8.
const ROOTS: [&str; 8] = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

fn reference() -> Vec<Hash> {
    LEAVES.iter().map(|leaf| leaf_hash(&hex::decode(leaf).unwrap())).collect()
}

fn hashes(digits: &[&str]) -> Vec<Hash> {
    digits.iter().map(|hash| hex::decode(hash).unwrap().try_into().unwrap()).collect()
}

#[test]
fn has_the_known_roots() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(hex::encode(empty_root()), empty);
    assert_eq!(root_of(&[]), empty_root());
    let leaves = reference();
    for (size, root) in (1..).zip(ROOTS) {
        assert_eq!(hex::encode(root_of(&leaves[..size])), root, "size {size}");
    }
}

#[test]
fn has_the_known_inclusion_paths() {
    let leaves = reference();
    assert_eq!(inclusion_proof(&leaves[..1], 0).unwrap(), hashes(&[]));
    let first_of_eight = hashes(&[
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ]);
    assert_eq!(inclusion_proof(&leaves, 0).unwrap(), first_of_eight);
    let sixth_of_eight = hashes(&[
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]);
    assert_eq!(inclusion_proof(&leaves, 5).unwrap(), sixth_of_eight);
    let third_of_three =
        hashes(&["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]);
    assert_eq!(inclusion_proof(&leaves[..3], 2).unwrap(), third_of_three);
    assert_eq!(inclusion_proof(&leaves, 8), None);
}

#[test]
fn has_the_known_consistency_paths() {
    let leaves = reference();
    assert_eq!(consistency_proof(&leaves[..1], 1).unwrap(), hashes(&[]));
    let one_to_eight = hashes(&[
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ]);
    assert_eq!(consistency_proof(&leaves, 1).unwrap(), one_to_eight);
    let six_to_eight = hashes(&[
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]);
    assert_eq!(consistency_proof(&leaves, 6).unwrap(), six_to_eight);
    let two_to_five = hashes(&[
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ]);
    assert_eq!(consistency_proof(&leaves[..5], 2).unwrap(), two_to_five);
    assert_eq!(consistency_proof(&leaves, 0), None);
    assert_eq!(consistency_proof(&leaves, 9), None);
}

/// The definition of the tree hash, RFC 9162, 2.1.1.
fn naive_root(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => empty_root(),
        [leaf] => *leaf,
        _ => {
            let split = (leaves.len().next_power_of_two() / 2).max(1);
            node_hash(&naive_root(&leaves[..split]), &naive_root(&leaves[split..]))
        }
    }
}

fn leaves(count: usize) -> Vec<Hash> {
    (0..count).map(|number| leaf_hash(&number.to_le_bytes())).collect()
}

#[test]
fn every_proof_of_every_small_tree_holds_and_no_other() {
    for size in 1..=33_usize {
        let leaves = leaves(size);
        let root = naive_root(&leaves);
        assert_eq!(root_of(&leaves), root);
        for index in 0..size {
            let path = inclusion_proof(&leaves, index).unwrap();
            let holds = |leaf: &Hash, index: usize, size: usize, path: &[Hash]| {
                verify_inclusion(leaf, index as u64, size as u64, path, &root)
            };
            assert!(holds(&leaves[index], index, size, &path));
            assert!(
                !holds(&leaves[(index + 1) % size.max(2) % size], index, size, &path) || size == 1
            );
            assert!(!holds(&leaves[index], size, size, &path));
            assert!(!holds(&leaves[index], index, size, &[path.clone(), vec![root]].concat()));
            assert!(path.is_empty() || !holds(&leaves[index], index, size, &path[1..]));
        }
        for from in 1..=size {
            let old = naive_root(&leaves[..from]);
            let path = consistency_proof(&leaves, from).unwrap();
            let (first, second) = ((from as u64, &old), (size as u64, &root));
            assert!(verify_consistency(first, second, &path), "{from} to {size}");
            let other = leaf_hash(b"other");
            assert!(!verify_consistency((first.0, &other), second, &path));
            assert!(!verify_consistency(first, (second.0, &other), &path));
            assert!(!verify_consistency(first, second, &[path.clone(), vec![root]].concat()));
            assert!(path.is_empty() || !verify_consistency(first, second, &path[1..]));
        }
    }
}

#[test]
fn a_frontier_is_read_back_only_at_its_size() {
    let mut frontier = Frontier::default();
    for (size, leaf) in (1..=20).zip(leaves(20)) {
        frontier.push(leaf);
        let bytes = frontier.to_bytes();
        assert_eq!(Frontier::from_bytes(size, &bytes), Some(frontier.clone()));
        assert_eq!(Frontier::from_bytes(size, &bytes[1..]), None);
        assert_eq!(Frontier::from_bytes(size * 2 + 1, &bytes), None);
    }
}

proptest! {
    #[test]
    fn random_trees_agree_with_the_definition(count in 0_usize..300, index in any::<prop::sample::Index>()) {
        let leaves = leaves(count);
        let root = naive_root(&leaves);
        prop_assert_eq!(root_of(&leaves), root);
        if count > 0 {
            let index = index.index(count);
            let path = inclusion_proof(&leaves, index).unwrap();
            prop_assert!(verify_inclusion(&leaves[index], index as u64, count as u64, &path, &root));
            let old = naive_root(&leaves[..=index]);
            let path = consistency_proof(&leaves, index + 1).unwrap();
            prop_assert!(verify_consistency((index as u64 + 1, &old), (count as u64, &root), &path));
        }
    }
}
