//! Measures appending, verifying and proving on a ledger of generated receipts.
//!
//! `cargo run --release -p gatewright-ledger --example verify_speed -- 1000000 [folder]`
//!
//! With a folder the ledger is kept there and used again. The processor time is
//! printed beside the clock's, so that a busy machine does not blur the result.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a measurement reads the clock and stops at the first error"
)]

#[path = "../tests/sample/mod.rs"]
mod sample;

use std::path::{Path, PathBuf};
use std::time::Instant;

use gatewright_ledger::{Durability, Ledger, Signer, VerifyOptions};
use gatewright_model::ReceiptBody;
use sample::{Folder, ORIGIN, body};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().map_or(100_000, |text| text.parse().unwrap());
    let kept = arguments.next().map(PathBuf::from);
    let folder = Folder::new();
    append_singly("without fsync", &folder.open(), 0..1_000);
    let own = Folder::new();
    let ledger = open(kept.as_deref().unwrap_or(own.path()));
    fill(&ledger, count);
    let mut size = 0;
    ledger.export_jsonl(&mut Counter(&mut size)).unwrap();
    println!("size         {} bytes per receipt", size / count);
    for _ in 0..3 {
        let report = timed("verify", || ledger.verify(VerifyOptions::default()).unwrap());
        println!("             {} receipts, {:?}", report.receipts, report.verdict);
    }
    let proof = timed("prove", || ledger.prove(count / 2).unwrap());
    println!("             {} bytes", proof.path.len() * 32);
}

/// Counts what is written.
struct Counter<'a>(&'a mut u64);

impl std::io::Write for Counter<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        *self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn open(folder: &Path) -> Ledger {
    let signer = Signer::load_or_create(&folder.join("key")).unwrap();
    Ledger::open(&folder.join("ledger.db"), ORIGIN, signer, Durability::Full).unwrap()
}

fn fill(ledger: &Ledger, count: u64) {
    let have = ledger.len().unwrap();
    if have >= count {
        return;
    }
    let single = count.min(have + 1_000);
    append_singly("with fsync", ledger, have..single);
    timed("append_many", || {
        for from in (single..count).step_by(50_000) {
            ledger.append_many((from..count.min(from + 50_000)).map(small)).unwrap();
        }
    });
}

/// A receipt of one file, without its hunks.
fn small(number: u64) -> ReceiptBody {
    ReceiptBody { diffs: vec![], note: None, ..body(number) }
}

fn append_singly(name: &str, ledger: &Ledger, numbers: std::ops::Range<u64>) {
    let mut times: Vec<f64> = numbers
        .map(|number| {
            let start = Instant::now();
            ledger.append(small(number)).unwrap();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    println!("append       p50 {:.3} ms, p99 {:.3} ms, {name}", at(50), at(99));
}

fn timed<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let (start, busy) = (Instant::now(), processor_seconds());
    let result = work();
    let busy = processor_seconds() - busy;
    println!("{name:<12} {:.3} s, {busy:.3} s of processor", start.elapsed().as_secs_f64());
    result
}

/// What this thread has used so far; Linux tells.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e9
}
