//! Reports in which minutes pass.

use breakwater::config::{Protocol, Route};
use breakwater::method::{Effect, Operation};
use breakwater::select::{self, Asked, Bond, Wanted};
use breakwater::state::isolate::{Book, Finished, Item};
use breakwater::time::Millis;
use breakwater::verdict::{Class, Gap, LastWord, Next, Signal, Verdict};

use crate::common::{T0, route, throttled, verdict};

/// Two endpoints, of which the first answers with one verdict whenever it is asked.
struct Scene {
    route: Route,
    book: Book,
    first: Verdict,
}

impl Scene {
    fn new(first: Verdict) -> Self {
        let route = route(2, "");
        let book = Book::new(&route, T0);
        Self { route, book, first }
    }

    /// The endpoint that a read goes to first.
    fn read(&mut self, method: &str, now: Millis) -> usize {
        let operation =
            Operation { protocol: Protocol::Evm, method, params: None, effect: Effect::Read };
        let wanted = Wanted {
            operation: &operation,
            bond: Bond::Free,
            asked: Asked::default(),
            answered: false,
        };
        let endpoint = select::next(&self.route, &self.book, wanted, now).unwrap();
        if endpoint == 0 {
            self.answer(method, now);
        }
        endpoint
    }

    fn answer(&mut self, method: &str, now: Millis) {
        let (grant, _) = self.book.permit(0, Effect::Read, now, 3_500).unwrap();
        let items = [Item { method, verdict: self.first }];
        let finished = Finished { endpoint: 0, grant, status: None, ms: 1, items: &items };
        self.book.record(finished, &self.route.breaker, now, 0.5);
    }

    /// How often the first endpoint is asked in so many seconds of a read each 20 ms.
    fn asked_within(&mut self, seconds: u64) -> usize {
        let moments = (0..seconds * 50).map(|n| T0.plus(n * 20));
        moments.filter(|now| self.read("eth_call", *now) == 0).count()
    }
}

#[test]
fn b10_a_month_without_allowance_is_not_asked_for_each_second() {
    let signal = Signal::Account { retry_after_ms: None };
    let quota = verdict(Next::Advance, signal, LastWord::Unavailable, Class::Quota);
    assert_eq!(Scene::new(quota).asked_within(300), 1);
}

#[test]
fn b29_a_method_that_is_missing_for_a_while_is_missed_for_a_while() {
    let missing = verdict(
        Next::Advance,
        Signal::Gap(Gap::Method),
        LastWord::PassOn,
        Class::MethodUnsupported,
    );
    let mut scene = Scene::new(missing);
    assert_eq!(scene.read("eth_getBlockReceipts", T0), 0);
    assert_eq!(scene.read("eth_getBlockReceipts", T0.plus(299_000)), 1);
    assert_eq!(scene.read("eth_call", T0.plus(299_000)), 0);
    assert_eq!(scene.read("eth_getBlockReceipts", T0.plus(301_000)), 0);
}

#[test]
fn b74_each_throttle_rests_longer_than_the_one_before() {
    // 1, 2, 4, 8, 16 and 32 s of rest, one question before each.
    assert_eq!(Scene::new(throttled(None)).asked_within(60), 6);
}
