//! Drives exchanges to their conclusions: asks each what it wants next, lets those that want the
//! same endpoint travel together, hands the answers back. At most six upstream requests at a time.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::judge::{self, Judged, Sight};
use super::parcel::{self, Delivered, Errand, Item, Parcel};
use super::strays::Strays;
use super::together::{Flight, Landed, Other};
use super::visit::Visit;
use super::{clock, hand_in, heads, look_up, outlive, plan, record};
use crate::config::Route;
use crate::exchange::{Finding, Word};
use crate::http::headers::{Trace, Traced};
use crate::method::Effect;
use crate::rpc::call::Call;
use crate::state::heads::Head;
use crate::state::isolate::Book;
use crate::verdict::Class;

/// Upstream requests under way at once: Workers let six connections wait for headers.
const CONCURRENT: usize = 6;

/// A client request's exchanges and what they share.
pub(super) struct Drive<'v, 'a> {
    pub(super) visit: &'v Rc<Visit>,
    pub(super) route: &'v Route,
    pub(super) items: Vec<Item<'a>>,
    /// Notifications that ride along with the first parcel.
    pub(super) riders: Vec<&'a Call<'a>>,
    pub(super) trace: Trace,
    pub(super) index: usize,
    budget: usize,
    pub(super) flight: Flight<Delivered>,
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
            aloft: Vec::new(),
        }
    }

    /// Runs every exchange to its end.
    pub(super) async fn run(&mut self) {
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
        if let Some(hand_in) = cold {
            outlive::behind(self.visit, hand_in);
        }
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
            for (index, item) in items.iter_mut().enumerate().filter(|(_, item)| !item.over_budget)
            {
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
        let mut riders = std::mem::take(&mut self.riders);
        for parcel in parcels {
            self.aloft.push((parcel.endpoint, parcel.items.clone()));
            let isolate = &self.visit.isolate;
            self.flight.add(parcel::send(isolate, self.index, parcel, &self.items, &riders));
            riders.clear();
        }
    }

    /// Takes what comes back until no item waits for more, or reads have waited long enough to ask
    /// somebody else meanwhile.
    async fn land(&mut self, cold: &mut Other) {
        let mut patience = self.patience_ms().map(clock::sleep);
        while self.waits() {
            match self.flight.next_or(&mut [cold, &mut patience]).await {
                Landed::One(delivered) => self.take(&delivered),
                Landed::Other(0) if self.should_leave() => self.leave(),
                Landed::Other(0) => {}
                Landed::Other(_) | Landed::Nothing => break,
            }
        }
    }

    fn waits(&self) -> bool {
        self.items.iter().any(|item| item.exchange.waits())
    }

    /// How long reads wait before they look whether the endpoints asked have gone silent.
    fn patience_ms(&self) -> Option<u64> {
        let to_others = self.route.endpoints.len() > 1 && self.reads_only();
        let patience = |book: &mut Book| {
            self.aloft.iter().filter_map(|(endpoint, _)| book.patience_ms(*endpoint)).min()
        };
        to_others.then(|| self.visit.isolate.book(self.index, patience)).flatten().flatten()
    }

    fn reads_only(&self) -> bool {
        self.items.iter().all(|item| item.operation.effect == Effect::Read)
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
    fn effect(&self, items: &[usize]) -> Effect {
        let effects =
            items.iter().filter_map(|index| Some(self.items.get(*index)?.operation.effect));
        effects.into_iter().find(|effect| *effect != Effect::Read).unwrap_or(Effect::Read)
    }

    /// Whether the region's view, just arrived, calls the endpoints asked unfit. Only reads leave: a
    /// send that is left would be a send whose outcome nobody knows.
    fn should_leave(&self) -> bool {
        let now = clock::now();
        let out = self.visit.isolate.book(self.index, |book| {
            self.aloft.iter().all(|(endpoint, _)| book.kept_out(*endpoint, now))
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
            let now = clock::now();
            let ms = now.since(self.visit.arrived);
            self.visit.isolate.book(self.index, |book| book.given_up(endpoint, ms, now));
        }
    }

    /// An attempt that goes without its answer.
    fn note_left(&mut self, endpoint: usize, class: Class) {
        let ms = clock::now().since(self.visit.arrived);
        self.trace.attempts.push(Traced { endpoint, class, left: true, ms });
    }

    /// What a parcel brought goes to the book and the exchanges.
    fn take(&mut self, delivered: &Delivered) {
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
            if let Some(item) = self.items.get_mut(judged.item) {
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
        let shown = |judged: &Judged| {
            let item = self.items.get(judged.item)?;
            heads::shown(&item.operation, judged.held.as_ref()?)
        };
        if let Some(number) = judged.iter().filter_map(shown).max() {
            let head = Head { number, at: clock::now() };
            self.visit.isolate.book(self.index, |book| book.heads.note(endpoint, head));
        }
    }

    /// What is still under way when all have their answers goes on to its end: of a broadcast, or
    /// at endpoints that have gone silent.
    fn see_off(&mut self) {
        if !self.flight.is_empty() {
            if self.reads_only() {
                for (endpoint, _) in std::mem::take(&mut self.aloft) {
                    self.note_left(endpoint, Class::Silent);
                }
            }
            let flight = std::mem::replace(&mut self.flight, Flight::new(CONCURRENT));
            let strays = Strays::new(self.visit, self.index, &self.items, flight);
            outlive::behind(self.visit, Box::pin(strays.run()));
        }
    }
}
