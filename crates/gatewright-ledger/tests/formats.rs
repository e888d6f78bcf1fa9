//! The formats that other tools read: signed notes, verifier keys, DSSE.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sample;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{Signature, VerifyingKey};
use gatewright_ledger::{
    Checkpoint, CheckpointError, PAYLOAD_TYPE, PREDICATE_TYPE, PublicKey, Signer, canonical,
    empty_root, is_canonical,
};
use sample::{Folder, ORIGIN, body};
use serde_json::{Value, json};

#[test]
fn a_published_verifier_key_is_read_and_written_alike() {
    // The example key of Go's note package.
    let text = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    let (origin, key) = PublicKey::parse_verifier_key(text).unwrap();
    assert_eq!(origin, "PeterNeumann");
    assert_eq!(key.verifier_key(&origin), text);
    let damaged = text.replace("c74f20a3", "c74f20a4");
    assert_eq!(PublicKey::parse_verifier_key(&damaged), None);
}

#[test]
fn a_checkpoint_is_a_signed_note() {
    let signer = Signer::from_seed(&[7; 32]);
    let key = signer.public_key();
    let checkpoint = Checkpoint { origin: ORIGIN.into(), size: 0, root: empty_root() };
    let text = checkpoint.sign(&signer);
    let lines: Vec<&str> = text.split('\n').collect();
    let root = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    assert_eq!(lines[..4], [ORIGIN, "0", root, ""]);
    let signature = lines[4].strip_prefix(&format!("\u{2014} {ORIGIN} ")).unwrap();
    let signature = BASE64_STANDARD.decode(signature).unwrap();
    let body = format!("{ORIGIN}\n0\n{root}\n");
    let signature = Signature::from_slice(&signature[4..]).unwrap();
    let verifying = VerifyingKey::from_bytes(&key.to_bytes()).unwrap();
    verifying.verify_strict(body.as_bytes(), &signature).unwrap();
    assert_eq!(Checkpoint::verify(&text, ORIGIN, &key), Ok(checkpoint));
}

#[test]
fn a_checkpoint_of_another_ledger_or_key_is_refused() {
    let signer = Signer::from_seed(&[7; 32]);
    let key = signer.public_key();
    let text = Checkpoint { origin: ORIGIN.into(), size: 3, root: [1; 32] }.sign(&signer);
    let other_key = Signer::from_seed(&[8; 32]).public_key();
    assert_eq!(Checkpoint::verify(&text, ORIGIN, &other_key), Err(CheckpointError::OtherKey));
    let other = Checkpoint::verify(&text, "elsewhere", &key);
    assert!(matches!(other, Err(CheckpointError::OtherOrigin { .. })), "{other:?}");
    let grown = text.replacen("\n3\n", "\n4\n", 1);
    assert_eq!(Checkpoint::verify(&grown, ORIGIN, &key), Err(CheckpointError::BadSignature));
    for malformed in ["", "\n\n", &text.replacen("\n3\n", "\n03\n", 1), &text[..text.len() - 1]] {
        let found = Checkpoint::verify(malformed, ORIGIN, &key);
        assert_eq!(found, Err(CheckpointError::Malformed), "{malformed:?}");
    }
}

#[test]
fn the_jsonl_export_is_canonical_line_by_line() {
    let ledger = Folder::new();
    let ledger = ledger.open();
    ledger.append_many((0..5).map(body)).unwrap();
    let mut out = Vec::new();
    ledger.export_jsonl(&mut out).unwrap();
    let lines: Vec<&[u8]> = out.split(|&byte| byte == b'\n').collect();
    assert_eq!((lines.len(), lines[5]), (6, b"".as_slice()));
    for (seq, line) in (0..).zip(&lines[..5]) {
        assert!(is_canonical(line));
        assert_eq!(*line, canonical(&ledger.get(seq).unwrap().unwrap()).unwrap());
    }
}

#[test]
fn the_dsse_export_holds_signed_statements_about_the_files() {
    let folder = Folder::new();
    let ledger = folder.open();
    ledger.append_many((0..2).map(body)).unwrap();
    let mut out = Vec::new();
    ledger.export_dsse(&mut out).unwrap();
    let key = VerifyingKey::from_bytes(&ledger.signer().public_key().to_bytes()).unwrap();
    let statements: Vec<Value> = out
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| statement_of(&serde_json::from_slice(line).unwrap(), &key))
        .collect();
    let (refused, applied) = (ledger.get(0).unwrap().unwrap(), ledger.get(1).unwrap().unwrap());
    let digest = |hash: gatewright_model::Digest| hex::encode(hash.as_bytes());
    let of_receipt = json!([{
        "name": "receipt:receipt-000000", "digest": {"sha256": digest(refused.self_hash)},
    }]);
    let of_file = json!([{
        "name": "src/file1.rs",
        "digest": {"sha256": digest(applied.body.files[0].after_hash.unwrap())},
    }]);
    assert_eq!(statements[0]["subject"], of_receipt);
    assert_eq!(statements[1]["subject"], of_file);
    assert_eq!(statements[1]["predicateType"], PREDICATE_TYPE);
    assert_eq!(statements[1]["predicate"], serde_json::to_value(&applied).unwrap());
}

/// The payload of an envelope whose signature fits.
fn statement_of(envelope: &Value, key: &VerifyingKey) -> Value {
    let bytes = |value: &Value| BASE64_STANDARD.decode(value.as_str().unwrap()).unwrap();
    assert_eq!(envelope["payloadType"], PAYLOAD_TYPE);
    let payload = bytes(&envelope["payload"]);
    let head = format!("DSSEv1 {} {PAYLOAD_TYPE} {} ", PAYLOAD_TYPE.len(), payload.len());
    let signature = Signature::from_slice(&bytes(&envelope["signatures"][0]["sig"])).unwrap();
    key.verify_strict(&[head.as_bytes(), &payload].concat(), &signature).unwrap();
    serde_json::from_slice(&payload).unwrap()
}
