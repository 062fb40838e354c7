//! Finalized blocks: an endpoint whose own is old is asked last for what depends on it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use breakwater::config::{Protocol, Route};
use breakwater::method::{Effect, Operation};
use breakwater::select::{self, Asked, Bond, Wanted};
use breakwater::state::heads::Head;
use breakwater::state::isolate::Book;
use breakwater::state::region::{Memory, Question, Region};
use breakwater::state::wire::Observation;
use breakwater::time::Millis;
use common::{T0, answer, good, route};

const FINALIZED: &str = r#"["finalized",false]"#;

fn first(route: &Route, book: &Book, params: &str, now: Millis) -> usize {
    let operation = Operation {
        protocol: Protocol::Evm,
        method: "eth_getBlockByNumber",
        params: Some(params),
        effect: Effect::Read,
    };
    let asked = Asked::default();
    let wanted = Wanted { operation: &operation, bond: Bond::Free, asked, answered: false, key: 0 };
    select::next(route, book, wanted, now).unwrap()
}

/// A region that has polled for ten minutes, `finalized(endpoint, seconds)` being what they said.
fn polled(route: &Route, finalized: impl Fn(usize, u64) -> u64) -> Region {
    let mut region = Region::new("weur", route, Memory::default(), T0);
    let seen = Observation { traffic: true, isolate: "i".into(), ..Observation::default() };
    for second in 0..600 {
        let now = T0.plus(1_000 * second);
        if second % 60 == 0 {
            region.hand_in(&seen, &route.breaker, now, 0.5);
        }
        for probe in region.probes(&route.breaker, now).0 {
            let endpoint = probe.endpoint;
            let probed = answer(probe, |question| match question {
                Question::ChainId => (good(), Some(1)),
                Question::Head | Question::Supported => (good(), Some(10_000 + second / 12)),
                Question::Finalized => (good(), Some(finalized(endpoint, second))),
            });
            region.probed(&probed, &route.breaker, now, 0.5);
        }
    }
    region
}

fn told(route: &Route, region: &Region) -> (Book, Millis) {
    let (mut book, now) = (Book::new(route, T0), T0.plus(600_000));
    book.schedule.start(now);
    book.schedule.end(now, true);
    book.apply(&region.snapshot(now), now);
    (book, now)
}

/// One epoch every 384 s.
fn epochs(second: u64) -> u64 {
    9_900 + 32 * (second / 384)
}

#[test]
fn one_that_stands_still_is_asked_last_for_finalized_reads_only() {
    let route = route(3, "");
    let region =
        polled(&route, |endpoint, second| epochs(if endpoint == 0 { 0 } else { second }) - 40);
    let (book, now) = told(&route, &region);
    assert_eq!(first(&route, &book, FINALIZED, now), 1);
    assert_eq!(first(&route, &book, r#"["safe",false]"#, now), 1);
    assert_eq!(first(&route, &book, r#"["latest",false]"#, now), 0);
    assert_eq!(first(&route, &book, r#"["0x10",false]"#, now), 0);
    let status = region.status(&route, now);
    assert_eq!(status.endpoints[0].finalized_lag_blocks, Some(32));
    assert_eq!(status.endpoints[1].finalized_lag_blocks, Some(0));
}

#[test]
fn the_others_steps_at_a_new_epoch_are_not_held_against_one_not_asked_since() {
    let route = route(3, "");
    let region = polled(&route, |_, second| epochs(second));
    let (mut book, now) = told(&route, &region);
    assert_eq!(first(&route, &book, FINALIZED, now), 0);
    let next = epochs(600) + 32;
    for endpoint in [1, 2] {
        book.finalized.note(endpoint, Head { number: next, at: now.plus(30_000) });
    }
    assert_eq!(first(&route, &book, FINALIZED, now.plus(31_000)), 0);
    book.finalized.note(0, Head { number: epochs(600), at: now.plus(50_000) });
    assert_eq!(first(&route, &book, FINALIZED, now.plus(50_000)), 1, "20 s after the others");
}
