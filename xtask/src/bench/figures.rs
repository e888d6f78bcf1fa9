//! Times of repeated calls: percentiles, ratios, a table, JSON.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

/// The times of one thing done again and again by one program.
#[derive(Debug, Clone)]
pub struct Series {
    /// What was done.
    pub task: String,
    /// Who did it.
    pub program: String,
    /// How long each repetition took.
    pub times: Vec<Duration>,
    /// The most memory that the program had resident, where it is known.
    pub peak_kib: Option<u64>,
}

impl Series {
    /// The time that `percent` of the repetitions stayed within (nearest rank).
    pub fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.times.clone();
        sorted.sort();
        let rank = (sorted.len() * percent).div_ceil(100).max(1);
        sorted.get(rank - 1).copied().unwrap_or_default()
    }
}

/// Series beside each other. Within a task the first series is the peer.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The rows.
    pub rows: Vec<Series>,
    /// What a reader must know to judge them.
    pub remarks: Vec<String>,
}

impl Table {
    /// How the p50 of a row compares with that of its task's first row.
    fn ratio(&self, row: &Series) -> Option<f64> {
        let peer = self.rows.iter().find(|other| other.task == row.task)?;
        let base = peer.percentile(50).as_secs_f64();
        (base > 0.0 && peer.program != row.program).then(|| row.percentile(50).as_secs_f64() / base)
    }

    /// The same figures for programs.
    pub fn to_json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                json!({
                    "task": row.task,
                    "program": row.program,
                    "count": row.times.len(),
                    "p50_us": micros(row.percentile(50)),
                    "p99_us": micros(row.percentile(99)),
                    "peak_kib": row.peak_kib,
                    "ratio_p50": self.ratio(row),
                })
            })
            .collect();
        json!({ "rows": rows, "remarks": self.remarks })
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<22} {:<34} {:>7} {:>11} {:>11} {:>7} {:>10}",
            "task", "program", "count", "p50 us", "p99 us", "ratio", "peak KiB"
        )?;
        for row in &self.rows {
            let ratio = self.ratio(row).map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
            let peak = row.peak_kib.map_or("-".to_owned(), |peak| peak.to_string());
            writeln!(
                f,
                "{:<22} {:<34} {:>7} {:>11.1} {:>11.1} {ratio:>7} {peak:>10}",
                row.task,
                row.program,
                row.times.len(),
                micros(row.percentile(50)),
                micros(row.percentile(99)),
            )?;
        }
        self.remarks.iter().try_for_each(|remark| writeln!(f, "{remark}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(program: &str, micros: &[u64]) -> Series {
        Series {
            task: "write".to_owned(),
            program: program.to_owned(),
            times: micros.iter().map(|time| Duration::from_micros(*time)).collect(),
            peak_kib: None,
        }
    }

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let hundred = series("x", &(1..=100).rev().collect::<Vec<_>>());
        assert_eq!(hundred.percentile(50), Duration::from_micros(50));
        assert_eq!(hundred.percentile(99), Duration::from_micros(99));
        assert_eq!(series("x", &[7]).percentile(99), Duration::from_micros(7));
        assert_eq!(series("x", &[]).percentile(50), Duration::ZERO);
    }

    #[test]
    fn ratios_are_to_the_peer_of_the_same_task() {
        let table = Table {
            rows: vec![series("peer", &[2_000_000]), series("ours", &[3_000_000])],
            remarks: vec![],
        };
        assert_eq!(table.ratio(&table.rows[0]), None);
        assert_eq!(table.ratio(&table.rows[1]), Some(1.5));
        assert_eq!(table.to_json()["rows"][1]["ratio_p50"], 1.5);
    }
}
