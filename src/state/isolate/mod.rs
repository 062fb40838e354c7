//! What one isolate knows about a route's endpoints: its own breakers, rests, gaps and counts, and
//! the region's last word. Lost with the isolate; everything here is a hint that may vanish.

mod entry;
mod finished;
mod given;
mod grant;
mod hand_in;
mod hedges;
mod marks;
mod operator;
mod pace;
mod rated;
mod told;

use std::collections::VecDeque;

use self::entry::Entry;
pub use self::finished::{Finished, Item};
pub use self::grant::Grant;
use self::hedges::Hedges;
use self::pace::Pace;
use self::rated::Rated;
use self::told::Told;
use super::event::Told as Event;
use super::heads::{Head, Heads};
use super::mark::Mark;
use super::recent::Recent;
use super::region::Logged;
use super::replies::Replies;
use super::stats::Tally;
use super::sync::Schedule;
use super::wire::{Chain, Local, Regional, Rest};
use crate::breaker::gaps::Gaps;
use crate::breaker::machine::{Breaker, State, Transition};
use crate::breaker::throttle::{Throttle, Why};
use crate::config::{BreakerPolicy, Freshness, Route};
use crate::method::Operation;
use crate::time::Millis;

/// What status and events call the region of an isolate that shares nothing.
pub const ALONE: &str = "isolate";

/// Moves remembered.
const LOG_MAX: usize = 50;

/// One isolate's knowledge of one route.
#[derive(Debug, Clone)]
pub struct Book {
    endpoints: Vec<Entry>,
    /// How far each endpoint is.
    pub heads: Heads,
    /// How far each has seen blocks made final.
    pub finalized: Heads,
    log: VecDeque<Logged>,
    mark: Mark,
    hedges: Hedges,
    rated: Rated,
    /// The head that a quorum last agreed on.
    agreed: Option<Head>,
    writes: Told,
    /// Events that the region has not heard of yet.
    events: Vec<Event>,
    /// Clients used the route since the last hand-in, whatever that was for.
    used: bool,
    /// How often it handed in again for chain ids that the region did not know yet.
    comebacks: u8,
    /// When it talks to the region's object.
    pub schedule: Schedule,
}

/// Whether an endpoint may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Yes.
    Ready,
    /// Its cooldown is over, or the region leased a trial: one read may try it.
    Trial,
    /// Its breaker is open; the last resort knows when it is due.
    Open {
        /// When the next probe is due.
        retry_at: Millis,
    },
    /// It serves another chain: never asked, not even as the last resort.
    WrongChain {
        /// When it is asked again which one.
        retry_at: Millis,
    },
    /// It asked for rest.
    Resting {
        /// Until when, and why.
        rest: Rest,
    },
    /// Not bound, or disabled by the operator: never asked.
    Disabled,
}

/// What the shell should tell the log about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// The isolate's own breaker moved.
    Moved(Logged),
    /// Account trouble began.
    Account,
    /// The endpoint serves another chain.
    WrongChain,
}

impl Book {
    /// Everything unknown.
    pub fn new(route: &Route, now: Millis) -> Self {
        let entry = |endpoint: &crate::config::Endpoint| Entry {
            name: endpoint.name.clone(),
            bound: endpoint.bound,
            breaker: Breaker::new(now),
            opened_for: None,
            throttle: Throttle::default(),
            gaps: Gaps::default(),
            pace: Pace::default(),
            recent: Recent::default(),
            regional: None,
            wrong_chain: false,
            tally: Tally::default(),
            replies: Replies::default(),
            lease: None,
            trialed: None,
        };
        Self {
            endpoints: route.endpoints.iter().map(entry).collect(),
            heads: Heads::new(route.endpoints.len()),
            finalized: Heads::new(route.endpoints.len()),
            log: VecDeque::new(),
            mark: Mark::default(),
            hedges: Hedges::default(),
            rated: Rated::default(),
            agreed: None,
            writes: Told::default(),
            events: Vec::new(),
            used: false,
            comebacks: 0,
            schedule: Schedule::default(),
        }
    }

    /// Whether an endpoint may be asked now.
    pub fn standing(&self, endpoint: usize, now: Millis) -> Standing {
        let Some(entry) = self.endpoints.get(endpoint).filter(|entry| entry.bound) else {
            return Standing::Disabled;
        };
        if entry.disabled() {
            return Standing::Disabled;
        }
        let regional = entry.regional.as_ref().filter(|_| !self.schedule.cold(now));
        if entry.wrong_chain {
            let retry_at = regional.and_then(|regional| regional.retry_at);
            return Standing::WrongChain { retry_at: retry_at.unwrap_or(now) };
        }
        if let Some(rest) = entry.rest(now, regional) {
            return Standing::Resting { rest };
        }
        if let Some(regional) = regional.filter(|regional| regional.state != State::Closed) {
            if entry.leased(now).is_some() {
                return Standing::Trial;
            }
            return Standing::Open { retry_at: regional.retry_at.unwrap_or(now) };
        }
        match entry.breaker.retry_at() {
            None => Standing::Ready,
            Some(at) if at <= now => Standing::Trial,
            Some(retry_at) => Standing::Open { retry_at },
        }
    }

    /// Whether the region's view keeps the endpoint out, whatever this isolate saw itself.
    pub fn kept_out(&self, endpoint: usize, now: Millis) -> bool {
        let regional = self.endpoints.get(endpoint).and_then(|entry| entry.regional.as_ref());
        let out = |regional: &Regional| {
            regional.orders.disabled
                || regional.state != State::Closed
                || regional.chain == Some(Chain::Wrong)
                || regional.rest.is_some_and(|rest| rest.until > now)
        };
        !self.schedule.cold(now) && regional.is_some_and(out)
    }

    /// Whether its answer is nobody's, whoever else there is.
    pub fn barred(&self, endpoint: usize, now: Millis) -> bool {
        matches!(self.standing(endpoint, now), Standing::Disabled | Standing::WrongChain { .. })
    }

    /// Whether the endpoint is known not to do this.
    pub fn gap(&self, endpoint: usize, operation: &Operation<'_>, now: Millis) -> bool {
        let below_head = || operation.below_head();
        let hold = |entry: &Entry| entry.gaps.hold(operation.method, below_head, now);
        self.endpoints.get(endpoint).is_some_and(hold)
    }

    /// A client uses the route: the object should probe.
    pub fn note_use(&mut self) {
        self.used = true;
        self.hedges.earn();
    }

    /// Takes the outcome of an upstream request. The breaker hears of it once, however many items it
    /// carried; counts and gaps are per item.
    pub fn record(
        &mut self,
        finished: Finished<'_>,
        policy: &BreakerPolicy,
        now: Millis,
        draw: f64,
    ) -> Vec<News> {
        let Some(entry) = self.endpoints.get_mut(finished.endpoint) else {
            return Vec::new();
        };
        if finished.grant.waits {
            entry.pace.end(finished.ms, finished.status.is_some(), now);
        }
        entry.count(finished, now);
        let Some(verdict) = finished.weightiest() else {
            return Vec::new();
        };
        let mut news: Vec<_> = entry.outcry(verdict.signal, now).into_iter().collect();
        let heard = entry.hear(verdict.signal, policy, now);
        let reason = verdict.class.label();
        let permit = finished.grant.permit;
        let moved = entry.breaker.record(now, permit, heard, reason, policy, draw);
        if let Some(lease) = finished.grant.lease {
            entry.trialed = Some(lease.ended(heard, reason));
            self.schedule.note_news();
        }
        if let Some(moved) = moved {
            entry.opened_for = (moved.to == State::Open).then(|| moved.reason.clone());
            self.schedule.note_news();
            news.push(News::Moved(self.log(finished.endpoint, moved)));
        }
        news
    }

    /// Moves of the isolate's own breakers, oldest first.
    pub fn transitions(&self) -> impl DoubleEndedIterator<Item = &Logged> {
        self.log.iter()
    }

    fn log(&mut self, endpoint: usize, moved: Transition) -> Logged {
        let name = self.endpoints.get(endpoint).map_or("", |entry| &entry.name);
        let logged = Logged::new(name, ALONE, moved);
        if self.log.len() >= LOG_MAX {
            self.log.pop_front();
        }
        self.log.push_back(logged.clone());
        logged
    }

    /// Whether any endpoint is not well, which quickens the hand-ins.
    pub fn troubled(&self, freshness: Freshness, now: Millis) -> bool {
        (0..self.endpoints.len()).any(|endpoint| {
            let well = matches!(self.standing(endpoint, now), Standing::Ready | Standing::Disabled);
            !well || self.heads.lags(endpoint, freshness, now)
        })
    }

    pub(super) fn index(&self, name: &str) -> Option<usize> {
        self.endpoints.iter().position(|entry| entry.name == name)
    }

    /// The isolate's own breaker of an endpoint.
    pub fn breaker(&self, endpoint: usize) -> Option<&Breaker> {
        self.endpoints.get(endpoint).map(|entry| &entry.breaker)
    }

    /// Counts not handed in yet.
    pub fn tally(&self, endpoint: usize) -> Option<&Tally> {
        self.endpoints.get(endpoint).map(|entry| &entry.tally)
    }

    /// Whether the region found it serving another chain.
    pub fn wrong_chain(&self, endpoint: usize) -> bool {
        self.endpoints.get(endpoint).is_some_and(|entry| entry.wrong_chain)
    }

    /// The isolate's part of the status.
    pub fn locals(&self, now: Millis) -> Vec<Local> {
        let local = |entry: &Entry| Local {
            name: entry.name.clone(),
            state: entry.breaker.state().label().to_owned(),
            gaps: entry.gaps.methods(now).map(str::to_owned).collect(),
        };
        self.endpoints.iter().map(local).collect()
    }

    /// The endpoint's rest, by this isolate's own observations.
    pub fn rest(&self, endpoint: usize, now: Millis) -> Option<Rest> {
        self.endpoints.get(endpoint)?.rest(now, None)
    }
}

/// Whether account trouble is what an endpoint rests for.
pub fn is_account(rest: Rest) -> bool {
    rest.why == Why::Account
}
