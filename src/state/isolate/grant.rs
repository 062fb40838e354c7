//! The right to one attempt, as an isolate gives it.

use super::super::region::Logged;
use super::super::wire::{Lease, Trialed};
use super::Book;
use crate::breaker::machine::{Heard, Permit};
use crate::method::Effect;
use crate::time::Millis;

/// Longest a trial of an isolate's own may hold its lease beyond the attempt's timeout.
const LEASE_SLACK_MS: u64 = 1_000;

/// The right to one attempt, to be handed back with its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    /// Of the isolate's own breaker.
    pub(super) permit: Permit,
    /// The region's lease, when the attempt is a trial for all.
    pub(super) lease: Option<Lease>,
    /// The isolate counts it among those that wait for the endpoint.
    pub(super) waits: bool,
}

impl Book {
    /// Whether the region has leased this isolate a trial that it has not made yet.
    pub fn leased(&self, endpoint: usize, now: Millis) -> bool {
        let entry = self.endpoints.get(endpoint);
        !self.schedule.cold(now) && entry.is_some_and(|entry| entry.leased(now).is_some())
    }

    /// The right to an attempt that was chosen by its standing. A trial takes its lease here, the
    /// region's for reads only; where the breaker does not admit (the last resort), the outcome
    /// counts for nothing.
    pub fn permit(
        &mut self,
        endpoint: usize,
        effect: Effect,
        now: Millis,
        timeout_ms: u64,
    ) -> Option<(Grant, Option<Logged>)> {
        let leased = effect == Effect::Read && self.leased(endpoint, now);
        let entry = self.endpoints.get_mut(endpoint)?;
        entry.pace.begin(now, timeout_ms);
        let lease = if leased { entry.lease.take() } else { None };
        let lease_ms = timeout_ms.saturating_add(LEASE_SLACK_MS);
        let (permit, moved) =
            entry.breaker.admit(now, lease_ms).unwrap_or((entry.breaker.bypass(), None));
        Some((Grant { permit, lease, waits: true }, moved.map(|moved| self.log(endpoint, moved))))
    }

    /// The right for what turns out about an attempt after its answer was given: it counts while
    /// the breaker is closed.
    pub fn afterwards(&self, endpoint: usize) -> Option<Grant> {
        let permit = self.endpoints.get(endpoint)?.breaker.bypass();
        Some(Grant { permit, lease: None, waits: false })
    }
}

impl Lease {
    /// The outcome of the trial made under it.
    pub(super) fn ended(self, heard: Heard, reason: &str) -> Trialed {
        let Self { id, generation, .. } = self;
        Trialed { id, generation, heard, reason: reason.to_owned() }
    }
}
