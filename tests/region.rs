//! The region's view: who opens a breaker, who probes, what survives.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use breakwater::breaker::machine::State;
use breakwater::config::Route;
use breakwater::json;
use breakwater::state::region::{Event, Kept, Memory, Region};
use breakwater::state::wire::{Observation, Report};
use breakwater::state::writes::Write;
use breakwater::time::Millis;
use breakwater::verdict::Verdict;
use common::{T0, answer, good, route, route_of, timeout};

struct Scene {
    route: Route,
    region: Region,
}

impl Scene {
    fn new(more: &str) -> Self {
        let route = route(3, more);
        let region = Region::new("weur", &route, Memory::default(), T0);
        Self { route, region }
    }

    /// The same when every endpoint has shown its chain id already.
    fn settled(more: &str) -> Self {
        let mut scene = Self::new(more);
        let used = Observation { traffic: true, ..Observation::default() };
        scene.region.hand_in(&used, &scene.route.breaker, T0, 0.5);
        assert_eq!(scene.probe(&good(), 0), [0, 1, 2]);
        scene
    }

    fn report(&mut self, isolate: &str, open: &[&str], at: u64) -> Vec<Event> {
        let generation = |name: &str| {
            let snapshot = self.region.snapshot(T0.plus(at));
            snapshot.endpoints.iter().find(|e| e.name == name).map(|e| e.generation)
        };
        let report = |name: &&str| Report {
            name: (*name).into(),
            open: true,
            reason: Some("timeout".into()),
            seen: generation(name),
            ..Report::default()
        };
        let observation = Observation {
            isolate: isolate.into(),
            endpoints: open.iter().map(report).collect(),
            traffic: true,
            ..Observation::default()
        };
        self.region.hand_in(&observation, &self.route.breaker, T0.plus(at), 0.5)
    }

    /// Makes the probes due at `at`; all end with this verdict. Returns the endpoints probed.
    fn probe(&mut self, verdict: &Verdict, at: u64) -> Vec<usize> {
        self.probe_with_events(verdict, at).0
    }

    fn probe_with_events(&mut self, verdict: &Verdict, at: u64) -> (Vec<usize>, Vec<Event>) {
        let now = T0.plus(at);
        let (probes, mut events) = self.region.probes(&self.route.breaker, now);
        let asked = probes.iter().map(|probe| probe.endpoint).collect();
        for probe in probes {
            let outcome = answer(probe, |_| (*verdict, Some(1)));
            events.extend(self.region.probed(&outcome, &self.route.breaker, now, 0.5));
        }
        (asked, events)
    }

    fn state(&self, name: &str, at: u64) -> State {
        let snapshot = self.region.snapshot(T0.plus(at));
        snapshot.endpoints.iter().find(|e| e.name == name).unwrap().state
    }

    fn next_alarm(&self) -> Option<u64> {
        self.region.next_alarm(&self.route.breaker).map(|at| at.since(T0))
    }
}

fn memory(kept: Vec<Kept>) -> Memory {
    Memory { kept, ..Memory::default() }
}

fn moves(events: &[Event]) -> Vec<String> {
    let line = |event: &Event| match event {
        Event::Breaker(moved) => format!("{} {}", moved.endpoint, moved.to.label()),
        Event::Serving { to, .. } => format!("serving {}", to.as_deref().unwrap_or("-")),
        Event::WrongChain { endpoint } => format!("{endpoint} wrong chain"),
    };
    events.iter().map(line).collect()
}

#[test]
fn one_isolate_among_others_only_raises_suspicion() {
    let mut scene = Scene::settled("");
    scene.report("one", &[], 0);
    assert_eq!(moves(&scene.report("two", &["a"], 10)), Vec::<String>::new());
    assert_eq!(scene.state("a", 10), State::Closed);
    assert!(scene.next_alarm().unwrap() <= 10, "the object looks for itself, at once");
    assert_eq!(scene.probe(&good(), 11), [0]);
    assert_eq!(scene.state("a", 12), State::Closed, "it is reachable from here");
}

#[test]
fn one_isolate_and_a_failed_probe_open_it() {
    let mut scene = Scene::new("");
    scene.report("one", &[], 0);
    scene.report("two", &["a"], 10);
    scene.probe(&timeout(), 11);
    assert_eq!(scene.state("a", 11), State::Open);
}

#[test]
fn two_isolates_open_it() {
    let mut scene = Scene::new("");
    scene.report("one", &["a"], 0);
    let mut other = Scene::new("");
    other.report("zero", &[], 0);
    other.report("one", &["a"], 1);
    assert_eq!(other.state("a", 1), State::Closed);
    assert_eq!(moves(&other.report("two", &["a"], 2)), ["a open", "serving b"]);
}

#[test]
fn the_only_isolate_opens_it_alone() {
    let mut scene = Scene::new("");
    assert_eq!(moves(&scene.report("one", &["a"], 0)), ["a open", "serving b"]);
}

#[test]
fn failed_polls_open_it_without_anybody() {
    let mut scene = Scene::new(r#""trip_after":2,"poll_ms":1000"#);
    scene.report("one", &[], 0);
    assert_eq!(scene.probe(&timeout(), 1_000), [0, 1, 2]);
    assert_eq!(scene.state("a", 1_000), State::Closed);
    scene.probe(&timeout(), 2_000);
    assert_eq!(scene.state("a", 2_000), State::Open);
}

#[test]
fn probes_take_it_back_one_after_the_other() {
    let mut scene = Scene::settled(r#""poll_ms":600000"#);
    scene.report("one", &["a"], 0);
    assert_eq!(scene.next_alarm(), Some(15_000));
    assert_eq!(scene.probe(&good(), 14_999), Vec::<usize>::new());
    assert_eq!(scene.probe(&good(), 15_000), [0]);
    assert_eq!(scene.state("a", 15_000), State::HalfOpen);
    assert_eq!(scene.probe(&good(), 15_001), [0]);
    assert_eq!(scene.state("a", 15_001), State::Closed);
    let status = scene.region.status(&scene.route, T0.plus(15_002));
    let path: Vec<_> = status.transitions.iter().map(|t| t.to.label()).collect();
    assert_eq!(path, ["closed", "half_open", "open"], "newest first");
    assert_eq!(status.serving.as_deref(), Some("a"));
}

#[test]
fn who_serves_is_told_once_for_each_change() {
    let mut scene = Scene::settled(r#""poll_ms":600000"#);
    let told = |scene: &mut Scene, open: &[&str], at| moves(&scene.report("one", open, at));
    assert_eq!(told(&mut scene, &["a"], 0), ["a open", "serving b"]);
    assert_eq!(told(&mut scene, &["a"], 1), Vec::<String>::new());
    assert_eq!(told(&mut scene, &["a", "b"], 2), ["b open", "serving c"]);
    assert_eq!(told(&mut scene, &["a", "b", "c"], 3), ["c open", "serving -"], "nobody is left");
    let mut probed = |at| moves(&scene.probe_with_events(&good(), at).1);
    assert_eq!(probed(15_000), ["a half_open"]);
    assert_eq!(probed(15_002), ["b half_open", "a closed", "serving a"]);
    assert_eq!(probed(15_003), ["c half_open", "b closed"], "a serves all the same");
    assert_eq!(probed(15_004), ["c closed"]);
}

#[test]
fn a_word_from_before_the_recovery_does_not_open_it_again() {
    let mut scene = Scene::new("");
    scene.report("one", &["a"], 0);
    scene.probe(&good(), 15_000);
    scene.probe(&good(), 15_001);
    let late = Observation {
        isolate: "one".into(),
        endpoints: vec![Report {
            name: "a".into(),
            open: true,
            seen: Some(1),
            ..Report::default()
        }],
        traffic: true,
        ..Observation::default()
    };
    scene.region.hand_in(&late, &scene.route.breaker, T0.plus(16_000), 0.5);
    assert_eq!(scene.state("a", 16_000), State::Closed);
}

#[test]
fn without_traffic_for_five_minutes_nothing_is_probed() {
    let mut scene = Scene::new("");
    assert_eq!(scene.next_alarm(), None, "a new object waits for its first traffic");
    scene.report("one", &["a"], 0);
    assert_eq!(scene.probe(&timeout(), 300_001), Vec::<usize>::new());
    let reading = Observation { isolate: "one".into(), ..Observation::default() };
    scene.region.hand_in(&reading, &scene.route.breaker, T0.plus(300_002), 0.5);
    assert_eq!(scene.probe(&timeout(), 300_003), Vec::<usize>::new(), "a status is no traffic");
    scene.report("one", &[], 400_000);
    assert!(scene.next_alarm().is_some_and(|at| at <= 400_000));
    assert!(scene.probe(&good(), 400_001).contains(&0), "the first request brings it back");
}

#[test]
fn what_was_kept_is_what_comes_back() {
    let mut scene = Scene::new("");
    scene.report("one", &["a"], 0);
    let kept: Vec<_> = scene.region.keep().collect();
    let text = json::text(&kept);
    let read: Vec<Kept> = json::read(&text).unwrap();
    let again = Region::new("weur", &scene.route, memory(read), T0.plus(5_000));
    let (before, after) = (scene.region.snapshot(T0.plus(1)), again.snapshot(T0.plus(1)));
    assert_eq!(before, after);
}

#[test]
fn the_kept_form_is_unchanged() {
    // Objects that are deployed must still be read: a change here needs a new layout version.
    let kept = r#"{"name":"a","fingerprint":FP,"breaker":{"state":"open","since":1800000000000,"generation":1,"failures":0,"successes":0,"failed_probes":0,"retry_at":1800000015000,"lease":null,"leases":0,"trips":1},"rest":null,"tally":{"requests":0,"failures":0,"classes":{},"methods":{},"latency":[],"last_failure":null,"slow":0,"disagreements":0,"unclassified":0,"latency_ms":0},"orders":{"disabled":false,"drill":null,"reset":0},"wrong_for":null}"#;
    let mut scene = Scene::new("");
    scene.report("one", &["a"], 0);
    let first = scene.region.keep().next().unwrap();
    let fingerprint = scene.route.endpoints[0].fingerprint().cast_signed().to_string();
    assert_eq!(json::text(&first), kept.replace("FP", &fingerprint));
}

#[test]
fn an_endpoint_with_another_url_starts_closed() {
    let mut scene = Scene::new("");
    scene.report("one", &["a"], 0);
    let kept = scene.region.keep().collect();
    let moved = route_of(r#"{"name":"a","url":"https://elsewhere.example.org"}"#, "");
    let region = Region::new("weur", &moved, memory(kept), T0);
    assert_eq!(region.snapshot(T0).endpoints[0].state, State::Closed);
}

#[test]
fn an_endpoint_that_left_the_configuration_is_forgotten() {
    let mut scene = Scene::new("");
    scene.report("one", &["c"], 0);
    let smaller = route(2, "");
    let kept = scene.region.keep().collect();
    let region = Region::new("weur", &smaller, memory(kept), Millis(0));
    assert_eq!(region.snapshot(T0).endpoints.len(), 2);
}

#[test]
fn accepted_transactions_are_handed_out_and_not_kept() {
    let mut scene = Scene::new("");
    let write = |n: u64| Write {
        hash: format!("0x{n:064x}"),
        endpoint: "b".into(),
        at: T0.plus(n),
        client: None,
    };
    let observation = Observation {
        isolate: "one".into(),
        writes: vec![write(1), write(2)],
        ..Observation::default()
    };
    scene.region.hand_in(&observation, &scene.route.breaker, T0.plus(5), 0.5);
    assert_eq!(scene.region.snapshot(T0.plus(5)).writes, observation.writes);
    assert_eq!(scene.region.snapshot(T0.plus(120_002)).writes, [write(2)], "two minutes");
    let kept = scene.region.keep().collect();
    let again = Region::new("weur", &scene.route, memory(kept), T0.plus(5));
    assert!(again.snapshot(T0.plus(5)).writes.is_empty());
}
