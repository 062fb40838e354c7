//! What a drive does while it waits: takes what comes back, looks whether somebody else should be asked
//! meanwhile, and in the end lets go of what nobody waits for any more.

use super::clock;
use super::drive::{CONCURRENT, Drive};
use super::parcel::{Errand, Parcel};
use super::strays::Strays;
use super::together::{Flight, Landed, Other};
use crate::http::headers::Traced;
use crate::method::Effect;
use crate::state::isolate::Book;
use crate::verdict::Class;

impl Drive<'_, '_> {
    /// Takes what comes back until no item waits for more, or reads have waited long enough to ask
    /// somebody else meanwhile.
    pub(super) async fn land(&mut self, cold: &mut Other) {
        let mut patience = self.patience_ms().map(|ms| self.visit.bells.sleep(ms));
        while self.waits() {
            match self.flight.next_or(&mut [cold, &mut patience]).await {
                Landed::One(delivered) => self.take(&delivered),
                Landed::Other(0) if self.should_leave() => self.leave(),
                Landed::Other(0) => {}
                Landed::Other(_) | Landed::Nothing => break,
            }
        }
    }

    pub(super) fn waits(&self) -> bool {
        self.items.iter().any(|item| item.exchange.waits())
    }

    /// How long reads wait before they look whether somebody else should be asked: the endpoints may
    /// have gone silent, or had their time.
    fn patience_ms(&self) -> Option<u64> {
        let now = clock::now();
        let wakes = self.items.iter().filter_map(|item| item.exchange.wake());
        let wake = wakes.min().map(|at| at.since(now).max(1));
        self.silence_ms().into_iter().chain(wake).min()
    }

    fn silence_ms(&self) -> Option<u64> {
        let to_others = self.route.endpoints.len() > 1 && self.reads_only();
        let patience = |book: &mut Book| {
            self.aloft.iter().filter_map(|(endpoint, _)| book.patience_ms(*endpoint)).min()
        };
        to_others.then(|| self.visit.isolate.book(self.index, patience)).flatten().flatten()
    }

    pub(super) fn reads_only(&self) -> bool {
        self.items.iter().all(|item| item.operation.effect == Effect::Read)
    }

    /// Whether the region's view, just arrived, calls the endpoints asked unfit, and there are others,
    /// or none of these may answer. Only reads leave: a send that is left would be a send whose outcome
    /// nobody knows.
    fn should_leave(&self) -> bool {
        let now = clock::now();
        let mut waiting = self.items.iter().filter(|item| item.exchange.waits());
        let out = self.visit.isolate.book(self.index, |book| {
            let mut asked = self.aloft.iter().map(|(endpoint, _)| *endpoint);
            asked.clone().all(|endpoint| book.kept_out(endpoint, now))
                && (asked.any(|endpoint| book.barred(endpoint, now))
                    || waiting.all(|i| i.exchange.has_other(self.route, book, &i.operation, now)))
        });
        self.reads_only() && out == Some(true)
    }

    fn leave(&mut self) {
        self.flight.clear();
        for (endpoint, items) in std::mem::take(&mut self.aloft) {
            for index in items {
                if let Some(item) = self.items.get_mut(index) {
                    item.exchange.withdrawn(endpoint, Class::BreakerOpen);
                }
            }
            self.note_left(endpoint, Class::BreakerOpen);
        }
    }

    /// An attempt that goes without its answer.
    fn note_left(&mut self, endpoint: usize, class: Class) {
        let ms = clock::now().since(self.visit.arrived);
        self.trace.attempts.push(Traced { endpoint, class, left: true, ms });
    }

    fn why_left(&self, endpoint: usize) -> Class {
        let now = clock::now();
        let silent = self.visit.isolate.book(self.index, |book| book.suspected(endpoint, now));
        if silent == Some(true) { Class::Silent } else { Class::Slow }
    }

    /// A read that is under way elsewhere goes out once more: that is an extra request.
    pub(super) fn note_hedge(&self, parcel: &Parcel) {
        let under_way = |item: &usize| self.aloft.iter().any(|(_, items)| items.contains(item));
        let alone = |item: &usize| self.items.get(*item).is_some_and(|i| !i.exchange.compares());
        let extra = |item: &usize| alone(item) && under_way(item);
        if parcel.errand == Errand::Ask
            && self.effect(&parcel.items) == Effect::Read
            && parcel.items.iter().any(extra)
        {
            self.visit.isolate.book(self.index, Book::note_hedge);
        }
    }

    /// What answers of a quorum are still to come once it is decided is of no use: those requests
    /// end here.
    pub(super) fn give_up_losers(&mut self) {
        let compares = |item: &usize| self.items.get(*item).is_some_and(|i| i.exchange.compares());
        let lost = |items: &[usize]| items.iter().all(compares);
        let kept: Vec<_> = self.aloft.iter().map(|(_, items)| !lost(items)).collect();
        self.flight.keep(&kept);
        for (parcel, kept) in std::mem::take(&mut self.aloft).into_iter().zip(kept) {
            if kept {
                self.aloft.push(parcel);
            } else {
                self.give_up(parcel.0);
            }
        }
    }

    fn give_up(&mut self, endpoint: usize) {
        let ms = clock::now().since(self.visit.arrived);
        self.trace.attempts.push(Traced { endpoint, class: Class::Slow, left: false, ms });
    }

    /// What is still under way when all have their answers goes on to its end: of a broadcast, or
    /// at endpoints that have gone silent.
    pub(super) fn see_off(&mut self) {
        if !self.flight.is_empty() {
            if self.reads_only() {
                for (endpoint, _) in std::mem::take(&mut self.aloft) {
                    self.note_left(endpoint, self.why_left(endpoint));
                }
            }
            let flight = std::mem::replace(&mut self.flight, Flight::new(CONCURRENT));
            let strays = Strays::new(self.visit, self.index, &self.items, flight);
            self.visit.context.wait_until(strays.run());
        }
    }
}
