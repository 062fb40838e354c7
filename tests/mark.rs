//! What clients were told of the head, and who is asked what because of it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use breakwater::config::{Protocol, Route};
use breakwater::method::{Effect, Operation};
use breakwater::select::{self, Asked, Bond, Wanted};
use breakwater::state::heads::Head;
use breakwater::state::isolate::{Book, Finished, Item};
use breakwater::state::region::{Memory, Region};
use breakwater::time::Millis;
use common::{T0, good, route, route_of};
use proptest::prelude::*;

/// A chain that makes a block every 12 s, as one isolate sees it.
struct Scene {
    route: Route,
    book: Book,
}

impl Scene {
    fn new(endpoints: usize) -> Self {
        Self::of(route(endpoints, ""))
    }

    fn of(route: Route) -> Self {
        let book = Book::new(&route, T0);
        Self { route, book }
    }

    /// The same after ten blocks that all endpoints have seen: the last one is 110, at 120 s.
    fn used(endpoints: usize) -> Self {
        let mut scene = Self::new(endpoints);
        for block in 0..=10 {
            for endpoint in 0..endpoints {
                scene.see(endpoint, 100 + block, block * 12_000);
            }
        }
        scene
    }

    fn see(&mut self, endpoint: usize, number: u64, at: u64) {
        self.book.heads.note(endpoint, Head { number, at: T0.plus(at) });
    }

    /// An endpoint answers `eth_blockNumber` with this; what the client is told.
    fn tell(&mut self, endpoint: usize, number: u64, at: u64) -> u64 {
        self.see(endpoint, number, at);
        let now = T0.plus(at);
        let (grant, _) = self.book.permit(endpoint, Effect::Read, now, 3_500).unwrap();
        let items = [Item { method: "eth_blockNumber", verdict: good() }];
        let finished = Finished { endpoint, grant, status: Some(200), ms: 1, items: &items };
        self.book.record(finished, &self.route.breaker, now, 0.5);
        self.book.give(number, now)
    }

    fn asked(&self, method: &str, params: &str, at: u64) -> Option<usize> {
        choose(&self.route, &self.book, method, params, T0.plus(at))
    }

    fn synced(&mut self, region: &mut Region, name: &str, at: u64) {
        let observation = self.book.observe(name, T0.plus(at));
        region.hand_in(&observation, &self.route.breaker, T0.plus(at), 0.5);
        self.book.apply(&region.snapshot(T0.plus(at)), T0.plus(at));
    }
}

fn choose(route: &Route, book: &Book, method: &str, params: &str, now: Millis) -> Option<usize> {
    let operation =
        Operation { protocol: Protocol::Evm, method, params: Some(params), effect: Effect::Read };
    let (asked, answered) = (Asked::default(), false);
    let wanted = Wanted { operation: &operation, bond: Bond::Free, asked, answered, key: 0 };
    select::next(route, book, wanted, now)
}

#[test]
fn a_lagging_endpoint_does_not_take_clients_back() {
    let mut scene = Scene::used(2);
    assert_eq!(scene.tell(0, 111, 132_000), 111);
    assert_eq!(scene.tell(1, 108, 132_500), 111);
    assert_eq!(scene.tell(1, 112, 144_000), 112);
}

#[test]
fn a_bond_to_an_endpoint_that_lags_does_not_take_clients_back_either() {
    let mut scene = Scene::used(2);
    let next = |scene: &Scene, at| {
        let params = Some(r#"["0x1","pending"]"#);
        let (method, effect) = ("eth_getTransactionCount", Effect::Read);
        let operation = Operation { protocol: Protocol::Evm, method, params, effect };
        let (asked, answered, bond) = (Asked::default(), false, Bond::Prefers(1));
        let wanted = Wanted { operation: &operation, bond, asked, answered, key: 0 };
        select::next(&scene.route, &scene.book, wanted, T0.plus(at))
    };
    assert_eq!(scene.tell(0, 111, 132_000), 111);
    assert_eq!(next(&scene, 132_000), Some(1), "one block is nothing");
    scene.see(1, 104, 133_000);
    assert_eq!(next(&scene, 133_000), Some(0));
}

#[test]
fn it_holds_for_as_long_as_the_leader_is_gone() {
    let mut scene = Scene::used(2);
    assert_eq!(scene.tell(0, 111, 132_000), 111);
    assert_eq!(scene.tell(1, 105, 3_600_000), 111);
}

#[test]
fn one_endpoint_far_ahead_is_no_mark_and_empties_nothing() {
    let mut scene = Scene::used(3);
    assert_eq!(scene.tell(2, 10_110, 132_000), 10_110, "its bytes pass");
    assert_eq!(scene.tell(0, 111, 132_100), 111);
    assert_eq!(scene.tell(1, 111, 132_200), 111);
    for method in ["eth_blockNumber", "eth_call"] {
        assert_eq!(scene.asked(method, "[]", 132_300), Some(0), "{method}");
    }
}

#[test]
fn nor_is_the_first_that_is_heard_once_another_is() {
    for endpoints in [2, 3] {
        let mut scene = Scene::new(endpoints);
        assert_eq!(scene.tell(0, 10_100, 0), 10_100);
        assert_eq!(scene.tell(1, 100, 100), 100);
        assert_eq!(scene.tell(1, 101, 12_100), 101);
    }
}

#[test]
fn an_only_endpoint_that_goes_back_and_forth_is_smoothed() {
    let mut scene = Scene::used(1);
    let told: Vec<_> = [111, 110, 112, 110, 111, 113]
        .into_iter()
        .enumerate()
        .map(|(n, number)| scene.tell(0, number, 132_000 + n as u64 * 6_000))
        .collect();
    assert_eq!(told, [111, 111, 112, 112, 112, 113]);
}

#[test]
fn a_chain_that_was_reset_is_believed_after_a_minute() {
    let mut scene = Scene::used(1);
    assert_eq!(scene.tell(0, 110, 120_000), 110);
    assert_eq!(scene.tell(0, 3, 150_000), 110);
    assert_eq!(scene.tell(0, 5, 181_000), 5);
}

#[test]
fn isolates_learn_it_with_a_sync() {
    let (mut one, mut other) = (Scene::used(2), Scene::used(2));
    let mut region = Region::new("weur", &one.route, Memory::default(), T0);
    assert_eq!(one.tell(0, 113, 132_000), 113);
    assert_eq!(other.tell(1, 111, 132_100), 111, "it has not heard");
    one.synced(&mut region, "one", 133_000);
    other.synced(&mut region, "other", 133_100);
    assert_eq!(other.tell(1, 111, 133_200), 113);
}

#[test]
fn an_isolate_that_was_away_takes_the_regions_word() {
    let (mut one, mut other) = (Scene::used(2), Scene::used(2));
    let mut region = Region::new("weur", &one.route, Memory::default(), T0);
    for (number, at) in [(150, 132_000), (140, 132_200)] {
        for endpoint in 0..2 {
            one.tell(endpoint, number, at);
        }
        one.synced(&mut region, "one", at + 100);
    }
    other.synced(&mut region, "other", 132_400);
    assert_eq!(other.tell(1, 140, 132_500), 150, "it has seen no more than 140 itself");
}

#[test]
fn a_regions_clock_ahead_of_ours_does_not_outdo_what_we_see() {
    let (mut own, mut other) = (Scene::new(2), Scene::new(2));
    let mut region = Region::new("weur", &own.route, Memory::default(), T0);
    other.tell(0, 100, 60_000);
    other.synced(&mut region, "other", 60_000);
    own.book.apply(&region.snapshot(T0.plus(60_000)), T0);
    own.see(0, 101, 1);
    assert_eq!(own.book.heads.of(0).map(|head| head.number), Some(101));
}

#[test]
fn an_isolates_outlier_is_no_mark_for_the_region() {
    let mut one = Scene::new(3);
    let mut region = Region::new("weur", &one.route, Memory::default(), T0);
    let mut other = Scene::used(3);
    other.tell(0, 111, 132_000);
    other.synced(&mut region, "other", 132_000);
    one.tell(2, 10_111, 132_100);
    one.synced(&mut region, "one", 132_200);
    assert_eq!(region.snapshot(T0.plus(132_300)).given.map(|head| head.number), Some(111));
}

#[test]
fn reads_at_that_height_prefer_who_has_it() {
    let mut scene = Scene::used(2);
    scene.see(0, 110, 131_000);
    assert_eq!(scene.tell(1, 112, 132_000), 112);
    let number = |n: u64| format!("[\"0x{n:x}\",false]");
    for (method, params, endpoint) in [
        ("eth_blockNumber", "[]".to_owned(), 1),
        ("eth_getBlockByNumber", "[\"latest\",false]".to_owned(), 1),
        ("eth_getBlockByNumber", number(112), 1),
        ("eth_getBlockByNumber", number(110), 0),
        ("eth_getBlockByNumber", number(113), 0),
        ("eth_getBlockByHash", "[\"0xab\",false]".to_owned(), 0),
    ] {
        assert_eq!(scene.asked(method, &params, 132_500), Some(endpoint), "{method} {params}");
    }
    assert_eq!(scene.asked("eth_blockNumber", "[]", 160_000), Some(0), "it will have it by now");
}

#[test]
fn archives_come_first_for_history_and_nothing_else() {
    let endpoints = r#"{"name":"a","url":"https://a.example"},
        {"name":"b","url":"https://b.example","archive":true}"#;
    let mut scene = Scene::of(route_of(endpoints, ""));
    let old = "[\"0x10\",false]";
    assert_eq!(scene.asked("eth_getBlockByNumber", old, 0), Some(0), "the head is unknown");
    for endpoint in 0..2 {
        scene.see(endpoint, 1_000, 0);
    }
    let block = |n: u64| format!("[\"0xab\",\"0x{n:x}\"]");
    for (method, params, endpoint) in [
        ("eth_getBlockByNumber", old.to_owned(), 1),
        ("eth_getBalance", block(871), 1),
        ("eth_getBalance", block(872), 0),
        ("eth_getBalance", "[\"0xab\",\"earliest\"]".to_owned(), 1),
        ("eth_getBalance", "[\"0xab\",\"latest\"]".to_owned(), 0),
        ("eth_getLogs", r#"[{"fromBlock":"0x1","toBlock":"latest"}]"#.to_owned(), 1),
        ("eth_getTransactionByHash", "[\"0xab\"]".to_owned(), 0),
    ] {
        assert_eq!(scene.asked(method, &params, 10), Some(endpoint), "{method} {params}");
    }
}

proptest! {
    /// Endpoints of one chain, each less than a minute behind it; at times one lies far ahead.
    #[test]
    fn an_isolate_is_never_taken_back_by_what_the_others_support(
        steps in prop::collection::vec((0usize..3, 0u64..3, 0u64..6_000, prop::bool::weighted(0.1)), 1..100),
    ) {
        let mut scene = Scene::used(3);
        let (mut at, mut before) = (120_000, 0);
        for (endpoint, behind, pause, lies) in steps {
            at += pause;
            let chain = 100 + at / 12_000;
            if lies && endpoint == 2 {
                scene.tell(2, chain + 10_000, at);
                continue;
            }
            let told = scene.tell(endpoint, chain - behind, at);
            prop_assert!(told >= before, "{told} after {before}");
            prop_assert!(told <= chain, "{told} of {chain}");
            before = told;
        }
    }
}
