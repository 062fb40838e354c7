//! Moves on somebody else's word: the region's, other isolates', the operator's.

use super::{Breaker, State, Transition};
use crate::config::BreakerPolicy;
use crate::time::Millis;

impl Breaker {
    /// Opens it; no change when it is not closed.
    pub fn trip(
        &mut self,
        now: Millis,
        reason: &str,
        policy: &BreakerPolicy,
        draw: f64,
    ) -> Option<Transition> {
        (self.state == State::Closed).then(|| self.open(now, reason, policy, draw))
    }

    /// Closes it; no change when it is closed.
    pub fn close(&mut self, now: Millis, reason: &str) -> Option<Transition> {
        (self.state != State::Closed).then(|| self.shut(now, reason))
    }

    /// Opens it from wherever it stands; no change when it is open.
    pub fn force_open(
        &mut self,
        now: Millis,
        reason: &str,
        policy: &BreakerPolicy,
        draw: f64,
    ) -> Option<Transition> {
        (self.state != State::Open).then(|| self.open(now, reason, policy, draw))
    }

    /// Closes it. The generation moves even if it is closed, so that what was said before is of the
    /// past.
    pub fn force_close(&mut self, now: Millis, reason: &str) -> Option<Transition> {
        let was_closed = self.state == State::Closed;
        let since = self.since;
        let moved = self.shut(now, reason);
        if was_closed {
            self.since = since;
            return None;
        }
        Some(moved)
    }

    /// Makes it a new one, closed, of a later generation.
    pub fn reset(&mut self, now: Millis, reason: &str) -> Option<Transition> {
        let moved = self.force_close(now, reason);
        *self = Self { generation: self.generation, leases: self.leases, ..Self::new(now) };
        moved
    }
}
