//! The region's view of one route: the logic of its Durable Object, without storage or network.
//! It owns the region's breakers: isolates report, the object's alarm probes, and what comes of it
//! is a transition here, once, in one place.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::stats::{FailureOf, Sample, Tally};
use super::status::{Facts, RouteStatus};
use super::votes::Votes;
use super::wire::{Observation, Regional, Report, Rest, Snapshot, VERSION};
use crate::breaker::machine::{Breaker, Heard, Permit, State, Transition};
use crate::breaker::throttle::{ACCOUNT_MS, FIRST_MS, Why};
use crate::config::{BreakerPolicy, Route};
use crate::time::Millis;
use crate::verdict::{Signal, Verdict};

/// Probing goes on this long after the last hand-in; the next one starts it again.
const ACTIVE_MS: u64 = 300_000;
/// Transitions kept.
pub const LOG_MAX: usize = 200;
/// How long a probe may take before its lease frees itself.
const PROBE_LEASE_MS: u64 = 6_000;
/// How long one probe waits for its answer.
pub const PROBE_TIMEOUT_MS: u64 = 3_000;

/// The region's view of one route.
#[derive(Debug, Clone)]
pub struct Region {
    name: String,
    members: Vec<Member>,
    votes: Votes,
    log: VecDeque<Logged>,
    active_until: Millis,
    serving: Option<String>,
}

#[derive(Debug, Clone)]
struct Member {
    name: String,
    bound: bool,
    breaker: Breaker,
    /// An isolate keeps away from it: probe at once.
    suspected: bool,
    /// When it was last probed.
    probed: Millis,
    rest: Option<Rest>,
    tally: Tally,
}

/// What is kept of one endpoint over restarts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kept {
    /// The endpoint's name.
    pub name: String,
    /// The region's breaker.
    pub breaker: Breaker,
    /// Rest that it asked for.
    #[serde(default)]
    pub rest: Option<Rest>,
    /// Counts.
    #[serde(default)]
    pub tally: Tally,
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
}

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
}

impl Region {
    /// A region's view, from what was kept. Endpoints that the configuration no longer has are
    /// dropped, new ones start closed.
    pub fn new(name: &str, route: &Route, memory: Memory, now: Millis) -> Self {
        let Memory { kept, log, active_until } = memory;
        let member = |endpoint: &crate::config::Endpoint| {
            let kept = kept.iter().find(|kept| kept.name == endpoint.name);
            Member {
                name: endpoint.name.clone(),
                bound: endpoint.bound,
                breaker: kept.map_or_else(|| Breaker::new(now), |kept| kept.breaker.clone()),
                suspected: false,
                probed: now,
                rest: kept.and_then(|kept| kept.rest),
                tally: kept.map(|kept| kept.tally.clone()).unwrap_or_default(),
            }
        };
        let mut region = Self {
            name: name.to_owned(),
            members: route.endpoints.iter().map(member).collect(),
            votes: Votes::default(),
            log: log.into(),
            active_until,
            serving: None,
        };
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
            self.active_until = now.plus(ACTIVE_MS);
        }
        if observation.isolate.is_empty() {
            return Vec::new();
        }
        let mut open = Vec::new();
        for report in &observation.endpoints {
            let mut members = self.members.iter_mut().enumerate();
            if let Some((endpoint, member)) = members.find(|(_, m)| m.name == report.name)
                && member.hear(report)
            {
                open.push(endpoint);
            }
        }
        self.votes.hear(&observation.isolate, open.clone(), now);
        let moved = open.into_iter().filter_map(|endpoint| {
            let reason = observation.reason_for(&self.members.get(endpoint)?.name);
            self.vote(endpoint, reason, policy, now, draw)
        });
        let mut events: Vec<_> = moved.collect();
        events.extend(self.serving_changed(now));
        events
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
        let moved = carried.then(|| member.breaker.trip(now, reason, policy, draw)).flatten();
        member.suspected = moved.is_none() && member.breaker.state() == State::Closed;
        moved.map(|moved| self.log(endpoint, moved))
    }

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

    /// Until when the object probes.
    pub fn active_until(&self) -> Millis {
        self.active_until
    }

    /// What isolates choose by.
    pub fn snapshot(&self, now: Millis) -> Snapshot {
        let regional = |member: &Member| Regional {
            name: member.name.clone(),
            state: member.breaker.state(),
            generation: member.breaker.generation(),
            retry_at: member.breaker.retry_at(),
            rest: member.resting(now),
        };
        Snapshot { v: VERSION, endpoints: self.members.iter().map(regional).collect() }
    }

    /// The status of section "status" in the README, as the region sees it.
    pub fn status(&self, route: &Route, now: Millis) -> RouteStatus {
        let mut status = RouteStatus::new(route, &self.name, now, |endpoint| {
            self.members.get(endpoint).map(|member| Facts {
                breaker: &member.breaker,
                rest: member.resting(now),
                tally: &member.tally,
            })
        });
        status.transitions = self.log.iter().rev().cloned().collect();
        status
    }

    /// What to keep over restarts, one per endpoint.
    pub fn keep(&self) -> impl Iterator<Item = Kept> {
        self.members.iter().map(|member| Kept {
            name: member.name.clone(),
            breaker: member.breaker.clone(),
            rest: member.rest,
            tally: member.tally.clone(),
        })
    }

    fn log(&mut self, endpoint: usize, moved: Transition) -> Event {
        let name = self.members.get(endpoint).map_or("", |member| &member.name);
        let logged = Logged::new(name, &self.name, moved);
        self.log.push_back(logged.clone());
        if self.log.len() > LOG_MAX {
            self.log.pop_front();
        }
        Event::Breaker(logged)
    }

    fn first_choice(&self, now: Millis) -> Option<String> {
        let member = self.members.iter().find(|member| {
            member.bound && member.breaker.state() == State::Closed && member.resting(now).is_none()
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

impl Member {
    /// Takes a report; whether its word against the endpoint counts.
    fn hear(&mut self, report: &Report) -> bool {
        self.tally.merge(&report.tally);
        if let Some(rest) = report.rest {
            self.extend(rest);
        }
        report.open && report.seen.is_none_or(|seen| seen == self.breaker.generation())
    }

    fn hear_probe(&mut self, probed: &Probed<'_>, policy: &BreakerPolicy, now: Millis) -> Heard {
        let failure =
            Some(FailureOf { class: probed.verdict.class.label(), status: probed.status });
        let (heard, failure) = match probed.verdict.signal {
            Signal::Success => (Heard::Success, None),
            Signal::Neutral | Signal::Gap(_) => (Heard::Nothing, None),
            Signal::Failure => (Heard::Failure, failure),
            Signal::Throttled { retry_after_ms } => {
                let ms = retry_after_ms.unwrap_or(FIRST_MS).min(policy.retry_after_cap_ms);
                self.rest_for(now, ms, Why::Rate);
                (Heard::Throttled, failure)
            }
            Signal::Account { .. } | Signal::WrongChain => {
                self.rest_for(now, ACCOUNT_MS, Why::Account);
                (Heard::Throttled, failure)
            }
        };
        let (method, ms) = (probed.method, Some(probed.ms));
        self.tally.add(Sample { at: now, method, ms, failure });
        heard
    }

    fn rest_for(&mut self, now: Millis, ms: u64, why: Why) {
        self.extend(Rest { until: now.plus(ms), why });
    }

    fn extend(&mut self, rest: Rest) {
        if self.rest.is_none_or(|current| current.until < rest.until) {
            self.rest = Some(rest);
        }
    }

    fn resting(&self, now: Millis) -> Option<Rest> {
        self.rest.filter(|rest| rest.until > now)
    }

    /// When to probe it: at once under suspicion, after the cooldown when it is not closed, else at
    /// every poll; never before the end of a rest it asked for.
    fn due_at(&self, policy: &BreakerPolicy) -> Option<Millis> {
        let poll = self.probed.plus(policy.poll_ms);
        let due =
            if self.suspected { self.probed } else { self.breaker.retry_at().unwrap_or(poll) };
        self.bound.then(|| self.rest.map_or(due, |rest| rest.until.max(due)))
    }
}

impl Observation {
    fn reason_for(&self, endpoint: &str) -> &str {
        let report = self.endpoints.iter().find(|report| report.name == endpoint);
        report.and_then(|report| report.reason.as_deref()).unwrap_or("reported")
    }
}
