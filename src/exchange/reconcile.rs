//! What an exchange does about a send beyond asking: look-ups of its hash, and its receipt.

use super::look_up::{Course, Finding, LookUp};
use super::{Conclusion, Exchange, Passed, Phase, Receipt, Step};
use crate::config::Route;
use crate::method::{Effect, Operation};
use crate::select::{self, Bond, Wanted};
use crate::state::isolate::Book;
use crate::time::Millis;

/// The look-up of a hash.
pub const LOOK_UP: &str = "eth_getTransactionByHash";
/// The look-up of a receipt.
pub const RECEIPT: &str = "eth_getTransactionReceipt";

impl<A> Exchange<A> {
    /// When all that was under way is back, a refusal is the answer, or a reason to look the hash up.
    pub(super) fn settle(&mut self) {
        if !matches!(self.phase, Phase::Refused(_)) || !self.under_way.is_empty() {
            return;
        }
        let phase = std::mem::replace(&mut self.phase, Phase::Exhausted);
        if let Phase::Refused(refusal) = phase {
            if self.open.is_empty() {
                self.give(refusal.endpoint, refusal.answer);
            } else {
                self.phase = Phase::LookingUp(LookUp::new(refusal, self.open));
            }
        }
    }

    pub(super) fn look_up(
        &mut self,
        route: &Route,
        book: &Book,
        operation: &Operation<'_>,
        now: Millis,
    ) -> Step {
        let Phase::LookingUp(look_up) = &self.phase else {
            return Step::Done;
        };
        let endpoint = match look_up.course() {
            Course::Ask(endpoint) => Some(endpoint),
            Course::Wait => return Step::Wait,
            Course::Refused => return self.stand(),
            Course::AskOthers => {
                let asked = look_up.asked();
                let bond = Bond::Free;
                let wanted = Wanted { operation, bond, asked, answered: true, key: self.key };
                select::next(route, book, wanted, now)
            }
        };
        self.look_at(endpoint, route, now)
    }

    /// Asks this one; with nobody left, or no time, nobody can tell.
    fn look_at(&mut self, endpoint: Option<usize>, route: &Route, now: Millis) -> Step {
        let timeout = |endpoint| self.timeout_ms(route, endpoint, (LOOK_UP, Effect::Read), now);
        let next = endpoint.map(|endpoint| (endpoint, timeout(endpoint)));
        match (&mut self.phase, next.filter(|(_, timeout_ms)| *timeout_ms > 0)) {
            (Phase::LookingUp(look_up), Some((endpoint, timeout_ms))) => {
                look_up.ask(endpoint);
                Step::LookUp { endpoint, timeout_ms }
            }
            (Phase::LookingUp(look_up), None) if look_up.waits() => Step::Wait,
            _ => {
                self.phase = Phase::Over(Conclusion::Unknown);
                Step::Done
            }
        }
    }

    /// The transaction is nowhere: the refusal is the answer.
    fn stand(&mut self) -> Step {
        if let Phase::LookingUp(look_up) = std::mem::replace(&mut self.phase, Phase::Exhausted) {
            self.give(look_up.refusal.endpoint, look_up.refusal.answer);
        }
        Step::Done
    }

    /// Takes what the look-up of the transaction's hash showed.
    pub fn looked_up(&mut self, endpoint: usize, finding: Finding) {
        let Phase::LookingUp(look_up) = &mut self.phase else {
            return;
        };
        if finding == Finding::Found {
            self.taken_by = Some(endpoint);
            self.phase = Phase::Over(Conclusion::Accepted { endpoint });
        } else {
            look_up.hear(endpoint, finding);
        }
    }

    /// Asks the endpoint that has the transaction for its receipt, once.
    pub(super) fn receipt(&mut self, endpoint: usize, route: &Route, now: Millis) -> Step {
        let timeout_ms = self.timeout_ms(route, endpoint, (RECEIPT, Effect::Read), now);
        match self.receipt {
            Receipt::UnderWay => Step::Wait,
            Receipt::NotAsked if timeout_ms > 0 => {
                self.receipt = Receipt::UnderWay;
                Step::Receipt { endpoint, timeout_ms }
            }
            Receipt::NotAsked | Receipt::Asked => Step::Done,
        }
    }

    /// Takes the receipt, if there is one.
    pub fn received(&mut self, endpoint: usize, receipt: Option<A>) {
        self.receipt = Receipt::Asked;
        if let Some(answer) = receipt {
            self.phase = Phase::Over(Conclusion::Answer(Passed { endpoint, answer }));
        }
    }
}
