//! Exchanges of facilitators: reads that go on, settles that stay unless there is proof.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use breakwater::config::{Route, SendMode, parse};
use breakwater::exchange::{Conclusion, Exchange, Step, Word};
use breakwater::method::{Effect, NO_LIMIT_MS, Operation};
use breakwater::select::Bond;
use breakwater::state::isolate::{Book, Finished, Item};
use breakwater::time::Millis;
use breakwater::verdict::{
    Class, Context, Failure, Next, Outcome, Policy, Reply, Verdict, judge, unverified,
};
use breakwater::x402::call::Call;

use common::T0;

fn route(more: &str) -> Route {
    let list = ["a", "b", "c"]
        .map(|name| format!(r#"{{"name":"{name}","url":"https://{name}.example.org"}}"#))
        .join(",");
    let json = format!(r#"{{"protocol":"x402","endpoints":[{list}]{more}}}"#);
    let config = parse(&[("ROUTE_PAY".to_owned(), json)], &|_| None);
    assert!(config.faults.is_empty(), "{:?}", config.faults);
    config.routes.into_iter().next().unwrap()
}

/// One operation at a route whose breakers are known.
struct Desk {
    route: Route,
    book: Book,
    operation: Operation<'static>,
    exchange: Exchange<&'static str>,
}

impl Desk {
    fn new(call: Call, bond: Bond, more: &str) -> Self {
        let route = route(more);
        let deadline = match call.operation().effect {
            Effect::Once => Millis(u64::MAX),
            Effect::Read | Effect::Send => T0.plus(route.timeouts.total_ms),
        };
        let exchange = Exchange::new(deadline).bonded(bond);
        Self { book: Book::new(&route, T0), route, operation: call.operation(), exchange }
    }

    /// Opens a breaker.
    fn open(mut self, endpoint: usize) -> Self {
        let verdict = self.judged(&Outcome::Failed(Failure::Network));
        for _ in 0..self.route.breaker.trip_after {
            let (grant, _) = self.book.permit(endpoint, Effect::Read, T0, 1).unwrap();
            let items = [Item { method: "verify", verdict }];
            let finished = Finished { endpoint, grant, status: None, ms: 1, items: &items };
            self.book.record(finished, &self.route.breaker, T0, 0.5);
        }
        self
    }

    fn judged(&self, outcome: &Outcome<'_>) -> Verdict {
        let policy =
            Policy { rpc_errors: self.route.rpc_errors, rules: &self.route.rules, endpoint: "a" };
        judge(&self.operation, outcome, &Context::default(), &policy)
    }

    fn step(&mut self) -> Step {
        self.exchange.step(&self.route, &self.book, &self.operation, T0)
    }

    #[track_caller]
    fn asks(&mut self) -> usize {
        let step = self.step();
        let Step::Ask { endpoint, .. } = step else { panic!("{step:?}") };
        endpoint
    }

    fn hears(&mut self, endpoint: usize, outcome: &Outcome<'_>) {
        let verdict = self.judged(outcome);
        self.hears_that(endpoint, verdict);
    }

    fn hears_that(&mut self, endpoint: usize, verdict: Verdict) {
        let word = Word { endpoint, verdict, status: None, answer: Some("body") };
        self.exchange.heard(word, self.operation.effect, SendMode::Resend);
    }

    fn fails(&mut self, endpoint: usize, failure: Failure) {
        self.hears(endpoint, &Outcome::Failed(failure));
    }

    fn ends(mut self) -> (Conclusion<&'static str>, Vec<Class>) {
        assert_eq!(self.step(), Step::Done);
        let (conclusion, attempts) = self.exchange.conclude();
        (conclusion, attempts.iter().map(|attempt| attempt.class).collect())
    }
}

fn reply(status: u16, body: &[u8]) -> Outcome<'_> {
    Outcome::Replied(Reply { status, retry_after: None, edge_error: None, body })
}

#[test]
fn reads_go_on_until_somebody_answers() {
    let mut desk = Desk::new(Call::Verify, Bond::Free, "");
    assert_eq!(desk.asks(), 0);
    desk.fails(0, Failure::Network);
    assert_eq!(desk.asks(), 1);
    desk.hears(1, &reply(302, b""));
    assert_eq!(desk.asks(), 2);
    desk.hears(2, &reply(200, br#"{"isValid":false}"#));
    let (conclusion, classes) = desk.ends();
    assert!(matches!(conclusion, Conclusion::Answer(passed) if passed.endpoint == 2));
    assert_eq!(classes, [Class::Network, Class::Redirect, Class::Ok]);
}

#[test]
fn a_settle_begins_where_it_belongs_whatever_the_breaker_says() {
    for bond in [Bond::Begins(1), Bond::Stays(1)] {
        let mut desk = Desk::new(Call::Settle, bond, r#","when_all_open":"fail""#).open(1);
        let step = desk.step();
        let Step::Ask { endpoint: 1, timeout_ms } = step else { panic!("{step:?}") };
        assert!(timeout_ms > NO_LIMIT_MS / 2, "a settle has no time limit");
    }
}

#[test]
fn a_settle_without_a_home_goes_to_the_first_that_is_well() {
    let mut desk = Desk::new(Call::Settle, Bond::Free, "").open(0);
    assert_eq!(desk.asks(), 1);
}

#[test]
fn only_proof_lets_a_settle_go_on() {
    for failure in [Failure::Network, Failure::BodyBroken, Failure::TooLarge, Failure::ClientGone] {
        let mut desk = Desk::new(Call::Settle, Bond::Begins(1), "");
        desk.asks();
        desk.fails(1, failure);
        assert_eq!(desk.ends().0, Conclusion::Unknown, "{failure:?}");
    }
    let mut desk = Desk::new(Call::Settle, Bond::Begins(1), "");
    desk.asks();
    desk.fails(1, Failure::Unreached);
    assert_eq!(desk.asks(), 0);
    desk.fails(0, Failure::Unreached);
    assert_eq!(desk.asks(), 2);
    desk.fails(2, Failure::Unreached);
    assert_eq!(desk.ends(), (Conclusion::NoAnswer, vec![Class::Unreached; 3]));
}

#[test]
fn a_settle_that_stays_ends_where_it_began() {
    let mut desk = Desk::new(Call::Settle, Bond::Stays(1), "");
    assert_eq!(desk.asks(), 1);
    desk.fails(1, Failure::Unreached);
    assert_eq!(desk.ends(), (Conclusion::NoAnswer, vec![Class::Unreached]));
}

#[test]
fn max_attempts_counts_for_settles_too() {
    let mut desk = Desk::new(Call::Settle, Bond::Begins(2), r#","max_attempts":1"#);
    assert_eq!(desk.asks(), 2);
    desk.fails(2, Failure::Unreached);
    assert_eq!(desk.ends().0, Conclusion::NoAnswer);
}

#[test]
fn what_left_nowhere_ends_it() {
    let mut desk = Desk::new(Call::Settle, Bond::Begins(0), "");
    desk.asks();
    desk.fails(0, Failure::NotSent);
    assert_eq!(desk.ends().0, Conclusion::NoAnswer);
}

#[test]
fn a_settle_is_not_sent_where_nobody_vouches_for_it() {
    let verify = |outcome: &Outcome<'_>| Desk::new(Call::Verify, Bond::Free, "").judged(outcome);
    let mut desk = Desk::new(Call::Settle, Bond::Begins(0), "");
    desk.asks();
    desk.fails(0, Failure::Unreached);
    desk.asks();
    desk.hears_that(1, unverified(&verify(&reply(502, b""))));
    assert_eq!(desk.asks(), 2);
    let no = unverified(&verify(&reply(200, br#"{"isValid":false}"#)));
    assert_eq!(no.next, Next::Stop);
    desk.hears_that(2, no);
    let (conclusion, classes) = desk.ends();
    assert_eq!(conclusion, Conclusion::NoAnswer);
    assert_eq!(classes, [Class::Unreached, Class::ServerError, Class::NotVerified]);
}
