//! What the object keeps over restarts. The forms are pinned by tests: deployed objects must still
//! be read.

use super::super::orders::Orders;
use super::super::stats::Tally;
use super::super::wire::Rest;
use crate::breaker::machine::{Breaker, State, Transition};
use crate::json::form;
use crate::time::Millis;

/// What is kept of one endpoint over restarts.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// The endpoint's name.
    pub name: String,
    /// [`Endpoint::fingerprint`](crate::config::Endpoint::fingerprint), signed: another URL is another
    /// endpoint, and starts closed.
    pub fingerprint: i64,
    /// The region's breaker.
    pub breaker: Breaker,
    /// Rest that it asked for.
    pub rest: Option<Rest>,
    /// Counts.
    pub tally: Tally,
    /// What stands of the operator's orders. That it is disabled counts for its name, whatever its URL.
    pub orders: Orders,
    /// The route's chain id, when the endpoint turned out not to serve it.
    pub wrong_for: Option<u64>,
}

form!(Kept { name, fingerprint, breaker, rest, tally, orders, wrong_for });

/// What is kept of a region's view over restarts.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// One per endpoint.
    pub kept: Vec<Kept>,
    /// Transitions, oldest first.
    pub log: Vec<Logged>,
    /// Until when the object probes; a new object waits for its first traffic.
    pub active_until: Millis,
}

/// A transition as the log keeps it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Logged {
    /// When.
    pub at_ms: Millis,
    /// Whose.
    pub endpoint: String,
    /// From.
    pub from: State,
    /// To.
    pub to: State,
    /// Why.
    pub reason: String,
    /// Where.
    pub region: String,
}

form!(Logged { at_ms, endpoint, from, to, reason, region });

impl Logged {
    /// A transition of an endpoint's breaker in a region.
    pub fn new(endpoint: &str, region: &str, moved: Transition) -> Self {
        Self {
            at_ms: moved.at,
            endpoint: endpoint.to_owned(),
            from: moved.from,
            to: moved.to,
            reason: moved.reason,
            region: region.to_owned(),
        }
    }
}
