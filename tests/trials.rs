//! Trials that the region leases: only where it cannot find out itself, one at a time, and what comes
//! late changes nothing.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use breakwater::breaker::machine::State;
use breakwater::config::{Protocol, Route};
use breakwater::method::{Effect, Operation};
use breakwater::select::{self, Asked, Bond, Wanted};
use breakwater::state::isolate::{Book, Finished, Grant, Item, Standing};
use breakwater::state::region::{Memory, Probe, Region};
use breakwater::state::wire::{Lease, Observation, Snapshot};
use breakwater::verdict::Verdict;
use common::{T0, answer, declined, good, route, route_of, timeout};
use proptest::prelude::*;

/// `a` takes nothing that the object could probe it with.
const SILENT: &str = r#"{"name":"a","url":"https://a.example","methods":{"allow":["eth_call"]}},
    {"name":"b","url":"https://b.example"}"#;

struct World {
    route: Route,
    region: Region,
    books: Vec<Book>,
    /// The last lease given out and not handed back.
    out: Option<Lease>,
}

impl World {
    fn new(route: Route, isolates: usize) -> Self {
        let region = Region::new("weur", &route, Memory::default(), T0);
        let books = (0..isolates).map(|_| Book::new(&route, T0)).collect();
        Self { route, region, books, out: None }
    }

    /// The same with `a` opened by two isolates' words, at 0.
    fn opened(route: Route, isolates: usize) -> Self {
        let mut world = Self::new(route, isolates.max(2));
        for isolate in 0..2 {
            while world.books[isolate].breaker(0).unwrap().state() == State::Closed {
                let grant = world.books[isolate].permit(0, Effect::Read, T0, 1_000).unwrap().0;
                world.end(isolate, grant, &timeout(), 0);
            }
            world.sync(isolate, 0);
        }
        assert_eq!(world.state(), State::Open);
        world
    }

    fn state(&self) -> State {
        self.region.snapshot(T0).endpoints[0].state
    }

    /// A hand-in whose answer arrives.
    fn sync(&mut self, isolate: usize, at: u64) -> Option<Lease> {
        let (_, snapshot) = self.exchange(isolate, at);
        self.arrive(isolate, &snapshot, at);
        snapshot.endpoints[0].lease
    }

    fn exchange(&mut self, isolate: usize, at: u64) -> (Observation, Snapshot) {
        let now = T0.plus(at);
        let book = &mut self.books[isolate];
        book.note_use();
        book.schedule.start(now);
        let observation = book.observe(&isolate.to_string(), now);
        self.region.hand_in(&observation, &self.route.breaker, now, 0.5);
        let handed_back = observation.endpoints.iter().filter_map(|report| report.trial.as_ref());
        for trial in handed_back {
            self.out = self.out.filter(|lease| lease.id != trial.id);
        }
        let snapshot = self.region.answer(&observation, now).0;
        if let Some(lease) = snapshot.endpoints[0].lease {
            assert!(self.out.is_none_or(|out| out.until <= now), "two leases at {at}");
            self.out = Some(lease);
        }
        (observation, snapshot)
    }

    fn arrive(&mut self, isolate: usize, snapshot: &Snapshot, at: u64) {
        self.books[isolate].schedule.end(T0.plus(at), true);
        self.books[isolate].apply(snapshot, T0.plus(at));
    }

    /// A read's first choice, and its right to ask there.
    fn read(&mut self, isolate: usize, at: u64) -> Option<(usize, Grant)> {
        let now = T0.plus(at);
        let operation = Operation {
            protocol: Protocol::Evm,
            method: "eth_call",
            params: None,
            effect: Effect::Read,
        };
        let (asked, answered) = (Asked::default(), false);
        let wanted = Wanted { operation: &operation, bond: Bond::Free, asked, answered };
        let book = &mut self.books[isolate];
        let endpoint = select::next(&self.route, book, wanted, now)?;
        Some((endpoint, book.permit(endpoint, Effect::Read, now, 1_000)?.0))
    }

    fn end(&mut self, isolate: usize, grant: Grant, verdict: &Verdict, at: u64) {
        let items = [Item { method: "eth_call", verdict: *verdict }];
        let finished = Finished { endpoint: 0, grant, status: None, ms: 1, items: &items };
        self.books[isolate].record(finished, &self.route.breaker, T0.plus(at), 0.5);
    }

    /// Reads once through the isolate; whether `a` was asked.
    fn try_it(&mut self, isolate: usize, verdict: &Verdict, at: u64) -> bool {
        match self.read(isolate, at) {
            Some((0, grant)) => {
                self.end(isolate, grant, verdict, at);
                true
            }
            _ => false,
        }
    }

    fn due(&mut self, at: u64) -> Vec<Probe> {
        self.region.probes(&self.route.breaker, T0.plus(at)).0
    }

    fn probed(&mut self, probe: Probe, verdict: &Verdict, at: u64) {
        let outcome = answer(probe, |_| (*verdict, Some(1)));
        self.region.probed(&outcome, &self.route.breaker, T0.plus(at), 0.5);
    }
}

#[test]
fn while_the_object_probes_no_client_has_to() {
    let mut world = World::opened(route(2, ""), 3);
    for at in (0..600_000).step_by(500) {
        for probe in world.due(at) {
            let verdict = if probe.endpoint == 0 { timeout() } else { good() };
            world.probed(probe, &verdict, at);
        }
        for isolate in 0..3 {
            assert_eq!(world.sync(isolate, at), None, "{at}");
            assert!(!world.try_it(isolate, &good(), at));
        }
    }
}

#[test]
fn a_lost_alarm_lets_one_isolate_try_and_close_it() {
    let mut world = World::opened(route(2, ""), 3);
    assert_eq!(world.sync(0, 19_000), None, "the probe is due since 15 s: it may still come");
    assert!(world.sync(1, 21_000).is_some());
    assert_eq!(world.sync(0, 21_001), None, "one at a time");
    assert!(matches!(world.books[0].standing(0, T0.plus(21_002)), Standing::Open { .. }));
    assert!(world.try_it(1, &good(), 21_002), "the next read of that isolate");
    assert!(!world.try_it(1, &good(), 21_003), "and no second one");
    assert!(world.books[1].schedule.due(T0.plus(22_000), false), "handed in at once");
    assert!(world.sync(1, 22_000).is_none() && world.state() == State::HalfOpen);
    assert!(world.sync(2, 27_100).is_some(), "five seconds without a probe later");
    assert!(world.try_it(2, &good(), 27_101));
    world.sync(2, 28_000);
    assert_eq!(world.state(), State::Closed);
}

#[test]
fn what_the_object_cannot_ask_an_isolate_tries_at_once() {
    let mut world = World::opened(route_of(SILENT, ""), 2);
    assert_eq!(world.sync(0, 14_000), None, "not before the cooldown is over");
    assert!(world.due(15_000).iter().all(|probe| probe.endpoint != 0));
    for at in [15_000, 16_000] {
        assert!(world.sync(0, at).is_some());
        assert!(world.try_it(0, &good(), at + 1));
    }
    world.sync(0, 17_000);
    assert_eq!(world.state(), State::Closed);
}

#[test]
fn so_it_does_where_a_probe_said_nothing() {
    let mut world = World::opened(route(2, ""), 2);
    let probes = world.due(15_000);
    for probe in probes {
        world.probed(probe, &declined(), 15_000);
    }
    assert!(world.due(15_001).is_empty(), "it is not asked the same again and again");
    assert!(world.sync(0, 15_002).is_some());
}

#[test]
fn a_failed_trial_opens_it_again_for_longer() {
    let mut world = World::opened(route_of(SILENT, ""), 2);
    world.sync(0, 15_000);
    assert!(world.try_it(0, &timeout(), 15_001));
    world.sync(0, 16_000);
    assert_eq!(world.state(), State::Open);
    assert_eq!(world.sync(1, 45_999), None);
    assert!(world.sync(1, 46_000).is_some());
}

#[test]
fn a_lease_that_is_not_used_frees_itself_and_comes_too_late_then() {
    let mut world = World::opened(route_of(SILENT, ""), 2);
    let first = world.sync(0, 15_000).unwrap();
    let (_, grant) = world.read(0, 15_001).unwrap();
    assert_eq!(world.sync(1, 29_999), None);
    let second = world.sync(1, 30_001).unwrap();
    assert_ne!(first.id, second.id);
    world.end(0, grant, &timeout(), 30_002);
    world.sync(0, 30_003);
    assert_eq!(world.state(), State::HalfOpen, "the second is still out");
}

#[test]
fn a_send_is_no_trial() {
    let mut world = World::opened(route_of(SILENT, ""), 2);
    world.sync(0, 15_000);
    world.books[0].permit(0, Effect::Send, T0.plus(15_001), 1_000);
    assert!(world.books[0].leased(0, T0.plus(15_002)));
}

#[test]
fn the_first_request_after_a_silence_makes_the_object_probe() {
    let mut world = World::opened(route(1, ""), 2);
    assert!(world.due(3_600_000).is_empty());
    assert_eq!(world.sync(0, 3_600_000), None, "the object can do it itself");
    let alarm = world.region.next_alarm(&world.route.breaker).unwrap();
    assert!(alarm <= T0.plus(3_600_000));
    assert_eq!(world.due(3_600_001).len(), 1);
}

/// One step of a history.
#[derive(Debug, Clone)]
enum Event {
    /// An isolate's hand-in; its answer arrives or does not.
    Sync { isolate: usize, arrives: bool },
    /// A read begins.
    Read { isolate: usize },
    /// The oldest read at `a` ends, or is never heard of again.
    End { well: bool, lost: bool },
    /// The alarm rings; the probes it makes come back, say nothing, or are lost.
    Alarm { outcome: u8 },
}

fn any_event() -> impl Strategy<Value = Event> {
    let isolate = 0usize..3;
    prop_oneof![
        4 => (isolate.clone(), prop::bool::weighted(0.8))
            .prop_map(|(isolate, arrives)| Event::Sync { isolate, arrives }),
        4 => isolate.prop_map(|isolate| Event::Read { isolate }),
        3 => (any::<bool>(), prop::bool::weighted(0.2))
            .prop_map(|(well, lost)| Event::End { well, lost }),
        1 => (0u8..4).prop_map(|outcome| Event::Alarm { outcome }),
    ]
}

fn play(world: &mut World, history: Vec<(Event, u64)>) -> u64 {
    let (mut at, mut under_way) = (0, std::collections::VecDeque::new());
    for (event, pause) in history {
        at += pause;
        match event {
            Event::Sync { isolate, arrives } => {
                let (observation, snapshot) = world.exchange(isolate, at);
                if arrives {
                    world.arrive(isolate, &snapshot, at);
                } else {
                    world.books[isolate].schedule.end(T0.plus(at), false);
                    world.books[isolate].restore(observation);
                }
            }
            Event::Read { isolate } => {
                if let Some((0, grant)) = world.read(isolate, at) {
                    under_way.push_back((isolate, grant));
                }
            }
            Event::End { well, lost } => {
                if let Some((isolate, grant)) = under_way.pop_front().filter(|_| !lost) {
                    world.end(isolate, grant, &if well { good() } else { timeout() }, at);
                }
            }
            Event::Alarm { outcome } => {
                for probe in world.due(at) {
                    match outcome {
                        0 => world.probed(probe, &good(), at),
                        1 => world.probed(probe, &timeout(), at),
                        2 => world.probed(probe, &declined(), at),
                        _ => {}
                    }
                }
            }
        }
    }
    at
}

proptest! {
    /// The assertion in `World::exchange` is the property: two leases are never out at a time. In the
    /// end the endpoint is well, isolates have traffic, and the alarm is lost for good.
    #[test]
    fn one_lease_at_a_time_and_it_always_recovers(
        silent in any::<bool>(),
        history in prop::collection::vec((any_event(), 0u64..8_000), 0..120),
    ) {
        let route = if silent { route_of(SILENT, "") } else { route(2, "") };
        let mut world = World::new(route, 3);
        let mut at = play(&mut world, history);
        let end = at + 600_000;
        while at < end {
            at += 1_000;
            for isolate in 0..3 {
                world.sync(isolate, at);
                world.try_it(isolate, &good(), at + 1);
            }
        }
        prop_assert_eq!(world.state(), State::Closed);
        for book in &world.books {
            prop_assert_eq!(book.standing(0, T0.plus(at)), Standing::Ready);
        }
    }

    #[test]
    fn an_outcome_under_another_lease_changes_nothing(
        id in 0u64..5, generation in 0u64..6, at in 15_000u64..60_000,
    ) {
        let mut world = World::opened(route_of(SILENT, ""), 2);
        let lease = world.sync(0, 15_000).unwrap();
        prop_assume!((id, generation) != (lease.id, lease.generation) || at > 30_000);
        let (_, grant) = world.read(0, 15_001).unwrap();
        world.end(0, grant, &timeout(), 15_002);
        let before = world.region.snapshot(T0.plus(at));
        let mut observation = world.books[0].observe("0", T0.plus(at));
        for report in &mut observation.endpoints {
            report.open = false;
            if let Some(trial) = &mut report.trial {
                (trial.id, trial.generation) = (id, generation);
            }
        }
        world.region.hand_in(&observation, &world.route.breaker, T0.plus(at), 0.5);
        let after = world.region.snapshot(T0.plus(at));
        prop_assert_eq!(&before.endpoints[0], &after.endpoints[0]);
    }
}
