//! What came of an upstream request.

use super::Grant;
use crate::verdict::{Signal, Verdict};

/// A finished upstream request.
#[derive(Debug, Clone, Copy)]
pub struct Finished<'a> {
    /// Index of the endpoint.
    pub endpoint: usize,
    /// What it was allowed under.
    pub grant: Grant,
    /// HTTP status, when there was one.
    pub status: Option<u16>,
    /// How long it took.
    pub ms: u64,
    /// What was asked and what came of it: one, or the items of a batch.
    pub items: &'a [Item<'a>],
}

/// One operation of a finished upstream request.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    /// JSON-RPC method or x402 call.
    pub method: &'a str,
    /// What its answer meant.
    pub verdict: Verdict,
}

impl<'a> Finished<'a> {
    /// The verdict that speaks for the endpoint: a call for rest weighs most, then a good answer
    /// (it works, whatever became of the other items), then a failure.
    pub(super) fn weightiest(self) -> Option<&'a Verdict> {
        self.items.iter().map(|item| &item.verdict).max_by_key(|verdict| match verdict.signal {
            Signal::Account { .. } | Signal::WrongChain => 4,
            Signal::Throttled { .. } => 3,
            Signal::Success => 2,
            Signal::Failure => 1,
            Signal::Neutral | Signal::Gap(_) => 0,
        })
    }
}

impl Item<'_> {
    pub(super) fn failed(&self) -> bool {
        match self.verdict.signal {
            Signal::Failure
            | Signal::Throttled { .. }
            | Signal::Account { .. }
            | Signal::WrongChain => true,
            Signal::Success | Signal::Neutral | Signal::Gap(_) => false,
        }
    }
}
