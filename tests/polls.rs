//! What the object asks by itself, how rarely, and what chain ids do.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use breakwater::breaker::machine::State;
use breakwater::config::{Protocol, Route};
use breakwater::json;
use breakwater::method::{Effect, Operation};
use breakwater::select::{self, Asked, Bond, Wanted};
use breakwater::state::heads::Head;
use breakwater::state::isolate::{Book, Standing};
use breakwater::state::region::{Event, Kept, Memory, Question, Region};
use breakwater::state::status::EndpointStatus;
use breakwater::state::wire::{Chain, Observation, Report};
use breakwater::time::Millis;
use breakwater::verdict::Verdict;
use common::{T0, answer, declined, good, other_chain, route, route_of, timeout};

use Question::{ChainId, Finalized, Head as Newest, Supported};

struct Scene {
    route: Route,
    region: Region,
    events: Vec<Event>,
}

impl Scene {
    fn new(route: Route) -> Self {
        let region = Region::new("weur", &route, Memory::default(), T0);
        Self { route, region, events: Vec::new() }
    }

    fn use_it(&mut self, at: u64) {
        self.hand_in(&Observation { traffic: true, ..Observation::default() }, at);
    }

    fn hand_in(&mut self, observation: &Observation, at: u64) {
        let events = self.region.hand_in(observation, &self.route.breaker, T0.plus(at), 0.5);
        self.events.extend(events);
    }

    /// An isolate that has seen this head of `a`.
    fn see_head(&mut self, number: u64, at: u64) {
        let head = Some(Head { number, at: T0.plus(at) });
        let report = Report { name: "a".into(), head, ..Report::default() };
        let observation = Observation {
            isolate: "one".into(),
            endpoints: vec![report],
            traffic: true,
            ..Observation::default()
        };
        self.hand_in(&observation, at);
    }

    /// Makes the probes due at `at`, all questions answered by `by`; what `a` was asked.
    fn probe(&mut self, at: u64, by: impl Fn(Question) -> (Verdict, Option<u64>)) -> Vec<Question> {
        let now = T0.plus(at);
        let mut asked = Vec::new();
        for probe in self.region.probes(&self.route.breaker, now).0 {
            let endpoint = probe.endpoint;
            let probed = answer(probe, &by);
            if endpoint == 0 {
                asked.extend(probed.answers.iter().map(|answered| answered.question));
            }
            self.events.extend(self.region.probed(&probed, &self.route.breaker, now, 0.5));
        }
        asked
    }

    fn status(&self, at: u64) -> EndpointStatus {
        self.region.status(&self.route, T0.plus(at)).endpoints.remove(0)
    }

    /// A second's steps until `until_ms`: how often `a` is asked what.
    fn count(&mut self, until_ms: u64, mut each: impl FnMut(&mut Self, u64)) -> [usize; 3] {
        let mut counts = [0; 3];
        for at in (0..=until_ms).step_by(1_000) {
            each(self, at);
            for question in self.probe(at, well) {
                counts[question as usize] += 1;
            }
        }
        counts
    }
}

fn well(question: Question) -> (Verdict, Option<u64>) {
    (good(), Some(if question == ChainId { 1 } else { 100 }))
}

fn elsewhere(question: Question) -> (Verdict, Option<u64>) {
    if question == ChainId { (other_chain(), Some(999)) } else { well(question) }
}

#[test]
fn a_new_object_asks_for_the_chain_at_once_and_for_heads_from_then_on() {
    let mut scene = Scene::new(route(1, ""));
    scene.use_it(0);
    assert_eq!(scene.probe(0, well), [ChainId]);
    assert_eq!(scene.region.next_alarm(&scene.route.breaker), Some(T0.plus(15_000)));
    assert_eq!(scene.probe(15_000, well), [Newest, Finalized]);
    let status = scene.status(15_000);
    assert_eq!(
        (status.chain_id, status.head, status.finalized),
        (Some(Chain::Ok), Some(100), Some(100))
    );
}

#[test]
fn what_is_asked_in_ten_minutes_of_traffic() {
    let mut scene = Scene::new(route(2, ""));
    let counts = scene.count(600_000, Scene::use_it);
    assert_eq!(counts, [2, 40, 10], "chain ids, heads, finalized blocks");
}

#[test]
fn heads_that_pass_by_need_no_poll() {
    let mut scene = Scene::new(route(2, ""));
    let counts = scene.count(600_000, |scene, at| scene.see_head(100 + at / 12_000, at));
    assert_eq!(counts, [2, 0, 10]);
}

#[test]
fn nor_when_their_only_isolate_hands_in_every_15_s() {
    let mut scene = Scene::new(route(2, ""));
    let counts = scene.count(600_000, |scene, at| {
        if at % 15_000 == 0 {
            scene.see_head(100 + at / 12_000, at.saturating_sub(1_000));
        }
    });
    assert_eq!(counts, [2, 0, 10]);
}

#[test]
fn what_an_isolate_has_of_the_object_itself_saves_no_poll() {
    let mut scene = Scene::new(route(2, ""));
    let counts = scene.count(600_000, |scene, at| {
        let head = scene.region.snapshot(T0.plus(at)).endpoints[0].head;
        let report = Report { name: "a".into(), head, ..Report::default() };
        let observation = Observation {
            isolate: "one".into(),
            endpoints: vec![report],
            traffic: true,
            ..Observation::default()
        };
        scene.hand_in(&observation, at);
    });
    assert_eq!(counts, [2, 40, 10]);
}

#[test]
fn an_isolate_whose_clock_is_ahead_does_not_end_the_polls() {
    let mut scene = Scene::new(route(2, ""));
    let head = Some(Head { number: 100, at: T0.plus(900_000_000) });
    let report = Report { name: "a".into(), head, ..Report::default() };
    let observation = Observation {
        isolate: "one".into(),
        endpoints: vec![report],
        traffic: true,
        ..Observation::default()
    };
    scene.hand_in(&observation, 0);
    assert_eq!(scene.count(60_000, |_, _| {})[1], 3);
}

#[test]
fn five_minutes_after_the_last_request_nothing_is_asked_whatever_is_out() {
    for by in [well, elsewhere] {
        let mut scene = Scene::new(route(2, ""));
        scene.use_it(0);
        for at in (0..=300_000).step_by(1_000) {
            scene.probe(at, by);
        }
        let after = (300_001..3_600_000).step_by(1_000);
        assert!(after.into_iter().all(|at| scene.probe(at, by).is_empty()));
        assert_eq!(scene.region.next_alarm(&scene.route.breaker), None, "and no alarm");
        scene.use_it(4_000_000);
        assert_eq!(
            scene.region.next_alarm(&scene.route.breaker).map(|at| at <= T0.plus(4_000_000)),
            Some(true)
        );
        assert!(!scene.probe(4_000_000, by).is_empty(), "the first request that comes");
    }
}

#[test]
fn another_chain_takes_it_out_at_once_and_loudly_until_it_shows_the_right_one() {
    let mut scene = Scene::new(route(2, ""));
    scene.use_it(0);
    assert_eq!(scene.probe(0, elsewhere), [ChainId]);
    let status = scene.status(0);
    assert_eq!((&*status.state, status.chain_id), ("open", Some(Chain::Wrong)));
    let transitions = scene.region.status(&scene.route, T0).transitions;
    assert_eq!(transitions[0].reason, "wrong_chain");

    for at in (0..600_000).step_by(1_000) {
        scene.use_it(at);
        let asked = scene.probe(at, |question| {
            if question == ChainId { (other_chain(), Some(999)) } else { (good(), Some(100)) }
        });
        assert!(asked.is_empty() || asked == [ChainId], "{asked:?}");
        assert_ne!(scene.status(at).state, "closed");
    }
    let alerts = |scene: &Scene| {
        let wrong = |event: &&Event| matches!(event, Event::WrongChain { .. });
        scene.events.iter().filter(wrong).count()
    };
    assert_eq!(alerts(&scene), 2, "one for each endpoint");

    let asked: Vec<_> = (600_000..900_000)
        .step_by(1_000)
        .flat_map(|at| {
            scene.use_it(at);
            scene.probe(at, well)
        })
        .take(2)
        .collect();
    assert_eq!(asked, [ChainId, Newest], "then it is asked as others are");
    assert_eq!(scene.status(900_000).state, "closed");
    assert_eq!(scene.status(900_000).chain_id, Some(Chain::Ok));
}

#[test]
fn one_that_cannot_be_reached_or_answers_oddly_is_merely_unknown() {
    for (verdict, state) in [(timeout(), State::Open), (declined(), State::Closed)] {
        let mut scene = Scene::new(route(2, r#""trip_after":1"#));
        scene.use_it(0);
        scene.probe(0, |_| (verdict, None));
        let status = scene.status(0);
        assert_eq!((status.chain_id, &*status.state), (None, state.label()));
    }
}

#[test]
fn a_wrong_one_that_answers_oddly_is_not_asked_again_and_again() {
    let mut scene = Scene::new(route(1, ""));
    scene.use_it(0);
    scene.probe(0, elsewhere);
    scene.use_it(15_000);
    assert_eq!(scene.probe(15_000, |_| (declined(), None)), [ChainId]);
    for at in 15_001..30_000 {
        assert_eq!(scene.probe(at, |_| (declined(), None)), [], "{at}");
    }
    assert_eq!(scene.probe(30_000, well), [ChainId]);
    assert_eq!(scene.status(30_000).chain_id, Some(Chain::Ok));
}

#[test]
fn a_wrong_one_that_cannot_be_reached_stays_wrong() {
    let mut scene = Scene::new(route(2, ""));
    scene.use_it(0);
    scene.probe(0, elsewhere);
    scene.use_it(15_000);
    scene.probe(15_000, |_| (timeout(), None));
    assert_eq!(scene.status(15_000).chain_id, Some(Chain::Wrong));
}

#[test]
fn a_restart_does_not_forget_it_and_another_chain_id_does() {
    let mut scene = Scene::new(route(1, ""));
    scene.use_it(0);
    scene.probe(0, elsewhere);
    let kept: Vec<Kept> = scene.region.keep().collect();
    let text = json::text(&kept);
    let read = || Memory { kept: json::read(&text).unwrap(), ..Memory::default() };
    let again = Region::new("weur", &scene.route, read(), T0.plus(1_000));
    assert_eq!(again.snapshot(T0).endpoints[0].chain, Some(Chain::Wrong));
    let mut moved = scene.route.clone();
    moved.chain_id = Some(999);
    let moved = Region::new("weur", &moved, read(), T0.plus(1_000));
    assert_eq!(moved.snapshot(T0).endpoints[0].chain, None);
    assert_eq!(moved.snapshot(T0).endpoints[0].state, State::Closed);
}

#[test]
fn an_isolate_comes_back_for_chain_ids_that_a_new_object_has_not_heard() {
    let mut scene = Scene::new(route(1, r#""poll_ms":600000"#));
    let mut book = Book::new(&scene.route, T0);
    scene.use_it(0);
    for (at, soon) in [(0, true), (2_000, true), (4_000, true), (6_000, false)] {
        let now = T0.plus(at);
        book.schedule.start(now);
        book.schedule.end(now, true);
        book.apply(&scene.region.snapshot(now), now);
        assert_eq!(book.schedule.due(T0.plus(at + 1_000), false), soon, "{at}");
    }
}

#[test]
fn isolates_keep_away_from_it_even_as_the_last_resort() {
    let mut scene = Scene::new(route(1, ""));
    scene.use_it(0);
    scene.probe(0, elsewhere);
    let mut book = Book::new(&scene.route, T0);
    book.schedule.start(T0);
    book.schedule.end(T0, true);
    book.apply(&scene.region.snapshot(T0), T0);
    for at in [0, 15_000, 59_000, 600_000] {
        let now = T0.plus(at);
        assert!(matches!(book.standing(0, now), Standing::WrongChain { .. }), "{at}");
        assert_eq!(choose(&scene.route, &book, now), None, "{at}");
    }
    scene.use_it(15_000);
    scene.probe(15_000, well);
    scene.probe(15_001, well);
    book.apply(&scene.region.snapshot(T0.plus(15_001)), T0.plus(15_001));
    assert_eq!(choose(&scene.route, &book, T0.plus(15_001)), Some(0));
}

fn choose(route: &Route, book: &Book, now: Millis) -> Option<usize> {
    let operation = Operation {
        protocol: Protocol::Evm,
        method: "eth_call",
        params: None,
        effect: Effect::Read,
    };
    let (asked, answered) = (Asked::default(), false);
    let wanted = Wanted { operation: &operation, bond: Bond::Free, asked, answered, key: 0 };
    select::next(route, book, wanted, now)
}

#[test]
fn an_endpoint_is_asked_only_what_its_methods_let_through() {
    for (methods, expected) in [
        (r#"{"deny":["eth_chainId"]}"#, vec![Newest, Finalized]),
        (r#"{"deny":["eth_getBlockByNumber"]}"#, vec![ChainId, Newest]),
        (r#"{"allow":["eth_getBlockByNumber"]}"#, vec![Finalized]),
        (r#"{"allow":["eth_getLogs"]}"#, vec![]),
    ] {
        let endpoint = format!(r#"{{"name":"a","url":"https://a.example","methods":{methods}}}"#);
        let mut scene = Scene::new(route_of(&endpoint, ""));
        scene.use_it(0);
        let mut asked = scene.probe(0, well);
        asked.extend(scene.probe(15_000, well));
        assert_eq!(asked, expected, "{methods}");
    }
}

#[test]
fn a_chain_without_finality_is_no_failure() {
    let mut scene = Scene::new(route(1, r#""trip_after":1"#));
    scene.use_it(0);
    scene.probe(0, well);
    for verdict in [timeout(), declined()] {
        scene.use_it(15_000);
        scene.probe(15_000, |question| match question {
            Finalized => (verdict, None),
            ChainId | Newest | Supported => well(question),
        });
        let status = scene.status(15_000);
        assert_eq!((&*status.state, status.finalized), ("closed", None));
    }
}
