//! Whom an exchange asks next, and when it asks another although somebody is under way.

use super::{Exchange, Phase, Step};
use crate::config::{Route, SendMode};
use crate::method::{Effect, Operation};
use crate::select::{self, Bond, Wanted};
use crate::state::isolate::Book;
use crate::time::Millis;
use crate::verdict::Class;

impl<A> Exchange<A> {
    pub(super) fn ask(
        &mut self,
        route: &Route,
        book: &Book,
        operation: &Operation<'_>,
        now: Millis,
    ) -> Step {
        if self.several.is_some() {
            return self.ask_several(route, book, operation, now);
        }
        let kept = self.kept_waiting(route, book, operation, now);
        if !broadcasts(route, operation) && kept.is_none() && !self.under_way.is_empty() {
            return Step::Wait;
        }
        if let Some((endpoint, timeout_ms)) = self.choose(route, book, operation, now) {
            if let Some(class) = kept {
                self.note_kept(class);
            }
            return self.begin(endpoint, timeout_ms, now);
        }
        if !self.under_way.is_empty() {
            return Step::Wait;
        }
        self.phase = Phase::Exhausted;
        Step::Done
    }

    pub(super) fn begin(&mut self, endpoint: usize, timeout_ms: u64, now: Millis) -> Step {
        self.asked.add(endpoint);
        self.under_way.add(endpoint);
        self.asked_at = now;
        Step::Ask { endpoint, timeout_ms }
    }

    /// Why a read asks another endpoint although one is under way, if it does: all that are have gone
    /// silent, or have had `hedge_after_ms` and there is budget. The first good answer is the client's.
    fn kept_waiting(
        &mut self,
        route: &Route,
        book: &Book,
        operation: &Operation<'_>,
        now: Millis,
    ) -> Option<Class> {
        self.wake = None;
        if operation.effect != Effect::Read || self.under_way.is_empty() {
            return None;
        }
        if self.under_way.iter().all(|endpoint| book.suspected(endpoint, now)) {
            return Some(Class::Silent);
        }
        if route.hedge_after_ms == 0 || !book.may_hedge() {
            return None;
        }
        let due = self.asked_at.plus(route.hedge_after_ms);
        self.wake = (now < due).then_some(due);
        self.wake.is_none().then_some(Class::Slow)
    }

    fn note_kept(&mut self, class: Class) {
        let returned = self.attempts.len();
        for endpoint in self.under_way.iter() {
            if self.kept.iter().all(|(known, ..)| *known != endpoint) {
                self.kept.push((endpoint, returned, class));
            }
        }
    }

    /// What an attempt may take: its own limit, or what is left of the whole.
    pub(super) fn timeout_ms(
        &self,
        route: &Route,
        endpoint: usize,
        (method, effect): (&str, Effect),
        now: Millis,
    ) -> u64 {
        let limit_ms = route
            .endpoints
            .get(endpoint)
            .map_or(0, |endpoint| route.attempt_timeout_at_ms(endpoint, method, effect));
        limit_ms.min(self.deadline.since(now))
    }

    /// The next endpoint, and how long its attempt may take.
    pub(super) fn choose(
        &self,
        route: &Route,
        book: &Book,
        operation: &Operation<'_>,
        now: Millis,
    ) -> Option<(usize, u64)> {
        if !broadcasts(route, operation) && self.is_at_cap(route) {
            return None;
        }
        let answered = self.best.has_refusal() || !self.under_way.is_empty();
        let (bond, asked, key) = (self.bond, self.asked, self.key);
        let wanted = Wanted { operation, bond, asked, answered, key };
        let endpoint = select::next(route, book, wanted, now)?;
        let timeout_ms =
            self.timeout_ms(route, endpoint, (operation.method, operation.effect), now);
        (timeout_ms > 0).then_some((endpoint, timeout_ms))
    }

    /// Whether somebody else could be asked if those under way were left. Who has nobody else waits for
    /// them, whatever is said of them: a doubtful answer is more than none.
    pub fn has_other(
        &self,
        route: &Route,
        book: &Book,
        operation: &Operation<'_>,
        now: Millis,
    ) -> bool {
        let (bond, asked, key) = (Bond::Free, self.asked, self.key);
        let wanted = Wanted { operation, bond, asked, answered: self.best.has_refusal(), key };
        !self.is_at_cap(route) && select::next(route, book, wanted, now).is_some()
    }

    fn is_at_cap(&self, route: &Route) -> bool {
        self.attempts.len() + self.under_way.len() >= self.cap(route)
    }

    /// Attempts in all. Those that a quorum asks at once are as one.
    fn cap(&self, route: &Route) -> usize {
        let at_once = self.several.as_ref().map_or(1, |several| several.of);
        usize::try_from(route.max_attempts).unwrap_or(usize::MAX).saturating_add(at_once - 1)
    }

    /// When to ask [`Exchange::step`] again although nothing came back.
    pub fn wake(&self) -> Option<Millis> {
        self.wake.filter(|_| self.waits())
    }
}

/// Whether a send goes to all at once. Under a quorum the first acceptance counts.
fn broadcasts(route: &Route, operation: &Operation<'_>) -> bool {
    let listed = || route.quorum.as_ref().is_some_and(|q| q.compares(operation.method));
    operation.effect == Effect::Send && (route.send == SendMode::Broadcast || listed())
}
