//! A read whose endpoint is late asks the next one meanwhile, as far as the budget goes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use breakwater::config::{Protocol, Route, SendMode};
use breakwater::exchange::{Conclusion, Exchange, Step, Word};
use breakwater::method::{Effect, Operation};
use breakwater::state::isolate::Book;
use breakwater::time::Millis;
use breakwater::verdict::{Class, Verdict};
use common::{T0, good, route, timeout};

const HEDGED: &str = r#""hedge_after_ms":300"#;
const DUE: Millis = Millis(T0.0 + 300);

fn operation(effect: Effect) -> Operation<'static> {
    let method = if effect == Effect::Read { "eth_call" } else { "eth_sendRawTransaction" };
    Operation { protocol: Protocol::Evm, method, params: None, effect }
}

fn asked(step: Step) -> Option<usize> {
    if let Step::Ask { endpoint, .. } = step { Some(endpoint) } else { None }
}

fn word(endpoint: usize, verdict: Verdict) -> Word<usize> {
    Word { endpoint, verdict, status: None, answer: Some(endpoint) }
}

fn exchange() -> Exchange<usize> {
    Exchange::new(T0.plus(9_000))
}

/// One that waits for its first endpoint.
fn waiting(route: &Route, book: &Book, effect: Effect) -> Exchange<usize> {
    let mut exchange = exchange();
    assert_eq!(asked(exchange.step(route, book, &operation(effect), T0)), Some(0));
    assert_eq!(exchange.step(route, book, &operation(effect), T0), Step::Wait);
    exchange
}

#[test]
fn the_next_is_asked_when_the_time_is_up_and_the_first_good_answer_wins() {
    let route = route(3, HEDGED);
    let (book, read) = (Book::new(&route, T0), operation(Effect::Read));
    for (first, told) in
        [(1, vec![(0, Class::Slow, true), (1, Class::Ok, false)]), (0, vec![(0, Class::Ok, false)])]
    {
        let mut exchange = waiting(&route, &book, Effect::Read);
        assert_eq!(exchange.wake(), Some(DUE));
        assert_eq!(exchange.step(&route, &book, &read, T0.plus(299)), Step::Wait);
        assert_eq!(asked(exchange.step(&route, &book, &read, DUE)), Some(1));
        exchange.heard(word(first, good()), Effect::Read, SendMode::Resend);
        assert_eq!(exchange.wake(), None);
        let (ended, attempts) = exchange.conclude();
        assert!(matches!(ended, Conclusion::Answer(passed) if passed.endpoint == first));
        assert_eq!(
            attempts.iter().map(|a| (a.endpoint, a.class, a.left)).collect::<Vec<_>>(),
            told
        );
    }
}

#[test]
fn an_answer_that_is_not_good_does_not_win() {
    let route = route(2, HEDGED);
    let (book, read) = (Book::new(&route, T0), operation(Effect::Read));
    let mut exchange = waiting(&route, &book, Effect::Read);
    exchange.step(&route, &book, &read, DUE);
    exchange.heard(word(1, timeout()), Effect::Read, SendMode::Resend);
    assert_eq!(exchange.step(&route, &book, &read, DUE), Step::Wait);
    exchange.heard(word(0, good()), Effect::Read, SendMode::Resend);
    assert!(matches!(exchange.conclude().0, Conclusion::Answer(passed) if passed.endpoint == 0));
}

#[test]
fn sends_are_never_hedged_and_nobody_is_without_the_key() {
    for (more, effect) in [(HEDGED, Effect::Send), ("", Effect::Read)] {
        let route = route(2, more);
        let book = Book::new(&route, T0);
        let mut exchange = waiting(&route, &book, effect);
        assert_eq!(exchange.wake(), None);
        assert_eq!(exchange.step(&route, &book, &operation(effect), DUE.plus(900)), Step::Wait);
    }
}

#[test]
fn max_attempts_holds() {
    let route = route(3, r#""hedge_after_ms":300,"max_attempts":2"#);
    let (book, read) = (Book::new(&route, T0), operation(Effect::Read));
    let mut exchange = waiting(&route, &book, Effect::Read);
    assert_eq!(asked(exchange.step(&route, &book, &read, DUE)), Some(1));
    assert_eq!(exchange.step(&route, &book, &read, DUE.plus(300)), Step::Wait);
    assert_eq!(exchange.wake(), None, "waking would change nothing");
}

#[test]
fn a_tenth_of_what_clients_ask_and_no_more() {
    let route = route(2, HEDGED);
    let mut book = Book::new(&route, T0);
    let mut hedged = 0;
    for _ in 0..1_000 {
        book.note_use();
        let mut exchange = waiting(&route, &book, Effect::Read);
        if asked(exchange.step(&route, &book, &operation(Effect::Read), DUE)).is_some() {
            book.note_hedge();
            hedged += 1;
        }
    }
    assert!((100..=103).contains(&hedged), "{hedged}");
}
