//! What the operator orders holds in the object, over restarts, and in isolates.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use breakwater::breaker::machine::{Breaker, State};
use breakwater::config::{DrillKind, Route};
use breakwater::json;
use breakwater::method::{Effect, Operation};
use breakwater::select::{self, Asked, Bond, Wanted};
use breakwater::state::event;
use breakwater::state::heads::Head;
use breakwater::state::isolate::{Book, Finished, Item, Standing};
use breakwater::state::orders::{Action, Command, Drill};
use breakwater::state::region::{Event, Kept, Memory, Region};
use breakwater::state::replies::ErrorReply;
use breakwater::state::status::EndpointStatus;
use breakwater::state::wire::{Observation, Snapshot};
use breakwater::time::Millis;
use breakwater::verdict::Verdict;
use common::{T0, good, route, route_of, throttled, timeout};

/// A region's object and one of its isolates.
struct Scene {
    route: Route,
    region: Region,
    book: Book,
}

impl Scene {
    fn new(more: &str) -> Self {
        let route = route(3, more);
        let region = Region::new("weur", &route, Memory::default(), T0);
        let book = Book::new(&route, T0);
        let mut scene = Self { route, region, book };
        scene.sync(0);
        scene
    }

    fn obey(&mut self, endpoint: Option<&str>, action: Action, at: u64) -> Option<Vec<String>> {
        let command = Command { endpoint: endpoint.map(str::to_owned), action, drill: None };
        self.order(&command, at)
    }

    fn drill(&mut self, kind: DrillKind, value: u64, until: u64, at: u64) {
        let drill = Some(Drill { kind, value, until_ms: T0.plus(until) });
        let command = Command { endpoint: Some("a".into()), action: Action::Fault, drill };
        assert_eq!(self.order(&command, at), Some(Vec::new()), "a drill by itself moves nothing");
    }

    fn order(&mut self, command: &Command, at: u64) -> Option<Vec<String>> {
        let events = self.region.obey(command, &self.route.breaker, T0.plus(at), 0.5)?;
        let line = |event: &Event| match event {
            Event::Breaker(m) => {
                format!("{} {} {} {}", m.endpoint, m.from.label(), m.to.label(), m.reason)
            }
            Event::Serving { to, .. } => format!("serving {}", to.as_deref().unwrap_or("-")),
            Event::WrongChain { endpoint } => format!("wrong chain {endpoint}"),
        };
        Some(events.iter().map(line).collect())
    }

    /// The isolate hands in and takes the snapshot.
    fn sync(&mut self, at: u64) -> Observation {
        let now = T0.plus(at);
        self.book.schedule.start(now);
        self.book.note_use();
        let observation = self.book.observe("one", now);
        self.region.hand_in(&observation, &self.route.breaker, now, 0.5);
        let snapshot = self.region.snapshot(now);
        self.take(&snapshot, at);
        observation
    }

    fn take(&mut self, snapshot: &Snapshot, at: u64) {
        // As it travels.
        let text = json::text(snapshot);
        self.book.schedule.heard(T0.plus(at));
        self.book.apply(&json::read(&text).unwrap(), T0.plus(at));
    }

    /// So many attempts at the first endpoint end like this.
    fn attempts(&mut self, verdict: Verdict, times: usize, at: u64) {
        for _ in 0..times {
            let (grant, _) = self.book.permit(0, Effect::Read, T0.plus(at), 1_000).unwrap();
            let items = [Item { method: "eth_call", verdict }];
            let finished = Finished { endpoint: 0, grant, status: None, ms: 5, items: &items };
            self.book.record(finished, &self.route.breaker, T0.plus(at), 0.5);
        }
    }

    fn status(&self, at: u64) -> EndpointStatus {
        self.region.status(&self.route, T0.plus(at)).endpoints.remove(0)
    }

    fn standing(&self, at: u64) -> Standing {
        self.book.standing(0, T0.plus(at))
    }

    fn first_choice(&self, route: &Route, asked: &[usize], at: u64) -> Option<usize> {
        let operation = Operation {
            protocol: route.protocol,
            method: "eth_call",
            params: None,
            effect: Effect::Read,
        };
        let mut all = Asked::default();
        for endpoint in asked {
            all.add(*endpoint);
        }
        let wanted =
            Wanted { operation: &operation, bond: Bond::Free, asked: all, answered: false, key: 0 };
        select::next(route, &self.book, wanted, T0.plus(at))
    }

    /// The object again, from what it kept.
    fn restart(&mut self, route: Route, at: u64) {
        let kept: Vec<_> = self.region.keep().collect();
        let text = json::text(&kept);
        let kept: Vec<Kept> = json::read(&text).unwrap();
        let memory = Memory { kept, ..Memory::default() };
        self.region = Region::new("weur", &route, memory, T0.plus(at));
        self.route = route;
    }

    fn probed(&mut self, at: u64) -> Vec<usize> {
        let (probes, _) = self.region.probes(&self.route.breaker, T0.plus(at));
        probes.iter().map(|probe| probe.endpoint).collect()
    }
}

#[test]
fn an_unknown_endpoint_changes_nothing() {
    let mut scene = Scene::new("");
    let before = scene.region.snapshot(T0);
    for &(_, action) in Action::WORDS {
        assert_eq!(scene.obey(Some("nobody"), action, 1), None);
    }
    assert_eq!(scene.region.snapshot(T0), before);
}

#[test]
fn a_disabled_endpoint_is_never_asked_nor_probed() {
    let mut scene = Scene::new(r#""poll_ms":1000"#);
    assert_eq!(scene.obey(Some("a"), Action::Disable, 1).unwrap(), ["serving b"]);
    assert_eq!(scene.obey(Some("a"), Action::Disable, 2).unwrap(), Vec::<String>::new());
    let status = scene.status(3);
    assert_eq!((&*status.state, status.enabled), ("disabled", false));
    scene.sync(4);
    assert_eq!(scene.standing(5), Standing::Disabled);
    let route = scene.route.clone();
    assert_eq!(scene.first_choice(&route, &[], 5), Some(1));
    let snapshot = scene.region.snapshot(T0.plus(6));
    assert!(!scene.book.is_news(&snapshot));
    scene.obey(Some("b"), Action::Close, 6);
    assert!(scene.book.is_news(&scene.region.snapshot(T0.plus(7))));
    assert_eq!(scene.first_choice(&route, &[1, 2], 5), None, "no last resort either");
    assert!(!scene.probed(60_000).contains(&0));
    assert!(
        !scene.book.troubled(route.freshness, T0.plus(5)),
        "what the operator wants is no trouble"
    );
}

#[test]
fn disabled_stays_so_over_restarts_resets_and_a_new_key() {
    let mut scene = Scene::new("");
    scene.obey(Some("a"), Action::Disable, 1);
    scene.restart(scene.route.clone(), 2);
    scene.obey(Some("a"), Action::Close, 3);
    scene.obey(None, Action::Reset, 4);
    assert_eq!(scene.status(5).state, "disabled");
    let others = r#"{"name":"a","url":"https://a.example.org/new-key"},{"name":"b","url":"https://b.example.org/v1"}"#;
    scene.restart(route_of(others, ""), 6);
    assert_eq!(scene.status(7).state, "disabled");
    assert_eq!(scene.obey(Some("a"), Action::Enable, 8).unwrap(), ["serving a"]);
    scene.restart(scene.route.clone(), 9);
    assert_eq!(scene.status(10).state, "closed");
}

#[test]
fn disabled_holds_however_old_the_word_is() {
    let mut scene = Scene::new("");
    scene.obey(Some("a"), Action::Disable, 1);
    scene.sync(2);
    assert!(scene.book.schedule.cold(T0.plus(3_600_000)));
    assert_eq!(scene.standing(3_600_000), Standing::Disabled);
    assert!(!scene.book.shut_by_old_word(T0.plus(3_600_000)), "there are others to ask");
    for name in ["b", "c"] {
        scene.obey(Some(name), Action::Disable, 3);
    }
    scene.sync(4);
    assert!(!scene.book.shut_by_old_word(T0.plus(5)), "the word is fresh");
    assert!(scene.book.shut_by_old_word(T0.plus(3_600_000)));
}

#[test]
fn enable_undoes_disable_only() {
    let mut scene = Scene::new("");
    scene.obey(Some("a"), Action::Open, 1);
    scene.obey(Some("a"), Action::Disable, 2);
    scene.obey(Some("a"), Action::Enable, 3);
    assert_eq!(scene.status(4).state, "open");
}

#[test]
fn open_keeps_isolates_away_until_probes_bring_it_back() {
    let mut scene = Scene::new(r#""poll_ms":600000,"close_after":1"#);
    let moves = scene.obey(Some("a"), Action::Open, 1).unwrap();
    assert_eq!(moves, ["a closed open operator", "serving b"]);
    assert_eq!(scene.obey(Some("a"), Action::Open, 2).unwrap(), Vec::<String>::new());
    scene.sync(3);
    assert!(matches!(scene.standing(4), Standing::Open { .. }));
    assert!(!scene.probed(15_000).contains(&0));
    assert!(scene.probed(15_001).contains(&0), "its cooldown ends as any other");
}

#[test]
fn close_closes_isolates_own_breakers_as_well() {
    let mut scene = Scene::new(r#""trip_after":2"#);
    scene.attempts(timeout(), 2, 1);
    assert!(matches!(scene.standing(2), Standing::Open { .. }));
    assert_eq!(scene.status(2).state, "closed", "only this isolate keeps away");
    assert_eq!(scene.obey(Some("a"), Action::Close, 3).unwrap(), Vec::<String>::new());
    scene.sync(4);
    assert_eq!(scene.status(5).state, "closed", "a word from before the order does not count");
    assert_eq!(scene.standing(5), Standing::Ready);
    scene.attempts(timeout(), 2, 6);
    scene.sync(7);
    assert_eq!(scene.status(8).state, "open");
    let moves = scene.obey(Some("a"), Action::Close, 9).unwrap();
    assert_eq!(moves, ["a open closed operator", "serving a"]);
    scene.sync(10);
    assert_eq!(scene.standing(11), Standing::Ready);
}

#[test]
fn reset_begins_anew_everywhere() {
    let mut scene = Scene::new(r#""trip_after":3"#);
    scene.attempts(timeout(), 3, 1);
    scene.attempts(throttled(Some(60_000)), 1, 2);
    scene.sync(3);
    scene.drill(DrillKind::Down, 0, 60_000, 4);
    let before = scene.status(5);
    assert_eq!((&*before.state, before.trips_total, before.requests), ("open", 1, 4));
    assert_eq!(before.minutes, [[4, 4]]);
    assert!(before.throttled_until_ms.is_some() && before.fault.is_some());
    // Seen, but not handed in.
    scene.attempts(timeout(), 2, 6);
    scene.book.note_reply(0, reply("old"));
    let moves = scene.obey(Some("a"), Action::Reset, 7).unwrap();
    assert_eq!(moves, ["a open closed operator", "serving a"]);
    let handed = scene.sync(8);
    assert_eq!(handed.endpoints[0].tally.requests, 2, "the isolate did not know yet");
    let after = scene.status(9);
    assert_eq!((&*after.state, after.trips_total, after.requests), ("closed", 0, 0));
    assert_eq!(after.minutes, [[0, 0]]);
    assert_eq!((after.throttled_until_ms, after.fault, after.last_failure), (None, None, None));
    assert_eq!(replies(&scene, 9), Vec::<String>::new());
    assert_eq!(scene.standing(9), Standing::Ready, "the isolate's own breaker and rest as well");
    scene.attempts(timeout(), 2, 10);
    assert_eq!(scene.standing(11), Standing::Ready, "failures count from 0");
    scene.attempts(good(), 1, 12);
    scene.sync(13);
    assert_eq!(scene.status(14).requests, 3);
}

#[test]
fn a_route_is_reset_as_a_whole() {
    let mut scene = Scene::new("");
    for name in ["a", "b", "c"] {
        scene.obey(Some(name), Action::Open, 1);
    }
    let moves = scene.obey(None, Action::Reset, 2).unwrap();
    let expected = ["a", "b", "c"].map(|name| format!("{name} open closed operator"));
    assert_eq!(moves[..3], expected);
    assert_eq!(moves[3..], ["serving a"]);
}

#[test]
fn a_reset_outlives_a_restart() {
    let mut scene = Scene::new("");
    scene.attempts(timeout(), 2, 1);
    let late = scene.book.observe("one", T0.plus(2));
    scene.obey(Some("a"), Action::Reset, 3);
    scene.restart(scene.route.clone(), 4);
    scene.region.hand_in(&late, &scene.route.breaker, T0.plus(5), 0.5);
    assert_eq!(scene.status(6).requests, 0);
}

#[test]
fn a_drill_reaches_isolates_and_ends_by_itself() {
    let mut scene = Scene::new("");
    scene.drill(DrillKind::Slow, 250, 40_000, 1);
    assert_eq!(scene.book.drill(0, T0.plus(2)), None);
    scene.sync(3);
    let seen = scene.book.drill(0, T0.plus(4)).unwrap();
    assert_eq!((seen.kind, seen.value, seen.until_ms), (DrillKind::Slow, 250, T0.plus(40_000)));
    assert_eq!(scene.book.drill(1, T0.plus(4)), None);
    assert_eq!(scene.region.drill(0, T0.plus(39_999)), Some(seen));
    assert_eq!(scene.status(39_999).fault, Some(seen));
    assert_eq!((scene.region.drill(0, T0.plus(40_000)), scene.status(40_000).fault), (None, None));
    assert_eq!(scene.book.drill(0, T0.plus(40_000)), None);
}

#[test]
fn a_drill_outlives_a_restart_and_not_the_snapshot() {
    let mut scene = Scene::new("");
    scene.drill(DrillKind::Down, 0, 600_000, 1);
    scene.restart(scene.route.clone(), 2);
    assert!(scene.region.drill(0, T0.plus(3)).is_some());
    scene.sync(4);
    assert!(scene.book.drill(0, T0.plus(60_004)).is_some());
    assert_eq!(scene.book.drill(0, T0.plus(60_005)), None, "the snapshot is too old");
}

#[test]
fn a_stale_drill_lowers_the_head_that_freshness_sees_once() {
    let mut scene = Scene::new("");
    let (own, other) = (Head { number: 1_000, at: T0 }, Head { number: 1_000, at: T0 });
    scene.book.heads.note(0, own);
    scene.book.heads.note(1, other);
    scene.attempts(good(), 1, 0);
    scene.sync(1);
    scene.drill(DrillKind::Stale, 50, 30_000, 2);
    for at in [3, 4, 5] {
        scene.sync(at);
    }
    let lag = |scene: &Scene, at| scene.book.heads.lag(0, T0.plus(at)).unwrap().blocks;
    assert_eq!((lag(&scene, 6), scene.status(6).head), (50, Some(950)), "not twice");
    assert_eq!(scene.status(6).lag_blocks, Some(50));
    let (at, policy) = (T0.plus(20_000), scene.route.freshness);
    scene.book.heads.note(0, Head { number: 1_000, at });
    assert!(
        scene.book.heads.lags(0, policy, at) && !scene.book.heads.lags(0, policy, at.plus(10_000))
    );
    assert_eq!((lag(&scene, 30_000), scene.status(30_000).head), (0, Some(1_000)));
    assert_eq!(scene.book.heads.of(0).map(|head| head.number), Some(1_000), "what travels is true");
}

fn reply(text: &str) -> String {
    let text = Some(text);
    ErrorReply { at_ms: T0, method: "eth_call", class: "unknown", status: Some(200), text }.json()
}

fn replies(scene: &Scene, at: u64) -> Vec<String> {
    let status = scene.region.status_for_operator(&scene.route, T0.plus(at));
    let replies = status.endpoints[0].error_replies.clone().0.unwrap();
    let texts = replies.0.split("\"text\":\"").skip(1);
    texts.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn error_replies_are_for_the_operator_only_and_bounded() {
    let mut scene = Scene::new("");
    for n in 0..20 {
        scene.book.note_reply(0, reply(&format!("{n}")));
        if n % 5 == 4 {
            scene.sync(n);
        }
    }
    let expected = [19, 18, 17, 16, 14, 13, 12, 11, 9, 8, 7, 6, 4, 3, 2, 1];
    assert_eq!(replies(&scene, 30), expected.map(|n| n.to_string()), "four each time");
    scene.book.note_reply(0, reply("lost?"));
    let failed = scene.book.observe("one", T0.plus(31));
    scene.book.restore(failed);
    scene.sync(32);
    assert_eq!((replies(&scene, 33).len(), &*replies(&scene, 33)[0]), (16, "lost?"));
    let public = json::text(&scene.region.status(&scene.route, T0.plus(34)));
    assert!(!public.contains("lost?") && !public.contains("error_replies"));
    assert_eq!(scene.region.keep().count(), 3);
    let kept = json::text(&scene.region.keep().collect::<Vec<_>>());
    assert!(!kept.contains("lost?"), "in memory only");
}

#[test]
fn a_generation_from_before_does_not_count_after_a_reset() {
    let mut scene = Scene::new("");
    let (grant, _) = scene.book.permit(0, Effect::Read, T0, 1_000).unwrap();
    scene.obey(Some("a"), Action::Reset, 1);
    scene.sync(2);
    for _ in 0..10 {
        let items = [Item { method: "eth_call", verdict: timeout() }];
        let finished = Finished { endpoint: 0, grant, status: None, ms: 5, items: &items };
        scene.book.record(finished, &scene.route.breaker, Millis(T0.0 + 3), 0.5);
    }
    assert_eq!(scene.book.breaker(0).map(Breaker::state), Some(State::Closed));
}

#[test]
fn many_clients_without_an_answer_leave_room_for_other_news() {
    let mut scene = Scene::new("");
    for n in 0..1_000 {
        let gone = event::exhausted("r", &format!("eth_{n}"), -32002, "a=timeout", T0);
        scene.book.tell(gone);
    }
    scene.book.tell(event::alert("r", Some("a"), "look", T0));
    let failed = scene.book.observe("one", T0);
    scene.book.restore(failed);
    let events = scene.book.observe("one", T0).events;
    let told: Vec<_> = events.iter().map(|told| (&*told.event, told.times)).collect();
    assert_eq!(told, [("exhausted", 1_000), ("alert", 1)]);
    for n in 0..100 {
        scene.book.tell(event::config_error(None, None, &format!("ROUTE_{n}: is bad"), T0));
    }
    assert_eq!(scene.book.observe("one", T0).events.len(), 16, "bounded");
}
