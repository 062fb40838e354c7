//! Who comes first in weighted mode: shares by weight and score, callers who stay where they are,
//! nobody excluded.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]
#![cfg(not(target_family = "wasm"))]

mod common;

use breakwater::config::{Protocol, Route};
use breakwater::json;
use breakwater::method::{Effect, Operation};
use breakwater::select::{self, Asked, Bond, Wanted, weighted};
use breakwater::state::heads::Head;
use breakwater::state::isolate::{Book, Finished, Item};
use breakwater::state::region::{Memory, Region};
use breakwater::state::wire::{Observation, Report};
use breakwater::time::Millis;
use breakwater::verdict::Verdict;
use common::{T0, good, route_of, timeout};
use proptest::prelude::*;

const CALLERS: u64 = 4_000;

fn weighted_route(weights: &[u32]) -> Route {
    let one = |(nth, weight): (usize, &u32)| {
        format!(r#"{{"name":"e{nth}","url":"https://e{nth}.example.org","weight":{weight}}}"#)
    };
    let list: Vec<_> = weights.iter().enumerate().map(one).collect();
    route_of(&list.join(","), r#""mode":"weighted""#)
}

fn read(method: &'static str) -> Operation<'static> {
    Operation { protocol: Protocol::Evm, method, params: None, effect: Effect::Read }
}

fn next(route: &Route, book: &Book, method: &'static str, asked: Asked, key: u64) -> Option<usize> {
    let operation = read(method);
    let wanted = Wanted { operation: &operation, bond: Bond::Free, asked, answered: false, key };
    select::next(route, book, wanted, T0)
}

fn plan(route: &Route, book: &Book, key: u64) -> Vec<usize> {
    let mut asked = Asked::default();
    std::iter::from_fn(|| {
        let endpoint = next(route, book, "eth_getBlockByHash", asked, key)?;
        asked.add(endpoint);
        Some(endpoint)
    })
    .take(20)
    .collect()
}

/// Per cent of callers that each endpoint serves first.
fn shares(route: &Route, book: &Book, method: &'static str) -> Vec<u64> {
    let mut counts = vec![0; route.endpoints.len()];
    for caller in 0..CALLERS {
        let key = weighted::key(caller, T0);
        counts[next(route, book, method, Asked::default(), key).unwrap()] += 1;
    }
    counts.iter().map(|count| (100 * count + CALLERS / 2) / CALLERS).collect()
}

/// So many answers of an endpoint, each after `ms`.
fn answers(route: &Route, book: &mut Book, endpoint: usize, count: u32, ms: u64, verdict: Verdict) {
    for _ in 0..count {
        let (grant, _) = book.permit(endpoint, Effect::Read, T0, 1_000).unwrap();
        let items = [Item { method: "eth_call", verdict }];
        let finished = Finished { endpoint, grant, status: None, ms, items: &items };
        // The breaker is not what is looked at here.
        book.record(finished, &route.breaker, T0, 0.5);
    }
}

fn rated(route: &Route, mut book: Book) -> Book {
    book.rate(route, T0);
    book
}

fn near(shares: &[u64], wanted: &[u64]) {
    let close = shares.iter().zip(wanted).all(|(own, wanted)| own.abs_diff(*wanted) <= 3);
    assert!(close, "{shares:?}, not {wanted:?}");
}

#[test]
fn load_spreads_by_weight() {
    for (weights, wanted) in [
        (&[1, 1][..], &[50, 50][..]),
        (&[3, 1], &[75, 25]),
        (&[1, 2, 7], &[10, 20, 70]),
        (&[100, 1], &[99, 1]),
    ] {
        let route = weighted_route(weights);
        near(&shares(&route, &Book::new(&route, T0), "eth_call"), wanted);
    }
}

#[test]
fn who_is_slow_is_asked_less_and_still_asked() {
    let route = weighted_route(&[1, 1, 1]);
    let mut book = Book::new(&route, T0);
    for (endpoint, ms) in [(0, 100), (1, 90), (2, 1_900)] {
        answers(&route, &mut book, endpoint, 50, ms, good());
    }
    let shares = shares(&route, &rated(&route, book), "eth_call");
    near(&shares, &[48, 48, 5]);
    assert!(shares[2] > 0);
}

#[test]
fn a_set_that_is_slow_as_a_whole_stays_as_it_was() {
    let route = weighted_route(&[1, 1, 1]);
    let mut book = Book::new(&route, T0);
    let before: Vec<_> = (0..500).map(|key| plan(&route, &book, key)).collect();
    for (endpoint, ms) in [(0, 2_400), (1, 3_000), (2, 2_000)] {
        answers(&route, &mut book, endpoint, 50, ms, good());
    }
    let book = rated(&route, book);
    assert_eq!((0..500).map(|key| plan(&route, &book, key)).collect::<Vec<_>>(), before);
}

#[test]
fn failures_demote() {
    let route = weighted_route(&[1, 1]);
    let mut book = Book::new(&route, T0);
    answers(&route, &mut book, 0, 100, 50, good());
    for _ in 0..30 {
        answers(&route, &mut book, 1, 1, 50, timeout());
        answers(&route, &mut book, 1, 2, 50, good());
    }
    near(&shares(&route, &rated(&route, book), "eth_call"), &[69, 31]);
}

#[test]
fn one_that_is_stale_but_fast_loses() {
    let route = weighted_route(&[1, 1, 1]);
    let mut book = Book::new(&route, T0);
    for (endpoint, ms) in [(0, 1), (1, 300), (2, 300)] {
        answers(&route, &mut book, endpoint, 50, ms, good());
    }
    for (endpoint, number, ago_ms) in [(1, 1_000, 20_000), (2, 1_000, 20_000), (0, 900, 0)] {
        let at = Millis(T0.0 - ago_ms);
        book.heads.note(endpoint, Head { number, at });
    }
    let book = rated(&route, book);
    assert_eq!(shares(&route, &book, "eth_call")[0], 0, "never first where the head matters");
    let other = shares(&route, &book, "eth_getBlockByHash");
    assert!(other[0] < 40 && other[0] > 0, "{other:?}");
}

#[test]
fn a_cold_isolate_goes_by_the_regions_word() {
    let route = weighted_route(&[1, 1]);
    let mut far = Book::new(&route, T0);
    answers(&route, &mut far, 0, 50, 20, good());
    answers(&route, &mut far, 1, 50, 2_000, good());
    let mut region = Region::new("weur", &route, Memory::default(), T0);
    region.hand_in(&far.observe("far", T0), &route.breaker, T0, 0.5);
    let mut cold = Book::new(&route, T0);
    cold.schedule.start(T0);
    cold.schedule.end(T0, true);
    cold.apply(&region.snapshot(T0), T0);
    let shares = shares(&route, &rated(&route, cold), "eth_call");
    assert!(shares[1] <= 8, "{shares:?}");
}

#[test]
fn the_status_tells_the_score_and_its_parts() {
    let route = weighted_route(&[2, 1]);
    let mut book = Book::new(&route, T0);
    answers(&route, &mut book, 0, 50, 2_000, good());
    answers(&route, &mut book, 1, 50, 20, good());
    let mut region = Region::new("weur", &route, Memory::default(), T0);
    region.hand_in(&book.observe("one", T0), &route.breaker, T0, 0.5);
    let status = status(&region, &route);
    assert_eq!(status["serving"], "e1");
    let first = &status["endpoints"][0];
    assert_eq!((&first["weight"], &first["score"]["success"]), (&2.into(), &1.0.into()));
    assert_eq!(first["score"]["lag"], 1.0);
    let latency = first["score"]["latency"].as_f64().unwrap();
    assert!((latency - 0.035).abs() < 0.001, "70 ms of 2000: {latency}");
}

#[test]
fn other_modes_tell_no_score_and_send_no_window() {
    let route = common::route(2, "");
    let mut region = Region::new("weur", &route, Memory::default(), T0);
    let report = Report { name: "a".into(), ..Report::default() };
    let seen =
        Observation { isolate: "i".into(), endpoints: vec![report], ..Observation::default() };
    region.hand_in(&seen, &route.breaker, T0, 0.5);
    let status = status(&region, &route);
    assert!(status["endpoints"][0]["score"].is_null());
    let snapshot = json::text(&region.snapshot(T0));
    assert!(snapshot.contains(r#""recent":null"#), "{snapshot}");
}

fn status(region: &Region, route: &Route) -> serde_json::Value {
    serde_json::from_str(&json::text(&region.status(route, T0))).unwrap()
}

fn index(caller: u64) -> usize {
    caller.try_into().unwrap()
}

#[test]
fn a_small_change_of_a_score_moves_few_callers() {
    let route = weighted_route(&[1, 1, 1]);
    let mut book = Book::new(&route, T0);
    let before: Vec<_> = (0..CALLERS).map(|key| plan(&route, &book, key)[0]).collect();
    for (endpoint, ms) in [(0, 90), (1, 90), (2, 300)] {
        answers(&route, &mut book, endpoint, 50, ms, good());
    }
    let book = rated(&route, book);
    let moved = (0..CALLERS).filter(|key| plan(&route, &book, *key)[0] != before[index(*key)]);
    let from_third = |key: &u64| before[index(*key)] == 2;
    let moved: Vec<_> = moved.collect();
    assert!(moved.iter().all(from_third), "only callers of the slower one move");
    assert!(moved.len() < index(CALLERS) / 6, "{}", moved.len());
}

proptest! {
    #[test]
    fn the_same_inputs_make_the_same_plan_and_nobody_is_in_it_twice(
        weights in prop::collection::vec(1u32..=100, 1..=16),
        paces in prop::collection::vec((0u32..40, 1u64..4_000, 0u32..10), 16),
        key: u64,
    ) {
        let route = weighted_route(&weights);
        let mut book = Book::new(&route, T0);
        for (endpoint, (count, ms, failures)) in paces.iter().enumerate().take(weights.len()) {
            answers(&route, &mut book, endpoint, *count, *ms, good());
            // Few enough at a time for the breaker, which is another matter.
            answers(&route, &mut book, endpoint, (*failures).min(4), *ms, timeout());
        }
        let book = rated(&route, book);
        let plan = plan(&route, &book, key);
        prop_assert_eq!(&plan, &self::plan(&route, &book, key));
        let mut sorted = plan.clone();
        sorted.sort_unstable();
        sorted.dedup();
        prop_assert_eq!(sorted.len(), plan.len());
        prop_assert!(plan.len() == weights.len(), "everybody is in it");
    }
}
