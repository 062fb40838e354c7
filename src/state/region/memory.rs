//! What the object keeps over restarts. The forms are pinned by tests: deployed objects must still
//! be read.

use serde::{Deserialize, Serialize};

use super::super::orders::Orders;
use super::super::stats::Tally;
use super::super::wire::Rest;
use crate::breaker::machine::{Breaker, State, Transition};
use crate::time::Millis;

/// What is kept of one endpoint over restarts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kept {
    /// The endpoint's name.
    pub name: String,
    /// [`Endpoint::fingerprint`](crate::config::Endpoint::fingerprint): another URL is another
    /// endpoint, and starts closed.
    pub fingerprint: u64,
    /// The region's breaker.
    pub breaker: Breaker,
    /// Rest that it asked for.
    #[serde(default)]
    pub rest: Option<Rest>,
    /// Counts.
    #[serde(default)]
    pub tally: Tally,
    /// What stands of the operator's orders. That it is disabled counts for its name, whatever its URL.
    #[serde(default, skip_serializing_if = "Orders::none")]
    pub orders: Orders,
    /// The route's chain id, when the endpoint turned out not to serve it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_for: Option<u64>,
}

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
