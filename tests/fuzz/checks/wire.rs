//! What isolates and objects tell each other, and what objects find in their storage: written by
//! other versions, cut, or spoilt. Nothing of it may bring a side down or make it promise nonsense.

use breakwater::breaker::machine::State;
use breakwater::json::{self, FromJson, ToJson};
use breakwater::method::{Operation, effect};
use breakwater::select::{self, Asked as Done, Bond, Wanted};
use breakwater::state::alerts::Alerts;
use breakwater::state::isolate::Book;
use breakwater::state::region::{Kept, LOG_MAX, Logged, Memory, Region};
use breakwater::state::wire::{Answer, Observation, Snapshot};
use breakwater::time::Millis;
use breakwater::x402::claim::Payment;
use breakwater::x402::wire::{Asked, Said, Word};

use super::scene::{NOW, route};
use super::{fields, is_json, one_of, pick, text};

/// The first byte says whose words the others are.
pub fn check(data: &[u8]) {
    let (what, body) = (pick(data, 0), data.get(1..).unwrap_or_default());
    match what % 4 {
        0 => to_the_region(body),
        1 => to_the_isolate(body),
        2 => of_a_payment(body),
        _ => from_storage(body),
    }
}

/// A form that was read can be written and read again, and is the same.
fn again<T: FromJson + ToJson + Default>(text: &str) -> Option<T> {
    let read: T = json::read(text)?;
    let written = json::text(&read);
    is_json(&written);
    let twice: T = json::read(&written).unwrap_or_else(|| panic!("unreadable: {written}"));
    assert_eq!(json::text(&twice), written);
    Some(read)
}

/// Hand-ins, one after the other, some time between them.
fn to_the_region(data: &[u8]) {
    let [pauses, first, second, third] = fields(data);
    let route = route("eth");
    let mut region = Region::new("weur", route, Memory::default(), NOW);
    let (mut now, mut alerts) = (NOW, Alerts::default());
    for (at, said) in [first, second, third].into_iter().enumerate() {
        let Some(said) = again::<Observation>(text(said)) else { continue };
        now = now.plus(1_000 * pick(pauses, at) as u64);
        region.hand_in(&said, &route.breaker, now, 0.5);
        if let Some(command) = &said.command {
            region.obey(command, &route.breaker, now, 0.5);
        }
        said.events.iter().for_each(|event| alerts.take(event.clone(), now));
        alerts.due(now).iter().for_each(|alert| is_json(&alert.body()));
        again::<Alerts>(&json::text(&alerts)).unwrap();
        let (snapshot, _) = region.answer(&said, now);
        is_sane(&snapshot, now);
        let (probes, _) = region.probes(&route.breaker, now);
        assert!(probes.iter().all(|probe| probe.endpoint < route.endpoints.len()));
    }
    is_kept(&region, now);
}

fn is_sane(snapshot: &Snapshot, now: Millis) {
    let route = route("eth");
    assert_eq!(snapshot.endpoints.len(), route.endpoints.len());
    for (regional, endpoint) in snapshot.endpoints.iter().zip(&route.endpoints) {
        assert_eq!(regional.name, endpoint.name);
        assert!(regional.state == State::Closed || regional.retry_at.is_some());
        let head = regional.head.into_iter().chain(snapshot.given);
        head.for_each(|head| assert!(head.at <= now, "a head of the future"));
    }
    assert!(snapshot.writes.len() <= 64, "{} writes", snapshot.writes.len());
    let written = json::text(snapshot);
    assert_eq!(json::text(&again::<Snapshot>(&written).unwrap()), written);
    assert!(written.len() < 200_000, "{} bytes", written.len());
}

/// What is kept and shown of it is JSON of a bounded size.
fn is_kept(region: &Region, now: Millis) {
    let route = route("eth");
    for kept in region.keep() {
        again::<Kept>(&json::text(&kept)).unwrap();
    }
    for status in [region.status(route, now), region.status_for_operator(route, now)] {
        let status = json::text(&status);
        is_json(&status);
        assert!(status.len() < 2_000_000, "{} bytes", status.len());
    }
    let _ = region.next_alarm(&route.breaker);
}

/// The region's answers, and the choices made after them.
fn to_the_isolate(data: &[u8]) {
    let [pauses, first, second] = fields(data);
    let route = route("eth");
    let mut book = Book::new(route, NOW);
    let mut now = NOW;
    for (at, said) in [first, second].into_iter().enumerate() {
        let said = text(said);
        let snapshot = again::<Answer>(said).map(|answer| answer.snapshot);
        let Some(snapshot) = snapshot.or_else(|| again::<Snapshot>(said)) else { continue };
        now = now.plus(1_000 * pick(pauses, at) as u64);
        book.apply(&snapshot, now);
        chooses(
            &book,
            one_of::<&str>(&["eth_call", "eth_sendRawTransaction", "eth_blockNumber"], pauses, 2),
            now,
        );
        let given = book.give(5, now);
        assert!(given >= 5);
        let observation = book.observe("me", now);
        let written = json::text(&observation);
        is_json(&written);
        book.restore(observation);
        let _ = (
            book.troubled(route.freshness, now),
            book.shut_by_old_word(now),
            book.is_news(&snapshot),
        );
        is_json(&json::text(&book.locals(now)));
    }
}

fn chooses(book: &Book, method: &str, now: Millis) {
    let route = route("eth");
    let operation =
        Operation { protocol: route.protocol, method, params: None, effect: effect(method) };
    let mut asked = Done::default();
    for _ in 0..=route.endpoints.len() {
        let wanted =
            Wanted { operation: &operation, bond: Bond::Free, asked, answered: false, key: 1 };
        let Some(next) = select::next(route, book, wanted, now) else { break };
        assert!(next < route.endpoints.len() && !asked.has(next));
        asked.add(next);
        let _ = (book.standing(next, now), book.rest(next, now), book.drill(next, now));
    }
}

/// One holder at a time, and one facilitator while anything may have been sent.
fn of_a_payment(data: &[u8]) {
    let [pauses, stored, rest] = fields(data);
    let mut payment = Payment::read(text(stored)).unwrap_or_default();
    let again = Payment::read(&payment.write());
    assert_eq!(again.as_ref(), Some(&payment));
    let (mut now, mut flights) = (NOW, Vec::new());
    for (at, asked) in rest.split(|byte| *byte == 0).take(12).enumerate() {
        let Some(asked) = again_asked(text(asked)) else { continue };
        now = now.plus(1_000 * pick(pauses, at) as u64);
        let said = payment.hear(asked, now);
        is_json(&json::text(&said));
        json::read::<Said>(&json::text(&said)).unwrap();
        if said.word == Word::Granted {
            assert!(said.endpoint.is_some(), "a claim to nobody");
            assert!(!flights.contains(&said.flight), "a claim twice");
            flights.push(said.flight);
        }
        assert_eq!(Payment::read(&payment.write()).as_ref(), Some(&payment));
        let _ = (payment.is_over(now), payment.over_at());
    }
}

fn again_asked(text: &str) -> Option<Asked> {
    again::<Asked>(text)
}

/// What an older or newer version has stored.
fn from_storage(data: &[u8]) {
    let [pauses, kept, second, logged] = fields(data);
    let kept: Vec<Kept> = [kept, second].into_iter().filter_map(|kept| again(text(kept))).collect();
    let log: Vec<Logged> = again::<Logged>(text(logged)).into_iter().collect();
    let active_until = NOW.plus(pick(pauses, 0) as u64 * 1_000);
    let route = route("eth");
    let mut region = Region::new("weur", route, Memory { kept, log, active_until }, NOW);
    for pause in [0, 1_000, 60_000, 3_600_000] {
        let now = NOW.plus(pause);
        let (probes, events) = region.probes(&route.breaker, now);
        assert!(probes.len() <= route.endpoints.len() && events.len() <= LOG_MAX);
        is_sane(&region.snapshot(now), now);
    }
    is_kept(&region, NOW);
}
