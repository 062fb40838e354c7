//! Probes: when the object asks an endpoint itself, and what comes of it.

use super::question::Question;
use super::{Event, Region};
use crate::breaker::machine::{Heard, Permit, State};
use crate::config::BreakerPolicy;
use crate::state::heads::Head;
use crate::state::wire::Chain;
use crate::time::Millis;
use crate::verdict::{Signal, Verdict};

/// How long one question of a probe waits for its answer.
pub const PROBE_TIMEOUT_MS: u64 = 3_000;
/// How long a probe may take before its lease frees itself: two questions about health, and a
/// moment.
const PROBE_LEASE_MS: u64 = 7_000;

/// A probe to make.
#[derive(Debug, Clone)]
pub struct Probe {
    /// Index of the endpoint.
    pub endpoint: usize,
    /// What to ask, one after the other, until an answer [ends](Answered::ends) it.
    pub questions: Vec<Question>,
    permit: Permit,
}

/// The answer to one question.
#[derive(Debug, Clone, Copy)]
pub struct Answered {
    /// The question.
    pub question: Question,
    /// What the answer meant.
    pub verdict: Verdict,
    /// HTTP status, when there was one.
    pub status: Option<u16>,
    /// How long it took.
    pub ms: u64,
    /// The [number](Question::number) it showed.
    pub number: Option<u64>,
}

/// A probe that came back.
#[derive(Debug, Clone)]
pub struct Probed {
    /// As ordered.
    pub probe: Probe,
    /// As far as it came.
    pub answers: Vec<Answered>,
}

impl Answered {
    /// Whether it makes no sense to ask on.
    pub fn ends(&self) -> bool {
        self.status.is_none()
            || match self.verdict.signal {
                Signal::Throttled { .. } | Signal::Account { .. } | Signal::WrongChain => true,
                Signal::Success | Signal::Neutral | Signal::Failure | Signal::Gap(_) => false,
            }
    }
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
            if self.due_at(endpoint, policy).is_none_or(|at| at > now) {
                continue;
            }
            let Some(member) = self.members.get_mut(endpoint) else { continue };
            let questions = member.ask(policy, now);
            if let Some((permit, moved)) = member.breaker.admit(now, PROBE_LEASE_MS) {
                member.busy_until = now.plus(PROBE_LEASE_MS);
                probes.push(Probe { endpoint, questions, permit });
                events.extend(moved.map(|moved| self.log(endpoint, moved)));
            }
        }
        (probes, events)
    }

    /// Takes a probe's outcome.
    pub fn probed(
        &mut self,
        probed: &Probed,
        policy: &BreakerPolicy,
        now: Millis,
        draw: f64,
    ) -> Vec<Event> {
        let endpoint = probed.probe.endpoint;
        for (question, heads) in
            [(Question::Head, &mut self.heads), (Question::Finalized, &mut self.finalized)]
        {
            let answers = probed.answers.iter().filter(|answered| answered.question == question);
            if let Some(number) = answers.filter_map(|answered| answered.number).next_back() {
                heads.note(endpoint, Head { number, at: now });
            }
        }
        let Some(member) = self.members.get_mut(endpoint) else {
            return Vec::new();
        };
        let known = member.chain;
        let (heard, reason) = member.hear_probe(probed, policy, now);
        let found_out = heard == Heard::Unfit && known != Some(Chain::Wrong);
        let permit = probed.probe.permit;
        let mut moved = member.breaker.record(now, permit, heard, reason, policy, draw);
        if moved.is_none() && heard == Heard::Failure && self.votes.against(endpoint, now) > 0 {
            moved = member.breaker.trip(now, reason, policy, draw);
        }
        if moved.as_ref().is_some_and(|moved| moved.to == State::Closed) {
            self.votes.forget(endpoint);
        }
        let mut events: Vec<_> = moved.map(|moved| self.log(endpoint, moved)).into_iter().collect();
        events.extend(found_out.then(|| self.alert(endpoint)));
        events.extend(self.serving_changed(now));
        events
    }

    fn alert(&self, endpoint: usize) -> Event {
        let name = self.members.get(endpoint).map(|member| member.name.clone());
        Event::WrongChain { endpoint: name.unwrap_or_default() }
    }

    /// When the alarm should ring next; `None` when there is nothing to wait for.
    pub fn next_alarm(&self, policy: &BreakerPolicy) -> Option<Millis> {
        let dues = (0..self.members.len()).filter_map(|endpoint| self.due_at(endpoint, policy));
        dues.min().filter(|at| *at <= self.active_until)
    }

    fn due_at(&self, endpoint: usize, policy: &BreakerPolicy) -> Option<Millis> {
        self.members.get(endpoint)?.due_at(policy)
    }
}
