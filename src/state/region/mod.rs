//! The region's view of one route: the logic of its Durable Object, without storage or network.
//! It owns the region's breakers: isolates report, the object's alarm probes, and what comes of it
//! is a transition here, once, in one place.

mod counted;
mod due;
mod member;
mod memory;
mod operator;
mod probing;
mod question;
mod tell;
mod trials;

use std::collections::VecDeque;

use self::member::Member;
pub use self::memory::{Kept, Logged, Memory};
pub use self::probing::{Answered, PROBE_TIMEOUT_MS, Probe, Probed};
pub use self::question::Question;
use super::heads::{Head, Heads};
use super::mark::Mark;
use super::replies::KEPT_MAX;
use super::votes::Votes;
use super::wire::{Chain, Observation, Report};
use super::writes::Writes;
use crate::breaker::machine::{State, Transition};
use crate::config::{BreakerPolicy, Mode, Route};
use crate::time::Millis;
use crate::verdict::Class;

/// Probing goes on this long after the last hand-in; the next one starts it again.
const ACTIVE_MS: u64 = 300_000;
/// Transitions kept.
pub const LOG_MAX: usize = 200;
/// The region's view of one route.
#[derive(Debug, Clone)]
pub struct Region {
    name: String,
    /// What its endpoints must serve.
    chain_id: Option<u64>,
    /// Isolates choose by what the endpoints showed lately.
    weighted: bool,
    members: Vec<Member>,
    heads: Heads,
    /// How far each has seen blocks made final.
    finalized: Heads,
    mark: Mark,
    votes: Votes,
    log: VecDeque<Logged>,
    active_until: Millis,
    /// Since when it could probe: the end of the last silence.
    woken: Millis,
    serving: Option<String>,
    /// In memory only: they are worth nothing after two minutes.
    writes: Writes,
    /// Since when it counts for metrics.
    made: Millis,
    /// Clients that got no answer since then.
    exhausted: u64,
}

/// Something the operator's log should hear of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A breaker moved.
    Breaker(Logged),
    /// Another endpoint is the first choice now.
    Serving {
        /// Before; `None`: nobody.
        from: Option<String>,
        /// Now; `None`: nobody.
        to: Option<String>,
    },
    /// An endpoint turned out to serve another chain.
    WrongChain {
        /// Which.
        endpoint: String,
    },
}

impl Region {
    /// A region's view, from what was kept. Endpoints that the configuration no longer has are
    /// dropped, new ones start closed.
    pub fn new(name: &str, route: &Route, memory: Memory, now: Millis) -> Self {
        let Memory { kept, log, active_until } = memory;
        let member = |endpoint| Member::new(route, endpoint, &kept, now);
        let mut region = Self {
            name: name.to_owned(),
            chain_id: route.chain_id,
            weighted: route.mode == Mode::Weighted,
            members: route.endpoints.iter().map(member).collect(),
            heads: Heads::new(route.endpoints.len()),
            finalized: Heads::new(route.endpoints.len()),
            mark: Mark::default(),
            votes: Votes::default(),
            log: log.into(),
            active_until,
            woken: now,
            serving: None,
            writes: Writes::default(),
            made: now,
            exhausted: 0,
        };
        for (endpoint, member) in region.members.iter().enumerate() {
            region.heads.rehearse(endpoint, member.orders.drill);
        }
        region.serving = region.first_choice(now);
        region
    }

    /// Takes an isolate's hand-in.
    pub fn hand_in(
        &mut self,
        observation: &Observation,
        policy: &BreakerPolicy,
        now: Millis,
        draw: f64,
    ) -> Vec<Event> {
        if observation.traffic {
            if now > self.active_until {
                self.woken = now;
            }
            self.active_until = now.plus(ACTIVE_MS);
        }
        if observation.isolate.is_empty() {
            return Vec::new();
        }
        self.count_exhausted(observation);
        for write in &observation.writes {
            self.writes.add(write.clone(), now);
        }
        let (open, mut events) = self.hear(&observation.endpoints, policy, now, draw);
        if let Some(given) = observation.given {
            self.mark.raise(Head { at: given.at.min(now), ..given }, &self.heads);
        }
        self.votes.hear(&observation.isolate, open.clone(), now);
        let moved = open.into_iter().filter_map(|endpoint| {
            let reason = observation.reason_for(&self.members.get(endpoint)?.name);
            self.vote(endpoint, reason, policy, now, draw)
        });
        let moved: Vec<_> = moved.collect();
        events.extend(moved);
        events.extend(self.serving_changed(now));
        events
    }

    /// Takes an isolate's reports: the endpoints that it has a word against, and what its trials
    /// moved. A trial comes first: a word from before it is of the past.
    fn hear(
        &mut self,
        reports: &[Report],
        policy: &BreakerPolicy,
        now: Millis,
        draw: f64,
    ) -> (Vec<usize>, Vec<Event>) {
        let (mut open, mut events) = (Vec::new(), Vec::new());
        for report in reports {
            let Some(endpoint) = self.members.iter().position(|m| m.name == report.name) else {
                continue;
            };
            events.extend(self.tried(endpoint, report, policy, now, draw));
            self.note_head(endpoint, report, now);
            if self.members.get_mut(endpoint).is_some_and(|member| member.hear(report, now)) {
                open.push(endpoint);
            }
        }
        (open, events)
    }

    /// A clock ahead of ours does not make a head newer than it is. One that the isolate has of us
    /// is no news, and saves no poll.
    fn note_head(&mut self, endpoint: usize, report: &Report, now: Millis) {
        let Some(head) = report.head.map(|head| Head { at: head.at.min(now), ..head }) else {
            return;
        };
        let news = self.heads.of(endpoint).is_none_or(|known| known.at < head.at);
        self.heads.note(endpoint, head);
        if let Some(member) = self.members.get_mut(endpoint).filter(|_| news) {
            member.head_passed = head.at;
        }
    }

    fn vote(
        &mut self,
        endpoint: usize,
        reason: &str,
        policy: &BreakerPolicy,
        now: Millis,
        draw: f64,
    ) -> Option<Event> {
        let carried = self.votes.carried(endpoint, now);
        let member = self.members.get_mut(endpoint)?;
        if reason == Class::WrongChain.label() {
            member.chain_asked = None;
        }
        let moved = carried.then(|| member.breaker.trip(now, reason, policy, draw)).flatten();
        member.suspected = moved.is_none() && member.breaker.state() == State::Closed;
        moved.map(|moved| self.log(endpoint, moved))
    }

    /// Until when the object probes.
    pub fn active_until(&self) -> Millis {
        self.active_until
    }

    /// A probe's answer that was an error.
    pub fn note_reply(&mut self, endpoint: usize, reply: String) {
        if let Some(member) = self.members.get_mut(endpoint) {
            member.replies.add(reply, KEPT_MAX);
        }
    }

    /// What to keep over restarts, one per endpoint.
    pub fn keep(&self) -> impl Iterator<Item = Kept> {
        self.members.iter().map(|member| Kept {
            name: member.name.clone(),
            fingerprint: member.fingerprint,
            breaker: member.breaker.clone(),
            rest: member.rest,
            tally: member.tally.clone(),
            orders: member.orders,
            wrong_for: self.chain_id.filter(|_| member.chain == Some(Chain::Wrong)),
        })
    }

    fn log(&mut self, endpoint: usize, moved: Transition) -> Event {
        self.count_trip(endpoint, &moved);
        let name = self.members.get(endpoint).map_or("", |member| &member.name);
        let logged = Logged::new(name, &self.name, moved);
        self.log.push_back(logged.clone());
        if self.log.len() > LOG_MAX {
            self.log.pop_front();
        }
        Event::Breaker(logged)
    }

    /// In weighted mode nobody is first for all.
    fn first_choice(&self, now: Millis) -> Option<String> {
        if self.weighted {
            return None;
        }
        let member = self.members.iter().find(|member| {
            member.enabled()
                && member.breaker.state() == State::Closed
                && member.resting(now).is_none()
        });
        member.map(|member| member.name.clone())
    }

    fn serving_changed(&mut self, now: Millis) -> Option<Event> {
        let to = self.first_choice(now);
        if to == self.serving {
            return None;
        }
        let from = std::mem::replace(&mut self.serving, to.clone());
        Some(Event::Serving { from, to })
    }
}

impl Observation {
    fn reason_for(&self, endpoint: &str) -> &str {
        let report = self.endpoints.iter().find(|report| report.name == endpoint);
        report.and_then(|report| report.reason.as_deref()).unwrap_or("reported")
    }
}
