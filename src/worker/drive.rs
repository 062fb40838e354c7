//! Drives exchanges to their conclusions: asks each what it wants next, lets those that want the
//! same endpoint travel together, hands the answers back. At most six upstream requests at a time.

use std::collections::BTreeMap;

use super::clock;
use super::judge::{self, Judged, Sight};
use super::log;
use super::parcel::{self, Delivered, Item, Parcel};
use super::together::{Boxed, First, first, together};
use super::visit::Visit;
use crate::config::Route;
use crate::exchange::{Step, Word};
use crate::http::headers::{Trace, Traced};
use crate::method::Effect;
use crate::rpc::call::Call;
use crate::state::heads::Head;
use crate::state::isolate::{Book, Finished, Item as Counted, News};
use crate::state::region::Logged;
use crate::verdict::Class;

/// Upstream requests under way at once: Workers let six connections wait for headers.
const CONCURRENT: usize = 6;

type HandIn = Boxed<'static, ()>;

/// A client request's exchanges and what they share.
pub(super) struct Drive<'v, 'a> {
    pub(super) visit: &'v Visit,
    pub(super) route: &'v Route,
    pub(super) items: Vec<Item<'a>>,
    /// Notifications that ride along with the first parcel.
    pub(super) riders: Vec<&'a Call<'a>>,
    pub(super) trace: Trace,
    index: usize,
    budget: usize,
}

impl<'v, 'a> Drive<'v, 'a> {
    pub(super) fn new(visit: &'v Visit, route: &'v Route, items: Vec<Item<'a>>) -> Self {
        Self {
            visit,
            route,
            items,
            riders: Vec::new(),
            trace: Trace::default(),
            index: visit.isolate.index(route),
            budget: usize::try_from(route.limits.max_subrequests).unwrap_or(usize::MAX),
        }
    }

    /// Runs every exchange to its end.
    pub(super) async fn run(&mut self) {
        self.visit.isolate.book(self.index, Book::note_use);
        let mut cold = self.cold_hand_in();
        loop {
            let parcels = self.plan();
            if parcels.is_empty() {
                break;
            }
            let riders = std::mem::take(&mut self.riders);
            self.round(parcels, riders, &mut cold).await;
        }
        if let Some(hand_in) = cold {
            self.visit.context.wait_until(hand_in);
        }
        self.hand_in_when_due();
        self.trace.total_ms = clock::now().since(self.visit.arrived);
    }

    /// A cold isolate's hand-in starts together with its first attempt.
    fn cold_hand_in(&self) -> Option<HandIn> {
        let line = self.visit.line(self.route)?;
        let now = clock::now();
        let start = |book: &mut Book| book.schedule.cold(now) && book.schedule.due(now, false);
        let cold = self.visit.isolate.book(self.index, start)?;
        cold.then(|| Box::pin(line.hand_in()) as HandIn)
    }

    /// The next upstream requests; items that want the same endpoint share one, up to its limit.
    fn plan(&mut self) -> Vec<Parcel> {
        let now = clock::now();
        let (route, items) = (self.route, &mut self.items);
        let mut together: BTreeMap<(bool, usize), (u64, Vec<usize>)> = BTreeMap::new();
        self.visit.isolate.book(self.index, |book| {
            for (index, item) in items.iter_mut().enumerate().filter(|(_, item)| !item.over_budget)
            {
                let (look_up, endpoint, timeout_ms) =
                    match item.exchange.step(route, book, &item.operation, now) {
                        Step::Ask { endpoint, timeout_ms } => (false, endpoint, timeout_ms),
                        Step::LookUp { endpoint, timeout_ms } => (true, endpoint, timeout_ms),
                        Step::Done => continue,
                    };
                let entry = together.entry((look_up, endpoint)).or_default();
                entry.0 = entry.0.max(timeout_ms);
                entry.1.push(index);
            }
        });
        let mut parcels: Vec<_> = together
            .into_iter()
            .flat_map(|(to, (timeout_ms, items))| split(self.route, to, timeout_ms, &items))
            .collect();
        self.cut_to_budget(&mut parcels);
        parcels
    }

    /// Items beyond the client request's share of upstream requests are not sent.
    fn cut_to_budget(&mut self, parcels: &mut Vec<Parcel>) {
        for parcel in parcels.drain(self.budget.min(parcels.len())..) {
            for index in parcel.items {
                if let Some(item) = self.items.get_mut(index) {
                    item.over_budget = true;
                }
            }
        }
        self.budget -= parcels.len();
    }

    async fn round(
        &mut self,
        mut parcels: Vec<Parcel>,
        riders: Vec<&'a Call<'a>>,
        cold: &mut Option<HandIn>,
    ) {
        self.admit(&mut parcels);
        let endpoints: Vec<_> = parcels.iter().map(|p| (p.endpoint, p.items.clone())).collect();
        let delivered = {
            let (route, items) = (self.route, &self.items);
            let sent = parcels.into_iter().enumerate().map(|(nth, parcel)| {
                let riders = if nth == 0 { riders.as_slice() } else { &[] };
                Box::pin(parcel::send(route, parcel, items, riders)) as Boxed<'_, Delivered>
            });
            let mut sent: Boxed<'_, _> = Box::pin(together(sent.collect(), CONCURRENT));
            match cold {
                None => Some(sent.await),
                Some(hand_in) => match first(&mut sent, hand_in).await {
                    First::Main(delivered) => Some(delivered),
                    First::Other => {
                        *cold = None;
                        if self.should_leave(&endpoints) { None } else { Some(sent.await) }
                    }
                },
            }
        };
        match delivered {
            Some(delivered) => delivered.iter().for_each(|parcel| self.take(parcel)),
            None => self.leave(&endpoints),
        }
    }

    /// Each parcel gets its permit just before it goes.
    fn admit(&self, parcels: &mut [Parcel]) {
        let now = clock::now();
        for parcel in parcels.iter_mut().filter(|parcel| !parcel.look_up) {
            let admitted = self
                .visit
                .isolate
                .book(self.index, |book| book.permit(parcel.endpoint, now, parcel.timeout_ms));
            if let Some((permit, moved)) = admitted.flatten() {
                parcel.permit = Some(permit);
                if let Some(moved) = moved {
                    self.tell_move(&moved);
                }
            }
        }
    }

    /// Whether the region's view, just arrived, calls the endpoints asked unfit. Only reads leave: a
    /// send that is left would be a send whose outcome nobody knows.
    fn should_leave(&self, endpoints: &[(usize, Vec<usize>)]) -> bool {
        let now = clock::now();
        let reads = self.items.iter().all(|item| item.operation.effect == Effect::Read);
        let out = self.visit.isolate.book(self.index, |book| {
            endpoints.iter().all(|(endpoint, _)| book.kept_out(*endpoint, now))
        });
        reads && out == Some(true)
    }

    fn leave(&mut self, endpoints: &[(usize, Vec<usize>)]) {
        for (endpoint, items) in endpoints {
            for index in items {
                if let Some(item) = self.items.get_mut(*index) {
                    item.exchange.withdrawn(*endpoint, Class::BreakerOpen);
                }
            }
            self.trace.attempts.push(Traced {
                endpoint: *endpoint,
                class: Class::BreakerOpen,
                left: true,
                ms: clock::now().since(self.visit.arrived),
            });
        }
    }

    /// Judges what a parcel brought and tells the book and the exchanges.
    fn take(&mut self, delivered: &Delivered) {
        if delivered.parcel.look_up {
            return self.take_look_up(delivered);
        }
        let judged = self.judge(delivered);
        let (parcel, arrival) = (&delivered.parcel, &delivered.arrival);
        let counted: Vec<_> = judged
            .iter()
            .filter_map(|judged| {
                let method = self.items.get(judged.item)?.operation.method;
                Some(Counted { method, verdict: judged.verdict })
            })
            .collect();
        if let Some(permit) = parcel.permit {
            let finished = Finished {
                endpoint: parcel.endpoint,
                permit,
                status: arrival.status,
                ms: arrival.ms,
                items: &counted,
            };
            self.record(finished);
        }
        let class = judged.first().map_or(Class::Unknown, |judged| judged.verdict.class);
        self.trace.attempts.push(Traced {
            endpoint: parcel.endpoint,
            class,
            left: false,
            ms: arrival.ms,
        });
        for judged in judged {
            let word = Word {
                endpoint: parcel.endpoint,
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
        let method = |item: usize| self.items.get(item).map_or("", |item| item.operation.method);
        let heads = judged.iter().filter_map(|judged| judge::head(method(judged.item), judged));
        if let Some(number) = heads.max() {
            let head = Head { number, at: clock::now() };
            self.visit.isolate.book(self.index, |book| book.heads.note(endpoint, head));
        }
    }

    fn take_look_up(&mut self, delivered: &Delivered) {
        let found = judge::found(delivered);
        for index in &delivered.parcel.items {
            if let Some(item) = self.items.get_mut(*index) {
                item.exchange.looked_up(found);
            }
        }
    }

    fn record(&self, finished: Finished<'_>) {
        let (now, draw) = (clock::now(), clock::draw());
        let news = self
            .visit
            .isolate
            .book(self.index, |book| book.record(finished, &self.route.breaker, now, draw));
        let name = self.route.endpoints.get(finished.endpoint).map(|e| &*e.name);
        for news in news.unwrap_or_default() {
            self.tell(&news, name.unwrap_or_default());
        }
    }

    fn tell(&self, news: &News, endpoint: &str) {
        let route = &self.route.name;
        match news {
            News::Moved(moved) => self.tell_move(moved),
            News::Account => {
                log::alert(route, Some(endpoint), "account trouble: key, plan or quota");
            }
            News::WrongChain => log::alert(route, Some(endpoint), "serves another chain"),
        }
    }

    /// A breaker of the isolate's own is an event only where no region's object tells of it.
    fn tell_move(&self, moved: &Logged) {
        if self.visit.line(self.route).is_none() {
            log::breaker(&self.route.name, moved);
        }
    }

    /// After the answer, in the background.
    fn hand_in_when_due(&self) {
        let now = clock::now();
        log::due_hops(self.visit, now);
        let due =
            self.visit.isolate.book(self.index, |book| book.schedule.due(now, book.troubled(now)));
        if let (Some(true), Some(line)) = (due, self.visit.line(self.route)) {
            self.visit.context.wait_until(line.hand_in());
        }
    }
}

/// One parcel per `batch_max` items of the endpoint; look-ups go one by one.
fn split(
    route: &Route,
    (look_up, endpoint): (bool, usize),
    timeout_ms: u64,
    items: &[usize],
) -> Vec<Parcel> {
    let limit = route.endpoints.get(endpoint).and_then(|endpoint| endpoint.batch_max);
    let limit = if look_up { 1 } else { limit.map_or(usize::MAX, |max| max as usize) };
    let parcel = |items: &[usize]| Parcel {
        endpoint,
        timeout_ms,
        items: items.to_vec(),
        look_up,
        permit: None,
    };
    items.chunks(limit.max(1)).map(parcel).collect()
}
