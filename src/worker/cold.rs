//! What a cold isolate does about not knowing: it asks the region while the first attempt is under
//! way, and leaves that attempt when the region knows better.

use super::clock;
use super::drive::Drive;
use super::together::Boxed;
use crate::http::headers::Traced;
use crate::method::Effect;
use crate::state::isolate::Book;
use crate::verdict::Class;

pub(super) type HandIn = Boxed<'static, ()>;

impl Drive<'_, '_> {
    /// A cold isolate's hand-in starts together with its first attempt.
    pub(super) fn cold_hand_in(&self) -> Option<HandIn> {
        let line = self.visit.line(self.route)?;
        let now = clock::now();
        let start = |book: &mut Book| book.schedule.cold(now) && book.schedule.due(now, false);
        let cold = self.visit.isolate.book(self.index, start)?;
        cold.then(|| Box::pin(line.hand_in()) as HandIn)
    }

    /// Whether an old word of the operator's leaves nobody to ask: only then a request waits for the
    /// region's new one.
    pub(super) fn shut_by_old_word(&self) -> bool {
        let now = clock::now();
        let shut = |book: &mut Book| book.shut_by_old_word(now);
        self.visit.isolate.book(self.index, shut).unwrap_or_default()
    }

    /// Whether the region's view, just arrived, calls the endpoints asked unfit. Only reads leave: a
    /// send that is left would be a send whose outcome nobody knows.
    pub(super) fn should_leave(&self) -> bool {
        let now = clock::now();
        let reads = self.items.iter().all(|item| item.operation.effect == Effect::Read);
        let out = self.visit.isolate.book(self.index, |book| {
            self.aloft.iter().all(|(endpoint, _)| book.kept_out(*endpoint, now))
        });
        reads && out == Some(true)
    }

    pub(super) fn leave(&mut self) {
        self.flight.clear();
        for (endpoint, items) in std::mem::take(&mut self.aloft) {
            for index in items {
                if let Some(item) = self.items.get_mut(index) {
                    item.exchange.withdrawn(endpoint, Class::BreakerOpen);
                }
            }
            let ms = clock::now().since(self.visit.arrived);
            self.trace.attempts.push(Traced {
                endpoint,
                class: Class::BreakerOpen,
                left: true,
                ms,
            });
        }
    }
}
