//! Trials by isolates. The object probes by itself, so that no client's request has to; where it
//! cannot find out, one isolate at a time is leased the right to try one read.

use super::member::Member;
use super::{Event, Region};
use crate::breaker::machine::{Permit, State};
use crate::config::BreakerPolicy;
use crate::state::wire::{Chain, Lease, Observation, Report, Snapshot};
use crate::time::Millis;

/// A probe that is due for longer is not coming: the alarm was lost or is stuck.
const OVERDUE_MS: u64 = 5_000;
/// How long an isolate has to try: until its next read, and for that.
const TRIAL_LEASE_MS: u64 = 15_000;

impl Region {
    /// The region's view for the isolate that handed in, with leases for what it is to try.
    pub fn answer(&mut self, observation: &Observation, now: Millis) -> (Snapshot, Vec<Event>) {
        let able = observation.traffic && !observation.isolate.is_empty();
        let (leases, events): (Vec<_>, Vec<_>) = (0..self.members.len())
            .filter(|_| able)
            .filter_map(|endpoint| self.lease(endpoint, now))
            .unzip();
        let mut snapshot = self.snapshot(now);
        for (endpoint, lease) in leases {
            if let Some(regional) = snapshot.endpoints.get_mut(endpoint) {
                regional.lease = Some(lease);
            }
        }
        (snapshot, events.into_iter().flatten().collect())
    }

    fn lease(&mut self, endpoint: usize, now: Millis) -> Option<((usize, Lease), Option<Event>)> {
        let woken = self.woken;
        let member = self.members.get_mut(endpoint)?;
        if !member.needs_trial(woken, now) {
            return None;
        }
        let (permit, moved) = member.breaker.admit(now, TRIAL_LEASE_MS)?;
        let until = now.plus(TRIAL_LEASE_MS);
        let lease = Lease { id: permit.lease()?, generation: permit.generation(), until };
        Some(((endpoint, lease), moved.map(|moved| self.log(endpoint, moved))))
    }

    /// Takes the outcome of a trial. One under another lease than the breaker's own changes nothing.
    pub(super) fn tried(
        &mut self,
        endpoint: usize,
        report: &Report,
        policy: &BreakerPolicy,
        now: Millis,
        draw: f64,
    ) -> Option<Event> {
        let trial = report.trial.as_ref()?;
        let breaker = &mut self.members.get_mut(endpoint)?.breaker;
        let permit = Permit::leased(trial.generation, trial.id);
        let moved = breaker.record(now, permit, trial.heard, &trial.reason, policy, draw)?;
        if moved.to == State::Closed {
            self.votes.forget(endpoint);
        }
        Some(self.log(endpoint, moved))
    }
}

impl Member {
    /// Whether only a client's request can show if it is well again: the object's own probe says
    /// nothing, or does not come although it could since `woken`.
    fn needs_trial(&self, woken: Millis, now: Millis) -> bool {
        let Some(due) = self.breaker.retry_at().filter(|_| self.enabled()) else {
            return false;
        };
        let overdue = now.since(due.max(woken)) > OVERDUE_MS;
        let alone = self.takes.health().is_none() || self.mute || overdue;
        let free = due <= now && self.busy_until <= now && self.resting(now).is_none();
        alone && free && self.chain != Some(Chain::Wrong)
    }
}
