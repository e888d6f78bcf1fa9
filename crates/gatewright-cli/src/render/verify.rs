//! A verification of the ledger in words and as JSON.

use gatewright_engine::ledger::{
    Anchor, Checkpoint, Evidence, InclusionProof, Verdict, VerifyReport,
};
use gatewright_model::Digest;
use serde_json::{Value, json};

/// Whether something was changed.
pub fn is_bad(report: &VerifyReport) -> bool {
    matches!(report.verdict, Verdict::Bad { .. })
}

/// The report in a sentence or two.
pub fn to_text(report: &VerifyReport) -> String {
    let count = match report.receipts {
        1 => "1 receipt".to_owned(),
        many => format!("{many} receipts"),
    };
    match &report.verdict {
        Verdict::Ok => {
            format!("{count}, all as they were written ({})", evidence_words(report))
        }
        Verdict::Bad { seq: Some(seq), reason } => format!("receipt {seq} is bad: {reason}"),
        Verdict::Bad { seq: None, reason } => format!("the ledger is bad: {reason}"),
        Verdict::CannotTell { reason } => {
            format!(
                "{count}, sound as far as they go; whether some are missing: cannot tell; {reason}"
            )
        }
    }
}

fn evidence(report: &VerifyReport) -> String {
    match report.evidence {
        Evidence::None => "no outside evidence".to_owned(),
        Evidence::SecondCopy { size } => format!("second copy of the checkpoint, size {size}"),
        Evidence::OlderCheckpoint { size } => format!("grown from a checkpoint of size {size}"),
    }
}

fn evidence_words(report: &VerifyReport) -> String {
    match report.evidence {
        Evidence::None => "no checkpoint was asked".to_owned(),
        Evidence::SecondCopy { .. } => "the checkpoint agrees".to_owned(),
        Evidence::OlderCheckpoint { size } => format!("grown from your checkpoint of {size}"),
    }
}

/// The report for programs.
pub fn to_json(report: &VerifyReport) -> Value {
    let (verdict, seq, reason) = match &report.verdict {
        Verdict::Ok => ("ok", None, None),
        Verdict::Bad { seq, reason } => ("bad", *seq, Some(reason)),
        Verdict::CannotTell { reason } => ("cannot-tell", None, Some(reason)),
    };
    json!({
        "verdict": verdict,
        "first_bad": seq,
        "reason": reason,
        "receipts": report.receipts,
        "head": report.head,
        "evidence": evidence(report),
        "signatures_checked": report.signatures_checked,
    })
}

/// A checkpoint as a trailer for a commit message.
pub fn trailer(note: &str) -> String {
    Checkpoint::parse(note).map(|c| Anchor::from(&c).to_string()).unwrap_or_default()
}

/// An inclusion proof for programs: hashes in the form of every other digest.
pub fn proof_json(proof: &InclusionProof) -> Value {
    let digest = |hash: &[u8; 32]| Digest::from_bytes(*hash);
    json!({
        "seq": proof.seq,
        "size": proof.size,
        "leaf": digest(&proof.leaf),
        "path": proof.path.iter().map(digest).collect::<Vec<_>>(),
        "root": digest(&proof.root),
        "checkpoint": proof.checkpoint,
        "holds": proof.holds(),
    })
}
