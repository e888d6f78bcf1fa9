//! The Merkle tree of RFC 9162 (the hashing of RFC 6962), over SHA-256.
//!
//! A leaf is hashed as `0x00 ‖ bytes`, a node as `0x01 ‖ left ‖ right`. The
//! tree itself is never kept: appending needs only the [`Frontier`], the roots
//! of the complete subtrees, and proofs are made from the leaf hashes.

use sha2::{Digest as _, Sha256};

/// A hash of the tree.
pub type Hash = [u8; 32];

/// The hash of a leaf with these bytes.
pub fn leaf_hash(bytes: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(bytes).finalize().into()
}

/// The root of the tree without leaves.
pub fn empty_root() -> Hash {
    Sha256::digest([]).into()
}

fn node_hash(left: &Hash, right: &Hash) -> Hash {
    let mut bytes = [1; 65];
    bytes[1..33].copy_from_slice(left);
    bytes[33..].copy_from_slice(right);
    Sha256::digest(bytes).into()
}

/// The roots of the complete subtrees of a tree, the largest first.
///
/// There is one for each bit that is set in the size; that is all that
/// appending and the root need.
///
/// ```
/// use gatewright_ledger::{Frontier, leaf_hash, root_of};
/// let mut frontier = Frontier::default();
/// let leaves = [leaf_hash(b"a"), leaf_hash(b"b"), leaf_hash(b"c")];
/// leaves.iter().for_each(|leaf| frontier.push(*leaf));
/// assert_eq!(frontier.root(), root_of(&leaves));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frontier {
    size: u64,
    /// As many as `size` has bits set.
    roots: Vec<Hash>,
}

impl Frontier {
    /// Reads what [`Frontier::to_bytes`] wrote; `None` when it does not fit the size.
    pub fn from_bytes(size: u64, bytes: &[u8]) -> Option<Self> {
        let (roots, rest) = bytes.as_chunks::<32>();
        let fits = rest.is_empty() && roots.len() == size.count_ones() as usize;
        fits.then(|| Self { size, roots: roots.to_vec() })
    }

    /// The roots one after the other.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.roots.concat()
    }

    /// How many leaves the tree has.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Appends a leaf.
    pub fn push(&mut self, leaf: Hash) {
        let mut root = leaf;
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.roots.pop() {
                root = node_hash(&left, &root);
            }
        }
        self.roots.push(root);
        self.size += 1;
    }

    /// The root of the whole tree.
    pub fn root(&self) -> Hash {
        let mut roots = self.roots.iter().rev();
        let Some(last) = roots.next() else { return empty_root() };
        roots.fold(*last, |right, left| node_hash(left, &right))
    }
}

/// The root of the tree with these leaf hashes.
pub fn root_of(leaves: &[Hash]) -> Hash {
    let mut frontier = Frontier::default();
    leaves.iter().for_each(|leaf| frontier.push(*leaf));
    frontier.root()
}

/// The largest power of two below `size`, which must be at least 2.
fn split_point(size: usize) -> usize {
    1 << (usize::BITS - 1 - (size - 1).leading_zeros())
}

/// The inclusion proof of leaf `index` (RFC 9162, 2.1.3.1); `None` past the end.
pub fn inclusion_proof(leaves: &[Hash], index: usize) -> Option<Vec<Hash>> {
    if index >= leaves.len() {
        return None;
    }
    let mut path = Vec::new();
    let (mut leaves, mut index) = (leaves, index);
    while leaves.len() > 1 {
        let (left, right) = leaves.split_at(split_point(leaves.len()));
        if index < left.len() {
            path.push(root_of(right));
            leaves = left;
        } else {
            path.push(root_of(left));
            index -= left.len();
            leaves = right;
        }
    }
    path.reverse();
    Some(path)
}

/// The proof that the tree of the first `from` leaves is the beginning of the
/// whole (RFC 9162, 2.1.4.1); `None` when `from` is 0 or past the end.
pub fn consistency_proof(leaves: &[Hash], from: usize) -> Option<Vec<Hash>> {
    if from == 0 || from > leaves.len() {
        return None;
    }
    let mut path = Vec::new();
    let (mut leaves, mut from, mut whole) = (leaves, from, true);
    while from < leaves.len() {
        let (left, right) = leaves.split_at(split_point(leaves.len()));
        if from <= left.len() {
            path.push(root_of(right));
            leaves = left;
        } else {
            path.push(root_of(left));
            from -= left.len();
            leaves = right;
            whole = false;
        }
    }
    if !whole {
        path.push(root_of(leaves));
    }
    path.reverse();
    Some(path)
}

/// Checks an inclusion proof (RFC 9162, 2.1.3.2).
pub fn verify_inclusion(leaf: &Hash, index: u64, size: u64, path: &[Hash], root: &Hash) -> bool {
    if index >= size {
        return false;
    }
    let (mut node, mut last, mut hash) = (index, size - 1, *leaf);
    for sibling in path {
        if last == 0 {
            return false;
        }
        if node & 1 == 1 || node == last {
            hash = node_hash(sibling, &hash);
            while node & 1 == 0 && node != 0 {
                node >>= 1;
                last >>= 1;
            }
        } else {
            hash = node_hash(&hash, sibling);
        }
        node >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

/// Checks a consistency proof (RFC 9162, 2.1.4.2).
///
/// Each pair is a size and the root at that size. The same tree is consistent
/// with itself by an empty proof; nothing is proven of an empty tree.
pub fn verify_consistency(first: (u64, &Hash), second: (u64, &Hash), path: &[Hash]) -> bool {
    let ((first_size, first_root), (second_size, second_root)) = (first, second);
    if first_size == second_size {
        return path.is_empty() && first_root == second_root;
    }
    if first_size == 0 || first_size > second_size {
        return false;
    }
    let mut path = path.iter();
    let start = if first_size.is_power_of_two() { Some(first_root) } else { path.next() };
    let Some(start) = start else { return false };
    let (mut node, mut last) = (first_size - 1, second_size - 1);
    let shift = node.trailing_ones();
    node >>= shift;
    last >>= shift;
    let (mut old, mut new) = (*start, *start);
    for hash in path {
        if last == 0 {
            return false;
        }
        if node & 1 == 1 || node == last {
            old = node_hash(hash, &old);
            new = node_hash(hash, &new);
            while node & 1 == 0 && node != 0 {
                node >>= 1;
                last >>= 1;
            }
        } else {
            new = node_hash(&new, hash);
        }
        node >>= 1;
        last >>= 1;
    }
    last == 0 && old == *first_root && new == *second_root
}

#[cfg(test)]
#[path = "merkle_tests.rs"]
mod tests;
