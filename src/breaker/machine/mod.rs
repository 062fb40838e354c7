//! The circuit breaker, by the book: closed, open, half-open; a pure function of events and time.
//!
//! Every outcome comes back with the [`Permit`] its attempt was given. A permit of an older
//! generation changes nothing, so a failure that arrives late cannot re-open a healed breaker.
//! In half-open one leased probe runs at a time; a lease that is not returned in time frees itself,
//! and what comes back under it later changes nothing.

mod told;

use super::cooldown::cooldown_ms;
use super::permit::Lease;
pub use super::permit::Permit;
use super::window::Window;
use crate::config::BreakerPolicy;
use crate::json::{form, words};
use crate::time::Millis;

/// Where the breaker stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    /// Requests pass.
    #[default]
    Closed,
    /// Requests are kept away.
    Open,
    /// One probe at a time passes.
    HalfOpen,
}

words!(State { Closed = "closed", Open = "open", HalfOpen = "half_open" });

/// What a finished attempt says to the breaker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Heard {
    /// It works.
    Success,
    /// It did wrong.
    Failure,
    /// It is not what it should be: out at once.
    Unfit,
    /// It asked for rest: no failure, but no proof of health either.
    Throttled,
    /// Nothing: cancelled, or about the request alone.
    #[default]
    Nothing,
}

words!(Heard {
    Success = "success",
    Failure = "failure",
    Unfit = "unfit",
    Throttled = "throttled",
    Nothing = "nothing",
} else Nothing);

/// A change of state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// When.
    pub at: Millis,
    /// From.
    pub from: State,
    /// To.
    pub to: State,
    /// Why: a verdict's class, or who decided.
    pub reason: String,
}

/// One endpoint's breaker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Breaker {
    state: State,
    since: Millis,
    /// Moves at every transition.
    generation: u64,
    /// Consecutive failures while closed.
    failures: u32,
    /// Consecutive probe successes while half-open.
    successes: u32,
    /// Probes failed since it opened: doubles the cooldown.
    failed_probes: u32,
    retry_at: Option<Millis>,
    lease: Option<Lease>,
    leases: u64,
    trips: u64,
    window: Window,
}

// All but the window, which begins anew.
form!(Breaker {
    state,
    since,
    generation,
    failures,
    successes,
    failed_probes,
    retry_at,
    lease,
    leases,
    trips,
});

impl Breaker {
    /// A closed breaker.
    pub fn new(now: Millis) -> Self {
        Self { since: now, ..Self::default() }
    }

    /// Where it stands.
    pub fn state(&self) -> State {
        self.state
    }

    /// Since when.
    pub fn since(&self) -> Millis {
        self.since
    }

    /// Moves at every transition.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Consecutive failures while closed.
    pub fn consecutive_failures(&self) -> u32 {
        self.failures
    }

    /// Consecutive probe successes while half-open.
    pub fn probe_successes(&self) -> u32 {
        self.successes
    }

    /// How often it opened from closed.
    pub fn trips(&self) -> u64 {
        self.trips
    }

    /// When the next probe may run; `None` while closed.
    pub fn retry_at(&self) -> Option<Millis> {
        match self.state {
            State::Closed => None,
            State::Open => self.retry_at,
            State::HalfOpen => Some(self.lease.map_or(self.since, |lease| lease.until)),
        }
    }

    /// Whether a probe may start now.
    pub fn due(&self, now: Millis) -> bool {
        self.retry_at().is_some_and(|at| at <= now)
    }

    /// A permit for an attempt now; `None` when the breaker keeps it away. `lease_ms` is how long a
    /// probe may take before its lease frees itself. The transition is the one to half-open.
    pub fn admit(&mut self, now: Millis, lease_ms: u64) -> Option<(Permit, Option<Transition>)> {
        if self.state == State::Closed {
            return Some((self.bypass(), None));
        }
        if !self.due(now) {
            return None;
        }
        let opened =
            (self.state == State::Open).then(|| self.enter(State::HalfOpen, now, "cooldown_over"));
        self.leases += 1;
        self.lease = Some(Lease { id: self.leases, until: now.plus(lease_ms) });
        Some((Permit::leased(self.generation, self.leases), opened))
    }

    /// A permit for an attempt that happens whatever the breaker says (the last resort): its outcome
    /// counts only while the breaker is closed.
    pub fn bypass(&self) -> Permit {
        Permit { generation: self.generation, lease: None }
    }

    /// Takes an outcome. `reason` is the verdict's class; `draw` in 0..1 is the jitter.
    pub fn record(
        &mut self,
        now: Millis,
        permit: Permit,
        heard: Heard,
        reason: &str,
        policy: &BreakerPolicy,
        draw: f64,
    ) -> Option<Transition> {
        if permit.generation != self.generation {
            return None;
        }
        match self.state {
            State::Closed => self.record_closed(now, heard, reason, policy, draw),
            State::Open => None,
            State::HalfOpen => {
                let held = self.lease.is_some_and(|lease| lease.is_held(permit, now));
                held.then(|| self.record_probe(now, heard, reason, policy, draw)).flatten()
            }
        }
    }

    fn record_closed(
        &mut self,
        now: Millis,
        heard: Heard,
        reason: &str,
        policy: &BreakerPolicy,
        draw: f64,
    ) -> Option<Transition> {
        match heard {
            Heard::Nothing | Heard::Throttled => None,
            Heard::Success => {
                self.failures = 0;
                self.window.add(now, policy.trip_window_ms, false);
                None
            }
            Heard::Failure => {
                self.failures = self.failures.saturating_add(1);
                self.window.add(now, policy.trip_window_ms, true);
                let trips = self.failures >= policy.trip_after.max(1) || self.too_many(now, policy);
                trips.then(|| self.open(now, reason, policy, draw))
            }
            Heard::Unfit => Some(self.open(now, reason, policy, draw)),
        }
    }

    fn too_many(&self, now: Millis, policy: &BreakerPolicy) -> bool {
        let (attempts, failures) = self.window.counts(now, policy.trip_window_ms);
        attempts >= policy.trip_min
            && f64::from(failures) >= policy.trip_ratio * f64::from(attempts)
    }

    fn record_probe(
        &mut self,
        now: Millis,
        heard: Heard,
        reason: &str,
        policy: &BreakerPolicy,
        draw: f64,
    ) -> Option<Transition> {
        self.lease = None;
        match heard {
            Heard::Nothing => None,
            Heard::Success => {
                self.successes = self.successes.saturating_add(1);
                (self.successes >= policy.close_after.max(1)).then(|| self.shut(now, "recovered"))
            }
            Heard::Failure | Heard::Unfit => {
                self.failed_probes = self.failed_probes.saturating_add(1);
                Some(self.open(now, reason, policy, draw))
            }
            Heard::Throttled => Some(self.open(now, reason, policy, draw)),
        }
    }

    fn open(&mut self, now: Millis, reason: &str, policy: &BreakerPolicy, draw: f64) -> Transition {
        self.trips += u64::from(self.state == State::Closed);
        self.retry_at = Some(now.plus(cooldown_ms(policy, self.failed_probes, draw)));
        self.enter(State::Open, now, reason)
    }

    fn shut(&mut self, now: Millis, reason: &str) -> Transition {
        self.failed_probes = 0;
        self.retry_at = None;
        self.window.clear();
        self.enter(State::Closed, now, reason)
    }

    /// What was counted in one state says nothing in the next.
    fn enter(&mut self, to: State, now: Millis, reason: &str) -> Transition {
        let from = self.state;
        self.failures = 0;
        self.successes = 0;
        self.lease = None;
        self.state = to;
        self.since = now;
        self.generation += 1;
        Transition { at: now, from, to, reason: reason.to_owned() }
    }
}
