//! Drives exchanges to their conclusions: asks each what it wants next, lets those that want the
//! same endpoint travel together, hands the answers back. At most six upstream requests at a time.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::heads::Shown;
use super::judge::{self, Judged, Sight};
use super::parcel::{self, Delivered, Errand, Held, Item, Parcel};
use super::together::Flight;
use super::visit::Visit;
use super::{clock, hand_in, heads, look_up, plan, record};
use crate::config::Route;
use crate::exchange::{Finding, Word};
use crate::http::headers::{Trace, Traced};
use crate::method::{Effect, Operation};
use crate::rpc::call::Call;
use crate::state::isolate::Book;
use crate::verdict::Class;

/// Upstream requests under way at once: Workers let six connections wait for headers.
pub(super) const CONCURRENT: usize = 6;

/// So many attempts, one at a time, may end without their endpoints' hearing of it: each keeps one of
/// those connections until the client's request is over.
const UNABORTED: usize = 2;

/// A client request's exchanges and what they share.
pub(super) struct Drive<'v, 'a> {
    pub(super) visit: &'v Rc<Visit>,
    pub(super) route: &'v Route,
    pub(super) items: Vec<Item<'a>>,
    /// Notifications that ride along with the first parcel.
    pub(super) riders: Vec<&'a Call<'a>>,
    pub(super) trace: Trace,
    pub(super) index: usize,
    pub(super) budget: usize,
    pub(super) flight: Flight<Delivered>,
    /// Attempts that keep their connection when they are given up.
    unaborted: usize,
    /// Endpoint and items of each parcel that is under way.
    pub(super) aloft: Vec<(usize, Vec<usize>)>,
}

impl<'v, 'a> Drive<'v, 'a> {
    pub(super) fn new(visit: &'v Rc<Visit>, route: &'v Route, items: Vec<Item<'a>>) -> Self {
        Self {
            visit,
            route,
            items,
            riders: Vec::new(),
            trace: Trace::default(),
            index: visit.isolate.index(route),
            budget: usize::try_from(route.limits.max_subrequests).unwrap_or(usize::MAX),
            flight: Flight::new(CONCURRENT),
            unaborted: 0,
            aloft: Vec::new(),
        }
    }

    /// Goes on where another has begun for the same client request.
    pub(super) fn go_on(&mut self, trace: Trace) {
        self.budget = self.budget.saturating_sub(trace.attempts.len());
        self.trace = trace;
    }

    /// Runs every exchange to its end.
    pub(super) async fn run(&mut self) {
        let now = clock::now();
        self.visit.isolate.book(self.index, |book| book.rate(self.route, now));
        let mut cold = hand_in::begin(self.visit, self.route);
        if hand_in::shut_by_old_word(self.visit, self.route)
            && let Some(hand_in) = cold.take()
        {
            hand_in.await;
        }
        loop {
            let parcels = self.plan();
            if parcels.is_empty() && (self.flight.is_empty() || !self.waits()) {
                break;
            }
            self.dispatch(parcels);
            self.land(&mut cold).await;
        }
        self.give_up_losers();
        self.see_off();
        record::writes(self.visit, self.route, &self.items);
        hand_in::when_due(self.visit, self.route);
        self.trace.total_ms = clock::now().since(self.visit.arrived);
    }

    /// The next upstream requests; items that want the same endpoint share one, up to its limit.
    fn plan(&mut self) -> Vec<Parcel> {
        let now = clock::now();
        let (route, items) = (self.route, &mut self.items);
        let mut together: BTreeMap<(Errand, usize), (u64, Vec<usize>)> = BTreeMap::new();
        self.visit.isolate.book(self.index, |book| {
            for (index, item) in items.iter_mut().enumerate().filter(|(_, item)| item.is_open()) {
                while let Some((errand, endpoint, timeout_ms)) =
                    plan::next_of(item, route, book, now)
                {
                    let entry = together.entry((errand, endpoint)).or_default();
                    entry.0 = entry.0.max(timeout_ms);
                    entry.1.push(index);
                }
            }
        });
        let mut parcels: Vec<_> = together
            .into_iter()
            .flat_map(|(to, (timeout_ms, items))| plan::split(self.route, to, timeout_ms, &items))
            .collect();
        self.cut_to_budget(&mut parcels);
        parcels
    }

    /// Items beyond the client request's share of upstream requests are not sent.
    fn cut_to_budget(&mut self, parcels: &mut Vec<Parcel>) {
        for parcel in parcels.drain(self.budget.min(parcels.len())..) {
            for index in parcel.items {
                let Some(item) = self.items.get_mut(index) else { continue };
                match parcel.errand {
                    Errand::Ask => {
                        item.over_budget = true;
                        item.exchange.not_made(parcel.endpoint);
                    }
                    Errand::LookUp => item.exchange.looked_up(parcel.endpoint, Finding::Silent),
                    Errand::Receipt => item.exchange.received(parcel.endpoint, None),
                }
            }
        }
        self.budget -= parcels.len();
    }

    fn dispatch(&mut self, mut parcels: Vec<Parcel>) {
        self.admit(&mut parcels);
        if let [lone] = parcels.as_mut_slice()
            && self.unaborted < UNABORTED
        {
            lone.aborts = false;
            self.unaborted += 1;
            self.flight.limit(CONCURRENT - self.unaborted);
        }
        let mut riders = std::mem::take(&mut self.riders);
        for parcel in parcels {
            self.note_hedge(&parcel);
            self.aloft.push((parcel.endpoint, parcel.items.clone()));
            let Visit { isolate, bells, .. } = &**self.visit;
            self.flight.add(parcel::send(isolate, bells, self.index, parcel, &self.items, &riders));
            riders.clear();
        }
    }

    /// Each parcel gets its permit just before it goes.
    fn admit(&self, parcels: &mut [Parcel]) {
        let now = clock::now();
        for parcel in parcels.iter_mut().filter(|parcel| parcel.errand == Errand::Ask) {
            let effect = self.effect(&parcel.items);
            let admitted = self.visit.isolate.book(self.index, |book| {
                book.permit(parcel.endpoint, effect, now, parcel.timeout_ms)
            });
            if let Some((grant, moved)) = admitted.flatten() {
                parcel.grant = Some(grant);
                if let Some(moved) = moved {
                    record::moved(self.visit, self.route, &moved);
                }
            }
        }
    }

    /// Of what travels together: a read only if all are.
    pub(super) fn effect(&self, items: &[usize]) -> Effect {
        let effects =
            items.iter().filter_map(|index| Some(self.items.get(*index)?.operation.effect));
        effects.into_iter().find(|effect| *effect != Effect::Read).unwrap_or(Effect::Read)
    }

    /// What a parcel brought goes to the book and the exchanges.
    pub(super) fn take(&mut self, delivered: &Delivered) {
        let Parcel { endpoint, ref items, errand, .. } = delivered.parcel;
        self.aloft.retain(|(to, carried)| (*to, carried) != (endpoint, items));
        match errand {
            Errand::Ask => self.take_answers(delivered),
            Errand::LookUp => {
                let finding = look_up::finding(delivered);
                self.tell(items, |item| item.exchange.looked_up(endpoint, finding));
            }
            Errand::Receipt => self.tell(items, |item| {
                let receipt = look_up::receipt(delivered, item);
                item.exchange.received(endpoint, receipt);
            }),
        }
    }

    fn tell(&mut self, items: &[usize], tell: impl Fn(&mut Item<'_>)) {
        for index in items {
            if let Some(item) = self.items.get_mut(*index) {
                tell(item);
            }
        }
    }

    fn take_answers(&mut self, delivered: &Delivered) {
        let (endpoint, arrival) = (delivered.parcel.endpoint, &delivered.arrival);
        let judged = self.judge(delivered);
        record::parcel(self.visit, self.route, &self.items, delivered, &judged);
        let class = judged.first().map_or(Class::Unknown, |judged| judged.verdict.class);
        self.trace.attempts.push(Traced { endpoint, class, left: false, ms: arrival.ms });
        for judged in judged {
            let word = Word {
                endpoint,
                verdict: judged.verdict,
                status: arrival.status,
                answer: judged.held,
            };
            let Some(item) = self.items.get_mut(judged.item) else { continue };
            if item.exchange.compares() {
                let paper = item.paper(word.answer.as_ref(), &word.verdict);
                item.exchange.heard_paper(word, paper);
            } else {
                item.exchange.heard(word, item.operation.effect, self.route.send);
            }
        }
    }

    /// Judges by the heads known, and again where an answer itself showed that its endpoint lags.
    fn judge(&self, delivered: &Delivered) -> Vec<Judged> {
        let endpoint = delivered.parcel.endpoint;
        let sight = self.sight(endpoint);
        let judged = judge::parcel(self.route, &self.items, delivered, sight);
        self.note_heads(endpoint, &judged);
        let after = self.sight(endpoint);
        if after.lags == sight.lags {
            return judged;
        }
        judge::parcel(self.route, &self.items, delivered, after)
    }

    fn sight(&self, endpoint: usize) -> Sight {
        let sight = |book: &mut Book| Sight::of(self.route, book, endpoint);
        self.visit.isolate.book(self.index, sight).unwrap_or_default()
    }

    fn note_heads(&self, endpoint: usize, judged: &[Judged]) {
        let of = |judged: &Judged, shown: fn(&Operation<'_>, &Held) -> Option<u64>| {
            shown(&self.items.get(judged.item)?.operation, judged.held.as_ref()?)
        };
        let newest = |shown| judged.iter().filter_map(|judged| of(judged, shown)).max();
        let shown = Shown {
            head: newest(heads::shown),
            height: newest(heads::shown_height),
            finalized: newest(heads::shown_finalized),
        };
        if shown != Shown::default() {
            let at = clock::now();
            self.visit.isolate.book(self.index, |book| heads::note(book, endpoint, shown, at));
        }
    }
}
