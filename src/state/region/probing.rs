//! Probes: when the object asks an endpoint itself, and what comes of it.

use super::member::Member;
use super::{Event, Region};
use crate::breaker::machine::{Heard, Permit, State};
use crate::config::BreakerPolicy;
use crate::state::heads::Head;
use crate::time::Millis;
use crate::verdict::Verdict;

/// How long a probe may take before its lease frees itself.
const PROBE_LEASE_MS: u64 = 6_000;
/// How long one probe waits for its answer.
pub const PROBE_TIMEOUT_MS: u64 = 3_000;

/// A probe to make.
#[derive(Debug, Clone, Copy)]
pub struct Probe {
    /// Index of the endpoint.
    pub endpoint: usize,
    permit: Permit,
}

/// A probe that came back.
#[derive(Debug, Clone, Copy)]
pub struct Probed<'a> {
    /// As ordered.
    pub probe: Probe,
    /// What it meant.
    pub verdict: &'a Verdict,
    /// HTTP status, when there was one.
    pub status: Option<u16>,
    /// The method asked.
    pub method: &'a str,
    /// How long it took.
    pub ms: u64,
    /// The head it showed.
    pub head: Option<u64>,
}

impl Region {
    /// The probes to make now, each under its lease. Empty when nobody has used the route for five
    /// minutes.
    pub fn probes(&mut self, policy: &BreakerPolicy, now: Millis) -> (Vec<Probe>, Vec<Event>) {
        let (mut probes, mut events) = (Vec::new(), Vec::new());
        if now > self.active_until {
            return (probes, events);
        }
        for endpoint in 0..self.members.len() {
            let due = |member: &&mut Member| member.due_at(policy).is_some_and(|at| at <= now);
            let Some(member) = self.members.get_mut(endpoint).filter(due) else {
                continue;
            };
            member.suspected = false;
            member.probed = now;
            if let Some((permit, moved)) = member.breaker.admit(now, PROBE_LEASE_MS) {
                probes.push(Probe { endpoint, permit });
                events.extend(moved.map(|moved| self.log(endpoint, moved)));
            }
        }
        (probes, events)
    }

    /// Takes a probe's outcome.
    pub fn probed(
        &mut self,
        probed: Probed<'_>,
        policy: &BreakerPolicy,
        now: Millis,
        draw: f64,
    ) -> Vec<Event> {
        let endpoint = probed.probe.endpoint;
        if let Some(number) = probed.head {
            self.heads.note(endpoint, Head { number, at: now });
        }
        let Some(member) = self.members.get_mut(endpoint) else {
            return Vec::new();
        };
        let heard = member.hear_probe(&probed, policy, now);
        let reason = probed.verdict.class.label();
        let permit = probed.probe.permit;
        let mut moved = member.breaker.record(now, permit, heard, reason, policy, draw);
        if moved.is_none() && heard == Heard::Failure && self.votes.against(endpoint, now) > 0 {
            moved = member.breaker.trip(now, reason, policy, draw);
        }
        if moved.as_ref().is_some_and(|moved| moved.to == State::Closed) {
            self.votes.forget(endpoint);
        }
        let mut events: Vec<_> = moved.map(|moved| self.log(endpoint, moved)).into_iter().collect();
        events.extend(self.serving_changed(now));
        events
    }

    /// When the alarm should ring next; `None` when there is nothing to wait for.
    pub fn next_alarm(&self, policy: &BreakerPolicy) -> Option<Millis> {
        let next = self.members.iter().filter_map(|member| member.due_at(policy)).min();
        next.filter(|at| *at <= self.active_until)
    }
}
