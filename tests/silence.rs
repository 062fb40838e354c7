//! An endpoint that has gone silent: reads leave it before any timeout, and nothing is held against it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use breakwater::breaker::machine::State;
use breakwater::config::{Protocol, Route, SendMode};
use breakwater::exchange::{Conclusion, Exchange, Step, Word};
use breakwater::method::{Effect, Operation};
use breakwater::state::isolate::{Book, Finished, Item};
use breakwater::time::Millis;
use breakwater::verdict::{Class, Verdict};
use common::{T0, good, route, timeout};

const SILENT: Millis = Millis(T0.0 + 500);

/// Endpoint `a` usually answers within 10 ms; three requests wait for it since `T0`.
fn silent_a(route: &Route) -> Book {
    let mut book = Book::new(route, T0);
    for n in 0..=20 {
        let at = Millis(T0.0 - 1_000 + 20 * n);
        let (grant, _) = book.permit(0, Effect::Read, at, 1_000).unwrap();
        let items = [Item { method: "eth_call", verdict: good() }];
        let finished = Finished { endpoint: 0, grant, status: Some(200), ms: 10, items: &items };
        book.record(finished, &route.breaker, at, 0.5);
    }
    for _ in 0..3 {
        book.permit(0, Effect::Read, T0, 3_500);
    }
    book
}

fn operation(effect: Effect) -> Operation<'static> {
    let method = if effect == Effect::Read { "eth_call" } else { "eth_sendRawTransaction" };
    Operation { protocol: Protocol::Evm, method, params: None, effect }
}

fn word(endpoint: usize, verdict: Verdict) -> Word<&'static str> {
    Word { endpoint, verdict, status: None, answer: Some("good") }
}

fn asked(step: Step) -> Option<usize> {
    if let Step::Ask { endpoint, .. } = step { Some(endpoint) } else { None }
}

#[test]
fn a_read_that_waits_asks_the_next_one_meanwhile() {
    let route = route(2, "");
    let (book, read) = (silent_a(&route), operation(Effect::Read));
    let mut exchange = Exchange::new(T0.plus(9_000));
    let mut fresh = Book::new(&route, T0);
    assert_eq!(asked(exchange.step(&route, &fresh, &read, T0)), Some(0));
    assert_eq!(exchange.step(&route, &book, &read, T0.plus(50)), Step::Wait);
    assert_eq!(asked(exchange.step(&route, &book, &read, SILENT)), Some(1));
    assert_eq!(exchange.step(&route, &book, &read, SILENT), Step::Wait);
    exchange.heard(word(1, good()), Effect::Read, SendMode::Resend);
    let (ended, attempts) = exchange.conclude();
    assert_eq!(
        ended,
        Conclusion::Answer(breakwater::exchange::Passed { endpoint: 1, answer: "good" })
    );
    let told: Vec<_> = attempts.iter().map(|a| (a.endpoint, a.class, a.left)).collect();
    assert_eq!(told, [(0, Class::Silent, true), (1, Class::Ok, false)]);
    assert_eq!(fresh.permit(0, Effect::Read, T0, 1).map(|(_, moved)| moved), Some(None));
}

#[test]
fn who_was_silent_may_still_be_the_first_to_answer() {
    let route = route(2, "");
    let (book, read) = (silent_a(&route), operation(Effect::Read));
    let mut exchange = Exchange::new(T0.plus(9_000));
    exchange.step(&route, &Book::new(&route, T0), &read, T0);
    exchange.step(&route, &book, &read, SILENT);
    exchange.heard(word(1, timeout()), Effect::Read, SendMode::Resend);
    assert_eq!(exchange.step(&route, &book, &read, SILENT), Step::Wait, "nobody else is left");
    exchange.heard(word(0, good()), Effect::Read, SendMode::Resend);
    let (ended, attempts) = exchange.conclude();
    assert!(matches!(ended, Conclusion::Answer(passed) if passed.endpoint == 0));
    assert_eq!(attempts.iter().map(|a| a.class).collect::<Vec<_>>(), [Class::Timeout, Class::Ok]);
}

#[test]
fn new_reads_go_elsewhere_and_sends_do_not_care() {
    let route = route(2, "");
    let book = silent_a(&route);
    for (effect, first) in [(Effect::Read, 1), (Effect::Send, 0)] {
        let mut exchange = Exchange::<()>::new(T0.plus(9_000));
        assert_eq!(asked(exchange.step(&route, &book, &operation(effect), SILENT)), Some(first));
    }
}

#[test]
fn a_send_waits_for_the_end_of_its_attempt() {
    let route = route(2, "");
    let (book, send) = (silent_a(&route), operation(Effect::Send));
    let mut exchange = Exchange::<()>::new(T0.plus(9_000));
    exchange.step(&route, &book, &send, T0);
    assert_eq!(exchange.step(&route, &book, &send, SILENT), Step::Wait);
}

#[test]
fn silence_counts_towards_max_attempts_and_not_for_the_breaker() {
    let route = route(2, r#""max_attempts":1"#);
    let (book, read) = (silent_a(&route), operation(Effect::Read));
    let mut exchange = Exchange::<()>::new(T0.plus(9_000));
    exchange.step(&route, &Book::new(&route, T0), &read, T0);
    assert_eq!(exchange.step(&route, &book, &read, SILENT), Step::Wait);
    assert_eq!(book.breaker(0).unwrap().state(), State::Closed);
    assert_eq!(book.breaker(0).unwrap().consecutive_failures(), 0);
}

#[test]
fn with_nobody_else_it_is_asked_all_the_same() {
    let route = route(1, "");
    let mut exchange = Exchange::<()>::new(T0.plus(9_000));
    let step = exchange.step(&route, &silent_a(&route), &operation(Effect::Read), SILENT);
    assert_eq!(asked(step), Some(0));
}
