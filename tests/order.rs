//! Who is asked, in which order, over the life of an outage: each line of letters is one read.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use breakwater::breaker::machine::State;
use breakwater::config::{Protocol, Route, RpcErrors};
use breakwater::exchange::{Exchange, Step, Word};
use breakwater::method::{Effect, Operation, effect};
use breakwater::state::isolate::{Book, Finished, Item};
use breakwater::state::orders::Orders;
use breakwater::state::region::{Memory, Region};
use breakwater::time::Millis;
use breakwater::verdict::{Context, Failure, Outcome, Policy, Reply, Verdict, judge};
use common::{T0, good, route, throttled};

struct Scene {
    route: Route,
    book: Book,
    now: Millis,
    /// Endpoints that fail, by their letters.
    down: &'static str,
    /// Endpoints that answer with an internal error.
    inside: &'static str,
}

impl Scene {
    fn new(endpoints: usize, more: &str) -> Self {
        let route = route(endpoints, more);
        let book = Book::new(&route, T0);
        Self { route, book, now: T0, down: "", inside: "" }
    }

    fn at(&mut self, ms: u64) -> &mut Self {
        self.now = T0.plus(ms);
        self
    }

    fn down(&mut self, down: &'static str) -> &mut Self {
        self.down = down;
        self
    }

    /// One read: the endpoints asked, in order, and `.` when the last one answered.
    fn read(&mut self) -> String {
        self.ask("eth_call")
    }

    fn ask(&mut self, method: &str) -> String {
        let operation =
            Operation { protocol: Protocol::Evm, method, params: None, effect: effect(method) };
        let mut exchange = Exchange::<()>::new(self.now.plus(9_000));
        let mut asked = String::new();
        while let Step::Ask { endpoint, .. } =
            exchange.step(&self.route, &self.book, &operation, self.now)
        {
            let name = self.route.endpoints[endpoint].name.clone();
            let verdict = match () {
                () if self.down.contains(&name) => failed(&operation),
                () if self.inside.contains(&name) => broken(&operation),
                () => good(),
            };
            self.attempt(endpoint, method, verdict);
            let word = Word { endpoint, verdict, status: None, answer: Some(()) };
            exchange.heard(word, operation.effect, self.route.send);
            asked.push_str(&name);
        }
        if exchange.is_over() { asked + "." } else { asked }
    }

    fn attempt(&mut self, endpoint: usize, method: &str, verdict: Verdict) {
        let (grant, _) = self.book.permit(endpoint, effect(method), self.now, 3_500).unwrap();
        let items = [Item { method, verdict }];
        let finished = Finished { endpoint, grant, status: None, ms: 1, items: &items };
        self.book.record(finished, &self.route.breaker, self.now, 0.5);
    }

    fn state(&self, endpoint: usize) -> State {
        self.book.breaker(endpoint).unwrap().state()
    }
}

/// What "Internal error" in a 200 means for this operation.
fn broken(operation: &Operation<'_>) -> Verdict {
    let policy = Policy { rpc_errors: RpcErrors::Declined, rules: &[], endpoint: "" };
    let body = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}"#;
    let outcome =
        Outcome::Replied(Reply { status: 200, retry_after: None, edge_error: None, body });
    judge(operation, &outcome, &Context::default(), &policy)
}

/// What a connection that fails means for this operation.
fn failed(operation: &Operation<'_>) -> Verdict {
    let policy = Policy { rpc_errors: RpcErrors::Declined, rules: &[], endpoint: "" };
    judge(operation, &Outcome::Failed(Failure::Network), &Context::default(), &policy)
}

#[test]
fn an_open_first_one_comes_last_until_its_cooldown_is_over() {
    let mut scene = Scene::new(3, r#""trip_after":2,"close_after":1"#);
    scene.down("a");
    assert_eq!([scene.read(), scene.read()], ["ab.", "ab."]);
    assert_eq!(scene.read(), "b.", "open");
    assert_eq!(scene.down("bc").read(), "bca.", "the last resort");
    assert_eq!(scene.down("").at(14_999).read(), "b.");
    assert_eq!(scene.at(15_000).read(), "a.", "from that moment on, although b is well");
    assert_eq!(scene.state(0), State::Closed);
}

#[test]
fn a_lone_endpoint_is_asked_once_a_read_however_often_it_fails() {
    let mut scene = Scene::new(1, r#""trip_after":2"#);
    scene.down("a");
    for n in 0..100 {
        assert_eq!(scene.at(n * 100).read(), "a");
    }
    assert_eq!(scene.state(0), State::Open, "seen in the status, and kept from nobody");
    let mut scene = Scene::new(1, r#""trip_after":2,"when_all_open":"fail""#);
    scene.down("a");
    assert_eq!([scene.read(), scene.read(), scene.read()], ["a", "a", ""]);
}

#[test]
fn max_attempts_is_kept_to_when_all_is_well_and_when_nothing_is() {
    for (cap, asked) in [(1, "a"), (2, "ab"), (3, "abc")] {
        let mut scene = Scene::new(3, &format!(r#""max_attempts":{cap}"#));
        assert_eq!(scene.read(), "a.");
        assert_eq!(scene.down("abc").read(), asked);
    }
}

#[test]
fn a_backup_that_fails_gives_way_to_the_next() {
    for trip_after in [2, 3] {
        let mut scene = Scene::new(3, &format!(r#""trip_after":{trip_after}"#));
        scene.down("a");
        for _ in 0..trip_after {
            assert_eq!(scene.read(), "ab.");
        }
        scene.down("ab");
        for _ in 0..trip_after {
            assert_eq!(scene.read(), "bc.");
        }
        assert_eq!(scene.read(), "c.");
    }
}

#[test]
fn with_all_open_and_fail_the_first_read_after_the_cooldown_is_a_trial() {
    let mut scene = Scene::new(2, r#""trip_after":1,"when_all_open":"fail""#);
    assert_eq!(scene.down("ab").read(), "ab");
    assert_eq!(scene.at(14_999).read(), "", "no request is sent");
    assert_eq!(scene.down("b").at(15_000).read(), "a.");
}

#[test]
fn a_failed_trial_costs_no_answer_and_locks_nobody_out() {
    let mut scene = Scene::new(2, r#""trip_after":1"#);
    assert_eq!(scene.down("a").read(), "ab.");
    assert_eq!(scene.at(15_000).read(), "ab.", "the trial, and the answer all the same");
    assert_eq!(scene.state(0), State::Open);
    assert_eq!(scene.read(), "b.");
}

#[test]
fn what_one_endpoint_does_moves_no_other() {
    let mut scene = Scene::new(3, r#""trip_after":1,"close_after":1,"cooldown_ms":1000"#);
    scene.down("ab").read();
    let others = |scene: &Scene| [1, 2].map(|n| scene.book.breaker(n).unwrap().clone());
    let before = others(&scene);
    assert_eq!(before.clone().map(|breaker| breaker.state()), [State::Open, State::Closed]);
    assert_eq!(scene.down("b").at(1_000).read(), "a.");
    assert_eq!(scene.state(0), State::Closed);
    assert_eq!(others(&scene), before);
}

#[test]
fn with_every_endpoint_taken_out_in_an_outage_nobody_is_asked() {
    let mut scene = Scene::new(2, r#""trip_after":1"#);
    scene.down("a").read();
    let region = Region::new("weur", &scene.route, Memory::default(), T0);
    let mut snapshot = region.snapshot(T0);
    for endpoint in &mut snapshot.endpoints {
        endpoint.orders = Orders { disabled: true, ..Orders::default() };
    }
    scene.book.apply(&snapshot, T0);
    assert_eq!([scene.read(), scene.at(15_000).read()], ["", ""]);
}

#[test]
fn after_a_rest_one_read_tries_it_and_the_others_stay_where_they_are() {
    let mut scene = Scene::new(2, "");
    scene.attempt(0, "eth_call", throttled(None));
    assert_eq!([scene.read(), scene.at(999).read()], ["b.", "b."]);
    scene.at(1_000);
    let (tried, _) = scene.book.permit(0, Effect::Read, scene.now, 3_500).unwrap();
    assert_eq!([scene.read(), scene.ask("eth_sendRawTransaction")], ["b.", "b."]);
    let items = [Item { method: "eth_call", verdict: good() }];
    let finished = Finished { endpoint: 0, grant: tried, status: None, ms: 20, items: &items };
    scene.book.record(finished, &scene.route.breaker, scene.now, 0.5);
    assert_eq!([scene.read(), scene.read()], ["a.", "a."]);
}

#[test]
fn an_endpoint_that_breaks_inside_is_no_reason_to_spare_the_open_ones() {
    let mut scene = Scene::new(2, r#""trip_after":1"#);
    assert_eq!(scene.down("a").read(), "ab.");
    scene.down("");
    scene.inside = "b";
    assert_eq!(scene.read(), "ba.", "an internal error could be passed on, and is worth little");
}

#[test]
fn a_trial_that_was_given_up_is_free_for_the_next_read() {
    let mut scene = Scene::new(2, r#""trip_after":1,"close_after":1"#);
    scene.down("a").read();
    scene.down("").at(15_000);
    let (trial, _) = scene.book.permit(0, Effect::Read, scene.now, 3_500).unwrap();
    assert_eq!(scene.read(), "b.", "one at a time");
    scene.book.given_up(0, trial, 5, &scene.route.breaker, scene.now);
    assert_eq!(scene.read(), "a.");
}

#[test]
fn a_lone_endpoint_that_has_rested_serves_all_at_once() {
    let mut scene = Scene::new(1, "");
    scene.attempt(0, "eth_call", throttled(None));
    assert_eq!(scene.read(), "");
    scene.at(1_000).book.permit(0, Effect::Read, T0.plus(1_000), 3_500).unwrap();
    assert_eq!(scene.read(), "a.");
}

#[test]
fn every_usual_method_goes_the_same_way() {
    for method in [
        "eth_chainId",
        "eth_blockNumber",
        "eth_getBalance",
        "eth_getTransactionCount",
        "eth_getCode",
        "eth_getStorageAt",
        "eth_gasPrice",
        "eth_maxPriorityFeePerGas",
        "eth_call",
        "eth_estimateGas",
        "eth_sendRawTransaction",
        "eth_getTransactionReceipt",
        "eth_getBlockByNumber",
        "eth_getLogs",
    ] {
        let mut scene = Scene::new(3, r#""trip_after":2"#);
        scene.down("ab");
        let reads = [scene.ask(method), scene.ask(method), scene.ask(method)];
        assert_eq!(reads, ["abc.", "abc.", "c."], "{method}");
    }
}
