//! What the guards said over time and to each agent, counted for a small chart.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use gatewright_engine::ledger::ReceiptQuery;
use gatewright_model::{Action, Guard, GuardOutcome, Receipt};

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::problem::Problem;
use crate::http::wire::{Chart, ChartRow, OutcomeCounts};

/// So many receipts are looked at, the newest.
const MOST: usize = 2_000;
/// A page of the ledger.
const PAGE: usize = 200;
/// So many columns fit.
const MOST_TIMES: usize = 24;

/// `GET /api/receipts/chart`
pub async fn handle(State(app): State<Arc<App>>) -> Answer {
    app.answer(|app| Ok(chart(&newest(app)?))).await
}

fn newest(app: &App) -> Result<Vec<Receipt>, Problem> {
    let mut receipts: Vec<Receipt> = Vec::new();
    while receipts.len() < MOST {
        let query = ReceiptQuery {
            before_seq: receipts.last().map(|receipt| receipt.seq),
            limit: Some(PAGE),
            ..Default::default()
        };
        let page = app.engine.ledger().list(&query)?;
        if page.is_empty() {
            break;
        }
        receipts.extend(page);
    }
    Ok(receipts)
}

/// What an agent brought to the door; what a person did with it later is not counted again.
fn is_a_proposal(receipt: &Receipt) -> bool {
    let body = &receipt.body;
    match body.action {
        Action::Stage | Action::Refuse => true,
        Action::Apply => body.refers_to.is_none(),
        _ => false,
    }
}

fn chart(receipts: &[Receipt]) -> Chart {
    let proposals: Vec<&Receipt> = receipts.iter().filter(|r| is_a_proposal(r)).collect();
    // The finest unit of time in which everything fits: minute, hour, day, month.
    let by = |length: usize| count(&proposals, |receipt| prefix(&receipt.body.timestamp, length));
    let lengths = [16, 13, 10, 7];
    let fits = lengths.into_iter().map(by).find(|rows| rows.len() <= MOST_TIMES);
    let mut times = fits.unwrap_or_else(|| by(4));
    let surplus = times.len().saturating_sub(MOST_TIMES);
    times.drain(..surplus);
    let mut agents = count(&proposals, |receipt| receipt.body.agent.name.clone());
    agents.sort_by_key(|row| std::cmp::Reverse(row.counts.total()));
    agents.truncate(MOST_TIMES);
    Chart { times, agents, proposals: proposals.len() }
}

fn prefix(text: &str, length: usize) -> String {
    text.chars().take(length).collect()
}

fn count(receipts: &[&Receipt], name: impl Fn(&Receipt) -> String) -> Vec<ChartRow> {
    let mut rows: BTreeMap<String, OutcomeCounts> = BTreeMap::new();
    for receipt in receipts {
        let counts = rows.entry(name(receipt)).or_default();
        match worst(receipt) {
            GuardOutcome::Fail => counts.fail += 1,
            GuardOutcome::Confirm | GuardOutcome::Confirmed => counts.confirm += 1,
            GuardOutcome::Warn => counts.warn += 1,
            GuardOutcome::NotChecked => counts.unchecked += 1,
            GuardOutcome::Pass => counts.pass += 1,
        }
    }
    rows.into_iter().map(|(name, counts)| ChartRow { name, counts }).collect()
}

/// The strictest word of the four guards.
fn worst(receipt: &Receipt) -> GuardOutcome {
    let words = Guard::ALL.into_iter().map(|guard| receipt.body.guards.get(guard));
    words.max().unwrap_or_default()
}
